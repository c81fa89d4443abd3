package facility

import (
	"context"
	"time"

	"github.com/timerfacility/timer"
)

// A Timer names one timer of a facility. It is a value: it can be copied,
// compared with ==, used as a key of a map, and kept for ever. Once its timer
// has ended it names none, whatever becomes of the memory behind it. The zero
// Timer is stopped.
//
// A Timer holds no action, so that Reset revives nothing. Where package time
// would start a fired timer again, start a new one.
//
// Its methods are safe for use by any number of goroutines, and by actions, that
// of the timer itself included.
type Timer struct {
	cell   *cell
	handle timer.Handle // 0 if the cell keeps the timer
	seq    uint64
}

// Stop ends the timer, and reports whether it did. True: the action will never
// run; in a periodic timer, not again. False: the action has begun, or the timer
// has been stopped before, or its facility is closed. O(1).
func (t Timer) Stop() bool {
	c := t.cell
	if c == nil {
		return false
	}
	c.mu.Lock()
	ok := c.stop(t)
	c.mu.Unlock()
	return ok
}

// Reset makes the timer expire after d instead, and reports whether it did.
// True: it was outstanding and now expires after d, which is as in
// [Facility.AfterFunc]. False: it had expired or been stopped, or its facility
// closed, and stays so. In a periodic timer, whose action may be running, the
// period goes on from the new expiry. O(1), and no allocation.
//
// A timer that has expired while its action still waits for a goroutine, or in
// the caller's Run, can be stopped but no longer reset.
func (t Timer) Reset(d time.Duration) bool {
	c := t.cell
	if c == nil {
		return false
	}
	now := c.f.since()
	tick := c.f.tick(now, d)
	c.mu.Lock()
	ok, wake := c.reset(t, tick, deadline(now, d))
	c.mu.Unlock()
	if wake {
		c.f.wakeDriver()
	}
	return ok
}

// Wait returns nil when the timer's action neither runs nor is about to: at once
// if the timer has not expired or its action has finished, and otherwise when it
// has finished, or has been stopped before it began. It returns the error of ctx
// if that is done first. After Stop, Wait tells when nothing of the timer is
// left. An action that waits for itself waits until ctx is done.
func (t Timer) Wait(ctx context.Context) error {
	c := t.cell
	if c == nil {
		return nil
	}
	c.mu.Lock()
	k := c.calls.get(t.seq)
	if k == nil {
		c.mu.Unlock()
		return nil
	}
	if k.done == nil {
		k.done = make(chan struct{})
	}
	done := k.done
	c.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
