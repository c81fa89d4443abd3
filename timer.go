package timer

import (
	"errors"
	"math"
)

// A Tick is a point or a span of time, in units of the caller's choice: the T
// of the paper's "every T units". The clock of a module starts where its
// configuration says and ends at the largest Tick.
type Tick uint64

// MaxTick is the largest Tick: the last one that a clock can show.
const MaxTick Tick = math.MaxUint64

// A Handle names one timer of one module for as long as the timer is
// outstanding. Zero names no timer. A handle may be kept for ever: once its
// timer has ended it names none, whatever becomes of the record behind it.
//
// It is the "pointer to the record" with which the paper makes STOP_TIMER O(1)
// (section 3.2), as a number.
type Handle uint64

// An ExpiryAction is what a client wants done when its timer expires: the
// ExpiryAction of START_TIMER (section 2). It is given the RequestID that the
// timer was started with.
//
// An action may start, stop, reset and inquire about any timer of the module,
// also with the id that it was given, and may call PerTickBookkeeping. It may
// not call ExpiryProcessing, SkipTicks or AdvanceTo: what a module does then is not
// defined.
type ExpiryAction[RequestID any] func(id RequestID)

// A Timer is a timer module: the paper's four routines (section 2), and its
// clock. The sentences at each method are the contract; package conformance
// tests a module against them.
//
// A module is driven by its caller: it reads no clock, starts no goroutine, and
// is not safe for concurrent use.
type Timer[RequestID any] interface {
	// StartTimer is START_TIMER: it starts a timer that expires at tick
	// Now()+interval, exactly, and then performs action with id. The handle
	// names the timer; the id is what the action gets, and equal ids are
	// allowed.
	//
	// Interval 0 and an interval over the smaller of the module's MaxInterval
	// and MaxTick-Now() are refused with an error that matches [ErrInterval] and
	// names the interval and the bound; a nil action with one that matches
	// [ErrNoAction]. With two faults at once it is either. A refusal changes
	// nothing.
	StartTimer(interval Tick, id RequestID, action ExpiryAction[RequestID]) (Handle, error)

	// StopTimer is STOP_TIMER: it ends the timer without its action, and
	// reports whether it did. It is false, and changes nothing, for the zero
	// handle, a handle that this module never issued, a timer already stopped,
	// and one whose action has begun; it stays false when the record is used
	// again. A timer that is due can still be stopped.
	//
	// A stopped timer leaves no memory behind: start and stop in a loop runs in
	// constant memory, whatever the intervals are.
	StopTimer(h Handle) bool

	// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it adds one to the clock and
	// takes every timer that expires at the new tick out of the structure. These
	// are due: still outstanding, and waiting for ExpiryProcessing. It returns
	// how many became due at this tick, and runs no action. At MaxTick it
	// panics.
	PerTickBookkeeping() int

	// ExpiryProcessing is EXPIRY_PROCESSING: it performs the actions of due
	// timers, at most limit of them, all of them if limit is negative ([All]),
	// none if it is 0, and returns how many it performed. Those due at an
	// earlier tick go before those of a later tick; the order within one tick is
	// open, except where a module promises first started, first run (a reset
	// counts as a start). Timers that an action makes due, by a tick that it runs,
	// are performed in the same call or left to the next.
	//
	// When an action runs, its timer is no longer outstanding, and the module
	// keeps neither its id nor its action. A timer that an action starts never
	// runs before a later PerTickBookkeeping. If an action panics, the panic
	// passes through ExpiryProcessing: that timer has been spent, every other
	// due timer is still due, and the module is intact.
	ExpiryProcessing(limit int) int

	// Now is the time of day in ticks.
	Now() Tick

	// Len is the number of outstanding timers, due ones included: the paper's n.
	Len() int
}

// All is the limit of ExpiryProcessing and [AdvanceTo] that means no limit.
const All = -1

var (
	// ErrInterval says that an interval is 0, or over the module's MaxInterval,
	// or would expire after MaxTick. The error that matches it names the
	// interval and the bound.
	ErrInterval = errors.New("timer: interval out of range")

	// ErrNoAction says that StartTimer was given a nil action.
	ErrNoAction = errors.New("timer: no expiry action")

	// ErrNotOutstanding says that ResetTimer was given a handle that names no
	// outstanding timer.
	ErrNotOutstanding = errors.New("timer: no outstanding timer has this handle")
)

