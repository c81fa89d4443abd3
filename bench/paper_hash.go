package bench

import (
	"math/rand/v2"
	"slices"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"gonum.org/v1/gonum/stat"
)

// hashClaims are the claims about schemes 5 and 6: sections 6.1, VI.A and 7.
func hashClaims() []Claim {
	return []Claim{
		{
			ID: "S56-1", Source: "1987 fig. 9; 1997 fig. 6",
			Title:   "slot from the low bits, rounds from the high",
			Text:    "With a table of 256 and the pointer at 10, a timer whose low-order 8 bits are 20 goes to slot 30; the 24 high-order bits are stored.",
			Printed: "slot 30", Expect: Holds,
			Measure: exampleHash,
		},
		{
			ID: "S5-1", Source: "1987 s. 6.1.1; 1997 s. VI.A.1",
			Title:   "Scheme 5: START O(n), O(1) on average",
			Text:    "START of Scheme 5 is O(n) at worst and O(1) on average if n is below the table size and the hash spreads: the i-th timer meets a list of (i-1)/TableSize on average. PER_TICK looks at the head only; STOP is O(1).",
			Printed: "(i-1)/M", Expect: Holds,
			Measure: func(l *Lab) Result {
				r := listsMet(l)
				r.Figures = append(r.Figures, cellFigures(l, "5")...)
				r.Times = cellTimes(l, "5")
				return r
			},
		},
		{
			ID: "S5-2", Source: "1987 s. 6.1.1; 1997 s. VI.A.1",
			Title:   "Scheme 5 with one slot is Scheme 2",
			Text:    "Scheme 5 becomes Scheme 2 with a table of one slot. In the same way Scheme 6 becomes Scheme 1; and both, and a hierarchy of one level, become Scheme 4 with a table as large as the largest interval.",
			Printed: "equal costs", Expect: Holds,
			Measure: reductions,
		},
		{
			ID: "S5-3", Source: "1987 s. 6.1.1; 1997 s. VI.A.1",
			Title:   "bucket sort, then insertion sort",
			Text:    "Scheme 5 is a bucket sort on the low-order bits with an insertion sort in each bucket.",
			Printed: "same compares", Expect: Holds,
			Measure: insertionSort,
		},
		{
			ID: "S5-4", Source: "1987 s. 8; 1997 s. X",
			Title:   "Scheme 5 depends too much on its hash",
			Text:    "START of Scheme 5 depends too much on the hash to be generally useful: with intervals equal modulo the table size it is O(n).",
			Printed: "O(n)", Expect: Holds,
			Measure: oneBucketSorted,
		},
		{
			ID: "S6-1", Source: "1987 s. 6.1.2; 1997 s. VI.A.2",
			Title:   "Scheme 6: START, STOP O(1), PER_TICK O(n)",
			Text:    "START of Scheme 6 is O(1) on average and at worst, STOP is O(1); PER_TICK decrements the slot's whole list, O(n) at worst.",
			Printed: "O(1), O(n)", Expect: Holds,
			Measure: func(l *Lab) Result {
				return Result{Figures: append(hashCounts(l), cellFigures(l, "6")...), Times: cellTimes(l, "6")}
			},
		},
		{
			ID: "S6-2", Source: "1987 s. 6.1.2; 1997 s. VI.A.2",
			Title:   "Scheme 6: n/TableSize a tick, any hash",
			Text:    "Whatever the hash does, every timer is decremented once in TableSize ticks: n/TableSize a tick on average.",
			Printed: "n/M", Expect: Holds,
			Measure: func(l *Lab) Result {
				var r Result
				for _, p := range placements {
					b := burst(l, p.interval, l.source("S6-2", 0))
					r.Figures = append(r.Figures, number("timers visited a tick, "+p.name, burstTimers/float64(burstSlots), none, Exact(b.mean), 0))
				}
				return r
			},
		},
		{
			ID: "S6-3", Source: "1987 s. 6.1.2; 1997 s. VI.A.2",
			Title:     "the hash controls the variance alone",
			Text:      "The hash controls how bursty PER_TICK is, its variance, and not its mean.",
			Predicted: "4 to 4080", Expect: Holds,
			Measure: burstiness,
		},
		{
			ID: "S6-4", Source: "1987 s. 7, p. 33",
			Title:   "VAX instructions 13, 7, 4, 6, 9",
			Text:    "In cheap VAX instructions: 13 to start a timer, 7 to stop one, 4 for an empty tick, 6 for each timer decremented and 9 more for each that expires.",
			Printed: "13/7/4/6/9", Expect: NotTestable,
			Why: "There is no VAX here. The five numbers are taken as given, as the price list for counted work, in S6-5, S6-6 and E7.",
		},
		{
			ID: "S6-5", Source: "1987 s. 7, p. 33",
			Title:   "4 to 13 VAX instructions for everything",
			Text:    "4 to 13 VAX instructions start, stop and, on average, maintain a timer.",
			Printed: "<= 13 a tick", Predicted: "n < 0.6 M", Expect: Corrected,
			Why:     "START (13), STOP (7) and a tick of a nearly empty table (4) are in the range. A tick is above it as soon as n is over 0.6 of the table in one scan, or in a steady state of short intervals.",
			Measure: fourToThirteen,
		},
		{
			ID: "S6-6", Source: "1987 s. 7, p. 33",
			Title:   "4 + 15 n/TableSize a tick, in one scan",
			Text:    "If all n timers expire within one scan of the table, a tick costs 4 + 15 n/TableSize instructions on average.",
			Printed: "4 + 15 n/M", Expect: Holds,
			Measure: oneScan,
		},
		{
			ID: "S6-7", Source: "1987 s. 7; 1997 s. VI.B",
			Title:  "Scheme 7 needs more instructions in START",
			Text:   "Scheme 7 needs a few more instructions than Scheme 6 in START, to find the table.",
			Expect: NotTestable, Why: "Neither compares with any other timer, so their counts are both 0; only time could tell, and time decides nothing here. It stands in S6-1 and S7-4.",
		},
	}
}

