package basic_test

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
	basic "github.com/timerfacility/timer/scheme4_basic"
)

// The tests of this file go by the sentences of the papers on Scheme 4: section 5
// in 1987, V in 1997. Those after them go by the package's own.

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// expiries has the timers of the lists of a kind.
func expiries(m *basic.Wheel[int], kind timer.ViewKind) []timer.Tick {
	var all []timer.Tick
	for _, list := range m.View().Lists {
		if list.Kind == kind {
			for _, x := range list.Timers {
				all = append(all, x.Expiry)
			}
		}
	}
	return all
}

// TestStartIndexesTheArray: with the current time pointer at i, a timer of j units
// goes to the list of element (i+j) mod MaxInterval. It looks at no other timer.
// (1987, section 5 and figure 8; 1997, section V and figure 5)
func TestStartIndexesTheArray(t *testing.T) {
	const size = 8
	for now := timer.Tick(1000); now < 1000+2*size; now++ {
		for j := timer.Tick(1); j <= size; j++ {
			m := at(basic.Config{MaxInterval: size}, now)
			start(t, m, j, 0, none)
			if got, want := m.Costs(), (timer.Costs{Starts: 1}); got != want {
				t.Fatalf("a start costs %+v, want %+v", got, want)
			}
			list := m.View().Lists[0]
			if want := int((now%size + j) % size); list.Slot != want || list.Timers[0].Stored != uint64(now+j) {
				t.Errorf("pointer at %d, %d units: slot %d holds %d, want slot %d", now%size, j, list.Slot, list.Timers[0].Stored, want)
			}
		}
	}
}

// TestStartAndStopAreConstant: START_TIMER and STOP_TIMER are O(1) for any number
// of timers, also of one slot.
// (1987, section 5; 1997, section V)
func TestStartAndStopAreConstant(t *testing.T) {
	m := at(basic.Config{}, 77)
	for n := range 1000 {
		before := m.Costs()
		h := start(t, m, 20, n, none)
		m.StopTimer(h)
		if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Stops: 1}); got != want {
			t.Fatalf("n = %d: start and stop cost %+v, want %+v", n, got, want)
		}
		start(t, m, 20, n, none)
	}
}

// TestTickIsConstantButForExpiries: PER_TICK_BOOKKEEPING increments the pointer,
// and a tick at which nothing expires costs no more than that, whatever n and
// MaxInterval are: it is the bucket sort in which an empty bucket is nearly free.
// (1987, section 5; 1997, section V)
func TestTickIsConstantButForExpiries(t *testing.T) {
	for _, size := range []timer.Tick{1, 2, 10, 1000} {
		m := at(basic.Config{MaxInterval: size}, 0)
		rng := rand.New(rand.NewPCG(4, uint64(size)))
		for range 3000 {
			for range rng.IntN(4) {
				start(t, m, 1+timer.Tick(rng.Uint64N(uint64(size))), 0, none)
			}
			before := m.Costs()
			expired := uint64(m.PerTickBookkeeping())
			m.ExpiryProcessing(timer.All)
			if got, want := m.Costs().Sub(before), (timer.Costs{Ticks: 1, Visits: expired, Expiries: expired}); got != want {
				t.Fatalf("MaxInterval %d, n = %d: a tick costs %+v, want %+v", size, m.Len(), got, want)
			}
		}
	}
}

// TestEveryIntervalFromEveryPhase: the papers take intervals less than MaxInterval.
// With the pointer's own list emptied in each tick, one of exactly MaxInterval is
// as good, since it goes round once; 0 would be too, and is refused.
// (1987, section 5; 1997, section V)
func TestEveryIntervalFromEveryPhase(t *testing.T) {
	for _, size := range []timer.Tick{1, 2, 3, 8, 21} {
		for _, cfg := range []basic.Config{{MaxInterval: size}, {MaxInterval: size, Overflow: true}} {
			longest := size
			if cfg.Overflow {
				longest = 4*size + 1
			}
			for phase := range size {
				m := at(cfg, 1<<40+phase)
				for j := timer.Tick(1); j <= longest; j++ {
					start(t, m, j, int(j), func(id int) {
						if m.Now() != 1<<40+phase+timer.Tick(id) {
							t.Errorf("%+v, phase %d: %d ran at +%d", cfg, phase, id, m.Now()-1<<40-phase)
						}
					})
				}
				for range longest {
					if got := m.PerTickBookkeeping(); got != 1 {
						t.Errorf("%+v, phase %d: %d expired at %d, want 1", cfg, phase, got, m.Now())
					}
					m.ExpiryProcessing(timer.All)
				}
				if m.Len() != 0 {
					t.Errorf("%+v, phase %d: %d are left", cfg, phase, m.Len())
				}
				for _, j := range []timer.Tick{0, size + 1} {
					_, err := m.StartTimer(j, 0, none)
					if refused := j == 0 || !cfg.Overflow; (err != nil) != refused {
						t.Errorf("%+v, phase %d: interval %d: error %v", cfg, phase, j, err)
					}
				}
			}
		}
	}
}

