package facility

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// ErrClosed is what Sleep returns, and the cause with which a context of
// WithTimeout ends, when the facility is closed first.
var ErrClosed = errors.New("facility: closed")

// Config says how a Facility is made. Its zero value works.
type Config struct {
	// Granularity is one tick: a timer expires at the first whole tick, counted
	// from New, that is not before its deadline. Default 1 ms.
	Granularity time.Duration

	// Module makes a timer module with its clock at now. It is called for each
	// shard by New, and again when every module holds some 8100 timers. The default is
	// Scheme 7. Any module that keeps the contract of [timer.Timer] will do, but
	// not one that expires timers earlier than asked. See [Task].
	Module func(now timer.Tick) (timer.Timer[Task], error)

	// Shards is how many modules to begin with, each under a lock of its own,
	// from 1 to 65536. Default GOMAXPROCS.
	Shards int

	// Run performs an action. It is called by the one goroutine that drives all
	// timers, which can expire no other timer until Run returns; it may hand the
	// action over, to a pool of goroutines say, and return. Until the action
	// begins its timer is outstanding, and can be stopped; one whose action Run
	// has dropped stays so until Close. To call an action twice does nothing the
	// second time. Default: each action in its own goroutine, as with
	// [time.AfterFunc], but that an action may be given the goroutine of one that
	// has finished. See [Inline].
	Run func(action func())

	// OnPanic is called with what an action panicked with, in the goroutine of
	// that action. Default: the program crashes, as with [time.AfterFunc].
	OnPanic func(recovered any)

	_ struct{}
}

// Inline is a [Config.Run] that performs actions on the driver, one after the
// other in the order of their ticks. It saves a goroutine for each and the
// hand-over; a slow action delays every other.
func Inline(action func()) { action() }

// A Task is what the facility's modules get as a request id. Its content is the
// facility's own business; a module hands it to the expiry action unchanged, as
// it does with every id, and keeps it no longer than the timer.
//
// A module that is a [timer.Resetter] and takes any interval (by
// [timer.Bounded]) serves the facility directly. For any other, the facility
// keeps a record of its own with each timer, from which it starts the timer
// anew on Reset, and again and again until an interval over the module's bound
// has passed; such timers cost an allocation each. A [timer.Tickless] module or
// a [timer.NextExpirer] lets the driver sleep from event to event; any other has
// it wake at every tick while a timer is outstanding.
type Task struct {
	id  any
	seq uint64 // names the timer among all that its cell ever started
}

// A Facility is a wall-clock timer service. Its methods are safe for use by any
// number of goroutines, and by actions.
type Facility struct {
	granule uint64 // nanoseconds in a tick
	base    time.Time
	config  Config
	shards  []shard
	near    sync.Pool // a *shard for each processor
	runner  runner

	mu     sync.Mutex // guards what follows; taken before a cell's
	closed bool
	inRun  bool                    // the driver is in the caller's Run
	cells  atomic.Pointer[[]*cell] // replaced, never changed

	// The driver's own.
	batch []*call
	sleep *time.Timer

	asleepUntil atomic.Uint64 // tick before which the driver wants no wake-up
	wake        chan struct{} // one token
	done        chan struct{} // closed by Close
	exited      chan struct{} // closed by the driver
	stats       driverStats
}

// A shard is where the goroutines of one processor start their timers.
type shard struct {
	open atomic.Pointer[cell]
	next *shard   // another one, if there is one
	_    [48]byte // a cache line each
}

// New starts a facility: one goroutine, which sleeps until a timer expires, and
// which Close ends. A configuration out of its range, and a Module that fails,
// are errors that name the field.
func New(cfg Config) (*Facility, error) {
	if cfg.Granularity == 0 {
		cfg.Granularity = time.Millisecond
	}
	if cfg.Granularity < 0 {
		return nil, fmt.Errorf("facility: Granularity %v is not positive", cfg.Granularity)
	}
	if cfg.Shards == 0 {
		cfg.Shards = runtime.GOMAXPROCS(0)
	}
	if cfg.Shards < 1 || cfg.Shards > 1<<16 {
		return nil, fmt.Errorf("facility: Shards %d is not from 1 to %d", cfg.Shards, 1<<16)
	}
	if cfg.Module == nil {
		cfg.Module = defaultModule
	}
	f := &Facility{
		granule: uint64(cfg.Granularity),
		base:    time.Now(),
		config:  cfg,
		shards:  make([]shard, cfg.Shards),
		sleep:   time.NewTimer(math.MaxInt64),
		wake:    make(chan struct{}, 1),
		done:    make(chan struct{}),
		exited:  make(chan struct{}),
	}
	var turn atomic.Uint32
	f.near.New = func() any { return &f.shards[int(turn.Add(1))%len(f.shards)] }
	f.cells.Store(new([]*cell))
	for i := range f.shards {
		c, err := f.addCell()
		if err != nil {
			return nil, err
		}
		c.open = true
		f.shards[i].open.Store(c)
		f.shards[i].next = &f.shards[(i+1)%len(f.shards)]
	}
	go f.drive()
	return f, nil
}

