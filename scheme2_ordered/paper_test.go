package ordered_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
)

// The tests of this file go by the sentences of the papers on Scheme 2: section
// 3.2 in 1987, III.B in 1997. Those after them go by the package's own.

// both are the two ends from which section 3.2 searches.
var both = []ordered.Config{{}, {FromRear: true}}

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// ids are those of the list, first timer first.
func ids(m *ordered.List[int]) []int {
	var all []int
	for _, list := range m.View().Lists {
		if list.Kind == timer.InStructure {
			for _, x := range list.Timers {
				all = append(all, x.ID)
			}
		}
	}
	return all
}

// TestExample is the papers' queue: timers for 10:23:12, 10:23:24 and 10:24:03, and
// a new one for 10:24:01, which goes between the second and the third. A search
// from the front passes two of them and stops at the next, one from the rear passes
// one.
// (1987, section 3.2 and figure 2; 1997, section III.B and figure 1)
func TestExample(t *testing.T) {
	const minute, hour = 60, 3600
	const now = 10*hour + 23*minute
	compares := map[bool]uint64{false: 3, true: 2}
	for _, cfg := range both {
		m := at(cfg, now)
		start(t, m, 24, 102324, none)
		start(t, m, 1*minute+3, 102403, none)
		start(t, m, 12, 102312, none)

		before := m.Costs()
		start(t, m, 1*minute+1, 102401, none)
		if got := m.Costs().Sub(before).Compares; got != compares[cfg.FromRear] {
			t.Errorf("%+v: %d compares, want %d", cfg, got, compares[cfg.FromRear])
		}
		if got, want := ids(m), []int{102312, 102324, 102401, 102403}; !slices.Equal(got, want) {
			t.Errorf("%+v: the queue is %d, want %d", cfg, got, want)
		}
		if got, want := m.View().Lists[0].Timers[2].Stored, uint64(10*hour+24*minute+1); got != want {
			t.Errorf("%+v: the record holds %d, want the absolute time %d", cfg, got, want)
		}
	}
}

// TestStartIsLinearAtWorst: START_TIMER may have to look at all n timers.
// (1987, section 3.2 and figure 4; 1997, section III.B and table II)
func TestStartIsLinearAtWorst(t *testing.T) {
	const many = 500
	for _, cfg := range both {
		m := at(cfg, 0)
		for n := range many {
			interval := timer.Tick(1 + n) // after all others
			if cfg.FromRear {
				interval = timer.Tick(many - n) // before all others
			}
			before := m.Costs()
			start(t, m, interval, n, none)
			if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Compares: uint64(n)}); got != want {
				t.Fatalf("%+v, n = %d: a start costs %+v, want %+v", cfg, n, got, want)
			}
		}
	}
}

// TestStopIsConstant: STOP_TIMER need not search a doubly linked list, since the
// client has a pointer to the record.
// (1987, section 3.2 and figure 4; 1997, section III.B and table II)
func TestStopIsConstant(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		handles := make([]timer.Handle, 500)
		for i := range handles {
			handles[i] = start(t, m, timer.Tick(1+i), i, none)
		}
		for _, i := range []int{0, 250, 499, 1, 498} {
			before := m.Costs()
			if !m.StopTimer(handles[i]) {
				t.Fatalf("%+v: timer %d is not stopped", cfg, i)
			}
			if got, want := m.Costs().Sub(before), (timer.Costs{Stops: 1}); got != want {
				t.Errorf("%+v: stopping timer %d costs %+v, want %+v", cfg, i, got, want)
			}
		}
		if got := ids(m); len(got) != 495 || !slices.IsSorted(got) {
			t.Errorf("%+v: %d timers are left, sorted %t", cfg, len(got), slices.IsSorted(got))
		}
	}
}

