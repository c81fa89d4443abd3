package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/timerfacility/timer"
)

// treeClaims are the claims about Scheme 3: sections 4.1.1 and IV.A.
func treeClaims() []Claim {
	return []Claim{
		{
			ID: "S3-1", Source: "1987 fig. 6; 1997 table II, p. 826",
			Title:   "Scheme 3: START O(log n), PER_TICK O(1)",
			Text:    "START of Scheme 3 is O(log n); STOP is O(1) in an unbalanced tree and O(log n) in a balanced one, which must be rebalanced; PER_TICK is O(1).",
			Printed: "O(log n)", Expect: Holds,
			Measure: func(l *Lab) Result {
				keys := []string{"3", "3heap", "3leftist", "3unbalanced"}
				return Result{
					Figures: cellFigures(l, keys...), Times: cellTimes(l, keys...),
					Note: "The heap is below its bound on average: a new timer is seldom among the earliest and climbs O(1) levels.",
				}
			},
		},
		{
			ID: "S3-2", Source: "1987 s. 4.1.1; 1997 s. IV.A",
			Title:   "many trees serve: unbalanced, heap, leftist",
			Text:    "Unbalanced binary trees, heaps, post-order and end-order trees and leftist trees all serve.",
			Printed: "same expiries", Expect: Holds,
			Why: "Shown for the B-tree, the heap, the leftist and the unbalanced tree; post-order and end-order trees were not built.",
			Measure: func(l *Lab) Result {
				var r Result
				for _, key := range []string{"3heap", "3leftist", "3unbalanced"} {
					wrong := parallel(l, l.module(SchemeNamed("3"), 0, 0), l.module(SchemeNamed(key), 0, 0), 2000, false)
					r.Figures = append(r.Figures, agreement("steps at which "+SchemeNamed(key).Name+" differs from B-tree", wrong))
				}
				return r
			},
		},
		{
			ID: "S3-3", Source: "1987 s. 4.1.1; 1997 s. IV.A, after Myhrhaug",
			Title:   "unbalanced trees cost less than balanced ones",
			Text:    "For large n trees are significantly cheaper than lists, and unbalanced trees cheaper than balanced ones.",
			Printed: "ratio < 1", Predicted: "ratio > 1", Expect: DoesNotHold, Effort: 0.6,
			Why:     "Trees do beat lists. But an unbalanced tree compares 2 ln n - 1 = 1.39 log2 n - 1 times under exponential intervals, its best case, and a B-tree about log2 n times. What the balanced trees of that time spent on rebalancing is not in these counts; the times stand beside.",
			Measure: treesAndLists,
		},
		{
			ID: "S3-4", Source: "1987 s. 4.1.1; 1997 s. IV.A",
			Title:   "unbalanced trees degenerate: equal intervals",
			Text:    "Unbalanced trees easily degenerate to a list, for example where all intervals are equal.",
			Printed: "n", Expect: Holds,
			Measure: degenerate,
		},
		{
			ID: "S3-5", Source: "1987 fig. 5; 1997 fig. 3",
			Title:   "a timer module is a sorting module",
			Text:    "A timer module sorts: what expires is the input in the order of expiry.",
			Printed: "sorted", Expect: Holds,
			Measure: sorting,
		},
	}
}

// comparisons is the mean number of timers with which START compares in scheme s,
// in the steady state of Poisson arrivals with n timers of the law outstanding.
func comparisons(l *Lab, s Scheme, law Law, n int, src rand.Source) float64 {
	m := l.module(s, n, 1<<30)
	d := newLoad(m, law, float64(n), meanInterval, src)
	for range 12 * n { // each timer that is outstanding then came to a tree that is as it will be
		d.step()
	}
	before := m.Costs()
	starts := max(4*n, 2000)
	for range starts {
		d.step()
	}
	return ratio(m.Costs().Sub(before).Compares, starts)
}

func treesAndLists(l *Lab) Result {
	const n = 4096
	compares := func(key string) []float64 {
		return repeatTimes(l, pick(l, 16, 16, 32), "trees and lists "+key, func(src rand.Source) float64 {
			return comparisons(l, SchemeNamed(key), LawNamed("exponential"), n, src)
		})
	}
	balanced, plain := compares("3"), compares("3unbalanced")
	ratios := make([]float64, len(plain))
	for i := range ratios {
		ratios[i] = plain[i] / balanced[i]
	}
	quotient := EstimateMean(ratios)
	list := averageStart(l, SchemeNamed("2"), n, l.source("trees and lists 2", 0))
	return Result{
		Headline: show("%.2f", quotient.Mean),
		Figures: []Figure{
			atMost("comparisons, B-tree over list", 0.1, Exact(mean(balanced)/list)),
			{
				Name: "comparisons, unbalanced tree over B-tree, exponential", Printed: "< 1", Predicted: "> 1",
				Measured: quotient.String(), Value: quotient.Mean, Lo: quotient.Lo, Hi: quotient.Hi,
				AgreesPrinted: quotient.Lo < 1, AgreesPredicted: quotient.Lo > 1,
			},
			number("comparisons of the unbalanced tree, exponential", none, 2*math.Log(n)-1, EstimateMean(plain), 0.6),
		},
		Times: cellTimes(l, "2", "3", "3unbalanced"),
	}
}