// defaultModule is Scheme 7 over the whole Tick range. Most timers are within its
// two finest levels, 65 seconds at 1 ms; coarser ones need few slots.
func defaultModule(now timer.Tick) (timer.Timer[Task], error) {
	return hierarchical.New[Task](hierarchical.Config{
		Now:    now,
		Levels: []int{256, 256, 32, 32, 32, 32, 32, 32, 32, 32, 32, 8},
	})
}

// addCell makes one more cell. The caller holds mu, or is New.
func (f *Facility) addCell() (*cell, error) {
	c, err := newCell(f, timer.Tick(f.since()/f.granule))
	if err != nil {
		return nil, err
	}
	old := *f.cells.Load()
	cells := append(old[:len(old):len(old)], c)
	f.cells.Store(&cells)
	return c, nil
}

// since is the time since New on the monotonic clock, in nanoseconds.
func (f *Facility) since() uint64 { return uint64(time.Since(f.base)) }

// deadline is the time, in nanoseconds since New, d after now. It cannot
// overflow: both are at most 2^63-1.
func deadline(now uint64, d time.Duration) uint64 { return now + uint64(max(d, 0)) }

// tick is the tick at which a timer of duration d expires that was started at
// now: the first tick that is both at or after now+d and after now.
//
// So no timer is early. It expires when the driver has read a clock t with
// t/granule >= tick, rounded down; then t >= tick*granule >= now+d.
func (f *Facility) tick(now uint64, d time.Duration) timer.Tick {
	if d <= 0 {
		return timer.Tick(now/f.granule) + 1
	}
	return f.tickOf(deadline(now, d))
}

// tickOf is the first tick that is not before the deadline, which is not zero.
func (f *Facility) tickOf(deadline uint64) timer.Tick {
	return timer.Tick((deadline-1)/f.granule) + 1
}

// AfterFunc starts a timer that performs action once, after d. A d at or below
// zero expires at the next tick; no d is too long. On a closed facility it
// starts nothing and returns the zero Timer. It panics if action is nil.
//
// O(1), and no allocation in a steady state.
func (f *Facility) AfterFunc(d time.Duration, action func()) Timer {
	if action == nil {
		panic("facility: AfterFunc with a nil action")
	}
	return f.start(d, action, nil)
}

// callFunc is the action of the timers of AfterFunc, whose ids are functions.
func callFunc(action any) { action.(func())() }

// StartTimer is AfterFunc for an action that is given id: one function serves
// many timers, with no closure for each. Equal ids are allowed.
//
// O(1), and no allocation in a steady state where the id is a pointer and the
// action is one of few; a function value that is made anew for each timer, such
// as x.method, is allocated here once more.
func (f *Facility) StartTimer(d time.Duration, id any, action func(id any)) Timer {
	if action == nil {
		panic("facility: StartTimer with a nil action")
	}
	return f.start(d, id, action)
}

// start is StartTimer, where a nil action is callFunc.
func (f *Facility) start(d time.Duration, id any, action func(any)) Timer {
	tick := f.tick(f.since(), d)
	c := f.lockCell()
	if c == nil {
		return Timer{}
	}
	expire := c.callFunc
	if action != nil {
		expire = c.expiryAction(action)
	}
	t, wake := c.start(id, expire, tick)
	c.mu.Unlock()
	if wake {
		f.wakeDriver()
	}
	return t
}

// lockCell is the cell in which this goroutine starts timers, locked, or nil if
// the facility is closed.
//
// The pool may come to give one shard to two processors. Whoever finds the lock
// taken goes to another shard, and stays there.
func (f *Facility) lockCell() *cell {
	s := f.near.Get().(*shard)
	c := s.open.Load()
	if !c.mu.TryLock() {
		s = s.next
		c = s.open.Load()
		c.mu.Lock()
	}
	f.near.Put(s)
	for {
		if c.closed {
			c.mu.Unlock()
			return nil
		}
		if !c.full || !f.extend(s, c) {
			return c
		}
		c = s.open.Load()
		c.mu.Lock()
	}
}

// extend opens another cell for the shard instead of c, which is full, and
// unlocks c. If it cannot, it leaves c locked and returns false: then c takes
// more timers than is good for the longest time under its lock.
func (f *Facility) extend(s *shard, c *cell) bool {
	c.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || s.open.Load() != c {
		return true // look again
	}
	for _, other := range *f.cells.Load() {
		other.mu.Lock()
		if other.module.Len() <= cellSize/2 {
			other.full = false
		}
		room := !other.full
		other.mu.Unlock()
		if room && !other.open {
			s.move(c, other)
			return true
		}
	}
	other, err := f.addCell()
	if err != nil {
		c.mu.Lock()
		return false
	}
	s.move(c, other)
	return true
}

