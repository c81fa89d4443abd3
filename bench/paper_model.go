package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/timerfacility/timer"
)

// modelClaims are the claims of sections I and II: the model, and how to measure.
func modelClaims() []Claim {
	return []Claim{
		{
			ID: "M-1", Source: "1987 s. 1; 1997 s. I",
			Title:  "when the cost of timers matters",
			Text:   "The cost of timers matters where a processor is interrupted at every tick and that is dear, where the granularity is fine, or where many timers are outstanding.",
			Expect: NotTestable, Why: "It says when to care, not what happens: there is no figure to meet.",
		},
		{
			ID: "M-2", Source: "1987 s. 1; 1997 s. I",
			Title:  "failure timers rarely expire, rate timers do",
			Text:   "Timers that guard against failure rarely expire; timers that pace or schedule almost always do.",
			Expect: NotTestable, Why: "It is about the clients of other systems. Both kinds of load are among the workloads here.",
		},
		{
			ID: "M-3", Source: "1987 p. 25; 1997 p. 824",
			Title:   "200 connections x 3 timers",
			Text:    "A server with 200 connections and three timers each has 600 timers outstanding.",
			Printed: "600", Expect: Holds,
			Measure: connections,
		},
		{
			ID: "M-4", Source: "1987 p. 25; 1997 pp. 824-825",
			Title:   "gigabit links, 25,000 to 40,000 packets/s",
			Text:    "Networks run at over 100 Mbit/s (1987), at gigabits and 25,000 to 40,000 packets a second (1997); most BSD TCPs walk all timers every 200 and 500 ms.",
			Printed: "40,000/s", Expect: NotTestable, Why: "These are figures of the networks of their time. What 40,000 starts and stops a second cost on this machine stands among the times of S1-1 to S7-4.",
		},
		{
			ID: "M-5", Source: "1987 s. 2; 1997 s. II",
			Title:   "four routines make a timer module",
			Text:    "START_TIMER, STOP_TIMER, PER_TICK_BOOKKEEPING and EXPIRY_PROCESSING are all that a timer module needs, whatever its structure.",
			Printed: "same expiries", Expect: Holds,
			Measure: againstOracle,
		},
		{
			ID: "M-6", Source: "1987 s. 2; 1997 s. II",
			Title:  "two measures: space and latency",
			Text:   "A module is measured by its space and by the latency of its routines, average and worst, for n outstanding timers.",
			Expect: NotTestable, Why: "It is a choice of measures, and the one made here: latency in M-7, space in S1-2.",
		},
		{
			ID: "M-7", Source: "1987 fig. 1; 1997 table I, p. 825",
			Title:   "Tables I and II: latency of each routine",
			Text:    "What counts is the latency of START and STOP on average and at worst and that of PER_TICK on average; Table II gives it for schemes 1 to 3, the text for the others.",
			Printed: "all classes", Expect: Holds, Effort: 9,
			Measure: allCosts,
		},
	}
}

func connections(l *Lab) Result {
	m := l.module(SchemeNamed("6"), 600, 1<<20)
	r := rand.New(l.source("M-3", 0))
	for range 200 {
		for range 3 {
			begin(m, ticks(1000, r.ExpFloat64(), timer.MaxTick), 0)
		}
	}
	return Result{Figures: []Figure{exactly("outstanding timers", 600, m.Len())}}
}

// againstOracle runs the same starts, stops and ticks on every scheme and on a
// map from expiry to timers.
func againstOracle(l *Lab) Result {
	var figures []Figure
	for _, s := range Schemes() {
		figures = append(figures, agreement("ticks at which scheme "+s.Key+" differs from a map", differences(l, l.module(s, 500, 1<<14))))
	}
	return Result{Figures: figures}
}

// differences counts the ticks at which m expires other timers than a map does
// that is obviously right.
func differences(l *Lab, m Module) int {
	r := rand.New(l.source("differences", 0))
	oracle := make(map[timer.Tick][]int)
	expiry := make(map[int]timer.Tick)
	handles := make(map[int]timer.Handle)
	var ran []int
	wrong := 0
	for id := range pick(l, 4000, 10000, 20000) {
		interval := 1 + timer.Tick(r.ExpFloat64()*300)
		interval = min(interval, m.MaxInterval())
		h, err := m.StartTimer(interval, id, func(id int) { ran = append(ran, id) })
		if err != nil {
			wrong++
			continue
		}
		at := m.Now() + interval
		oracle[at] = append(oracle[at], id)
		expiry[id], handles[id] = at, h
		if victim := r.IntN(id + 1); r.IntN(2) == 0 {
			at, outstanding := expiry[victim]
			if m.StopTimer(handles[victim]) != outstanding {
				wrong++
			}
			oracle[at] = slices.DeleteFunc(oracle[at], func(id int) bool { return id == victim })
			delete(expiry, victim)
		}
		if r.IntN(2) == 0 {
			tick(m)
			slices.Sort(ran)
			due := oracle[m.Now()]
			slices.Sort(due)
			if !slices.Equal(ran, due) {
				wrong++
			}
			for _, id := range due {
				delete(expiry, id)
			}
			delete(oracle, m.Now())
			ran = ran[:0]
		}
	}
	return wrong
}

