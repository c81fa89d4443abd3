package hierarchical_test

import (
	"errors"
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
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// The tests of this file go by the sentences of the papers on Scheme 7: section
// 6.2 in 1987, VI.B in 1997. Those after them go by the package's own.

const minute, hour, day = 60, 3600, 86400

// clock has the papers' levels: seconds, minutes, hours and days.
func clock() []int { return []int{60, 60, 24, 100} }

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// place is the level and the slot of the module's only timer.
func place(t *testing.T, m *hierarchical.Wheel[int]) [2]int {
	t.Helper()
	v := m.View()
	if len(v.Lists) != 1 || len(v.Lists[0].Timers) != 1 || v.Lists[0].Kind != timer.InStructure {
		t.Fatalf("at %d: view %+v, want a timer in a slot", v.Now, v)
	}
	return [2]int{v.Lists[0].Level, v.Lists[0].Slot}
}

// TestSlots: arrays for 100 days, 24 hours, 60 minutes and 60 seconds have 244 slots
// in all, where a single one for every second would need 8.64 million.
// (1987, section 6.2; 1997, section VI.B)
func TestSlots(t *testing.T) {
	m := at(hierarchical.Config{Levels: clock()}, 0)
	slots := 0
	for _, size := range m.View().Levels {
		slots += size
	}
	if slots != 244 || m.MaxInterval() != 8_640_000 {
		t.Errorf("%d slots for %d ticks, want 244 for 8640000", slots, m.MaxInterval())
	}
}

// TestExample: it is 11 d 10:24:30, and a timer is set for 50 minutes and 45
// seconds. It expires at 11 d 11:15:15: one hour ahead in the hour array, from
// where it moves to element 15 of the minute array at 11:00:00, and to element 15 of
// the second array at 11:15:00.
//
// What is left of it beside an element is the low-order part of its absolute time,
// which the record holds whole. (Both papers let the remainder "of the seconds (15)"
// index the minute array, which is that of the minutes.)
// (1987, section 6.2 and figures 10 and 11; 1997, section VI.B and figures 7 and 8)
func TestExample(t *testing.T) {
	const now = 11*day + 10*hour + 24*minute + 30
	const expiry = 11*day + 11*hour + 15*minute + 15
	m := at(hierarchical.Config{Levels: clock()}, now)
	h := start(t, m, 50*minute+45, 0, none)
	for tick := 0; tick < 3045; tick++ {
		want, left := [2]int{2, 11}, uint64(15*minute+15)
		switch {
		case tick >= 3030:
			want, left = [2]int{0, 15}, 0
		case tick >= 2130:
			want, left = [2]int{1, 15}, 15
		}
		if got := place(t, m); got != want {
			t.Fatalf("at +%d: level and slot %d, want %d", tick, got, want)
		}
		unit := []uint64{1, minute, hour}[want[0]]
		if got := m.View().Lists[0].Timers[0].Stored; got != expiry || got%unit != left {
			t.Fatalf("at +%d: the record holds %d, with %d left, want %d and %d", tick, got, got%unit, expiry, left)
		}
		if got, ok := m.ExpiryOf(h); got != expiry || !ok {
			t.Fatalf("at +%d: ExpiryOf = %d, %t, want %d", tick, got, ok, expiry)
		}
		var want2 uint64
		if tick >= 2130 {
			want2++
		}
		if tick >= 3030 {
			want2++
		}
		if got := m.Costs(); got.Moves != want2 || got.Visits != want2 {
			t.Fatalf("at +%d: %d moves in %d visits, want %d", tick, got.Moves, got.Visits, want2)
		}
		if got, want := m.PerTickBookkeeping(), tick/3044; got != want {
			t.Fatalf("at +%d: %d expired, want %d", tick+1, got, want)
		}
	}
	if got, want := m.Costs(), (timer.Costs{Starts: 1, Ticks: 3045, Expiries: 1, Visits: 3, Moves: 2}); got != want {
		t.Errorf("costs %+v, want %+v", got, want)
	}
}

// TestRemainderZero: had there been no minutes in the example, the timer would have
// gone from the hours straight to the seconds; with no seconds either, it expires
// where it is, which is no move.
// (1987, section 6.2; 1997, section VI.B)
func TestRemainderZero(t *testing.T) {
	const now = 11*day + 10*hour + 24*minute + 30
	for _, c := range []struct {
		expiry timer.Tick
		then   [2]int // level and slot at 11:00:00
		moves  uint64
	}{
		{11*day + 11*hour + 15, [2]int{0, 15}, 1},
		{11*day + 11*hour + 15*minute, [2]int{1, 15}, 1},
		{11*day + 11*hour, [2]int{}, 0},
	} {
		m := at(hierarchical.Config{Levels: clock()}, now)
		start(t, m, c.expiry-now, 0, none)
		for m.Now() < 11*day+11*hour {
			m.PerTickBookkeeping()
		}
		if c.moves > 0 {
			if got := place(t, m); got != c.then {
				t.Errorf("expiry %d: level and slot %d, want %d", c.expiry, got, c.then)
			}
		}
		for m.Now() < c.expiry {
			m.PerTickBookkeeping()
		}
		if got := m.Costs(); got.Moves != c.moves || got.Visits != c.moves+1 || got.Expiries != 1 {
			t.Errorf("expiry %d: costs %+v, want %d moves", c.expiry, got, c.moves)
		}
	}
}

// TestExactFromEveryPhase: the slot is a digit of the absolute time at which the timer
// expires. To count 11 hours ahead for an interval of 11 h 15 min 15 s, and store
// the rest of the interval, loses the time that the hands have already gone: it would
// run 24 min 30 s early in the example.
// (1987, section 6.2; 1997, section VI.B)
func TestExactFromEveryPhase(t *testing.T) {
	m := at(hierarchical.Config{Levels: clock()}, 11*day+10*hour+24*minute+30)
	want := m.Now() + 11*hour + 15*minute + 15
	start(t, m, 11*hour+15*minute+15, 0, func(int) {
		if m.Now() != want {
			t.Errorf("ran at %d, want %d", m.Now(), want)
		}
	})
	timer.AdvanceTo(m, want, timer.All)
	if m.Len() != 0 {
		t.Error("did not run")
	}

	for _, levels := range [][]int{{2, 2, 2}, {3, 4, 5}, {4, 8, 2}, {5, 3}, {7}} {
		longest := 1
		for _, size := range levels {
			longest *= size
		}
		for phase := range longest {
			m := at(hierarchical.Config{Levels: levels}, 1<<40+timer.Tick(phase))
			now := m.Now()
			for j := 1; j <= longest; j++ {
				start(t, m, timer.Tick(j), j, func(j int) {
					if m.Now() != now+timer.Tick(j) {
						t.Errorf("levels %d, phase %d: %d ran at +%d", levels, phase, j, m.Now()-now)
					}
				})
			}
			for range longest {
				if got := m.PerTickBookkeeping(); got != 1 {
					t.Fatalf("levels %d, phase %d: %d expired at +%d, want 1", levels, phase, got, m.Now()-now)
				}
				m.ExpiryProcessing(timer.All)
			}
			if _, err := m.StartTimer(timer.Tick(longest+1), 0, none); !errors.Is(err, timer.ErrInterval) {
				t.Errorf("levels %d: interval %d: error %v", levels, longest+1, err)
			}
		}
	}
}

// TestStartAndStopLookAtNoOtherTimer: START_TIMER is O(m), to find one of m arrays,
// and STOP_TIMER is O(1).
// (1987, section 6.2; 1997, section VI.B)
func TestStartAndStopLookAtNoOtherTimer(t *testing.T) {
	for _, levels := range [][]int{nil, clock()} {
		m := at(hierarchical.Config{Levels: levels}, 987870)
		for n := range 1000 {
			interval := timer.Tick(1 + n*n*n%8_000_000)
			before := m.Costs()
			h := start(t, m, interval, n, none)
			m.StopTimer(h)
			if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Stops: 1}); got != want {
				t.Fatalf("n = %d: start and stop cost %+v, want %+v", n, got, want)
			}
			start(t, m, interval, n, none)
		}
	}
}

