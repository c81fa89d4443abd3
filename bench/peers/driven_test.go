package main

import (
	"fmt"
	"slices"
	"sync"
	"testing/synctest"
	"time"

	"github.com/timerfacility/timer"
)

// A driven module puts a library, which reads a clock of its own, under a caller
// who delivers ticks. It lives in a bubble of package synctest, where the clock
// stands still until every goroutine waits: a tick is to sleep for as long as a
// tick lasts, and to wait until the library has done all that it does then. So
// no tick is early or late, and what the library gets wrong is its own.
//
// The module keeps what no library has: handles, the queue of due timers, and
// the checks of arguments. What is left to the library is to call at the right
// time, once, and not after a stop that it granted.
type driven struct {
	timers  timers
	tick    time.Duration
	early   bool // ask the library for one tick less
	now     timer.Tick
	last    timer.Handle
	started map[timer.Handle]*call // outstanding: waiting, or due
	slots   []*call                // by the number that the library knows
	free    []int
	due     []*call

	mu     sync.Mutex
	called []*call // by the library's goroutines, since the last tick
}

// A call is a timer as the library sees it: what it is to call.
type call struct {
	handle timer.Handle
	number int
	id     int
	action timer.ExpiryAction[int]
	due    bool
}

// drivenTimers is how many timers a driven module holds, and drivenBound how
// many ticks the longest of them lasts: enough for every wheel to go around.
const (
	drivenTimers = 4096
	drivenBound  = 1 << 14
)

// drivenTick is the length of the library's ticks in a bubble: as short as it
// takes them, because the suite's patience is measured by the same clock.
func drivenTick(l library) time.Duration {
	switch l.name {
	case "ouqiang":
		return time.Second
	case "antlabs wheel":
		return 10 * time.Millisecond
	case "RussellLuo", "rfyiamcool Add", "rfyiamcool AfterFunc":
		return time.Millisecond
	}
	return time.Microsecond
}

func newDriven(l library, now timer.Tick) *driven {
	m := &driven{now: now, tick: drivenTick(l), started: make(map[timer.Handle]*call), slots: make([]*call, drivenTimers)}
	for i := range m.slots {
		m.free = append(m.free, drivenTimers-1-i)
	}
	m.timers = l.open(drivenTimers, m.tick, func(i int) func() {
		c := m.slots[i]
		return func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.called = append(m.called, c)
		}
	})
	return m
}

func (m *driven) Now() timer.Tick { return m.now }
func (m *driven) Len() int        { return len(m.started) }

func (m *driven) refusal(interval timer.Tick) error {
	if bound := min(drivenBound, timer.MaxTick-m.now); interval == 0 || interval > bound {
		return fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
	}
	return nil
}

func (m *driven) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if err := m.refusal(interval); err != nil {
		return 0, err
	}
	m.last++
	c := &call{handle: m.last, id: id, action: action}
	m.started[c.handle] = c
	m.begin(c, interval)
	return c.handle, nil
}

// begin gives c to the library.
func (m *driven) begin(c *call, interval timer.Tick) {
	c.number = m.free[len(m.free)-1]
	m.free = m.free[:len(m.free)-1]
	m.slots[c.number] = c
	m.timers.start(c.number, m.duration(interval))
}

// duration is what the library is asked for. One tick less than one tick is next
// to nothing: some libraries make a whole tick of nothing.
func (m *driven) duration(interval timer.Tick) time.Duration {
	if m.early {
		return time.Duration(interval-1)*m.tick + 1
	}
	return time.Duration(interval) * m.tick
}

// end is where the library has done with c, as far as it says.
func (m *driven) end(c *call) {
	m.slots[c.number] = nil
	if h, ok := m.timers.(interface{ forget(int) }); ok {
		h.forget(c.number)
	}
	m.free = append(m.free, c.number)
}

func (m *driven) StopTimer(h timer.Handle) bool {
	c := m.started[h]
	if c == nil {
		return false
	}
	if c.due {
		m.due = slices.DeleteFunc(m.due, func(d *call) bool { return d == c })
	} else if m.timers.stop(c.number) {
		m.end(c)
	} else {
		return false
	}
	delete(m.started, h)
	return true
}

func (m *driven) PerTickBookkeeping() int {
	if m.now == timer.MaxTick {
		panic("peers: tick after the last tick")
	}
	m.now++
	time.Sleep(m.tick)
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	due := m.called
	m.called = nil
	for _, c := range due {
		// Whom the library calls although the timer was stopped, or has been
		// called before, is called in earnest.
		if c != nil && m.slots[c.number] == c {
			c.due = true
			m.end(c)
		}
	}
	due = slices.DeleteFunc(due, func(c *call) bool { return c == nil })
	m.due = append(m.due, due...)
	return len(due)
}

func (m *driven) ExpiryProcessing(limit int) (performed int) {
	for performed != limit && len(m.due) > 0 {
		c := m.due[0]
		m.due = slices.Delete(m.due, 0, 1)
		delete(m.started, c.handle)
		performed++
		c.action(c.id)
	}
	return performed
}

// drivenResetter is a driven module whose library can reset.
type drivenResetter struct{ *driven }

// ResetTimer starts a timer anew that the library has called already.
func (m drivenResetter) ResetTimer(h timer.Handle, interval timer.Tick) error {
	c := m.started[h]
	if c == nil {
		return timer.ErrNotOutstanding
	}
	if err := m.refusal(interval); err != nil {
		return err
	}
	if c.due {
		c.due = false
		m.due = slices.DeleteFunc(m.due, func(d *call) bool { return d == c })
		m.begin(c, interval)
	} else {
		m.timers.(resetter).reset(c.number, m.duration(interval))
	}
	return nil
}
