package conformance_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// Lawful modules keep the contract in odd ways, and have to pass.
var lawful = []struct {
	name  string
	suite conformance.Suite
}{
	{"last started, first run", odd(timer.MaxTick, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			slices.Reverse(m.due[len(m.due)-n:])
			return n
		}
	})},
	{"random order within a tick", odd(timer.MaxTick, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			now := m.due[len(m.due)-n:]
			rand.Shuffle(n, func(i, j int) { now[i], now[j] = now[j], now[i] })
			return n
		}
	})},
	{"lazy reset", conformance.Suite{New: func() timer.Timer[int] { return newLazy(0) }, NewAt: func(now timer.Tick) timer.Timer[int] { return newLazy(now) }}},
	{"deletion swept in bounded batches", conformance.Suite{New: func() timer.Timer[int] { return newSwept(0) }, NewAt: func(now timer.Tick) timer.Timer[int] { return newSwept(now) }}},
	{"no optional interface", only(func(p *plain) timer.Timer[int] { return struct{ timer.Timer[int] }{p} })},
	{"a Resetter only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.Resetter
		}{p, p}
	})},
	{"an Inquirer only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.Inquirer
		}{p, p}
	})},
	{"a NextExpirer only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.NextExpirer
		}{p, p}
	})},
	{"a Tickless only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.Tickless
		}{p, p}
	})},
	{"a Bounded only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.Bounded
		}{p, p}
	})},
	{"a RangeStarter only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.RangeStarter[int]
		}{p, p}
	})},
	{"a Coster only", only(func(p *plain) timer.Timer[int] {
		return struct {
			timer.Timer[int]
			timer.Coster
		}{p, p}
	})},
	{"MaxInterval 1", odd(1, nil)},
	{"MaxInterval 2", odd(2, nil)},
	{"MaxInterval 100", odd(100, nil)},
	{"MaxInterval 100, which the suite is told", conformance.Suite{
		New:         func() timer.Timer[int] { return struct{ timer.Timer[int] }{newPlain(0, 100)} },
		MaxInterval: 100,
	}},
	{"MaxInterval 1, which the suite is told", conformance.Suite{
		New:         func() timer.Timer[int] { return struct{ timer.Timer[int] }{newPlain(0, 1)} },
		MaxInterval: 1,
	}},
	{"a clock that starts late, and no NewAt", conformance.Suite{New: func() timer.Timer[int] { return newPlain(1000, timer.MaxTick) }}},
	{"a clock that starts near its end, and no NewAt", conformance.Suite{New: func() timer.Timer[int] { return newPlain(timer.MaxTick-20, timer.MaxTick) }}},
	{"handles are random numbers", odd(timer.MaxTick, func(m *faulty) {
		inner := make(map[timer.Handle]timer.Handle)
		give := func(h timer.Handle, err error) (timer.Handle, error) {
			if err != nil {
				return 0, err
			}
			random := timer.Handle(rand.Uint64() | 1)
			inner[random] = h
			if len(inner) > 4096 { // else it grows with the number of stops
				for r, h := range inner {
					if _, timer := m.find(h); timer == nil {
						delete(inner, r)
					}
				}
			}
			return random, nil
		}
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			return give(m.plain.StartTimer(d, id, a))
		}
		m.inRange = func(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			return give(m.plain.StartTimerInRange(e, l, id, a))
		}
		m.stop = func(h timer.Handle) bool { return m.plain.StopTimer(inner[h]) }
		m.reset = func(h timer.Handle, d timer.Tick) error { return m.plain.ResetTimer(inner[h], d) }
		m.expiry = func(h timer.Handle) (timer.Tick, bool) { return m.plain.ExpiryOf(inner[h]) }
	})},
	{"every operation O(n)", conformance.Suite{New: func() timer.Timer[int] { return &pile{} }}},
	{"never idle", odd(timer.MaxTick, func(m *faulty) { m.idles(func() timer.Tick { return 0 }) })},
	{"idle for as long as a table is", odd(timer.MaxTick, func(m *faulty) {
		m.idles(func() timer.Tick { return min(m.plain.IdleTicks(), 7-m.now%8) })
	})},
	{"what an action's tick makes due waits for the next call", odd(timer.MaxTick, func(m *faulty) {
		m.process = func(limit int) int {
			n, now := 0, m.now
			for len(m.due) > 0 && m.records[m.due[0]].expiry <= now && n != limit {
				i := m.due[0]
				id, action := m.records[i].id, m.records[i].action
				m.drop(i)
				n++
				action(id)
			}
			return n
		}
	})},
	{"errors with more to say", odd(timer.MaxTick, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			err := m.refusal(d)
			if a == nil {
				err = errors.Join(timer.ErrNoAction, err)
			}
			if err != nil {
				return 12345, fmt.Errorf("%w (interval %#x, bound %#x)", err, uint64(d), uint64(min(m.max, timer.MaxTick-m.now)))
			}
			return m.plain.StartTimer(d, id, a)
		}
	})},
	{"ranges that expire anywhere", odd(timer.MaxTick, func(m *faulty) {
		m.inRange = func(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if e > 0 && e <= l && m.refusal(l) == nil {
				return m.plain.StartTimer(e+rand.N(l-e+1)%(l-e+1), id, a)
			}
			return m.plain.StartTimerInRange(e, l, id, a)
		}
	})},
}

