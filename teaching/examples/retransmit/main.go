// Retransmit sends packets reliably over UDP on loopback, through a link that
// loses some of them, with one retransmission timer for each packet that is not
// yet acknowledged. It is the motive with which the 1987 paper begins: 200
// connections with 3 timers each, where a timer is started for every packet and
// nearly always stopped before it expires.
//
//	go run ./teaching/examples/retransmit
//
// It shows its figures every half second and ends by itself.
package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/timerfacility/timer/facility"
)

func main() {
	connections := flag.Int("connections", 200, "connections, from 1 to 65536")
	window := flag.Int("window", 3, "unacknowledged packets of a connection, each with a timer")
	loss := flag.Float64("loss", 0.02, "fraction of the packets that the link loses, either way")
	timeout := flag.Duration("timeout", 30*time.Millisecond, "retransmission timeout")
	duration := flag.Duration("duration", 4*time.Second, "how long to send")
	flag.Parse()
	if *connections < 1 || *connections > 1<<16 || *window < 1 || *loss < 0 || *loss >= 1 {
		log.Fatal("retransmit: a flag is out of its range")
	}

	r, err := run(*connections, *window, *loss, *timeout, *duration, func(r result, elapsed time.Duration) {
		fmt.Printf("%5.1f s  %7d delivered  %6.0f packets/s  %6d lost  %6d retransmitted  %5d timers outstanding\n",
			elapsed.Seconds(), r.delivered, float64(r.sent)/elapsed.Seconds(), r.lost, r.retransmitted, r.outstanding)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%d packets delivered, each once and in spite of %d lost; %d timers started, %.1f %% of them stopped before they expired\n",
		r.delivered, r.lost, r.stats.Starts, 100*float64(r.stats.Stops)/float64(r.stats.Starts))
	fmt.Printf("%.0f packets/s; the timers' lateness: median under %v, 99 %% under %v\n",
		float64(r.sent)/r.took.Seconds(), r.stats.Lateness.Quantile(0.5), r.stats.Lateness.Quantile(0.99))
}

type result struct {
	delivered     uint64 // packets new to the receiver
	acknowledged  uint64 // packets that the sender knows to be delivered
	sent          uint64 // packets sent, again or for the first time
	retransmitted uint64
	lost          uint64 // by the link
	outstanding   int
	took          time.Duration
	stats         facility.Stats
}

// run sends for the duration and then waits until every packet is acknowledged.
func run(connections, window int, loss float64, timeout, duration time.Duration, show func(result, time.Duration)) (result, error) {
	f, err := facility.New(facility.Config{})
	if err != nil {
		return result{}, err
	}
	defer f.Close()
	var wg sync.WaitGroup
	defer wg.Wait()
	listen := func() *net.UDPConn {
		c, e := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if e != nil {
			err = e
			return nil
		}
		c.SetReadBuffer(1 << 20)
		return c
	}
	here, there, near, far := listen(), listen(), listen(), listen()
	for _, c := range []*net.UDPConn{here, there, near, far} {
		if c != nil {
			defer c.Close()
		}
	}
	if err != nil {
		return result{}, err
	}

	// sender here <-> near [link] far <-> there receiver
	l := &link{loss: loss}
	rcv := newReceiver(connections)
	s := newSender(f, here, address(near), connections, window, timeout)
	for _, loop := range []func(){
		func() { l.forward(near, far, address(there)) },
		func() { l.forward(far, near, address(here)) },
		func() { rcv.serve(there) },
		s.receive,
	} {
		wg.Go(loop)
	}

	begin := time.Now()
	snapshot := func() result {
		return result{
			delivered: rcv.delivered.Load(), acknowledged: s.acknowledged.Load(), sent: s.sent.Load(),
			retransmitted: s.retransmitted.Load(), lost: l.lost.Load(), outstanding: f.Len(), took: time.Since(begin), stats: f.Stats(),
		}
	}
	s.begin()
	for time.Since(begin) < duration {
		time.Sleep(min(500*time.Millisecond, duration))
		show(snapshot(), time.Since(begin))
	}
	took := time.Since(begin)
	s.finish()
	r := snapshot()
	r.took = took
	return r, nil
}

func address(c *net.UDPConn) *net.UDPAddr { return c.LocalAddr().(*net.UDPAddr) }

// A link forwards packets, or loses them.
type link struct {
	loss float64
	lost atomic.Uint64
}

func (l *link) forward(from, via *net.UDPConn, to *net.UDPAddr) {
	buf := make([]byte, 64)
	addr := to.AddrPort()
	for {
		n, _, err := from.ReadFromUDPAddrPort(buf)
		if err != nil {
			return // closed
		}
		if rand.Float64() < l.loss {
			l.lost.Add(1)
			continue
		}
		via.WriteToUDPAddrPort(buf[:n], addr) // what fails is lost, too
	}
}

// A packet is a connection and a number in it, 2 and 4 bytes. An acknowledgement
// repeats it.
const packetSize = 6

// A receiver acknowledges every packet and delivers each once.
type receiver struct {
	delivered   atomic.Uint64
	connections []received
}

// received is what a receiver has of a connection: all below next, and those of
// early.
type received struct {
	next  uint32
	early map[uint32]bool
}

func newReceiver(connections int) *receiver {
	r := &receiver{connections: make([]received, connections)}
	for i := range r.connections {
		r.connections[i].early = make(map[uint32]bool)
	}
	return r
}

func (r *receiver) serve(conn *net.UDPConn) {
	buf := make([]byte, 64)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		if n != packetSize {
			continue
		}
		r.receive(int(binary.BigEndian.Uint16(buf)), binary.BigEndian.Uint32(buf[2:]))
		conn.WriteToUDPAddrPort(buf[:n], from)
	}
}

