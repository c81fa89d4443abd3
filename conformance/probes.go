package conformance

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"
	"weak"

	"github.com/timerfacility/timer"
)

// A probe measures what no trace shows. What it measures in the process, other
// goroutines disturb: it accuses a module only of what it finds again and
// again.
const tries = 5

// alone is held by a probe that measures the heap.
var alone sync.Mutex

// pairs is how often a probe of memory starts and stops, or resets. A quarter
// will do when that takes a second.
const pairs = 1 << 20

// looks is how often a probe of memory looks at the heap on the way: eight times
// in a quarter.
const looks = 32

// fresh makes a module and says what its largest interval is.
func (b *battery) fresh() (timer.Timer[int], timer.Tick) {
	m := b.suite.New()
	return m, min(b.max, timer.MaxTick-m.Now())
}

// longIntervals gives out long and short intervals of many kinds, none over
// the bound.
func longIntervals(bound timer.Tick) func(i int) timer.Tick {
	return func(i int) timer.Tick {
		n := timer.Tick(i) * 0x9e3779b97f4a7c15
		switch i % 4 {
		case 0:
			return bound
		case 1:
			n >>= 1 + (i>>2)%63
		case 2:
			n >>= 44
		}
		return 1 + n%bound
	}
}

// measure holds the lock of the probes that measure while it calls.
func (b *battery) measure(rule, what string, call func() *failure) *failure {
	for !alone.TryLock() {
		b.pulse.call(rule, what)
		time.Sleep(time.Millisecond)
	}
	defer alone.Unlock()
	return call()
}

// probeStopMemory starts and stops in a loop, with a timer outstanding.
func probeStopMemory(b *battery) *failure {
	return b.memory("Stop/ConstantMemory", "starting and stopping a timer", func() func(i int) bool {
		m, bound := b.fresh()
		interval := longIntervals(bound)
		action := func(int) {}
		if _, err := m.StartTimer(bound, 0, action); err != nil {
			return nil
		}
		return func(i int) bool {
			h, err := m.StartTimer(interval(i), 1, action)
			return err == nil && m.StopTimer(h)
		}
	})
}

// probeResetMemory resets one timer in a loop.
func probeResetMemory(b *battery) *failure {
	return b.memory("Reset/ConstantMemory", "resetting a timer", func() func(i int) bool {
		m, bound := b.fresh()
		interval := longIntervals(bound)
		h, err := m.StartTimer(bound, 0, func(int) {})
		if err != nil {
			return nil
		}
		return func(i int) bool { return m.(timer.Resetter).ResetTimer(h, interval(i)) == nil }
	})
}

// memory runs an operation of a fresh module in a loop, and fails if the heap
// grows with the number of times. An operation that is false, or none, is for
// the traces to accuse.
//
// The heap is that of the process, in which others come and go: a step that they
// make is no slope. So the heap is looked at on the way, and the module accused
// of the median of the slopes between every two looks. A step half-way weighs as
// much as a slope, and does not come half-way again and again.
func (b *battery) memory(rule, what string, fresh func() func(i int) bool) *failure {
	return b.measure(rule, what, func() *failure {
		var n int
		var slope float64
		for range tries {
			op := fresh()
			if op == nil {
				return nil
			}
			heaps := []int64{heap()}
			until := time.Now().Add(time.Second)
			for n = 0; n < pairs; {
				if n%1024 == 0 {
					b.pulse.call(rule, what)
				}
				if !op(n) {
					return nil
				}
				if n++; n%(pairs/looks) == 0 {
					heaps = append(heaps, heap())
					if n >= pairs/4 && time.Now().After(until) {
						break
					}
				}
			}
			runtime.KeepAlive(op)
			if slope = medianSlope(heaps) / (pairs / looks); slope <= 2 {
				return nil
			}
		}
		return &failure{
			rule:   rule,
			got:    fmt.Sprintf("in %d times of %s the heap has grown by %.0f bytes each time", n, what, slope),
			want:   "no growth with the number of times",
			recipe: fmt.Sprintf("%s, %d times, with intervals up to %s", what, n, formatNumber(b.max)),
		}
	})
}

