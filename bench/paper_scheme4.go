package bench

import (
	"math/rand/v2"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
)

// basicClaims are the claims about Scheme 4: sections 5 and V.
func basicClaims() []Claim {
	return []Claim{
		{
			ID: "S4-1", Source: "1987 fig. 8; 1997 fig. 5",
			Title:   "Scheme 4: all O(1), but for expiries",
			Text:    "For intervals within MaxInterval START and STOP are O(1), and PER_TICK is O(1) beside the timers that expire.",
			Printed: "O(1)", Expect: Holds,
			Measure: func(l *Lab) Result {
				return Result{Figures: append(basicCounts(l), cellFigures(l, "4")...), Times: cellTimes(l, "4")}
			},
		},
		{
			ID: "S4-2", Source: "1987 s. 5; 1997 s. V",
			Title:   "Scheme 4 turns at every tick: no overflow",
			Text:    "The array turns one element a tick, not at the end of a cycle or of half a cycle, so what is within MaxInterval is always in the array.",
			Printed: "0 overflow", Expect: Holds,
			Measure: noOverflow,
		},
		{
			ID: "S4-3", Source: "1987 s. 5; 1997 s. V",
			Title:   "a bucket sort; an empty tick is cheap",
			Text:    "Scheme 4 is a bucket sort: O(M) to sort N timers with M buckets, poor where M is above N; but the clock has to be advanced anyway, and an empty bucket costs a few instructions.",
			Printed: "M + N", Expect: Holds,
			Measure: bucketSort,
		},
		{
			ID: "S4-4", Source: "1987 s. 5; 1997 s. V",
			Title:   "Scheme 4 in a range, Scheme 2 beyond",
			Text:    "2^32 words for 32-bit timers are hard to justify; Scheme 4 may serve a range of intervals and Scheme 2 those beyond.",
			Printed: "same expiries", Expect: Holds,
			Measure: hybrid,
		},
		{
			ID: "S4-5", Source: "1987 s. 5; 1997 s. V",
			Title:     "good where most intervals are in a small range",
			Text:      "Scheme 4 suits a module whose timers mostly lie in a small range, such as a network's own.",
			Predicted: "n_over / 2", Expect: Holds,
			Measure: mostlyShort,
		},
	}
}

func basicCounts(l *Lab) []Figure {
	const n, longest = 1000, 512
	m := l.use(basic.New[int](basic.Config{MaxInterval: longest}))
	r := rand.New(l.source("S4-1", 0))
	fill(m, n, func(int) float64 { return float64(1 + r.IntN(longest)) })
	compares := m.Costs().Compares
	for range longest {
		tick(m)
	}
	c := m.Costs()
	return []Figure{
		exactly("timers that START compares with", 0, compares),
		exactly("timers that ticks examine, for those that expire", c.Expiries, c.Visits),
		exactly("timers that expire within MaxInterval ticks", n, c.Expiries),
	}
}

func noOverflow(l *Lab) Result {
	const longest = 256
	m := l.use(basic.New[int](basic.Config{MaxInterval: longest, Overflow: true}))
	r := rand.New(l.source("S4-2", 0))
	waiting := 0
	for i := range 20_000 {
		begin(m, 1+timer.Tick(r.IntN(longest)), i)
		for _, list := range m.View().Lists {
			if list.Kind == timer.InOverflow {
				waiting += len(list.Timers)
			}
		}
		if i%8 == 0 {
			tick(m)
		}
		if m.Len() > 100 {
			timer.AdvanceTo(m, m.Now()+longest, timer.All)
		}
	}
	return Result{Figures: []Figure{
		exactly("timers seen in the overflow list", 0, waiting),
		exactly("timers moved from it", 0, m.Costs().Moves),
	}}
}

func bucketSort(l *Lab) Result {
	var r Result
	for _, size := range []struct{ n, m int }{{100, 100_000}, {1000, 1000}, {100_000, 1000}} {
		m := l.use(basic.New[int](basic.Config{MaxInterval: timer.Tick(size.m)}))
		random := rand.New(l.source("S4-3", size.n))
		fill(m, size.n, func(int) float64 { return float64(1 + random.IntN(size.m)) })
		for range size.m {
			tick(m)
		}
		c := m.Costs()
		r.Figures = append(r.Figures, exactly(show("buckets and timers visited to sort N = %d with M = %d", size.n, size.m),
			uint64(size.n+size.m), c.Ticks+c.Visits))
	}
	for _, longest := range []timer.Tick{256, 1 << 16, 1 << 20} {
		m := must(basic.New[int](basic.Config{MaxInterval: longest}))
		r.Times = append(r.Times, timeLoop(show("empty tick, M = %d", longest), 9, 100_000, func() { m.PerTickBookkeeping() }))
	}
	return r
}

// hybrid runs Scheme 4 with an overflow list, intervals on both sides of
// MaxInterval, beside Scheme 1.
func hybrid(l *Lab) Result {
	const longest = 64
	wrong := 0
	for interval := timer.Tick(1); interval <= 4*longest; interval++ {
		for phase := range timer.Tick(longest) {
			m := must(basic.New[int](basic.Config{MaxInterval: longest, Overflow: true, Now: phase}))
			begin(m, interval, 0)
			for m.Len() > 0 {
				tick(m)
			}
			if m.Now() != phase+interval {
				wrong++
			}
		}
	}
	m := l.use(basic.New[int](basic.Config{MaxInterval: longest, Overflow: true}))
	return Result{Figures: []Figure{
		agreement("timers at a wrong tick: every interval to 4 MaxInterval from every phase", wrong),
		agreement("steps at which the expiries differ from Scheme 1", parallel(l, m, l.module(SchemeNamed("1"), 0, 0), 4*longest, false)),
		exactly("list heads, for MaxInterval", longest, m.View().Levels[0]),
	}}
}

// mostlyShort measures START where some intervals are beyond MaxInterval: it
// costs a search of the overflow list for each of these, and nothing for the
// others.
func mostlyShort(l *Lab) Result {
	const n, longest = 1000, 1024
	var r Result
	for _, share := range []float64{0, 0.01, 0.1, 1} {
		m := l.use(basic.New[int](basic.Config{MaxInterval: longest, Overflow: true}))
		random := rand.New(l.source("S4-5", int(100*share)))
		over := int(share * n)
		// The first search passes no timer, the i-th one i/2 of those before it
		// on average.
		fill(m, over, func(int) float64 { return float64(longest + 1 + random.IntN(1<<20)) })
		fill(m, n-over, func(int) float64 { return float64(1 + random.IntN(longest)) })
		r.Figures = append(r.Figures, atMost(show("timers that START compares with, on average, %v of %d beyond", over, n),
			share*float64(over)*0.6, Exact(ratio(m.Costs().Compares, n))))
	}
	return r
}
