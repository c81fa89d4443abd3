package timer

import (
	"errors"
	"fmt"
)

// ErrDuplicate says that a request id already names an outstanding timer.
var ErrDuplicate = errors.New("timer: request id names an outstanding timer")

// Requests gives a module the paper's own signatures (section 2), in which the
// client's RequestID names the timer: START_TIMER(Interval, RequestID,
// ExpiryAction) and STOP_TIMER(RequestID). A hash table leads from the id to
// the handle, as in the BSD implementation of the 1997 paper (section VII),
// whose callers had no handles either.
//
// It is for START and STOP; the module that it was made with is still driven
// through its own methods. It is not safe for concurrent use.
type Requests[K comparable] struct {
	module   Timer[K]
	requests map[K]request[K]
	expire   ExpiryAction[K]
}

type request[K comparable] struct {
	handle Handle
	action ExpiryAction[K]
}

// ByRequestID makes the timers of t start and stop by their ids, which must be
// unique among the timers started through the same Requests.
func ByRequestID[K comparable](t Timer[K]) *Requests[K] {
	r := &Requests[K]{module: t, requests: make(map[K]request[K])}
	r.expire = func(id K) {
		action := r.requests[id].action
		delete(r.requests, id) // before the action, which may start its id again
		action(id)
	}
	return r
}

// StartTimer starts a timer that id names until it ends. An id of an outstanding
// timer is refused with [ErrDuplicate]; what the module refuses is refused with
// its error. An id is free again inside its own action. An id that does not
// equal itself (a NaN) could never be stopped, and is an error too. A refusal
// changes nothing.
//
// O(1) expected, beside the module's own StartTimer.
func (r *Requests[K]) StartTimer(interval Tick, id K, action ExpiryAction[K]) error {
	if action == nil {
		return ErrNoAction
	}
	if id != id { //nolint:staticcheck // true of a NaN, and of what holds one
		return fmt.Errorf("timer: request id %v does not equal itself, so that nothing could stop it", id)
	}
	if _, taken := r.requests[id]; taken {
		return fmt.Errorf("%w: %v", ErrDuplicate, id)
	}
	h, err := r.module.StartTimer(interval, id, r.expire)
	if err != nil {
		return err
	}
	r.requests[id] = request[K]{h, action}
	return nil
}

// StopTimer stops the timer that id names and reports whether there was one.
//
// O(1) expected, beside the module's own StopTimer.
func (r *Requests[K]) StopTimer(id K) bool {
	req, ok := r.requests[id]
	if !ok {
		return false
	}
	delete(r.requests, id)
	return r.module.StopTimer(req.handle)
}
