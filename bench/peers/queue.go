package main

import (
	"container/heap"
	"fmt"

	"github.com/google/btree"
	"github.com/timerfacility/timer"
)

// A pending is a timer of a queued module.
type pending struct {
	expiry timer.Tick
	turn   uint64 // the later of two starts has the larger one
	handle timer.Handle
	id     int
	action timer.ExpiryAction[int]
	in     queue // where it waits: for its tick, or for its action
	index  int   // in a heap
}

// before is the order of expiry: within a tick, first started, first run.
func (p *pending) before(q *pending) bool {
	return p.expiry < q.expiry || p.expiry == q.expiry && p.turn < q.turn
}

// A queue is a priority queue.
type queue interface {
	push(*pending)
	remove(*pending)
	first() *pending // nil if there is none
}

// A queued is a timer module on a priority queue, written as plainly as one
// would with the library at hand: handles are numbers that are never used twice,
// and a map leads from them to the timers.
type queued struct {
	now     timer.Tick
	turn    uint64
	last    timer.Handle
	timers  map[timer.Handle]*pending
	waiting queue
	due     queue
}

func newHeap(now timer.Tick) *queued  { return newQueued(now, new(byHeap), new(byHeap)) }
func newBTree(now timer.Tick) *queued { return newQueued(now, newByTree(), newByTree()) }

func newQueued(now timer.Tick, waiting, due queue) *queued {
	return &queued{now: now, timers: make(map[timer.Handle]*pending), waiting: waiting, due: due}
}

func (m *queued) Now() timer.Tick         { return m.now }
func (m *queued) Len() int                { return len(m.timers) }
func (m *queued) MaxInterval() timer.Tick { return timer.MaxTick }

// refusal is why the interval is refused, if it is.
func (m *queued) refusal(interval timer.Tick) error {
	if bound := timer.MaxTick - m.now; interval == 0 || interval > bound {
		return fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
	}
	return nil
}

// wait puts p among the waiting timers.
func (m *queued) wait(p *pending, interval timer.Tick) {
	m.turn++
	p.expiry, p.turn, p.in = m.now+interval, m.turn, m.waiting
	m.waiting.push(p)
}

func (m *queued) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if err := m.refusal(interval); err != nil {
		return 0, err
	}
	m.last++
	p := &pending{handle: m.last, id: id, action: action}
	m.timers[p.handle] = p
	m.wait(p, interval)
	return p.handle, nil
}

func (m *queued) StopTimer(h timer.Handle) bool {
	p := m.timers[h]
	if p == nil {
		return false
	}
	p.in.remove(p)
	delete(m.timers, h)
	return true
}

func (m *queued) ResetTimer(h timer.Handle, interval timer.Tick) error {
	p := m.timers[h]
	if p == nil {
		return timer.ErrNotOutstanding
	}
	if err := m.refusal(interval); err != nil {
		return err
	}
	p.in.remove(p)
	m.wait(p, interval)
	return nil
}

func (m *queued) PerTickBookkeeping() (due int) {
	if m.now == timer.MaxTick {
		panic("peers: tick after the last tick")
	}
	m.now++
	for p := m.waiting.first(); p != nil && p.expiry == m.now; p = m.waiting.first() {
		m.waiting.remove(p)
		p.in = m.due
		m.due.push(p)
		due++
	}
	return due
}

func (m *queued) ExpiryProcessing(limit int) (performed int) {
	for performed != limit {
		p := m.due.first()
		if p == nil {
			break
		}
		m.due.remove(p)
		delete(m.timers, p.handle)
		performed++
		p.action(p.id)
	}
	return performed
}

func (m *queued) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	p := m.timers[h]
	if p == nil {
		return 0, false
	}
	return p.expiry, true
}

func (m *queued) NextExpiry() (timer.Tick, bool) {
	p := m.waiting.first()
	if p == nil {
		return 0, false
	}
	return p.expiry, true
}

func (m *queued) IdleTicks() timer.Tick {
	if p := m.waiting.first(); p != nil {
		return p.expiry - m.now - 1
	}
	return timer.MaxTick - m.now
}

func (m *queued) SkipTicks(n timer.Tick) {
	if idle := m.IdleTicks(); n > idle {
		panic(fmt.Sprintf("peers: skip of %d ticks, of which %d are idle", n, idle))
	}
	m.now += n
}

// A byHeap is a queue on container/heap.
type byHeap struct{ timers []*pending }

func (q *byHeap) push(p *pending)   { heap.Push(q, p) }
func (q *byHeap) remove(p *pending) { heap.Remove(q, p.index) }

func (q *byHeap) first() *pending {
	if len(q.timers) == 0 {
		return nil
	}
	return q.timers[0]
}

// What container/heap asks for.

func (q *byHeap) Len() int           { return len(q.timers) }
func (q *byHeap) Less(i, j int) bool { return q.timers[i].before(q.timers[j]) }

func (q *byHeap) Swap(i, j int) {
	q.timers[i], q.timers[j] = q.timers[j], q.timers[i]
	q.timers[i].index, q.timers[j].index = i, j
}

func (q *byHeap) Push(x any) {
	p := x.(*pending)
	p.index = len(q.timers)
	q.timers = append(q.timers, p)
}

func (q *byHeap) Pop() any {
	last := len(q.timers) - 1
	p := q.timers[last]
	q.timers[last] = nil
	q.timers = q.timers[:last]
	return p
}

// A byTree is a queue on google/btree.
type byTree struct{ *btree.BTreeG[*pending] }

func newByTree() byTree { return byTree{btree.NewG(32, (*pending).before)} }

func (q byTree) push(p *pending)   { q.ReplaceOrInsert(p) }
func (q byTree) remove(p *pending) { q.Delete(p) }

func (q byTree) first() *pending {
	p, _ := q.Min()
	return p
}