// TestNoInternalTimers: even with no timers of users the papers keep a 60-second, a
// 60-minute and a 24-hour timer that move the hands. Here the hands are the digits
// of the clock, and an empty wheel has nothing to do until the end of time.
// (1987, section 6.2; 1997, section VI.B)
func TestNoInternalTimers(t *testing.T) {
	m := at(hierarchical.Config{Levels: clock()}, 0)
	if got := m.IdleTicks(); got != timer.MaxTick {
		t.Errorf("%d idle ticks, want %d", got, timer.MaxTick)
	}
	for range 2 * hour {
		m.PerTickBookkeeping()
	}
	if got, want := m.Costs(), (timer.Costs{Ticks: 2 * hour}); got != want {
		t.Errorf("costs %+v, want %+v", got, want)
	}
}

// TestAtMostMMoves: a timer migrates at most m-1 times, from array to array, and is
// visited once more when it expires. Nearly all that are set for up to 99 days in
// days, hours, minutes and seconds take all three moves.
// (1987, section 6.2; 1997, section VI.B)
func TestAtMostMMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const timers = 4000
	var moved [4]int
	for range timers {
		m := at(hierarchical.Config{Levels: clock()}, timer.Tick(rng.Uint64N(100*day)))
		start(t, m, 1+timer.Tick(rng.Uint64N(99*day)), 0, none)
		for m.Len() > 0 {
			m.SkipTicks(m.IdleTicks())
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		costs := m.Costs()
		if costs.Moves > 3 || costs.Visits != costs.Moves+1 || costs.Ticks != costs.Visits {
			t.Fatalf("costs %+v", costs)
		}
		moved[costs.Moves]++
	}
	if got := float64(moved[3]) / timers; math.Abs(got-0.921) > 0.02 || moved[2] < timers/20 {
		t.Errorf("moved 0 to 3 times: %d of %d timers, want 92.1 %% three times", moved, timers)
	}
}

// TestAgainstScheme6: a timer is visited T/M times in its life in Scheme 6, and at
// most m times in Scheme 7. With 256 slots each, Scheme 6 is better for short timers and
// Scheme 7 for long ones; they are even near 1.5 M, long before m M.
// (1987, section 6.2; 1997, section VI.B)
func TestAgainstScheme6(t *testing.T) {
	visits := func(m interface {
		timer.Timer[int]
		timer.Coster
	}, mean int) float64 {
		rng := rand.New(rand.NewPCG(7, uint64(mean)))
		const timers = 1000
		for i := range timers {
			timer.AdvanceTo(m, m.Now()+timer.Tick(rng.IntN(100)), timer.All)
			start(t, m, timer.Tick(1+rng.IntN(2*mean)), i, none)
		}
		timer.AdvanceTo(m, m.Now()+timer.Tick(2*mean), timer.All)
		return float64(m.Costs().Visits) / timers
	}
	for mean, seven := range map[int]bool{16: false, 64: false, 200: false, 1024: true, 4096: true} {
		wheel, err := hashunsorted.New[int](hashunsorted.Config{TableSize: 256})
		if err != nil {
			t.Fatal(err)
		}
		six := visits(wheel, mean)
		if got := visits(at(hierarchical.Config{Levels: []int{64, 64, 64, 64}}, 0), mean); (got < six) != seven || got > 4 {
			t.Errorf("mean %d: Scheme 6 visits a timer %.2f times, Scheme 7 %.2f times", mean, six, got)
		}
	}
}

// nichols are the two ways to give up precision.
var nichols = []hierarchical.Precision{hierarchical.RoundOnce, hierarchical.NoMigration}