func exampleHash(l *Lab) Result {
	var r Result
	const high, interval = 0x123456, 0x12345614 // low-order 8 bits: 20
	for _, m := range []Module{
		l.use(hashsorted.New[int](hashsorted.Config{Now: 10})),
		l.use(hashunsorted.New[int](hashunsorted.Config{Now: 10})),
	} {
		begin(m, interval, 0)
		list := m.View().Lists[0]
		r.Figures = append(r.Figures, exactly("slot", 30, list.Slot))
		if _, ok := m.(*hashsorted.Wheel[int]); !ok {
			r.Figures = append(r.Figures, exactly("high-order bits stored by Scheme 6", high, list.Timers[0].Stored))
		}
	}
	r.Headline, r.Note = "slot 30", "Scheme 5 stores the whole expiry here."
	return r
}

// listsMet measures how long a list is that a new timer meets.
func listsMet(l *Lab) Result {
	const n, size = 256, 256
	fillTable := func(src rand.Source) Module {
		m := l.use(hashsorted.New[int](hashsorted.Config{TableSize: size}))
		r := rand.New(src)
		fill(m, n, func(int) float64 { return float64(1 + r.IntN(1<<24)) })
		return m
	}
	all := repeat(l, "S5-1", func(src rand.Source) float64 {
		// The k-th timer of a list has met a list of k-1.
		met := 0
		for _, list := range fillTable(src).View().Lists {
			met += len(list.Timers) * (len(list.Timers) - 1) / 2
		}
		return ratio(met, n)
	})
	last := repeat(l, "S5-1 last", func(src rand.Source) float64 {
		sum := 0
		r := rand.New(src)
		const tries = 200
		m := fillTable(src)
		for range tries {
			h := begin(m, 1+timer.Tick(r.IntN(1<<24)), 0)
			expiry, _ := m.ExpiryOf(h)
			m.StopTimer(h)
			for _, list := range m.View().Lists {
				if list.Slot == int(expiry%size) {
					sum += len(list.Timers)
				}
			}
		}
		return ratio(sum, tries)
	})
	return Result{Figures: []Figure{
		number("mean list that timers 1 to n meet, n = M = 256", (n-1)/(2.0*size), none, EstimateMean(all), 0),
		number("mean list that the next timer meets", n/float64(size), none, EstimateMean(last), 0),
	}}
}

