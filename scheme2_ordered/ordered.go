package ordered

import (
	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a List is made. Its zero value works.
type Config struct {
	Now      timer.Tick // the initial clock
	Capacity int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	FromRear bool       // search for the place of a new timer from the rear of the list, not from the front
}

var _ record.Module[int] = (*List[int])(nil)

// A List is Scheme 2: a list of timers ordered by expiry. It is not safe for
// concurrent use.
type List[RequestID any] struct {
	records  record.Table[RequestID]
	fromRear bool
}

// New makes a List in O(Capacity). A capacity out of its range is an error that
// names the value and the bound.
func New[RequestID any](cfg Config) (*List[RequestID], error) {
	if err := record.CheckCapacity("ordered", cfg.Capacity); err != nil {
		return nil, err
	}
	return &List[RequestID]{
		records:  record.New[RequestID](cfg.Now, 1, cfg.Capacity),
		fromRear: cfg.FromRear,
	}, nil
}

// timers is the list of all timers that are not due, earliest first; of those
// with the same expiry, first started first.
const timers record.Ref = 0

// StartTimer is START_TIMER: it searches the list for the place. O(n) on average
// and at worst. With mean interval E[X] and n timers outstanding, a search from
// the rear passes n·G of them and one from the front n·(1-G), where G is the Gini
// coefficient of the law of the intervals: 1/2 for an exponential law, 1/3 for a
// uniform one, 0 for equal intervals (section 3.2, which prints the first two the
// other way round).
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

func (l *List[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	expiry := l.records.Now + interval
	rec.Number = uint64(expiry)
	search := l.records.FirstAfter
	if l.fromRear {
		search = l.records.FirstAfterFromRear
	}
	l.records.Insert(search(timers, expiry), r, &rec.Links)
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

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it expires heads until one is in
// the future (both papers print that condition the wrong way round). O(1), and
// O(1) more for each timer that expires.
func (l *List[RequestID]) PerTickBookkeeping() int {
	now := l.records.Tick()
	expired := 0
	for r, rec := l.records.First(timers); r != timers; r, rec = l.records.First(timers) {
		l.records.Costs.Visits++
		if rec.Expiry() > now {
			break
		}
		l.records.Remove(&rec.Links)
		l.records.Expire(r, rec, now)
		expired++
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
// StartTimer: O(n).
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
	return rec.Expiry(), true
}

// NextExpiry implements [timer.NextExpirer]: it is the head's. O(1).
func (l *List[RequestID]) NextExpiry() (timer.Tick, bool) {
	if r, head := l.records.First(timers); r != timers {
		return head.Expiry(), true
	}
	return 0, false
}

// IdleTicks implements [timer.Tickless]: the ticks before the head expires, for
// which a host with a single hardware timer is not interrupted (section 3.2).
// O(1).
func (l *List[RequestID]) IdleTicks() timer.Tick { return l.records.IdleUntil(l.NextExpiry()) }

// SkipTicks implements [timer.Tickless]. O(1).
func (l *List[RequestID]) SkipTicks(n timer.Tick) { l.records.Skip(n, l.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: there is no bound. O(1).
func (l *List[RequestID]) MaxInterval() timer.Tick { return timer.MaxTick }

// Costs implements [timer.Coster]. O(1).
func (l *List[RequestID]) Costs() timer.Costs { return l.records.Costs }

// View implements [timer.Viewer]: one list. O(n).
func (l *List[RequestID]) View() timer.View[RequestID] {
	return l.records.View([]int{1}, (*record.Record[RequestID]).Expiry)
}