func degenerate(l *Lab) Result {
	var met, compared []float64
	for _, n := range []float64{50, 100, 200, 400} {
		m := l.module(SchemeNamed("3unbalanced"), 0, 0)
		d := newLoad(m, LawNamed("constant"), n, meanInterval, l.source("degenerate", int(n)))
		d.warm()
		before, sum := m.Costs(), 0
		for range 1000 {
			interval := d.arrive()
			sum += m.Len()
			begin(m, interval, 0)
		}
		met = append(met, ratio(sum, 1000))
		compared = append(compared, ratio(m.Costs().Sub(before).Compares, 1000))
	}
	return Result{Figures: []Figure{number("comparisons for each outstanding timer", 1, none, Exact(slope(met, compared)), 0)}}
}

// treeGrowth measures how START of the unbalanced tree grows under some laws.
func treeGrowth(l *Lab) Result {
	expect := []struct {
		law     string
		class   Class
		formula string
		largest int
	}{
		{"exponential", Logarithmic, "2 ln n - 1", pick(l, 1024, 4096, 16384)},
		{"uniform(0, 2)", SquareRoot, "about sqrt n", pick(l, 1024, 4096, 16384)},
		{"uniform(0.9, 1.1)", SquareRoot, "about 3 sqrt n", pick(l, 1024, 4096, 16384)},
		{"constant", Linear, "n", 1024},
	}
	table := Table{
		Title:   "START of the unbalanced tree: timers compared with, by law of intervals",
		Columns: []string{"law of intervals", "n=64", "n=256", "n=1024", "n=4096", "n=16384", "growth", "theory"},
	}
	p := Plot{
		Name: "unbalanced", Title: "START of the unbalanced tree", X: "outstanding timers n", Y: "timers compared with",
		LogX: true, LogY: true,
	}
	var r Result
	for _, e := range expect {
		var x, y, ns []float64
		row, c := []string{e.law}, Curve{Label: e.law}
		for n := 64; n <= 16384; n *= 4 {
			if n > e.largest {
				row = append(row, "")
				continue
			}
			var samples []float64
			for k := range pick(l, 3, 3, 4) {
				samples = append(samples, comparisons(l, SchemeNamed("3unbalanced"), LawNamed(e.law), n, l.source("growth "+e.law, n+k)))
				x, y = append(x, float64(n)), append(y, samples[k])
			}
			ns = append(ns, float64(n))
			row = append(row, show("%.1f", mean(samples)))
			c.Points = append(c.Points, at(float64(n), Exact(mean(samples))))
		}
		fit := FitGrowth(x, y)
		r.Figures = append(r.Figures, growth("growth of START, "+e.law, Logarithmic, e.class, fit))
		table.Rows = append(table.Rows, append(row, fit.Class.String(), e.formula))
		p.Measured = append(p.Measured, c)
		switch e.class {
		case Logarithmic:
			p.Theory = append(p.Theory, curve("2 ln n - 1", ns, func(n float64) float64 { return 2*math.Log(n) - 1 }))
		case SquareRoot:
			factor := map[string]float64{"uniform(0, 2)": 1, "uniform(0.9, 1.1)": 3}[e.law]
			p.Theory = append(p.Theory, curve(e.formula, ns, func(n float64) float64 { return factor * math.Sqrt(n) }))
		case Linear:
			p.Theory = append(p.Theory, curve("n", ns, func(n float64) float64 { return n }))
		}
	}
	r.Tables, r.Plots = []Table{table}, []Plot{p}
	return r
}

// sorting starts timers and lets all of them expire, in every scheme.
func sorting(l *Lab) Result {
	const n = 2000
	var r Result
	for _, s := range Schemes() {
		m := l.module(s, n, 10_000)
		random := rand.New(l.source("sorting", 0))
		var want, got []timer.Tick
		for range n {
			interval := 1 + timer.Tick(random.IntN(9999))
			want = append(want, interval)
			if _, err := m.StartTimer(interval, 0, func(int) { got = append(got, m.Now()) }); err != nil {
				panic(err)
			}
		}
		timer.AdvanceTo(m, 10_000, timer.All)
		slices.Sort(want)
		wrong := 0
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				wrong++
			}
		}
		r.Figures = append(r.Figures, agreement("timers out of order, scheme "+s.Key, wrong))
	}
	return r
}