// reductions runs pairs of schemes that are the same in a special case, and
// compares their expiries and their counts.
func reductions(l *Lab) Result {
	const longest = 512
	pairs := []struct {
		name string
		a, b Module
		cost bool
	}{
		{
			"Scheme 5 with one slot, Scheme 2",
			l.use(hashsorted.New[int](hashsorted.Config{TableSize: 1})), l.use(ordered.New[int](ordered.Config{})), true,
		},
		{
			"Scheme 6 with one slot, Scheme 1",
			l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: 1})), l.use(unordered.New[int](unordered.Config{})), true,
		},
		{
			"Scheme 5 with a slot for each interval, Scheme 4, but for Compares",
			withoutCompares{l.use(hashsorted.New[int](hashsorted.Config{TableSize: longest}))}, l.use(basic.New[int](basic.Config{MaxInterval: longest})), true,
		},
		{
			"Scheme 6 with a slot for each interval, Scheme 4",
			l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: longest})), l.use(basic.New[int](basic.Config{MaxInterval: longest})), true,
		},
		{
			"Scheme 7 with one level, Scheme 4",
			l.use(hierarchical.New[int](hierarchical.Config{Levels: []int{longest}})), l.use(basic.New[int](basic.Config{MaxInterval: longest})), true,
		},
	}
	var r Result
	for _, p := range pairs {
		r.Figures = append(r.Figures, agreement("steps at which expiries or counts differ: "+p.name, parallel(l, p.a, p.b, longest, p.cost)))
	}
	return r
}

// withoutCompares is a module whose Compares do not count.
type withoutCompares struct{ Module }

func (m withoutCompares) Costs() timer.Costs {
	c := m.Module.Costs()
	c.Compares = 0
	return c
}

// insertionSort compares the count of Scheme 5 with that of an insertion sort in
// buckets that is written down here.
func insertionSort(l *Lab) Result {
	const n, size = 4000, 256
	m := l.use(hashsorted.New[int](hashsorted.Config{TableSize: size}))
	r := rand.New(l.source("S5-3", 0))
	var buckets [size][]timer.Tick
	var compares uint64
	for i := range n {
		interval := 1 + timer.Tick(r.IntN(1<<20))
		begin(m, interval, i)
		bucket := &buckets[interval%size]
		at := 0
		for at < len(*bucket) {
			compares++
			if (*bucket)[at] > interval {
				break
			}
			at++
		}
		*bucket = slices.Insert(*bucket, at, interval)
	}
	return Result{Figures: []Figure{exactly("comparisons, for those of the sort", compares, m.Costs().Compares)}}
}

func oneBucketSorted(l *Lab) Result {
	const size = 256
	var x, y []float64
	for n := 16; n <= 4096; n *= 4 {
		for k := range 3 {
			m := l.use(hashsorted.New[int](hashsorted.Config{TableSize: size}))
			r := rand.New(l.source("S5-4", n+k))
			for i := range n {
				begin(m, size*(1+timer.Tick(r.IntN(1<<20))), i)
			}
			before := m.Costs()
			for i := range 200 {
				m.StopTimer(begin(m, size*(1+timer.Tick(r.IntN(1<<20))), i))
			}
			x, y = append(x, float64(n)), append(y, ratio(m.Costs().Sub(before).Compares, 200))
		}
	}
	return Result{Figures: []Figure{growth("mean cost of START, intervals equal modulo TableSize", Linear, Linear, FitGrowth(x, y))}}
}

func hashCounts(l *Lab) []Figure {
	const n = 1000
	m := l.use(hashunsorted.New[int](hashunsorted.Config{}))
	handles := fill(m, n, func(i int) float64 { return 256 * 1000 }) // all in one slot
	started := m.Costs()
	for _, h := range handles[n/2:] {
		m.StopTimer(h)
	}
	stopped := m.Costs()
	worst := uint64(0)
	for range 256 {
		before := m.Costs()
		tick(m)
		worst = max(worst, m.Costs().Sub(before).Visits)
	}
	return []Figure{
		exactly("timers that START compares with", 0, started.Compares),
		exactly("timers that STOP compares with or examines", 0, stopped.Compares+stopped.Visits),
		exactly("timers visited in the dearest tick, all 500 in one slot", n/2, worst),
	}
}

const burstTimers, burstSlots = 1024, 256

