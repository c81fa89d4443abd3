package record

import (
	"fmt"
	"math/bits"

	"github.com/timerfacility/timer"
)

// MaxLists is the largest number of lists that a structure may have: their heads
// take 8 bytes each, 512 MiB in all.
const MaxLists = 1 << 26

// MaxCapacity is the largest number of timers that New makes room for; a table
// grows beyond it.
const MaxCapacity = 1 << (24 + 4*(bits.UintSize/64))

// A Module is what each of the seven schemes is.
type Module[RequestID any] interface {
	timer.Timer[RequestID]
	timer.Resetter
	timer.Inquirer
	timer.NextExpirer
	timer.Tickless
	timer.Bounded
	timer.Coster
	timer.Viewer[RequestID]
}

// A chunk is small enough for a module with few timers, and large enough that
// the table of the chunks of 10^6 timers fits in a first-level cache.
const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
	chunkMask = chunkSize - 1
)

// A Ref names a record, or a list by its head. A scheme's lists are 0, 1, 2 and
// so on; the queue of due timers comes after them, and then the records.
type Ref uint32

type link struct {
	next, prev Ref
}

// A Record is one timer.
type Record[RequestID any] struct {
	// Number is what the scheme stores of the expiry. In a due timer it is the
	// absolute expiry, in every scheme.
	Number uint64

	generation uint32 // odd while the timer is outstanding
	list       Ref    // where it stands; the due queue if it is due
	action     timer.ExpiryAction[RequestID]
	id         RequestID
}

// A Table is a module without its structure. It is not safe for concurrent use.
//
// An access to a record goes through the table of chunks: two loads and a bounds
// check more than in one flat array, up to a third of an operation that hits the
// cache and nothing where it misses. One flat array stops the world of its
// module for milliseconds when 10^6 timers are copied to a larger one.
type Table[RequestID any] struct {
	Now   timer.Tick
	Len   int
	Costs timer.Costs

	links   []*[chunkSize]link
	records []*[chunkSize]Record[RequestID]
	due     Ref // the list of due timers
	first   Ref // the first record
	fresh   Ref // the first record never used
	free    Ref // a list through next of the records to use again; 0 at its end
}

// New makes a table with its clock at now, with lists empty lists, 1 to
// MaxLists, and with room for capacity timers, 0 to MaxCapacity.
func New[RequestID any](now timer.Tick, lists, capacity int) Table[RequestID] {
	t := Table[RequestID]{Now: now, due: Ref(lists), first: Ref(lists) + 1, fresh: Ref(lists) + 1}
	for len(t.links)<<chunkBits < lists+1+capacity {
		t.links = append(t.links, new([chunkSize]link))
	}
	for len(t.records)<<chunkBits < capacity {
		t.records = append(t.records, new([chunkSize]Record[RequestID]))
	}
	for list := range t.first {
		*t.link(list) = link{list, list}
	}
	return t
}

// CheckCapacity is the error of a capacity that New does not take.
func CheckCapacity(scheme string, capacity int) error {
	return CheckSize(scheme, "Capacity", capacity, 0, MaxCapacity)
}

// CheckSize is the error of a configuration's field that is not from least to
// most.
func CheckSize(scheme, field string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s: %s %d is not from %d to %d", scheme, field, value, least, most)
	}
	return nil
}

// CheckTable is the error of a table size that is not a power of two up to
// MaxLists.
func CheckTable(scheme string, size int) error {
	if size < 1 || size > MaxLists || size&(size-1) != 0 {
		return fmt.Errorf("%s: TableSize %d is not a power of two from 1 to %d", scheme, size, MaxLists)
	}
	return nil
}

// Check is the error of a StartTimer that the contract refuses, where bound is
// the module's MaxInterval.
func (t *Table[RequestID]) Check(interval, bound timer.Tick, action timer.ExpiryAction[RequestID]) error {
	if action == nil {
		return timer.ErrNoAction
	}
	return t.CheckInterval(interval, bound)
}

// CheckInterval is the error of an interval that the contract refuses.
func (t *Table[RequestID]) CheckInterval(interval, bound timer.Tick) error {
	bound = min(bound, timer.MaxTick-t.Now)
	if interval-1 < bound { // 0-1 is the largest Tick
		return nil
	}
	return refusal(interval, bound)
}

func refusal(interval, bound timer.Tick) error {
	return fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
}

// Start makes a record for an outstanding timer. It stands in no list yet.
func (t *Table[RequestID]) Start(id RequestID, action timer.ExpiryAction[RequestID]) (Ref, *Record[RequestID]) {
	r := t.free
	if r != 0 {
		t.free = t.link(r).next
	} else {
		r = t.grow()
	}
	rec := t.At(r)
	rec.generation++
	rec.action, rec.id = action, id
	t.Len++
	t.Costs.Starts++
	return r, rec
}