// TestMaxIntervalBesideDueTimers: a timer of MaxInterval goes to the list whose
// timers have just expired, and wait for their actions. Where a minimum is still in
// use, keys up to Max above it need Max+1 lists, which is Dial's size for Dijkstra's
// algorithm; here the due queue is the one more, so that Max lists will do.
// (1997, section IX)
func TestMaxIntervalBesideDueTimers(t *testing.T) {
	const size = 4
	m := at(basic.Config{MaxInterval: size}, 0)
	var ran []timer.Tick
	var again timer.ExpiryAction[int]
	again = func(left int) {
		ran = append(ran, m.Now())
		if left > 0 {
			start(t, m, size, left-1, again)
		}
	}
	start(t, m, 2, 2, again)
	m.PerTickBookkeeping()
	m.PerTickBookkeeping()
	start(t, m, size, 0, again) // beside the one that is due, and has not run
	v := m.View()
	if len(v.Lists) != 2 || v.Lists[0].Slot != 2 || v.Lists[1].Kind != timer.InDue {
		t.Errorf("view %+v, want a timer in slot 2 and one that is due", v)
	}
	timer.AdvanceTo(m, 20, timer.All)
	if want := []timer.Tick{2, 6, 6, 10}; !slices.Equal(ran, want) {
		t.Errorf("ran at %d, want %d", ran, want)
	}
}