// placements are the ways in which a hash may spread timers over the slots.
var placements = []struct {
	name     string
	interval func(r *rand.Rand) int // to the slot
}{
	{"spread at random", func(r *rand.Rand) int { return r.IntN(burstSlots) }},
	{"in an eighth of the slots", func(r *rand.Rand) int { return r.IntN(burstSlots / 8) }},
	{"all in one slot", func(*rand.Rand) int { return 20 }},
}

type burstSize struct{ mean, variance, most float64 }

// burst measures how many timers a tick visits, over whole turns in which none
// expires.
func burst(l *Lab, place func(r *rand.Rand) int, src rand.Source) burstSize {
	m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: burstSlots}))
	r := rand.New(src)
	fill(m, burstTimers, func(int) float64 { return float64(100*burstSlots + place(r)) })
	var visits []float64
	for range 2 * burstSlots {
		before := m.Costs()
		m.PerTickBookkeeping()
		visits = append(visits, float64(m.Costs().Sub(before).Visits))
	}
	return burstSize{stat.Mean(visits, nil), stat.PopVariance(visits, nil), slices.Max(visits)}
}

func burstiness(l *Lab) Result {
	const n, slots = burstTimers, burstSlots
	// A slot out of k that are used is visited with n/k timers on average, and
	// their number is binomial.
	variance := func(used float64) float64 {
		binomial := n / used * (1 - 1/used)
		return used / slots * (binomial + n/used*n/used*(1-used/slots))
	}
	var r Result
	table := Table{
		Title:   "Scheme 6: timers visited in a tick, n = 1024, TableSize = 256",
		Columns: []string{"placement", "mean", "variance: theory", "measured", "most"},
	}
	p := Plot{
		Name: "burstiness", Title: "Burstiness of Scheme 6, by hash (mean 4 in all)",
		X: "tick (the first 64 of a turn of 256)", Y: "timers visited, plus 1", LogY: true,
	}
	for i, place := range placements {
		var means, mosts []float64
		variances := repeat(l, "S6-3"+place.name, func(src rand.Source) float64 {
			b := burst(l, place.interval, src)
			means, mosts = append(means, b.mean), append(mosts, b.most)
			return b.variance
		})
		f := number("variance of the timers visited, "+place.name, none, variance([]float64{slots, slots / 8, 1}[i]), EstimateMean(variances), 0)
		r.Figures = append(r.Figures, f, number("mean of the timers visited, "+place.name, n/slots, none, EstimateMean(means), 0))
		table.Rows = append(table.Rows, []string{place.name, figure(mean(means)), f.Predicted, f.Measured, figure(slices.Max(mosts))})
		p.Measured = append(p.Measured, Curve{Label: place.name, Points: turn(l, place.interval)})
	}
	r.Tables, r.Plots = []Table{table}, []Plot{p}
	r.Headline = show("%.3g to %.4g", r.Figures[0].Value, r.Figures[4].Value)
	return r
}

// turn gives the timers visited, and one more, at each of the first ticks of a
// turn.
func turn(l *Lab, place func(r *rand.Rand) int) []Point {
	m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: burstSlots}))
	r := rand.New(l.source("turn", 0))
	fill(m, burstTimers, func(int) float64 { return float64(100*burstSlots + place(r)) })
	var points []Point
	for i := range 64 {
		before := m.Costs()
		m.PerTickBookkeeping()
		points = append(points, at(float64(i+1), Exact(m.Costs().Sub(before).Visits+1)))
	}
	return points
}

func oneScan(l *Lab) Result {
	const n = 600
	var r Result
	for _, size := range []int{256, 1024, 4096, 65536} {
		m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: size}))
		random := rand.New(l.source("S6-6", size))
		fill(m, n, func(int) float64 { return float64(1 + random.IntN(size)) })
		before := m.Costs()
		for range size {
			tick(m)
		}
		r.Figures = append(r.Figures, number(show("VAX instructions a tick, n = %d, TableSize = %d", n, size),
			4+15*n/float64(size), none, Exact(ratio(vax(m.Costs().Sub(before)), size)), 0))
	}
	return r
}

