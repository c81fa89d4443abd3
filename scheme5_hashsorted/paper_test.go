package hashsorted_test

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
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
)

// The tests of this file go by the sentences of the papers on Scheme 5: section
// 6.1.1 in 1987, VI.A in 1997. Those after them go by the package's own.

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// TestLowOrderBitsAreTheSlot: with a table of 256 and a timer of 32 bits whose low
// 8 bits are 20, when the pointer is at 10, the timer goes to the list of element
// 30. The other 24 bits are kept in the record: here within the absolute expiry.
// (1987, section 6.1 and figure 9; 1997, section VI.A and figure 6)
func TestLowOrderBitsAreTheSlot(t *testing.T) {
	const now = 5<<8 | 10
	for _, high := range []timer.Tick{0, 1, 2, 77, 1<<24 - 1} {
		m := at(hashsorted.Config{TableSize: 256}, now)
		start(t, m, high<<8|20, 0, none)
		list := m.View().Lists[0]
		if list.Slot != 30 {
			t.Errorf("high bits %d: slot %d, want 30", high, list.Slot)
		}
		if got, want := list.Timers[0].Stored, uint64(high+5)<<8|30; got != want {
			t.Errorf("high bits %d: the record holds %#x, want %#x", high, got, want)
		}
	}
}

// TestExactMultiples: the papers store j div TableSize in a record and decrement it
// at each visit, which is a revolution late or early at multiples of the table size,
// whichever of the two one does first. A timer of j ticks is exact here for every j,
// from every phase.
// (1987, section 6.1; 1997, section VI.A)
func TestExactMultiples(t *testing.T) {
	for _, size := range []int{1, 2, 4, 256} {
		longest := 4*size + 1
		for phase := range size {
			now := 1<<40 + timer.Tick(phase)
			m := at(hashsorted.Config{TableSize: size}, now)
			check := func(j int) {
				if m.Now() != now+timer.Tick(j) {
					t.Errorf("TableSize %d, phase %d: %d ran at +%d", size, phase, j, m.Now()-now)
				}
			}
			for j := 1; j <= longest; j++ {
				start(t, m, timer.Tick(j), j, check)
			}
			for range longest {
				if got := m.PerTickBookkeeping(); got != 1 {
					t.Fatalf("TableSize %d, phase %d: %d expired at +%d, want 1", size, phase, got, m.Now()-now)
				}
				m.ExpiryProcessing(timer.All)
			}
		}
	}
}

// TestStartMeetsALoadFactor: the i-th timer of n meets a list of (i-1)/TableSize on
// average, if the hash spreads the timers over the slots (both papers print
// i - 1/TableSize). So START_TIMER is O(1) on average while n is less than
// TableSize.
// (1987, section 6.1.1; 1997, section VI.A)
func TestStartMeetsALoadFactor(t *testing.T) {
	const size, n, runs = 256, 256, 400
	rng := rand.New(rand.NewPCG(5, 1))
	var all, last uint64
	for range runs {
		m := at(hashsorted.Config{}, 0)
		var before uint64
		for i := range n {
			before = m.Costs().Compares
			start(t, m, timer.Tick(1+i*size+rng.IntN(size)), i, none) // after all that it meets
		}
		all += m.Costs().Compares
		last += m.Costs().Compares - before
	}
	if got, want := float64(all)/(n*runs), (n-1)/(2.*size); math.Abs(got-want) > 0.02 {
		t.Errorf("a timer meets %.3f others on average, want %.3f", got, want)
	}
	if got, want := float64(last)/runs, (n-1)/(1.*size); math.Abs(got-want) > 0.1 {
		t.Errorf("the last meets %.3f others, want %.3f", got, want)
	}
}

// TestSpreadStartsCostNothing: with as many slots as timers and no two in a slot,
// START_TIMER compares with none.
// (1987, section 6.1.1; 1997, section VI.A)
func TestSpreadStartsCostNothing(t *testing.T) {
	m := at(hashsorted.Config{TableSize: 256}, 999)
	for i, j := range rand.New(rand.NewPCG(5, 2)).Perm(256) {
		start(t, m, timer.Tick(1+j+256*(i%7)), i, none)
	}
	if got, want := m.Costs(), (timer.Costs{Starts: 256}); got != want {
		t.Errorf("costs %+v, want %+v", got, want)
	}
}