// TestNichols: with no migration the precision falls with the level: a timer set in
// hours is rounded to the nearest hour. At most half of a unit is lost, which is up
// to 50 % of the interval. With one migration, from an array to the next finer, it
// is half of the next lower unit: minutes are exact, hours lose half a minute, and
// days half an hour. A timer never runs before now, and always when ExpiryOf says.
// (1987, section 6.2; 1997, section VI.B)
func TestNichols(t *testing.T) {
	units := []timer.Tick{1, minute, hour, day}
	for _, precision := range nichols {
		rng := rand.New(rand.NewPCG(7, uint64(precision)))
		worst := make([]timer.Tick, len(units))
		worstPart := 0.0
		for range 4000 {
			m := at(hierarchical.Config{Levels: clock(), Precision: precision}, timer.Tick(rng.Uint64N(200*day)))
			level := rng.IntN(len(units))
			high := uint64(100 * day)
			if level+1 < len(units) {
				high = uint64(units[level+1])
			}
			interval := units[level] + timer.Tick(rng.Uint64N(high-uint64(units[level])))
			if rng.IntN(4) == 0 {
				interval = units[level] + timer.Tick(rng.IntN(2)) // where a part of the interval is largest
			}
			asked := m.Now() + interval
			h := start(t, m, interval, 0, none)
			expiry, _ := m.ExpiryOf(h)
			if expiry <= m.Now() {
				t.Fatalf("%d: at %d, an interval of %d is rounded to %d", precision, m.Now(), interval, expiry)
			}
			if next, ok := m.NextExpiry(); next != expiry || !ok {
				t.Fatalf("%d: NextExpiry = %d, %t, want %d", precision, next, ok, expiry)
			}
			lost := max(expiry, asked) - min(expiry, asked)
			worst[level] = max(worst[level], lost)
			worstPart = max(worstPart, float64(lost)/float64(interval))

			for m.Len() > 0 {
				m.SkipTicks(m.IdleTicks())
				if m.PerTickBookkeeping() == 1 && m.Now() != expiry {
					t.Fatalf("%d: expired at %d, ExpiryOf was %d", precision, m.Now(), expiry)
				}
				m.ExpiryProcessing(timer.All)
			}
			if got, most := m.Costs().Moves, uint64(hierarchical.NoMigration-precision); got > most {
				t.Fatalf("%d: an interval of %d moved %d times", precision, interval, got)
			}
		}
		want, part := []timer.Tick{0, minute / 2, hour / 2, day / 2}, 0.5
		if precision == hierarchical.RoundOnce {
			want, part = []timer.Tick{0, 0, minute / 2, hour / 2}, 1./48
		}
		for level := range want {
			if worst[level] > want[level] || worst[level] < want[level]*9/10 {
				t.Errorf("%d: level %d loses up to %d s, want %d", precision, level, worst[level], want[level])
			}
		}
		if worstPart > part || worstPart < part*0.9 {
			t.Errorf("%d: up to %.4f of an interval is lost, want %.4f", precision, worstPart, part)
		}
	}
}

// TestNicholsExample: a timer for 1 minute and 30 seconds becomes one for a minute or
// for two, and half a minute is lost.
// (1987, section 6.2; 1997, section VI.B)
func TestNicholsExample(t *testing.T) {
	for now, want := range map[timer.Tick]timer.Tick{0: 2 * minute, 29: 2 * minute, 30: 2 * minute, 59: 2 * minute, 60: 3 * minute} {
		m := at(hierarchical.Config{Levels: clock(), Precision: hierarchical.NoMigration}, now)
		h := start(t, m, minute+30, 0, none)
		if got, _ := m.ExpiryOf(h); got != want {
			t.Errorf("at %d: expires at %d, want %d", now, got, want)
		}
		if got, want := place(t, m), [2]int{1, int(want / minute)}; got != want {
			t.Errorf("at %d: level and slot %d, want %d", now, got, want)
		}
	}
}

// TestNicholsWraps: at 59 s past, 3599 s are set in minutes and rounded up to minute
// 61, whose slot is the one of minute 1. When that comes up the timer stays: it
// neither runs an hour early nor moves, but it is visited where something else makes
// the tick look at the slot.
// (1987, section 6.2; 1997, section VI.B)
func TestNicholsWraps(t *testing.T) {
	for _, neighbour := range []bool{false, true} {
		m := at(hierarchical.Config{Levels: clock(), Precision: hierarchical.NoMigration}, 59)
		h := start(t, m, 3599, 0, none)
		if got, _ := m.ExpiryOf(h); got != 61*minute {
			t.Fatalf("expires at %d, want %d", got, 61*minute)
		}
		if got := place(t, m); got != [2]int{1, 1} {
			t.Fatalf("level and slot %d", got)
		}
		visits := uint64(1)
		if neighbour {
			start(t, m, 1, 1, none)
			visits = 3
		}
		for m.Now() < 61*minute-1 {
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
			if got := place(t, m); got != [2]int{1, 1} {
				t.Fatalf("at %d: level and slot %d", m.Now(), got)
			}
		}
		if m.PerTickBookkeeping() != 1 {
			t.Error("did not expire at minute 61")
		}
		if got := m.Costs(); got.Visits != visits || got.Moves != 0 {
			t.Errorf("with a neighbour %t: costs %+v, want %d visits", neighbour, got, visits)
		}
	}
}

