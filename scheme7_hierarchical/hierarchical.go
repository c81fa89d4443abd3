package hierarchical

import (
	"fmt"
	"math/bits"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a Wheel is made. Its zero value works.
type Config struct {
	Now       timer.Tick // the initial clock
	Capacity  int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	Levels    []int      // slots of each level, finest first, each 2 or more, 2^26 in all; default 256 slots a level over the whole Tick range
	Precision Precision  // default Exact
}

// A Precision says how exactly a Wheel keeps a timer's expiry.
type Precision int

const (
	// Exact timers migrate from level to level and expire at their tick.
	Exact Precision = iota

	// RoundOnce is the improvement that the paper proposes of Nichols' idea: a
	// timer migrates at most once, to the next finer level. Its expiry is rounded
	// to that level's unit: it is at most half of that unit early or late, and
	// exact in the two finest levels. In the last unit before MaxTick, where there
	// is no later tick to round to, it is less than a unit early.
	RoundOnce

	// NoMigration is Nichols' idea (section 6.2): a timer stays in the level of
	// its interval's size. Its expiry is rounded to that level's unit: it is at
	// most half a unit early or late, which is at most half of the interval, and
	// exact in the finest level. The last unit before MaxTick is as with RoundOnce.
	NoMigration
)

var _ record.Module[int] = (*Wheel[int])(nil)

// A Wheel is Scheme 7: hierarchical timing wheels. It is not safe for concurrent
// use.
type Wheel[RequestID any] struct {
	records   record.Table[RequestID]
	precision Precision
	bound     timer.Tick // the largest interval
	fastBound timer.Tick // bound where timers are Exact and all sizes are powers of two, or 0
	levels    []level
	slots     record.Bag  // of all levels: bag l.first+i is slot i of level l
	busy      *bitmap.Set // the slots that hold timers, or held some that have been stopped

	// Until after the tick quiet, if that is not past, no busy slot comes up. It may
	// be stale: then there is none for longer, perhaps.
	quiet timer.Tick
	stale bool

	// digits[bits.Len64(expiry^now)] is the level of the highest digit in which
	// expiry and now differ, where all sizes are powers of two.
	digits [65]*level
}

// A level is one wheel. Its slot for a tick is that tick's digit, unit by unit
// on the absolute clock.
type level struct {
	unit   timer.Tick // ticks that one slot covers
	size   timer.Tick // slots
	first  record.Bag // slot 0
	mask   record.Bag // size-1
	binary bool       // unit and size are powers of two, and
	shift  uint8      // log2 of the unit
}

// New makes a Wheel in O(slots + Capacity). A level of fewer than two slots, more
// slots than 2^26 in all, an unknown precision and a capacity out of its range
// are errors that name the value and the bound.
func New[RequestID any](cfg Config) (*Wheel[RequestID], error) {
	sizes := cfg.Levels
	if len(sizes) == 0 {
		sizes = []int{256, 256, 256, 256, 256, 256, 256, 256}
	}
	if err := record.CheckSize("hierarchical", "Precision", int(cfg.Precision), int(Exact), int(NoMigration)); err != nil {
		return nil, err
	}
	if err := record.CheckCapacity("hierarchical", cfg.Capacity); err != nil {
		return nil, err
	}
	w := &Wheel[RequestID]{precision: cfg.Precision, quiet: timer.MaxTick}
	if err := w.setLevels(sizes); err != nil {
		return nil, err
	}
	w.records = record.NewBags[RequestID](cfg.Now, int(w.slots), cfg.Capacity)
	w.busy = bitmap.New(int(w.slots))
	return w, nil
}

// setLevels lays out the levels, up to the one with which they cover the Tick
// range.
func (w *Wheel[RequestID]) setLevels(sizes []int) error {
	w.bound = 1
	binary := true
	for i, size := range sizes {
		field := fmt.Sprintf("Levels[%d]", i)
		if err := record.CheckSize("hierarchical", field, size, 2, record.MaxLists-int(w.slots)); err != nil {
			return err
		}
		if w.bound == timer.MaxTick {
			continue
		}
		binary = binary && size&(size-1) == 0
		w.levels = append(w.levels, level{
			unit:   w.bound,
			size:   timer.Tick(size),
			first:  w.slots,
			binary: binary,
			mask:   record.Bag(size - 1),
			shift:  uint8(bits.TrailingZeros64(uint64(w.bound))),
		})
		w.slots += record.Bag(size)
		high, product := bits.Mul64(uint64(w.bound), uint64(size))
		w.bound = timer.Tick(product)
		if high > 0 {
			w.bound = timer.MaxTick
		}
	}
	if binary && w.precision == Exact {
		w.fastBound = w.bound
	}
	for i := range w.levels {
		l := &w.levels[i]
		for digits := bits.Len64(uint64(l.unit)); digits < len(w.digits); digits++ {
			w.digits[digits] = l
		}
	}
	return nil
}

// StartTimer is START_TIMER: it finds the level and the slot. O(m) for m levels,
// O(1) where all sizes are powers of two (section 6.2).
func (w *Wheel[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	expiry := w.records.Now + interval
	if w.records.Allows(interval, w.fastBound) && w.records.Ready(action) {
		l := w.digits[bits.Len64(uint64(expiry^w.records.Now))]
		slot := l.first + record.Bag(expiry>>(l.shift%64))&l.mask
		if w.records.HasRoom(slot) {
			r, rec := w.records.Start(id)
			rec.Number = uint64(expiry)
			w.records.Put(slot, r, &rec.Links)
			return rec.Handle(r), nil
		}
	}
	return w.start(interval, id, action)
}

// start is StartTimer with everything that is rare: a refusal, an action other than
// that of the timer before, a slot whose block is full, odd sizes of levels. It is
// apart because a call in the midst of StartTimer would have all in the registers
// saved, whether the call is made or not: a fifth of the instructions.
func (w *Wheel[RequestID]) start(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if !w.records.Allows(interval, w.bound) {
		return 0, w.records.Refusal(interval, w.bound)
	}
	w.records.Prepare(action)
	r, rec := w.records.Start(id)
	w.insert(r, rec, interval)
	return rec.Handle(r), nil
}

// insert puts a timer where it belongs that expires after the interval.
func (w *Wheel[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	expiry := w.records.Now + interval
	l := w.levelOf(expiry)
	if w.precision != Exact {
		l, expiry = w.round(interval)
	}
	rec.Number = uint64(expiry)
	w.put(r, rec, l)
}

// levelOf is the level of an exact timer: that of the highest digit in which its
// expiry and the clock differ, never that of the interval's size, since the hands
// of the wheels move on the absolute clock. A timer that is further away than the
// top level's current turn waits in that level all the same, at most in the
// current slot, which then comes up last.
func (w *Wheel[RequestID]) levelOf(expiry timer.Tick) *level {
	now := w.records.Now
	if w.fastBound > 0 {
		return w.digits[bits.Len64(uint64(expiry^now))]
	}
	i := 0
	for i+1 < len(w.levels) && expiry/w.levels[i+1].unit != now/w.levels[i+1].unit {
		i++
	}
	return &w.levels[i]
}

// begin is the first tick of the unit in which the tick is: when its slot comes up.
func (l *level) begin(tick timer.Tick) timer.Tick {
	if l.binary {
		return tick &^ (l.unit - 1)
	}
	return tick - tick%l.unit
}

// slot is the slot of the tick's digit in the level.
func (w *Wheel[RequestID]) slot(l *level, tick timer.Tick) record.Bag {
	if l.binary {
		return l.first + record.Bag(tick>>(l.shift%64))&l.mask
	}
	return l.first + record.Bag(tick/l.unit%l.size)
}

// put adds the timer to the slot of its expiry in the level.
func (w *Wheel[RequestID]) put(r record.Ref, rec *record.Record[RequestID], l *level) {
	expiry := rec.Expiry()
	slot := w.slot(l, expiry)
	if !w.records.HasRoom(slot) {
		w.extend(slot, l, expiry)
	}
	w.records.Put(slot, r, &rec.Links)
}

// extend makes room in a slot of the level, for a timer with the expiry. The slot comes
// up at that tick, or sooner for a timer that was rounded up beyond the next turn: but
// then it has none for the turn before.
func (w *Wheel[RequestID]) extend(slot record.Bag, l *level, expiry timer.Tick) {
	if w.records.Extend(slot) {
		w.busy.Add(uint32(slot))
		w.quiet = min(w.quiet, l.begin(expiry)-1)
	}
}

// round is the level of a timer that is not kept exactly, and when it expires. The
// level is that of the interval's size: by the changed digit, a timer near the
// end of an hour could be rounded to now.
func (w *Wheel[RequestID]) round(interval timer.Tick) (*level, timer.Tick) {
	i := len(w.levels) - 1
	for interval < w.levels[i].unit {
		i--
	}
	unit := w.levels[i].unit
	if w.precision == RoundOnce && i > 0 {
		unit = w.levels[i-1].unit
	}
	expiry := w.records.Now + interval
	past := expiry % unit
	if up := unit - past; past >= up && up <= timer.MaxTick-expiry {
		return &w.levels[i], expiry + up
	}
	return &w.levels[i], expiry - past
}

// StartTimerInRange implements [timer.RangeStarter]: the timer expires at the
// latest multiple of the coarsest level's unit that the range holds, on the
// absolute clock, and so migrates as seldom as can be. O(m). With a Precision
// other than Exact that tick is rounded, as any other.
func (w *Wheel[RequestID]) StartTimerInRange(earliest, latest timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if !w.records.Allows(latest, w.bound) {
		return 0, w.records.Refusal(latest, w.bound)
	}
	if earliest < 1 || earliest > latest {
		return 0, fmt.Errorf("%w: earliest %d is not from 1 to latest %d", timer.ErrInterval, earliest, latest)
	}
	now := w.records.Now
	interval := latest
	for i := len(w.levels) - 1; i > 0; i-- {
		if past := (now + latest) % w.levels[i].unit; past <= latest-earliest {
			interval = latest - past
			break
		}
	}
	return w.StartTimer(interval, id, action)
}

// StopTimer is STOP_TIMER. It does not touch the slot: the record is not the one any
// more that its entry there stands for. O(1).
func (w *Wheel[RequestID]) StopTimer(h timer.Handle) bool {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return false
	}
	w.stale = true
	return w.records.StopAtOnce(record.Ref(h), rec) || w.stop(record.Ref(h), rec)
}

// stop is StopTimer with what is rare, apart as start is.
func (w *Wheel[RequestID]) stop(r record.Ref, rec *record.Record[RequestID]) bool {
	if rec.IsDue() {
		w.records.Remove(&rec.Links)
	}
	w.records.Stop(r, rec)
	return true
}

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it expires the current slot of the
// finest level. Where that level has made a whole turn, the next one moves on by
// a slot, whose timers migrate to the levels below. O(1) on average, and O(1) more
// for each timer that expires or migrates; a timer migrates less than m times.
func (w *Wheel[RequestID]) PerTickBookkeeping() int {
	if w.records.Now < w.quiet {
		w.records.QuietTick()
		return 0
	}
	now := w.records.Tick()
	slot := w.slot(&w.levels[0], now)
	if slot != 0 && !w.busy.Has(uint32(slot)) {
		return 0
	}
	return w.turn(now)
}

// turn visits the slot of every level whose hand moves at the tick now.
func (w *Wheel[RequestID]) turn(now timer.Tick) (expired int) {
	for i := range w.levels {
		slot := w.slot(&w.levels[i], now)
		if w.busy.Has(uint32(slot)) {
			expired += w.visit(i, slot)
		}
		if slot != w.levels[i].first {
			break
		}
	}
	return expired
}

// visit empties a slot that has come up, and puts each of its timers where it
// belongs now.
func (w *Wheel[RequestID]) visit(level int, slot record.Bag) (expired int) {
	now, l := w.records.Now, &w.levels[level]
	var block record.Block
	w.busy.Remove(uint32(slot))
	first, end := w.records.Empty(slot)
	for i := first; i != 0; i = w.records.Reuse(i) {
		timers := w.records.Timers(slot, i, end, &block)
		w.records.Costs.Visits += uint64(len(timers))
		for _, r := range timers {
			rec := w.records.At(r)
			switch expiry := rec.Expiry(); {
			case expiry == now:
				w.records.Expire(r, rec, now)
				expired++
			case expiry-now < l.unit: // it migrates
				w.records.Costs.Moves++
				if w.precision == RoundOnce {
					w.put(r, rec, &w.levels[level-1])
				} else {
					w.put(r, rec, w.levelOf(expiry))
				}
			case w.precision == Exact: // it was put off since it came here
				w.put(r, rec, w.levelOf(expiry))
			default: // it was rounded up, beyond this turn of the wheel to the next
				w.put(r, rec, l)
			}
		}
	}
	return expired
}

// ExpiryProcessing is EXPIRY_PROCESSING. O(1) for each action.
func (w *Wheel[RequestID]) ExpiryProcessing(limit int) int { return w.records.ExpiryProcessing(limit) }

// Now is the time of day in ticks. O(1).
func (w *Wheel[RequestID]) Now() timer.Tick { return w.records.Now }

// Len is the number of outstanding timers. O(1).
func (w *Wheel[RequestID]) Len() int { return w.records.Len() }

// ResetTimer implements [timer.Resetter]. A timer that is put off stays in its slot
// until that comes up: a server that puts off its idle timers all the time then
// writes one word for each. Any other is stopped and started. O(1).
func (w *Wheel[RequestID]) ResetTimer(h timer.Handle, interval timer.Tick) error {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return timer.ErrNotOutstanding
	}
	if !w.records.Allows(interval, w.bound) {
		return w.records.Refusal(interval, w.bound)
	}
	if now := w.records.Now; w.precision == Exact && rec.Expiry() > now && rec.Expiry() <= now+interval {
		w.records.PutOff(rec, now+interval)
		return nil
	}
	if rec.IsDue() {
		w.records.Remove(&rec.Links)
	}
	w.records.Reset(rec)
	w.insert(record.Ref(h), rec, interval)
	return nil
}

// ExpiryOf implements [timer.Inquirer] in O(1). With a Precision other than
// Exact it is the tick to which the expiry was rounded.
func (w *Wheel[RequestID]) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	rec := w.records.Outstanding(h)
	if rec == nil {
		return 0, false
	}
	return rec.Expiry(), true
}

