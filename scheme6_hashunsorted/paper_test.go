package hashunsorted_test

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
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
)

// The tests of this file go by the sentences of the papers on Scheme 6: section
// 6.1.2 in 1987, VI.A in 1997. Those after them go by the package's own.

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
// 30. The other 24 bits are kept in the record: how often the slot comes up before.
// (1987, section 6.1 and figure 9; 1997, section VI.A and figure 6)
func TestLowOrderBitsAreTheSlot(t *testing.T) {
	const now = 5<<8 | 10
	for _, high := range []timer.Tick{0, 1, 2, 77, 1<<24 - 1} {
		m := at(hashunsorted.Config{TableSize: 256}, now)
		start(t, m, high<<8|20, 0, none)
		list := m.View().Lists[0]
		if list.Slot != 30 {
			t.Errorf("high bits %d: slot %d, want 30", high, list.Slot)
		}
		if got, want := list.Timers[0].Stored, uint64(high); got != want {
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
			m := at(hashunsorted.Config{TableSize: size}, now)
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

// TestRoundsAreDecremented: PER_TICK_BOOKKEEPING decrements the high-order bits of
// every timer of the slot, and expires one with none left. At a multiple of the
// table size a timer has a round less than the papers store.
// (1987, section 6.1.2; 1997, section VI.A)
func TestRoundsAreDecremented(t *testing.T) {
	const size = 4
	m := at(hashunsorted.Config{TableSize: size}, 100)
	for _, j := range []timer.Tick{1, size - 1, size, size + 1, 2 * size, 2*size + 1, 3 * size} {
		start(t, m, j, int(j), none)
	}
	rounds := map[int]uint64{1: 0, size - 1: 0, size: 0, size + 1: 1, 2 * size: 1, 2*size + 1: 2, 3 * size: 2}
	for now := range 3*size + 1 {
		for _, list := range m.View().Lists {
			for _, x := range list.Timers {
				// Since the start its slot has come up after x.ID%size ticks, or
				// size, and every size ticks from then.
				visits := (now + size - 1 - (x.ID-1)%size) / size
				if want := rounds[x.ID] - uint64(visits); x.Stored != want {
					t.Errorf("timer %d stores %d at +%d, want %d", x.ID, x.Stored, now, want)
				}
			}
		}
		m.PerTickBookkeeping()
		m.ExpiryProcessing(timer.All)
	}
	if m.Len() != 0 {
		t.Errorf("%d timers are left", m.Len())
	}
}

// TestStartAndStopAreConstant: START_TIMER and STOP_TIMER are O(1) on average and at
// worst, however the timers hash.
// (1987, section 6.1.2; 1997, section VI.A)
func TestStartAndStopAreConstant(t *testing.T) {
	m := at(hashunsorted.Config{}, 77)
	for n := range 1000 {
		before := m.Costs()
		h := start(t, m, 20+256, n, none)
		m.StopTimer(h)
		if got, want := m.Costs().Sub(before), (timer.Costs{Starts: 1, Stops: 1}); got != want {
			t.Fatalf("n = %d: start and stop cost %+v, want %+v", n, got, want)
		}
		start(t, m, 20+256, n, none)
	}
}

// placements are ways to hash 256 timers: each is the slot of timer i.
var placements = map[string]func(i int) int{
	"uniform":   func(i int) int { return i },
	"clustered": func(i int) int { return i % 5 },
	"one slot":  func(int) int { return 17 },
	"random":    func(i int) int { return i * i * 31 % 64 },
}

// TestEveryTimerOnceInATurn: whatever the hash does, TableSize ticks decrement
// every living timer once, so that the average work of a tick is n/TableSize.
// (1987, section 6.1.2; 1997, section VI.A)
func TestEveryTimerOnceInATurn(t *testing.T) {
	const size, n = 64, 256
	for name, slot := range placements {
		for _, now := range []timer.Tick{0, 1, 40} {
			m := at(hashunsorted.Config{TableSize: size}, now)
			for i := range n {
				start(t, m, timer.Tick(1000*size+slot(i)%size), i, none)
			}
			for turns := 1; turns <= 10; turns++ {
				for range size {
					m.PerTickBookkeeping()
				}
				if got, want := m.Costs().Visits, uint64(turns*n); got != want {
					t.Errorf("%s: %d visits in %d turns, want %d", name, got, turns, want)
				}
			}
		}
	}
}

// TestHashSetsTheVariance: the hash decides only how bursty PER_TICK_BOOKKEEPING is.
// With all n timers in one slot it is O(n) once in TableSize ticks, and O(1) in the
// others; spread evenly it is n/TableSize in each.
// (1987, section 6.1.2; 1997, section VI.A)
func TestHashSetsTheVariance(t *testing.T) {
	const size, n, turns = 64, 256, 4
	for name, want := range map[string]struct {
		most     uint64
		variance float64
	}{
		"uniform":  {n / size, 0},
		"one slot": {n, n * n * (1 - 1./size) / size},
	} {
		m := at(hashunsorted.Config{TableSize: size}, 0)
		for i := range n {
			start(t, m, timer.Tick(1000*size+placements[name](i)%size), i, none)
		}
		var most uint64
		var squares float64
		for range turns * size {
			before := m.Costs().Visits
			m.PerTickBookkeeping()
			visits := m.Costs().Visits - before
			most = max(most, visits)
			squares += math.Pow(float64(visits)-n/size, 2)
		}
		if got := squares / (turns * size); most != want.most || got != want.variance {
			t.Errorf("%s: at most %d visits, variance %g, want %+v", name, most, got, want)
		}
	}
}

// TestAllExpireAtOnce: the hash does not matter for the worst case, since all n may
// expire in one tick.
// (1987, section 6.1.2; 1997, section VI.A)
func TestAllExpireAtOnce(t *testing.T) {
	m := at(hashunsorted.Config{}, 0)
	for i := range 1000 {
		start(t, m, 9, i, none)
	}
	timer.AdvanceTo(m, 8, timer.All)
	before := m.Costs()
	m.PerTickBookkeeping()
	if got, want := m.Costs().Sub(before), (timer.Costs{Ticks: 1, Visits: 1000, Expiries: 1000}); got != want {
		t.Errorf("the tick costs %+v, want %+v", got, want)
	}
}

// vax is the cost in cheap instructions of the MACRO-11 version: 13 to insert a timer,
// 7 to delete one, 4 to skip an empty slot in a tick, 6 to decrement a timer and go
// to the next, and 9 more to delete one that expires and call EXPIRY_PROCESSING.
// (1987, section 7)
func vax(c timer.Costs) uint64 {
	return 13*c.Starts + 7*c.Stops + 4*c.Ticks + 6*c.Visits + 9*c.Expiries
}

// TestVAXInstructions: what each routine costs, and that it costs 4 to 13 to start,
// stop and on average maintain a timer.
// (1987, section 7)
func TestVAXInstructions(t *testing.T) {
	m := at(hashunsorted.Config{TableSize: 4}, 0)
	before := m.Costs()
	check := func(what string, want uint64) {
		t.Helper()
		if got := vax(m.Costs().Sub(before)); got != want {
			t.Errorf("%s: %d instructions, want %d", what, got, want)
		}
		before = m.Costs()
	}
	h := start(t, m, 9, 0, none)
	check("start", 13)
	m.StopTimer(h)
	check("stop", 7)
	m.PerTickBookkeeping()
	check("empty slot", 4)
	start(t, m, 5, 0, none)
	check("start", 13)
	m.PerTickBookkeeping()
	check("decrement", 4+6)
	timer.AdvanceTo(m, 5, timer.All)
	before = m.Costs()
	m.PerTickBookkeeping()
	check("expire", 4+6+9)
}

// TestOneScan: a tick costs 4 + 15 n/TableSize on average if all n timers expire
// within one scan of the table, wherever they are in it. Over the scan it is exactly
// 4 TableSize + 15 n.
// (1987, section 7)
func TestOneScan(t *testing.T) {
	const n = 600
	for _, size := range []int{256, 1024, 4096} {
		rng := rand.New(rand.NewPCG(6, uint64(size)))
		m := at(hashunsorted.Config{TableSize: size}, 12345)
		for i := range n {
			start(t, m, timer.Tick(1+rng.IntN(size)), i, none)
		}
		before := m.Costs()
		for range size {
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		if got, want := vax(m.Costs().Sub(before)), uint64(4*size+15*n); got != want {
			t.Errorf("TableSize %d: %d instructions in a scan, want %d", size, got, want)
		}
	}
}

// TestScanIsNoLaw: where each timer that expires is started again, that formula is no
// law and not even a bound. A timer of j ticks is visited ceil(j/TableSize) times in
// its life, so that short ones cost more: 4 + 15 n/j for j up to TableSize, and
// those that just miss their first turn. Long ones cost less, as few of them expire.
// (1987, section 7)
func TestScanIsNoLaw(t *testing.T) {
	const size, n = 256, 256
	for j, dearer := range map[int]bool{1: true, 64: true, 255: true, 256: false, 257: true, 512: false, 1000: false, 1024: false} {
		m := at(hashunsorted.Config{TableSize: size}, 0)
		var again timer.ExpiryAction[int]
		again = func(id int) { start(t, m, timer.Tick(j), id, again) }
		for i := range n { // the timers are spread over their interval
			start(t, m, timer.Tick(1+i%j), i, again)
		}
		timer.AdvanceTo(m, timer.Tick(j), timer.All)
		before := m.Costs()
		const lives = 4
		for range lives * j {
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
		costs := m.Costs().Sub(before)
		want := timer.Costs{Starts: lives * n, Ticks: uint64(lives * j), Visits: uint64(lives * n * ((j + size - 1) / size)), Expiries: lives * n}
		if costs != want {
			t.Errorf("intervals of %d: costs %+v, want %+v", j, costs, want)
		}
		perTick := float64(vax(costs)-13*costs.Starts) / float64(costs.Ticks)
		if formula := 4 + 15.*n/size; (perTick > formula) != dearer {
			t.Errorf("intervals of %d: %.2f instructions a tick, the formula is %.2f", j, perTick, formula)
		}
	}
}

// TestOneSlotIsScheme1: with an array of size 1, Scheme 6 is Scheme 1.
func TestOneSlotIsScheme1(t *testing.T) {
	for _, longest := range []int{1, 5, 300} {
		for _, compare := range []bool{false, true} {
			scheme1, err := unordered.New[int](unordered.Config{Now: 99, Compare: compare})
			if err != nil {
				t.Fatal(err)
			}
			sameCosts(t, at(hashunsorted.Config{TableSize: 1}, 99), scheme1, longest, true)
		}
	}
}

// TestLargeTableIsScheme4: with a slot for every interval, Scheme 6 is Scheme 4.
func TestLargeTableIsScheme4(t *testing.T) {
	for size, longest := range map[int]int{256: 200, 64: 64, 32: 1} {
		scheme4, err := basic.New[int](basic.Config{Now: 99, MaxInterval: timer.Tick(longest)})
		if err != nil {
			t.Fatal(err)
		}
		sameCosts(t, at(hashunsorted.Config{TableSize: size}, 99), scheme4, longest, true)
	}
}

// TestFirstStartedFirstRun is the package's promise; the papers leave the order
// open.
func TestFirstStartedFirstRun(t *testing.T) {
	m := at(hashunsorted.Config{TableSize: 2}, 0)
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

// TestExpiryFromRounds: the rounds that a record holds tell when it expires, in every
// tick of its life.
func TestExpiryFromRounds(t *testing.T) {
	for _, size := range []int{1, 2, 8} {
		for phase := range size {
			for j := 1; j <= 3*size+1; j++ {
				m := at(hashunsorted.Config{TableSize: size}, timer.Tick(phase))
				want := timer.Tick(phase + j)
				h := start(t, m, timer.Tick(j), 0, none)
				for range j + 3 { // it stays due for three ticks
					if got, ok := m.ExpiryOf(h); got != want || !ok {
						t.Fatalf("TableSize %d, at %d: ExpiryOf = %d, %t, want %d", size, m.Now(), got, ok, want)
					}
					if got, ok := m.NextExpiry(); ok != (m.Now() < want) || ok && got != want {
						t.Fatalf("TableSize %d, at %d: NextExpiry = %d, %t, want %d", size, m.Now(), got, ok, want)
					}
					m.PerTickBookkeeping()
				}
			}
		}
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
		m := at(hashunsorted.Config{TableSize: size}, now)
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
		m := at(hashunsorted.Config{TableSize: size}, timer.MaxTick-600)
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
		config hashunsorted.Config
		want   string
	}
	var all []bad
	for _, size := range []int{-1, 3, 255, 1<<26 + 1, 1 << 27, 1 << min(40, bits.UintSize-2), math.MaxInt, math.MinInt} {
		all = append(all, bad{hashunsorted.Config{TableSize: size}, fmt.Sprintf("TableSize %d is not a power of two from 1 to %d", size, 1<<26)})
	}
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		all = append(all, bad{hashunsorted.Config{Capacity: capacity}, fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)})
	}
	for _, c := range all {
		m, err := hashunsorted.New[int](c.config)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v, want the error %q", c.config, m, err, c.want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	m, err := hashunsorted.New[string](hashunsorted.Config{})
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
	m := at(hashunsorted.Config{TableSize: 8}, timer.MaxTick-20)
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
