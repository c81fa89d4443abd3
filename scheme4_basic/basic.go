package basic

import (
	"fmt"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a Wheel is made. Its zero value works.
type Config struct {
	Now         timer.Tick // the initial clock
	Capacity    int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	MaxInterval timer.Tick // slots, and so the longest interval for the array, inclusive; up to 2^26-1; default 4096
	Overflow    bool       // take longer intervals too, in a Scheme 2 list
}

var _ record.Module[int] = (*Wheel[int])(nil)

// A Wheel is Scheme 4: the basic timing wheel, a circular array with a list for
// each tick of the next MaxInterval. It is not safe for concurrent use.
type Wheel[RequestID any] struct {
	records  record.Table[RequestID]
	size     timer.Tick  // the array's, which is MaxInterval
	hand     timer.Tick  // the paper's current time pointer: the slot of Now
	busy     *bitmap.Set // the slots whose lists hold timers, or held some that have ended since
	overflow record.Ref  // the list of the timers more than size ticks away, by expiry
	bound    timer.Tick
}

// New makes a Wheel in O(MaxInterval + Capacity). A MaxInterval and a capacity
// out of their range are errors that name the value and the bound.
func New[RequestID any](cfg Config) (*Wheel[RequestID], error) {
	size := cfg.MaxInterval
	if size == 0 {
		size = 4096
	}
	if size >= record.MaxLists {
		return nil, fmt.Errorf("basic: MaxInterval %d is not from 1 to %d", size, record.MaxLists-1)
	}
	if err := record.CheckCapacity("basic", cfg.Capacity); err != nil {
		return nil, err
	}
	bound := size
	if cfg.Overflow {
		bound = timer.MaxTick
	}
	return &Wheel[RequestID]{
		records:  record.New[RequestID](cfg.Now, int(size)+1, cfg.Capacity),
		size:     size,
		hand:     cfg.Now % size,
		busy:     bitmap.New(int(size)),
		overflow: record.Ref(size),
		bound:    bound,
	}, nil
}

// slot is the list of the timers that expire interval ticks from now, at most
// size. That one is the hand's own: its list was emptied in this tick, and comes
// up again after a whole turn.
func (w *Wheel[RequestID]) slot(interval timer.Tick) record.Ref {
	slot := w.hand + interval
	if slot >= w.size {
		slot -= w.size
	}
	return record.Ref(slot)
}

// StartTimer is START_TIMER: it indexes the array. O(1) on average and at worst
// (section 5); with Overflow, O(timers in overflow) for an interval over
// MaxInterval (section 5, after its figure).
func (w *Wheel[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if !w.records.Allows(interval, w.bound) {
		return 0, w.records.Refusal(interval, w.bound)
	}
	if !w.records.Ready(action) {
		w.records.Prepare(action)
	}
	r, rec := w.records.Start(id)
	h := rec.Handle(r)
	w.insert(r, rec, interval)
	return h, nil
}

func (w *Wheel[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	expiry := w.records.Now + interval
	rec.Number = uint64(expiry)
	if interval > w.size {
		w.records.Insert(w.records.FirstAfter(w.overflow, expiry), r, &rec.Links)
		return
	}
	slot := w.slot(interval)
	w.records.Append(slot, r, &rec.Links)
	w.busy.Add(uint32(slot))
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

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it moves the hand by one slot and
// expires the slot's list. O(1), and O(1) more for each timer that expires. With
// Overflow it looks at the head of the overflow list, and moves those that are
// MaxInterval ticks away into the slot that it has just emptied: a timer comes
// to the array before any that could be started beside it, so that the first
// started is still the first to run.
func (w *Wheel[RequestID]) PerTickBookkeeping() int {
	now := w.records.Tick()
	if w.hand++; w.hand == w.size {
		w.hand = 0
	}
	slot := record.Ref(w.hand)
	expired := 0
	for r, rec := w.records.First(slot); r != slot; r, rec = w.records.First(slot) {
		w.records.Costs.Visits++
		w.records.Remove(&rec.Links)
		w.records.Expire(r, rec, now)
		expired++
	}
	for r, rec := w.records.First(w.overflow); r != w.overflow; r, rec = w.records.First(w.overflow) {
		w.records.Costs.Visits++
		if rec.Expiry()-now > w.size {
			break
		}
		w.records.Costs.Moves++
		w.records.Remove(&rec.Links)
		w.records.Append(slot, r, &rec.Links)
		w.busy.Add(uint32(slot))
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
	if !w.records.Allows(interval, w.bound) {
		return w.records.Refusal(interval, w.bound)
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

// NextExpiry implements [timer.NextExpirer]: the next slot that holds timers has
// them, or else the head of the overflow list. O(log MaxInterval), amortised: a slot
// that has become empty is passed by once.
func (w *Wheel[RequestID]) NextExpiry() (timer.Tick, bool) {
	if interval, ok := w.nextSlot(); ok {
		return w.records.Now + interval, true
	}
	if r, head := w.records.First(w.overflow); r != w.overflow {
		return head.Expiry(), true
	}
	return 0, false
}

// nextSlot is how many ticks from now the next slot that holds timers comes up.
func (w *Wheel[RequestID]) nextSlot() (timer.Tick, bool) {
	if slot, ok := w.records.NextBusy(w.busy, record.Ref(w.hand)+1); ok {
		return timer.Tick(slot) - w.hand, true
	}
	slot, ok := w.records.NextBusy(w.busy, 0)
	return timer.Tick(slot) + w.size - w.hand, ok
}

// IdleTicks implements [timer.Tickless]: the ticks before the next slot that
// holds timers, or before the head of the overflow list comes to the array.
// O(log MaxInterval), amortised as that of NextExpiry.
func (w *Wheel[RequestID]) IdleTicks() timer.Tick {
	now := w.records.Now
	idle := timer.MaxTick - now
	if interval, ok := w.nextSlot(); ok {
		idle = interval - 1
	}
	if r, head := w.records.First(w.overflow); r != w.overflow {
		idle = min(idle, head.Expiry()-w.size-now-1)
	}
	return idle
}

// SkipTicks implements [timer.Tickless] at the cost of IdleTicks.
func (w *Wheel[RequestID]) SkipTicks(n timer.Tick) {
	w.records.Skip(n, w.IdleTicks())
	w.hand = w.records.Now % w.size
}

// MaxInterval implements [timer.Bounded]: the configuration's, or none with
// Overflow. O(1).
func (w *Wheel[RequestID]) MaxInterval() timer.Tick { return w.bound }

// Costs implements [timer.Coster]. O(1).
func (w *Wheel[RequestID]) Costs() timer.Costs { return w.records.Costs }

// View implements [timer.Viewer]: one level of MaxInterval lists, and the
// overflow list. O(MaxInterval + n).
func (w *Wheel[RequestID]) View() timer.View[RequestID] {
	return w.records.View([]int{int(w.size)}, (*record.Record[RequestID]).Expiry)
}