// TestNicholsNextExpiry: levels of different precision do not come up in their order,
// so that the next to expire may be in any of them.
func TestNicholsNextExpiry(t *testing.T) {
	for _, precision := range nichols {
		m := at(hierarchical.Config{Levels: []int{4, 4, 4, 4}, Precision: precision}, 0)
		rng := rand.New(rand.NewPCG(7, 70+uint64(precision)))
		var handles []timer.Handle
		for range 3000 {
			handles = append(handles, start(t, m, timer.Tick(1+rng.IntN(256)), 0, none))
			m.StopTimer(handles[rng.IntN(len(handles))])
			_ = m.ResetTimer(handles[rng.IntN(len(handles))], timer.Tick(1+rng.IntN(256))) // which may have ended
			next, found := timer.MaxTick, false
			for _, h := range handles {
				if expiry, ok := m.ExpiryOf(h); ok && expiry > m.Now() {
					next, found = min(next, expiry), true
				}
			}
			if got, ok := m.NextExpiry(); ok != found || ok && got != next {
				t.Fatalf("%d: NextExpiry = %d, %t, want %d, %t", precision, got, ok, next, found)
			}
			if idle := m.IdleTicks(); found && m.Now()+idle >= next {
				t.Fatalf("%d: %d idle ticks at %d, before %d", precision, idle, m.Now(), next)
			}
			m.SkipTicks(min(m.IdleTicks(), 3))
			due := m.PerTickBookkeeping()
			if (due > 0) != (found && m.Now() == next) {
				t.Fatalf("%d: %d expired at %d, the next was %d", precision, due, m.Now(), next)
			}
			m.ExpiryProcessing(timer.All)
		}
	}
}

// TestNicholsAtTheEndOfTheClock: what would be rounded up beyond the last tick is
// rounded down, and still runs after now.
func TestNicholsAtTheEndOfTheClock(t *testing.T) {
	for _, precision := range nichols {
		for _, levels := range [][]int{nil, clock(), {2, 2, 2}} {
			for back := timer.Tick(1); back < 300; back++ {
				m := at(hierarchical.Config{Levels: levels, Precision: precision}, timer.MaxTick-back)
				h := start(t, m, min(back, m.MaxInterval()), 0, none)
				expiry, _ := m.ExpiryOf(h)
				if expiry <= timer.MaxTick-back {
					t.Fatalf("%d, levels %d: at MaxTick-%d, expires at %d", precision, levels, back, expiry)
				}
				timer.AdvanceTo(m, expiry-1, timer.All)
				if m.Len() != 1 || m.PerTickBookkeeping() != 1 {
					t.Fatalf("%d, levels %d: at MaxTick-%d, did not expire at %d", precision, levels, back, expiry)
				}
			}
		}
	}
}

// TestOneLevelIsScheme4: with a single array there is nothing to migrate between.
func TestOneLevelIsScheme4(t *testing.T) {
	for _, size := range []int{2, 64, 100} {
		scheme4, err := basic.New[int](basic.Config{Now: 99, MaxInterval: timer.Tick(size)})
		if err != nil {
			t.Fatal(err)
		}
		sameCosts(t, at(hierarchical.Config{Levels: []int{size}}, 99), scheme4, size)
	}
}

// A module is what two schemes are compared by.
type module interface {
	timer.Timer[int]
	timer.Coster
}

// sameCosts drives two modules with the same starts, stops and ticks, and holds
// every count to be the same after each.
func sameCosts(t *testing.T, a, b module, longest int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(74, uint64(longest)))
	var handles [2][]timer.Handle
	var ran [2][]string
	for step := range 4000 {
		interval, stop := timer.Tick(1+rng.IntN(longest)), rng.IntN(step+1)
		op := rng.IntN(10)
		for i, m := range []module{a, b} {
			switch {
			case op < 5:
				handles[i] = append(handles[i], start(t, m, interval, step, func(id int) {
					ran[i] = append(ran[i], fmt.Sprint(id, " at ", m.Now()))
				}))
			case op < 7 && len(handles[i]) > 0:
				m.StopTimer(handles[i][stop%len(handles[i])])
			default:
				m.PerTickBookkeeping()
				m.ExpiryProcessing(timer.All)
			}
		}
		if a.Costs() != b.Costs() || a.Len() != b.Len() {
			t.Fatalf("step %d: costs %+v and %+v, %d and %d timers", step, a.Costs(), b.Costs(), a.Len(), b.Len())
		}
	}
	for i := range ran {
		slices.Sort(ran[i]) // the order within a tick is open
	}
	if len(ran[0]) < 100 || !slices.Equal(ran[0], ran[1]) {
		t.Errorf("ran %d and %d timers, or others", len(ran[0]), len(ran[1]))
	}
}

// TestDefault: eight levels of 256 slots, over the whole Tick range. More levels than
// those find no digit.
func TestDefault(t *testing.T) {
	eight := slices.Repeat([]int{256}, 8)
	for _, levels := range [][]int{nil, {}, eight, slices.Repeat([]int{256}, 9), slices.Repeat([]int{256}, 20)} {
		m := at(hierarchical.Config{Levels: levels}, 0)
		if got := m.View().Levels; !slices.Equal(got, eight) || m.MaxInterval() != timer.MaxTick {
			t.Errorf("Levels %d: levels %d, MaxInterval %d", levels, got, m.MaxInterval())
		}
	}
}

// TestEveryBoundary starts a timer on each side of every digit of the clock, from
// each side of every other, to be found by skipping what is idle. It takes a tick
// for each visit and no other, and is exact.
func TestEveryBoundary(t *testing.T) {
	for _, levels := range [][]int{nil, {16, 4, 64, 512}, clock(), slices.Repeat([]int{10}, 20)} {
		m := at(hierarchical.Config{Levels: levels}, 0)
		sizes, bound := m.View().Levels, m.MaxInterval()
		points := []timer.Tick{0, timer.MaxTick - 1}
		unit := timer.Tick(1)
		for _, size := range sizes {
			high, next := bits.Mul64(uint64(unit), uint64(size))
			if high > 0 || next == 0 {
				break
			}
			unit = timer.Tick(next)
			points = append(points, unit-2, unit-1, unit, unit+1, timer.MaxTick-unit, timer.MaxTick-unit+1)
		}
		for _, now := range points {
			for _, interval := range append(points, bound, timer.MaxTick-now) {
				if interval == 0 || interval > min(bound, timer.MaxTick-now) {
					continue
				}
				m := at(hierarchical.Config{Levels: levels}, now)
				start(t, m, interval, 0, none)
				for m.Len() > 0 {
					m.SkipTicks(m.IdleTicks())
					if m.PerTickBookkeeping() == 1 && m.Now() != now+interval {
						t.Fatalf("levels %d: at %d, an interval of %d expired at %d", sizes, now, interval, m.Now())
					}
					m.ExpiryProcessing(timer.All)
				}
				if got := m.Costs(); got.Ticks != got.Visits || got.Moves != got.Visits-1 || int(got.Moves) >= len(sizes) {
					t.Errorf("levels %d: at %d, an interval of %d costs %+v", sizes, now, interval, got)
				}
			}
		}
	}
}