// TestOneSlotIsTheWorst: START_TIMER is O(n) if all timers hash to one slot, so that
// it depends too much on the hash to be of general use.
// (1987, section 6.1.1 and conclusions; 1997, section VI.A and conclusions)
func TestOneSlotIsTheWorst(t *testing.T) {
	m := at(hashsorted.Config{TableSize: 256}, 3)
	for n := range 500 {
		before := m.Costs()
		start(t, m, timer.Tick(20+256*n), n, none)
		if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Compares: uint64(n)}); got != want {
			t.Fatalf("n = %d: a start costs %+v, want %+v", n, got, want)
		}
	}
}

// TestTickLooksAtTheHead: PER_TICK_BOOKKEEPING is O(1) on average and at worst,
// except for timers that expire together: of the slot's list it looks at the head,
// and at the next after each that expires.
// (1987, section 6.1.1; 1997, section VI.A)
func TestTickLooksAtTheHead(t *testing.T) {
	const size = 8
	m := at(hashsorted.Config{TableSize: size}, 0)
	for n := range 100 {
		start(t, m, timer.Tick(3+size*(2+n/4)), n, none) // slot 3: four in each turn from the third
	}
	tick := func(want timer.Costs) {
		t.Helper()
		before := m.Costs()
		m.PerTickBookkeeping()
		want.Ticks = 1
		if got := m.Costs().Sub(before); got != want {
			t.Errorf("tick %d costs %+v, want %+v", m.Now(), got, want)
		}
	}
	for turn := range 27 {
		for slot := 1; slot <= size; slot++ {
			switch {
			case slot != 3:
				tick(timer.Costs{})
			case turn < 2:
				tick(timer.Costs{Visits: 1}) // the head is not due
			case turn < 26:
				tick(timer.Costs{Visits: 5, Expiries: 4}) // and the next head is not
			default:
				tick(timer.Costs{Visits: 4, Expiries: 4})
			}
		}
	}
}

// TestEveryRecordKeepsItsTime: the papers decrement what the head of a list stores,
// and that alone, which would leave the time of the others wrong. Records hold
// absolute times here: that a head comes and goes does not change the next.
// (1987, section 6.1.1; 1997, section VI.A)
func TestEveryRecordKeepsItsTime(t *testing.T) {
	const size = 4
	m := at(hashsorted.Config{TableSize: size}, 0)
	var ran []timer.Tick
	action := func(int) { ran = append(ran, m.Now()) }
	head := start(t, m, 3*size+1, 0, action)
	start(t, m, 5*size+1, 1, action)
	start(t, m, 7*size+1, 2, action)
	for range size + 2 {
		m.PerTickBookkeeping()
	}
	m.StopTimer(head)
	for i, want := range []uint64{5*size + 1, 7*size + 1} {
		if got := m.View().Lists[0].Timers[i].Stored; got != want {
			t.Errorf("record %d holds %d, want %d", i, got, want)
		}
	}
	timer.AdvanceTo(m, 10*size, timer.All)
	if want := []timer.Tick{5*size + 1, 7*size + 1}; !slices.Equal(ran, want) {
		t.Errorf("ran at %d, want %d", ran, want)
	}
}

// TestStopIsConstant: STOP_TIMER takes a timer out of its list without a search.
// (1987, section 6.1.1; 1997, section VI.A)
func TestStopIsConstant(t *testing.T) {
	m := at(hashsorted.Config{TableSize: 2}, 0)
	handles := make([]timer.Handle, 300)
	for i := range handles {
		handles[i] = start(t, m, timer.Tick(1+i), i, none)
	}
	before := m.Costs()
	for _, i := range []int{0, 299, 150, 1} {
		m.StopTimer(handles[i])
	}
	if got, want := m.Costs().Sub(before), (timer.Costs{Stops: 4}); got != want {
		t.Errorf("the stops cost %+v, want %+v", got, want)
	}
}