// TestTickLooksAtTheHead: PER_TICK_BOOKKEEPING compares the head of the queue with
// the time of day and deletes it while it is not in the future, so that n does not
// matter. Both papers print the condition at which it ends as a head strictly less
// than the time of day; it must be strictly greater, or the timers of this tick
// would stay.
// (1987, section 3.2; 1997, section III.B)
func TestTickLooksAtTheHead(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 40)
		for i, interval := range []timer.Tick{2, 3, 3, 3, 4, 5} {
			start(t, m, interval, i, none)
		}
		for _, want := range []struct {
			expired int
			visits  uint64
			left    []int
		}{
			{0, 1, []int{0, 1, 2, 3, 4, 5}},
			{1, 2, []int{1, 2, 3, 4, 5}},
			{3, 4, []int{4, 5}}, // all three of the tick, and the first of the future stays
			{1, 2, []int{5}},
			{1, 1, nil},
			{0, 0, nil},
		} {
			before := m.Costs()
			expired := m.PerTickBookkeeping()
			visits := m.Costs().Sub(before).Visits
			if expired != want.expired || visits != want.visits || !slices.Equal(ids(m), want.left) {
				t.Errorf("%+v, tick %d: %d expired in %d visits and left %d, want %+v", cfg, m.Now(), expired, visits, ids(m), want)
			}
		}
	}
}