// TestIdleAfterStop: what is idle is known to the tick again after the timer has
// stopped that ended it, wherever the next one is.
func TestIdleAfterStop(t *testing.T) {
	for _, levels := range [][]int{{3, 4, 3}, {4, 4, 2}, {7}} {
		bound := at(hierarchical.Config{Levels: levels}, 0).MaxInterval()
		for now := range bound {
			for j := timer.Tick(1); j <= bound; j++ {
				m := at(hierarchical.Config{Levels: levels}, now)
				start(t, m, j, 0, none)
				for m.Len() > 0 {
					if expiry, ok := m.NextExpiry(); expiry != now+j || !ok {
						t.Fatalf("levels %d, at %d: NextExpiry = %d, %t, want %d", levels, m.Now(), expiry, ok, now+j)
					}
					m.StopTimer(start(t, m, 1, 1, none))
					m.SkipTicks(m.IdleTicks())
					m.PerTickBookkeeping()
					m.ExpiryProcessing(timer.All)
				}
				if got := m.Costs(); m.Now() != now+j || got.Ticks != got.Visits {
					t.Fatalf("levels %d, at %d: an interval of %d expired at %d, costs %+v", levels, now, j, m.Now(), got)
				}
				m.StopTimer(start(t, m, 1, 1, none))
				if got := m.IdleTicks(); got != timer.MaxTick-m.Now() {
					t.Fatalf("levels %d: %d idle ticks at %d, with no timer", levels, got, m.Now())
				}
			}
		}
	}
}

// TestNoTickInVain: where no timer is stopped, each tick that IdleTicks does not let pass
// finds a timer to visit, whatever the precision.
func TestNoTickInVain(t *testing.T) {
	for _, levels := range [][]int{{2, 2, 2, 2, 2}, {3, 2, 4}, {4, 4, 4}, nil} {
		for _, precision := range []hierarchical.Precision{hierarchical.Exact, hierarchical.RoundOnce, hierarchical.NoMigration} {
			rng := rand.New(rand.NewPCG(7, 9))
			for range 500 {
				m := at(hierarchical.Config{Levels: levels, Precision: precision}, timer.Tick(rng.IntN(100)))
				bound := min(m.MaxInterval(), 1<<20)
				for range 1 + rng.IntN(4) {
					start(t, m, 1+timer.Tick(rng.Uint64N(uint64(bound))), 0, none)
				}
				for m.Len() > 0 {
					m.SkipTicks(m.IdleTicks())
					before := m.Costs().Visits
					m.PerTickBookkeeping()
					m.ExpiryProcessing(timer.All)
					if m.Costs().Visits == before {
						t.Fatalf("levels %d, precision %d: a tick to %d in vain", levels, precision, m.Now())
					}
				}
			}
		}
	}
}

// TestSkipTicksIsTicks holds a module that skips what is idle to one that ticks.
func TestSkipTicksIsTicks(t *testing.T) {
	for _, levels := range [][]int{nil, {4, 4, 4, 4}, {3, 5, 2, 7}} {
		for _, now := range []timer.Tick{0, 1<<16 - 1000, 1<<32 - 1000, timer.MaxTick - 20000} {
			skips := at(hierarchical.Config{Levels: levels}, now)
			ticks := at(hierarchical.Config{Levels: levels}, now)
			rng := rand.New(rand.NewPCG(7, uint64(now)))
			var handles []timer.Handle
			for range 600 {
				interval := timer.Tick(1 + rng.IntN(200))
				h := start(t, skips, interval, 0, none)
				if start(t, ticks, interval, 0, none) != h {
					t.Fatal("the modules differ in handles")
				}
				handles = append(handles, h)
				for _, m := range []*hierarchical.Wheel[int]{skips, ticks} {
					m.StopTimer(handles[rng.IntN(len(handles))/2])
				}
				handles = slices.DeleteFunc(handles, func(h timer.Handle) bool {
					_, a := skips.ExpiryOf(h)
					_, b := ticks.ExpiryOf(h)
					if !a && b {
						ticks.StopTimer(h)
					}
					if a && !b {
						skips.StopTimer(h)
					}
					return !a || !b
				})
				for range rng.IntN(30) {
					if idle := skips.IdleTicks(); idle > 0 {
						skips.SkipTicks(1)
						if ticks.PerTickBookkeeping() != 0 {
							t.Fatalf("levels %d: a timer expired in an idle tick, at %d", levels, ticks.Now())
						}
						continue
					}
					if a, b := skips.PerTickBookkeeping(), ticks.PerTickBookkeeping(); a != b {
						t.Fatalf("levels %d, at %d: %d and %d expired", levels, ticks.Now(), a, b)
					}
				}
				skips.ExpiryProcessing(timer.All)
				ticks.ExpiryProcessing(timer.All)
			}
			a, b := skips.Costs(), ticks.Costs()
			if a.Ticks, b.Ticks = 0, 0; a != b {
				t.Errorf("levels %d: costs %+v and %+v", levels, a, b)
			}
		}
	}
}

