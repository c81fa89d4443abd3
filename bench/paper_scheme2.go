package bench

import (
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	"gonum.org/v1/gonum/stat"
)

// orderedClaims are the claims about Scheme 2: sections 3.2 and III.B.
func orderedClaims() []Claim {
	return []Claim{
		{
			ID: "S2-1", Source: "1987 fig. 4; 1997 table II, p. 826",
			Title:   "Scheme 2: START O(n), STOP, PER_TICK O(1)",
			Text:    "START of Scheme 2 is O(n) at worst and, in general, on average; STOP is O(1) with a doubly linked list and a stored pointer; PER_TICK is O(1).",
			Printed: "O(n)", Expect: Holds,
			Measure: func(l *Lab) Result {
				return Result{Figures: cellFigures(l, "2", "2rear"), Times: cellTimes(l, "2", "2rear")}
			},
		},
		{
			ID: "S2-2", Source: "1987 fig. 2; 1997 fig. 1",
			Title:   "the example queue 10:23:12, :24, 10:24:03",
			Text:    "In the queue 10:23:12, 10:23:24, 10:24:03 a new timer for 10:24:01 goes between the second and the third: it passes two timers from the front and one from the rear.",
			Printed: "2 and 1", Expect: Holds,
			Measure: exampleQueue,
		},
		{
			ID: "S2-3", Source: "1987 fig. 3; 1997 fig. 2",
			Title:     "the model is a queue with infinite servers",
			Text:      "A timer module is a G/G/inf queue: every outstanding timer is served at every tick, whatever the law of intervals.",
			Predicted: "variance = mean", Expect: Holds, Effort: 0.35,
			Measure: poissonNumber,
		},
		{
			ID: "S2-4", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:   "Little: n = starts per tick x mean life",
			Text:    "Little's result gives the mean number of outstanding timers: the rate of starts times the mean time from start to stop or expiry.",
			Printed: "n = lambda T", Expect: Holds, Effort: 1,
			Measure: little,
		},
		{
			ID: "S2-5", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:   "remaining times have the residual-life law",
			Text:    "What a new timer meets is the residual life of the law of intervals: density S(x)/mean, with S the probability to live longer than x.",
			Printed: "S(x)/mean", Expect: Holds, Effort: 0.5,
			Measure: residualLife,
		},
		{
			ID: "S2-6", Source: "1987 p. 27; 1997 p. 826",
			Title:   "START from the front: exponential, uniform",
			Text:    "A search from the front costs 2 + 2n/3 for exponential intervals and 2 + n/2 for uniform ones.",
			Printed: "2n/3, n/2", Predicted: "n/2, 2n/3", Expect: Corrected, Effort: 0.65,
			Why:     "The labels are swapped, in both versions of the paper: 2n/3 is the uniform law's and n/2 the exponential's. See E1.",
			Measure: func(l *Lab) Result { return insertionCosts(l, "exponential", "uniform(0, 2)")(true, false) },
		},
		{
			ID: "S2-7", Source: "1987 p. 27; 1997 p. 826",
			Title:   "START from the rear helps the exponential law",
			Text:    "A search from the rear reduces the cost for exponential intervals to 2 + n/3.",
			Printed: "n/3", Predicted: "n/2", Expect: DoesNotHold,
			Why:     "The exponential law is memoryless: both ends are equally far, and nothing is gained. n/3 is the uniform law's.",
			Measure: func(l *Lab) Result { return insertionCosts(l, "exponential")(false, true) },
		},
		{
			ID: "S2-8", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:   "equal intervals from the rear: O(1)",
			Text:    "If new timers always go to the rear, as with equal intervals, a search from the rear is O(1).",
			Printed: "0", Expect: Holds,
			Measure: func(l *Lab) Result { return insertionCosts(l, "constant")(false, true) },
		},
		{
			ID: "S2-9", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:     "other laws follow from Reeves' result",
			Text:      "The cost under other laws of intervals can be computed as well.",
			Predicted: "n (1-G), n G", Expect: Holds, Effort: 2.9,
			Why: "The rule is that of E1: with G the Gini coefficient of the law, a search from the front passes n(1-G) timers and one from the rear n·G.",
			Measure: func(l *Lab) Result {
				r := insertionCosts(l, "uniform(0.9, 1.1)", "triangular", "Pareto, alpha = 3", "Erlang-2", "hyperexponential")(true, true)
				return r
			},
		},
		{
			ID: "S2-10", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:   "one hardware timer: interrupts at expiries only",
			Text:    "With a hardware timer set to the head's expiry, the host is interrupted only where a timer expires, not at each tick.",
			Printed: "expiry ticks", Expect: Holds,
			Measure: singleTimer,
		},
		{
			ID: "S2-11", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:  "VMS and UNIX used such lists",
			Text:   "The timers of VMS and UNIX were lists like Scheme 2.",
			Expect: NotTestable, Why: "It is about systems of 1987. Their delta list is rebuilt in B-1.",
		},
	}
}

