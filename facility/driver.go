package facility

import (
	"math"
	"time"

	"github.com/timerfacility/timer"
)

// drive is the goroutine that expires all timers of the facility, tick by tick
// over all cells, so that actions are handed over in the order of their ticks
// even where many ticks are overdue.
func (f *Facility) drive() {
	defer func() {
		if !f.inRun {
			close(f.exited)
			return
		}
		// An action in Inline ended the goroutine, by runtime.Goexit. (Or it
		// panicked, and the program ends.)
		f.leaveRun()
		go f.drive()
	}()
	for {
		if f.handOver() {
			return
		}
		// From here on a start before what the driver knows leaves a token.
		f.asleepUntil.Store(uint64(never))
		next := f.soonest()
		now := f.since()
		if next <= timer.Tick(now/f.granule) {
			f.asleepUntil.Store(0)
			if f.expire(next) {
				return
			}
			continue
		}
		f.asleepUntil.Store(uint64(next))
		if next <= math.MaxInt64/timer.Tick(f.granule) {
			f.sleep.Reset(time.Duration(uint64(next)*f.granule - now))
		} else {
			f.sleep.Stop() // the clock never comes to it
		}
		select {
		case <-f.sleep.C:
			f.stats.wakeUps.Add(1)
		case <-f.wake:
			f.stats.wakeUps.Add(1)
		case <-f.done:
			f.sleep.Stop()
			return
		}
	}
}

// soonest is the first tick at which a cell may have something to do.
func (f *Facility) soonest() timer.Tick {
	next := uint64(never)
	for _, c := range *f.cells.Load() {
		next = min(next, c.soonest.Load())
	}
	return timer.Tick(next)
}

// expire runs the tick in all cells, and reports whether the facility was closed.
func (f *Facility) expire(tick timer.Tick) (closed bool) {
	limit := collectSize
	if f.config.Run != nil {
		limit = 1 // what Run has not been given can still be stopped
	}
	for _, c := range *f.cells.Load() {
		for c.soonest.Load() <= uint64(tick) {
			c.mu.Lock()
			if c.closed {
				c.mu.Unlock()
				return true
			}
			before := c.counts.expiries + uint64(len(f.batch))
			c.advance(tick, limit)
			n := c.counts.expiries + uint64(len(f.batch)) - before
			expired := c.now
			c.mu.Unlock()
			if n > 0 {
				f.stats.late(f.since()-uint64(expired)*f.granule, n)
			}
			if f.handOver() {
				return true
			}
		}
	}
	return false
}

// handOver gives the collected actions to those who run them, and reports
// whether the facility was closed meanwhile.
func (f *Facility) handOver() (closed bool) {
	batch := f.batch
	f.batch = f.batch[:0]
	if len(batch) > 0 && f.config.Run == nil {
		f.runner.add(batch)
		clear(batch)
		return false
	}
	for i, call := range batch {
		batch[i] = nil
		if !f.enterRun() {
			return true
		}
		f.config.Run(call.perform)
		f.leaveRun()
	}
	return false
}

// enterRun notes that the driver is in the caller's hands, so that Close does not
// wait for it; false if the facility is closed.
func (f *Facility) enterRun() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.inRun = !f.closed
	return f.inRun
}

func (f *Facility) leaveRun() {
	f.mu.Lock()
	f.inRun = false
	f.mu.Unlock()
}

// wakeDriver leaves a token for the driver.
func (f *Facility) wakeDriver() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}