// TestEqualIntervalsFromTheRear: where a new timer always goes to the rear, as with
// equal intervals, START_TIMER from the rear is O(1). From the front it is the
// worst case.
// (1987, section 3.2; 1997, section III.B)
func TestEqualIntervalsFromTheRear(t *testing.T) {
	const interval = 100
	for _, cfg := range both {
		m := at(cfg, 0)
		for i := range 1000 {
			n := uint64(m.Len())
			want := n
			if cfg.FromRear {
				want = min(n, 1) // it looks at the last, and passes none
			}
			before := m.Costs()
			start(t, m, interval, i, none)
			if got := m.Costs().Sub(before).Compares; got != want {
				t.Fatalf("%+v: %d compares with %d timers, want %d", cfg, got, n, want)
			}
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
	}
}

// A law is one of the intervals' laws, with mean 1.
type law struct {
	name string
	draw func(*rand.Rand) float64
	gini float64 // the Gini coefficient: E[|X-Y|]/2 for two draws X and Y
}

var laws = []law{
	{"exponential", (*rand.Rand).ExpFloat64, 1. / 2},
	{"uniform", func(r *rand.Rand) float64 { return 2 * r.Float64() }, 1. / 3},
	{"constant", func(*rand.Rand) float64 { return 1 }, 0},
	{"uniform from .9 to 1.1", func(r *rand.Rand) float64 { return .9 + .2*r.Float64() }, 1. / 30},
	{"triangular", func(r *rand.Rand) float64 { return 1.5 * math.Sqrt(r.Float64()) }, 1. / 5},
	{"Erlang-2", func(r *rand.Rand) float64 { return (r.ExpFloat64() + r.ExpFloat64()) / 2 }, 3. / 8},
	{"hyperexponential", func(r *rand.Rand) float64 {
		mean := 0.2
		if r.Float64() < 0.1 {
			mean = 8.2
		}
		return mean * r.ExpFloat64()
	}, 0.8429},
}

// queue is the model of section 3.2, a G/G/inf/inf queue whose customers are the
// timers: Poisson arrivals, 40 in a mean interval. It calls arrive before each of
// the arrivals after the first 1600.
func queue(t *testing.T, m *ordered.List[int], l law, arrivals int, arrive func(i int)) {
	t.Helper()
	const mean, number, warmUp = 1 << 20, 40, 1600
	rng := rand.New(rand.NewPCG(1984, 26))
	for i := range arrivals + warmUp {
		gap := timer.Tick(rng.ExpFloat64() * mean / number)
		timer.AdvanceTo(m, m.Now()+gap, timer.All)
		if i >= warmUp {
			arrive(i - warmUp)
		}
		start(t, m, 1+timer.Tick(l.draw(rng)*mean), i, none)
	}
}

// TestInsertionCost: how many timers START_TIMER passes follows from the law of
// the intervals, for Poisson arrivals. From the rear it is n times the law's Gini
// coefficient, from the front the rest of n. The papers, which count two more to
// write, print 2+2n/3 for the exponential law and 2+n/2 for the uniform one from
// the front, and 2+n/3 for the exponential one from the rear: the labels are
// swapped, and an exponential law is alike from both ends.
// (1987, section 3.2, after Reeves; 1997, section III.B)
func TestInsertionCost(t *testing.T) {
	const arrivals = 5000
	for _, cfg := range both {
		for _, l := range laws {
			m := at(cfg, 0)
			var n, compares uint64
			queue(t, m, l, arrivals, func(i int) {
				if i == 0 {
					compares = m.Costs().Compares
				}
				n += uint64(m.Len())
			})
			compares = m.Costs().Compares - compares
			passed := 1 - l.gini
			if cfg.FromRear {
				passed = l.gini
			}
			// A search that passes a part of the timers compares with one more, at which
			// it stops; one that passes all compares with no more.
			got := float64(compares) / float64(n)
			if low, high := passed-0.02, passed+0.02+float64(arrivals)/float64(n); got < low || got > high {
				t.Errorf("%+v, %s: compares with %.4f n, want %.4f n to %.4f n", cfg, l.name, got, low, high)
			}
		}
	}
}

// TestLittle: the mean number of timers is the rate of arrivals times the mean
// interval.
// (1987, section 3.2; 1997, section III.B)
func TestLittle(t *testing.T) {
	for _, l := range laws[:3] {
		const arrivals = 10000
		m := at(ordered.Config{FromRear: true}, 0)
		n := 0
		queue(t, m, l, arrivals, func(int) { n += m.Len() })
		if mean := float64(n) / arrivals; math.Abs(mean-40) > 1 {
			t.Errorf("%s: %.2f timers on average, want 40", l.name, mean)
		}
	}
}

// TestResidualLife: the time that is left of a timer, when a new one arrives, has
// the residual life density of the interval's law. That of the exponential law is
// the law itself; of intervals up to 2 means it is less than x with probability
// x - x*x/4; of equal ones it is uniform.
// (1987, section 3.2; 1997, section III.B)
func TestResidualLife(t *testing.T) {
	const mean = 1 << 20
	for i, want := range []func(x float64) float64{
		func(x float64) float64 { return 1 - math.Exp(-x) },
		func(x float64) float64 { return x - x*x/4 },
		func(x float64) float64 { return x },
	} {
		var left []float64
		m := at(ordered.Config{FromRear: true}, 0)
		queue(t, m, laws[i], 10000, func(i int) {
			if i%40 == 0 {
				for _, x := range m.View().Lists[0].Timers {
					left = append(left, float64(x.Expiry-m.Now())/mean)
				}
			}
		})
		for x := 0.1; x < 1; x += 0.1 {
			below := 0
			for _, y := range left {
				if y <= x {
					below++
				}
			}
			if got := float64(below) / float64(len(left)); math.Abs(got-want(x)) > 0.02 {
				t.Errorf("%s: %.4f of the timers have no more than %.1f left, want %.4f", laws[i].name, got, x, want(x))
			}
		}
	}
}

// TestSingleTimerHardware: where hardware has one timer to set, which is set to
// the head of the queue, the host is interrupted only when a timer expires.
// (1987, section 3.2 and appendix A; 1997, section III.B and appendix A)
func TestSingleTimerHardware(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		rng := rand.New(rand.NewPCG(2, 10))
		expiries := map[timer.Tick]bool{}
		for i := range 1000 {
			expiry := timer.Tick(1 + rng.IntN(10000))
			expiries[expiry] = true
			start(t, m, expiry, i, none)
		}
		for m.Len() > 0 {
			m.SkipTicks(m.IdleTicks()) // until the interrupt
			if m.PerTickBookkeeping() == 0 {
				t.Fatalf("%+v: an interrupt at %d, when nothing expires", cfg, m.Now())
			}
			m.ExpiryProcessing(timer.All)
		}
		if got := m.Costs().Ticks; got != uint64(len(expiries)) {
			t.Errorf("%+v: %d interrupts, want %d", cfg, got, len(expiries))
		}
	}
}