// idles makes the module say so of its idle ticks, and keep to it.
func (m *faulty) idles(say func() timer.Tick) {
	m.idle = say
	m.skip = func(n timer.Tick) {
		if n > say() {
			panic("these ticks are not idle")
		}
		m.plain.SkipTicks(n)
	}
}

// odd is the suite of a plain module with an odd, but lawful, way.
func odd(max timer.Tick, way func(*faulty)) conformance.Suite {
	if way == nil {
		way = func(*faulty) {}
	}
	return conformance.Suite{
		New:   func() timer.Timer[int] { return newFaulty(0, max, way) },
		NewAt: func(now timer.Tick) timer.Timer[int] { return newFaulty(now, max, way) },
	}
}

// only is the suite of a plain module of which little can be seen.
func only(see func(*plain) timer.Timer[int]) conformance.Suite {
	return conformance.Suite{
		New:   func() timer.Timer[int] { return see(newPlain(0, timer.MaxTick)) },
		NewAt: func(now timer.Tick) timer.Timer[int] { return see(newPlain(now, timer.MaxTick)) },
		FIFO:  true,
	}
}

// TestLawful holds the suite to passing every lawful module.
func TestLawful(t *testing.T) {
	for i, l := range lawful {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			if err := l.suite.Check(); err != nil {
				t.Error(err)
			}
			t.Logf("took %v", time.Since(began))
		})
	}
}

// A lazy module only notes a reset to a later tick, and moves the timer when
// its old tick comes.
type lazy struct {
	*faulty
	later map[timer.Handle]timer.Tick // where a timer really expires
}

func newLazy(now timer.Tick) *lazy {
	m := &lazy{later: make(map[timer.Handle]timer.Tick)}
	m.faulty = newFaulty(now, timer.MaxTick, func(f *faulty) {
		f.reset = func(h timer.Handle, d timer.Tick) error {
			_, r := f.find(h)
			if r == nil || f.refusal(d) != nil || r.state == isDue || f.now+d < r.expiry {
				err := f.plain.ResetTimer(h, d)
				if err == nil {
					delete(m.later, h)
				}
				return err
			}
			m.later[h] = f.now + d
			f.plain.costs.Starts++
			f.plain.costs.Stops++
			return nil
		}
		f.stop = func(h timer.Handle) bool { delete(m.later, h); return f.plain.StopTimer(h) }
		f.tick = func() int {
			n := f.plain.PerTickBookkeeping()
			for k := len(f.due) - n; k < len(f.due); {
				i := f.due[k]
				r := &f.records[i]
				h := timer.Handle(r.generation)<<32 | timer.Handle(i+1)
				if later, ok := m.later[h]; ok && later > f.now {
					f.take(i)
					r.state, r.expiry = isWaiting, later
					f.waiting = append(f.waiting, i)
					f.plain.costs.Expiries--
					n--
				} else {
					k++
				}
				delete(m.later, h)
			}
			return n
		}
		f.expiry = func(h timer.Handle) (timer.Tick, bool) {
			e, ok := f.plain.ExpiryOf(h)
			if later, moved := m.later[h]; moved {
				e = later
			}
			return e, ok
		}
		f.next = func() (timer.Tick, bool) {
			next, ok := timer.MaxTick, false
			for _, i := range f.waiting {
				e, _ := f.expiry(timer.Handle(f.records[i].generation)<<32 | timer.Handle(i+1))
				next, ok = min(next, e), true
			}
			return next, ok
		}
	})
	return m
}

