package unordered_test

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
	unordered "github.com/timerfacility/timer/scheme1_unordered"
)

// The tests of this file go by the sentences of the papers on Scheme 1: section
// 3.1 in 1987, III.A in 1997. Those after them go by the package's own.

// both are the two ways to keep time that section 3.1 leaves open.
var both = []unordered.Config{{}, {Compare: true}}

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// TestTickDecrementsEveryTimer: PER_TICK_BOOKKEEPING decrements every outstanding
// timer, so that its cost is n in every tick, neither more nor less.
// (1987, section 3.1 and figure 4; 1997, section III.A and table II)
func TestTickDecrementsEveryTimer(t *testing.T) {
	for _, cfg := range both {
		for n := 1; n <= 1<<12; n *= 4 {
			m := at(cfg, 0)
			handles := make([]timer.Handle, n)
			for i := range handles {
				handles[i] = start(t, m, timer.Tick(1000+i), i, none)
			}
			for range 10 {
				before := m.Costs()
				m.PerTickBookkeeping()
				if got, want := m.Costs().Sub(before), (timer.Costs{Ticks: 1, Visits: uint64(n)}); got != want {
					t.Fatalf("%+v, n = %d: a tick costs %+v, want %+v", cfg, n, got, want)
				}
			}
			m.StopTimer(handles[0])
			before := m.Costs()
			m.PerTickBookkeeping()
			if got := m.Costs().Sub(before).Visits; got != uint64(n-1) {
				t.Errorf("%+v: %d visits with %d timers left", cfg, got, n-1)
			}
		}
	}
}

// TestStartAndStopLookAtNoOtherTimer: START_TIMER and STOP_TIMER are O(1),
// however many timers there are.
// (1987, section 3.1 and figure 4; 1997, section III.A and table II)
func TestStartAndStopLookAtNoOtherTimer(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		for n := range 1 << 10 {
			before := m.Costs()
			h := start(t, m, timer.Tick(1+n*37%1000), n, none)
			m.StopTimer(h)
			if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Stops: 1}); got != want {
				t.Fatalf("%+v, n = %d: start and stop cost %+v, want %+v", cfg, n, got, want)
			}
			start(t, m, 2000, n, none)
		}
	}
}

// TestRecordHoldsWhatRemains: START_TIMER stores the interval, and every tick takes
// one from it; a timer that comes to zero expires.
// (1987, section 3.1; 1997, section III.A)
func TestRecordHoldsWhatRemains(t *testing.T) {
	m := at(unordered.Config{}, 100)
	start(t, m, 7, 1, none)
	start(t, m, 90, 2, none)
	start(t, m, 1, 3, none)
	if got, want := stored(m), []uint64{7, 90, 1}; !slices.Equal(got, want) {
		t.Errorf("stored %d, want %d", got, want)
	}
	if expired := m.PerTickBookkeeping(); expired != 1 {
		t.Errorf("%d expired, want 1", expired)
	}
	if got, want := stored(m), []uint64{6, 89}; !slices.Equal(got, want) {
		t.Errorf("a tick later: stored %d, want %d", got, want)
	}
	due := m.View().Lists[1]
	if due.Kind != timer.InDue || len(due.Timers) != 1 || due.Timers[0].ID != 3 || due.Timers[0].Stored != 101 {
		t.Errorf("due: %+v, want timer 3, of tick 101", due)
	}
}

// TestCompareInsteadOfDecrement: a record may hold the absolute time instead, which
// the tick compares with the time of day: n reads where there were n writes.
// (1987, section 3.1; 1997, section III.A)
func TestCompareInsteadOfDecrement(t *testing.T) {
	m := at(unordered.Config{Compare: true}, 100)
	for i, interval := range []timer.Tick{7, 90, 3} {
		start(t, m, interval, i, none)
	}
	for range 2 {
		if got, want := stored(m), []uint64{107, 190, 103}; !slices.Equal(got, want) {
			t.Errorf("at %d: stored %d, want %d", m.Now(), got, want)
		}
		m.PerTickBookkeeping()
	}
}

// stored is what the records hold, in the order of the list.
func stored(m *unordered.List[int]) []uint64 {
	var numbers []uint64
	for _, list := range m.View().Lists {
		if list.Kind == timer.InStructure {
			for _, x := range list.Timers {
				numbers = append(numbers, x.Stored)
			}
		}
	}
	return numbers
}

