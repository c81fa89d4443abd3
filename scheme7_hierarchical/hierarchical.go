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
	// exact in the two finest levels.
	RoundOnce

	// NoMigration is Nichols' idea (section 6.2): a timer stays in the level of
	// its interval's size. Its expiry is rounded to that level's unit: it is at
	// most half a unit early or late, which is at most half of the interval, and
	// exact in the finest level.
	NoMigration
)

var _ record.Module[int] = (*Wheel[int])(nil)

// A Wheel is Scheme 7: hierarchical timing wheels. It is not safe for concurrent
// use.
type Wheel[RequestID any] struct {
	records   record.Table[RequestID]
	precision Precision
	bound     timer.Tick
	levels    []level
	busy      bitmap.Set // the lists that are not empty

	// Where all sizes are powers of two, levelOf[bits.Len64(expiry^now)] is the
	// level of the highest digit in which expiry and now differ.
	binary  bool
	levelOf [65]uint8
}

// A level is one wheel. Its slot for a tick is that tick's digit, unit by unit
// on the absolute clock.
type level struct {
	unit  timer.Tick // ticks that one slot covers
	size  timer.Tick // slots
	first record.Ref // the list of slot 0
	shift uint8      // log2 of the unit, where all sizes are powers of two
}

// New makes a Wheel in O(slots + Capacity). A level of fewer than two slots, more
// slots than 2^26 in all, an unknown precision and a capacity out of its range
// are errors that name the value and the bound.
func New[RequestID any](cfg Config) (*Wheel[RequestID], error) {
	sizes := cfg.Levels
	if sizes == nil {
		sizes = []int{256, 256, 256, 256, 256, 256, 256, 256}
	}
	w := &Wheel[RequestID]{precision: cfg.Precision}
	slots, err := w.setLevels(sizes)
	if err != nil {
		return nil, err
	}
	if cfg.Precision < Exact || cfg.Precision > NoMigration {
		return nil, fmt.Errorf("hierarchical: Precision %d is not from %d to %d", cfg.Precision, Exact, NoMigration)
	}
	if err := record.CheckCapacity("hierarchical", cfg.Capacity); err != nil {
		return nil, err
	}
	w.records = record.New[RequestID](cfg.Now, slots, cfg.Capacity)
	w.busy = bitmap.New(slots)
	return w, nil
}

// setLevels lays out the levels up to the one that covers the Tick range, and is
// the number of their slots.
func (w *Wheel[RequestID]) setLevels(sizes []int) (slots int, err error) {
	if len(sizes) == 0 {
		return 0, fmt.Errorf("hierarchical: Levels is empty, and must have at least 1 level")
	}
	w.binary = true
	w.bound = 1
	for i, size := range sizes {
		if size < 2 || size > record.MaxLists-slots {
			return 0, fmt.Errorf("hierarchical: Levels[%d] %d is not from 2 to %d", i, size, record.MaxLists-slots)
		}
		if w.bound == timer.MaxTick {
			continue // every tick is within the levels below
		}
		w.levels = append(w.levels, level{
			unit:  w.bound,
			size:  timer.Tick(size),
			first: record.Ref(slots),
			shift: uint8(bits.TrailingZeros64(uint64(w.bound))),
		})
		w.binary = w.binary && size&(size-1) == 0
		slots += size
		high, low := bits.Mul64(uint64(w.bound), uint64(size))
		w.bound = timer.Tick(low)
		if high > 0 {
			w.bound = timer.MaxTick
		}
	}
	for i, l := range w.levels {
		for digits := int(l.shift) + 1; digits < len(w.levelOf); digits++ {
			w.levelOf[digits] = uint8(i)
		}
	}
	return slots, nil
}

