package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
)

// unorderedClaims are the claims about Scheme 1: sections 3.1 and III.A.
func unorderedClaims() []Claim {
	return []Claim{
		{
			ID: "S1-1", Source: "1987 fig. 4; 1997 table II, p. 826",
			Title:   "Scheme 1: START, STOP O(1), PER_TICK O(n)",
			Text:    "START and STOP of Scheme 1 are O(1); PER_TICK examines each of the n timers.",
			Printed: "O(n)", Expect: Holds,
			Measure: func(l *Lab) Result {
				return Result{
					Figures: append(unorderedCounts(l), cellFigures(l, "1")...),
					Times:   cellTimes(l, "1"),
				}
			},
		},
		{
			ID: "S1-2", Source: "1987 s. 3.1; 1997 s. III.A",
			Title:   "Scheme 1 needs the least space",
			Text:    "Scheme 1 has one record for each timer, the minimum; Scheme 2 needs O(n) more for its links.",
			Printed: "S1 <= S2", Expect: Holds,
			Measure: space,
		},
		{
			ID: "S1-3", Source: "1987 s. 3.1; 1997 s. III.A",
			Title:   "Scheme 1 suits few, short-lived timers",
			Text:    "Scheme 1 is right where there are few timers, or most are stopped within a few ticks, or hardware does the ticks.",
			Printed: "few timers", Expect: Holds,
			Measure: fewTimers,
		},
		{
			ID: "S1-4", Source: "1987 s. 3.1; 1997 s. III.A",
			Title:   "decrement and compare are alike",
			Text:    "Instead of decrementing what remains, every scheme may store the expiry and compare.",
			Printed: "same expiries", Expect: Holds,
			Measure: decrementOrCompare,
		},
	}
}

// unorderedCounts holds Scheme 1 to its counts: nothing to start or stop, n a
// tick.
func unorderedCounts(l *Lab) []Figure {
	const n, span = 1000, 50
	m := l.module(SchemeNamed("1"), n, 1<<20)
	handles := fill(m, n, func(i int) float64 { return float64(1000 + i) })
	started := m.Costs()
	for range span {
		m.PerTickBookkeeping()
	}
	ticked := m.Costs().Sub(started)
	before := m.Costs()
	for _, h := range handles {
		m.StopTimer(h)
	}
	stopped := m.Costs().Sub(before)
	return []Figure{
		number("timers examined in a tick, for each outstanding", 1, none, Exact(ratio(ticked.Visits, n*span)), 0),
		exactly("timers that START compares with", 0, started.Compares),
		exactly("timers that STOP compares with or examines", 0, stopped.Compares+stopped.Visits),
	}
}

// space measures the bytes of a timer in each scheme, on the heap, of modules
// that were made with room for n.
func space(l *Lab) Result {
	const n = 10_000
	bytes := func(s Scheme) float64 {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.GC() // the first leaves what caches of the runtime hold
		runtime.ReadMemStats(&before)
		m := s.New(n, 4096)
		r := rand.New(l.source("space", 0))
		fill(m, n, func(int) float64 { return float64(1 + r.IntN(4096)) })
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(m)
		return float64(after.HeapAlloc-before.HeapAlloc) / n
	}
	table := Table{Title: "Space of a timer, with 10,000 outstanding", Columns: []string{"scheme", "bytes"}}
	measured := make(map[string]float64)
	for _, s := range []string{"1", "2", "3", "3heap", "3leftist", "3unbalanced", "4", "5", "6", "7"} {
		// The middle of three, to a whole byte: the runtime takes or frees a little
		// of its own meanwhile.
		three := []float64{bytes(SchemeNamed(s)), bytes(SchemeNamed(s)), bytes(SchemeNamed(s))}
		slices.Sort(three)
		measured[s] = math.Round(three[1])
		table.Rows = append(table.Rows, []string{SchemeNamed(s).String(), figure(measured[s])})
	}
	return Result{
		Headline: show("%v and %v bytes", measured["1"], measured["2"]),
		Figures:  []Figure{atMost("bytes of a timer, Scheme 1 over Scheme 2", 1, Exact(measured["1"]/measured["2"]))},
		Tables:   []Table{table},
		Note:     "Where STOP is to be O(1), Scheme 1 needs the same links as Scheme 2, and the difference is gone.",
	}
}

// fewTimers compares schemes 1 and 6 by the VAX model: three timers that are
// stopped after two ticks, and a thousand that live for a thousand.
func fewTimers(l *Lab) Result {
	cost := func(m Module, n int, life timer.Tick) float64 {
		handles := fill(m, n, func(int) float64 { return 100_000 })
		for i := range 4096 {
			if i%int(life) == 0 {
				for j := range handles {
					m.StopTimer(handles[j])
					handles[j] = begin(m, 100_000, j)
				}
			}
			tick(m)
		}
		return float64(vax(m.Costs()))
	}
	list := func(n int, life timer.Tick) float64 {
		return cost(l.use(unordered.New[int](unordered.Config{})), n, life)
	}
	wheel := func(n int, life timer.Tick) float64 {
		return cost(l.use(hashunsorted.New[int](hashunsorted.Config{})), n, life)
	}
	return Result{
		Figures: []Figure{
			atMost("VAX cost of Scheme 1 over Scheme 6: 3 timers, stopped after 2 ticks", 1.6, Exact(list(3, 2)/wheel(3, 2))),
			atLeast("VAX cost of Scheme 1 over Scheme 6: 1000 timers, stopped after 1000 ticks", 10, Exact(list(1000, 1000)/wheel(1000, 1000))),
		},
		Note: "That Scheme 1 costs up to 1.6 times as much is taken for suitable, ten times for not.",
	}
}

// decrementOrCompare runs Scheme 1 both ways.
func decrementOrCompare(l *Lab) Result {
	a := l.use(unordered.New[int](unordered.Config{}))
	b := l.use(unordered.New[int](unordered.Config{Compare: true}))
	return Result{Figures: []Figure{
		agreement("ticks at which the expiries or the counts differ", parallel(l, a, b, 5000, true)),
	}}
}

// parallel runs the same random starts, stops and ticks on two modules, with
// intervals up to the longest, and counts the steps after which their expiries
// differ, or their counted costs if costs is set.
func parallel(l *Lab, a, b Module, longest timer.Tick, costs bool) int {
	r := rand.New(l.source("parallel", 0))
	var ranA, ranB []int
	var handles [][2]timer.Handle
	wrong := 0
	for id := range pick(l, 3000, 10000, 20000) {
		interval := 1 + timer.Tick(r.Uint64N(uint64(longest)))
		ha, errA := a.StartTimer(interval, id, func(id int) { ranA = append(ranA, id) })
		hb, errB := b.StartTimer(interval, id, func(id int) { ranB = append(ranB, id) })
		handles = append(handles, [2]timer.Handle{ha, hb})
		if victim := handles[r.IntN(len(handles))]; r.IntN(2) == 0 && a.StopTimer(victim[0]) != b.StopTimer(victim[1]) {
			wrong++
		}
		if r.IntN(4) > 0 {
			tick(a)
			tick(b)
		}
		if errA != nil || errB != nil || !sameElements(ranA, ranB) || costs && a.Costs() != b.Costs() {
			wrong++
		}
		ranA, ranB = ranA[:0], ranB[:0]
	}
	return wrong
}

// sameElements reports whether a and b hold the same ids, in any order.
func sameElements(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	count := make(map[int]int)
	for i := range a {
		count[a[i]]++
		count[b[i]]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// show names a value for a figure.
func show(format string, args ...any) string { return fmt.Sprintf(format, args...) }
