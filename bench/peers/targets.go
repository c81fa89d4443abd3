package main

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/bench"
)

// A Target is a row of what scheme 7 sets out to reach.
type Target struct {
	What    string
	N       int // timers outstanding; -1: it does not matter
	Unit    string
	Median  float64
	Least   float64
	Must    float64 // 0: there is no bound that could be tested here
	Aim     float64
	Verdict string
}

// judge says how a median stands to its bounds.
func (t *Target) judge() {
	switch {
	case t.Must == 0 && t.Aim == 0:
		t.Verdict = ""
	case t.Median <= t.Aim:
		t.Verdict = "as aimed"
	case t.Median <= t.Must:
		t.Verdict = "reached"
	case t.Least <= t.Must:
		t.Verdict = "least run only"
	default:
		t.Verdict = "missed"
	}
}

// targets measures what the figures do not hold, and gives all rows.
func targets(ctx context.Context, figures []Figure, o options, p *progress) []Target {
	var rows []Target
	add := func(what string, n int, unit string, must, aim float64, runs []float64) {
		if len(runs) == 0 {
			return
		}
		t := Target{What: what, N: n, Unit: unit, Median: median(runs), Least: slices.Min(runs), Must: must, Aim: aim}
		t.judge()
		rows = append(rows, t)
	}
	repeat := func(what string, n int, unit string, must, aim float64, once func() float64) {
		var runs []float64
		for range o.count {
			if ctx.Err() != nil {
				return
			}
			p.show(what + ", n = " + count(n))
			runtime.GC()
			runs = append(runs, once())
		}
		add(what, n, unit, must, aim, runs)
	}
	quotients := func(workload string, n int) []float64 {
		own, other := find(figures, workload, n, scheme7Name), find(figures, workload, n, runtimeName)
		if own == nil || other == nil {
			return nil
		}
		var q []float64
		for i := range min(len(own.Runs), len(other.Runs)) {
			q = append(q, own.Runs[i]/other.Runs[i])
		}
		return q
	}
	runs := func(workload string, n int) []float64 {
		if f := find(figures, workload, n, scheme7Name); f != nil {
			return f.Runs
		}
		return nil
	}

	for _, n := range o.timers {
		if n > 100000 {
			add("W1 against AfterFunc", n, "x", 0.35, 0.15, quotients("W1", n))
		} else {
			add("W1 against AfterFunc", n, "x", 0.15, 0.06, quotients("W1", n))
		}
	}
	for _, n := range o.timers {
		add("ResetTimer (W2b) against AfterFunc's", n, "x", 0.5, 0.25, quotients("W2b", n))
	}
	for _, w := range []string{"W1", "W2", "W2b", "W3"} {
		for _, n := range o.timers {
			add(w+", beside the wheels in C++", n, "ns", 0, 0, runs(w, n))
		}
	}

	repeat("an empty tick", 0, "ns", 3, 2, func() float64 {
		return nanoseconds(bench.EmptyTicks(newScheme7(0)), 0, o.long)
	})
	repeat("AdvanceTo over 10^6 empty ticks", 0, "us", 1, 0.1, func() float64 {
		return nanoseconds(bench.EmptyAdvance(newScheme7(0)), 0, o.long) / 1e3
	})
	repeat("the same with one far timer", 1, "us", 1, 0.1, func() float64 {
		m := newScheme7(0)
		must(m.StartTimer(timer.MaxTick, 0, func(int) {}))
		return nanoseconds(bench.EmptyAdvance(m), 0, o.long) / 1e3
	})
	for _, n := range o.timers {
		repeat("IdleTicks", n, "ns", 5, 3, func() float64 {
			m := newScheme7(n)
			bench.Near(m, n)
			return nanoseconds(asks(func() timer.Tick { return timer.Tickless(m).IdleTicks() }), 0, o.long)
		})
	}
	for _, n := range o.timers {
		repeat("NextExpiry, timers near", n, "ns", 1000, 50, func() float64 {
			m := newScheme7(n)
			bench.Near(m, n)
			return nanoseconds(nextExpiries(m), 0, o.long)
		})
	}
	for _, n := range o.timers {
		repeat("NextExpiry, timers far", n, "ns", 0, 0, func() float64 {
			m := newScheme7(n)
			bench.Far(m, n)
			return nanoseconds(nextExpiries(m), 0, o.long)
		})
	}
	most := slices.Max(o.timers)
	add("bytes for each outstanding timer", most, "bytes", 56, 40, runs("bytes", most))
	add("a forced collection against AfterFunc's", most, "x", 0.3, 0.1, quotients("gc", most))
	for _, w := range o.workloads {
		if w.floor == nil {
			continue
		}
		n := min(most, severalTimers)
		repeat("allocations for each operation of "+w.key, n, "", 0, 0, func() float64 {
			return allocations(w.module(newScheme7(n), n), n)
		})
		if ctx.Err() != nil {
			break
		}
		last := &rows[len(rows)-1]
		if last.Verdict = "missed"; last.Median == 0 {
			last.Verdict = "as aimed"
		}
	}
	g := newGrowth(most)
	repeat("longest StartTimer of a growth, less an idle loop's", most, "ms", 0.2, 0.02, g.measure)
	repeat("the same, each call at its least of the runs", most, "ms", 0.2, 0.02, g.measureAgain)
	return rows
}

func nextExpiries(m timer.NextExpirer) bench.Workload {
	return asks(func() timer.Tick { next, _ := m.NextExpiry(); return next })
}

// asks is a workload of questions.
func asks(question func() timer.Tick) bench.Workload {
	return func(operations int) {
		var sum timer.Tick
		for range operations {
			sum += question()
		}
		runtime.KeepAlive(sum) // or the compiler might ask none
	}
}

// allocations is how many an operation makes, once every record has been used.
// Those of the runtime itself are few among so many operations, and rounded off.
func allocations(run bench.Workload, n int) float64 {
	run(10 * n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(10 * n)
	runtime.ReadMemStats(&after)
	return math.Floor(1000*float64(after.Mallocs-before.Mallocs)/float64(10*n)) / 1000
}

// A growth measures the longest StartTimer while a module grows to some timers
// from nothing. What the machine does meanwhile hits other calls in every run;
// what growing costs, the same ones.
type growth struct{ least []time.Duration } // of each call

func newGrowth(n int) *growth {
	g := &growth{make([]time.Duration, n)}
	for i := range g.least {
		g.least[i] = math.MaxInt64
	}
	return g
}

// measure is how many milliseconds the longest StartTimer takes beyond the
// longest time that a loop which does nothing shows.
func (g *growth) measure() float64 {
	random := bench.SplitMix(1)
	var sum uint64
	idle := longestCall(make([]time.Duration, len(g.least)), func(int) { sum += random.Below(bench.Span) })
	runtime.KeepAlive(sum)
	m := newScheme7(0)
	own := longestCall(g.least, func(i int) {
		_, _ = m.StartTimer(1+timer.Tick(random.Below(bench.Span)), i, func(int) {})
	})
	return max(0, float64(own-idle)/1e6)
}

// measureAgain is the same, but that each call counts with the least that it has
// taken in all runs.
func (g *growth) measureAgain() float64 {
	g.measure()
	return float64(slices.Max(g.least)) / 1e6
}

// longestCall times the calls one by one, and keeps the least of each.
func longestCall(least []time.Duration, call func(i int)) (longest time.Duration) {
	runtime.GC()
	for i := range least {
		start := time.Now()
		call(i)
		d := time.Since(start)
		longest = max(longest, d)
		least[i] = min(least[i], d)
	}
	return longest
}