// TestPutOff: a timer that is put off stays where it is. When its slot comes up it is
// visited, put in its place, and has not moved; it expires at its new tick, exactly.
func TestPutOff(t *testing.T) {
	m := at(hierarchical.Config{}, 0)
	h := start(t, m, 1000, 0, none)
	for m.Now() < 400 {
		m.PerTickBookkeeping()
	}
	was := place(t, m)
	if err := m.ResetTimer(h, 1000); err != nil { // 600 were left
		t.Fatal(err)
	}
	if got := place(t, m); got != was || was != [2]int{1, 3} {
		t.Errorf("put off: level and slot %d, was %d", got, was)
	}
	if got := m.View().Lists[0].Timers[0]; got.Expiry != 1400 || got.Stored != 1400 {
		t.Errorf("put off: %+v, want expiry 1400", got)
	}
	if got, want := m.Costs(), (timer.Costs{Starts: 2, Stops: 1, Ticks: 400}); got != want {
		t.Errorf("put off: costs %+v, want %+v", got, want)
	}
	for m.Now() < 3*256 {
		m.PerTickBookkeeping()
	}
	if got := m.Costs(); got.Visits != 1 || got.Moves != 0 {
		t.Errorf("its old slot came up: costs %+v, want a visit and no move", got)
	}
	if got := place(t, m); got != [2]int{1, 5} {
		t.Errorf("its old slot came up: level and slot %d, want slot 5", got)
	}
	for m.Now() < 1400 {
		if m.Len() != 1 || len(m.View().Lists) != 1 || m.View().Lists[0].Kind != timer.InStructure {
			t.Fatalf("at %d: view %+v", m.Now(), m.View())
		}
		m.PerTickBookkeeping()
	}
	if got, want := m.Costs(), (timer.Costs{Starts: 2, Stops: 1, Ticks: 1400, Visits: 3, Moves: 1, Expiries: 1}); got != want {
		t.Errorf("expired: costs %+v, want %+v", got, want)
	}
}

// TestPutOffByAUnit: a timer that is put off to the very tick at which the slot after
// its own comes up does not migrate when its own does. One that is reset to the tick at
// which it expires anyway stays where it is, too.
func TestPutOffByAUnit(t *testing.T) {
	m := at(hierarchical.Config{}, 0)
	h := start(t, m, 1000, 0, none)
	for m.Now() < 700 {
		m.PerTickBookkeeping()
	}
	for _, interval := range []timer.Tick{300, 324, 324} { // to 1000 as it is, and to 4*256
		if err := m.ResetTimer(h, interval); err != nil {
			t.Fatal(err)
		}
		if got := place(t, m); got != [2]int{1, 3} {
			t.Errorf("put off to %d: level and slot %d, want level 1, slot 3", 700+interval, got)
		}
	}
	for m.Now() < 3*256 {
		m.PerTickBookkeeping()
	}
	if got := m.Costs(); got.Visits != 1 || got.Moves != 0 {
		t.Errorf("its old slot came up: costs %+v, want a visit and no move", got)
	}
	if got := place(t, m); got != [2]int{1, 4} {
		t.Errorf("its old slot came up: level and slot %d, want level 1, slot 4", got)
	}
}

// TestCurrentSlotComesLast: a timer that is further away than the top level's current
// turn waits in the current slot, which nobody visits until it comes up again.
func TestCurrentSlotComesLast(t *testing.T) {
	for _, levels := range [][]int{{4, 4}, {3, 5}} {
		unit := timer.Tick(levels[0])
		bound := unit * timer.Tick(levels[1])
		for now := range 2 * bound {
			m := at(hierarchical.Config{Levels: levels}, now)
			expiry := (now/unit)*unit + bound // the first tick of the current slot, a turn later
			start(t, m, expiry-now, 0, none)
			for m.Now() < expiry-1 {
				m.StopTimer(start(t, m, 1, 1, none)) // which leaves something in the slot
				start(t, m, 1, 1, none)
				m.PerTickBookkeeping()
				if got := m.Costs(); got.Visits != got.Ticks || got.Expiries != got.Ticks {
					t.Fatalf("levels %d, from %d: costs %+v at %d, want a visit for each tick", levels, now, got, m.Now())
				}
			}
			m.PerTickBookkeeping()
			if got := m.Costs(); got.Visits != got.Ticks || m.ExpiryProcessing(timer.All) != int(got.Ticks) || m.Len() != 0 {
				t.Fatalf("levels %d, from %d: costs %+v at %d, want a visit for each tick", levels, now, got, m.Now())
			}
		}
	}
}

// TestPutOffLittleByLittle: a server puts off each of its idle timers all the time.
// None of them expires early or late, whatever is done to them, and the earliest is
// known in between.
func TestPutOffLittleByLittle(t *testing.T) {
	for _, levels := range [][]int{nil, {16, 16, 16, 16}, clock()} {
		const n, idle = 3000, 1000
		m := at(hierarchical.Config{Levels: levels}, 12345)
		rng := rand.New(rand.NewPCG(7, 8))
		expiry := make([]timer.Tick, n)
		handles := make([]timer.Handle, n)
		expired := 0
		action := func(id int) {
			if m.Now() != expiry[id] {
				t.Errorf("timer %d expired at %d, want %d", id, m.Now(), expiry[id])
			}
			expired++
			expiry[id] = 0
		}
		for i := range n {
			handles[i], expiry[i] = start(t, m, idle, i, action), m.Now()+idle
		}
		for range 2 * idle {
			for range 8 {
				i := rng.IntN(n)
				interval := timer.Tick(idle/2 + rng.IntN(idle))
				if err := m.ResetTimer(handles[i], interval); (err == nil) != (expiry[i] != 0) {
					t.Fatalf("timer %d, to expire at %d: ResetTimer: %v", i, expiry[i], err)
				} else if err == nil {
					expiry[i] = m.Now() + interval
				}
			}
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
			if m.Now()%64 == 0 {
				want := timer.MaxTick
				for _, e := range expiry {
					if e != 0 {
						want = min(want, e)
					}
				}
				if got, ok := m.NextExpiry(); got != want || !ok {
					t.Fatalf("at %d: NextExpiry = %d, %t, want %d", m.Now(), got, ok, want)
				}
			}
		}
		if expired+m.Len() != n || expired == 0 || m.Len() == 0 {
			t.Errorf("%d expired and %d are left of %d", expired, m.Len(), n)
		}
	}
}