func (r *receiver) receive(connection int, number uint32) {
	c := &r.connections[connection]
	if number < c.next || c.early[number] {
		return // a duplicate
	}
	r.delivered.Add(1)
	c.early[number] = true
	for c.early[c.next] {
		delete(c.early, c.next)
		c.next++
	}
}

// A sender has some packets of each connection under way, each with its timer.
type sender struct {
	f       *facility.Facility
	conn    *net.UDPConn
	to      *net.UDPAddr
	timeout time.Duration

	connections []connection
	stopping    atomic.Bool
	idle        sync.WaitGroup // counts the packets under way

	sent, acknowledged, retransmitted atomic.Uint64
}

type connection struct {
	mu     sync.Mutex
	next   uint32 // number of the next new packet
	window []packet
}

// A packet is a place in a connection's window.
type packet struct {
	connection *connection
	id         uint16
	number     uint32
	tries      uint
	underWay   bool
	timer      facility.Timer
	sender     *sender
}

func newSender(f *facility.Facility, conn *net.UDPConn, to *net.UDPAddr, connections, window int, timeout time.Duration) *sender {
	s := &sender{f: f, conn: conn, to: to, timeout: timeout, connections: make([]connection, connections)}
	for i := range s.connections {
		c := &s.connections[i]
		c.window = make([]packet, window)
		for j := range c.window {
			c.window[j] = packet{connection: c, id: uint16(i), sender: s}
		}
	}
	return s
}

func (s *sender) begin() {
	for i := range s.connections {
		c := &s.connections[i]
		c.mu.Lock()
		for j := range c.window {
			s.idle.Add(1)
			c.window[j].sendNew()
		}
		c.mu.Unlock()
	}
}

// finish waits until all is acknowledged that is under way.
func (s *sender) finish() {
	s.stopping.Store(true)
	s.idle.Wait()
}

// sendNew sends the connection's next packet. The caller holds its lock.
func (p *packet) sendNew() {
	p.number = p.connection.next
	p.connection.next++
	p.tries = 0
	p.underWay = true
	p.send()
}

// send sends the packet and starts its timer.
func (p *packet) send() {
	p.timer = p.sender.f.StartTimer(p.timeout(), p, expire)
	p.sender.sent.Add(1)
	var buf [packetSize]byte
	binary.BigEndian.PutUint16(buf[:], p.id)
	binary.BigEndian.PutUint32(buf[2:], p.number)
	p.sender.conn.WriteToUDPAddrPort(buf[:], p.sender.to.AddrPort())
}

// timeout doubles with each try.
func (p *packet) timeout() time.Duration { return p.sender.timeout << min(p.tries, 6) }

// expire is the expiry action: no acknowledgement has come in time.
func expire(id any) {
	p := id.(*packet)
	p.connection.mu.Lock()
	defer p.connection.mu.Unlock()
	// While the action waited for the lock, the acknowledgement may have come
	// after all. Then the place is empty, or has a new packet, whose timer is
	// outstanding where that of this action is not.
	if !p.underWay || p.timer.Reset(p.timeout()) {
		return
	}
	p.tries++
	p.sender.retransmitted.Add(1)
	p.send()
}

// receive takes acknowledgements until the socket is closed.
func (s *sender) receive() {
	buf := make([]byte, 64)
	for {
		n, _, err := s.conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return
		}
		if n == packetSize {
			s.acknowledge(binary.BigEndian.Uint16(buf), binary.BigEndian.Uint32(buf[2:]))
		}
	}
}

func (s *sender) acknowledge(id uint16, number uint32) {
	c := &s.connections[id]
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.window {
		p := &c.window[i]
		if !p.underWay || p.number != number {
			continue
		}
		p.timer.Stop()
		p.underWay = false
		s.acknowledged.Add(1)
		if s.stopping.Load() {
			s.idle.Done()
		} else {
			p.sendNew()
		}
		return
	}
}