// grow is a record never used before.
func (t *Table[RequestID]) grow() Ref {
	r := t.fresh
	if r+1 == 0 {
		panic("record: more than 2^32 records and lists")
	}
	if int(r>>chunkBits) == len(t.links) {
		t.links = append(t.links, new([chunkSize]link))
	}
	if int((r-t.first)>>chunkBits) == len(t.records) {
		t.records = append(t.records, new([chunkSize]Record[RequestID]))
	}
	t.fresh++
	return r
}

// Handle is the handle of an outstanding timer.
func (t *Table[RequestID]) Handle(r Ref) timer.Handle {
	return handle(r, t.At(r).generation)
}

func handle(r Ref, generation uint32) timer.Handle {
	return timer.Handle(generation)<<32 | timer.Handle(r)
}

// Outstanding is the record that h names; false if it names no outstanding
// timer.
func (t *Table[RequestID]) Outstanding(h timer.Handle) (Ref, bool) {
	r := Ref(h)
	i := r - t.first // of a list head, a number beyond every chunk
	chunk := i >> chunkBits
	if int(chunk) >= len(t.records) {
		return 0, false
	}
	generation := uint32(h >> 32)
	return r, generation&1 != 0 && generation == t.records[chunk][i&chunkMask].generation
}

// At is the record itself.
func (t *Table[RequestID]) At(r Ref) *Record[RequestID] {
	i := r - t.first
	return &t.records[i>>chunkBits][i&chunkMask]
}

// Index is the place of r among the records, from 0.
func (t *Table[RequestID]) Index(r Ref) int { return int(r - t.first) }

// Stop ends the timer of a record that stands in no list any more, and counts a
// stop.
func (t *Table[RequestID]) Stop(r Ref) {
	t.Costs.Stops++
	t.end(r)
}

// end gives the record back, with nothing left in it that could be reached.
func (t *Table[RequestID]) end(r Ref) {
	rec := t.At(r)
	var zero RequestID
	rec.action, rec.id = nil, zero
	rec.generation++
	t.Len--
	if rec.generation != 0 { // else its generations are spent
		t.link(r).next = t.free
		t.free = r
	}
}

// Reset is the record of a timer that may be moved to interval from now, or the
// error of the contract. It counts one stop and one start.
func (t *Table[RequestID]) Reset(h timer.Handle, interval, bound timer.Tick) (Ref, error) {
	r, ok := t.Outstanding(h)
	if !ok {
		return 0, timer.ErrNotOutstanding
	}
	if err := t.CheckInterval(interval, bound); err != nil {
		return 0, err
	}
	t.Costs.Stops++
	t.Costs.Starts++
	return r, nil
}

// Tick adds one to the clock and is the new time. At the largest Tick it
// panics.
func (t *Table[RequestID]) Tick() timer.Tick {
	if t.Now == timer.MaxTick {
		panic("timer: PerTickBookkeeping at the largest Tick")
	}
	t.Now++
	t.Costs.Ticks++
	return t.Now
}

// Skip adds n to the clock. It panics if n is over idle.
func (t *Table[RequestID]) Skip(n, idle timer.Tick) {
	if n > idle {
		panic(fmt.Sprintf("timer: SkipTicks(%d) is over IdleTicks() = %d", n, idle))
	}
	t.Now += n
}

// IdleUntil is how many ticks pass before the tick next, or before the end of
// the clock if there is no next.
func (t *Table[RequestID]) IdleUntil(next timer.Tick, ok bool) timer.Tick {
	if !ok {
		return timer.MaxTick - t.Now
	}
	return next - t.Now - 1
}

// Expire puts a record that stands in no list, and expires at the tick expiry,
// at the rear of the due queue.
func (t *Table[RequestID]) Expire(r Ref, expiry timer.Tick) {
	t.At(r).Number = uint64(expiry)
	t.Append(t.due, r)
	t.Costs.Expiries++
}

// IsDue reports whether the timer waits for its action, in a scheme that keeps
// all its timers in lists.
func (t *Table[RequestID]) IsDue(r Ref) bool { return t.At(r).list == t.due }

// ExpiryProcessing is that of [timer.Timer], for every scheme. A record ends
// before its action runs: a panic finds the module as it should be.
func (t *Table[RequestID]) ExpiryProcessing(limit int) int {
	performed := 0
	for performed != limit {
		r := t.First(t.due)
		if r == t.due {
			break
		}
		rec := t.At(r)
		action, id := rec.action, rec.id
		t.Remove(r)
		t.end(r)
		performed++
		action(id)
	}
	return performed
}
