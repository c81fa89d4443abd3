package simulation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/timerfacility/timer"
)

var (
	// ErrPast says that an event was to be scheduled before the present.
	ErrPast = errors.New("simulation: event in the past")

	// ErrNoAction says that an event has no action.
	ErrNoAction = errors.New("simulation: no action")

	// ErrCannotJump says that a module is neither a [timer.NextExpirer] nor
	// [timer.Tickless], and so has no way to jump to its earliest event.
	ErrCannotJump = errors.New("simulation: the module is no timer.NextExpirer and not timer.Tickless")
)

// A Flow is a way in which the clock moves (section 4.2).
type Flow int

const (
	// Jump moves the clock from event to event, as GPSS and SIMULA do.
	Jump Flow = iota

	// Step moves the clock tick by tick, as TEGAS and DECSIM do.
	Step
)

// Config says how a Simulation is made. Its zero value works.
type Config struct {
	Flow Flow // default Jump
}

// An Event names one scheduled event until it runs or is cancelled. The zero
// Event names none. An Event may be kept for ever: it never comes to name
// another.
type Event struct {
	sequence uint64 // from 1, in the order of scheduling
	slot     int
}

// Counts is what a simulation did. Scheduled = Performed + Cancelled + Pending().
type Counts struct {
	Scheduled uint64 // events scheduled
	Performed uint64 // events run
	Cancelled uint64 // events cancelled
}

// A Simulation runs events at ticks of simulated time. It is not safe for
// concurrent use.
type Simulation struct {
	module   timer.Timer[int] // the event list; its ids are slots
	tickless timer.Tickless   // the module, where the clock may skip ticks
	collect  timer.ExpiryAction[int]

	slots []slot
	free  []int

	// The events of the present tick that are still to run, in order of
	// sequence. One whose slot has another sequence was cancelled.
	present []Event
	next    int // the first of them

	counts  Counts
	running bool
	stopped bool
}

// A slot keeps what a pending event needs.
type slot struct {
	sequence uint64 // of the event; 0 if the slot is free
	handle   timer.Handle
	action   func()
}

// New makes a simulation with module as its event list, which it has to itself
// from then on, and whose clock is the simulation's. A module that holds timers
// already, one that cannot jump where cfg asks for [Jump] ([ErrCannotJump]), and
// an unknown flow are errors. O(1).
//
// To jump, a module that is [timer.Tickless] skips to the tick before its
// earliest event. One that is only a [timer.NextExpirer] knows where the event
// is, but its clock has no other way to get there than tick by tick.
func New(module timer.Timer[int], cfg Config) (*Simulation, error) {
	if module == nil {
		return nil, errors.New("simulation: no module")
	}
	if n := module.Len(); n != 0 {
		return nil, fmt.Errorf("simulation: the module holds %d timers, and must be empty", n)
	}
	s := &Simulation{module: module}
	s.collect = func(slot int) {
		s.present = append(s.present, Event{s.slots[slot].sequence, slot})
	}
	switch cfg.Flow {
	case Jump:
		tickless, skips := module.(timer.Tickless)
		_, tells := module.(timer.NextExpirer)
		if !skips && !tells {
			return nil, ErrCannotJump
		}
		s.tickless = tickless
	case Step:
	default:
		return nil, fmt.Errorf("simulation: Flow %d is not from %d to %d", cfg.Flow, Jump, Step)
	}
	return s, nil
}

// Now is the simulated time in ticks. O(1).
func (s *Simulation) Now() timer.Tick { return s.module.Now() }

// Pending is the number of events that are scheduled and neither cancelled nor
// begun. O(1).
func (s *Simulation) Pending() int { return len(s.slots) - len(s.free) }

// Counts is what was done since New. O(1).
func (s *Simulation) Counts() Counts { return s.counts }

// Schedule schedules action to run delay ticks from now, after every event that
// is already scheduled for that tick. With delay 0 that is the present tick.
//
// A delay that the module refuses is refused with its error, which matches
// [timer.ErrInterval] and names the bound; a nil action with [ErrNoAction]. A
// refusal changes nothing. O(1), and the module's StartTimer.
func (s *Simulation) Schedule(delay timer.Tick, action func()) (Event, error) {
	if action == nil {
		return Event{}, ErrNoAction
	}
	e := Event{s.counts.Scheduled + 1, s.takeSlot()}
	var handle timer.Handle
	if delay == 0 {
		if s.next > len(s.present)/2 { // a long chain of events within one tick
			s.present, s.next = slices.Delete(s.present, 0, s.next), 0
		}
		s.present = append(s.present, e)
	} else {
		var err error
		if handle, err = s.module.StartTimer(delay, e.slot, s.collect); err != nil {
			s.free = append(s.free, e.slot)
			return Event{}, fmt.Errorf("simulation: delay %d: %w", delay, err)
		}
	}
	s.slots[e.slot] = slot{e.sequence, handle, action}
	s.counts.Scheduled++
	return e, nil
}