// NextExpiry implements [timer.NextExpirer]. The next slot of the finest level that
// holds timers tells it in O(1); one of a coarser level in O(timers in that slot);
// and O(1) for each entry that a stop or a reset has left behind. A timer that was
// put off and still is in its old slot is put in its place on the way: O(1) once for
// each such reset. With a Precision other than Exact, O(n).
func (w *Wheel[RequestID]) NextExpiry() (timer.Tick, bool) {
	if w.precision != Exact {
		return w.earliest()
	}
	var block record.Block
	for {
		l, slot, up, ok := w.nextHeld()
		if !ok {
			return 0, false
		}
		next, putOff := timer.MaxTick, false
		first, end := w.records.Blocks(slot)
		for i := first; i != 0; i = w.records.NextBlock(i) {
			for _, r := range w.records.Timers(slot, i, end, &block) {
				expiry := w.records.At(r).Expiry()
				if expiry == up { // none is earlier
					return up, true
				}
				next = min(next, expiry)
				putOff = putOff || expiry-up >= l.unit
			}
		}
		if !putOff {
			return next, true
		}
		w.busy.Remove(uint32(slot))
		first, end = w.records.Empty(slot)
		for i := first; i != 0; i = w.records.Reuse(i) {
			for _, r := range w.records.Timers(slot, i, end, &block) {
				rec := w.records.At(r)
				w.put(r, rec, w.levelOf(rec.Expiry()))
			}
		}
	}
}

