package timer_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// withAndWithoutSkips runs the test on each module, and on it without its optional
// interfaces.
func withAndWithoutSkips(t *testing.T, now timer.Tick, test func(t *testing.T, m timer.Timer[int])) {
	for _, c := range modules {
		t.Run(c.name, func(t *testing.T) { test(t, c.new(now)) })
		t.Run(c.name+"Plain", func(t *testing.T) { test(t, plain{c.new(now)}) })
	}
}

// A run is an action that ran and the time that it saw.
type run struct {
	id  int
	now timer.Tick
}

// TestAdvanceLimit0: it does nothing and returns false.
func TestAdvanceLimit0(t *testing.T) {
	withAndWithoutSkips(t, 0, func(t *testing.T, m timer.Timer[int]) {
		start(t, m, 1, 0, none)
		start(t, m, 3, 1, none)
		m.PerTickBookkeeping()
		for _, target := range []timer.Tick{0, 1, 10} {
			if timer.AdvanceTo(m, target, 0) || m.Now() != 1 || m.Len() != 2 {
				t.Errorf("target %d: at %d, %d timers", target, m.Now(), m.Len())
			}
		}
	})
}

// TestAdvanceOrder: timers that are due already run first; every other action sees
// Now() equal to the tick at which it was due.
func TestAdvanceOrder(t *testing.T) {
	withAndWithoutSkips(t, 1000, func(t *testing.T, m timer.Timer[int]) {
		var ran []run
		note := func(id int) { ran = append(ran, run{id, m.Now()}) }
		for i, interval := range []timer.Tick{1, 3, 4, 300, 4000} {
			start(t, m, interval, i, note)
		}
		for range 3 {
			m.PerTickBookkeeping()
		}
		if !timer.AdvanceTo(m, 5000, timer.All) || m.Now() != 5000 || m.Len() != 0 {
			t.Errorf("at %d, %d timers", m.Now(), m.Len())
		}
		if want := []run{{0, 1003}, {1, 1003}, {2, 1004}, {3, 1300}, {4, 5000}}; !slices.Equal(ran, want) {
			t.Errorf("ran %v, want %v", ran, want)
		}
	})
}

// TestAdvanceTargetNotAhead: it runs what is due and no tick.
func TestAdvanceTargetNotAhead(t *testing.T) {
	withAndWithoutSkips(t, 100, func(t *testing.T, m timer.Timer[int]) {
		for _, c := range []struct {
			back timer.Tick
			due  int
		}{{0, 0}, {0, 1}, {1, 2}, {50, 3}, {50, 0}} {
			for i := range c.due {
				start(t, m, 1, i, none)
			}
			start(t, m, 50, 9, none)
			m.PerTickBookkeeping()
			now, n := m.Now(), m.Len()
			if !timer.AdvanceTo(m, now-c.back, timer.All) {
				t.Errorf("%d ticks back: false", c.back)
			}
			if m.Now() != now || m.Len() != n-c.due {
				t.Errorf("%d ticks back: from %d to %d, %d of %d timers left", c.back, now, m.Now(), m.Len(), n)
			}
		}
	})
}

// TestAdvancePortions: it is false as soon as limit actions ran, even if none is
// left. Called again with the same target it goes on where it stopped, so that the
// portions do not matter.
func TestAdvancePortions(t *testing.T) {
	const timers, target = 40, 500
	for limit := 1; limit <= timers+1; limit += 3 {
		for _, c := range modules {
			for _, m := range []timer.Timer[int]{c.new(0), plain{c.new(0)}} {
				var ran []run
				var want []timer.Tick
				for i := range timers {
					interval := timer.Tick(1 + i/7*i%target)
					want = append(want, interval)
					start(t, m, interval, i, func(id int) { ran = append(ran, run{id, m.Now()}) })
				}
				calls := 1
				for ; ; calls++ {
					before := len(ran)
					done := timer.AdvanceTo(m, target, limit)
					if got := len(ran) - before; done != (got < limit) || got > limit {
						t.Fatalf("%s, limit %d: %t after %d actions", c.name, limit, done, got)
					}
					if done {
						break
					}
				}
				if calls != timers/limit+1 || m.Now() != target || len(ran) != timers {
					t.Errorf("%s, limit %d: %d actions in %d calls, at %d", c.name, limit, len(ran), calls, m.Now())
				}
				for i, r := range ran {
					if r.now != want[r.id] || i > 0 && r.now < ran[i-1].now {
						t.Errorf("%s, limit %d: timer %d of %d ran at %d", c.name, limit, r.id, want[r.id], r.now)
					}
				}
			}
		}
	}
}

// TestAdvanceNegativeLimits: any of them means no limit.
func TestAdvanceNegativeLimits(t *testing.T) {
	const least = -int(^uint(0)>>1) - 1
	for _, limit := range []int{timer.All, -2, -5, least} {
		withAndWithoutSkips(t, 0, func(t *testing.T, m timer.Timer[int]) {
			for i := range 10 {
				start(t, m, timer.Tick(1+i/3), i, none)
			}
			if !timer.AdvanceTo(m, 10, limit) || m.Len() != 0 || m.Now() != 10 {
				t.Errorf("limit %d: at %d, %d timers", limit, m.Now(), m.Len())
			}
		})
	}
}