// TestBucketsAreSorted: the scheme is a bucket sort by the low-order bits, with an
// insertion sort in each bucket.
// (1987, section 6.1.1; 1997, section VI.A)
func TestBucketsAreSorted(t *testing.T) {
	const size = 4
	m := at(hashsorted.Config{TableSize: size}, 0)
	rng := rand.New(rand.NewPCG(5, 3))
	var handles []timer.Handle
	for step := range 2000 {
		interval := timer.Tick(1 + rng.IntN(30*size))
		switch rng.IntN(5) {
		case 0, 1:
			handles = append(handles, start(t, m, interval, step, none))
		case 2:
			if len(handles) > 0 {
				_ = m.ResetTimer(handles[rng.IntN(len(handles))], interval) // which may have ended
			}
		case 3:
			if len(handles) > 0 {
				m.StopTimer(handles[rng.IntN(len(handles))])
			}
		default:
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		earliest, found := timer.MaxTick, false
		for _, list := range m.View().Lists {
			earliest, found = min(earliest, list.Timers[0].Expiry), true
			for i, x := range list.Timers {
				if int(x.Expiry%size) != list.Slot || i > 0 && list.Timers[i-1].Expiry > x.Expiry {
					t.Fatalf("step %d: slot %d holds %+v", step, list.Slot, list.Timers)
				}
			}
		}
		if next, ok := m.NextExpiry(); ok != found || ok && next != earliest {
			t.Fatalf("step %d: NextExpiry = %d, %t, want the least head, %d, %t", step, next, ok, earliest, found)
		}
	}
}

// TestOneSlotIsScheme2: with an array of size 1, Scheme 5 is Scheme 2.
// (1987, section 6.1.1; 1997, section VI.A)
func TestOneSlotIsScheme2(t *testing.T) {
	for _, longest := range []int{1, 5, 300} {
		scheme2, err := ordered.New[int](ordered.Config{Now: 99})
		if err != nil {
			t.Fatal(err)
		}
		sameCosts(t, at(hashsorted.Config{TableSize: 1}, 99), scheme2, longest, true)
	}
}

// TestLargeTableIsScheme4: with a slot for every interval, Scheme 5 is Scheme 4 but
// that it compares where two timers share an expiry.
func TestLargeTableIsScheme4(t *testing.T) {
	for _, longest := range []int{1, 32, 200} {
		scheme4, err := basic.New[int](basic.Config{Now: 99, MaxInterval: timer.Tick(longest)})
		if err != nil {
			t.Fatal(err)
		}
		sameCosts(t, at(hashsorted.Config{TableSize: 256}, 99), scheme4, longest, false)
	}
	// One that is exactly as large as the largest interval.
	scheme4, err := basic.New[int](basic.Config{Now: 99, MaxInterval: 64})
	if err != nil {
		t.Fatal(err)
	}
	sameCosts(t, at(hashsorted.Config{TableSize: 64}, 99), scheme4, 64, false)
}

// TestFirstStartedFirstRun is the package's promise; the papers leave the order
// open.
func TestFirstStartedFirstRun(t *testing.T) {
	m := at(hashsorted.Config{TableSize: 2}, 0)
	var ran []int
	action := func(id int) { ran = append(ran, id) }
	start(t, m, 6, 1, action)
	moved := start(t, m, 6, 2, action)
	start(t, m, 8, 3, action)
	m.PerTickBookkeeping()
	start(t, m, 5, 4, action)
	if err := m.ResetTimer(moved, 5); err != nil { // a reset is a start
		t.Fatal(err)
	}
	timer.AdvanceTo(m, 10, timer.All)
	if want := []int{1, 4, 2, 3}; !slices.Equal(ran, want) {
		t.Errorf("ran %d, want %d", ran, want)
	}
}

// A module is what two schemes are compared by.
type module interface {
	timer.Timer[int]
	timer.Coster
}

// sameCosts drives two modules with the same starts, stops and ticks, and holds
// every count to be the same after each, but the compares if they are not.
func sameCosts(t *testing.T, a, b module, longest int, compares bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(56, uint64(longest)))
	var handles [2][]timer.Handle
	var ran [2][]int
	for step := range 4000 {
		interval, stop := timer.Tick(1+rng.IntN(longest)), rng.IntN(step+1)
		op := rng.IntN(10)
		for i, m := range []module{a, b} {
			switch {
			case op < 5:
				handles[i] = append(handles[i], start(t, m, interval, step, func(id int) { ran[i] = append(ran[i], id) }))
			case op < 7 && len(handles[i]) > 0:
				m.StopTimer(handles[i][stop%len(handles[i])])
			default:
				m.PerTickBookkeeping()
				m.ExpiryProcessing(int(interval % 4))
			}
		}
		x, y := a.Costs(), b.Costs()
		if !compares {
			x.Compares, y.Compares = 0, 0
		}
		if x != y || a.Len() != b.Len() {
			t.Fatalf("step %d: costs %+v and %+v, %d and %d timers", step, x, y, a.Len(), b.Len())
		}
	}
	if len(ran[0]) < 100 || !slices.Equal(ran[0], ran[1]) {
		t.Errorf("ran %d and %d timers, or others", len(ran[0]), len(ran[1]))
	}
}