// TestNextExpiryOfThousandsPutOff: they are put in their places on the way, once, at
// no counted cost, and go on as if they had been started there.
func TestNextExpiryOfThousandsPutOff(t *testing.T) {
	const n = 5000
	m := at(hierarchical.Config{}, 0)
	handles := make([]timer.Handle, n)
	for i := range handles {
		handles[i] = start(t, m, timer.Tick(1000+i%500), i, func(i int) {
			if want := timer.Tick(1500 + i%300); m.Now() != want {
				t.Errorf("timer %d ran at %d, want %d", i, m.Now(), want)
			}
		})
	}
	for i, h := range handles {
		if err := m.ResetTimer(h, timer.Tick(1500+i%300)); err != nil {
			t.Fatal(err)
		}
	}
	before := m.Costs()
	for range 2 {
		if next, ok := m.NextExpiry(); next != 1500 || !ok {
			t.Errorf("NextExpiry = %d, %t, want 1500", next, ok)
		}
	}
	if got := m.Costs(); got != before {
		t.Errorf("NextExpiry costs %+v", got.Sub(before))
	}
	for _, list := range m.View().Lists {
		for _, x := range list.Timers {
			if list.Level != 1 || int(x.Expiry/256) != list.Slot {
				t.Fatalf("slot %d of level %d holds %+v", list.Slot, list.Level, x)
			}
		}
	}
	timer.AdvanceTo(m, 1499, timer.All)
	if m.Len() != n {
		t.Errorf("%d expired before their time", n-m.Len())
	}
	timer.AdvanceTo(m, 1799, timer.All)
	if m.Len() != 0 {
		t.Errorf("%d are left", m.Len())
	}
}

// TestRange: StartTimerInRange takes the latest multiple, on the absolute clock, of
// the coarsest unit of which the range holds one, else the latest tick.
func TestRange(t *testing.T) {
	for _, levels := range [][]int{{3, 4, 2}, {4, 4, 4}, {7}, {2, 2, 2, 2}} {
		units := []timer.Tick{1}
		for _, size := range levels {
			units = append(units, units[len(units)-1]*timer.Tick(size))
		}
		bound := units[len(levels)]
		units = units[:len(levels)]
		for now := range 2 * bound {
			m := at(hierarchical.Config{Levels: levels}, now)
			for latest := timer.Tick(1); latest <= bound; latest++ {
				for earliest := timer.Tick(1); earliest <= latest; earliest++ {
					want := now + latest
				coarsest:
					for _, unit := range slices.Backward(units) {
						for tick := now + latest; tick >= now+earliest; tick-- {
							if tick%unit == 0 {
								want = tick
								break coarsest
							}
						}
					}
					h, err := m.StartTimerInRange(earliest, latest, 0, none)
					if err != nil {
						t.Fatal(err)
					}
					if got, _ := m.ExpiryOf(h); got != want {
						t.Fatalf("levels %d, at %d: [%d, %d] gives +%d, want +%d", levels, now, earliest, latest, got-now, want-now)
					}
					m.StopTimer(h)
				}
			}
		}
	}
}

