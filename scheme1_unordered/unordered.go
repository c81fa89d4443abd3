package unordered

import (
	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a List is made. Its zero value works.
type Config struct {
	Now      timer.Tick // the initial clock
	Capacity int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	Compare  bool       // store the absolute expiry and compare it, instead of decrementing what remains
}

var _ record.Module[int] = (*List[int])(nil)

// A List is Scheme 1: an unordered list of timers, all of which are looked at in
// every tick. It is not safe for concurrent use.
type List[RequestID any] struct {
	records record.Table[RequestID]
	compare bool
}

// New makes a List in O(Capacity). A capacity out of its range is an error that
// names the value and the bound.
func New[RequestID any](cfg Config) (*List[RequestID], error) {
	if err := record.CheckCapacity("unordered", cfg.Capacity); err != nil {
		return nil, err
	}
	return &List[RequestID]{
		records: record.New[RequestID](cfg.Now, 1, cfg.Capacity),
		compare: cfg.Compare,
	}, nil
}

// timers is the list of all timers that are not due.
const timers record.Ref = 0

// StartTimer is START_TIMER: it puts the timer at the rear of the list. O(1) on
// average and at worst (section 3.1).
func (l *List[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if !l.records.Allows(interval, timer.MaxTick) {
		return 0, l.records.Refusal(interval, timer.MaxTick)
	}
	if !l.records.Ready(action) {
		l.records.Prepare(action)
	}
	r, rec := l.records.Start(id)
	h := rec.Handle(r)
	l.insert(r, rec, interval)
	return h, nil
}

// insert stores the ticks that remain, or with Compare the absolute expiry: n
// writes in every tick, or n reads.
func (l *List[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	number := interval
	if l.compare {
		number += l.records.Now
	}
	rec.Number = uint64(number)
	l.records.Append(timers, r, &rec.Links)
}

// StopTimer is STOP_TIMER. O(1).
func (l *List[RequestID]) StopTimer(h timer.Handle) bool {
	rec := l.records.Outstanding(h)
	if rec == nil {
		return false
	}
	l.records.Remove(&rec.Links)
	l.records.Stop(record.Ref(h), rec)
	return true
}

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it decrements every timer, or
// compares it with the clock, and expires those whose time has come. O(n) on
// average and at worst.
func (l *List[RequestID]) PerTickBookkeeping() int {
	now := l.records.Tick()
	last := now // the number of a timer that expires now
	if !l.compare {
		last = 0
	}
	expired := 0
	for r, rec := l.records.First(timers); r != timers; {
		next, nextRec := l.records.Next(rec)
		l.records.Costs.Visits++
		if !l.compare {
			rec.Number--
		}
		if timer.Tick(rec.Number) == last {
			l.records.Remove(&rec.Links)
			l.records.Expire(r, rec, now)
			expired++
		}
		r, rec = next, nextRec
	}
	return expired
}

// ExpiryProcessing is EXPIRY_PROCESSING, first started, first run. O(1) for each
// action.
func (l *List[RequestID]) ExpiryProcessing(limit int) int { return l.records.ExpiryProcessing(limit) }

// Now is the time of day in ticks. O(1).
func (l *List[RequestID]) Now() timer.Tick { return l.records.Now }

// Len is the number of outstanding timers. O(1).
func (l *List[RequestID]) Len() int { return l.records.Len() }

// ResetTimer implements [timer.Resetter] at the cost of StopTimer and
// StartTimer: O(1).
func (l *List[RequestID]) ResetTimer(h timer.Handle, interval timer.Tick) error {
	rec := l.records.Outstanding(h)
	if rec == nil {
		return timer.ErrNotOutstanding
	}
	if !l.records.Allows(interval, timer.MaxTick) {
		return l.records.Refusal(interval, timer.MaxTick)
	}
	l.records.Remove(&rec.Links)
	l.records.Reset(rec)
	l.insert(record.Ref(h), rec, interval)
	return nil
}

// ExpiryOf implements [timer.Inquirer] in O(1).
func (l *List[RequestID]) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	rec := l.records.Outstanding(h)
	if rec == nil {
		return 0, false
	}
	return l.expiry(rec), true
}

func (l *List[RequestID]) expiry(rec *record.Record[RequestID]) timer.Tick {
	if l.compare || rec.IsDue() {
		return rec.Expiry()
	}
	return l.records.Now + timer.Tick(rec.Number)
}

// NextExpiry implements [timer.NextExpirer]: the least of all timers, in O(n).
func (l *List[RequestID]) NextExpiry() (timer.Tick, bool) {
	if l.records.IsEmpty(timers) {
		return 0, false
	}
	next := timer.MaxTick
	for r, rec := l.records.First(timers); r != timers; r, rec = l.records.Next(rec) {
		next = min(next, l.expiry(rec))
	}
	return next, true
}

// IdleTicks implements [timer.Tickless]: none while there are timers, since
// every tick looks at them. O(1).
func (l *List[RequestID]) IdleTicks() timer.Tick {
	if l.records.IsEmpty(timers) {
		return timer.MaxTick - l.records.Now
	}
	return 0
}

// SkipTicks implements [timer.Tickless]. O(1).
func (l *List[RequestID]) SkipTicks(n timer.Tick) { l.records.Skip(n, l.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: there is no bound. O(1).
func (l *List[RequestID]) MaxInterval() timer.Tick { return timer.MaxTick }

// Costs implements [timer.Coster]. O(1).
func (l *List[RequestID]) Costs() timer.Costs { return l.records.Costs }

// View implements [timer.Viewer]: one list. O(n).
func (l *List[RequestID]) View() timer.View[RequestID] {
	return l.records.View([]int{1}, l.expiry)
}