// ScheduleAt schedules action to run at tick at, as Schedule does. A tick before
// the present is refused with [ErrPast].
func (s *Simulation) ScheduleAt(at timer.Tick, action func()) (Event, error) {
	now := s.Now()
	if at < now {
		return Event{}, fmt.Errorf("%w: tick %d is before tick %d", ErrPast, at, now)
	}
	return s.Schedule(at-now, action)
}

// Cancel keeps the event from running, and reports whether it did: it is false
// for the zero Event and for one that was cancelled before or has begun. O(1),
// and the module's StopTimer.
func (s *Simulation) Cancel(e Event) bool {
	if !s.pending(e) {
		return false
	}
	s.module.StopTimer(s.slots[e.slot].handle) // false for an event of this tick
	s.release(e)
	s.counts.Cancelled++
	return true
}

func (s *Simulation) pending(e Event) bool {
	return e.sequence != 0 && e.slot < len(s.slots) && s.slots[e.slot].sequence == e.sequence
}

func (s *Simulation) takeSlot() int {
	if last := len(s.free) - 1; last >= 0 {
		i := s.free[last]
		s.free = s.free[:last]
		return i
	}
	s.slots = append(s.slots, slot{})
	return len(s.slots) - 1
}

func (s *Simulation) release(e Event) {
	s.slots[e.slot] = slot{}
	s.free = append(s.free, e.slot)
}

// Run runs events until none is left, and reports whether that is why it ended;
// else [Simulation.Stop] ended it. The clock ends at the last event.
func (s *Simulation) Run() bool {
	return s.run(timer.MaxTick, func() bool { return true })
}

// RunUntil runs the events up to and including those of the tick end, and
// reports whether it came there; else [Simulation.Stop] ended it. The clock ends
// at end, also where the last event comes earlier. An end before the present runs
// nothing.
func (s *Simulation) RunUntil(end timer.Tick) bool {
	if end < s.Now() {
		return true
	}
	if !s.run(end, func() bool { return true }) {
		return false
	}
	s.advance(end)
	return true
}

// RunWhile runs events for as long as more, which is asked before each, says so,
// and reports whether it ended for that reason or because no event is left; else
// [Simulation.Stop] ended it.
func (s *Simulation) RunWhile(more func() bool) bool {
	return s.run(timer.MaxTick, more)
}

// Stop ends the run after the event that calls it. Whatever is left, also of the
// present tick, runs when the simulation is run again. Outside of a run it does
// nothing.
func (s *Simulation) Stop() { s.stopped = true }

// run runs events up to the tick end while more says so.
func (s *Simulation) run(end timer.Tick, more func() bool) bool {
	if s.running {
		panic("simulation: run from inside an event")
	}
	s.running, s.stopped = true, false
	defer func() { s.running = false }() // also if an event panics

	for more() {
		e, ok := s.earliest(end)
		if !ok {
			return true
		}
		action := s.slots[e.slot].action
		s.release(e)
		s.counts.Performed++
		action()
		if s.stopped {
			return false
		}
	}
	return true
}

// earliest takes the next event up to the tick end, and moves the clock to it;
// false if there is none.
func (s *Simulation) earliest(end timer.Tick) (Event, bool) {
	for s.Pending() > 0 {
		if s.next == len(s.present) {
			s.present, s.next = s.present[:0], 0
			if !s.advance(end) {
				return Event{}, false
			}
			s.module.ExpiryProcessing(timer.All)
			slices.SortFunc(s.present, func(a, b Event) int { return cmp.Compare(a.sequence, b.sequence) })
		}
		e := s.present[s.next]
		s.next++
		if s.pending(e) {
			return e, true
		}
	}
	return Event{}, false
}

// advance moves the clock to the next tick at which something is due, which it
// reports, and to end at most.
func (s *Simulation) advance(end timer.Tick) bool {
	for s.Now() < end {
		if s.tickless != nil {
			if idle := min(s.tickless.IdleTicks(), end-s.Now()); idle > 0 {
				s.tickless.SkipTicks(idle)
				continue
			}
		}
		if s.module.PerTickBookkeeping() > 0 {
			return true
		}
	}
	return false
}
