package facility

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"
)

// Each benchmark measures the facility beside package time in the same process:
//
//	go test -bench . -count 5 ./facility
//
// The outstanding timers expire 20 to 80 seconds after their start, and those
// started during a run 1 to 60 seconds: the workload of a server's timeouts.

var sizes = []int{1e3, 1e5, 1e6}

func nothing()        {}
func nothingWith(any) {}

func near(r *rand.Rand) time.Duration { return time.Duration(1+r.IntN(59000)) * time.Millisecond }
func far(r *rand.Rand) time.Duration  { return time.Duration(20000+r.IntN(60000)) * time.Millisecond }

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// outstanding starts n timers of each kind, and stops them in the end.
func outstanding(b *testing.B, n int) *Facility {
	f := newFacility(b, Config{})
	r := newRand()
	for range n {
		f.AfterFunc(far(r), nothing)
	}
	return f
}

func outstandingTime(b *testing.B, n int) {
	r := newRand()
	timers := make([]*time.Timer, n)
	for i := range timers {
		timers[i] = time.AfterFunc(far(r), nothing)
	}
	b.Cleanup(func() {
		for _, t := range timers {
			t.Stop()
		}
	})
}

func eachSize(b *testing.B, facility func(b *testing.B, n int), packageTime func(b *testing.B, n int)) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d/impl=time", n), func(b *testing.B) { packageTime(b, n) })
		runtime.GC()
		b.Run(fmt.Sprintf("n=%d/impl=facility", n), func(b *testing.B) { facility(b, n) })
		runtime.GC()
	}
}

func BenchmarkStartStop(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		f := outstanding(b, n)
		r := newRand()
		b.ReportAllocs()
		for b.Loop() {
			f.AfterFunc(near(r), nothing).Stop()
		}
	}, func(b *testing.B, n int) {
		outstandingTime(b, n)
		r := newRand()
		b.ReportAllocs()
		for b.Loop() {
			time.AfterFunc(near(r), nothing).Stop()
		}
	})
}

func BenchmarkStartStopParallel(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		f := outstanding(b, n)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			r := newRand()
			for pb.Next() {
				f.AfterFunc(near(r), nothing).Stop()
			}
		})
	}, func(b *testing.B, n int) {
		outstandingTime(b, n)
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			r := newRand()
			for pb.Next() {
				time.AfterFunc(near(r), nothing).Stop()
			}
		})
	})
}

// BenchmarkReset resets a random timer, as a server does for every packet.
func BenchmarkReset(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		f := newFacility(b, Config{})
		r := newRand()
		timers := make([]Timer, n)
		for i := range timers {
			timers[i] = f.AfterFunc(far(r), nothing)
		}
		b.ReportAllocs()
		for b.Loop() {
			timers[r.IntN(n)].Reset(far(r))
		}
	}, func(b *testing.B, n int) {
		r := newRand()
		timers := make([]*time.Timer, n)
		for i := range timers {
			timers[i] = time.AfterFunc(far(r), nothing)
		}
		b.ReportAllocs()
		for b.Loop() {
			timers[r.IntN(n)].Reset(far(r))
		}
		b.StopTimer()
		for _, t := range timers {
			t.Stop()
		}
	})
}

// BenchmarkPullIn is golang/go#41699: a deadline pulled in and pushed out again,
// one pair in a millisecond; it reports the CPU time of a pair.
func BenchmarkPullIn(b *testing.B) {
	pairs := func(b *testing.B, n int, reset func(i int, d time.Duration)) {
		r := newRand()
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		cpu := cpuTime()
		n0 := 0
		for b.Loop() {
			i := r.IntN(n)
			reset(i, 5*time.Millisecond)
			<-tick.C
			reset(i, time.Minute)
			n0++
		}
		b.ReportMetric(float64(cpuTime()-cpu)/float64(n0), "cpu-ns/op")
	}
	eachSize(b, func(b *testing.B, n int) {
		f := newFacility(b, Config{})
		r := newRand()
		timers := make([]Timer, n)
		for i := range timers {
			timers[i] = f.AfterFunc(far(r), nothing)
		}
		pairs(b, n, func(i int, d time.Duration) { timers[i].Reset(d) })
	}, func(b *testing.B, n int) {
		r := newRand()
		timers := make([]*time.Timer, n)
		for i := range timers {
			timers[i] = time.AfterFunc(far(r), nothing)
		}
		pairs(b, n, func(i int, d time.Duration) { timers[i].Reset(d) })
		for _, t := range timers {
			t.Stop()
		}
	})
}