// steady is the VAX cost of a tick in the steady state: n timers that start
// again when they expire, with intervals uniform in 1 to 2T-1.
func steady(l *Lab, n, size, mean int) Estimate {
	name := show("steady %d %d %d", n, size, mean)
	return once(l, name, func() Estimate {
		return EstimateMean(repeat(l, name, func(src rand.Source) float64 {
			m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: size}))
			r := rand.New(src)
			interval := func() float64 { return float64(1 + r.IntN(2*mean-1)) }
			fill(m, n, func(int) float64 { return interval() })
			run := func(span int) {
				for range span {
					for range tick(m) {
						begin(m, timer.Tick(interval()), 0)
					}
				}
			}
			run(4 * max(mean, size))
			before := m.Costs()
			span := 4 * max(mean, size)
			run(span)
			c := m.Costs().Sub(before)
			c.Starts = 0
			return ratio(vax(c), span)
		}))
	})
}

// steadyTheory is what steady must be: 4 for the tick, 9 for each of the n/T
// timers that expire in it, and 6 for each of their ceil(interval/TableSize)
// visits.
func steadyTheory(n, size, mean int) float64 {
	visits := 0
	for interval := 1; interval < 2*mean; interval++ {
		visits += (interval + size - 1) / size
	}
	return 4 + ratio(n, mean)*(9+6*ratio(visits, 2*mean-1))
}

func fourToThirteen(l *Lab) Result {
	f := func(n, size, mean int) Figure {
		got := steady(l, n, size, mean)
		g := number(show("VAX instructions a tick, n = %d, TableSize = %d, T = %d", n, size, mean), none, steadyTheory(n, size, mean), got, 0.05)
		g.Printed, g.AgreesPrinted = "<= 13", got.Mean <= 13
		return g
	}
	m := l.use(hashunsorted.New[int](hashunsorted.Config{}))
	h := begin(m, 100, 0)
	started := vax(m.Costs())
	m.StopTimer(h)
	stopped := vax(m.Costs()) - started
	tick(m)
	return Result{Figures: []Figure{
		exactly("VAX instructions, START", 13, started),
		exactly("VAX instructions, STOP", 7, stopped),
		exactly("VAX instructions, tick of an empty slot", 4, vax(m.Costs())-started-stopped),
		f(16, 256, 256), f(64, 256, 256), f(256, 256, 4096), f(256, 256, 256), f(256, 256, 64),
	}}
}

// steadyStates is E7: the formula of one scan against the steady state.
func steadyStates(l *Lab) Result {
	const size = 256
	r := Result{}
	table := Table{
		Title:   "Scheme 6 in a steady state: VAX instructions a tick, TableSize = 256",
		Columns: []string{"n", "mean interval T", "4 + 15 n/TableSize", "theory", "measured"},
		Note:    "Theory: 4 + 6 visits + 9 n/T, with n/M + n(M-1)/(2MT) visits for T over M = TableSize, and n/T for intervals up to M.",
	}
	p := Plot{
		Name: "steady", Title: "Scheme 6 in a steady state, n = TableSize = 256", X: "mean interval T (ticks)", Y: "VAX instructions a tick",
		LogX: true, LogY: true,
	}
	measured, theory := Curve{Label: "measured"}, Curve{Label: "steady state"}
	for _, n := range []int{64, 256, 1024} {
		for _, t := range []int{64, 128, 256, 512, 1024, 4096, 16384} {
			if t > 1024 && l.Size == Quick {
				continue
			}
			f := number(show("VAX instructions a tick, n = %d, T = %d", n, t), 4+15*float64(n)/size, steadyTheory(n, size, t), steady(l, n, size, t), 0.02*float64(n)/float64(t))
			r.Figures = append(r.Figures, f)
			table.Rows = append(table.Rows, []string{show("%d", n), show("%d", t), f.Printed, f.Predicted, f.Measured})
			if n == 256 {
				measured.Points = append(measured.Points, Point{float64(t), f.Value, f.Lo, f.Hi})
				theory.Points = append(theory.Points, at(float64(t), Exact(steadyTheory(n, size, t))))
			}
		}
	}
	p.Measured = []Curve{measured}
	p.Theory = []Curve{theory, curve("4 + 15 n/TableSize", []float64{64, 16384}, func(float64) float64 { return 19 })}
	r.Tables, r.Plots = []Table{table}, []Plot{p}
	return r
}