// TestAdvanceSkips: idle ticks are skipped, so that the cost is that of the ticks at
// which there is something to do.
func TestAdvanceSkips(t *testing.T) {
	for _, c := range modules {
		if c.scheme == 1 || c.name == "HashSorted1" || c.name == "HashUnsorted4" || c.name == "BasicOverflow7" {
			continue // whose ticks have something to do while there are timers, or nearly so
		}
		m := c.new(5)
		start(t, m, 3000, 0, none)
		timer.AdvanceTo(m, 5+3000, timer.All)
		if got := m.Costs(); got.Ticks > 15 || got.Expiries != 1 {
			t.Errorf("%s: costs %+v", c.name, got)
		}
		before := m.Costs()
		timer.AdvanceTo(m, 1<<60, timer.All)
		if m.Now() != 1<<60 || m.Costs() != before {
			t.Errorf("%s: with no timers, at %d, costs %+v", c.name, m.Now(), m.Costs().Sub(before))
		}
	}
}

// TestAdvanceToTheEnd: the last tick is a target like any other.
func TestAdvanceToTheEnd(t *testing.T) {
	withAndWithoutSkips(t, timer.MaxTick-100, func(t *testing.T, m timer.Timer[int]) {
		var ran []timer.Tick
		for _, interval := range []timer.Tick{100, 99, 100} {
			start(t, m, interval, 0, func(int) { ran = append(ran, m.Now()) })
		}
		for range 2 {
			if !timer.AdvanceTo(m, timer.MaxTick, timer.All) || m.Now() != timer.MaxTick {
				t.Errorf("at %d", m.Now())
			}
		}
		if want := []timer.Tick{timer.MaxTick - 1, timer.MaxTick, timer.MaxTick}; !slices.Equal(ran, want) {
			t.Errorf("ran at %d, want %d", ran, want)
		}
	})
}

// TestAdvancePanic: the panic of an action passes through; called again, it goes on.
func TestAdvancePanic(t *testing.T) {
	withAndWithoutSkips(t, 0, func(t *testing.T, m timer.Timer[int]) {
		var ran []run
		note := func(id int) { ran = append(ran, run{id, m.Now()}) }
		start(t, m, 10, 1, note)
		start(t, m, 20, 2, func(id int) { note(id); panic(fmt.Sprint("timer ", id)) })
		start(t, m, 30, 3, note)
		func() {
			defer func() {
				if got := recover(); got != "timer 2" {
					t.Errorf("recovered %v", got)
				}
			}()
			timer.AdvanceTo(m, 40, timer.All)
		}()
		if m.Now() != 20 || m.Len() != 1 {
			t.Errorf("after the panic: at %d, %d timers", m.Now(), m.Len())
		}
		if !timer.AdvanceTo(m, 40, timer.All) {
			t.Error("false")
		}
		if want := []run{{1, 10}, {2, 20}, {3, 30}}; !slices.Equal(ran, want) {
			t.Errorf("ran %v, want %v", ran, want)
		}
	})
}

// TestAdvanceActions: what actions start, stop and reset on the way counts.
func TestAdvanceActions(t *testing.T) {
	withAndWithoutSkips(t, 0, func(t *testing.T, m timer.Timer[int]) {
		var ran []run
		var victim timer.Handle
		var periodic timer.ExpiryAction[int]
		periodic = func(id int) {
			ran = append(ran, run{id, m.Now()})
			if m.Now() == 20 && !m.StopTimer(victim) {
				t.Error("the victim had ended")
			}
			start(t, m, 10, id+1, periodic)
		}
		start(t, m, 10, 0, periodic)
		victim = start(t, m, 21, 99, periodic)
		for range 3 {
			if timer.AdvanceTo(m, 35, 1) {
				t.Error("true after one action of the limit of one")
			}
		}
		if !timer.AdvanceTo(m, 35, 1) || m.Now() != 35 {
			t.Errorf("at %d, want 35", m.Now())
		}
		if want := []run{{0, 10}, {1, 20}, {2, 30}}; !slices.Equal(ran, want) || m.Len() != 1 {
			t.Errorf("ran %v, want %v, %d timers", ran, want, m.Len())
		}
	})
}

// TestAdvanceActionTicks: an action may call PerTickBookkeeping, also beyond the
// target. What becomes due by that runs in the same call.
func TestAdvanceActionTicks(t *testing.T) {
	withAndWithoutSkips(t, 0, func(t *testing.T, m timer.Timer[int]) {
		var ran []int
		note := func(id int) { ran = append(ran, id) }
		start(t, m, 5, 1, func(id int) {
			note(id)
			for range 10 {
				m.PerTickBookkeeping()
			}
		})
		start(t, m, 12, 2, note)
		start(t, m, 16, 3, note)
		if !timer.AdvanceTo(m, 5, timer.All) || m.Now() != 15 || !slices.Equal(ran, []int{1, 2}) {
			t.Errorf("at %d, ran %d, want 1 and 2", m.Now(), ran)
		}
	})
}

// TestAdvanceNoAllocs: it allocates nothing of its own.
func TestAdvanceNoAllocs(t *testing.T) {
	m := must(hierarchical.New[int](hierarchical.Config{}))
	var again timer.ExpiryAction[int]
	again = func(id int) { _, _ = m.StartTimer(timer.Tick(id), id, again) }
	for id := 1; id < 100; id++ {
		again(id)
	}
	timer.AdvanceTo(m, 1000, timer.All)
	if got := testing.AllocsPerRun(100, func() { timer.AdvanceTo(m, m.Now()+10, timer.All) }); got != 0 {
		t.Errorf("%g allocations", got)
	}
}
