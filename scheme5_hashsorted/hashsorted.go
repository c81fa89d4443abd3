package hashsorted

import (
	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a Wheel is made. Its zero value works.
type Config struct {
	Now       timer.Tick // the initial clock
	Capacity  int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	TableSize int        // slots, a power of two up to 2^26; default 256
}

var _ record.Module[int] = (*Wheel[int])(nil)

// A Wheel is Scheme 5: a hashed timing wheel with sorted lists. It is not safe
// for concurrent use.
type Wheel[RequestID any] struct {
	records record.Table[RequestID]
	mask    timer.Tick  // TableSize - 1: the low-order bits of a tick are its slot
	busy    *bitmap.Set // the slots whose lists hold timers, or held some that have ended since
}

// New makes a Wheel in O(TableSize + Capacity). A table size that is no power
// of two or over 2^26, and a capacity out of its range, are errors that name the
// value and the bound.
func New[RequestID any](cfg Config) (*Wheel[RequestID], error) {
	size := cfg.TableSize
	if size == 0 {
		size = 256
	}
	if err := record.CheckTable("hashsorted", size); err != nil {
		return nil, err
	}
	if err := record.CheckCapacity("hashsorted", cfg.Capacity); err != nil {
		return nil, err
	}
	return &Wheel[RequestID]{
		records: record.New[RequestID](cfg.Now, size, cfg.Capacity),
		mask:    timer.Tick(size - 1),
		busy:    bitmap.New(size),
	}, nil
}

// slot is the list of the timers that expire at tick, and at every tick a
// multiple of the table size away from it.
func (w *Wheel[RequestID]) slot(tick timer.Tick) record.Ref {
	return record.Ref(tick & w.mask)
}

// StartTimer is START_TIMER: it searches the slot's list for the place. O(1) on
// average if n < TableSize and the intervals spread over the slots, O(n) at
// worst (section 6.1.1).
func (w *Wheel[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if !w.records.Allows(interval, timer.MaxTick) {
		return 0, w.records.Refusal(interval, timer.MaxTick)
	}
	if !w.records.Ready(action) {
		w.records.Prepare(action)
	}
	r, rec := w.records.Start(id)
	h := rec.Handle(r)
	w.insert(r, rec, interval)
	return h, nil
}

// insert stores the absolute expiry. The paper's record stores the high-order
// bits and has the tick decrement those of the head alone, which would leave the
// others of the list wrong.
func (w *Wheel[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	expiry := w.records.Now + interval
	list := w.slot(expiry)
	rec.Number = uint64(expiry)
	w.records.Insert(w.records.FirstAfter(list, expiry), r, &rec.Links)
	w.busy.Add(uint32(list))
}

// StopTimer is STOP_TIMER. O(1).
func (w *Wheel[RequestID]) StopTimer(h timer.Handle) bool {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return false
	}
	w.records.Remove(&rec.Links)
	w.records.Stop(record.Ref(h), rec)
	return true
}

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it looks at the head of the slot's
// list, and expires heads until one is in the future. O(1) on average and at
// worst, and O(1) more for each timer that expires.
func (w *Wheel[RequestID]) PerTickBookkeeping() int {
	now := w.records.Tick()
	list := w.slot(now)
	expired := 0
	for r, rec := w.records.First(list); r != list; r, rec = w.records.First(list) {
		w.records.Costs.Visits++
		if rec.Expiry() > now {
			break
		}
		w.records.Remove(&rec.Links)
		w.records.Expire(r, rec, now)
		expired++
	}
	return expired
}

// ExpiryProcessing is EXPIRY_PROCESSING, first started, first run. O(1) for each
// action.
func (w *Wheel[RequestID]) ExpiryProcessing(limit int) int { return w.records.ExpiryProcessing(limit) }

// Now is the time of day in ticks. O(1).
func (w *Wheel[RequestID]) Now() timer.Tick { return w.records.Now }

// Len is the number of outstanding timers. O(1).
func (w *Wheel[RequestID]) Len() int { return w.records.Len() }

// ResetTimer implements [timer.Resetter] at the cost of StopTimer and
// StartTimer.
func (w *Wheel[RequestID]) ResetTimer(h timer.Handle, interval timer.Tick) error {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return timer.ErrNotOutstanding
	}
	if !w.records.Allows(interval, timer.MaxTick) {
		return w.records.Refusal(interval, timer.MaxTick)
	}
	w.records.Remove(&rec.Links)
	w.records.Reset(rec)
	w.insert(record.Ref(h), rec, interval)
	return nil
}

// ExpiryOf implements [timer.Inquirer] in O(1).
func (w *Wheel[RequestID]) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return 0, false
	}
	return rec.Expiry(), true
}

// NextExpiry implements [timer.NextExpirer]: the least of the heads, in O(slots
// that hold timers), O(1) for each, and once for each that has become empty.
func (w *Wheel[RequestID]) NextExpiry() (timer.Tick, bool) {
	next, found := timer.MaxTick, false
	for list, ok := w.records.NextBusy(w.busy, 0); ok; list, ok = w.records.NextBusy(w.busy, list+1) {
		_, head := w.records.First(list)
		next, found = min(next, head.Expiry()), true
	}
	if !found {
		return 0, false
	}
	return next, true
}

// IdleTicks implements [timer.Tickless]: the ticks until the next slot that
// holds timers, in O(log TableSize), amortised: a slot that has become empty is passed
// by once.
func (w *Wheel[RequestID]) IdleTicks() timer.Tick {
	now := w.records.Now
	list, ok := w.records.NextBusy(w.busy, w.slot(now)+1)
	if !ok {
		list, ok = w.records.NextBusy(w.busy, 0)
	}
	if !ok {
		return timer.MaxTick - now
	}
	return (timer.Tick(list) - now - 1) & w.mask
}

// SkipTicks implements [timer.Tickless] at the cost of IdleTicks.
func (w *Wheel[RequestID]) SkipTicks(n timer.Tick) { w.records.Skip(n, w.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: there is no bound. O(1).
func (w *Wheel[RequestID]) MaxInterval() timer.Tick { return timer.MaxTick }

// Costs implements [timer.Coster]. O(1).
func (w *Wheel[RequestID]) Costs() timer.Costs { return w.records.Costs }

// View implements [timer.Viewer]: one level of TableSize lists. O(TableSize + n).
func (w *Wheel[RequestID]) View() timer.View[RequestID] {
	return w.records.View([]int{int(w.mask) + 1}, (*record.Record[RequestID]).Expiry)
}