// medianSlope is the median of the slopes between every two of the heights,
// which stand one apart: the estimate of Theil and Sen. A quarter of the heights
// may be anything, so that a step in the first or the last third is not seen.
func medianSlope(heights []int64) float64 {
	var slopes []float64
	for j := range heights {
		for i := range j {
			slopes = append(slopes, float64(heights[j]-heights[i])/float64(j-i))
		}
	}
	slices.Sort(slopes)
	return slopes[len(slopes)/2]
}

// heap is how much memory is reachable.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// reuses is how often probeReuse uses a record again: over the 2^16 that a
// short generation tells apart.
const reuses = 1<<17 + 100

// probeReuse keeps handles while the records behind them are used again and
// again.
func probeReuse(b *battery) *failure {
	m, bound := b.fresh()
	interval := min(bound, 5)
	var kept []timer.Handle
	for i := range reuses {
		if i%1024 == 0 {
			b.pulse.call("Stop/RecordReused", "starting and stopping a timer")
		}
		h, err := m.StartTimer(interval, i, func(int) {})
		if err != nil {
			return nil
		}
		for k, old := range kept {
			if old == h || m.StopTimer(old) {
				return &failure{
					rule:   "Stop/RecordReused",
					got:    fmt.Sprintf("the handle %#x of stopped timer number %d names timer number %d, %s of the record later", old, k, i, plural(i-k, "use")),
					want:   "a handle that never names a timer again",
					recipe: fmt.Sprintf("start a timer and stop it, %s, and try the handle of number %d each time", plural(i, "time"), k),
				}
			}
		}
		if len(kept) < 3 {
			kept = append(kept, h)
		}
		if !m.StopTimer(h) {
			return nil
		}
	}
	return nil
}

// kept is with how many actions probeReachable starts timers of each kind, and how
// many of them it overlooks: a module may sweep in bounded batches, and the collector
// is conservative at times. Up to sharers timers in a row have one action, since a
// module may keep an action once for all that share it.
const (
	kept       = 512
	overlooked = kept / 8
	sharers    = 3
)

// probeReachable ends timers in every way and looks whether the collector finds
// what their actions held. Where they did not end so, other rules are broken.
func probeReachable(b *battery) *failure {
	m, bound := b.fresh()
	resetter, _ := m.(timer.Resetter)
	interval := min(bound, 3)
	ways := []struct {
		what                string
		resets, ticks, stop bool
	}{
		{what: "were stopped", stop: true},
		{what: "were reset and stopped", resets: true, stop: true},
		{what: "have run", ticks: true},
		{what: "were due when they were stopped", ticks: true, stop: true},
		{what: "panicked", ticks: true},
	}
	for _, way := range ways {
		if way.resets && resetter == nil {
			continue
		}
		ran := 0
		held, handles, ok := hold(m, interval, &ran, way.what == "panicked")
		if !ok {
			return nil
		}
		want := len(handles)
		for _, h := range handles {
			if way.resets && resetter.ResetTimer(h, bound) != nil {
				return nil
			}
		}
		if way.ticks {
			for range interval {
				m.PerTickBookkeeping()
			}
		}
		for _, h := range handles {
			if way.stop && !m.StopTimer(h) {
				return nil
			}
		}
		if way.ticks {
			for range len(handles) + 1 {
				b.pulse.call("Expiry/KeepsNothing", "ExpiryProcessing")
				panicsBy(func() { m.ExpiryProcessing(timer.All) })
			}
		}
		if way.stop {
			want = 0
		}
		if ran != want {
			return nil
		}
		if n := reachable(held); n > overlooked {
			return &failure{
				rule:   "Expiry/KeepsNothing",
				got:    fmt.Sprintf("%d timers %s, and %d of their %d actions are still reachable", len(handles), way.what, n, kept),
				want:   "none",
				recipe: fmt.Sprintf("start %d timers that %s, up to %d in a row with one action", len(handles), way.what, sharers),
			}
		}
	}
	runtime.KeepAlive(m)
	return nil
}

