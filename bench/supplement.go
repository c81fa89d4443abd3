package bench

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation/logic"
)

// Supplements are measurements that decide no claim of the papers: the event
// lists of simulators, from which timing wheels came. What theory says of them is
// held against the counts in the same way.
func Supplements() []Claim {
	return []Claim{
		{
			ID: "hold", Source: "literature on event lists; Jones 1986",
			Title:     "the hold model on every event list",
			Text:      "An operation takes the earliest of n events and schedules another. An ordered list finds its place after n (1-G) events from the front and n G from the rear, with G the Gini coefficient of the intervals; Scheme 4 compares with none and visits only what expires.",
			Predicted: "n (1-G), n G", Expect: Holds, Effort: 3,
			Measure: holdModel,
		},
		{
			ID: "logic", Source: "1987 s. 4.2; ISCAS-85",
			Title:     "16-bit multiplier, gate by gate",
			Text:      "A simulation of the multiplier at the level of its gates gives the right products, and the same events, on every event list.",
			Predicted: "same events", Expect: Holds, Effort: 3,
			Measure: multiplier,
		},
	}
}

func holdModel(l *Lab) Result {
	const n = 1000
	var r Result
	for _, law := range HoldLaws() {
		for _, end := range []struct {
			key   string
			share float64
		}{{"2", 1 - law.Gini}, {"2rear", law.Gini}} {
			s := SchemeNamed(end.key)
			c := countHold(l.module(s, n, HoldLongest(n)), law, n, 5*n)
			r.Figures = append(r.Figures, number(show("compares / n, %s, %s", s.Name, law.Name), none, end.share, Exact(ratio(c.Compares, 5*n*n)), 0.02))
		}
	}
	c := countHold(l.module(SchemeNamed("4"), n, HoldLongest(n)), LawNamed("exponential"), n, 5*n)
	r.Figures = append(r.Figures,
		number("compares of an operation, Scheme 4", none, 0, Exact(ratio(c.Compares, 5*n)), 0),
		number("visits for each event that expires, Scheme 4", none, 1, Exact(ratio(c.Visits, c.Expiries)), 0))
	r.Tables = []Table{l.HoldTable(LawNamed("exponential")), l.holdLawTable(n)}
	r.Headline = "as predicted"
	return r
}

// A multiplied is a run of the multiplier on one event list.
type multiplied struct {
	right  int // products
	counts logic.Counts
	now    timer.Tick
	costs  timer.Costs
	perRun []float64 // nanoseconds an event, for each product
}

// multiply multiplies random numbers of 16 bits, with random delays of the gates
// that are the same for every event list.
func multiply(l *Lab, list Scheme, c *logic.Circuit, products int) multiplied {
	const bits, longest = 16, 100
	r := rand.New(l.source("multiplier", 0))
	delays := make(map[string]timer.Tick)
	for _, g := range c.Gates {
		delays[g.Name] = 1 + timer.Tick(r.IntN(longest))
	}
	m := l.module(list, 256, longest)
	s := must(logic.NewSimulator(c, m, logic.Config{Delay: func(g logic.Gate) timer.Tick { return delays[g.Name] }}))
	var run multiplied
	for range products {
		a, b := r.Uint64N(1<<bits), r.Uint64N(1<<bits)
		inputs := append(logic.Bits(a, bits), logic.Bits(b, bits)...)
		before := s.Counts().Scheduled
		began := time.Now()
		s.Set(inputs)
		must(0, s.Settle())
		took := time.Since(began)
		if events := s.Counts().Scheduled - before; events > 0 {
			run.perRun = append(run.perRun, ratio(took.Nanoseconds(), events))
		}
		if logic.Number(s.Outputs()) == a*b {
			run.right++
		}
	}
	run.counts, run.now, run.costs = s.Counts(), s.Now(), m.Costs()
	return run
}

func multiplier(l *Lab) Result {
	c := must(logic.Multiplier(16))
	products := pick(l, 50, 200, 1000)
	t := Table{
		Title:   show("16-bit multiplier, %d gates: work of an event, and events in a second", len(c.Gates)-len(c.Inputs)),
		Columns: []string{"event list", "right products", "events", "cancelled", "compares", "visits", "moves", "events/s"},
		Note:    "Delays of 1 to 100 ticks, by chance; wheels and tables of 256 slots, Scheme 4 of 100, Scheme 7 of three times 5. The median of the products; events in a second belong to this machine and decide nothing.",
	}
	var r Result
	var first multiplied
	wrong, other := 0, 0
	for i, list := range EventLists() {
		run := multiply(l, list, c, products)
		wrong += products - run.right
		if i == 0 {
			first = run
		}
		if run.counts != first.counts || run.now != first.now {
			other++
		}
		per := func(count uint64) string { return brief(ratio(count, run.counts.Scheduled)) }
		took := timeOf(show("event of the multiplier, %v", list), run.perRun)
		r.Times = append(r.Times, took)
		t.Rows = append(t.Rows, []string{
			list.String(), fmt.Sprintf("%d of %d", run.right, products), fmt.Sprint(run.counts.Scheduled),
			fmt.Sprintf("%.1f %%", 100*ratio(run.counts.Cancelled, run.counts.Scheduled)),
			per(run.costs.Compares), per(run.costs.Visits), per(run.costs.Moves), fmt.Sprintf("%.2f M", 1e3/took.Median),
		})
	}
	r.Figures = []Figure{
		number("products that are right, on all event lists", none, float64(len(EventLists())*products), Exact(len(EventLists())*products-wrong), 0),
		agreement("event lists with other events than Scheme 1", other),
	}
	r.Tables = []Table{t}
	r.Headline = show("%d products right", len(EventLists())*products-wrong)
	return r
}
