package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/timerfacility/timer/facility"
)

// A Purgatory holds requests that wait for keys to be satisfied, or for their
// timeout, as Kafka's does for produce requests that wait for replicas. A request
// stands in a list of watchers for each of its keys and has one timer. Whatever
// comes first completes it, exactly once.
type Purgatory struct {
	timers  *facility.Facility
	shards  [64]shard
	waiting atomic.Int64
}

type shard struct {
	mu       sync.Mutex
	watchers map[int]*watchers
}

// watchers are the requests that wait for a key, and how many of them have been
// completed since they were last swept out.
type watchers struct {
	requests  []*Request
	completed int
}

// A Request waits for all of its keys.
type Request struct {
	purgatory *Purgatory
	keys      []int
	missing   atomic.Int32
	completed atomic.Bool
	timer     facility.Timer
	complete  func(satisfied bool)
}

// NewPurgatory makes a purgatory with the timers of f.
func NewPurgatory(f *facility.Facility) *Purgatory {
	p := &Purgatory{timers: f}
	for i := range p.shards {
		p.shards[i].watchers = make(map[int]*watchers)
	}
	return p
}

// Wait calls complete once: with true when each of the keys, which are distinct,
// has been satisfied after this call began, with false when the timeout has
// passed before.
func (p *Purgatory) Wait(keys []int, timeout time.Duration, complete func(satisfied bool)) *Request {
	r := &Request{purgatory: p, keys: keys, complete: complete}
	r.missing.Store(int32(len(keys)) + 1) // 1 for Wait itself: not before the timer is there
	p.waiting.Add(1)
	for _, key := range keys {
		s := p.shard(key)
		s.mu.Lock()
		w := s.watchers[key]
		if w == nil {
			w = new(watchers)
			s.watchers[key] = w
		}
		w.requests = append(w.requests, r)
		s.mu.Unlock()
	}
	r.timer = p.timers.StartTimer(timeout, r, expire)
	r.arrive()
	return r
}

func expire(id any) { id.(*Request).finish(false) }

// Satisfy satisfies the key for all the requests that wait for it now.
func (p *Purgatory) Satisfy(key int) {
	s := p.shard(key)
	s.mu.Lock()
	w := s.watchers[key]
	delete(s.watchers, key)
	s.mu.Unlock()
	if w == nil {
		return
	}
	for _, r := range w.requests {
		r.arrive()
	}
}

// Waiting is the number of requests that have not been completed.
func (p *Purgatory) Waiting() int { return int(p.waiting.Load()) }

// Watched is the number of places that requests hold in the lists of watchers,
// completed ones included.
func (p *Purgatory) Watched() (n int) {
	for i := range p.shards {
		s := &p.shards[i]
		s.mu.Lock()
		for _, w := range s.watchers {
			n += len(w.requests)
		}
		s.mu.Unlock()
	}
	return n
}

func (p *Purgatory) shard(key int) *shard { return &p.shards[uint(key)%uint(len(p.shards))] }

// arrive is one key less to wait for.
func (r *Request) arrive() {
	if r.missing.Add(-1) == 0 && r.finish(true) {
		// Stop is false where the timer has expired; its action then finds the
		// request completed.
		r.timer.Stop()
	}
}

// finish completes the request, unless it has been completed, and reports whether
// it did.
func (r *Request) finish(satisfied bool) bool {
	if !r.completed.CompareAndSwap(false, true) {
		return false
	}
	r.purgatory.waiting.Add(-1)
	if !satisfied {
		r.purgatory.leave(r)
	}
	r.complete(satisfied)
	return true
}

// leave notes in the lists of the request's keys that it has been completed. A
// list of which half is completed is swept, so that none holds more than twice
// what waits in it, at a cost of O(1) for each request and key.
func (p *Purgatory) leave(r *Request) {
	for _, key := range r.keys {
		s := p.shard(key)
		s.mu.Lock()
		if w := s.watchers[key]; w != nil {
			if w.completed++; 2*w.completed >= len(w.requests) {
				w.sweep()
				if len(w.requests) == 0 {
					delete(s.watchers, key)
				}
			}
		}
		s.mu.Unlock()
	}
}

func (w *watchers) sweep() {
	left := w.requests[:0]
	for _, r := range w.requests {
		if !r.completed.Load() {
			left = append(left, r)
		}
	}
	clear(w.requests[len(left):])
	w.requests, w.completed = left, 0
}