// allCosts is the whole table of costs.
func allCosts(l *Lab) Result {
	table := Table{
		Title:   "What the routines cost: the paper's Table II, completed",
		Columns: []string{"scheme", "routine", "case", "paper", "measured", "exponent", "n", "cost", "ns/op", "verdict"},
		Note: "START: timers compared with. STOP: records linked anew, the stopped one included (B-tree: comparisons). " +
			"PER_TICK: timers examined, less those that expire. Tables have n slots, arrivals are Poisson, intervals exponential of mean 8n. " +
			"Classes in brackets are in the papers' text only. ns/op: median at n = 4096, mean case, for illustration.",
	}
	cells := CostTable(l)
	agree := 0
	for _, c := range cells {
		if c.AsExpected() {
			agree++
		}
		table.Rows = append(table.Rows, costRow(c))
	}
	last := cells[0].N
	table.Columns[6], table.Columns[7] = fmt.Sprint("n=", last[1]), fmt.Sprint("n=", last[len(last)-1])
	return Result{
		Headline: show("%d of %d cells", agree, len(cells)),
		Figures:  []Figure{exactly("cells of the table within the paper's class", len(cells), agree)},
		Tables:   []Table{table},
		Plots:    costPlots(cells),
	}
}

func costRow(c Cost) []string {
	paper := c.Paper.String()
	if !c.Print {
		paper = "(" + paper + ")"
	}
	exponent, ns := "", ""
	if c.Fit.Class != Constant {
		exponent = fmt.Sprintf("%.2f to %.2f", c.Fit.Exponent.Lo, c.Fit.Exponent.Hi)
	}
	if !c.Worst {
		ns = fmt.Sprintf("%.0f", c.Time.Median)
	}
	verdict := Holds
	if !c.Holds() {
		verdict = DoesNotHold
	}
	return []string{
		c.Scheme.String(), string(c.Routine), c.Case(), paper, c.Fit.Class.String(), exponent,
		fmt.Sprintf("%.2f", c.Mean[1]), fmt.Sprintf("%.2f", c.Mean[len(c.Mean)-1]), ns, string(verdict),
	}
}

// costPlots draws cost against n, a plot for each routine.
func costPlots(cells []Cost) []Plot {
	var plots []Plot
	for _, r := range []Routine{StartTimer, StopTimer, PerTickBookkeeping} {
		p := Plot{
			Name:  "cost-" + map[Routine]string{StartTimer: "start", StopTimer: "stop", PerTickBookkeeping: "tick"}[r],
			Title: "Average cost of " + string(r), X: "outstanding timers n", Y: "timers examined",
			LogX: true, LogY: true,
		}
		if r == StopTimer {
			p.Y = "records linked anew (B-tree: compares)"
		}
		var ns []float64
		for _, c := range cells {
			if c.Routine != r || c.Worst {
				continue
			}
			curve := Curve{Label: c.Scheme.String()}
			for i, n := range c.N {
				curve.Points = append(curve.Points, at(float64(n), Exact(c.Mean[i])))
			}
			ns = floats(c.N)
			p.Measured = append(p.Measured, curve)
		}
		switch r {
		case StartTimer:
			p.Theory = []Curve{
				curve("n/2", ns, func(n float64) float64 { return n / 2 }),
				curve("2 ln n - 1", ns, func(n float64) float64 { return 2*logarithm(n) - 1 }),
			}
		case PerTickBookkeeping:
			p.Theory = []Curve{
				curve("n", ns, func(n float64) float64 { return n }),
				curve("1", ns, func(float64) float64 { return 1 }),
			}
		}
		plots = append(plots, p)
	}
	return plots
}

// cellFigures are the cells of some schemes of the cost table as figures.
func cellFigures(l *Lab, schemes ...string) []Figure {
	var figures []Figure
	for _, key := range schemes {
		for _, c := range costsOf(l, SchemeNamed(key)) {
			expect := c.Expect
			if expect == Undecided {
				expect = c.Fit.Class
			}
			f := growth(fmt.Sprintf("%v, %v, %s case", c.Scheme, c.Routine, c.Case()), c.Paper, expect, c.Fit)
			if c.Expect == Undecided {
				f.AgreesPredicted = c.Holds()
			}
			figures = append(figures, f)
		}
	}
	return figures
}

// cellTimes are the times of some schemes.
func cellTimes(l *Lab, schemes ...string) []Time {
	var times []Time
	for _, key := range schemes {
		for _, c := range costsOf(l, SchemeNamed(key)) {
			if !c.Worst {
				t := c.Time
				t.Name = fmt.Sprintf("%v, %v at n = 4096", c.Scheme, c.Routine)
				times = append(times, t)
			}
		}
	}
	return times
}

// timeLoop times runs of a loop of f.
func timeLoop(name string, runs, loop int, f func()) Time {
	samples := make([]float64, runs)
	for i := range samples {
		began := time.Now()
		for range loop {
			f()
		}
		samples[i] = float64(time.Since(began)) / float64(loop)
	}
	return timeOf(name, samples)
}
