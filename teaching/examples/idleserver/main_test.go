package main

import (
	"math/rand/v2"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/timerfacility/timer/facility"
)

func TestMain(m *testing.M) {
	if runAsClient() {
		return
	}
	os.Exit(m.Run())
}

func newFacility(t testing.TB) *facility.Facility {
	f, err := facility.New(facility.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func listen(t testing.TB) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestSilentConnectionsAreClosed(t *testing.T) {
	for name, timers := range map[string]*facility.Facility{"facility": newFacility(t), "deadline": nil} {
		t.Run(name, func(t *testing.T) {
			const idle = 600 * time.Millisecond
			s := &server{idle: idle, timers: timers}
			l := listen(t)
			var served sync.WaitGroup
			served.Go(func() { s.serve(l) })
			c, err := startClient(load{address: l.Addr().String(), connections: 60, silent: 20, talkers: 4})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(3 * idle)
			r, err := c.stop()
			if err != nil {
				t.Fatal(err)
			}
			l.Close()
			served.Wait()
			if r.Closed != 20 || r.Broken != 0 || s.closedIdle.Load() != 20 || r.Echoes == 0 {
				t.Errorf("closed %d of 20 silent and %d of 40 talking connections, %d by their timers, after %d echoes", r.Closed, r.Broken, s.closedIdle.Load(), r.Echoes)
			}
			if r.Earliest < idle/2 { // the client may look at its clock late
				t.Errorf("closed after %v to %v, want %v", r.Earliest, r.Latest, idle)
			}
			if timers != nil && timers.Len() != 0 {
				t.Errorf("%d timers are left", timers.Len())
			}
		})
	}
}

// BenchmarkEcho is the whole server at 10 000 connections that all talk; it
// reports the server's CPU time for an echo.
func BenchmarkEcho(b *testing.B) {
	for _, impl := range []string{"SetReadDeadline", "facility"} {
		b.Run("impl="+impl, func(b *testing.B) {
			s := &server{idle: time.Minute}
			if impl == "facility" {
				s.timers = newFacility(b)
			}
			l := listen(b)
			go s.serve(l)
			defer l.Close()
			c, err := startClient(load{address: l.Addr().String(), connections: connections(), talkers: 64})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				cpu, echoes := cpuTime(), s.echoes.Load()
				time.Sleep(2 * time.Second)
				b.ReportMetric(float64(cpuTime()-cpu)/float64(s.echoes.Load()-echoes), "cpu-ns/echo")
			}
			if _, err := c.stop(); err != nil {
				b.Fatal(err)
			}
			s.connections.Wait()
		})
	}
}

// BenchmarkTimeout is what of it the idle timeout costs: to put off that of a
// random one of 10 000 connections.
func BenchmarkTimeout(b *testing.B) {
	l := listen(b)
	defer l.Close()
	n := connections()
	accepted := make(chan net.Conn, n)
	go func() {
		for range n {
			conn, err := l.Accept()
			if err != nil {
				break
			}
			accepted <- conn
		}
		close(accepted)
	}()
	c, err := startClient(load{address: l.Addr().String(), connections: n, silent: n})
	if err != nil {
		b.Fatal(err)
	}
	var conns []net.Conn
	for conn := range accepted {
		conns = append(conns, conn)
	}
	defer func() {
		for _, conn := range conns {
			conn.Close()
		}
	}()
	const idle = time.Minute
	b.Run("impl=SetReadDeadline", func(b *testing.B) {
		for _, conn := range conns {
			conn.SetReadDeadline(time.Now().Add(idle))
		}
		for b.Loop() {
			conns[rand.IntN(n)].SetReadDeadline(time.Now().Add(idle))
		}
		for _, conn := range conns {
			conn.SetReadDeadline(time.Time{})
		}
	})
	b.Run("impl=facility", func(b *testing.B) {
		f := newFacility(b)
		timers := make([]facility.Timer, n)
		for i, conn := range conns {
			timers[i] = f.StartTimer(idle, conn, closeConn)
		}
		for b.Loop() {
			timers[rand.IntN(n)].Reset(idle)
		}
		for _, timer := range timers {
			timer.Stop()
		}
	})
	if _, err := c.stop(); err != nil {
		b.Fatal(err)
	}
}