func TestIdleEndsAtTheNextBusySlot(t *testing.T) {
	const size = 64
	for _, now := range []timer.Tick{0, 1, size - 1, size, 12345, timer.MaxTick - 5*size} {
		m := at(hashsorted.Config{TableSize: size}, now)
		if got := m.IdleTicks(); got != timer.MaxTick-now {
			t.Errorf("at %d: %d idle ticks with no timer, want %d", now, got, timer.MaxTick-now)
		}
		for j := timer.Tick(1); j <= 3*size; j++ {
			h := start(t, m, j, 0, none)
			if got, want := m.IdleTicks(), (j-1)%size; got != want {
				t.Errorf("at %d, a timer of %d: %d idle ticks, want %d", now, j, got, want)
			}
			m.StopTimer(h)
		}
		start(t, m, 3*size, 0, none)
		for range 3 {
			m.SkipTicks(m.IdleTicks())
			m.PerTickBookkeeping()
		}
		if got := m.Costs(); got.Ticks != 3 || got.Expiries != 1 || m.Now() != now+3*size {
			t.Errorf("at %d: costs %+v, want an expiry in the third tick", m.Now(), got)
		}
	}
}

// TestEndOfTheClock: there is no tick after the last, and no round either.
func TestEndOfTheClock(t *testing.T) {
	for _, size := range []int{1, 4, 256} {
		m := at(hashsorted.Config{TableSize: size}, timer.MaxTick-600)
		if _, err := m.StartTimer(601, 0, none); err == nil {
			t.Error("a timer beyond the last tick is taken")
		}
		h := start(t, m, 600, 0, none)
		if expiry, _ := m.ExpiryOf(h); expiry != timer.MaxTick {
			t.Errorf("TableSize %d: expires at %d", size, expiry)
		}
		if next, ok := m.NextExpiry(); next != timer.MaxTick || !ok {
			t.Errorf("TableSize %d: NextExpiry = %d, %t", size, next, ok)
		}
		timer.AdvanceTo(m, timer.MaxTick, timer.All)
		if m.Now() != timer.MaxTick || m.Len() != 0 || m.IdleTicks() != 0 {
			t.Errorf("TableSize %d: at %d, %d timers", size, m.Now(), m.Len())
		}
	}
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	type bad struct {
		config hashsorted.Config
		want   string
	}
	var all []bad
	for _, size := range []int{-1, 3, 255, 1<<26 + 1, 1 << 27, 1 << min(40, bits.UintSize-2), math.MaxInt, math.MinInt} {
		all = append(all, bad{hashsorted.Config{TableSize: size}, fmt.Sprintf("TableSize %d is not a power of two from 1 to %d", size, 1<<26)})
	}
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		all = append(all, bad{hashsorted.Config{Capacity: capacity}, fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)})
	}
	for _, c := range all {
		m, err := hashsorted.New[int](c.config)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v, want the error %q", c.config, m, err, c.want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := hashsorted.New[string](hashsorted.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.View().Levels; !slices.Equal(got, []int{256}) || m.MaxInterval() != timer.MaxTick {
		t.Errorf("levels %d, MaxInterval %d, want 256 and no bound", got, m.MaxInterval())
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
	m := at(hashsorted.Config{TableSize: 8}, timer.MaxTick-20)
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
			t.Errorf("%s is not refused", name)
		}
		if !reflect.DeepEqual(m.View(), view) || m.Costs() != costs {
			t.Errorf("%s changed the module from %+v, %+v to %+v, %+v", name, view, costs, m.View(), m.Costs())
		}
	}
}
