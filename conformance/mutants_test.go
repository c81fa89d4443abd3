package conformance_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// A mutant is a fault in the plain module, with an ancestor: a bug that somebody
// had, a slip of the paper, or a sentence of the contract that it breaks.
type mutant struct {
	name     string
	ancestor string
	rules    string // those that have to catch it: all of them, or with | between them one
	max      timer.Tick
	fault    func(m *faulty)
}

// A faulty module is the plain one with methods that a fault replaces.
type faulty struct {
	*plain
	start   func(timer.Tick, int, timer.ExpiryAction[int]) (timer.Handle, error)
	inRange func(earliest, latest timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error)
	stop    func(timer.Handle) bool
	reset   func(timer.Handle, timer.Tick) error
	tick    func() int
	process func(int) int
	clock   func() timer.Tick
	length  func() int
	expiry  func(timer.Handle) (timer.Tick, bool)
	next    func() (timer.Tick, bool)
	idle    func() timer.Tick
	skip    func(timer.Tick)
	bound   func() timer.Tick
	costs   func() timer.Costs
	view    func() timer.View[int]
}

// A shown module is a faulty one as a timer.Viewer.
type shown struct{ *faulty }

func (s shown) View() timer.View[int] { return s.view() }

func newFaulty(now, max timer.Tick, fault func(*faulty)) *faulty {
	p := newPlain(now, max)
	m := &faulty{
		plain: p, start: p.StartTimer, inRange: p.StartTimerInRange, stop: p.StopTimer, reset: p.ResetTimer,
		tick: p.PerTickBookkeeping, process: p.ExpiryProcessing, clock: p.Now, length: p.Len, expiry: p.ExpiryOf,
		next: p.NextExpiry, idle: p.IdleTicks, skip: p.SkipTicks, bound: p.MaxInterval, costs: p.Costs, view: p.view,
	}
	fault(m)
	return m
}

func (m *faulty) StartTimer(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
	return m.start(d, id, a)
}
func (m *faulty) StartTimerInRange(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
	return m.inRange(e, l, id, a)
}
func (m *faulty) StopTimer(h timer.Handle) bool                 { return m.stop(h) }
func (m *faulty) ResetTimer(h timer.Handle, d timer.Tick) error { return m.reset(h, d) }
func (m *faulty) PerTickBookkeeping() int                       { return m.tick() }
func (m *faulty) ExpiryProcessing(limit int) int                { return m.process(limit) }
func (m *faulty) Now() timer.Tick                               { return m.clock() }
func (m *faulty) Len() int                                      { return m.length() }
func (m *faulty) ExpiryOf(h timer.Handle) (timer.Tick, bool)    { return m.expiry(h) }
func (m *faulty) NextExpiry() (timer.Tick, bool)                { return m.next() }
func (m *faulty) IdleTicks() timer.Tick                         { return m.idle() }
func (m *faulty) SkipTicks(n timer.Tick)                        { m.skip(n) }
func (m *faulty) MaxInterval() timer.Tick                       { return m.bound() }
func (m *faulty) Costs() timer.Costs                            { return m.costs() }

// placed makes the module put a timer that is started, or reset, at another
// tick than it should: where says how far from now. Past ticks never come.
func (m *faulty) placed(where func(interval timer.Tick) timer.Tick) {
	m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
		h, err := m.StartTimerPlain(d, id, a)
		if _, r := m.find(h); r != nil && err == nil {
			r.expiry = m.now + where(d)
		}
		return h, err
	}
}

// StartTimerPlain is the start without a fault.
func (m *faulty) StartTimerPlain(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
	return m.plain.StartTimer(d, id, a)
}

// resetBy makes the fault do a reset that the contract allows, and leaves the
// rest as it is.
func (m *faulty) resetBy(do func(i int, r *record, interval timer.Tick) error) {
	m.reset = func(h timer.Handle, d timer.Tick) error {
		i, r := m.find(h)
		if r == nil || m.refusal(d) != nil {
			return m.plain.ResetTimer(h, d)
		}
		return do(i, r, d)
	}
}

// drop loses record i without a word.
func (m *faulty) drop(i int) {
	m.take(i)
	m.release(i)
}

// around wraps the actions that the module is given.
func (m *faulty) around(wrap func(id int, action timer.ExpiryAction[int])) {
	m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
		if a == nil {
			return m.StartTimerPlain(d, id, a)
		}
		return m.StartTimerPlain(d, id, func(id int) { wrap(id, a) })
	}
}

// batch processes as a module does that takes the due timers out of its queue
// first, and then runs them, whatever happens meanwhile.
func (m *faulty) batch(limit int, skip func(h timer.Handle) bool) int {
	type job struct {
		h      timer.Handle
		id     int
		action timer.ExpiryAction[int]
	}
	var jobs []job
	for _, i := range m.due {
		if len(jobs) == limit {
			break
		}
		r := &m.records[i]
		jobs = append(jobs, job{timer.Handle(r.generation)<<32 | timer.Handle(i+1), r.id, r.action})
	}
	n := 0
	for _, j := range jobs {
		if skip != nil && skip(j.h) {
			continue
		}
		if i, r := m.find(j.h); r != nil {
			m.drop(i)
		}
		n++
		j.action(j.id)
	}
	return n
}

var errOther = errors.New("no")