// earliest looks at every timer.
func (w *Wheel[RequestID]) earliest() (timer.Tick, bool) {
	var block record.Block
	next, found := timer.MaxTick, false
	for slot, ok := w.busy.Next(0); ok; slot, ok = w.busy.Next(slot + 1) {
		first, end := w.records.Blocks(record.Bag(slot))
		for i := first; i != 0; i = w.records.NextBlock(i) {
			for _, r := range w.records.Timers(record.Bag(slot), i, end, &block) {
				next, found = min(next, w.records.At(r).Expiry()), true
			}
		}
	}
	if !found {
		return 0, false
	}
	return next, true
}

// nextHeld is the slot that comes up first of those that hold timers. It gives up the
// slots before it whose timers have all been stopped.
func (w *Wheel[RequestID]) nextHeld() (l *level, slot record.Bag, up timer.Tick, ok bool) {
	for {
		l, slot, up, ok = w.nextSlot()
		if !ok || w.records.Trim(slot) {
			return l, slot, up, ok
		}
		w.busy.Remove(uint32(slot))
	}
}

// nextSlot is the slot that comes up first of those that are busy. Of exact
// timers, it is in the finest level that has any: there, all slots come up
// before the next level moves.
func (w *Wheel[RequestID]) nextSlot() (l *level, slot record.Bag, up timer.Tick, ok bool) {
	first, ok := w.busy.Next(0)
	if !ok {
		return nil, 0, 0, false
	}
	i := 0
	for record.Bag(first) > w.levels[i].first+w.levels[i].mask {
		i++
	}
	l = &w.levels[i]
	slot, up = w.nextOf(l, record.Bag(first))
	if w.precision == Exact {
		return l, slot, up, true
	}
	for i++; i < len(w.levels); i++ {
		coarser := &w.levels[i]
		first, ok := w.busy.Next(uint32(coarser.first))
		if !ok || record.Bag(first) > coarser.first+coarser.mask {
			continue
		}
		if s, u := w.nextOf(coarser, record.Bag(first)); u < up {
			l, slot, up = coarser, s, u
		}
	}
	return l, slot, up, true
}

