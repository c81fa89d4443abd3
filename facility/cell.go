package facility

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/timerfacility/timer"
)

// cellSize is how many timers a module holds, to within 64, before another is
// made. It bounds the work of one tick, and with it the time under a lock,
// whatever number of timers expires or migrates at once: in Scheme 7 to about a
// tenth of a millisecond. This many, and 64, fill the last chunk of the records of
// a scheme of this project.
const cellSize = 8<<10 - 64

// collectSize is how many timers the driver takes out of a module at once.
const collectSize = 64

const never = timer.MaxTick

// A cell is a module under a lock.
type cell struct {
	f    *Facility
	open bool // a shard starts its timers here; guarded by the facility's mu

	mu       sync.Mutex // guards what follows
	closed   bool
	full     bool           // holds cellSize timers, or did when last seen
	resetter timer.Resetter // nil where the facility keeps every timer
	module   timer.Timer[Task]
	now      timer.Tick    // the module's clock, which advance alone moves
	soonest  atomic.Uint64 // no timer of the module expires before this tick; written under mu
	seq      uint64        // of the last timer started
	counts   cellStats
	tickless timer.Tickless    // or nil
	next     timer.NextExpirer // or nil

	// What the module does with timers of AfterFunc, of the facility's own, and
	// of those that it keeps; and with those of StartTimer, for actions that
	// started timers lately.
	callFunc, expireWaiter, expireKept timer.ExpiryAction[Task]
	recent                             [8]expiryAction

	away    int               // outstanding timers that the module does not hold: expired, and not begun or periodic
	kept    map[uint64]*kept  // by seq: periodic timers, and all where the module cannot serve directly
	waiters map[uint64]waiter // by seq: the facility's own timers
	free    *call             // calls to use again
	nfree   int
	calls   callTable // expired timers whose actions have not finished
}

// A waiter is a timer of the facility's own, that the driver serves itself.
type waiter interface {
	expire() // on the driver, under the cell's lock; must not block
	closed() // called once instead of expire if the facility is closed first
}

// kept is what the facility itself keeps of a timer: of a periodic one, whose
// name outlives many timers of the module, and of every timer of a module that
// cannot reset or has a bound on its intervals.
type kept struct {
	id       any
	seq      uint64
	expire   timer.ExpiryAction[Task]
	handle   timer.Handle // the module's timer; 0 while there is none
	expiry   timer.Tick   // may be after the module's timer expires
	deadline uint64       // nanoseconds since New; only where it is periodic
	period   uint64       // 0: not periodic
	moved    bool         // reset while its action ran
}

func newCell(f *Facility, now timer.Tick) (*cell, error) {
	m, err := f.config.Module(now)
	if err != nil {
		return nil, fmt.Errorf("facility: Module: %w", err)
	}
	if m == nil {
		return nil, fmt.Errorf("facility: Module made no module")
	}
	if m.Now() != now {
		return nil, fmt.Errorf("facility: Module made a module with its clock at %d, not at %d", m.Now(), now)
	}
	c := &cell{f: f, module: m, now: now}
	c.callFunc = c.makeExpiryAction(callFunc)
	c.expireWaiter = func(task Task) {
		delete(c.waiters, task.seq)
		c.counts.expiries++
		task.id.(waiter).expire()
	}
	c.expireKept = c.collectKept
	c.soonest.Store(uint64(never))
	c.tickless, _ = m.(timer.Tickless)
	c.next, _ = m.(timer.NextExpirer)
	resetter, ok := m.(timer.Resetter)
	bounded, ok2 := m.(timer.Bounded)
	if ok && ok2 && bounded.MaxInterval() >= never/timer.Tick(f.granule) {
		c.resetter = resetter
	}
	return c, nil
}

// The methods below are called under mu.

// interval is the interval to the tick, which the module's clock may have
// reached since the caller read the time.
func (c *cell) interval(tick timer.Tick) timer.Tick {
	if tick > c.now {
		return tick - c.now
	}
	return 1
}

// An expiryAction is what the module does with the timers of one action: it hands
// them over to the driver. So it is the module that keeps the action with each
// timer, once for all that share it if it is a scheme of this project.
type expiryAction struct {
	action uintptr // tells function values apart, while expire holds this one
	expire timer.ExpiryAction[Task]
}

// expiryAction is the module's expiry action for the action. It allocates one
// for an action that is not among those of late.
func (c *cell) expiryAction(action func(any)) timer.ExpiryAction[Task] {
	address := *(*uintptr)(unsafe.Pointer(&action))
	e := &c.recent[(address>>4^address>>9)%uintptr(len(c.recent))]
	if e.action != address {
		*e = expiryAction{address, c.makeExpiryAction(action)}
	}
	return e.expire
}

func (c *cell) makeExpiryAction(action func(any)) timer.ExpiryAction[Task] {
	return func(task Task) {
		c.away++
		c.f.batch = append(c.f.batch, c.newCall(task, action))
	}
}

// start starts a timer, and reports whether the driver must be told.
func (c *cell) start(id any, expire timer.ExpiryAction[Task], tick timer.Tick) (t Timer, wake bool) {
	if c.resetter == nil {
		return c.keep(&kept{id: id, expire: expire}, tick)
	}
	c.count()
	h, err := c.module.StartTimer(c.interval(tick), Task{id, c.seq}, expire)
	if err != nil {
		c.refused(err)
	}
	return Timer{c, h, c.seq}, c.expects(tick)
}

// count counts a start. It looks from time to time whether the cell is full.
func (c *cell) count() {
	c.seq++
	if c.seq%64 == 0 && c.module.Len() >= cellSize {
		c.full = true
	}
}