// A Resetter can move an outstanding timer. All seven schemes are Resetters.
type Resetter interface {
	// ResetTimer makes the timer expire at tick Now()+interval instead. It keeps
	// the handle, the id and the action; a due timer is no longer due. For Costs
	// and for order it is one stop and one start.
	//
	// The handle is tested first: one that names no outstanding timer is refused
	// with [ErrNotOutstanding]. Then an interval that StartTimer would refuse is
	// refused with [ErrInterval], and the timer keeps its old expiry.
	ResetTimer(h Handle, interval Tick) error
}

// An Inquirer can tell when a timer expires. All seven schemes are Inquirers.
type Inquirer interface {
	// ExpiryOf is the absolute tick at which the timer expires, or expired if it
	// is due; false for a handle that names no outstanding timer.
	ExpiryOf(h Handle) (Tick, bool)
}

// A NextExpirer knows its earliest timer. All seven schemes are NextExpirers.
type NextExpirer interface {
	// NextExpiry is the exact earliest expiry of the timers that are not yet
	// due; false if there is none. Its cost is the scheme's.
	NextExpiry() (Tick, bool)
}

// A Tickless module can let ticks pass at which nothing is to be done, as the
// hardware of the paper's appendix A does for its host. All seven schemes are
// Tickless.
type Tickless interface {
	// IdleTicks says how many ticks may pass with no bookkeeping to do: no timer
	// expires, and none has to be counted down or moved to another list. It is a
	// lower bound, cheap to have: Now()+IdleTicks() is before every expiry of a
	// timer that is not due, and never passes MaxTick. Due timers do not count.
	// 0 is allowed.
	IdleTicks() Tick

	// SkipTicks adds n to the clock. An n over IdleTicks() is the caller's error
	// and panics. Timers that are due stay due.
	SkipTicks(n Tick)
}

// A Bounded module says how long an interval it takes. All seven schemes are
// Bounded.
type Bounded interface {
	// MaxInterval is the largest interval, inclusive, that StartTimer accepts
	// from every phase of the clock; MaxTick where there is no bound.
	MaxInterval() Tick
}

// A RangeStarter can place a timer anywhere in a range of ticks. Scheme 7 is
// one.
type RangeStarter[RequestID any] interface {
	// StartTimerInRange starts a timer that expires at a tick of
	// [Now()+earliest, Now()+latest], wherever it is cheapest for the module.
	// Earliest 0, earliest > latest, and a latest that StartTimer would refuse
	// are refused with [ErrInterval], a nil action with [ErrNoAction].
	StartTimerInRange(earliest, latest Tick, id RequestID, action ExpiryAction[RequestID]) (Handle, error)
}

// A Coster counts its work in the paper's units. All seven schemes are Costers.
type Coster interface {
	// Costs is the work done since the module was made.
	Costs() Costs
}

// Costs is counted work. The counts are exact: the same calls give the same
// counts on every machine. With them the VAX cost of the 1987 paper's section 7
// is 13·Starts + 7·Stops + 4·Ticks + 6·Visits + 9·Expiries.
type Costs struct {
	Starts   uint64 // timers started; a reset is one stop and one start
	Stops    uint64 // timers stopped
	Ticks    uint64 // calls of PerTickBookkeeping
	Expiries uint64 // timers that became due

	// Compares counts the outstanding timers that START_TIMER compared with to
	// find the place.
	Compares uint64

	// Visits counts the outstanding timers that PER_TICK_BOOKKEEPING examined:
	// decremented, compared (a head that is not due, too), expired or migrated.
	Visits uint64

	// Moves counts the timers migrated to a finer wheel or from an overflow list;
	// one that goes straight to due does not move, nor does one that was reset
	// and is put in its place.
	Moves uint64
}

// Sub is what was counted between the reading old and the reading c of one
// module.
func (c Costs) Sub(old Costs) Costs {
	return Costs{
		Starts:   c.Starts - old.Starts,
		Stops:    c.Stops - old.Stops,
		Ticks:    c.Ticks - old.Ticks,
		Expiries: c.Expiries - old.Expiries,
		Compares: c.Compares - old.Compares,
		Visits:   c.Visits - old.Visits,
		Moves:    c.Moves - old.Moves,
	}
}