// TestWholeRangeIsInTheArray: the array turns by one element in every tick, not by
// MaxInterval or a half of it at a time as the wheels of simulators do, so that
// whatever is within MaxInterval is in the array, and there is nothing to move.
// (1987, sections 4.2 and 5; 1997, sections IV.B and V)
func TestWholeRangeIsInTheArray(t *testing.T) {
	const size = 256
	for _, interval := range []timer.Tick{1, size / 8, size / 2, size - 1, size} {
		m := at(basic.Config{MaxInterval: size, Overflow: true}, 3)
		for range 2 * size {
			start(t, m, interval, 0, none)
			if got := expiries(m, timer.InOverflow); len(got) != 0 {
				t.Fatalf("interval %d at %d overflows", interval, m.Now())
			}
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		if got := m.Costs().Moves; got != 0 {
			t.Errorf("interval %d: %d moves", interval, got)
		}
	}
}

// TestOverflowIsScheme2: for timers of any length one can have this scheme within
// some range, and Scheme 2 beyond. A timer of one more than MaxInterval waits in the
// ordered list, and moves to the array in the next tick.
// (1987, section 5; 1997, section V)
func TestOverflowIsScheme2(t *testing.T) {
	const size, now = 10, 1003
	m := at(basic.Config{MaxInterval: size, Overflow: true}, now)
	for _, interval := range []timer.Tick{size, 35, 12, 20, size + 1} {
		start(t, m, interval, int(interval), none)
	}
	// 35 met none, 12 and 11 the first of the list, 20 two.
	if got, want := m.Costs(), (timer.Costs{Starts: 5, Compares: 0 + 1 + 2 + 1}); got != want {
		t.Errorf("the starts cost %+v, want %+v", got, want)
	}
	if got := m.View().Levels; !slices.Equal(got, []int{size}) {
		t.Errorf("levels %d, want the %d lists of the array", got, size)
	}
	for _, want := range []struct {
		expired           int
		visits, moves     uint64
		waiting, overflow []timer.Tick
	}{
		{0, 2, 1, []timer.Tick{size, size + 1}, []timer.Tick{12, 20, 35}},
		{0, 2, 1, []timer.Tick{size, size + 1, 12}, []timer.Tick{20, 35}},
		{0, 1, 0, []timer.Tick{size, size + 1, 12}, []timer.Tick{20, 35}},
	} {
		before := m.Costs()
		expired := m.PerTickBookkeeping()
		costs := m.Costs().Sub(before)
		waiting, overflow := expiries(m, timer.InStructure), expiries(m, timer.InOverflow)
		slices.Sort(waiting)
		for _, all := range [][]timer.Tick{waiting, overflow} {
			for i := range all {
				all[i] -= now
			}
		}
		if expired != want.expired || costs.Visits != want.visits || costs.Moves != want.moves ||
			!slices.Equal(waiting, want.waiting) || !slices.Equal(overflow, want.overflow) {
			t.Errorf("at +%d: %d expired, costs %+v, %d in the array, %d beyond, want %+v",
				m.Now()-now, expired, costs, waiting, overflow, want)
		}
	}
	timer.AdvanceTo(m, now+100, timer.All)
	if got := m.Costs(); got.Moves != 4 || got.Expiries != 5 || m.Len() != 0 {
		t.Errorf("in the end: costs %+v, %d timers, want 4 moves and 5 expiries", got, m.Len())
	}
}

// TestEachLongTimerMovesOnce: whatever the mix, a timer beyond MaxInterval moves
// once and one within it never; the array holds what is within MaxInterval and the
// list, in order, what is not.
// (1987, section 5; 1997, section V)
func TestEachLongTimerMovesOnce(t *testing.T) {
	for _, size := range []timer.Tick{1, 2, 7, 64} {
		m := at(basic.Config{MaxInterval: size, Overflow: true}, 5)
		rng := rand.New(rand.NewPCG(4, uint64(size)))
		var long uint64
		for step := range 2000 {
			interval := 1 + timer.Tick(rng.IntN(int(3*size)))
			if interval > size {
				long++
			}
			expiry := m.Now() + interval
			start(t, m, interval, step, func(int) {
				if m.Now() != expiry {
					t.Errorf("MaxInterval %d: ran at %d, want %d", size, m.Now(), expiry)
				}
			})
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
			for _, x := range expiries(m, timer.InStructure) {
				if x-m.Now() > size {
					t.Fatalf("MaxInterval %d: %d ticks away, in the array", size, x-m.Now())
				}
			}
			overflow := expiries(m, timer.InOverflow)
			if len(overflow) > 0 && overflow[0]-m.Now() <= size || !slices.IsSorted(overflow) {
				t.Fatalf("MaxInterval %d: the overflow list is %d at %d", size, overflow, m.Now())
			}
		}
		timer.AdvanceTo(m, m.Now()+4*size, timer.All)
		if got := m.Costs(); got.Moves != long || m.Len() != 0 {
			t.Errorf("MaxInterval %d: %d moves of %d long timers, %d timers left", size, got.Moves, long, m.Len())
		}
	}
}

// TestStopInOverflow: STOP_TIMER is O(1) there too.
// (1987, sections 3.2 and 5; 1997, sections III.B and V)
func TestStopInOverflow(t *testing.T) {
	m := at(basic.Config{MaxInterval: 4, Overflow: true}, 0)
	var handles []timer.Handle
	for i := range 100 {
		handles = append(handles, start(t, m, timer.Tick(200-i), i, none))
	}
	before := m.Costs()
	for _, i := range []int{0, 99, 50} {
		m.StopTimer(handles[i])
	}
	if got, want := m.Costs().Sub(before), (timer.Costs{Stops: 3}); got != want {
		t.Errorf("the stops cost %+v, want %+v", got, want)
	}
	if got := expiries(m, timer.InOverflow); len(got) != 97 || !slices.IsSorted(got) {
		t.Errorf("the overflow list is %d", got)
	}
}

// TestFirstStartedFirstRun is the package's promise. The papers insert at the head
// of a list, which would run the last started first; the package's lists are
// circular, and take a timer at the rear. One from the overflow list comes to its
// slot before any that could be started beside it.
// (1987, section 5 and figure 8; 1997, section V and figure 5)
func TestFirstStartedFirstRun(t *testing.T) {
	m := at(basic.Config{MaxInterval: 5, Overflow: true}, 0)
	var ran []int
	action := func(id int) { ran = append(ran, id) }
	start(t, m, 9, 1, action) // beyond
	start(t, m, 9, 2, action)
	moved := start(t, m, 9, 3, action)
	for range 4 {
		m.PerTickBookkeeping()
	}
	start(t, m, 5, 4, action)
	m.PerTickBookkeeping()
	start(t, m, 4, 5, action)
	if err := m.ResetTimer(moved, 4); err != nil { // a reset is a start
		t.Fatal(err)
	}
	var ids []int
	for _, x := range m.View().Lists[0].Timers {
		ids = append(ids, x.ID)
	}
	timer.AdvanceTo(m, 9, timer.All)
	if want := []int{1, 2, 4, 5, 3}; !slices.Equal(ran, want) || !slices.Equal(ids, want) {
		t.Errorf("ran %d, in the list %d, want %d", ran, ids, want)
	}
}

// TestBoundedMonotonePriorityQueue: where every key is at most Max above the last
// minimum, the circular array is a priority queue. The keys come out in the order
// in which any other queue gives them.
// (1997, section IX)
func TestBoundedMonotonePriorityQueue(t *testing.T) {
	const longest = 50
	m := at(basic.Config{MaxInterval: longest}, 0)
	rng := rand.New(rand.NewPCG(4, 9))
	var waiting, out []timer.Tick
	insert := func(key timer.Tick) {
		waiting = append(waiting, key)
		slices.Sort(waiting)
		start(t, m, key-m.Now(), 0, func(int) { out = append(out, m.Now()) })
	}
	insert(1)
	for range 3000 {
		timer.AdvanceTo(m, waiting[0], 1) // the least
		least := waiting[0]
		waiting = waiting[1:]
		if len(out) != 1 || out[0] != least {
			t.Fatalf("the queue gives %d, want %d", out, least)
		}
		out = out[:0]
		for len(waiting) == 0 || len(waiting) < 100 && rng.IntN(2) == 0 {
			insert(m.Now() + 1 + timer.Tick(rng.IntN(longest)))
		}
	}
}

// TestIdle: what is idle ends before the next slot that holds timers, and before
// the head of the overflow list comes to the array.
func TestIdle(t *testing.T) {
	const size = 100
	for _, now := range []timer.Tick{0, 1, size - 1, size, 12345, timer.MaxTick - 5*size} {
		m := at(basic.Config{MaxInterval: size, Overflow: true}, now)
		check := func(idle timer.Tick) {
			t.Helper()
			if got := m.IdleTicks(); got != idle {
				t.Errorf("at %d: %d idle ticks, want %d", m.Now(), got, idle)
			}
		}
		check(timer.MaxTick - now)
		start(t, m, 3*size, 0, none)
		check(2*size - 1) // then it moves
		h := start(t, m, size, 0, none)
		check(size - 1)
		m.StopTimer(h)
		check(2*size - 1)
		m.SkipTicks(2*size - 1)
		check(0)
		if m.PerTickBookkeeping() != 0 || m.Costs().Moves != 1 {
			t.Errorf("at %d: costs %+v, want a move", m.Now(), m.Costs())
		}
		check(size - 1)
		m.SkipTicks(size - 1)
		if m.PerTickBookkeeping() != 1 || m.Now() != now+3*size {
			t.Errorf("expired at %d, want %d", m.Now(), now+3*size)
		}
	}
}

// TestEndOfTheClock: there is no tick after the last, for either list.
func TestEndOfTheClock(t *testing.T) {
	m := at(basic.Config{MaxInterval: 7, Overflow: true}, timer.MaxTick-20)
	if _, err := m.StartTimer(21, 0, none); err == nil {
		t.Error("a timer beyond the last tick is taken")
	}
	start(t, m, 20, 0, none)
	timer.AdvanceTo(m, timer.MaxTick-7, timer.All)
	start(t, m, 7, 0, none)
	if _, err := m.StartTimer(8, 0, none); err == nil {
		t.Error("a timer beyond the last tick is taken")
	}
	timer.AdvanceTo(m, timer.MaxTick, timer.All)
	if got := m.Costs(); got.Expiries != 2 || got.Moves != 1 || m.Len() != 0 || m.IdleTicks() != 0 {
		t.Errorf("costs %+v, %d timers, want 2 expiries and a move", got, m.Len())
	}
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	type bad struct {
		config basic.Config
		want   string
	}
	var all []bad
	for _, size := range []timer.Tick{1 << 26, 1 << 40, 1 << 62, timer.MaxTick} {
		all = append(all, bad{basic.Config{MaxInterval: size}, fmt.Sprintf("MaxInterval %d is not from 1 to %d", size, 1<<26-1)})
	}
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		all = append(all, bad{basic.Config{Capacity: capacity}, fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)})
	}
	for _, c := range all {
		m, err := basic.New[int](c.config)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v, want the error %q", c.config, m, err, c.want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := basic.New[string](basic.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.View().Levels; !slices.Equal(got, []int{4096}) || m.MaxInterval() != 4096 {
		t.Errorf("levels %d, MaxInterval %d, want 4096", got, m.MaxInterval())
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
	for _, cfg := range []basic.Config{{MaxInterval: 20}, {MaxInterval: 10, Overflow: true}} {
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