func exampleQueue(l *Lab) Result {
	var figures []Figure
	for _, rear := range []bool{false, true} {
		m := l.use(ordered.New[int](ordered.Config{Now: 10*3600 + 23*60, FromRear: rear}))
		for i, interval := range []timer.Tick{12, 24, 63} {
			begin(m, interval, i+1)
		}
		before := m.Costs()
		begin(m, 61, 4)
		compared := m.Costs().Sub(before).Compares
		var order []int
		for _, t := range m.View().Lists[0].Timers {
			order = append(order, t.ID)
		}
		wrong := 0
		for i, id := range []int{1, 2, 4, 3} {
			if order[i] != id {
				wrong++
			}
		}
		// The timer at which the search ends is compared with, but not passed.
		if rear {
			figures = append(figures, exactly("timers passed from the rear", 1, compared-1))
		} else {
			figures = append(figures, exactly("timers passed from the front", 2, compared-1))
		}
		figures = append(figures, agreement("timers out of place", wrong))
	}
	return Result{Headline: "2 and 1", Figures: figures}
}

// numbers runs a load of n timers and gives how many each new timer meets,
// mean and variance. Poisson arrivals see time averages.
func numbers(l *Lab, law Law, n float64, src rand.Source) (mean, variance float64) {
	d := newLoad(l.module(SchemeNamed("7"), int(2*n), 1<<25), law, n, meanInterval/16, src)
	d.warm()
	met := make([]float64, pick(l, 10_000, 20_000, 60_000))
	for i := range met {
		interval := d.arrive()
		met[i] = float64(d.module.Len())
		begin(d.module, interval, i)
	}
	mean, sd := stat.MeanStdDev(met, nil)
	return mean, sd * sd
}

func little(l *Lab) Result {
	const n = 100
	var r Result
	for _, law := range Laws() {
		samples := repeat(l, "little "+law.Name, func(src rand.Source) float64 {
			mean, _ := numbers(l, law, n, src)
			return mean / n
		})
		r.Figures = append(r.Figures, number("timers met over lambda·T, "+law.Name, 1, none, EstimateMean(samples), 0.01))
	}
	return r
}

func poissonNumber(l *Lab) Result {
	var r Result
	for _, name := range []string{"constant", "uniform(0, 2)", "exponential"} {
		samples := repeat(l, "poisson "+name, func(src rand.Source) float64 {
			mean, variance := numbers(l, LawNamed(name), 30, src)
			return variance / mean
		})
		r.Figures = append(r.Figures, number("variance over mean of the timers met, "+name, none, 1, EstimateMean(samples), 0))
	}
	r.Note = "Under Poisson arrivals the number in a queue with infinite servers has Poisson's law, whatever the law of intervals: its variance is its mean."
	return r
}

// residualLife compares the remaining times that new timers meet with the
// residual-life law, by the Kolmogorov-Smirnov distance of their distribution
// functions.
func residualLife(l *Lab) Result {
	const n = 200
	var r Result
	for _, law := range Laws() {
		d := newLoad(l.module(SchemeNamed("2"), n, 0), law, n, meanInterval, l.source("residual "+law.Name, 0))
		d.warm()
		cdf := residual(law)
		var u []float64 // the remaining times, by their quantile in the residual-life law
		for range pick(l, 10, 40, 160) {
			for _, t := range d.module.View().Lists[0].Timers {
				u = append(u, cdf(float64(t.Expiry-d.module.Now())/meanInterval))
			}
			for until := d.clock + 10*meanInterval; d.clock < until; { // until all but a few are others
				d.step()
			}
		}
		// Uniform if the law is right.
		grid := make([]float64, 10*len(u))
		for i := range grid {
			grid[i] = (float64(i) + 0.5) / float64(len(grid))
		}
		stat.SortWeighted(u, nil)
		distance := stat.KolmogorovSmirnov(u, nil, grid, nil)
		critical := math.Sqrt(math.Log(2*family/0.05)/2) / math.Sqrt(float64(len(u)))
		r.Figures = append(r.Figures, atMost("Kolmogorov-Smirnov distance, "+law.Name, critical, Exact(distance)))
	}
	r.Note = "The bound is the critical distance of the test, at 5 % for all figures of the report together."
	return r
}

// residual is the distribution function of the residual life of a law of mean 1:
// the integral of its survival function.
func residual(law Law) func(x float64) float64 {
	const step = 1.0 / 2048
	sums := []float64{0}
	for x := 0.0; x < 80; x += step {
		sums = append(sums, sums[len(sums)-1]+step*law.Survival(x+step/2))
	}
	return func(x float64) float64 {
		i := min(int(x/step), len(sums)-2)
		return sums[i] + (x/step-float64(i))*(sums[i+1]-sums[i])
	}
}

