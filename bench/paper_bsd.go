package bench

import (
	"math/rand/v2"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	"gonum.org/v1/gonum/stat"
)

// bsdClaims are the claims about the BSD implementation: 1997's section VII, and
// Costello and Varghese, WUCS-95-23, 1995.
func bsdClaims() []Claim {
	return []Claim{
		{
			ID: "B-1", Source: "1997 p. 830; 1995 s. 2",
			Title:   "old callouts: a delta list, searched",
			Text:    "The old callouts are one list of differences, searched by timeout and untimeout alike; a clock interrupt decrements the head only, and those that are overdue.",
			Printed: "O(n)", Expect: Holds,
			Measure: oldCallouts,
		},
		{
			ID: "B-2", Source: "1997 s. VII; 1995 ss. 3, 4",
			Title:   "new callouts: Scheme 6, a table as large as n",
			Text:    "The new callouts are Scheme 6 with a table comparable to the number of callouts: hardclock counts, softclock walks the slot.",
			Printed: "O(1)", Expect: Holds,
			Measure: func(l *Lab) Result {
				var figures []Figure
				for _, c := range costsOf(l, SchemeNamed("6")) {
					if !c.Worst {
						figures = append(figures, growth(show("%s, n = TableSize, average", c.Routine), Constant, Constant, c.Fit))
					}
				}
				return Result{Figures: figures}
			},
		},
		{
			ID: "B-3", Source: "1997 s. VII; 1995 s. 4",
			Title:   "handles that a reused record does not obey",
			Text:    "A handle is an index and a number that rises when the record is used again, so that an old handle stops nothing; or callouts are found by a hash of function and argument. The difference is slight.",
			Printed: "0 wrong stops", Expect: Holds,
			Measure: staleHandles,
		},
		{
			ID: "B-4", Source: "1995 s. 4",
			Title:   "interrupts are locked out for a bounded time",
			Text:    "softclock lets interrupts in after every so many steps, and copes with a cancel of the very callout that it was about to look at.",
			Printed: "<= limit", Expect: Holds,
			Measure: boundedSteps,
		},
		{
			ID: "B-5", Source: "1997 s. VII; 1995 s. 5",
			Title:  "548 lines added, 80 removed",
			Text:   "The change to the kernel added 548 lines and removed 80: 158 for callouts, 310 for interval timers.",
			Expect: NotTestable, Why: "It is about the text of a kernel of 1995. (548 - 80 = 158 + 310: the sum is right.)",
		},
		{
			ID: "B-6", Source: "1997 fig. 9; 1995 table 1",
			Title:     "set and cancel: linear before, constant now",
			Text:      "With n timers outstanding, 10,000 times cancelling and setting one more, farther than all others, takes 1.35 s and 13.3 ms for each timer in the old kernel and 1.37 s (hash table) or 1.33 s (handles) in the new ones.",
			Predicted: "2n, n, 0, 0", Expect: Holds, Effort: 0.4,
			Measure: setAndCancel,
		},
		{
			ID: "B-7", Source: "1995 table 2",
			Title:     "instruction counts: 91 + 22t against 161, 115",
			Text:      "A set and a cancel take 46+11t and 45+11t instructions in the old kernel, 81 and 80 with the hash table, 60 and 55 with handles, if t callouts are skipped.",
			Predicted: "t = 3.2, 1.1", Expect: Holds,
			Measure: breakEven,
		},
		{
			ID: "B-8", Source: "1995 s. 6",
			Title:  "memory: 4n longwords before, 12n to 15n now",
			Text:   "The old callouts take 4n longwords; the new ones 9n, n to 2n for the wheel and 2n to 4n for the hash table.",
			Expect: NotTestable, Why: "It is about structures in C of 1995. The bytes of a timer in the seven schemes here stand in S1-2.",
		},
		{
			ID: "B-9", Source: "1995 s. 7",
			Title:   "a table that does not grow with n: longer lists",
			Text:    "The number of callouts is fixed; if it grew and the wheel did not, the lists would get longer.",
			Printed: "O(n)", Expect: Holds,
			Measure: tableThatStays,
		},
	}
}

