package facility

import (
	"context"
	"errors"
	"sync"
	"time"
)

// WithTimeout is [context.WithTimeout] on this facility: the context ends with
// [context.DeadlineExceeded] d from now, unless it or its parent is canceled
// first. Its Deadline, Err and Cause are those of package context; a deadline is
// reached at the tick after it, as with every timer. Where the parent's deadline
// is not later, the parent's is the one that counts, and no timer is started. A
// d at or below zero gives a context that has ended.
//
// If the facility is closed, before or meanwhile, the context is canceled with
// the cause [ErrClosed].
//
// Cancel it in any case, as soon as the work is done: that frees the timer. No
// goroutine waits for the context.
func (f *Facility) WithTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	deadline := time.Now().Add(d)
	if cur, ok := parent.Deadline(); ok && cur.Before(deadline) {
		return context.WithCancel(parent)
	}
	ctx := &timeout{parent: parent, deadline: deadline}
	ctx.inner, ctx.endInner = context.WithCancelCause(parent)
	cancel := func() { ctx.end(context.Canceled) }
	if d <= 0 {
		ctx.end(errExpired)
	}
	if ctx.Err() != nil {
		return ctx, cancel
	}
	t := f.startWaiter(d, ctx)
	ctx.mu.Lock()
	ctx.timer = t
	ended := ctx.ended
	if !ended && parent.Done() != nil {
		ctx.unhook = context.AfterFunc(parent, cancel)
	}
	ctx.mu.Unlock()
	if ended {
		t.stopWaiter()
	}
	return ctx, cancel
}

// errExpired is the cause with which the inner context of a timeout ends at its
// deadline. Nobody outside sees it.
var errExpired = errors.New("facility: deadline reached")

// A timeout is a context of WithTimeout. Its inner context, of package context,
// is its place in the tree above, through which a parent cancels it at once.
// Below, it shows itself as a context of a foreign kind: package context's own
// would tell its children Canceled where this one tells them DeadlineExceeded.
type timeout struct {
	parent   context.Context
	deadline time.Time
	inner    context.Context
	endInner context.CancelCauseFunc

	mu       sync.Mutex
	ended    bool
	timer    Timer
	unhook   func() bool          // from parent
	children map[*func()]struct{} // to call when the context ends
	settled  context.Context      // has the cause of inner, and another Done
}

// end ends the context, unless it has ended, and tells its children.
func (ctx *timeout) end(cause error) {
	ctx.mu.Lock()
	if ctx.ended {
		ctx.mu.Unlock()
		return
	}
	ctx.ended = true
	ctx.endInner(cause) // does nothing where the parent has ended it
	children := ctx.children
	ctx.children = nil
	timer, unhook := ctx.timer, ctx.unhook
	ctx.mu.Unlock()

	for f := range children {
		(*f)()
	}
	if unhook != nil {
		unhook()
	}
	timer.stopWaiter()
}

func (ctx *timeout) expire() { go ctx.end(errExpired) }
func (ctx *timeout) closed() { ctx.end(ErrClosed) }

func (ctx *timeout) Deadline() (time.Time, bool) { return ctx.deadline, true }
func (ctx *timeout) Done() <-chan struct{}       { return ctx.inner.Done() }

func (ctx *timeout) Err() error {
	err := ctx.inner.Err()
	if err != nil && context.Cause(ctx.inner) == errExpired {
		return context.DeadlineExceeded
	}
	return err
}

// AfterFunc arranges for f to be called when the context ends: package context
// looks for this method in the parent of a new context.
func (ctx *timeout) AfterFunc(f func()) (stop func() bool) {
	ctx.mu.Lock()
	defer ctx.mu.Unlock()
	if ctx.ended {
		go f()
		return func() bool { return false }
	}
	if ctx.children == nil {
		ctx.children = make(map[*func()]struct{})
	}
	ctx.children[&f] = struct{}{}
	return func() bool {
		ctx.mu.Lock()
		defer ctx.mu.Unlock()
		_, ok := ctx.children[&f]
		delete(ctx.children, &f)
		return ok
	}
}

// Value is the parent's, but for one key: when the context has ended, its cause
// is to be found here, which [context.Cause] looks up as a value. Before, the
// value of that key is a context above, whose Done differs from this one's, by
// which package context sees that this one is not of its kind.
func (ctx *timeout) Value(key any) any {
	if ctx.inner.Err() == nil {
		return ctx.parent.Value(key)
	}
	ctx.mu.Lock()
	if ctx.settled == nil {
		settled, settle := context.WithCancelCause(context.WithoutCancel(ctx.parent))
		cause := context.Cause(ctx.inner)
		if cause == errExpired {
			cause = context.DeadlineExceeded
		}
		settle(cause)
		ctx.settled = settled
	}
	settled := ctx.settled
	ctx.mu.Unlock()
	return settled.Value(key)
}
