package main

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/timerfacility/timer/bench"
)

// A timer of every library expires, and does not when it has been stopped, or
// before the time that it was reset to.
func TestLibraries(t *testing.T) {
	for _, l := range libraries() {
		if l.name == "time.NewTimer" {
			continue // calls nothing
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			tick := min(l.tick, 20*time.Millisecond)
			if l.name == "ouqiang" {
				tick = time.Second // less divides by zero
			}
			var expired [3]atomic.Bool
			calls := [3]func(){}
			for i := range calls {
				calls[i] = func() { expired[i].Store(true) }
			}
			timers := l.open(len(calls), tick, func(i int) func() { return calls[i] })
			if l.name != "antlabs heap" { // to stop a timer that has expired is out of its bounds
				defer timers.close()
			}
			for i := range calls {
				timers.start(i, 2*tick)
			}
			if !timers.stop(1) {
				t.Error("a stop was denied")
			}
			if r, ok := timers.(resetter); ok != (l.noReset == "") {
				t.Errorf("resetter: %t, though %q", ok, l.noReset)
			} else if ok {
				r.reset(2, time.Minute)
			} else {
				timers.stop(2)
			}
			for deadline := time.Now().Add(10 * time.Second); !expired[0].Load() && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(2 * tick)
			for i, want := range []bool{true, false, false} {
				if got := expired[i].Load(); got != want {
					t.Errorf("timer %d has expired: %t, want %t", i, got, want)
				}
			}
		})
	}
}

// A library that has been closed leaves nothing behind that would be in the
// measurements of the next one.
func TestClose(t *testing.T) {
	const n = 5000
	w := workloads()[0]
	for _, s := range subjects() {
		few := n
		if s.most > 0 {
			few = min(n, s.most)
		}
		before, goroutines := reachable(), runtime.NumGoroutine()
		func() {
			set := s.setUp(w, few)
			set.run(10)
			set.close()
		}()
		for range 100 {
			if runtime.NumGoroutine() <= goroutines {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if more := runtime.NumGoroutine() - goroutines; more > 0 {
			t.Errorf("%s: %d goroutines are left", s.name, more)
		}
		// The runtime keeps the room that its heap of timers has taken.
		if left := (int64(reachable()) - int64(before)) / int64(few); left > 40 {
			t.Errorf("%s: %d bytes for each timer are left", s.name, left)
		}
	}
}

// Every subject does what it does not lack.
func TestSetUp(t *testing.T) {
	const n = 50
	for _, w := range workloads() {
		for _, s := range subjects() {
			if s.lacks(w, n) != "" {
				continue
			}
			if w.measure != nil {
				if w.key == "bytes" {
					if value := w.measure(s, n, options{}); value <= 0 {
						t.Errorf("%s, %s: %g", w.key, s.name, value)
					}
				}
				continue
			}
			set := s.setUp(w, n)
			set.run(200)
			set.close()
		}
	}
	if got := bench.Longest; tableFor(1) < int(got) {
		t.Errorf("a table of %d buckets, and intervals up to %d", tableFor(1), got)
	}
}