// A swept module marks what is stopped, and sweeps when a hundred are marked.
type swept struct {
	now    timer.Tick
	timers []*sweptTimer
	byName map[timer.Handle]*sweptTimer
	last   timer.Handle
	marked int
}

type sweptTimer struct {
	handle timer.Handle
	expiry timer.Tick
	ended  bool
	id     int
	action timer.ExpiryAction[int]
}

func newSwept(now timer.Tick) *swept {
	return &swept{now: now, byName: make(map[timer.Handle]*sweptTimer)}
}

func (s *swept) Now() timer.Tick { return s.now }
func (s *swept) Len() int        { return len(s.timers) - s.marked }

func (s *swept) StartTimer(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
	switch left := timer.MaxTick - s.now; {
	case a == nil:
		return 0, timer.ErrNoAction
	case d == 0 || d > left:
		return 0, fmt.Errorf("%w: %d, bound %d", timer.ErrInterval, d, left)
	}
	s.last++
	t := &sweptTimer{s.last, s.now + d, false, id, a}
	s.timers = append(s.timers, t)
	s.byName[t.handle] = t
	return t.handle, nil
}

// end marks a timer.
func (s *swept) end(t *sweptTimer) {
	t.ended, t.action = true, nil
	delete(s.byName, t.handle)
	if s.marked++; s.marked >= 100 {
		s.timers = slices.DeleteFunc(s.timers, func(t *sweptTimer) bool { return t.ended })
		s.marked = 0
	}
}

func (s *swept) StopTimer(h timer.Handle) bool {
	t := s.byName[h]
	if t != nil {
		s.end(t)
	}
	return t != nil
}

func (s *swept) PerTickBookkeeping() (due int) {
	if s.now == timer.MaxTick {
		panic("swept: the last tick")
	}
	s.now++
	for _, t := range s.timers {
		if !t.ended && t.expiry == s.now {
			due++
		}
	}
	return due
}

func (s *swept) ExpiryProcessing(limit int) (n int) {
	for ; n != limit; n++ {
		var first *sweptTimer
		for _, t := range s.timers {
			if !t.ended && t.expiry <= s.now && (first == nil || t.expiry < first.expiry) {
				first = t
			}
		}
		if first == nil {
			break
		}
		id, action := first.id, first.action
		s.end(first)
		action(id)
	}
	return n
}

// A pile sorts all its timers in every operation.
type pile struct {
	now    timer.Tick
	last   timer.Handle
	timers []pileTimer
}

type pileTimer struct {
	expiry timer.Tick
	handle timer.Handle
	id     int
	action timer.ExpiryAction[int]
}

func (p *pile) Now() timer.Tick { p.sort(); return p.now }
func (p *pile) Len() int        { p.sort(); return len(p.timers) }

func (p *pile) sort() {
	slices.SortFunc(p.timers, func(a, b pileTimer) int {
		switch {
		case a.expiry < b.expiry:
			return -1
		case a.expiry > b.expiry:
			return 1
		}
		return 0
	})
}

func (p *pile) StartTimer(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
	p.sort()
	if a == nil {
		return 0, timer.ErrNoAction
	}
	if d == 0 || d > timer.MaxTick-p.now {
		return 0, fmt.Errorf("%w: %d, bound %d", timer.ErrInterval, d, timer.MaxTick-p.now)
	}
	p.last += 3
	p.timers = append(p.timers, pileTimer{p.now + d, p.last, id, a})
	return p.last, nil
}

func (p *pile) StopTimer(h timer.Handle) bool {
	p.sort()
	n := len(p.timers)
	p.timers = slices.DeleteFunc(p.timers, func(t pileTimer) bool { return t.handle == h })
	return len(p.timers) < n
}

func (p *pile) PerTickBookkeeping() (due int) {
	if p.now == timer.MaxTick {
		panic("pile: the last tick")
	}
	p.now++
	p.sort()
	for _, t := range p.timers {
		if t.expiry == p.now {
			due++
		}
	}
	return due
}

func (p *pile) ExpiryProcessing(limit int) (n int) {
	for ; n != limit; n++ {
		p.sort()
		if len(p.timers) == 0 || p.timers[0].expiry > p.now {
			break
		}
		t := p.timers[0]
		p.timers = slices.Delete(p.timers, 0, 1)
		t.action(t.id)
	}
	return n
}
