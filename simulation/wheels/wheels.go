package wheels

import (
	"fmt"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a Wheel is made. Its zero value works.
type Config struct {
	Now      timer.Tick // the initial clock
	Capacity int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	Slots    int        // lists of the array, 2 to 2^26-1, even for DECSIM; default 256
	Kind     Kind       // default TEGAS2
}

// A Kind is a simulator, and so how often the array is turned.
type Kind int

const (
	// TEGAS2 turns the array once a cycle.
	TEGAS2 Kind = iota

	// DECSIM turns the array every half cycle.
	DECSIM
)

var _ record.Module[int] = (*Wheel[int])(nil)

// A Wheel is the event list of TEGAS-2 or of DECSIM. It is not safe for
// concurrent use.
type Wheel[RequestID any] struct {
	records  record.Table[RequestID]
	size     timer.Tick  // slots
	turn     timer.Tick  // the array is turned when the clock is a multiple of it
	hand     timer.Tick  // the paper's pointer i: the slot of Now
	busy     *bitmap.Set // the slots whose lists hold timers, or held some that have ended since
	overflow record.Ref  // the list of the timers beyond the array, in no order of expiry
	over     uint64      // the starts that went to the overflow list
}

// New makes a Wheel in O(Slots + Capacity). A number of slots that is out of its
// range or cannot be halved for DECSIM, an unknown kind and a capacity out of its
// range are errors that name the value and the bound.
func New[RequestID any](cfg Config) (*Wheel[RequestID], error) {
	slots := cfg.Slots
	if slots == 0 {
		slots = 256
	}
	if err := record.CheckSize("wheels", "Slots", slots, 2, record.MaxLists-1); err != nil {
		return nil, err
	}
	turn := slots
	switch cfg.Kind {
	case TEGAS2:
	case DECSIM:
		if slots%2 != 0 {
			return nil, fmt.Errorf("wheels: Slots %d is not a multiple of 2, for half turns", slots)
		}
		turn = slots / 2
	default:
		return nil, fmt.Errorf("wheels: Kind %d is not from %d to %d", cfg.Kind, TEGAS2, DECSIM)
	}
	if err := record.CheckCapacity("wheels", cfg.Capacity); err != nil {
		return nil, err
	}
	size := timer.Tick(slots)
	return &Wheel[RequestID]{
		records:  record.New[RequestID](cfg.Now, slots+1, cfg.Capacity),
		size:     size,
		turn:     timer.Tick(turn),
		hand:     cfg.Now % size,
		busy:     bitmap.New(slots),
		overflow: record.Ref(slots),
	}, nil
}

// covered is how many ticks from now the array covers, this one included: all of
// its size just after a turn, and one less at each tick.
func (w *Wheel[RequestID]) covered() timer.Tick { return w.size - w.records.Now%w.turn }

// slot is the list of the timers that expire interval ticks from now, which the
// array covers.
func (w *Wheel[RequestID]) slot(interval timer.Tick) record.Ref {
	slot := w.hand + interval
	if slot >= w.size {
		slot -= w.size
	}
	return record.Ref(slot)
}

// StartTimer is START_TIMER: it indexes the array, or appends to the overflow
// list. O(1).
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

func (w *Wheel[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	rec.Number = uint64(w.records.Now + interval)
	if interval >= w.covered() {
		w.over++
		w.records.Append(w.overflow, r, &rec.Links)
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

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it moves the pointer by one slot,
// turns the array where its time has come, and expires the slot's list. O(1),
// O(1) more for each timer that expires, and O(timers in overflow) at a turn.
func (w *Wheel[RequestID]) PerTickBookkeeping() int {
	now := w.records.Tick()
	if w.hand++; w.hand == w.size {
		w.hand = 0
	}
	expired := 0
	if now%w.turn == 0 {
		expired = w.scan(now)
	}
	slot := record.Ref(w.hand)
	for r, rec := w.records.First(slot); r != slot; r, rec = w.records.First(slot) {
		w.records.Costs.Visits++
		w.records.Remove(&rec.Links)
		w.records.Expire(r, rec, now)
		expired++
	}
	return expired
}

// scan visits every timer in overflow, moves to the array those that it covers
// now, and returns how many are due at this very tick: with TEGAS-2 those of slot
// 0, with DECSIM none, whose timers come to the array half a cycle before.
func (w *Wheel[RequestID]) scan(now timer.Tick) int {
	expired := 0
	for r, rec := w.records.First(w.overflow); r != w.overflow; {
		next, nextRec := w.records.Next(rec)
		w.records.Costs.Visits++
		switch interval := rec.Expiry() - now; {
		case interval == 0:
			w.records.Remove(&rec.Links)
			w.records.Expire(r, rec, now)
			expired++
		case interval < w.size:
			w.records.Costs.Moves++
			w.records.Remove(&rec.Links)
			slot := w.slot(interval)
			w.records.Append(slot, r, &rec.Links)
			w.busy.Add(uint32(slot))
		}
		r, rec = next, nextRec
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

// NextExpiry implements [timer.NextExpirer]: the next slot that holds timers has
// them, or else the overflow list is searched. O(log Slots), amortised: a slot that
// has become empty is passed by once; and O(timers in overflow) where the array is
// empty.
func (w *Wheel[RequestID]) NextExpiry() (timer.Tick, bool) {
	if interval, ok := w.nextSlot(); ok {
		return w.records.Now + interval, true
	}
	next, ok := timer.MaxTick, false
	for r, rec := w.records.First(w.overflow); r != w.overflow; r, rec = w.records.Next(rec) {
		next, ok = min(next, rec.Expiry()), true
	}
	return next, ok
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
// holds timers, or before the next turn if there are timers in overflow. O(log
// Slots), amortised as that of NextExpiry.
func (w *Wheel[RequestID]) IdleTicks() timer.Tick {
	now := w.records.Now
	idle := timer.MaxTick - now
	if interval, ok := w.nextSlot(); ok {
		idle = interval - 1
	}
	if !w.records.IsEmpty(w.overflow) {
		idle = min(idle, w.turn-now%w.turn-1)
	}
	return idle
}

// SkipTicks implements [timer.Tickless] at the cost of IdleTicks.
func (w *Wheel[RequestID]) SkipTicks(n timer.Tick) {
	w.records.Skip(n, w.IdleTicks())
	w.hand = w.records.Now % w.size
}

// MaxInterval implements [timer.Bounded]: there is no bound. O(1).
func (w *Wheel[RequestID]) MaxInterval() timer.Tick { return timer.MaxTick }

// Costs implements [timer.Coster]. O(1).
func (w *Wheel[RequestID]) Costs() timer.Costs { return w.records.Costs }

// Overflowed is how many starts, resets among them, went to the overflow list.
// The share of Costs().Starts is what the papers hold against these wheels. O(1).
func (w *Wheel[RequestID]) Overflowed() uint64 { return w.over }

// View implements [timer.Viewer]: one level of Slots lists, and the overflow
// list. O(Slots + n).
func (w *Wheel[RequestID]) View() timer.View[RequestID] {
	return w.records.View([]int{int(w.size)}, (*record.Record[RequestID]).Expiry)
}
