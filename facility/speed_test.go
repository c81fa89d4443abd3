package facility

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestSpeed measures the facility against package time, for the table in the
// README:
//
//	FACILITY_SPEED=1 go test -run TestSpeed -v ./facility
//
// Both do the same work by turns, in short portions, in one process, so that a
// busy machine disturbs both alike; a figure is the median of its portions.
func TestSpeed(t *testing.T) {
	if os.Getenv("FACILITY_SPEED") == "" {
		t.Skip("takes two minutes; set FACILITY_SPEED=1")
	}
	row := func(what string, n int, unit string, facility, packageTime float64, must, aim float64) {
		verdict := "reached"
		if r := facility / packageTime; r > must {
			verdict = "not reached"
		} else if r <= aim {
			verdict = "aim reached"
		}
		fmt.Printf("%-34s %8d  %9.0f %9.0f %-8s %6.3f  must %.2f, aim %.2f: %s\n", what, n, facility, packageTime, unit, facility/packageTime, must, aim, verdict)
	}
	fmt.Printf("%-34s %8s  %9s %9s %-8s %6s\n", "what", "n", "facility", "time", "", "ratio")
	for _, n := range sizes {
		f := newFacility(t, Config{})
		r := newRand()
		ours, theirs := make([]Timer, n), make([]*time.Timer, n)
		for i := range n {
			d := 10*time.Minute + far(r) // nothing expires meanwhile
			ours[i], theirs[i] = f.AfterFunc(d, nothing), time.AfterFunc(d, nothing)
		}
		runtime.GC()

		a, b := byTurns(portion(20000, func() { f.AfterFunc(near(r), nothing).Stop() }), portion(20000, func() { time.AfterFunc(near(r), nothing).Stop() }))
		row("start+stop", n, "ns", a, b, 0.35, 0.2)
		a, b = byTurns(
			parallel(20000, func() func() {
				r := newRand()
				return func() { f.AfterFunc(near(r), nothing).Stop() }
			}),
			parallel(20000, func() func() {
				r := newRand()
				return func() { time.AfterFunc(near(r), nothing).Stop() }
			}))
		row("start+stop, 2 goroutines", n, "ns", a, b, 0.4, 0.2)
		later := func() time.Duration { return 10*time.Minute + far(r) }
		a, b = byTurns(portion(20000, func() { ours[r.IntN(n)].Reset(later()) }), portion(20000, func() { theirs[r.IntN(n)].Reset(later()) }))
		row("reset of a random timer", n, "ns", a, b, 1, 0.6)
		f.Close()
		for _, t := range theirs {
			t.Stop()
		}
	}

	f := newFacility(t, Config{})
	expire := func(start func(d time.Duration, action func())) func() float64 {
		return func() float64 {
			const n = 100000
			r := newRand()
			var wg sync.WaitGroup
			wg.Add(n)
			done := wg.Done
			cpu := cpuTime()
			for range n {
				start(200*time.Millisecond+time.Duration(r.Int64N(1e9)), done)
			}
			wg.Wait()
			return float64(cpuTime()-cpu) / n
		}
	}
	a, b := byTurns(expire(func(d time.Duration, action func()) { f.AfterFunc(d, action) }), expire(func(d time.Duration, action func()) { time.AfterFunc(d, action) }))
	row("10^5 expire in a second, CPU", 1e5, "ns", a, b, 1, 0.6)

	// One after the other, for these have the whole heap or all timers of package
	// time take part.
	const n = 1000000
	var memory, collection, pulledIn [2]float64
	none := collect()
	measure := func(i int, before float64, reset func(i int, d time.Duration)) {
		memory[i] = (heap() - before) / n
		collection[i] = collect() - none
		r := newRand()
		pulledIn[i], _ = byTurns(func() float64 {
			const pairs = 40
			cpu := cpuTime()
			for range pairs {
				i := r.IntN(n)
				reset(i, 5*time.Millisecond)
				time.Sleep(time.Millisecond)
				reset(i, 10*time.Minute)
			}
			return float64(cpuTime()-cpu) / pairs
		}, func() float64 { return 0 })
	}
	r := newRand()
	ours := make([]Timer, n)
	before := heap()
	f = newFacility(t, Config{})
	for i := range ours {
		ours[i] = f.AfterFunc(time.Hour+far(r), nothing)
	}
	measure(0, before, func(i int, d time.Duration) { ours[i].Reset(d) })
	f.Close()
	f, ours = nil, nil

	theirs := make([]*time.Timer, n)
	before = heap()
	for i := range theirs {
		theirs[i] = time.AfterFunc(time.Hour+far(r), nothing)
	}
	measure(1, before, func(i int, d time.Duration) { theirs[i].Reset(d) })
	for _, t := range theirs {
		t.Stop()
	}
	row("pulled in and pushed out, CPU", n, "us", pulledIn[0]/1e3, pulledIn[1]/1e3, 0.1, 0.03)
	fmt.Printf("%-34s %8d  %9.1f %9.1f %-8s         must 64, aim 48\n", "heap of a timer", n, memory[0], memory[1], "bytes")
	row("forced collection, CPU", n, "us", collection[0]/1e3, collection[1]/1e3, 0.4, 0.1)
}

// byTurns is the medians of what a and b measure.
func byTurns(a, b func() float64) (float64, float64) {
	var as, bs []float64
	begin := time.Now()
	for len(as) < 5 || len(as) < 51 && time.Since(begin) < 3*time.Second {
		as, bs = append(as, a()), append(bs, b())
	}
	slices.Sort(as)
	slices.Sort(bs)
	return as[len(as)/2], bs[len(bs)/2]
}

// portion measures an operation, in nanoseconds.
func portion(n int, op func()) func() float64 {
	return func() float64 {
		begin := time.Now()
		for range n {
			op()
		}
		return float64(time.Since(begin)) / float64(n)
	}
}

// parallel measures an operation in two goroutines, in nanoseconds for each.
func parallel(n int, op func() func()) func() float64 {
	return func() float64 {
		var wg sync.WaitGroup
		begin := time.Now()
		for range 2 {
			wg.Go(func() {
				op := op()
				for range n {
					op()
				}
			})
		}
		wg.Wait()
		return float64(time.Since(begin)) / float64(2*n)
	}
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// collect is the median CPU time of a forced collection, in nanoseconds.
func collect() float64 {
	m, _ := byTurns(func() float64 {
		cpu := cpuTime()
		runtime.GC()
		return float64(cpuTime() - cpu)
	}, func() float64 { return 0 })
	return m
}