// hold starts timers with actions that hold something, and count in ran.
//
//go:noinline
func hold(m timer.Timer[int], interval timer.Tick, ran *int, panics bool) (held []weak.Pointer[[64]byte], handles []timer.Handle, ok bool) {
	for i := range kept {
		load := new([64]byte)
		held = append(held, weak.Make(load))
		action := func(int) {
			load[0]++
			*ran++
			if panics {
				panic("the panic of an action")
			}
		}
		for range 1 + i%sharers {
			h, err := m.StartTimer(interval, i, action)
			if err != nil {
				return nil, nil, false
			}
			handles = append(handles, h)
		}
	}
	return held, handles, true
}

// reachable counts what the collector keeps.
func reachable(held []weak.Pointer[[64]byte]) (n int) {
	for range 2 {
		runtime.GC()
	}
	for _, p := range held {
		if p.Value() != nil {
			n++
		}
	}
	return n
}

// probeBound looks whether MaxInterval agrees with the suite, and stays.
func probeBound(b *battery) *failure {
	m := b.suite.New()
	own := m.(timer.Bounded).MaxInterval()
	fail := func(got, want string) *failure {
		return &failure{rule: "Bound/MaxInterval", got: got, want: want, recipe: "call MaxInterval"}
	}
	if told := b.suite.MaxInterval; told != 0 && told != own {
		return fail(fmt.Sprintf("MaxInterval() = %s", formatNumber(own)), fmt.Sprintf("%s, which is Suite.MaxInterval", formatNumber(told)))
	}
	if own == 0 {
		return fail("MaxInterval() = 0", "at least 1: interval 0 is always refused")
	}
	for range min(300, timer.MaxTick-m.Now()) {
		_, _ = m.StartTimer(1+m.Now()%own, 0, func(int) {})
		m.PerTickBookkeeping()
		m.ExpiryProcessing(timer.All)
		if now := m.(timer.Bounded).MaxInterval(); now != own {
			return fail(fmt.Sprintf("MaxInterval() = %s at tick %s", formatNumber(now), formatNumber(m.Now())), fmt.Sprintf("%s, as in the beginning", formatNumber(own)))
		}
	}
	return nil
}

// probeView looks at the module's view while timers start, move, expire and end.
func probeView(b *battery) *failure {
	m, bound := b.fresh()
	interval := longIntervals(min(bound, 600))
	resetter, _ := m.(timer.Resetter)
	expiries := map[timer.Handle]timer.Tick{}
	ids := map[timer.Handle]int{}
	var handles []timer.Handle
	for i := range 400 {
		b.pulse.call("View/EveryTimer", "a view of the module")
		if h, err := m.StartTimer(interval(i), i, func(int) {}); err == nil {
			expiries[h], ids[h] = m.Now()+interval(i), i
			handles = append(handles, h)
		}
		switch h := handles[i*7%len(handles)]; {
		case i%5 == 1 && m.StopTimer(h):
			delete(expiries, h)
		case i%5 == 2 && resetter != nil && resetter.ResetTimer(h, interval(i+3)) == nil:
			expiries[h] = m.Now() + interval(i+3)
		case i%5 > 2 && m.Now() < timer.MaxTick:
			m.PerTickBookkeeping()
		}
		if wrong := wrongView(m, expiries, ids); wrong != "" {
			return &failure{
				rule: "View/EveryTimer", got: wrong, want: "a view of the timers that are outstanding",
				recipe: "start, stop, reset and tick some hundred times, and look at View",
			}
		}
		if i%40 == 39 {
			m.ExpiryProcessing(timer.All)
			for h, expiry := range expiries {
				if expiry <= m.Now() {
					delete(expiries, h)
				}
			}
		}
	}
	return nil
}