// passed is the slope of the cost of START against the number of timers that it
// meets: the share of them that it passes.
func passed(l *Lab, law Law, rear bool) Estimate {
	name := "insertion " + law.Name + show(" %t", rear)
	return once(l, name, func() Estimate {
		return EstimateMean(repeat(l, name, func(src rand.Source) float64 {
			var met, compared []float64
			for _, n := range []float64{50, 100, 200, 400} {
				m := l.use(ordered.New[int](ordered.Config{FromRear: rear}))
				d := newLoad(m, law, n, meanInterval, src)
				d.warm()
				starts := pick(l, 1500, 3000, 6000)
				before := m.Costs()
				sum := 0
				for range starts {
					interval := d.arrive()
					sum += m.Len()
					begin(m, interval, 0)
				}
				met = append(met, ratio(sum, starts))
				compared = append(compared, ratio(m.Costs().Sub(before).Compares, starts))
			}
			return slope(met, compared)
		}))
	})
}

// insertionCosts gives the figures of some laws, from the front, the rear, or
// both.
func insertionCosts(l *Lab, laws ...string) func(front, rear bool) Result {
	printed := map[string][2]float64{
		"constant": {none, 0}, "exponential": {2.0 / 3, 1.0 / 3}, "uniform(0, 2)": {1.0 / 2, none},
	}
	return func(front, rear bool) Result {
		var r Result
		for _, name := range laws {
			law := LawNamed(name)
			print, ok := printed[name]
			if !ok {
				print = [2]float64{none, none}
			}
			if front {
				r.Figures = append(r.Figures, number("cost of each timer met, from the front, "+name, print[0], 1-law.Gini, passed(l, law, false), 0.003))
			}
			if rear {
				r.Figures = append(r.Figures, number("cost of each timer met, from the rear, "+name, print[1], law.Gini, passed(l, law, true), 0.003))
			}
		}
		for _, f := range r.Figures[:min(2, len(r.Figures))] {
			if r.Headline != "" {
				r.Headline += ", "
			}
			r.Headline += show("%.2f n", f.Value)
		}
		return r
	}
}

// allInsertionCosts is the table and the plot of the cost of START by law.
func allInsertionCosts(l *Lab) Result {
	var names []string
	for _, law := range Laws() {
		names = append(names, law.Name)
	}
	r := insertionCosts(l, names...)(true, true)
	table := Table{
		Title:   "START of Scheme 2: the share of the n timers met that a search passes",
		Columns: []string{"law of intervals", "front: printed", "theory", "measured", "rear: printed", "theory", "measured"},
		Note:    "Theory: with G the Gini coefficient of the law, 1-G from the front and G from the rear.",
	}
	p := Plot{
		Name: "insertion", Title: "START of Scheme 2 by law of intervals",
		X: "Gini coefficient G of the law", Y: "share of the timers passed",
		Theory: []Curve{
			{Label: "1 - G", Points: []Point{at(0, Exact(1)), at(1, Exact(0))}},
			{Label: "G", Points: []Point{at(0, Exact(0)), at(1, Exact(1))}},
		},
	}
	front, rear := Curve{Label: "from the front"}, Curve{Label: "from the rear"}
	print := Curve{Label: "as printed"}
	for i, law := range Laws() {
		f, b := r.Figures[2*i], r.Figures[2*i+1]
		table.Rows = append(table.Rows, []string{law.Name, f.Printed, f.Predicted, f.Measured, b.Printed, b.Predicted, b.Measured})
		front.Points = append(front.Points, Point{law.Gini, f.Value, f.Lo, f.Hi})
		rear.Points = append(rear.Points, Point{law.Gini, b.Value, b.Lo, b.Hi})
		switch law.Name {
		case "exponential":
			print.Points = append(print.Points, at(law.Gini, Exact(2.0/3)), at(law.Gini, Exact(1.0/3)))
		case "uniform(0, 2)":
			print.Points = append(print.Points, at(law.Gini, Exact(1.0/2)))
		}
	}
	p.Measured = []Curve{front, rear, print}
	r.Tables, r.Plots = []Table{table}, []Plot{p}
	r.Headline = show("%.2f, %.2f; %.2f", passed(l, LawNamed("exponential"), false).Mean,
		passed(l, LawNamed("uniform(0, 2)"), false).Mean, passed(l, LawNamed("exponential"), true).Mean)
	return r
}

// singleTimer runs Scheme 2 as a host with one hardware timer would: ticks
// between expiries do not interrupt.
func singleTimer(l *Lab) Result {
	m := l.module(SchemeNamed("2"), 100, 0)
	d := newLoad(m, LawNamed("exponential"), 100, 10_000, l.source("single timer", 0))
	expiries := make(map[timer.Tick]bool)
	rearmed, starts := 0, pick(l, 2000, 5000, 20_000)
	for range starts {
		head, any := m.NextExpiry()
		expiry, _ := m.ExpiryOf(d.step())
		expiries[expiry] = true
		if now, _ := m.NextExpiry(); !any || now != head {
			rearmed++
		}
	}
	for m.Len() > 0 {
		m.SkipTicks(m.IdleTicks())
		tick(m)
	}
	return Result{
		Figures: []Figure{exactly("interrupts, for ticks at which a timer expires", len(expiries), int(m.Costs().Ticks))},
		Note: show("In %d ticks. %d of %d starts set the hardware timer to an earlier tick.",
			m.Now(), rearmed, starts),
	}
}
