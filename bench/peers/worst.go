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

// A Worst is a row of the second of the paper's measures: how long single calls
// take, each timed by itself. The reading of the clock is in every figure, and
// has a row of its own.
type Worst struct {
	What       string
	N          int // timers outstanding
	Operations int
	P50        time.Duration
	P999       time.Duration // of 1000 calls, 999 take no longer
	P99999     time.Duration // of 100000
	Max        time.Duration
}

// stopwatch times single calls.
type stopwatch []uint32

func newStopwatch(operations int) *stopwatch {
	w := make(stopwatch, 0, operations)
	return &w
}

func (w *stopwatch) time(call func()) {
	start := time.Now()
	call()
	w.add(time.Since(start))
}

func (w *stopwatch) add(d time.Duration) { *w = append(*w, uint32(min(d, math.MaxUint32))) }

// row sorts the times.
func (w *stopwatch) row(what string, n int) Worst {
	slices.Sort(*w)
	last := len(*w) - 1
	at := func(one int) time.Duration { return time.Duration((*w)[last-(last+1)/one]) }
	return Worst{
		What: what, N: n, Operations: last + 1,
		P50: at(2), P999: at(1000), P99999: at(100000), Max: time.Duration((*w)[last]),
	}
}

// worst times the calls of scheme 7, of AfterFunc, and of nothing.
func worst(ctx context.Context, o options, p *progress) (rows []Worst) {
	n := slices.Max(o.timers)
	for _, part := range []struct {
		what string
		rows func() []Worst
	}{
		{"nothing", func() []Worst { return []Worst{worstNothing(o.single, n)} }},
		{"scheme 7", func() []Worst { return worstScheme7(o.single, n) }},
		{"ticks", func() []Worst { return []Worst{worstTick(o.single, min(n, severalTimers))} }},
		{"AfterFunc", func() []Worst { return worstAfterFunc(o.single, n) }},
		{"many in one tick", func() []Worst { return worstBurst(severalTimers, o.count) }},
	} {
		if ctx.Err() != nil {
			break
		}
		p.show("worst case: " + part.what)
		rows = append(rows, part.rows()...)
	}
	return rows
}

func worstNothing(operations, n int) Worst {
	w := newStopwatch(operations)
	random := bench.SplitMix(1)
	var sum uint64
	runtime.GC()
	for range operations {
		i := random.Below(uint64(n))
		w.time(func() { sum += i })
	}
	runtime.KeepAlive(sum)
	return w.row("nothing: the clock alone", n)
}

// worstScheme7 stops a random timer, starts it again, and resets another one.
func worstScheme7(operations, n int) []Worst {
	m := newScheme7(n)
	random := bench.SplitMix(1)
	action := func(int) {}
	span := func() timer.Tick { return 1 + timer.Tick(random.Below(bench.Span)) }
	handles := make([]timer.Handle, n)
	for i := range handles {
		handles[i] = must(m.StartTimer(span(), i, action))
	}
	starts, stops, resets := newStopwatch(operations), newStopwatch(operations), newStopwatch(operations)
	runtime.GC()
	for range operations {
		i, j := random.Below(uint64(n)), random.Below(uint64(n))
		interval, other := span(), span()
		stops.time(func() { m.StopTimer(handles[i]) })
		starts.time(func() { handles[i], _ = m.StartTimer(interval, int(i), action) })
		resets.time(func() { _ = m.ResetTimer(handles[j], other) })
	}
	return []Worst{starts.row("StartTimer", n), stops.row("StopTimer", n), resets.row("ResetTimer", n)}
}

// worstTick times the ticks of a churn: each takes out the timers that expire,
// and some of them migrate many.
func worstTick(operations, n int) Worst {
	m := newScheme7(n)
	random := bench.SplitMix(1)
	var action timer.ExpiryAction[int]
	action = func(id int) { _, _ = m.StartTimer(1+timer.Tick(random.Below(bench.Span)), id, action) }
	for i := range n {
		action(i)
	}
	w := newStopwatch(operations)
	runtime.GC()
	for range operations {
		w.time(func() { m.PerTickBookkeeping() })
		m.ExpiryProcessing(timer.All)
	}
	return w.row("PerTickBookkeeping", n)
}

func worstAfterFunc(operations, n int) []Worst {
	t := openAfterFunc(n, 0, func(int) func() { return nothing }).(*afterFunc)
	defer t.close()
	random := bench.SplitMix(1)
	startAll(t, n, &random)
	starts, stops, resets := newStopwatch(operations), newStopwatch(operations), newStopwatch(operations)
	runtime.GC()
	for range operations {
		i, j := int(random.Below(uint64(n))), int(random.Below(uint64(n)))
		d, other := interval(&random), interval(&random)
		stops.time(func() { t.handles[i].Stop() })
		starts.time(func() { t.handles[i] = time.AfterFunc(d, nothing) })
		resets.time(func() { t.handles[j].Reset(other) })
	}
	return []Worst{starts.row("time.AfterFunc", n), stops.row("time.Timer.Stop", n), resets.row("time.Timer.Reset", n)}
}

// worstBurst times the tick at which n timers expire together, and the longest
// of those before it, at which they migrate together.
func worstBurst(n, times int) []Worst {
	const away = 3<<16 + 3<<8 + 3 // three digits, so that they migrate twice
	expire, migrate := newStopwatch(times), newStopwatch(times)
	for range times {
		m := newScheme7(n)
		for i := range n {
			must(m.StartTimer(away, i, func(int) {}))
		}
		runtime.GC()
		var longest time.Duration
		for range away - 1 {
			start := time.Now()
			m.PerTickBookkeeping()
			longest = max(longest, time.Since(start))
		}
		migrate.add(longest)
		expire.time(func() { m.PerTickBookkeeping() })
	}
	return []Worst{
		expire.row("the tick at which all expire", n),
		migrate.row("the tick at which all migrate", n),
	}
}
