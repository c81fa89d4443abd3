package conformance_test

import (
	"fmt"
	"slices"

	"github.com/timerfacility/timer"
)

// A plain module keeps the contract in the plainest way: records in a table,
// the outstanding ones in the order in which they were started, and a queue of
// those that are due. It is written from the documentation of package timer
// alone, and has every optional interface.
type plain struct {
	now     timer.Tick
	max     timer.Tick
	records []record
	free    []int // records that are not in use
	waiting []int // the outstanding records that are not due, first started first
	due     []int // those that are due, first due first
	costs   timer.Costs
}

type record struct {
	generation uint32
	state      state
	expiry     timer.Tick
	id         int
	action     timer.ExpiryAction[int]
}

type state int

const (
	isFree state = iota
	isWaiting
	isDue
)

func newPlain(now, max timer.Tick) *plain {
	return &plain{now: now, max: max}
}

func (p *plain) Now() timer.Tick         { return p.now }
func (p *plain) Len() int                { return len(p.waiting) + len(p.due) }
func (p *plain) MaxInterval() timer.Tick { return p.max }
func (p *plain) Costs() timer.Costs      { return p.costs }

// refusal is why the interval is refused, if it is.
func (p *plain) refusal(interval timer.Tick) error {
	if bound := min(p.max, timer.MaxTick-p.now); interval == 0 || interval > bound {
		return fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
	}
	return nil
}

// find is the outstanding record that the handle names, or nil.
func (p *plain) find(h timer.Handle) (int, *record) {
	i := int(uint32(h)) - 1
	if i < 0 || i >= len(p.records) {
		return 0, nil
	}
	r := &p.records[i]
	if r.state == isFree || r.generation != uint32(h>>32) {
		return 0, nil
	}
	return i, r
}

func (p *plain) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if err := p.refusal(interval); err != nil {
		return 0, err
	}
	if len(p.free) == 0 {
		p.records = append(p.records, record{})
		p.free = append(p.free, len(p.records)-1)
	}
	i := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	r := &p.records[i]
	r.generation++
	r.state, r.expiry, r.id, r.action = isWaiting, p.now+interval, id, action
	p.waiting = append(p.waiting, i)
	p.costs.Starts++
	return timer.Handle(r.generation)<<32 | timer.Handle(i+1), nil
}

func (p *plain) StartTimerInRange(earliest, latest timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if earliest == 0 || earliest > latest {
		return 0, fmt.Errorf("%w: [%d, %d]", timer.ErrInterval, earliest, latest)
	}
	return p.StartTimer(latest, id, action)
}

// take takes record i out of the list that it is in.
func (p *plain) take(i int) {
	list := &p.waiting
	if p.records[i].state == isDue {
		list = &p.due
	}
	k := slices.Index(*list, i)
	*list = slices.Delete(*list, k, k+1)
}

// release makes record i free.
func (p *plain) release(i int) {
	p.records[i] = record{generation: p.records[i].generation}
	p.free = append(p.free, i)
}

func (p *plain) StopTimer(h timer.Handle) bool {
	i, r := p.find(h)
	if r == nil {
		return false
	}
	p.take(i)
	p.release(i)
	p.costs.Stops++
	return true
}

func (p *plain) ResetTimer(h timer.Handle, interval timer.Tick) error {
	i, r := p.find(h)
	if r == nil {
		return timer.ErrNotOutstanding
	}
	if err := p.refusal(interval); err != nil {
		return err
	}
	p.take(i)
	r.state, r.expiry = isWaiting, p.now+interval
	p.waiting = append(p.waiting, i)
	p.costs.Stops++
	p.costs.Starts++
	return nil
}

func (p *plain) PerTickBookkeeping() int {
	if p.now == timer.MaxTick {
		panic("plain: a tick after the last")
	}
	p.now++
	p.costs.Ticks++
	due := 0
	p.waiting = slices.DeleteFunc(p.waiting, func(i int) bool {
		r := &p.records[i]
		p.costs.Visits++
		if r.expiry != p.now {
			return false
		}
		r.state = isDue
		p.due = append(p.due, i)
		due++
		return true
	})
	p.costs.Expiries += uint64(due)
	return due
}

func (p *plain) ExpiryProcessing(limit int) int {
	n := 0
	for ; len(p.due) > 0 && n != limit; n++ {
		i := p.due[0]
		id, action := p.records[i].id, p.records[i].action
		p.take(i)
		p.release(i)
		action(id)
	}
	return n
}

func (p *plain) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	_, r := p.find(h)
	if r == nil {
		return 0, false
	}
	return r.expiry, true
}

func (p *plain) NextExpiry() (timer.Tick, bool) {
	next, ok := timer.MaxTick, false
	for _, i := range p.waiting {
		next, ok = min(next, p.records[i].expiry), true
	}
	return next, ok
}

func (p *plain) IdleTicks() timer.Tick {
	if next, ok := p.NextExpiry(); ok {
		return next - p.now - 1
	}
	return timer.MaxTick - p.now
}

func (p *plain) SkipTicks(n timer.Tick) {
	if n > p.IdleTicks() {
		panic("plain: these ticks are not idle")
	}
	p.now += n
}

// A viewed module is the plain one as a timer.Viewer: apart, so that modules
// that wrap the plain one under other handles do not inherit it.
type viewed struct{ *plain }

func (v viewed) View() timer.View[int] { return v.view() }

func (p *plain) view() timer.View[int] {
	v := timer.View[int]{Now: p.now, Levels: []int{1}}
	show := func(kind timer.ViewKind, list []int) {
		shown := timer.ViewList[int]{Kind: kind}
		for _, i := range list {
			r := &p.records[i]
			h := timer.Handle(r.generation)<<32 | timer.Handle(i+1)
			shown.Timers = append(shown.Timers, timer.ViewTimer[int]{Handle: h, ID: r.id, Expiry: r.expiry, Stored: uint64(r.expiry)})
		}
		v.Lists = append(v.Lists, shown)
	}
	show(timer.InStructure, p.waiting)
	show(timer.InDue, p.due)
	return v
}
