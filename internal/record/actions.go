package record

import (
	"math"
	"unsafe"

	"github.com/timerfacility/timer"
)

// actions keeps each action once for the outstanding timers that share it, as
// nearly all do: the action of a server's idle timers is one function. A record
// then holds 4 bytes instead of a pointer, so that two of them fit in a cache
// line, and the garbage collector has nothing to look at in them but the ids.
//
// Timers that come with a function value of their own each have a use of 1. To
// find an action that is in use already is a matter of luck beyond the last few:
// a function that is missed is kept twice.
type actions[RequestID any] struct {
	shares []share[RequestID]
	free   uint32     // a list through next of the shares to use again, plus 1; 0 at its end
	recent [16]uint32 // by a hash of the action, where it was last

	// The action that was found last, and its uses, which its share does not have.
	// Most timers come and go with it. They are counted here, in one place, and not in
	// a place that only the record tells: while the processor waits for the record, it
	// could not read any count.
	last      uintptr // its identity
	lastPlace uint32
	lastUses  uint32
}

// A share is an action and how many outstanding timers have it.
type share[RequestID any] struct {
	action timer.ExpiryAction[RequestID]
	uses   uint32
	next   uint32
}

// Where no action is the last one, last is nobodys, which is no action's identity nor
// that of nil, and lastPlace is nowhere.
const (
	nobodys = 1
	nowhere = math.MaxUint32
)

func newActions[RequestID any]() actions[RequestID] {
	return actions[RequestID]{last: nobodys, lastPlace: nowhere}
}

// identity tells function values apart: it is the address of the closure, which
// nothing else has while a share holds it.
func identity[RequestID any](action timer.ExpiryAction[RequestID]) uintptr {
	return *(*uintptr)(unsafe.Pointer(&action))
}

// find makes the action the last one, and gives it a place if it has none.
func (a *actions[RequestID]) find(action timer.ExpiryAction[RequestID]) {
	if a.last != nobodys {
		a.shares[a.lastPlace].uses = a.lastUses
	}
	id := identity(action)
	word := id / unsafe.Sizeof(id)
	recent := &a.recent[(word^word>>4)%uintptr(len(a.recent))]
	if i := *recent; int(i) >= len(a.shares) || identity(a.shares[i].action) != id {
		*recent = a.add(action)
	}
	a.last, a.lastPlace, a.lastUses = id, *recent, a.shares[*recent].uses
}

// use is the place of the last action, with one timer more that has it.
func (a *actions[RequestID]) use() uint32 {
	a.lastUses++
	return a.lastPlace
}

func (a *actions[RequestID]) add(action timer.ExpiryAction[RequestID]) uint32 {
	i := a.free - 1
	if a.free == 0 {
		i = uint32(len(a.shares))
		a.shares = append(a.shares, share[RequestID]{})
	} else {
		a.free = a.shares[i].next
	}
	a.shares[i] = share[RequestID]{action: action}
	return i
}

func (a *actions[RequestID]) at(i uint32) timer.ExpiryAction[RequestID] { return a.shares[i].action }

// releaseLast is release of the last action, where the timer is not the last that has
// it; else it is false, and does nothing. The compiler puts it into the caller.
func (a *actions[RequestID]) releaseLast(i uint32) bool {
	if i != a.lastPlace || a.lastUses == 1 {
		return false
	}
	a.lastUses--
	return true
}

// release is a timer less that has the action.
func (a *actions[RequestID]) release(i uint32) {
	if i == a.lastPlace {
		a.lastUses--
		if a.lastUses == 0 {
			a.last, a.lastPlace = nobodys, nowhere
			a.forget(i)
		}
		return
	}
	s := &a.shares[i]
	s.uses--
	if s.uses == 0 {
		a.forget(i)
	}
}

// forget gives back the place of an action that no timer has any more.
func (a *actions[RequestID]) forget(i uint32) {
	a.shares[i] = share[RequestID]{next: a.free}
	a.free = i + 1
}
