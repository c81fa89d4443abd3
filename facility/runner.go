package facility

import "sync"

// A runner is the default [Config.Run]: it runs each call in a goroutine, so that
// none waits for another. A goroutine that has finished a call takes the next one
// that waits; before it runs that, it sees to it that a spare goroutine is on its
// way for those behind it. So where actions are short, a tick takes a goroutine
// or two, and where each blocks, each has its own.
type runner struct {
	mu    sync.Mutex
	calls []*call // that wait, from first on
	first int
	spare bool // a goroutine is on its way
}

// add has the calls run.
func (r *runner) add(calls []*call) {
	r.mu.Lock()
	if r.first > len(r.calls)/2 {
		n := copy(r.calls, r.calls[r.first:])
		clear(r.calls[n:])
		r.first, r.calls = 0, r.calls[:n]
	}
	r.calls = append(r.calls, calls...)
	start := !r.spare
	r.spare = true
	r.mu.Unlock()
	if start {
		go r.run()
	}
}

// run runs calls until none waits.
func (r *runner) run() {
	r.mu.Lock()
	r.spare = false
	for r.first < len(r.calls) {
		k := r.calls[r.first]
		r.calls[r.first] = nil
		r.first++
		start := r.first < len(r.calls) && !r.spare
		r.spare = r.spare || start
		r.mu.Unlock()
		if start {
			go r.run()
		}
		k.perform()
		r.mu.Lock()
	}
	r.first, r.calls = 0, r.calls[:0]
	if cap(r.calls) > maxWaiting {
		r.calls = nil
	}
	r.mu.Unlock()
}

// maxWaiting is how many calls a runner keeps room for when none waits.
const maxWaiting = 1024