// wrongView says what is wrong with the view of a module whose outstanding
// timers have these expiries and ids.
func wrongView(m timer.Timer[int], expiries map[timer.Handle]timer.Tick, ids map[timer.Handle]int) string {
	view := m.(timer.Viewer[int]).View()
	if view.Now != m.Now() {
		return fmt.Sprintf("View().Now = %s at tick %s", formatNumber(view.Now), formatNumber(m.Now()))
	}
	seen := map[timer.Handle]bool{}
	for _, list := range view.Lists {
		last := timer.Tick(0)
		for _, t := range list.Timers {
			expiry, outstanding := expiries[t.Handle]
			due := expiry <= m.Now()
			switch {
			case !outstanding:
				return fmt.Sprintf("the view shows handle %#x, which names no outstanding timer", uint64(t.Handle))
			case seen[t.Handle]:
				return fmt.Sprintf("the view shows timer %d twice", t.ID)
			case t.ID != ids[t.Handle]:
				return fmt.Sprintf("the view shows id %d for timer %d", t.ID, ids[t.Handle])
			case t.Expiry != expiry:
				return fmt.Sprintf("the view shows expiry %s for a timer that expires at %s", formatNumber(t.Expiry), formatNumber(expiry))
			case due != (list.Kind == timer.InDue):
				return fmt.Sprintf("at tick %s the view shows a timer that expires at %s in a list of kind %q", formatNumber(m.Now()), formatNumber(expiry), list.Kind)
			case due && expiry < last:
				return fmt.Sprintf("in the queue of due timers one of tick %s comes after one of tick %s", formatNumber(expiry), formatNumber(last))
			}
			seen[t.Handle], last = true, expiry
		}
	}
	if len(seen) != len(expiries) {
		return fmt.Sprintf("the view shows %d timers of %d", len(seen), len(expiries))
	}
	return ""
}

// probeAllocs counts the allocations of each routine when the module has held
// as many timers before.
func probeAllocs(b *battery) *failure {
	m, bound := b.fresh()
	interval := longIntervals(min(bound, 5000))
	action := func(int) {}
	resetter, _ := m.(timer.Resetter)
	const timers = 200
	var handles [timers]timer.Handle
	next := 0
	start := func(i int) { handles[i%timers], _ = m.StartTimer(interval(next), i, action); next++ }
	restart := func(i int) { m.StopTimer(handles[i%timers]); start(i) }
	rearm := func(id int) { handles[id%timers], _ = m.StartTimer(interval(next), id, action); next++ }
	action = func(id int) { rearm(id) }
	for i := range timers {
		start(i)
	}
	tick := func(int) { m.PerTickBookkeeping(); m.ExpiryProcessing(timer.All) }
	reset := func(i int) {
		if resetter != nil {
			_ = resetter.ResetTimer(handles[i%timers], interval(next))
			next++
		}
	}
	return b.measure("Steady/NoAllocs", "a steady state", func() *failure {
		for _, op := range []struct {
			what string
			do   func(i int)
		}{
			{"StopTimer and StartTimer", restart},
			{"PerTickBookkeeping and ExpiryProcessing, whose actions start their timers again", tick},
			{"ResetTimer", reset},
			{"PerTickBookkeeping and ExpiryProcessing after resets", tick},
		} {
			if per := allocations(b, op.do); per > fewAllocations {
				return &failure{
					rule: "Steady/NoAllocs", got: fmt.Sprintf("%s: %.2f allocations each", op.what, per), want: "none",
					recipe: fmt.Sprintf("hold %d timers, and count the allocations of %s", timers, op.what),
				}
			}
		}
		return nil
	})
}

// allocations is how many allocations the operation makes, on average, once it
// has been done often. testing.AllocsPerRun would do, but it is not to be had
// while tests run in parallel, and not outside a test. As in it, nothing else
// runs meanwhile, but for what the scheduler puts in.
func allocations(b *battery, op func(i int)) float64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const n = 500
	least := float64(n)
	for range 40 {
		runtime.Gosched()
		b.pulse.call("Steady/NoAllocs", "a call in a steady state")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			op(i)
		}
		runtime.ReadMemStats(&after)
		if least = min(least, float64(after.Mallocs-before.Mallocs)/n); least <= fewAllocations {
			break
		}
	}
	return least
}

// fewAllocations are those that a steady state may make on average: a tree may
// split a node now and then, and the runtime makes some of its own.
const fewAllocations = 0.1
