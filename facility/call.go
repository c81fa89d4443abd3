package facility

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A call is the action of a timer that has expired.
type call struct {
	cell   *cell
	task   Task
	action func(any)
	state  callState
	runs   atomic.Bool   // begun, and the next thing is the action itself
	done   chan struct{} // closed when the call is over, if somebody waits for that

	next, prev *call // in a list of cell.calls; next alone in cell.free
}

type callState uint8

const (
	over   callState = iota // finished, or ended before it began
	handed                  // waits for a goroutine, or for the caller's Run
	begun
)

// A callTable finds calls by seq: lists by its low-order bits. It is quicker than
// a map by a tenth of all that an expiry costs.
type callTable [256]*call

func (t *callTable) list(seq uint64) **call { return &t[seq%uint64(len(t))] }

func (t *callTable) get(seq uint64) *call {
	k := *t.list(seq)
	for k != nil && k.task.seq != seq {
		k = k.next
	}
	return k
}

func (t *callTable) add(k *call) {
	list := t.list(k.task.seq)
	k.prev, k.next = nil, *list
	if k.next != nil {
		k.next.prev = k
	}
	*list = k
}

func (t *callTable) remove(k *call) {
	if k.prev != nil {
		k.prev.next = k.next
	} else {
		*t.list(k.task.seq) = k.next
	}
	if k.next != nil {
		k.next.prev = k.prev
	}
	k.prev, k.next = nil, nil
}

// maxFree is how many calls a cell keeps to use again.
const maxFree = 2 * collectSize

// newCall is the call of a task that has expired. The caller holds mu.
func (c *cell) newCall(task Task, action func(any)) *call {
	k := c.free
	if k != nil {
		c.free = k.next
		c.nfree--
	} else {
		k = &call{cell: c}
	}
	k.task, k.action = task, action
	k.state = handed
	k.runs.Store(false)
	c.calls.add(k)
	return k
}

// end ends a call, for good. The caller holds mu.
func (c *cell) end(k *call) {
	k.state = over
	c.calls.remove(k)
	k.task, k.action = Task{}, nil
	if k.done != nil {
		close(k.done)
		k.done = nil
	}
}

// reuse gives the call back, once nobody can perform it any more. The caller
// holds mu.
func (c *cell) reuse(k *call) {
	// A Run of the caller's may keep an action and perform it again; then it must
	// not have become another's.
	if c.f.config.Run == nil && c.nfree < maxFree && !c.closed {
		k.next = c.free
		c.free = k
		c.nfree++
	}
}

// perform performs the action, unless the timer has been stopped meanwhile or
// the facility closed.
func (k *call) perform() {
	c := k.cell
	c.mu.Lock()
	if k.state != handed {
		if k.state == over {
			c.reuse(k)
		}
		c.mu.Unlock()
		return
	}
	k.state = begun
	c.counts.expiries++
	task, action := k.task, k.action
	if c.kept[task.seq] == nil {
		c.away--
	}
	c.mu.Unlock()

	defer k.finish()
	if onPanic := c.f.config.OnPanic; onPanic != nil {
		defer func() {
			if r := recover(); r != nil {
				onPanic(r)
			}
		}()
	}
	k.enter()
	action(task.id)
}

// enter says that the action runs. It is not inlined, for where a function is
// called is where a goroutine gives way to others: here before the action counts
// as running, and not between.
//
//go:noinline
func (k *call) enter() { k.runs.Store(true) }

// Close gives way to actions that run already for so many turns, or so long, whichever
// ends first.
const (
	turns  = 2000 // some 0.2 ms where the processors have nothing else to do
	moment = 20 * time.Millisecond
)

// awaitEntry waits until the action of each of the calls runs, and then gives way to
// them for a while, or until all are over.
//
// An action that runs may have been held up before its first instruction, by the
// scheduler or by the machine. Nobody can see that from outside; to who finds out
// by what the action does, it would seem to start after Close. The turns leave hardly
// any. They have an end by number because in a bubble of testing/synctest no time passes
// while the action waits for a mutex; and by time because each turn may last as long as
// the scheduler lets another goroutine have the processor.
func awaitEntry(calls []*call) {
	for _, k := range calls {
		for !k.runs.Load() {
			runtime.Gosched()
		}
	}
	begin := time.Now()
	for turn := 0; turn < turns && len(calls) > 0 && time.Since(begin) < moment; {
		if last := len(calls) - 1; calls[last].isOver() {
			calls = calls[:last]
		} else {
			turn++
			runtime.Gosched()
		}
	}
}

func (k *call) isOver() bool {
	k.cell.mu.Lock()
	defer k.cell.mu.Unlock()
	return k.state == over
}

// finish ends a call that has begun, and arms a periodic timer again.
func (k *call) finish() {
	c := k.cell
	f := c.f
	wake := false
	c.mu.Lock()
	if t := c.kept[k.task.seq]; t != nil {
		now := f.since()
		if !t.moved {
			t.deadline += t.period
			if t.deadline <= now { // missed periods merge
				t.deadline += ((now-t.deadline)/t.period + 1) * t.period
			}
			t.expiry = f.tickOf(t.deadline)
		}
		t.moved = false
		c.away--
		wake = c.arm(t, t.expiry)
	}
	c.end(k)
	c.reuse(k)
	c.mu.Unlock()
	if wake {
		f.wakeDriver()
	}
}