// nextOf is the slot of the level that comes up first of those that hold timers,
// and when it does. The first of them in the level is given: it comes up first
// unless the hand has passed it.
func (w *Wheel[RequestID]) nextOf(l *level, first record.Bag) (slot record.Bag, up timer.Tick) {
	now := w.records.Now
	hand, begin := w.slot(l, now), l.begin(now)
	if first > hand {
		return first, begin + timer.Tick(first-hand)*l.unit
	}
	if later, ok := w.busy.Next(uint32(hand) + 1); ok && record.Bag(later) <= l.first+l.mask {
		return record.Bag(later), begin + timer.Tick(record.Bag(later)-hand)*l.unit
	}
	return first, begin + (l.size-timer.Tick(hand-first))*l.unit
}

// IdleTicks implements [timer.Tickless]: the ticks before a slot that holds timers
// comes up. O(1), but O(m) with a Precision other than Exact; and O(1) for each entry
// that a stop or a reset has left behind.
func (w *Wheel[RequestID]) IdleTicks() timer.Tick {
	if w.stale || w.quiet < w.records.Now {
		w.findQuiet()
	}
	return w.quiet - w.records.Now
}

func (w *Wheel[RequestID]) findQuiet() {
	_, _, up, ok := w.nextHeld()
	w.quiet, w.stale = w.records.Now+w.records.IdleUntil(up, ok), false
}

// SkipTicks implements [timer.Tickless] at the cost of IdleTicks.
func (w *Wheel[RequestID]) SkipTicks(n timer.Tick) { w.records.Skip(n, w.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: the product of the sizes of the levels,
// or none where that covers the Tick range. O(1).
func (w *Wheel[RequestID]) MaxInterval() timer.Tick { return w.bound }

// Costs implements [timer.Coster]. O(1).
func (w *Wheel[RequestID]) Costs() timer.Costs { return w.records.Costs }

// View implements [timer.Viewer]: the levels, finest first. A timer that was put
// off is shown in the slot where it still is. O(slots + n).
func (w *Wheel[RequestID]) View() timer.View[RequestID] {
	sizes := make([]int, len(w.levels))
	for i, l := range w.levels {
		sizes[i] = int(l.size)
	}
	return w.records.ViewBags(sizes)
}