// TestFirstStartedFirstRun is the package's promise; the paper leaves the order
// open.
func TestFirstStartedFirstRun(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		var ran []int
		action := func(id int) { ran = append(ran, id) }
		start(t, m, 3, 1, action)
		second := start(t, m, 2, 2, action)
		m.PerTickBookkeeping()
		start(t, m, 2, 3, action)
		if err := m.ResetTimer(second, 2); err != nil { // a reset is a start
			t.Fatal(err)
		}
		timer.AdvanceTo(m, 3, timer.All)
		if want := []int{1, 3, 2}; !slices.Equal(ran, want) {
			t.Errorf("%+v: ran %d, want %d", cfg, ran, want)
		}
	}
}

// TestEndOfTheClock holds the head's arithmetic to the last tick.
func TestEndOfTheClock(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, timer.MaxTick-10)
		if got := m.IdleTicks(); got != 10 {
			t.Errorf("%+v: %d idle ticks, want 10", cfg, got)
		}
		start(t, m, 10, 0, none)
		if got := m.IdleTicks(); got != 9 {
			t.Errorf("%+v: %d idle ticks before the last, want 9", cfg, got)
		}
		m.SkipTicks(9)
		if m.PerTickBookkeeping() != 1 || m.Now() != timer.MaxTick || m.IdleTicks() != 0 {
			t.Errorf("%+v: at %d, %d timers, %d idle ticks", cfg, m.Now(), m.Len(), m.IdleTicks())
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		m, err := ordered.New[int](ordered.Config{Capacity: capacity})
		want := fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)
		if m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New = %v, %v, want the error %q", m, err, want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := ordered.New[string](ordered.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var ran string
	if _, err := m.StartTimer(1, "a", func(id string) { ran = id }); err != nil {
		t.Fatal(err)
	}
	if m.PerTickBookkeeping() != 1 || m.ExpiryProcessing(timer.All) != 1 || ran != "a" {
		t.Errorf("ran %q, want a", ran)
	}
}

func TestRefusalsChangeNothing(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, timer.MaxTick-20)
		h := start(t, m, 15, 1, none)
		stopped := start(t, m, 15, 2, none)
		m.StopTimer(stopped)
		view, costs := m.View(), m.Costs()
		refused := map[string]func() bool{
			"start 0":         func() bool { _, err := m.StartTimer(0, 9, none); return err != nil },
			"start 21":        func() bool { _, err := m.StartTimer(21, 9, none); return err != nil },
			"start no action": func() bool { _, err := m.StartTimer(5, 9, nil); return err != nil },
			"stop 0":          func() bool { return !m.StopTimer(0) },
			"stop stopped":    func() bool { return !m.StopTimer(stopped) },
			"stop invented":   func() bool { return !m.StopTimer(1<<63 | 1<<32 | 77) },
			"reset stopped":   func() bool { return m.ResetTimer(stopped, 5) != nil },
			"reset to 0":      func() bool { return m.ResetTimer(h, 0) != nil },
			"reset to 21":     func() bool { return m.ResetTimer(h, 21) != nil },
		}
		for name, f := range refused {
			if !f() {
				t.Errorf("%+v: %s is not refused", cfg, name)
			}
			if !reflect.DeepEqual(m.View(), view) || m.Costs() != costs {
				t.Errorf("%+v: %s changed the module from %+v, %+v to %+v, %+v", cfg, name, view, costs, m.View(), m.Costs())
			}
		}
	}
}