var mutants = []mutant{
	// Where a timer is put.
	{"a multiple of 256 fires a lap late", "peers: akka-core#1016; paper E2", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d%256 == 0 && d < 1<<20 {
				return d + 256
			}
			return d
		})
	}},
	{"over 256, what is no multiple fires a lap early", "paper E2, decrement first", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d > 256 && d%256 != 0 {
				return d - 256
			}
			return d
		})
	}},
	{"every timer is a tick late", "peers: theine-go#64", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick { return min(d, timer.MaxTick-m.now-1) + 1 })
	}},
	{"every timer is a tick early", "peers: prematureTimeout of folly (F4)", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick { return max(d-1, 1) })
	}},
	{"longer than the wheel fires early", "peers: rpc-perf#180, L1", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick { return min(d, 1000) })
	}},
	{"a multiple of 16 has a round too many", "paper E2: rounds are interval / size", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d%16 == 0 && d < 1<<20 {
				return d + 16
			}
			return d
		})
	}},
	{"odd ones over 4096 are at once", "a cascade that forgets a bit", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d > 4096 && d%2 == 1 {
				return 1
			}
			return d
		})
	}},
	{"the interval is kept in 32 bits", "peers: netty#7765", "Start/ExactTick|Inquire/Expiry", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick { return timer.Tick(uint32(d)) })
	}},
	{"past 2^36 the expiry wraps", "peers: tokio#5536, tikv#11940", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if m.now+d >= 1<<36 && m.now < 1<<62 {
				return d + 3
			}
			return d
		})
	}},
	{"a coarse level is chosen with the fine cursor in the way", "peers: dpvs#29; paper E10", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d >= 256 {
				return d - m.now%256
			}
			return d
		})
	}},
	{"a far timer hides near ones", "peers: tokio#8334", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			far := slices.ContainsFunc(m.waiting, func(i int) bool { return m.records[i].expiry-m.now > 1<<20 })
			if far && d < 64 {
				return d + 64
			}
			return d
		})
	}},
	{"the last slot panics", "peers: nebula#802", "Start/ExactTick", 0, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d == 64 && m.now%64 == 63 {
				_ = make([]int, 64)[d]
			}
			return d
		})
	}},
	{"only one of the timers of a tick becomes due", "paper E3", "Start/ExactTick", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			if n < 2 {
				return n
			}
			for _, i := range m.due[len(m.due)-n+1:] {
				m.records[i].state = isWaiting
				m.waiting = append(m.waiting, i)
			}
			m.due = m.due[:len(m.due)-n+1]
			return 1
		}
	}},

	{"of the timers that a tick counts one expires", "a slot that is overwritten", "Expiry/All", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			if n < 2 {
				return n
			}
			for _, i := range m.due[len(m.due)-n+1:] {
				m.records[i].state = isWaiting
				m.waiting = append(m.waiting, i)
			}
			m.due = m.due[:len(m.due)-n+1]
			return n
		}
	}},

	// What StartTimer refuses.
	{"MaxInterval is exclusive", "paper E4", "Start/MaxInterval", 100, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if d == 100 {
				return 0, fmt.Errorf("%w: %d is over 99", timer.ErrInterval, d)
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"MaxInterval fires at once in one phase", "paper E4: same slot, one revolution later", "Start/MaxInterval", 100, func(m *faulty) {
		m.placed(func(d timer.Tick) timer.Tick {
			if d == 100 && m.now%100 == 57 {
				return 1
			}
			return d
		})
	}},
	{"interval 0 expires at the next tick", "peers: timeout add(0); paper E4", "Start/ZeroInterval", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			return m.StartTimerPlain(max(d, 1), id, a)
		}
	}},
	{"interval 0 panics", "peers: singchia Add(0), ouqiang", "Start/ZeroInterval", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			_ = 100 / d
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"an interval over the bound is cut to it", "peers: L1", "Start/OverBound", 100, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			return m.StartTimerPlain(min(d, 100), id, a)
		}
	}},
	{"an expiry over the last tick wraps", "peers: ratas probe f", "Start/OverBound", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if d > timer.MaxTick-m.now && a != nil {
				h, err := m.StartTimerPlain(1, id, a)
				_, r := m.find(h)
				r.expiry = m.now + d
				return h, err
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"the interval's error is another", "contract 2: matches ErrInterval", "Start/ZeroInterval", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if errors.Is(err, timer.ErrInterval) {
				err = errOther
			}
			return h, err
		}
	}},
	{"the interval's error is formatted and not wrapped", "contract 2: matches ErrInterval", "Start/ZeroInterval", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if errors.Is(err, timer.ErrInterval) {
				err = errors.New(err.Error())
			}
			return h, err
		}
	}},
	{"the interval's error has no numbers", "contract 2: names the interval and the bound", "Start/ErrorNamesBound", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if errors.Is(err, timer.ErrInterval) {
				err = timer.ErrInterval
			}
			return h, err
		}
	}},
	{"a nil action is taken", "contract 2: nil action", "Start/NilAction", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if a == nil {
				a = func(int) {}
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"a nil action is noticed when it should run", "contract 2: nil action", "Start/NilAction", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if a == nil {
				return m.StartTimerPlain(d, id, func(int) { a(id) })
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"a refused timer is in the structure all the same", "contract 2: a refusal changes nothing", "Start/RefusalChangesNothing", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if err != nil && a != nil && m.now < timer.MaxTick {
				_, _ = m.StartTimerPlain(1, id, a)
			}
			return h, err
		}
	}},
	{"a refused start ends the timer started before", "contract 2: a refusal changes nothing", "Start/RefusalChangesNothing", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if err != nil && len(m.waiting) > 0 {
				m.drop(m.waiting[len(m.waiting)-1])
			}
			return h, err
		}
	}},

	// What handles and ids name.
	{"the first handle is zero", "contract: zero names no timer", "Start/Handle", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := m.StartTimerPlain(d, id, a)
			if h == 1<<32|1 {
				h = 0
			}
			return h, err
		}
	}},
	{"a record keeps its handle", "peers: agrona A6; BSD's handles (paper B-3)", "Start/Handle", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if n := len(m.free); n > 0 {
				m.records[m.free[n-1]].generation = 0
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"the generation is not looked at", "peers: agrona#346, A6", "Stop/RecordReused", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			i := int(uint32(h)) - 1
			if h>>32 == 0 || i < 0 || i >= len(m.records) || m.records[i].generation < uint32(h>>32) {
				return false
			}
			return m.plain.StopTimer(timer.Handle(m.records[i].generation)<<32 | h&math.MaxUint32)
		}
	}},
	{"a generation of 8 bits", "contract 3: at least 2^31 uses", "Start/Handle|Stop/RecordReused", 0, func(m *faulty) { m.narrow(8) }},
	{"a generation of 16 bits", "contract 3: at least 2^31 uses", "Stop/RecordReused", 0, func(m *faulty) { m.narrow(16) }},
	{"an id names one timer only", "contract 2: equal ids are allowed", "Start/EqualIDs", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if k := slices.IndexFunc(m.waiting, func(i int) bool { return m.records[i].id == id }); k >= 0 && m.refusal(d) == nil && a != nil {
				m.drop(m.waiting[k])
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"an equal id is refused", "contract 2: equal ids are allowed", "Start/EqualIDs", 0, func(m *faulty) {
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if slices.ContainsFunc(m.waiting, func(i int) bool { return m.records[i].id == id }) {
				return 0, timer.ErrDuplicate
			}
			return m.StartTimerPlain(d, id, a)
		}
	}},
	{"the action gets the id of the timer started last", "contract 2: the id is what the action gets", "Expiry/ID", 0, func(m *faulty) {
		last := 0
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			last = id
			if a == nil {
				return m.StartTimerPlain(d, id, a)
			}
			return m.StartTimerPlain(d, id, func(int) { a(last) })
		}
	}},

	// StopTimer.
	{"stop says no", "contract 3: reports whether it stopped the timer", "Stop/Outstanding", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool { m.plain.StopTimer(h); return false }
	}},
	{"stop does nothing", "peers: siddontang time2, netty#14081", "Stop/Outstanding", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			_, r := m.find(h)
			return r != nil && r.state == isWaiting || m.plain.StopTimer(h)
		}
	}},
	{"a due timer cannot be stopped", "peers: tokio#2473, K1", "Stop/Due", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			_, r := m.find(h)
			return r != nil && r.state == isWaiting && m.plain.StopTimer(h)
		}
	}},
	{"a due timer on a level boundary cannot be stopped", "peers: tokio#2473: panics where elapsed == when", "Stop/Due|Action/Stop", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			if _, r := m.find(h); r != nil && r.state == isDue && r.expiry%64 == 0 {
				panic("elapsed == when")
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"a due timer that was stopped runs", "peers: RussellLuo#31", "Stop/Due", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			_, r := m.find(h)
			return r != nil && r.state == isDue || m.plain.StopTimer(h)
		}
	}},
	{"stop of the zero handle is true", "contract 3: the zero handle", "Stop/Zero", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool { return h == 0 || m.plain.StopTimer(h) }
	}},
	{"stop of the zero handle panics", "contract 3: the zero handle", "Stop/Zero", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			if h == 0 {
				panic("index out of range [-1]")
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"an index out of the table panics", "contract 3: a handle that was never issued", "Stop/NeverIssued", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			if h != 0 {
				_ = m.records[int(uint32(h))-1]
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"the top bit of a handle is not looked at", "contract 3: a handle that was never issued", "Stop/NeverIssued", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool { return m.plain.StopTimer(h &^ (1 << 63)) }
	}},
	{"the next handle of a free record is taken for one", "contract 3: a handle that was never issued", "Stop/NeverIssued", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			i := int(uint32(h)) - 1
			if i >= 0 && i < len(m.records) && m.records[i].state == isFree && m.records[i].generation+1 == uint32(h>>32) {
				return true
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"a second stop is true", "contract 3: a timer already stopped", "Stop/Stopped", 0, func(m *faulty) {
		var last timer.Handle
		m.stop = func(h timer.Handle) bool {
			if h != 0 && h == last {
				return true
			}
			ok := m.plain.StopTimer(h)
			if ok {
				last = h
			}
			return ok
		}
	}},
	{"a second stop panics", "peers: antlabs heap", "Stop/Stopped", 0, func(m *faulty) {
		stopped := make(map[timer.Handle]bool)
		m.stop = func(h timer.Handle) bool {
			if stopped[h] {
				panic("index out of range [-1]")
			}
			ok := m.plain.StopTimer(h)
			stopped[h] = ok
			return ok
		}
	}},
	{"a stop in its own action is true", "contract 3: one whose action has begun", "Stop/ActionBegun", 0, func(m *faulty) {
		running := -1
		m.around(func(id int, a timer.ExpiryAction[int]) { running = id; a(id); running = -1 })
		m.stop = func(h timer.Handle) bool { return m.plain.StopTimer(h) || running >= 0 && m.generationEnded(h) }
	}},
	{"a stop after the action is true", "contract 3: one whose action has begun", "Stop/ActionBegun", 0, func(m *faulty) {
		stopped := make(map[timer.Handle]bool)
		m.stop = func(h timer.Handle) bool {
			ok := m.plain.StopTimer(h)
			ended := !ok && !stopped[h] && m.generationEnded(h)
			stopped[h] = true
			return ok || ended
		}
	}},
	{"a stop after the action removes an unrelated timer", "peers: antlabs heap", "Stop/FalseChangesNothing", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			ok := m.plain.StopTimer(h)
			if !ok && m.generationEnded(h) && len(m.waiting) > 0 {
				m.drop(m.waiting[len(m.waiting)-1])
			}
			return ok
		}
	}},
	{"a stopped timer takes its neighbour along", "contract 3: ends the timer, and no other", "Start/ExactTick|Len/Counts", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			i, r := m.find(h)
			if r != nil && r.state == isWaiting && len(m.waiting) == 3 && m.waiting[0] == i {
				m.drop(m.waiting[1])
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"the heap is not mended when an inner timer is stopped", "paper E6: decrement the top only", "Start/ExactTick", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			i, r := m.find(h)
			if r != nil && r.state == isWaiting && len(m.waiting) > 2 && m.waiting[1] == i {
				last := &m.records[m.waiting[len(m.waiting)-1]]
				last.expiry = max(last.expiry, r.expiry)
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"stopped timers wait for their slot", "peers: netty#2561, go-zero, rfyiamcool", "Stop/ConstantMemory", 0, func(m *faulty) {
		var garbage []*[64]byte
		m.stop = func(h timer.Handle) bool {
			ok := m.plain.StopTimer(h)
			if ok {
				garbage = append(garbage, new([64]byte))
			}
			return ok
		}
	}},
	{"a stopped timer leaves four bytes", "contract 8: constant memory", "Stop/ConstantMemory", 0, func(m *faulty) {
		var garbage []uint64
		m.stop = func(h timer.Handle) bool {
			garbage = append(garbage, uint64(h))
			return m.plain.StopTimer(h)
		}
	}},

	// PerTickBookkeeping and the clock.
	{"the clock stands while there are no timers", "contract 4: adds one to the clock", "Tick/AddsOne", 0, func(m *faulty) {
		m.tick = func() int {
			if len(m.waiting) == 0 && len(m.due) == 0 && m.now < timer.MaxTick {
				return 0
			}
			return m.plain.PerTickBookkeeping()
		}
	}},
	{"a tick counts all that is due", "contract 4: how many became due at this tick", "Tick/CountsDue", 0, func(m *faulty) {
		m.tick = func() int { m.plain.PerTickBookkeeping(); return len(m.due) }
	}},
	{"a tick says one for many", "contract 4: how many became due at this tick", "Tick/CountsDue", 0, func(m *faulty) {
		m.tick = func() int { return min(m.plain.PerTickBookkeeping(), 1) }
	}},
	{"a stopped timer leaves a tombstone that becomes due", "a list that is not unlinked", "Tick/CountsDue", 0, func(m *faulty) {
		tombs := make(map[timer.Tick]int)
		due := 0
		m.stop = func(h timer.Handle) bool {
			if _, r := m.find(h); r != nil && r.state == isWaiting {
				tombs[r.expiry]++
			}
			return m.plain.StopTimer(h)
		}
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			due += tombs[m.now]
			return n + tombs[m.now]
		}
		m.process = func(limit int) int {
			if due > 0 {
				panic("the action is nil")
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"a tick runs the actions", "contract 4: it runs no action", "Tick/RunsNoAction", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			m.plain.ExpiryProcessing(timer.All)
			return n
		}
	}},
	{"after the last tick comes 0", "contract 4: at the largest Tick it panics", "Tick/AtMaxTick", 0, func(m *faulty) {
		m.tick = func() int {
			if m.now == timer.MaxTick {
				m.now = 0
				return 0
			}
			return m.plain.PerTickBookkeeping()
		}
	}},
	{"processing moves the clock", "contract 1: driven by its caller", "Now/OnlyTicks", 0, func(m *faulty) {
		m.process = func(limit int) int {
			n := m.plain.ExpiryProcessing(limit)
			if idle := m.plain.IdleTicks(); n == 0 && idle > 0 {
				m.now++
			}
			return n
		}
	}},
	{"the initial clock is not taken over", "configuration: Now", "Now/StartsAt", 0, func(m *faulty) { m.now = 0 }},
	{"the clock begins a tick late", "configuration: Now", "Now/StartsAt", 0, func(m *faulty) {
		if m.now > 0 {
			m.now++
		}
	}},

	// ExpiryProcessing.
	{"All performs one", "contract 5: all of them if limit is negative", "Expiry/All", 0, func(m *faulty) {
		m.process = func(limit int) int {
			if limit < 0 {
				limit = 1
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"All is none", "contract 5: all of them if limit is negative", "Expiry/All", 0, func(m *faulty) {
		m.process = func(limit int) int { return m.plain.ExpiryProcessing(max(limit, 0)) }
	}},
	{"only -1 is all", "contract 5: all of them if limit is negative", "Expiry/All", 0, func(m *faulty) {
		m.process = func(limit int) int {
			if limit < -1 {
				limit = 0
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"the smallest limit overflows", "contract 5: all of them if limit is negative", "Expiry/All", 0, func(m *faulty) {
		m.process = func(limit int) int {
			if limit == math.MinInt {
				limit = 0
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"only the timers of one tick are performed", "peers: camunda#767", "Expiry/All", 0, func(m *faulty) {
		m.process = func(limit int) int {
			n := 0
			for len(m.due) > 0 && n != limit {
				e := m.records[m.due[0]].expiry
				m.plain.ExpiryProcessing(1)
				if n++; len(m.due) > 0 && m.records[m.due[0]].expiry != e {
					break
				}
			}
			return n
		}
	}},
	{"the limit is not looked at", "peers: ratas probe a", "Expiry/Limit", 0, func(m *faulty) {
		m.process = func(limit int) int {
			if limit > 0 {
				limit = timer.All
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"the limit begins anew with each tick", "peers: ratas probe c", "Expiry/Limit", 0, func(m *faulty) {
		m.process = func(limit int) int {
			n, inTick, last := 0, 0, timer.Tick(0)
			for len(m.due) > 0 && limit != 0 {
				if e := m.records[m.due[0]].expiry; e != last {
					inTick, last = 0, e
				}
				if inTick == limit {
					break
				}
				inTick++
				n += m.plain.ExpiryProcessing(1)
			}
			return n
		}
	}},
	{"limit 0 is no limit", "peers: ratas probe b", "Expiry/LimitZero", 0, func(m *faulty) {
		m.process = func(limit int) int {
			if limit == 0 {
				limit = timer.All
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"what the limit leaves is lost", "peers: A2, k: budget 1 with two timers on one tick", "Expiry/Limit|Len/Counts", 0, func(m *faulty) {
		m.process = func(limit int) int {
			n := m.plain.ExpiryProcessing(limit)
			if limit > 0 {
				for len(m.due) > 0 {
					m.drop(m.due[0])
				}
			}
			return n
		}
	}},
	{"a stopped neighbour is counted as performed", "contract 5: how many it performed", "Expiry/Count", 0, func(m *faulty) {
		m.process = func(limit int) int {
			due := len(m.due)
			n := m.plain.ExpiryProcessing(limit)
			if limit < 0 {
				return due
			}
			return n
		}
	}},
	{"an action is performed twice", "peers: go-zero MoveTimer", "Expiry/Once", 0, func(m *faulty) {
		m.around(func(id int, a timer.ExpiryAction[int]) {
			a(id)
			if id%5 == 0 {
				a(id)
			}
		})
	}},
	{"a timer comes back after a lap", "contract: once", "Expiry/Once", 0, func(m *faulty) {
		back := make(map[timer.Tick]record)
		m.process = func(limit int) int {
			if len(m.due) == 1 && limit != 0 && m.now < 1<<60 {
				back[m.now+256] = m.records[m.due[0]]
			}
			return m.plain.ExpiryProcessing(limit)
		}
		m.tick = func() int {
			if r, ok := back[m.now+1]; ok {
				_, _ = m.StartTimerPlain(1, r.id, r.action)
				m.plain.costs.Starts--
			}
			return m.plain.PerTickBookkeeping()
		}
	}},
	{"the latest due runs first", "peers: timeout a@70 b@65", "Expiry/EarlierTickFirst", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			slices.SortStableFunc(m.due, func(i, j int) int { return int(m.records[j].expiry) - int(m.records[i].expiry) })
			return n
		}
	}},
	{"last started, first run", "promise: FIFO", "Expiry/FIFO", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			slices.Reverse(m.due[len(m.due)-n:])
			return n
		}
	}},
	{"order turns where timers migrate", "peers: ratas probe g", "Expiry/FIFO", 0, func(m *faulty) {
		m.tick = func() int {
			n := m.plain.PerTickBookkeeping()
			if m.now%256 == 0 {
				slices.Reverse(m.due[len(m.due)-n:])
			}
			return n
		}
	}},
	{"a reset timer keeps its place", "contract 5: for order, a reset is a start", "Expiry/FIFO", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			if r.state == isDue {
				return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
			}
			r.expiry = m.now + d
			m.plain.costs.Stops++
			m.plain.costs.Starts++
			return nil
		})
	}},

	// Panicking actions.
	{"a panic is swallowed", "contract 7: the panic passes", "Expiry/PanicPasses", 0, func(m *faulty) {
		m.around(func(id int, a timer.ExpiryAction[int]) {
			defer func() { _ = recover() }()
			a(id)
		})
	}},
	{"a panic is passed on as another", "contract 7: the panic passes", "Expiry/PanicPasses", 0, func(m *faulty) {
		m.around(func(id int, a timer.ExpiryAction[int]) {
			defer func() {
				if r := recover(); r != nil {
					panic(fmt.Sprint("action failed: ", r))
				}
			}()
			a(id)
		})
	}},
	{"a panic leaves the timer due", "peers: A4", "Expiry/PanicPasses", 0, func(m *faulty) {
		m.process = func(limit int) int {
			for n := 0; ; n++ {
				if len(m.due) == 0 || n == limit {
					return n
				}
				i, r := m.due[0], m.records[m.due[0]]
				func() {
					defer func() {
						if p := recover(); p != nil {
							m.free = slices.DeleteFunc(m.free, func(f int) bool { return f == i })
							m.records[i] = r
							m.due = slices.Insert(m.due, 0, i)
							panic(p)
						}
					}()
					m.plain.ExpiryProcessing(1)
				}()
			}
		}
	}},
	{"a panic loses the rest of the batch", "peers: A4", "Expiry/PanicLeavesRest", 0, func(m *faulty) {
		m.process = func(limit int) int {
			defer func() {
				if p := recover(); p != nil {
					for len(m.due) > 0 {
						m.drop(m.due[0])
					}
					panic(p)
				}
			}()
			return m.plain.ExpiryProcessing(limit)
		}
	}},
	{"a panic leaves the module busy", "contract 7: the module is intact", "Expiry/PanicLeavesRest", 0, func(m *faulty) {
		busy := false
		m.process = func(limit int) int {
			if busy {
				return 0
			}
			busy = true
			n := m.plain.ExpiryProcessing(limit)
			busy = false
			return n
		}
	}},

	// What is kept.
	{"a free record keeps its action", "contract 9", "Expiry/KeepsNothing", 0, func(m *faulty) {
		var kept []timer.ExpiryAction[int]
		m.stop = func(h timer.Handle) bool {
			if _, r := m.find(h); r != nil {
				kept = append(kept, r.action)
				if len(kept) > 2000 {
					kept = nil
				}
			}
			return m.plain.StopTimer(h)
		}
	}},
	{"an action that timers share is kept after the last of them", "contract 9: a count of uses that is one too high", "Expiry/KeepsNothing", 0, func(m *faulty) {
		type share struct{ uses, most int }
		shares := make(map[unsafe.Pointer]*share) // by function value, which it keeps
		of := make(map[timer.Handle]unsafe.Pointer)
		ends := func(h timer.Handle) {
			action := of[h]
			delete(of, h)
			if s := shares[action]; s == nil { // started in a range
				return
			} else if s.uses > 1 || s.most > 1 {
				s.uses--
			} else {
				delete(shares, action)
			}
		}
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (h timer.Handle, err error) {
			if a == nil {
				return m.StartTimerPlain(d, id, a)
			}
			h, err = m.StartTimerPlain(d, id, func(id int) {
				ends(h)
				a(id)
			})
			if err == nil {
				action := *(*unsafe.Pointer)(unsafe.Pointer(&a))
				if shares[action] == nil {
					shares[action] = new(share)
				}
				s := shares[action]
				s.uses++
				s.most = max(s.most, s.uses)
				of[h] = action
			}
			return h, err
		}
		m.stop = func(h timer.Handle) bool {
			stopped := m.plain.StopTimer(h)
			if stopped {
				ends(h)
			}
			return stopped
		}
	}},
	{"the queue of due timers keeps actions that ran", "contract 9: a slice that is cut at its front", "Expiry/KeepsNothing", 0, func(m *faulty) {
		var queue []timer.ExpiryAction[int]
		m.process = func(limit int) int {
			queue = queue[:0]
			for _, i := range m.due {
				queue = append(queue, m.records[i].action)
			}
			return m.plain.ExpiryProcessing(limit)
		}
	}},

	// Actions.
	{"a timer is outstanding in its own action", "contract 6; peers: F5", "Action/NotOutstanding", 0, func(m *faulty) {
		running := 0
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running++
			defer func() { running-- }()
			a(id)
		})
		m.length = func() int { return m.plain.Len() + running }
	}},
	{"an action's timer lands in the slot that is being drained", "peers: tgstation#38994", "Action/StartsLater", 0, func(m *faulty) {
		running := false
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running = true
			defer func() { running = false }()
			a(id)
		})
		start := m.start
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := start(d, id, a)
			if i, r := m.find(h); r != nil && running && d == 1 {
				m.take(i)
				r.state = isDue
				m.due = append(m.due, i)
			}
			return h, err
		}
	}},
	{"a timer that an action starts is lost", "peers: N1, re-armed by itself", "Action/Start", 0, func(m *faulty) {
		running := false
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running = true
			defer func() { running = false }()
			a(id)
		})
		start := m.start
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			h, err := start(d, id, a)
			if _, r := m.find(h); r != nil && running && d > 1 {
				r.expiry = m.now // never again
			}
			return h, err
		}
	}},
	{"an action that starts many panics", "contract 6: start any timer", "Action/Start", 0, func(m *faulty) {
		running := 0
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running = 1
			defer func() { running = 0 }()
			a(id)
		})
		start := m.start
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if running > 0 {
				if running++; running > 20 {
					panic("concurrent growth")
				}
			}
			return start(d, id, a)
		}
	}},
	{"a neighbour that an action stopped still runs", "peers: muduo#668, timer-wheel#2, F1", "Action/Stop", 0, func(m *faulty) {
		m.process = func(limit int) int { return m.batch(limit, nil) }
	}},
	{"a neighbour that an action reset still runs", "contract 6; peers: K1", "Action/Reset", 0, func(m *faulty) {
		m.process = func(limit int) int {
			return m.batch(limit, func(h timer.Handle) bool { _, r := m.find(h); return r == nil })
		}
	}},
	{"a tick within an action is not taken", "contract 6: may call PerTickBookkeeping", "Action/Tick", 0, func(m *faulty) {
		running := false
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running = true
			defer func() { running = false }()
			a(id)
		})
		m.tick = func() int {
			if running && m.now < timer.MaxTick {
				return 0
			}
			return m.plain.PerTickBookkeeping()
		}
	}},

	// Len.
	{"Len leaves out what is due", "contract 8: due ones included", "Len/Counts", 0, func(m *faulty) {
		m.length = func() int { return len(m.waiting) }
	}},
	{"Len forgets stops in actions", "peers: netty#14959", "Len/Counts", 0, func(m *faulty) {
		running, off := false, 0
		m.around(func(id int, a timer.ExpiryAction[int]) {
			running = true
			defer func() { running = false }()
			a(id)
		})
		m.stop = func(h timer.Handle) bool {
			ok := m.plain.StopTimer(h)
			if ok && running {
				off++
			}
			return ok
		}
		m.length = func() int { return m.plain.Len() + off }
	}},

	// ResetTimer.
	{"a reset to the same tick hangs", "peers: antlabs wheel", "Reset/ExactTick", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			if r.expiry == m.now+d {
				select {}
			}
			return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
		})
	}},
	{"a reset after a stop is accepted", "peers: antlabs wheel", "Reset/NotOutstanding", 0, func(m *faulty) {
		m.reset = func(h timer.Handle, d timer.Tick) error {
			if err := m.plain.ResetTimer(h, d); err != timer.ErrNotOutstanding {
				return err
			}
			return nil
		}
	}},
	{"the interval is tested before the handle", "contract: the handle is tested first", "Reset/NotOutstanding", 0, func(m *faulty) {
		m.reset = func(h timer.Handle, d timer.Tick) error {
			if err := m.refusal(d); err != nil {
				return err
			}
			return m.plain.ResetTimer(h, d)
		}
	}},
	{"a due timer that was reset is still due", "peers: tokio#3270", "Reset/Due", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			if r.state == isDue {
				r.expiry = m.now + d
				return nil
			}
			return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
		})
	}},
	{"a due timer cannot be reset", "peers: K1", "Reset/Due", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			if r.state == isDue {
				return timer.ErrNotOutstanding
			}
			return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
		})
	}},
	{"a reset to a later tick does nothing", "peers: msquic#3206", "Reset/ExactTick", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			h, old := timer.Handle(r.generation)<<32|timer.Handle(i+1), r.expiry
			err := m.plain.ResetTimer(h, d)
			if old > m.now && old < m.now+d {
				r.expiry = old
			}
			return err
		})
	}},
	{"a reset to a sooner tick waits for the old one", "a lazy reset that is too lazy", "Reset/ExactTick", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			h, old := timer.Handle(r.generation)<<32|timer.Handle(i+1), r.expiry
			err := m.plain.ResetTimer(h, d)
			r.expiry = max(old, r.expiry)
			return err
		})
	}},
	{"a reset adds to what is left", "contract: Now()+interval", "Reset/ExactTick", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			h, left := timer.Handle(r.generation)<<32|timer.Handle(i+1), max(r.expiry, m.now)-m.now
			return m.plain.ResetTimer(h, min(d+left, timer.MaxTick-m.now))
		})
	}},
	{"a reset makes a new handle", "contract: keeps the handle", "Reset/KeepsHandle", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			err := m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
			r.generation++
			return err
		})
	}},
	{"a reset forgets the id", "contract: keeps the id", "Reset/KeepsHandle", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			r.id = 0
			return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
		})
	}},
	{"a refused reset stops the timer", "contract: the timer keeps its old expiry", "Reset/BadInterval", 0, func(m *faulty) {
		m.reset = func(h timer.Handle, d timer.Tick) error {
			err := m.plain.ResetTimer(h, d)
			if errors.Is(err, timer.ErrInterval) {
				i, _ := m.find(h)
				m.drop(i)
			}
			return err
		}
	}},
	{"a reset to 0 is a reset to 1", "contract: an interval that StartTimer would refuse", "Reset/BadInterval", 0, func(m *faulty) {
		m.reset = func(h timer.Handle, d timer.Tick) error { return m.plain.ResetTimer(h, max(d, 1)) }
	}},
	{"a reset leaves a record behind", "peers: hertzbeat#4201, rfyiamcool", "Reset/ConstantMemory", 0, func(m *faulty) {
		var garbage []*record
		m.reset = func(h timer.Handle, d timer.Tick) error {
			garbage = append(garbage, new(record))
			return m.plain.ResetTimer(h, d)
		}
	}},

	// What can be asked.
	{"ExpiryOf is what remains", "contract: absolute tick", "Inquire/Expiry", 0, func(m *faulty) {
		m.expiry = func(h timer.Handle) (timer.Tick, bool) { e, ok := m.plain.ExpiryOf(h); return e - m.now, ok }
	}},
	{"ExpiryOf does not know what is due", "contract: or expired if it is due", "Inquire/Expiry", 0, func(m *faulty) {
		m.expiry = func(h timer.Handle) (timer.Tick, bool) {
			e, ok := m.plain.ExpiryOf(h)
			return e, ok && e > m.now
		}
	}},
	{"ExpiryOf answers for an ended timer", "peers: A5, clear() makes handles report not scheduled", "Inquire/NotOutstanding", 0, func(m *faulty) {
		seen := make(map[timer.Handle]timer.Tick)
		m.expiry = func(h timer.Handle) (timer.Tick, bool) {
			e, ok := m.plain.ExpiryOf(h)
			if ok {
				seen[h] = e
			}
			return seen[h], seen[h] > 0
		}
	}},
	{"NextExpiry looks at the fine level first", "peers: glommio#44", "Next/Exact", 0, func(m *faulty) {
		m.next = func() (timer.Tick, bool) {
			next, ok := m.plain.NextExpiry()
			for _, i := range m.waiting {
				if e := m.records[i].expiry; e%4 == 0 && e-m.now < 256 {
					return e, true
				}
			}
			return next, ok
		}
	}},
	{"NextExpiry keeps what was stopped", "peers: msquic#3206", "Next/Exact", 0, func(m *faulty) {
		cached := timer.Tick(0)
		m.next = func() (timer.Tick, bool) {
			next, ok := m.plain.NextExpiry()
			if cached > m.now && ok && next > cached {
				next = cached
			}
			cached = next
			return next, ok
		}
	}},
	{"NextExpiry counts what is due", "contract: not yet due", "Next/Exact", 0, func(m *faulty) {
		m.next = func() (timer.Tick, bool) {
			if len(m.due) > 0 {
				return m.records[m.due[0]].expiry, true
			}
			return m.plain.NextExpiry()
		}
	}},
	{"NextExpiry is true of nothing", "contract: false if there is none", "Next/None", 0, func(m *faulty) {
		m.next = func() (timer.Tick, bool) { next, _ := m.plain.NextExpiry(); return next, true }
	}},
	{"NextExpiry is a lower bound only", "contract: exact", "Next/Exact", 0, func(m *faulty) {
		m.next = func() (timer.Tick, bool) {
			next, ok := m.plain.NextExpiry()
			if ok && next-m.now > 256 {
				next = next &^ 255
			}
			return max(next, m.now+1), ok
		}
	}},

	// IdleTicks and SkipTicks.
	{"one idle tick too many", "peers: Linux next_expiry", "Idle/BeforeEveryExpiry", 0, func(m *faulty) {
		m.idle = func() timer.Tick { return min(m.plain.IdleTicks()+1, timer.MaxTick-m.now) }
	}},
	{"one idle tick too many before a slot of a wheel", "peers: Linux next_expiry", "Idle/BeforeEveryExpiry", 0, func(m *faulty) {
		visits := func(ticks timer.Tick, r *record) bool { return (r.expiry-m.now)%16 == ticks%16 }
		m.idle = func() timer.Tick {
			idle := timer.MaxTick - m.now
			for _, i := range m.waiting {
				idle = min(idle, (m.records[i].expiry-m.now-1)%16+1)
			}
			return idle
		}
		m.skip = func(n timer.Tick) {
			if n > m.idle() {
				panic("not idle")
			}
			for _, i := range m.waiting { // a slot that is passed does not count its rounds down
				r := &m.records[i]
				for ticks := timer.Tick(1); ticks <= min(n, 16); ticks++ {
					if visits(ticks, r) && r.expiry < 1<<62 {
						r.expiry += 16
						break
					}
				}
			}
			m.now += n
		}
	}},
	{"timers beyond the first level are idle", "peers: glommio#44, Linux last-level index", "Idle/BeforeEveryExpiry", 0, func(m *faulty) {
		m.idle = func() timer.Tick {
			idle := m.plain.IdleTicks()
			if idle > 300 {
				idle = min(idle+256, timer.MaxTick-m.now)
			}
			return idle
		}
	}},
	{"idle ticks go on after the last", "contract: never passes the largest Tick", "Idle/LastTick", 0, func(m *faulty) {
		m.idle = func() timer.Tick {
			if len(m.waiting) == 0 {
				return timer.MaxTick
			}
			return m.plain.IdleTicks()
		}
	}},
	{"a skip is a tick short", "contract: adds n to the clock", "Skip/AddsN", 0, func(m *faulty) {
		m.skip = func(n timer.Tick) { m.plain.SkipTicks(n - min(n, 1)) }
	}},
	{"a skip of all idle ticks panics", "contract: n over IdleTicks() panics, n at it does not", "Skip/AddsN", 0, func(m *faulty) {
		m.skip = func(n timer.Tick) {
			if n >= m.plain.IdleTicks() && n > 0 {
				panic("not idle")
			}
			m.now += n
		}
	}},
	{"a skip drops what is due", "contract: timers that are due stay due", "Skip/DueStayDue", 0, func(m *faulty) {
		m.skip = func(n timer.Tick) {
			m.plain.SkipTicks(n)
			for n > 0 && len(m.due) > 0 {
				m.drop(m.due[0])
			}
		}
	}},
	{"a skip over what is idle is cut", "contract: panics", "Skip/OverIdlePanics", 0, func(m *faulty) {
		m.skip = func(n timer.Tick) { m.plain.SkipTicks(min(n, m.plain.IdleTicks())) }
	}},

	// MaxInterval, ranges, costs, allocations.
	{"MaxInterval says one too many", "contract: inclusive", "Start/MaxInterval", 100, func(m *faulty) {
		m.bound = func() timer.Tick { return 101 }
	}},
	{"MaxInterval says one too few", "contract: the largest interval", "Start/OverBound", 100, func(m *faulty) {
		m.bound = func() timer.Tick { return 99 }
	}},
	{"MaxInterval is what is left of the lap", "contract: from every phase of the clock", "Bound/MaxInterval", 100, func(m *faulty) {
		m.bound = func() timer.Tick { return 100 - m.now%50 }
	}},
	{"the view leaves out the due timers", "contract: every outstanding timer", "View/EveryTimer", 0, func(m *faulty) {
		m.view = func() timer.View[int] {
			v := m.plain.view()
			v.Lists = v.Lists[:1]
			return v
		}
	}},
	{"the view tells what remains for the expiry", "contract: its expiry", "View/EveryTimer", 0, func(m *faulty) {
		m.view = func() timer.View[int] {
			v := m.plain.view()
			for i := range v.Lists[0].Timers {
				v.Lists[0].Timers[i].Expiry -= m.now
			}
			return v
		}
	}},
	{"a range expires after its end", "peers: ratas probe d", "Range/Within", 0, func(m *faulty) {
		m.inRange = func(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if e > 0 && e <= l && l < 1<<62 {
				l = (l + 63) &^ 63
			}
			return m.plain.StartTimerInRange(e, l, id, a)
		}
	}},
	{"a range expires before its beginning", "peers: ratas probe e", "Range/Within", 0, func(m *faulty) {
		m.inRange = func(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			if e > 0 && e <= l && l >= 1<<60 && l <= timer.MaxTick-m.now {
				l = 1
				e = 1
			}
			return m.plain.StartTimerInRange(e, l, id, a)
		}
	}},
	{"a range may end before it begins", "contract: earliest > latest", "Range/Refusal", 0, func(m *faulty) {
		m.inRange = func(e, l timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			return m.plain.StartTimerInRange(min(e, l), l, id, a)
		}
	}},
	{"a reset is no start", "contract: a reset is one stop and one start", "Costs/Starts", 0, func(m *faulty) {
		m.resetBy(func(i int, r *record, d timer.Tick) error {
			m.plain.costs.Starts--
			return m.plain.ResetTimer(timer.Handle(r.generation)<<32|timer.Handle(i+1), d)
		})
	}},
	{"a stop that is false is counted", "contract: timers stopped", "Costs/Stops", 0, func(m *faulty) {
		m.stop = func(h timer.Handle) bool {
			ok := m.plain.StopTimer(h)
			if !ok {
				m.plain.costs.Stops++
			}
			return ok
		}
	}},
	{"skipped ticks are counted", "contract: calls of PerTickBookkeeping", "Costs/Ticks", 0, func(m *faulty) {
		m.skip = func(n timer.Tick) { m.plain.SkipTicks(n); m.plain.costs.Ticks += uint64(n) }
	}},
	{"actions are counted, not expiries", "contract: timers that became due", "Costs/Expiries", 0, func(m *faulty) {
		ran := 0
		m.process = func(limit int) int { n := m.plain.ExpiryProcessing(limit); ran += n; return n }
		m.costs = func() timer.Costs { c := m.plain.costs; c.Expiries = uint64(ran); return c }
	}},
	{"a reading of the costs clears them", "contract: since the module was made", "Costs/Grow", 0, func(m *faulty) {
		m.costs = func() timer.Costs { c := m.plain.costs; m.plain.costs.Visits = 0; return c }
	}},
	{"a start allocates", "promise: NoAllocs", "Steady/NoAllocs", 0, func(m *faulty) {
		var last *record
		m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
			last = &record{id: id}
			return m.StartTimerPlain(d, last.id, a)
		}
	}},
	{"a tick allocates", "promise: NoAllocs", "Steady/NoAllocs", 0, func(m *faulty) {
		var last []int
		m.tick = func() int {
			last = append([]int{}, m.waiting...)
			return m.plain.PerTickBookkeeping()
		}
		_ = last
	}},
}