func oldCallouts(l *Lab) Result {
	var x, y []float64
	decremented, span := 0, 0
	for n := 16; n <= 1024; n *= 4 {
		for k := range 3 {
			r := rand.New(l.source("B-1", n+k))
			var list deltaList
			for id := range n {
				list.timeout(id, 10_000+r.IntN(100_000))
			}
			list.skipped = 0
			for range 200 {
				id := r.IntN(n)
				list.untimeout(id)
				list.timeout(id, 10_000+r.IntN(100_000))
			}
			x, y = append(x, float64(n)), append(y, ratio(list.skipped, 200))
			for range 1000 {
				list.hardclock()
			}
			decremented, span = decremented+list.decremented, span+1000
		}
	}
	// Against a module that is right: the same callouts at the same ticks.
	var list deltaList
	m := l.module(SchemeNamed("2"), 0, 0)
	r := rand.New(l.source("B-1 right", 0))
	wrong := 0
	var ran []int
	handles := make(map[int]timer.Handle)
	for id := range 10_000 {
		interval := 1 + r.IntN(300)
		list.timeout(id, interval)
		handles[id] = must(m.StartTimer(timer.Tick(interval), id, func(id int) { ran = append(ran, id) }))
		if victim := r.IntN(id + 1); list.untimeout(victim) != m.StopTimer(handles[victim]) {
			wrong++
		}
		if id%2 == 0 {
			list.hardclock()
			ran = ran[:0]
			tick(m)
			if !sameElements(list.softclock(), ran) {
				wrong++
			}
		}
	}
	return Result{Figures: []Figure{
		growth("callouts skipped by a cancel and a set", Linear, Linear, FitGrowth(x, y)),
		number("callouts decremented a tick", 1, none, Exact(ratio(decremented, span)), 0),
		agreement("ticks at which the list differs from Scheme 2", wrong),
	}}
}

func staleHandles(l *Lab) Result {
	var r Result
	for _, s := range Schemes() {
		m := l.module(s, 4, 64)
		var stale []timer.Handle
		wrong := 0
		for i := range 2000 {
			h := begin(m, 1+timer.Tick(i%3), i)
			for _, old := range stale[max(0, len(stale)-50):] {
				if m.StopTimer(old) {
					wrong++
				}
			}
			stale = append(stale, h)
			if i%2 == 0 {
				m.StopTimer(h)
			} else {
				for m.Len() > 0 {
					tick(m)
				}
			}
		}
		r.Figures = append(r.Figures, agreement("timers stopped by an old handle, scheme "+s.Key, wrong))
	}
	return r
}

func boundedSteps(l *Lab) Result {
	const n, limit = 100, 7
	var r Result
	for _, s := range Schemes() {
		m := l.module(s, n, 64)
		handles := make([]timer.Handle, n)
		ran, stopped, most := 0, 0, 0
		for i := range handles {
			handles[i] = must(m.StartTimer(5, i, func(int) { ran++ }))
		}
		for range 5 {
			m.PerTickBookkeeping()
		}
		for {
			performed := m.ExpiryProcessing(limit)
			most = max(most, performed)
			if performed == 0 {
				break
			}
			for _, h := range handles { // the next that would be looked at is among them
				if stopped < n/4 && m.StopTimer(h) {
					stopped++
					break
				}
			}
		}
		r.Figures = append(r.Figures,
			exactly("most actions in a portion, scheme "+s.Key, limit, most),
			exactly("timers that ran or were stopped in between, scheme "+s.Key, n, ran+stopped))
	}
	r.Note = "This is of the actions; the bookkeeping of a tick is not split here."
	return r
}

// The measurements of 1995: elapsed seconds for 10,000 times setting and
// cancelling, with 0, 200, ... 1000 timers outstanding, on a Sun 4/360.
var (
	sunTimers  = []float64{0, 200, 400, 600, 800, 1000}
	sunSeconds = map[string][]float64{
		"old callouts, 1995":    {1.367, 3.969, 6.638, 9.404, 12.017, 14.608},
		"new, hash table, 1995": {1.366, 1.360, 1.377, 1.363, 1.379, 1.364},
		"new, handles, 1995":    {1.319, 1.325, 1.329, 1.327, 1.325, 1.329},
	}
)

// A kernel is one way to keep callouts: reset cancels the extra timer and sets it
// farther than all others.
type kernel struct {
	name   string
	make   func(l *Lab, n int) (reset func(), skipped func() int)
	theory func(n float64) float64 // callouts skipped or compared with in a reset
}

