package main

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/timerfacility/timer/facility"
)

// A server echoes what it receives, and closes a connection on which it has
// received nothing for a while.
type server struct {
	idle   time.Duration
	timers *facility.Facility // nil: by SetReadDeadline instead

	open, echoes, closedIdle atomic.Int64
	connections              sync.WaitGroup
}

// serve accepts connections until the listener is closed, and then waits for
// them to end.
func (s *server) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			break
		}
		s.open.Add(1)
		s.connections.Go(func() {
			if s.timers != nil {
				s.echoWithTimer(conn)
			} else {
				s.echoWithDeadline(conn)
			}
			conn.Close()
			s.open.Add(-1)
		})
	}
	s.connections.Wait()
}

// echoWithTimer has one timer for the connection, which every packet puts off.
func (s *server) echoWithTimer(conn net.Conn) {
	timer := s.timers.StartTimer(s.idle, conn, closeConn)
	var buf [64]byte
	for {
		n, err := conn.Read(buf[:])
		if err != nil || !timer.Reset(s.idle) {
			break
		}
		s.echo(conn, buf[:n])
	}
	if !timer.Stop() { // it has expired, and closed the connection
		s.closedIdle.Add(1)
	}
}

func closeConn(id any) { id.(net.Conn).Close() }

// echoWithDeadline does the same with package net alone.
func (s *server) echoWithDeadline(conn net.Conn) {
	var buf [64]byte
	for {
		conn.SetReadDeadline(time.Now().Add(s.idle))
		n, err := conn.Read(buf[:])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.closedIdle.Add(1)
		}
		if err != nil {
			return
		}
		s.echo(conn, buf[:n])
	}
}

func (s *server) echo(conn net.Conn, p []byte) {
	s.echoes.Add(1)
	conn.Write(p) // an error is seen by the next Read
}

// A load is what the client does.
type load struct {
	address             string
	connections, silent int // all of them, and those on which it says nothing
	talkers             int // goroutines that write and read on the others
}

// A loadResult is what the client saw.
type loadResult struct {
	Closed           int           // silent connections that the server closed
	Earliest, Latest time.Duration // when it did, after they had been opened
	Broken           int           // others that it closed
	Echoes           int64
}

// run opens the connections, calls connected, and talks until ctx is done.
func (l load) run(ctx context.Context, connected func()) (r loadResult, err error) {
	conns := make([]net.Conn, 0, l.connections)
	closeAll := func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	}
	defer closeAll()
	var mu sync.Mutex
	var silent, talk sync.WaitGroup
	for i := range l.connections {
		c, err := net.Dial("tcp", l.address)
		if err != nil {
			return r, err
		}
		conns = append(conns, c)
		if i < l.silent {
			begin := time.Now()
			silent.Go(func() {
				var buf [1]byte
				c.Read(buf[:]) // until the server closes it
				took := time.Since(begin)
				mu.Lock()
				defer mu.Unlock()
				if ctx.Err() != nil {
					return // we close it
				}
				if r.Closed == 0 {
					r.Earliest = took
				}
				r.Closed++
				r.Earliest, r.Latest = min(r.Earliest, took), max(r.Latest, took)
			})
		}
	}
	connected()
	talking := conns[l.silent:]
	for i := range l.talkers {
		talk.Go(func() {
			var echoes int64
			broken := 0
			buf := []byte("hello")
			for ctx.Err() == nil {
				n := 0
				for j := i; j < len(talking) && ctx.Err() == nil; j += l.talkers {
					c := talking[j]
					if c == nil {
						continue
					}
					n++
					_, err := c.Write(buf)
					if err == nil {
						_, err = c.Read(buf)
					}
					if err != nil {
						talking[j] = nil
						c.Close()
						broken++
						continue
					}
					echoes++
				}
				if n == 0 {
					<-ctx.Done()
				}
			}
			mu.Lock()
			r.Echoes += echoes
			r.Broken += broken
			mu.Unlock()
		})
	}
	talk.Wait()
	<-ctx.Done()
	closeAll()
	silent.Wait()
	return r, nil
}