// narrow makes generations of so many bits.
func (m *faulty) narrow(bits int) {
	m.start = func(d timer.Tick, id int, a timer.ExpiryAction[int]) (timer.Handle, error) {
		if n := len(m.free); n > 0 {
			r := &m.records[m.free[n-1]]
			r.generation &= 1<<bits - 1
			if r.generation == 1<<bits-1 {
				r.generation = 0
			}
		}
		return m.StartTimerPlain(d, id, a)
	}
}

// generationEnded reports whether the handle was the last of its record.
func (m *faulty) generationEnded(h timer.Handle) bool {
	i := int(uint32(h)) - 1
	return i >= 0 && i < len(m.records) && m.records[i].state == isFree && m.records[i].generation == uint32(h>>32) && h>>32 > 0
}

func (mu mutant) suite() conformance.Suite {
	max := mu.max
	if max == 0 {
		max = timer.MaxTick
	}
	at := func(now timer.Tick) timer.Timer[int] {
		m := newFaulty(now, max, mu.fault)
		if mu.rules == "View/EveryTimer" {
			return shown{m}
		}
		return m
	}
	return conformance.Suite{
		New:      func() timer.Timer[int] { return at(0) },
		NewAt:    at,
		FIFO:     true,
		NoAllocs: true,
	}
}