// TestDecrementAndCompareAgree: which of the two it is changes nothing that a
// client sees, nor what is counted.
// (1987, section 3.1; 1997, section III.A)
func TestDecrementAndCompareAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1987, 1))
	var ran [2][]string
	var modules [2]*unordered.List[int]
	var handles [2][]timer.Handle
	for i, cfg := range both {
		modules[i] = at(cfg, 12345)
	}
	for step := range 3000 {
		interval, stop := timer.Tick(1+rng.IntN(50)), rng.IntN(step+1)
		for i, m := range modules {
			handles[i] = append(handles[i], start(t, m, interval, step, func(id int) {
				ran[i] = append(ran[i], fmt.Sprint(id, " at ", m.Now()))
			}))
			if step%3 == 0 {
				m.StopTimer(handles[i][stop])
			}
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		if modules[0].Costs() != modules[1].Costs() {
			t.Fatalf("step %d: decrementing costs %+v, comparing %+v", step, modules[0].Costs(), modules[1].Costs())
		}
	}
	if len(ran[0]) < 1000 || !slices.Equal(ran[0], ran[1]) {
		t.Errorf("decrementing ran %d timers, comparing %d, or others", len(ran[0]), len(ran[1]))
	}
}

// TestOneRecordForEachTimer: the scheme keeps one record for each outstanding
// timer and no other structure.
// (1987, section 3.1; 1997, section III.A)
func TestOneRecordForEachTimer(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		for i := range 10 {
			start(t, m, timer.Tick(100-i), i, none)
		}
		v := m.View()
		if !slices.Equal(v.Levels, []int{1}) || len(v.Lists) != 1 || len(v.Lists[0].Timers) != 10 {
			t.Errorf("%+v: view %+v, want one list of 10", cfg, v)
		}
	}
}

// TestDueTimersAreNotVisited: STOP_TIMER is part of the expiry in the paper's tick:
// a timer that has expired is not decremented again while it waits for its action.
// (1987, section 2; 1997, section II)
func TestDueTimersAreNotVisited(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 0)
		for i := range 5 {
			start(t, m, 1, i, none)
		}
		start(t, m, 9, 5, none)
		m.PerTickBookkeeping()
		before := m.Costs()
		m.PerTickBookkeeping()
		if got := m.Costs().Sub(before).Visits; got != 1 {
			t.Errorf("%+v: %d visits with one timer that is not due, want 1", cfg, got)
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

// TestIdleOnlyWhenEmpty: every tick has work while there are timers; while there
// are none, the rest of the clock is idle.
func TestIdleOnlyWhenEmpty(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, timer.MaxTick-10)
		if got := m.IdleTicks(); got != 10 {
			t.Errorf("%+v: %d idle ticks before the end of the clock, want 10", cfg, got)
		}
		h := start(t, m, 10, 0, none)
		if got := m.IdleTicks(); got != 0 {
			t.Errorf("%+v: %d idle ticks with a timer, want 0", cfg, got)
		}
		m.StopTimer(h)
		m.SkipTicks(10)
		if m.Now() != timer.MaxTick || m.IdleTicks() != 0 {
			t.Errorf("%+v: at %d, %d idle ticks", cfg, m.Now(), m.IdleTicks())
		}
	}
}

// TestInquiriesCostNothing: the counts are of the paper's routines alone.
func TestInquiriesCostNothing(t *testing.T) {
	for _, cfg := range both {
		m := at(cfg, 5)
		h := start(t, m, 30, 0, none)
		start(t, m, 20, 1, none)
		before := m.Costs()
		if next, ok := m.NextExpiry(); next != 25 || !ok {
			t.Errorf("%+v: NextExpiry = %d, %t, want 25", cfg, next, ok)
		}
		if expiry, ok := m.ExpiryOf(h); expiry != 35 || !ok {
			t.Errorf("%+v: ExpiryOf = %d, %t, want 35", cfg, expiry, ok)
		}
		if got := m.Costs(); got != before {
			t.Errorf("%+v: inquiries cost %+v", cfg, got.Sub(before))
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		m, err := unordered.New[int](unordered.Config{Capacity: capacity})
		want := fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)
		if m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New = %v, %v, want the error %q", m, err, want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := unordered.New[string](unordered.Config{})
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
