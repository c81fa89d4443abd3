package bench

import "github.com/timerfacility/timer"

// A cycleWheel is the timing wheel of the simulators before Scheme 4 (sections
// 4.2 and IV.B): an array of lists for the cycle under way, and one overflow list
// for what lies beyond it. It turns every so many ticks; then the overflow list
// is searched for what has come within reach. TEGAS-2 turns when the array is
// through (every = slots), DECSIM at its half; a wheel that turns at every tick
// is Scheme 4.
//
// It counts; it is no timer module.
type cycleWheel struct {
	lists    [][]timer.Tick // expiries
	every    timer.Tick
	overflow []timer.Tick
	now      timer.Tick
}

func newCycleWheel(slots, every int) *cycleWheel {
	return &cycleWheel{lists: make([][]timer.Tick, slots), every: timer.Tick(every)}
}

// end is the first tick that is beyond the array's reach.
func (w *cycleWheel) end() timer.Tick {
	return w.now - w.now%w.every + timer.Tick(len(w.lists))
}

// start starts a timer and reports whether it went into the overflow list.
func (w *cycleWheel) start(interval timer.Tick) (overflow bool) {
	expiry := w.now + interval
	if expiry >= w.end() {
		w.overflow = append(w.overflow, expiry)
		return true
	}
	i := expiry % timer.Tick(len(w.lists))
	w.lists[i] = append(w.lists[i], expiry)
	return false
}

// tick adds one to the clock and gives the expiries of the timers that are run.
func (w *cycleWheel) tick() (ran []timer.Tick) {
	w.now++
	if w.now%w.every == 0 {
		waiting := w.overflow
		w.overflow = nil
		for _, expiry := range waiting {
			w.start(expiry - w.now)
		}
	}
	i := w.now % timer.Tick(len(w.lists))
	ran, w.lists[i] = w.lists[i], nil
	return ran
}