// shortest is the shortest trace that there is for some mutants.
var shortest = map[string]string{
	"a multiple of 16 has a round too many":                     "start a 16\ntick 16\n",
	"odd ones over 4096 are at once":                            "start a 4097\ntick\n",
	"a multiple of 256 fires a lap late":                        "start a 256\ntick 256\n",
	"stop does nothing":                                         "start a 1\nstop a\ntick\n",
	"a neighbour that an action stopped still runs":             "start a 1 { stop b }\nstart b 1\ntick\nprocess\n",
	"a due timer cannot be stopped":                             "start a 1\ntick\nstop a\n",
	"an action's timer lands in the slot that is being drained": "start a 1 { start b 1 }\ntick\nprocess\n",
	"a second stop is true":                                     "start a 1\nstop a\nstop a\n",
	"the latest due runs first":                                 "start a 1\nstart b 2\ntick 2\nprocess\n",
}

// alone is the mutants that break one rule and no other.
var alone = []string{
	"the initial clock is not taken over", "the clock begins a tick late",
	"one idle tick too many before a slot of a wheel",
}

// keepsToo is the mutants that keep timers because they do not end them.
var keepsToo = []string{
	"only one of the timers of a tick becomes due", "of the timers that a tick counts one expires", "stop says no", "stop does nothing",
	"a due timer cannot be stopped", "All performs one", "All is none", "a tick within an action is not taken",
	"a timer is outstanding in its own action", "a reset makes a new handle", "a due timer that was stopped runs",
}