// far is farther than all timers of kernels.
const far = 1 << 30

var kernels = []kernel{
	{
		"delta list, searched to cancel", func(l *Lab, n int) (func(), func() int) {
			r := rand.New(l.source("B-6", n))
			list := &deltaList{}
			// From the last to the first, each goes to the front.
			for id, interval := range decreasing(n, r) {
				list.timeout(id, int(interval))
			}
			list.timeout(-1, far)
			list.skipped = 0
			return func() { list.untimeout(-1); list.timeout(-1, far+r.IntN(far)) }, func() int { return list.skipped }
		},
		func(n float64) float64 { return 2 * n },
	},
	{
		"Scheme 2 from the front", func(l *Lab, n int) (func(), func() int) {
			r := rand.New(l.source("B-6", n))
			m := l.use(ordered.New[int](ordered.Config{Capacity: n + 1}))
			h, base := extra(m, n, r)
			return func() { m.StopTimer(h); h, _ = m.StartTimer(far+timer.Tick(r.IntN(far)), -1, noAction) },
				func() int { return int(m.Costs().Compares - base) }
		},
		func(n float64) float64 { return n },
	},
	{
		"Scheme 6 with a map of ids", func(l *Lab, n int) (func(), func() int) {
			r := rand.New(l.source("B-6", n))
			m := l.use(hashunsorted.New[int](hashunsorted.Config{Capacity: n + 1, TableSize: tableFor(max(n, 256))}))
			ids := timer.ByRequestID(timer.Timer[int](m))
			for id, interval := range decreasing(n, r) {
				if err := ids.StartTimer(interval, id, noAction); err != nil {
					panic(err)
				}
			}
			if err := ids.StartTimer(far, -1, noAction); err != nil {
				panic(err)
			}
			return func() {
				ids.StopTimer(-1)
				_ = ids.StartTimer(far+timer.Tick(r.IntN(far)), -1, noAction)
			}, func() int { return int(m.Costs().Compares) }
		},
		func(float64) float64 { return 0 },
	},
	{
		"Scheme 6 with handles", func(l *Lab, n int) (func(), func() int) {
			r := rand.New(l.source("B-6", n))
			m := l.use(hashunsorted.New[int](hashunsorted.Config{Capacity: n + 1, TableSize: tableFor(max(n, 256))}))
			h, _ := extra(m, n, r)
			return func() { m.StopTimer(h); h, _ = m.StartTimer(far+timer.Tick(r.IntN(far)), -1, noAction) },
				func() int { return int(m.Costs().Compares) }
		},
		func(float64) float64 { return 0 },
	},
}

// extra starts n timers and one more that is farther than these; base is what
// that compared with.
func extra(m Module, n int, r *rand.Rand) (h timer.Handle, base uint64) {
	for id, interval := range decreasing(n, r) {
		begin(m, interval, id)
	}
	h = begin(m, far, -1)
	return h, m.Costs().Compares
}

// decreasing draws n far intervals, the largest first.
func decreasing(n int, r *rand.Rand) []timer.Tick {
	intervals := make([]timer.Tick, n)
	for i := range intervals {
		intervals[i] = timer.Tick(far/2 - i*1024 - r.IntN(1024))
	}
	return intervals
}