// move makes the shard start its timers in another cell. The caller holds the
// facility's mu.
func (s *shard) move(from, to *cell) {
	from.open, to.open = false, true
	s.open.Store(to)
}

// Every starts a timer that performs action at every multiple of period from
// now, each time at the first tick that is not before it, until it is stopped.
// An action that takes longer than the period never runs beside itself: the
// periods that it misses merge, and the timer goes on in its old phase. A period
// at or below zero is one tick. On a closed facility it returns the zero Timer.
// It panics if action is nil.
//
// Reset makes the next expiry come after its d, and the others in the period
// from there. O(1); it allocates a record of its own.
func (f *Facility) Every(period time.Duration, action func()) Timer {
	if action == nil {
		panic("facility: Every with a nil action")
	}
	if period <= 0 {
		period = f.config.Granularity
	}
	now := f.since()
	c := f.lockCell()
	if c == nil {
		return Timer{}
	}
	k := &kept{id: action, expire: c.callFunc, period: uint64(period), deadline: deadline(now, period)}
	t, wake := c.keep(k, f.tick(now, period))
	c.mu.Unlock()
	if wake {
		f.wakeDriver()
	}
	return t
}

// Len is the number of outstanding timers: started, not stopped, and with an
// action that has not begun. A periodic timer is outstanding until it is
// stopped. O(timers/8100 + shards).
func (f *Facility) Len() int {
	n := 0
	for _, c := range *f.cells.Load() {
		c.mu.Lock()
		n += c.len()
		c.mu.Unlock()
	}
	return n
}

// Close ends the facility, and returns how many timers were outstanding: those
// are spent, and neither run nor can be stopped any more. No action is called
// after Close has returned. One that has been called may still be running: Close
// gives way to it for a moment, 0.2 ms on an idle machine; [Timer.Wait] waits until its
// end. The channels of After that still wait are closed, Sleep
// returns [ErrClosed], and the contexts of WithTimeout end with that cause.
//
// Close leaves no goroutine of the facility behind, once a Run that is under way
// has returned. An action may call it. A second Close returns 0, and not before the
// same holds.
func (f *Facility) Close() (pending int) {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		<-f.done
		return 0
	}
	f.closed = true
	inRun := f.inRun
	f.mu.Unlock()
	var begun []*call
	for _, c := range *f.cells.Load() {
		n, calls := c.close()
		pending += n
		begun = append(begun, calls...)
	}
	awaitEntry(begun)
	close(f.done)
	if !inRun {
		<-f.exited
	}
	return pending
}

// After is a channel on which the time is sent once, after d. If the facility is
// closed, before or meanwhile, the channel is closed with nothing sent. Unlike
// with [time.After], the timer stays outstanding when the channel is dropped.
func (f *Facility) After(d time.Duration) <-chan time.Time {
	ch := make(afterChan, 1)
	f.startWaiter(d, ch)
	return ch
}

type afterChan chan time.Time

func (ch afterChan) expire() { ch <- time.Now() }
func (ch afterChan) closed() { close(ch) }

// Sleep returns nil after d, or earlier the error of ctx if that is done, or
// [ErrClosed] if the facility is closed.
func (f *Facility) Sleep(ctx context.Context, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s := &sleeper{ch: make(chan error, 1)}
	t := f.startWaiter(d, s)
	select {
	case err := <-s.ch:
		return err
	case <-ctx.Done():
		t.stopWaiter()
		return ctx.Err()
	}
}

type sleeper struct{ ch chan error }

func (s *sleeper) expire() { s.ch <- nil }
func (s *sleeper) closed() { s.ch <- ErrClosed }

// startWaiter starts a timer of the facility's own. On a closed facility it
// calls w.closed at once.
func (f *Facility) startWaiter(d time.Duration, w waiter) Timer {
	tick := f.tick(f.since(), d)
	c := f.lockCell()
	if c == nil {
		w.closed()
		return Timer{}
	}
	t, wake := c.start(w, c.expireWaiter, tick)
	if c.waiters == nil {
		c.waiters = make(map[uint64]waiter)
	}
	c.waiters[t.seq] = w
	c.mu.Unlock()
	if wake {
		f.wakeDriver()
	}
	return t
}

// stopWaiter is Stop for a timer of startWaiter.
func (t Timer) stopWaiter() {
	c := t.cell
	if c == nil {
		return
	}
	c.mu.Lock()
	if c.stop(t) {
		delete(c.waiters, t.seq)
	}
	c.mu.Unlock()
}