// says is what the report of a mutant has to say.
var says = map[string]string{
	"a stopped timer leaves a tombstone that becomes due": "returned 1, and ExpiryProcessing then panicked",
	"the interval's error is formatted and not wrapped":   "; errors.Is(err, timer.ErrInterval) is false: wrap it with %w",
}

// TestMutants holds the suite to catching every mutant by the name of the rule
// that it breaks, in less than ten seconds, and to traces that show it again.
func TestMutants(t *testing.T) {
	for i, mu := range mutants {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(mu.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			err := mu.suite().Check()
			t.Logf("took %v", time.Since(began))
			var names []string
			for _, f := range conformance.Failures(err) {
				names = append(names, f.Rule)
			}
			caught := slices.ContainsFunc(strings.Split(mu.rules, "|"), func(r string) bool { return slices.Contains(names, r) })
			if !caught {
				t.Errorf("%s (%s): want %s to fail, got %v\n%v", mu.name, mu.ancestor, mu.rules, names, err)
			}
			if slices.Contains(alone, mu.name) && len(names) != 1 {
				t.Errorf("%s: want only %s to fail, got %v", mu.name, mu.rules, names)
			}
			if slices.Contains(keepsToo, mu.name) && slices.Contains(names, "Expiry/KeepsNothing") {
				t.Errorf("%s: Expiry/KeepsNothing fails too: %v", mu.name, err)
			}
			if want := says[mu.name]; !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: want %q in\n%v", mu.name, want, err)
			}
			if testing.Verbose() {
				t.Logf("%v\n%v", names, err)
			}
			traces := make(map[string]bool)
			for _, f := range conformance.Failures(err) {
				traces[f.Trace] = true
				if (f.Trace == "") != (f.Probe != "") {
					t.Errorf("a trace and a probe, or neither:\n%v", f)
				}
				if f.Trace == "" || strings.Contains(f.Got, "did not return") {
					continue
				}
				if len(conformance.Failures(mu.suite().Replay(f.Trace))) != 1 {
					t.Errorf("the trace of this shows nothing:\n%v", f)
				}
			}
			if want := shortest[mu.name]; want != "" && !traces[want] {
				t.Errorf("want the trace\n%sgot\n%v", want, err)
			}
		})
	}
}

// TestMemoryAmongOthers: what somebody else in the process takes or gives back
// while the heap is measured neither makes a leak nor hides one.
func TestMemoryAmongOthers(t *testing.T) {
	for _, leak := range []int{0, 4} {
		ballast := make([]byte, 64<<20)
		s := plainSuite()
		s.New = func() timer.Timer[int] {
			var garbage []byte
			stops := 0
			return newFaulty(0, timer.MaxTick, func(m *faulty) {
				m.stop = func(h timer.Handle) bool {
					if stops++; stops == 100000 {
						if ballast == nil {
							ballast = make([]byte, 64<<20)
						} else {
							ballast = nil
						}
					}
					garbage = append(garbage, make([]byte, leak)...)
					return m.plain.StopTimer(h)
				}
			})
		}
		for range 2 { // the ballast goes, and comes back
			var names []string
			for _, f := range conformance.Failures(s.Check()) {
				names = append(names, f.Rule)
			}
			if found := slices.Contains(names, "Stop/ConstantMemory"); found != (leak > 0) {
				t.Errorf("a stop leaves %d bytes: %v fail", leak, names)
			}
		}
	}
}
