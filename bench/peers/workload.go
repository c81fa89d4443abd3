package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/timerfacility/timer/bench"
)

// A workload is a column: what is done, and how it is done with a module and
// with a library that has a clock of its own.
type workload struct {
	key    string
	title  string
	unit   string
	resets bool // it needs a Reset

	module  func(m bench.Startable, n int) bench.Workload
	library func(t timers, n int) bench.Workload // nil: a caller who delivers no ticks cannot do it
	floor   func(n int) bench.Workload           // nil: there is none

	// measure measures the subject, where that is not the time of an operation.
	measure func(s subject, n int, o options) float64
}

func workloads() []workload {
	return []workload{
		{
			key: "W1", title: "stop a random timer and start it again", unit: "ns",
			module: bench.StopStart, library: stopStart,
			floor: func(n int) bench.Workload { return bench.Floor(n, true) },
		},
		{
			key: "W2", title: "idle timeout: each timer is reset about once in its life", unit: "ns", resets: true,
			module: bench.IdleTimeout,
			floor:  func(n int) bench.Workload { return bench.Floor(n, false) },
		},
		{
			key: "W2b", title: "busy server: each timer is reset many times in its life", unit: "ns", resets: true,
			module: bench.BusyServer, library: reset,
			floor: func(n int) bench.Workload { return bench.Floor(n, false) },
		},
		{
			key: "W3", title: "churn: every timer that expires starts itself again", unit: "ns",
			module: bench.Churn,
			floor:  func(n int) bench.Workload { return bench.Floor(n, false) },
		},
		{key: "bytes", title: "heap for each outstanding timer", unit: "bytes", library: stopStart, measure: bytesEach},
		{key: "gc", title: "a forced collection while all timers are outstanding", unit: "ms", library: stopStart, measure: collecting},
	}
}

// away is what is added to every interval of a library's timers, in which a tick
// is a millisecond: its clock goes on while it is measured, and no timer may
// expire meanwhile.
const away = 2 * time.Minute

func interval(random *bench.SplitMix) time.Duration {
	return away + time.Duration(1+random.Below(bench.Span))*time.Millisecond
}

func startAll(t timers, n int, random *bench.SplitMix) {
	for i := range n {
		t.start(i, interval(random))
	}
}

// stopStart is W1 on a library.
func stopStart(t timers, n int) bench.Workload {
	random := bench.SplitMix(1)
	startAll(t, n, &random)
	return func(operations int) {
		for range operations {
			i := int(random.Below(uint64(n)))
			t.stop(i)
			t.start(i, interval(&random))
		}
	}
}

// reset is W2b on a library. The ticks are its own.
func reset(t timers, n int) bench.Workload {
	random := bench.SplitMix(1)
	startAll(t, n, &random)
	r := t.(resetter)
	return func(operations int) {
		for range operations {
			r.reset(int(random.Below(uint64(n))), away+bench.Span*time.Millisecond)
		}
	}
}

// nanoseconds is the time of an operation of a workload that has been set up. It
// warms up for at least n operations, unless these take ten times as long as the
// measurement: it is then that every record has been touched.
func nanoseconds(run bench.Workload, n int, long time.Duration) float64 {
	operations, done := 16, 0
	var rate float64
	for began := time.Now(); ; operations *= 2 {
		start := time.Now()
		run(operations)
		now := time.Now()
		done += operations
		rate = float64(now.Sub(start)) / float64(operations)
		if now.Sub(start) >= long/8 && (done >= n || now.Sub(began) > 10*long) {
			break
		}
	}
	operations = max(1, int(float64(long)/max(rate, 0.1)))
	runtime.GC()
	start := time.Now()
	run(operations)
	return float64(time.Since(start)) / float64(operations)
}

// bytesEach is what n timers add to the heap, for each of them; what the client
// keeps to name them by is not counted.
func bytesEach(s subject, n int, _ options) float64 {
	var before uint64
	keep, end := s.hold(n, func() { before = reachable() })
	after := reachable()
	runtime.KeepAlive(keep)
	end()
	return (float64(after) - float64(before)) / float64(n)
}

// reachable is the size of the heap after a collection.
func reachable() uint64 {
	runtime.GC()
	runtime.GC() // what the first one gave to finalizers and pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// collecting is how many milliseconds a collection takes with n timers
// outstanding: the median of some.
func collecting(s subject, n int, _ options) float64 {
	keep, end := s.hold(n, func() {})
	var times []float64
	for range 6 {
		start := time.Now()
		runtime.GC()
		times = append(times, float64(time.Since(start))/1e6)
	}
	runtime.KeepAlive(keep)
	end()
	return median(times[1:]) // the first one collects what starting left behind
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
