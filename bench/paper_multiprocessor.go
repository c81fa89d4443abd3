package bench

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/timerfacility/timer"
)

// multiprocessorClaims are the claims about symmetric multiprocessors: appendix
// A.2 of 1987, B of 1997.
func multiprocessorClaims() []Claim {
	return []Claim{
		{
			ID: "P-1", Source: "1987 app. A.2; 1997 app. B, after Glaser",
			Title:   "Scheme 2 holds its lock for O(n)",
			Text:    "What holds a common structure for long hurts on a multiprocessor: in Scheme 2 one processor's START blocks all others while it searches. Schemes 5, 6 and 7 seem suited.",
			Printed: "O(n), O(1)", Expect: Holds, Effort: 0.5,
			Measure: lockHolds,
		},
		{
			ID: "P-2", Source: "follows from 1987 app. A.2; 1997 app. B",
			Title:     "a lock for each bucket",
			Text:      "The buckets of a hashed wheel can have locks of their own; the papers do not say so.",
			Predicted: "1/256", Expect: Holds,
			Measure: bucketLocks,
		},
	}
}

// lockHolds counts what START does while it would hold the lock: the cells of the
// cost table are exactly that.
func lockHolds(l *Lab) Result {
	var r Result
	for _, key := range []string{"2", "5", "6", "7"} {
		for _, c := range costsOf(l, SchemeNamed(key)) {
			if c.Routine == StartTimer && !c.Worst {
				r.Figures = append(r.Figures, growth(show("timers compared with under the lock, %v", c.Scheme), c.Paper, c.Expect, c.Fit))
			}
		}
	}
	for _, key := range []string{"2", "6"} {
		for _, n := range []int{1000, 10_000} {
			m := SchemeNamed(key).New(n, 0)
			fills[0](m, n, l.source("P-1", 0))
			var lock sync.Mutex
			r.Times = append(r.Times, contend(show("start and stop under one lock, %v, n = %d, %d processors", SchemeNamed(key), n, runtime.GOMAXPROCS(0)),
				pick(l, 500, 1000, 5000), func(random *rand.Rand) {
					interval := ticks(8*float64(n), random.ExpFloat64(), timer.MaxTick)
					lock.Lock()
					h, _ := m.StartTimer(interval, 0, noAction)
					lock.Unlock()
					lock.Lock()
					m.StopTimer(h)
					lock.Unlock()
				}))
		}
	}
	return r
}

// contend runs f on every processor at once and times it.
func contend(name string, loop int, f func(r *rand.Rand)) Time {
	procs := runtime.GOMAXPROCS(0)
	samples := make([]float64, 5)
	for i := range samples {
		var wait sync.WaitGroup
		began := time.Now()
		for p := range procs {
			wait.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), uint64(p)))
				for range loop {
					f(r)
				}
			})
		}
		wait.Wait()
		samples[i] = float64(time.Since(began)) / float64(loop*procs)
	}
	return timeOf(name, samples)
}

// lockedBuckets is the bare structure of a hashed wheel with a lock for each
// bucket: enough of it to start and stop.
type lockedBuckets []lockedBucket

type lockedBucket struct {
	sync.Mutex
	timers []timer.Tick
	_      [32]byte // to a cache line
}

func (w lockedBuckets) startAndStop(expiry timer.Tick) {
	b := &w[expiry%timer.Tick(len(w))]
	b.Lock()
	b.timers = append(b.timers, expiry)
	b.Unlock()
	b.Lock()
	b.timers = b.timers[:len(b.timers)-1]
	b.Unlock()
}

func bucketLocks(l *Lab) Result {
	const size = 256
	samples := repeat(l, "P-2", func(src rand.Source) float64 {
		r := rand.New(src)
		same := 0
		const pairs = 100_000
		for range pairs {
			a := ticks(100_000, r.ExpFloat64(), timer.MaxTick)
			b := ticks(100_000, r.ExpFloat64(), timer.MaxTick)
			if a%size == b%size {
				same++
			}
		}
		return ratio(same, pairs)
	})
	w := make(lockedBuckets, size)
	return Result{
		Figures: []Figure{number("chance that two STARTs want the same lock, 256 buckets", none, 1.0/size, EstimateMean(samples), 0)},
		Times: []Time{contend(show("start and stop under a lock for each bucket, %d processors", runtime.GOMAXPROCS(0)), 20_000, func(r *rand.Rand) {
			w.startAndStop(ticks(100_000, r.ExpFloat64(), timer.MaxTick))
		})},
	}
}