func (c *cell) refused(err error) {
	c.mu.Unlock()
	panic(fmt.Sprintf("facility: the module refused a timer: %v", err))
}

// keep is start for a timer that the facility keeps.
func (c *cell) keep(k *kept, tick timer.Tick) (t Timer, wake bool) {
	c.count()
	k.seq = c.seq
	if c.kept == nil {
		c.kept = make(map[uint64]*kept)
	}
	c.kept[c.seq] = k
	return Timer{cell: c, seq: c.seq}, c.arm(k, tick)
}

// arm gives a kept timer to the module, for as much of its interval as that
// takes, and reports whether the driver must be told.
func (c *cell) arm(k *kept, tick timer.Tick) (wake bool) {
	k.expiry = tick
	interval := c.interval(tick)
	if b, ok := c.module.(timer.Bounded); ok {
		interval = min(interval, b.MaxInterval())
	}
	for {
		h, err := c.module.StartTimer(interval, Task{k, k.seq}, c.expireKept)
		if err == nil {
			k.handle = h
			return c.expects(c.now + interval)
		}
		if interval /= 2; interval == 0 {
			c.refused(err)
		}
	}
}

// expects notes that a timer now expires at the tick, and reports whether the
// driver sleeps for longer.
func (c *cell) expects(tick timer.Tick) (wake bool) {
	if uint64(tick) >= c.soonest.Load() {
		return false
	}
	c.soonest.Store(uint64(tick))
	return uint64(tick) < c.f.asleepUntil.Load()
}

// stop is Stop.
func (c *cell) stop(t Timer) bool {
	switch {
	case c.closed:
		return false
	case t.handle != 0 && c.module.StopTimer(t.handle):
	default:
		k, call := c.kept[t.seq], c.calls.get(t.seq)
		waits := call != nil && call.state == handed
		if k == nil && !waits {
			return false
		}
		if k == nil || k.handle == 0 {
			c.away--
		} else {
			c.module.StopTimer(k.handle)
		}
		delete(c.kept, t.seq)
		if waits {
			c.end(call)
		}
	}
	c.counts.stops++
	return true
}

// reset is Reset. The timer expires at the tick, which is that of the deadline.
func (c *cell) reset(t Timer, tick timer.Tick, deadline uint64) (ok, wake bool) {
	if c.closed {
		return false, false
	}
	if t.handle != 0 {
		if err := c.resetter.ResetTimer(t.handle, c.interval(tick)); err != nil {
			return false, false
		}
		c.counts.resets++
		return true, c.expects(tick)
	}
	k := c.kept[t.seq]
	if k == nil {
		return false, false
	}
	c.counts.resets++
	k.deadline = deadline
	k.expiry = tick
	if k.handle == 0 {
		k.moved = true // finish arms it
		return true, false
	}
	c.module.StopTimer(k.handle)
	return true, c.arm(k, tick)
}

// collectKept is the expiry action of the timers that the facility keeps.
func (c *cell) collectKept(task Task) {
	k := task.id.(*kept)
	if k.expiry > c.now { // the module had a bound
		c.arm(k, k.expiry)
		return
	}
	k.handle = 0
	if k.period == 0 {
		delete(c.kept, k.seq)
	}
	k.expire(Task{k.id, k.seq})
}

// advance brings the module's clock to the tick, or to the first one before it
// at which something is due, or as far as one hold of the lock allows, and then
// collects what is due. It reports whether nothing is left to do up to the tick.
func (c *cell) advance(tick timer.Tick, limit int) (done bool) {
	const work = 2 * cellSize
	cost := c.module.Len()/8 + 1 // of a tick; a guess
	for spent, due := 0, 0; c.now < tick && due == 0 && spent < work; spent += cost {
		if c.tickless != nil {
			if idle := min(c.tickless.IdleTicks(), tick-c.now); idle > 0 {
				c.tickless.SkipTicks(idle)
				c.now += idle
				continue
			}
		}
		due = c.module.PerTickBookkeeping()
		c.now++
	}
	if c.module.ExpiryProcessing(limit) == limit || c.now < tick {
		return false
	}
	c.soonest.Store(uint64(c.nextEvent()))
	return true
}

// nextEvent is a tick before which the module has nothing to do. It is exact
// where that is cheap to know; otherwise the driver may wake a few times to find
// timers migrated and none due.
func (c *cell) nextEvent() timer.Tick {
	const few = 64
	n := c.module.Len()
	switch {
	case n == 0:
		return never
	case c.next != nil && (c.tickless == nil || n <= few):
		if next, ok := c.next.NextExpiry(); ok {
			return next
		}
	case c.tickless != nil:
		if idle := c.tickless.IdleTicks(); idle < never-c.now {
			return c.now + idle + 1
		}
	default:
		return c.now + 1
	}
	return never
}

// len is the number of outstanding timers.
func (c *cell) len() int {
	if c.closed {
		return 0
	}
	return c.module.Len() + c.away
}

// close is Close for one cell. It takes mu itself. The calls are those that had
// begun, and the caller must await them.
func (c *cell) close() (pending int, calls []*call) {
	c.mu.Lock()
	pending = c.len()
	c.closed = true
	for _, call := range c.calls {
		for call != nil {
			next := call.next
			if call.state == handed {
				c.end(call)
			} else {
				calls = append(calls, call)
			}
			call = next
		}
	}
	waiters := c.waiters
	c.module, c.resetter, c.tickless, c.next = nil, nil, nil, nil
	c.kept, c.waiters, c.free, c.away = nil, nil, nil, 0
	c.soonest.Store(uint64(never))
	c.mu.Unlock()
	for _, w := range waiters {
		w.closed()
	}
	return pending, calls
}
