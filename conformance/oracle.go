package conformance

import (
	"slices"

	"github.com/timerfacility/timer"
)

// An oracle says what a module has to do. It is a sorted map from tick to the
// timers that expire at it, and slow: what it says should be obviously right.
//
// A timer is outstanding while it is in the map, and due once its tick is not
// after now. There is no other state. The oracle does not choose which of the
// due timers of one tick runs next: a module does, out of [oracle.first], and
// tells the oracle with [oracle.end].
type oracle struct {
	now timer.Tick
	max timer.Tick // the module's MaxInterval

	ticks  []timer.Tick         // the keys of at, ascending
	at     map[timer.Tick][]int // the timers that expire at a tick, first started first
	expiry map[int]timer.Tick   // of every outstanding timer
}

func newOracle(now, max timer.Tick) *oracle {
	return &oracle{now: now, max: max, at: make(map[timer.Tick][]int), expiry: make(map[int]timer.Tick)}
}

// bound is the largest interval that a timer can be started with now.
func (o *oracle) bound() timer.Tick { return min(o.max, timer.MaxTick-o.now) }

// accepts reports whether a timer can be started with the interval now.
func (o *oracle) accepts(interval timer.Tick) bool { return interval > 0 && interval <= o.bound() }

// start adds timer k, with an interval that the oracle accepts.
func (o *oracle) start(k int, interval timer.Tick) {
	expiry := o.now + interval
	i, found := slices.BinarySearch(o.ticks, expiry)
	if !found {
		o.ticks = slices.Insert(o.ticks, i, expiry)
	}
	o.at[expiry] = append(o.at[expiry], k)
	o.expiry[k] = expiry
}

// end removes timer k, because it is stopped or because its action begins, and
// reports whether it was outstanding.
func (o *oracle) end(k int) bool {
	expiry, outstanding := o.expiry[k]
	if !outstanding {
		return false
	}
	delete(o.expiry, k)
	timers := o.at[expiry]
	o.at[expiry] = slices.Delete(timers, slices.Index(timers, k), slices.Index(timers, k)+1)
	if len(o.at[expiry]) == 0 {
		delete(o.at, expiry)
		o.ticks = slices.DeleteFunc(o.ticks, func(t timer.Tick) bool { return t == expiry })
	}
	return true
}

// reset makes the outstanding timer k expire after the interval, which the
// oracle accepts. For order a reset is a start.
func (o *oracle) reset(k int, interval timer.Tick) {
	o.end(k)
	o.start(k, interval)
}

// tick adds one to the clock, and says how many timers became due by it.
func (o *oracle) tick() int {
	o.now++
	return len(o.at[o.now])
}

// skip adds n to the clock.
func (o *oracle) skip(n timer.Tick) { o.now += n }

// first is the due timers of the earliest tick, first started first: those of
// which one has to run next.
func (o *oracle) first() []int {
	if len(o.ticks) == 0 || o.ticks[0] > o.now {
		return nil
	}
	return o.at[o.ticks[0]]
}

// due is every due timer, in the order in which a FIFO module runs them.
func (o *oracle) due() []int {
	var due []int
	for _, t := range o.ticks {
		if t > o.now {
			break
		}
		due = append(due, o.at[t]...)
	}
	return due
}

// isDue reports whether timer k is outstanding and due.
func (o *oracle) isDue(k int) bool {
	expiry, outstanding := o.expiry[k]
	return outstanding && expiry <= o.now
}

// next is the earliest expiry of the timers that are not due.
func (o *oracle) next() (timer.Tick, bool) {
	for _, t := range o.ticks {
		if t > o.now {
			return t, true
		}
	}
	return 0, false
}

// idle is the largest number of ticks that may pass at once: up to the tick
// before the next expiry, or to the end of time.
func (o *oracle) idle() timer.Tick {
	if next, ok := o.next(); ok {
		return next - o.now - 1
	}
	return timer.MaxTick - o.now
}

// len is the number of outstanding timers.
func (o *oracle) len() int { return len(o.expiry) }