// BenchmarkExpiry starts 10^5 timers that expire within a second and waits for
// them; it reports the CPU time of one, its start included.
func BenchmarkExpiry(b *testing.B) {
	const n = 1e5
	expire := func(b *testing.B, start func(d time.Duration, action func())) {
		for b.Loop() {
			r := newRand()
			var wg sync.WaitGroup
			wg.Add(n)
			done := wg.Done
			cpu := cpuTime()
			for range int(n) {
				start(200*time.Millisecond+time.Duration(r.Int64N(1e9)), done)
			}
			wg.Wait()
			b.ReportMetric(float64(cpuTime()-cpu)/n, "cpu-ns/timer")
		}
	}
	b.Run("impl=time", func(b *testing.B) {
		expire(b, func(d time.Duration, action func()) { time.AfterFunc(d, action) })
	})
	b.Run("impl=facility", func(b *testing.B) {
		f := newFacility(b, Config{})
		expire(b, func(d time.Duration, action func()) { f.AfterFunc(d, action) })
	})
	b.Run("impl=inline", func(b *testing.B) {
		f := newFacility(b, Config{Run: Inline})
		expire(b, func(d time.Duration, action func()) { f.AfterFunc(d, action) })
	})
}

// BenchmarkMemory reports the heap of a timer at 10^6.
func BenchmarkMemory(b *testing.B) {
	const n = 1e6
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	b.Run("impl=time", func(b *testing.B) {
		for b.Loop() {
			timers := make([]*time.Timer, n)
			before := heap()
			for i := range timers {
				timers[i] = time.AfterFunc(time.Hour, nothing)
			}
			b.ReportMetric((heap()-before)/n, "B/timer")
			for _, t := range timers {
				t.Stop()
			}
		}
	})
	for _, name := range []string{"AfterFunc", "StartTimer"} {
		b.Run("impl=facility/"+name, func(b *testing.B) {
			for b.Loop() {
				before := heap()
				f := newFacility(b, Config{})
				r := newRand()
				for i := range int(n) {
					if name == "AfterFunc" {
						f.AfterFunc(far(r), nothing)
					} else {
						f.StartTimer(far(r), &sizes[i%len(sizes)], nothingWith)
					}
				}
				b.ReportMetric((heap()-before)/n, "B/timer")
				f.Close()
			}
		})
	}
}

// BenchmarkGC is a forced collection with 10^6 timers outstanding, whose owners
// hold them.
func BenchmarkGC(b *testing.B) {
	const n = 1e6
	collect := func(b *testing.B) {
		runtime.GC()
		cpu := cpuTime()
		k := 0
		for b.Loop() {
			runtime.GC()
			k++
		}
		b.ReportMetric(float64(cpuTime()-cpu)/float64(k), "cpu-ns/op")
	}
	b.Run("impl=none", collect)
	b.Run("impl=time", func(b *testing.B) {
		timers := make([]*time.Timer, n)
		for i := range timers {
			timers[i] = time.AfterFunc(time.Hour, nothing)
		}
		collect(b)
		for _, t := range timers {
			t.Stop()
		}
	})
	runtime.GC()
	b.Run("impl=facility", func(b *testing.B) {
		f := newFacility(b, Config{})
		r := newRand()
		timers := make([]Timer, n)
		for i := range timers {
			timers[i] = f.AfterFunc(time.Hour+far(r), nothing)
		}
		collect(b)
		runtime.KeepAlive(timers)
	})
	runtime.GC()
	b.Run("impl=facility/unheld", func(b *testing.B) {
		f := newFacility(b, Config{})
		r := newRand()
		for range int(n) {
			f.AfterFunc(time.Hour+far(r), nothing)
		}
		collect(b)
	})
}
