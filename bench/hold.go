package bench

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation/wheels"
	"gonum.org/v1/gonum/stat/distuv"
)

// EventLists are the schemes and, as numbers 0, the wheels of the simulators that
// they came from, TEGAS-2 and DECSIM, with the first power of two that is not
// under n for their slots.
func EventLists() []Scheme {
	wheel := func(kind wheels.Kind) func(int, timer.Tick) (Module, error) {
		return func(n int, _ timer.Tick) (Module, error) {
			return wheels.New[int](wheels.Config{Capacity: n, Slots: max(2, tableFor(n)), Kind: kind})
		}
	}
	return append(Schemes(),
		Scheme{"tegas2", 0, "TEGAS-2", wheel(wheels.TEGAS2)},
		Scheme{"decsim", 0, "DECSIM", wheel(wheels.DECSIM)},
	)
}

// eventListNamed is the event list of that key; it panics if there is none.
func eventListNamed(key string) Scheme {
	for _, s := range EventLists() {
		if s.Key == key {
			return s
		}
	}
	panic("bench: no event list named " + key)
}

// HoldLaws are the kinds of intervals for which the literature on event lists
// measures the hold model, all with mean 1: exponential, uniform, biased (uniform
// close to the mean), triangular, and bimodal, in which a list has two crowds, one
// near and one far. Compare D. W. Jones: An empirical comparison of priority-queue
// and event-set implementations. CACM 29(4), 1986.
func HoldLaws() []Law {
	near := distuv.Uniform{Min: 0, Max: 2.0 / 3}
	far := distuv.Uniform{Min: 10 * 2.0 / 3, Max: 11 * 2.0 / 3}
	return []Law{
		LawNamed("exponential"),
		LawNamed("uniform(0, 2)"),
		LawNamed("uniform(0.9, 1.1)"),
		LawNamed("triangular"),
		{
			"bimodal", 1 - 139.0/300*2/3,
			func(r rand.Source) distuv.Rander { return bimodal{rand.New(r)} },
			func(x float64) float64 { return 0.9*near.Survival(x) + 0.1*far.Survival(x) },
		},
	}
}

// bimodal is uniform on (0, 2/3) with probability 0.9, and 20/3 more otherwise.
type bimodal struct{ r *rand.Rand }

func (b bimodal) Rand() float64 {
	x := b.r.Float64()
	if b.r.Float64() < 0.1 {
		x += 10
	}
	return x * 2 / 3
}

// HoldMean is the mean interval in ticks of the hold model over n events: one
// event in each tick, on average.
func HoldMean(n int) float64 { return float64(n) }

// HoldLongest is the longest interval that the hold model draws: 16 times the
// mean, over which the exponential law has 10^-7 of its intervals.
func HoldLongest(n int) timer.Tick { return timer.Tick(16 * n) }

// Hold is the hold model over n events: an operation takes the earliest event out
// of the list and schedules another, an interval of the law later. The clock
// jumps to the earliest event where the module can. The events are in equilibrium
// from the start: each is at a random point of an interval that was the more
// likely drawn the longer it is.
//
// The module takes intervals up to HoldLongest. The order of the events within a
// tick changes nothing: every module gets the same intervals at the same ticks.
func Hold(m Module, law Law, n int) Workload {
	draw := law.Rander(rand.NewPCG(1, 1))
	longest := HoldLongest(n)
	intervals := make([]timer.Tick, 1<<16) // so that to draw one costs a load
	most := timer.Tick(0)
	for i := range intervals {
		intervals[i] = ticks(draw.Rand(), HoldMean(n), longest)
		most = max(most, intervals[i])
	}
	random := SplitMix(1)
	interval := func() timer.Tick { return intervals[random.Next()>>48] }

	var hold timer.ExpiryAction[int]
	hold = func(id int) { must(m.StartTimer(interval(), id, hold)) }
	for id := range n {
		whole := interval()
		for timer.Tick(random.Below(uint64(most))) >= whole {
			whole = interval()
		}
		must(m.StartTimer(1+timer.Tick(random.Below(uint64(whole))), id, hold))
	}
	return func(operations int) {
		timer.AdvanceTo(m, timer.MaxTick, operations)
	}
}

// HoldTable counts the work of one operation of the hold model, over n events and
// under a law, for every event list: timers compared, visited and moved, and, for
// the largest n, ticks. A list whose operations cost O(n) is left out where n is
// over 10,000.
func (l *Lab) HoldTable(law Law) Table {
	sizes := pick(l, []int{100, 1000, 10_000}, []int{100, 1000, 10_000, 100_000}, []int{100, 1000, 10_000, 100_000, 1_000_000})
	t := Table{
		Title:   "Hold model, " + law.Name + " intervals: compares + visits + moves for each operation",
		Columns: []string{"event list"},
		Note:    "Compares are those of START_TIMER. What a heap compares to take its head out is not among them. Ticks are those of an operation in the largest list.",
	}
	for _, n := range sizes {
		t.Columns = append(t.Columns, fmt.Sprintf("n = %d", n))
	}
	t.Columns = append(t.Columns, "ticks")
	for _, s := range EventLists() {
		row := []string{s.String()}
		ticks := ""
		for _, n := range sizes {
			if s.slowHold(n) {
				row = append(row, "")
				continue
			}
			operations := 2 * n // two turns of the wheels
			if s.Number == 1 || s.Number == 2 {
				operations = 1000
			}
			c := countHold(l.module(s, n, HoldLongest(n)), law, n, operations)
			per := func(count uint64) string { return brief(ratio(count, operations)) }
			row = append(row, fmt.Sprintf("%s+%s+%s", per(c.Compares), per(c.Visits), per(c.Moves)))
			ticks = per(c.Ticks)
		}
		t.Rows = append(t.Rows, append(row, ticks))
	}
	return t
}

// brief writes a number with three digits that count, at most two of them after
// the point.
func brief(x float64) string {
	switch {
	case x >= 100:
		x = math.Round(x)
	case x >= 10:
		x = math.Round(10*x) / 10
	}
	return figure(round(x))
}

// holdLawTable counts the work of one operation over n events for every event list
// and law, all kinds of work together.
func (l *Lab) holdLawTable(n int) Table {
	t := Table{
		Title:   fmt.Sprintf("Hold model, n = %d: all work of an operation by law of intervals", n),
		Columns: []string{"event list"},
		Note:    "Compares, visits and moves together, without ticks.",
	}
	for _, law := range HoldLaws() {
		t.Columns = append(t.Columns, law.Name)
	}
	for _, s := range EventLists() {
		row := []string{s.String()}
		for _, law := range HoldLaws() {
			operations := 2 * n
			c := countHold(l.module(s, n, HoldLongest(n)), law, n, operations)
			row = append(row, brief(ratio(c.Compares+c.Visits+c.Moves, operations)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// slowHold reports whether an operation costs so much that a run over n events
// takes minutes.
func (s Scheme) slowHold(n int) bool {
	return n > 10_000 && (s.Number == 1 || s.Number == 2 || s.Key == "3unbalanced" && n > 100_000)
}

func countHold(m Module, law Law, n, operations int) timer.Costs {
	hold := Hold(m, law, n)
	before := m.Costs()
	hold(operations)
	return m.Costs().Sub(before)
}