// TestRangeSaves has the migrations that a range saves, also where the start is not
// at a multiple itself, and where the range is far away.
func TestRangeSaves(t *testing.T) {
	for _, c := range []struct {
		now, earliest, latest, want timer.Tick
		moves                       uint64
	}{
		{0, 1000, 1300, 1280, 0},
		{100, 1000, 1300, 1280, 0},
		{1279, 1, 300, 1536, 0},
		{0, 1 << 60, 1<<60 + 1, 1 << 60, 0},
		{1, 1 << 60, 1<<60 + 1, 1<<60 + 2, 1},
		{0, 1 << 20, 1<<20 + 1<<17, 1<<20 + 1<<17, 0},
		{0, 70000, 70100, 70100, 2}, // no multiple of 256: through the levels 2, 1 and 0
		{timer.MaxTick - 1000, 1, 1000, timer.MaxTick - 255, 0},
	} {
		m := at(hierarchical.Config{}, c.now)
		h, err := m.StartTimerInRange(c.earliest, c.latest, 0, none)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := m.ExpiryOf(h); got != c.want {
			t.Errorf("at %d: [%d, %d] gives %d, want %d", c.now, c.earliest, c.latest, got, c.want)
		}
		timer.AdvanceTo(m, c.want, timer.All)
		if got := m.Costs(); got.Moves != c.moves || got.Expiries != 1 {
			t.Errorf("at %d: [%d, %d] costs %+v, want %d moves", c.now, c.earliest, c.latest, got, c.moves)
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	const large = 1 << min(40, bits.UintSize-2)
	type bad struct {
		config hierarchical.Config
		want   string
	}
	levels := func(want string, sizes ...int) bad { return bad{hierarchical.Config{Levels: sizes}, want} }
	all := []bad{
		levels("Levels[0] 1 is not from 2 to 67108864", 1),
		levels("Levels[0] 0 is not from 2 to 67108864", 0),
		levels("Levels[0] -1 is not from 2 to 67108864", -1),
		levels(fmt.Sprintf("Levels[0] %d is not from 2 to 67108864", large), large),
		levels(fmt.Sprintf("Levels[0] %d is not from 2 to 67108864", math.MaxInt), math.MaxInt),
		levels("Levels[2] 1 is not from 2 to 67108604", 256, 4, 1),
		levels("Levels[1] 67108864 is not from 2 to 67108860", 4, 1<<26),
		levels("Levels[8] 1 is not from 2 to 67106816", 256, 256, 256, 256, 256, 256, 256, 256, 1),
	}
	for _, precision := range []hierarchical.Precision{-1, 3, math.MaxInt} {
		all = append(all, bad{hierarchical.Config{Precision: precision}, fmt.Sprintf("Precision %d is not from 0 to 2", precision)})
	}
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		all = append(all, bad{hierarchical.Config{Capacity: capacity}, fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)})
	}
	for _, c := range all {
		m, err := hierarchical.New[int](c.config)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v, want the error %q", c.config, m, err, c.want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := hierarchical.New[string](hierarchical.Config{})
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
	for _, cfg := range []hierarchical.Config{
		{},
		{Levels: []int{4, 5}},
		{Levels: []int{4, 5}, Precision: hierarchical.RoundOnce},
		{Precision: hierarchical.NoMigration},
	} {
		m := at(cfg, timer.MaxTick-20)
		h := start(t, m, 15, 1, none)
		stopped := start(t, m, 15, 2, none)
		m.StopTimer(stopped)
		view, costs := m.View(), m.Costs()
		inRange := func(earliest, latest timer.Tick, match error) func() bool {
			return func() bool {
				_, err := m.StartTimerInRange(earliest, latest, 9, none)
				return errors.Is(err, match)
			}
		}
		refused := map[string]func() bool{
			"start 0":          func() bool { _, err := m.StartTimer(0, 9, none); return err != nil },
			"start 21":         func() bool { _, err := m.StartTimer(21, 9, none); return err != nil },
			"start no action":  func() bool { _, err := m.StartTimer(5, 9, nil); return err != nil },
			"range 0 to 5":     inRange(0, 5, timer.ErrInterval),
			"range 0 to 0":     inRange(0, 0, timer.ErrInterval),
			"range 6 to 5":     inRange(6, 5, timer.ErrInterval),
			"range 5 to 21":    inRange(5, 21, timer.ErrInterval),
			"range to MaxTick": inRange(5, timer.MaxTick, timer.ErrInterval),
			"range no action": func() bool {
				_, err := m.StartTimerInRange(5, 6, 9, nil)
				return errors.Is(err, timer.ErrNoAction)
			},
			"stop 0":        func() bool { return !m.StopTimer(0) },
			"stop stopped":  func() bool { return !m.StopTimer(stopped) },
			"stop invented": func() bool { return !m.StopTimer(1<<63 | 1<<32 | 77) },
			"reset stopped": func() bool { return m.ResetTimer(stopped, 5) != nil },
			"reset to 0":    func() bool { return m.ResetTimer(h, 0) != nil },
			"reset to 21":   func() bool { return m.ResetTimer(h, 21) != nil },
		}
		for name, f := range refused {
			if !f() {
				t.Errorf("%+v: %s is not refused", cfg, name)
			}
			if !reflect.DeepEqual(m.View(), view) || m.Costs() != costs {
				t.Errorf("%+v: %s changed the module from %+v, %+v to %+v, %+v", cfg, name, view, costs, m.View(), m.Costs())
			}
		}
		for _, c := range []struct {
			earliest, latest timer.Tick
			want             string
		}{
			{0, 5, "earliest 0 is not from 1 to latest 5"},
			{6, 5, "earliest 6 is not from 1 to latest 5"},
			{5, 21, "21 is not from 1 to 20"},
		} {
			if _, err := m.StartTimerInRange(c.earliest, c.latest, 0, none); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("[%d, %d]: error %v, want %q", c.earliest, c.latest, err, c.want)
			}
		}
	}
}

// With NoMigration the next slot may be in any level, and a level without timers
// between two with them is passed over: IdleTicks is exact there, too.
func TestIdleAcrossAnEmptyLevel(t *testing.T) {
	w, err := hierarchical.New[int](hierarchical.Config{Levels: []int{60, 60, 24}, Precision: hierarchical.NoMigration})
	if err != nil {
		t.Fatal(err)
	}
	for _, interval := range []timer.Tick{7, 2 * 3600} {
		if _, err := w.StartTimer(interval, 0, func(int) {}); err != nil {
			t.Fatal(err)
		}
	}
	for w.Len() > 0 {
		next, ok := w.NextExpiry()
		if idle := w.IdleTicks(); !ok || w.Now()+idle+1 != next {
			t.Fatalf("at tick %d: IdleTicks() = %d, and the next expiry is %d", w.Now(), idle, next)
		}
		w.SkipTicks(w.IdleTicks())
		w.PerTickBookkeeping()
		w.ExpiryProcessing(timer.All)
	}
}

// TestLevelsOfTwo: 64 levels of two slots cover the Tick range, and a timer in the
// coarsest one comes up at its tick.
func TestLevelsOfTwo(t *testing.T) {
	const half = timer.Tick(1) << 63
	for past := range timer.Tick(4) {
		m, err := hierarchical.New[int](hierarchical.Config{Now: half - 5, Levels: slices.Repeat([]int{2}, 64)})
		if err != nil {
			t.Fatal(err)
		}
		var ran timer.Tick
		start(t, m, 5+past, 1, func(int) { ran = m.Now() })
		timer.AdvanceTo(m, half+10, timer.All)
		if ran != half+past {
			t.Errorf("the timer for 2^63+%d ran at %d", past, ran)
		}
	}
}

// TestRoundedToTheLastTick: a timer is rounded up to the largest Tick where that is the
// begin of a unit, which it is for units of three.
func TestRoundedToTheLastTick(t *testing.T) {
	m, err := hierarchical.New[int](hierarchical.Config{Now: timer.MaxTick - 10, Levels: []int{3, 100}, Precision: hierarchical.NoMigration})
	if err != nil {
		t.Fatal(err)
	}
	for interval, want := range map[timer.Tick]timer.Tick{7: timer.MaxTick - 3, 8: timer.MaxTick - 3, 9: timer.MaxTick, 10: timer.MaxTick} {
		h := start(t, m, interval, 1, none)
		if expiry, _ := m.ExpiryOf(h); expiry != want {
			t.Errorf("a timer for MaxTick-%d expires at MaxTick-%d, want MaxTick-%d", 10-interval, timer.MaxTick-expiry, timer.MaxTick-want)
		}
	}
}