// StartTimer is START_TIMER: it finds the level and the slot. O(m) for m levels,
// O(1) where all sizes are powers of two (section 6.2).
func (w *Wheel[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if err := w.records.Check(interval, w.bound, action); err != nil {
		return 0, err
	}
	r, _ := w.records.Start(id, action)
	w.insert(r, interval)
	return w.records.Handle(r), nil
}

func (w *Wheel[RequestID]) insert(r record.Ref, interval timer.Tick) {
	expiry := w.records.Now + interval
	l := w.levelByDigit(expiry)
	if w.precision != Exact {
		l, expiry = w.round(interval)
	}
	w.records.At(r).Number = uint64(expiry)
	w.put(r, l, expiry)
}

// levelByDigit is the level of the highest digit in which expiry and the clock
// differ; never that of the interval's size, since the hands of the wheels move
// on the absolute clock. A timer that is further away than the top level's
// current turn waits there all the same, at most in the current slot, which
// then comes up last.
func (w *Wheel[RequestID]) levelByDigit(expiry timer.Tick) *level {
	if w.binary {
		return &w.levels[w.levelOf[bits.Len64(uint64(expiry^w.records.Now))]]
	}
	top := len(w.levels) - 1
	for i := range top {
		if coarser := w.levels[i+1].unit; expiry/coarser == w.records.Now/coarser {
			return &w.levels[i]
		}
	}
	return &w.levels[top]
}

// put adds the timer to the slot of its digit in the level.
func (w *Wheel[RequestID]) put(r record.Ref, l *level, expiry timer.Tick) {
	list := w.slot(l, expiry)
	w.records.Append(list, r)
	w.busy.Add(uint32(list))
}

func (w *Wheel[RequestID]) slot(l *level, tick timer.Tick) record.Ref {
	if w.binary {
		return l.first + record.Ref(tick>>(l.shift&63)&(l.size-1))
	}
	return l.first + record.Ref(tick/l.unit%l.size)
}

// StartTimerInRange implements [timer.RangeStarter]: the timer expires at the
// latest multiple of the coarsest level's unit that the range holds, on the
// absolute clock, and so migrates as seldom as can be. O(m). With a Precision
// other than Exact that tick is rounded, as any other.
func (w *Wheel[RequestID]) StartTimerInRange(earliest, latest timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if err := w.records.Check(latest, w.bound, action); err != nil {
		return 0, err
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

// StopTimer is STOP_TIMER. O(1).
func (w *Wheel[RequestID]) StopTimer(h timer.Handle) bool {
	r, ok := w.records.Outstanding(h)
	if !ok {
		return false
	}
	w.remove(r)
	w.records.Stop(r)
	return true
}

func (w *Wheel[RequestID]) remove(r record.Ref) {
	list := w.records.List(r)
	if emptied := w.records.Remove(r); emptied && !w.records.IsDue(r) {
		w.busy.Remove(uint32(list))
	}
}

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it expires the current slot of the
// finest level. Where a level has made a whole turn, the next one moves on by a
// slot, whose timers migrate to the levels below. O(1) on average, and O(1) more
// for each timer that expires or migrates; a timer migrates less than m times.
func (w *Wheel[RequestID]) PerTickBookkeeping() int {
	now := w.records.Tick()
	expired := 0
	for i := range w.levels {
		l := &w.levels[i]
		list := w.slot(l, now)
		if w.busy.Has(uint32(list)) {
			expired += w.visit(i, list)
		}
		if list != l.first {
			break
		}
	}
	return expired
}

// visit empties a list whose slot has come up, and puts each of its timers where
// it belongs now.
func (w *Wheel[RequestID]) visit(level int, list record.Ref) (expired int) {
	now := w.records.Now
	w.busy.Remove(uint32(list))
	for r := w.records.Detach(list); r != list; {
		next := w.records.Next(r)
		w.records.Costs.Visits++
		if expiry := w.records.Number(r); expiry == now {
			w.records.Expire(r, now)
			expired++
		} else {
			w.migrate(r, level, expiry)
		}
		r = next
	}
	return expired
}

func (w *Wheel[RequestID]) migrate(r record.Ref, level int, expiry timer.Tick) {
	l := &w.levels[level]
	switch {
	case w.precision == Exact:
		l = w.levelByDigit(expiry)
	case w.precision == RoundOnce && expiry-w.records.Now < l.unit:
		l = &w.levels[level-1]
	default: // a later turn of the same wheel: rounding took the timer beyond this one
		w.put(r, l, expiry)
		return
	}
	w.records.Costs.Moves++
	w.put(r, l, expiry)
}

// round is where a timer goes that is not kept exactly, and when it expires. The
// level is that of the interval's size: by the changed digit, a timer near the
// end of an hour could be rounded to now.
func (w *Wheel[RequestID]) round(interval timer.Tick) (*level, timer.Tick) {
	i := len(w.levels) - 1
	for interval < w.levels[i].unit {
		i--
	}
	l := &w.levels[i]
	unit := l.unit
	if w.precision == RoundOnce && i > 0 {
		unit = w.levels[i-1].unit
	}
	expiry := w.records.Now + interval
	past := expiry % unit
	if up := unit - past; past >= up && up <= timer.MaxTick-expiry {
		return l, expiry + up
	}
	return l, expiry - past
}

// ExpiryProcessing is EXPIRY_PROCESSING. O(1) for each action.
func (w *Wheel[RequestID]) ExpiryProcessing(limit int) int { return w.records.ExpiryProcessing(limit) }

// Now is the time of day in ticks. O(1).
func (w *Wheel[RequestID]) Now() timer.Tick { return w.records.Now }

// Len is the number of outstanding timers. O(1).
func (w *Wheel[RequestID]) Len() int { return w.records.Len }

// ResetTimer implements [timer.Resetter] at the cost of StopTimer and
// StartTimer.
func (w *Wheel[RequestID]) ResetTimer(h timer.Handle, interval timer.Tick) error {
	r, err := w.records.Reset(h, interval, w.bound)
	if err != nil {
		return err
	}
	w.remove(r)
	w.insert(r, interval)
	return nil
}

// ExpiryOf implements [timer.Inquirer] in O(1). With a Precision other than
// Exact it is the tick to which the expiry was rounded.
func (w *Wheel[RequestID]) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	r, ok := w.records.Outstanding(h)
	if !ok {
		return 0, false
	}
	return w.records.Number(r), true
}

// NextExpiry implements [timer.NextExpirer]. The next slot of the finest level
// that holds timers tells it in O(1); a slot of a coarser level is searched, in
// O(timers in that slot).
func (w *Wheel[RequestID]) NextExpiry() (timer.Tick, bool) {
	next, found := timer.MaxTick, false
	for i := range w.levels {
		l := &w.levels[i]
		list, up, ok := w.nextSlot(l, w.records.Now)
		for first := list; ok && (!found || up <= next); {
			if i == 0 && w.precision == Exact {
				return up, true
			}
			for r := w.records.First(list); r != list; r = w.records.Next(r) {
				next, found = min(next, w.records.Number(r)), true
			}
			if list, up, ok = w.nextSlot(l, up); list == first {
				break
			}
		}
	}
	if !found {
		return 0, false
	}
	return next, true
}

// nextSlot is the first slot of the level after tick that holds timers, and when
// it comes up.
func (w *Wheel[RequestID]) nextSlot(l *level, tick timer.Tick) (list record.Ref, up timer.Tick, ok bool) {
	hand := w.slot(l, tick)
	end := l.first + record.Ref(l.size)
	slot, ok := w.busy.Next(uint32(hand) + 1)
	if !ok || record.Ref(slot) >= end {
		slot, ok = w.busy.Next(uint32(l.first))
		ok = ok && record.Ref(slot) <= hand
	}
	list = record.Ref(slot)
	turns := timer.Tick(list) - timer.Tick(hand)
	if list <= hand {
		turns += l.size
	}
	return list, tick - tick%l.unit + turns*l.unit, ok
}

// IdleTicks implements [timer.Tickless]: the ticks before a slot that holds
// timers comes up in any level. O(m).
func (w *Wheel[RequestID]) IdleTicks() timer.Tick {
	now := w.records.Now
	idle := timer.MaxTick - now
	for i := range w.levels {
		if _, up, ok := w.nextSlot(&w.levels[i], now); ok {
			idle = min(idle, up-now-1)
		}
	}
	return idle
}

// SkipTicks implements [timer.Tickless] at the cost of IdleTicks.
func (w *Wheel[RequestID]) SkipTicks(n timer.Tick) { w.records.Skip(n, w.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: the product of the sizes of the levels,
// or none where that covers the Tick range. O(1).
func (w *Wheel[RequestID]) MaxInterval() timer.Tick { return w.bound }

// Costs implements [timer.Coster]. O(1).
func (w *Wheel[RequestID]) Costs() timer.Costs { return w.records.Costs }

// View implements [timer.Viewer]: the levels, finest first. O(slots + n).
func (w *Wheel[RequestID]) View() timer.View[RequestID] {
	sizes := make([]int, len(w.levels))
	for i, l := range w.levels {
		sizes[i] = int(l.size)
	}
	return w.records.View(sizes, w.records.Number)
}