func setAndCancel(l *Lab) Result {
	var r Result
	table := Table{
		Title:   "One timer set and cancelled among n: timers skipped each time, and ns (for illustration)",
		Columns: []string{"n"},
		Note:    "The extra timer is farther than all others: the worst case of a search from the front.",
	}
	p := Plot{
		Name: "bsd", Title: "10,000 times set and cancel: 1995 and now",
		X: "outstanding timers n", Y: "seconds", LogY: true,
	}
	for _, name := range []string{"old callouts, 1995", "new, hash table, 1995", "new, handles, 1995"} {
		c := Curve{Label: name}
		for i, n := range sunTimers {
			c.Points = append(c.Points, at(n, Exact(sunSeconds[name][i])))
		}
		p.Measured = append(p.Measured, c)
	}
	ns := []int{0, 1, 2, 5, 10, 50, 100, 200, 400, 600, 800, 1000, 10_000, 100_000}
	rows := make([][]string, len(ns))
	for i, n := range ns {
		rows[i] = []string{show("%d", n)}
	}
	wrong := 0
	for _, k := range kernels {
		table.Columns = append(table.Columns, k.name, "ns")
		c := Curve{Label: k.name}
		for i, n := range ns {
			reset, skipped := k.make(l, n)
			const counted = 20
			for range counted {
				reset()
			}
			// The extra timer itself is found, not skipped.
			if got := ratio(skipped(), counted); got != k.theory(float64(n)) {
				wrong++
				r.Note += show("%s, n = %d: %v skipped. ", k.name, n, got)
			}
			perReset := ratio(skipped(), counted)
			loop := min(pick(l, 500, 2000, 10_000), max(5, pick(l, 400_000, 2_000_000, 20_000_000)/(n+1)))
			t := timeLoop(k.name, 5, loop, reset)
			rows[i] = append(rows[i], figure(perReset), show("%.0f", t.Median))
			if n <= 1000 && n%200 == 0 {
				const seconds = 10_000 / 1e9
				c.Points = append(c.Points, Point{float64(n), t.Median * seconds, t.Low * seconds, t.High * seconds})
			}
		}
		p.Measured = append(p.Measured, c)
	}
	r.Figures = append(r.Figures, agreement("numbers n at which other timers are skipped than 2n, n, 0 and 0", wrong))
	table.Rows = rows

	// The printed figures, by themselves.
	old := sunSeconds["old callouts, 1995"]
	intercept, rise := stat.LinearRegression(sunTimers, old, nil, false)
	r.Figures = append(r.Figures,
		number("1995, old: ms for each timer, from the printed table", 13.30, none, Exact(1000*rise), 0.01),
		number("1995, old: seconds without timers", 1.35, none, Exact(intercept), 0.005),
		atLeast("1995, old: R squared of the line", 0.9998, Exact(stat.RSquared(sunTimers, old, nil, intercept, rise))),
		atMost("1995, hash table: rise over the range, of the mean", 0.02, Exact(1000*slope(sunTimers, sunSeconds["new, hash table, 1995"])/1.368)),
		atMost("1995, handles: rise over the range, of the mean", 0.02, Exact(1000*slope(sunTimers, sunSeconds["new, handles, 1995"])/1.326)))
	r.Tables, r.Plots = []Table{table}, []Plot{p}
	if wrong == 0 {
		r.Headline = "2n, n, 0, 0"
	}
	return r
}

// breakEven puts the counted skips of the delta list into the instruction counts
// of 1995, and looks for the number of timers from which the new callouts need
// fewer instructions.
func breakEven(l *Lab) Result {
	skips := func(n int) float64 {
		reset, skipped := kernels[0].make(l, n)
		reset()
		return float64(skipped())
	}
	from := func(instructions float64) (t float64, n int) {
		for n = 0; 91+11*skips(n) <= instructions; n++ {
		}
		return (instructions - 91) / 22, n
	}
	hash, hashFrom := from(81 + 80)
	handle, handleFrom := from(60 + 55)
	return Result{
		Headline: show("t = %.1f, %.1f", hash, handle),
		Figures: []Figure{
			number("timers skipped at which the hash table is even", none, 3.2, Exact(hash), 0.05),
			number("timers skipped at which handles are even", none, 1.1, Exact(handle), 0.05),
			exactly("outstanding timers from which the hash table is ahead", 4, hashFrom),
			exactly("outstanding timers from which handles are ahead", 2, handleFrom),
		},
		Note: "From the printed instruction counts and the skips counted here; where the times cross on this machine, B-6 shows.",
	}
}

func tableThatStays(l *Lab) Result {
	const size = 256
	var x, y []float64
	for n := 256; n <= 65536; n *= 4 {
		for k := range 3 {
			m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: size}))
			r := rand.New(l.source("B-9", n+k))
			fill(m, n, func(int) float64 { return float64(10*size + r.IntN(1<<20)) })
			before := m.Costs()
			for range 64 {
				tick(m)
			}
			x, y = append(x, float64(n)), append(y, ratio(m.Costs().Sub(before).Visits, 64))
		}
	}
	return Result{Figures: []Figure{growth("timers visited a tick, TableSize = 256", Linear, Linear, FitGrowth(x, y))}}
}
