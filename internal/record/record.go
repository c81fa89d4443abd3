package record

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"

	"github.com/timerfacility/timer"
)

// MaxLists is the largest number of lists that a structure may have: their heads
// take 8 bytes each, 512 MiB in all.
const MaxLists = 1 << 26

// maxRefs is the largest number of Refs.
const maxRefs = math.MaxUint32 - MaxLists

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

// A Ref names a record, or a list by its head. A scheme's lists are 0, 1, 2 and
// so on; the queue of due timers comes after them, and the timers from the next
// chunk on.
type Ref uint32

// A Record is one timer.
type Record[RequestID any] struct {
	// Number is what the scheme stores of the expiry. In a due timer it is the
	// absolute expiry, in every scheme.
	Number uint64

	id RequestID
	Links
	generation uint32 // odd while the timer is outstanding
	action     uint32 // its place among the actions, and dueBit while the timer is due
}

// Links says where a record stands: between which others in a list, or at which place
// (next) of which bag. Then prev is the complement of the bag, which is no Ref.
type Links struct{ next, prev Ref }

const dueBit = 1 << 31

// A chunk is small enough for a module with few timers, and large enough that
// the table of the chunks of 10^6 timers fits in a first-level cache.
const (
	chunkBits = 10
	chunkSize = 1 << chunkBits
)

// A Table is a module without its structure. It is not safe for concurrent use.
type Table[RequestID any] struct {
	Now   timer.Tick
	Costs timer.Costs

	chunks  []unsafe.Pointer // each to a [chunkSize]Record[RequestID], but nil before that of first
	first   Ref              // the first record
	fresh   Ref              // the first record never used
	free    Ref              // a list through next of the records to use again; 0 at its end
	ended   uint64           // timers whose action has begun
	actions actions[RequestID]

	lists
	bags
}

// New makes a table with its clock at now, with lists empty lists, up to
// MaxLists, and with room for capacity timers, 0 to MaxCapacity.
func New[RequestID any](now timer.Tick, lists, capacity int) Table[RequestID] {
	t := Table[RequestID]{Now: now, actions: newActions[RequestID](), lists: newLists(lists)}
	t.chunks = make([]unsafe.Pointer, len(t.links))
	t.first = Ref(len(t.chunks) << chunkBits)
	t.fresh = t.first
	for len(t.chunks)<<chunkBits < int(t.first)+capacity {
		t.addChunk()
	}
	return t
}

func (t *Table[RequestID]) addChunk() {
	var rec Record[RequestID]
	chunk := unsafe.Pointer(new([chunkSize]Record[RequestID]))
	t.chunks = append(t.chunks, chunk)
	t.links = append(t.links, linkChunk{unsafe.Add(chunk, unsafe.Offsetof(rec.Links)), unsafe.Sizeof(rec)})
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

// Allows reports whether the contract allows the interval, where bound is the
// module's MaxInterval.
func (t *Table[RequestID]) Allows(interval, bound timer.Tick) bool {
	return interval-1 < bound && t.Now+interval >= interval // 0-1 is the largest Tick
}

// Refusal is the error of an interval that Allows does not.
func (t *Table[RequestID]) Refusal(interval, bound timer.Tick) error {
	return fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, min(bound, timer.MaxTick-t.Now))
}

// Len is the number of outstanding timers.
func (t *Table[RequestID]) Len() int { return int(t.Costs.Starts - t.Costs.Stops - t.ended) }

// At is the record that r names, which is not a list. It is within its chunk whatever r is, so that
// neither the compiler nor the processor has to check more than the table of
// chunks: a third of the time that stopping and starting a timer takes.
func (t *Table[RequestID]) At(r Ref) *Record[RequestID] {
	return (*Record[RequestID])(unsafe.Add(t.chunks[r>>chunkBits], uintptr(r%chunkSize)*unsafe.Sizeof(Record[RequestID]{})))
}

// An Ordinal numbers the records in the order of their Refs, from 1 on: an index of an
// array with a place for each.
type Ordinal uint32

// Ordinal is the number of a record.
func (t *Table[RequestID]) Ordinal(r Ref) Ordinal { return Ordinal(r-t.first) + 1 }

// Numbered is the record with the number.
func (t *Table[RequestID]) Numbered(i Ordinal) Ref { return t.first + Ref(i) - 1 }

// Ready reports whether Start can start a timer with the action. If not, Prepare
// has to be called before it: that is the rare and longer part of a start, and
// stands apart so that the compiler puts the rest into StartTimer.
func (t *Table[RequestID]) Ready(action timer.ExpiryAction[RequestID]) bool {
	return t.free != 0 && t.actions.last == identity(action)
}

// Prepare makes the table Ready for a timer with the action.
func (t *Table[RequestID]) Prepare(action timer.ExpiryAction[RequestID]) {
	if t.free == 0 {
		t.free = t.grow()
	}
	t.actions.find(action)
}

// Start makes a record for an outstanding timer, which stands in no list yet,
// with the action for which the table is Ready.
func (t *Table[RequestID]) Start(id RequestID) (Ref, *Record[RequestID]) {
	r := t.free
	rec := t.At(r)
	t.free = rec.next
	rec.generation++
	rec.id = id
	rec.action = t.actions.use()
	t.Costs.Starts++
	return r, rec
}

// grow is a record never used before.
func (t *Table[RequestID]) grow() Ref {
	r := t.fresh
	if r == maxRefs {
		panic(fmt.Sprintf("record: more than %d timers and lists", r))
	}
	if int(r>>chunkBits) == len(t.chunks) {
		t.addChunk()
	}
	t.fresh++
	return r
}

// Handle is the handle of an outstanding timer whose record r names.
func (rec *Record[RequestID]) Handle(r Ref) timer.Handle {
	return timer.Handle(rec.generation)<<32 | timer.Handle(r)
}

// Outstanding is the record that h names, with Ref(h) its name; nil if h names no
// outstanding timer.
func (t *Table[RequestID]) Outstanding(h timer.Handle) *Record[RequestID] {
	r, generation := Ref(h), uint32(h>>32)
	if int(r>>chunkBits) >= len(t.chunks) || r < t.first {
		return nil
	}
	rec := t.At(r)
	if generation%2 == 0 || generation != rec.generation {
		return nil
	}
	return rec
}

// StopAtOnce is Stop of a timer that is not due and has the action that was used last,
// as most have. For any other it is false, and does nothing. The compiler puts it into
// StopTimer.
func (t *Table[RequestID]) StopAtOnce(r Ref, rec *Record[RequestID]) bool {
	if !t.actions.releaseLast(rec.action) {
		return false
	}
	t.Costs.Stops++
	t.giveBack(r, rec)
	return true
}

// Stop ends the timer of a record that stands nowhere any more, and counts a stop.
func (t *Table[RequestID]) Stop(r Ref, rec *Record[RequestID]) {
	t.Costs.Stops++
	t.end(r, rec)
}

func (t *Table[RequestID]) end(r Ref, rec *Record[RequestID]) {
	if action := rec.action &^ dueBit; !t.actions.releaseLast(action) {
		t.actions.release(action)
	}
	t.giveBack(r, rec)
}

// giveBack gives the record back, with nothing left in it that could be reached.
func (t *Table[RequestID]) giveBack(r Ref, rec *Record[RequestID]) {
	var zero RequestID
	rec.id = zero
	rec.generation++
	rec.Links = Links{next: t.free} // and in no bag
	if rec.generation != 0 {        // else its generations are spent
		t.free = r
	}
}

// Reset counts the stop and the start of a timer that is moved, which from now
// on is not due.
func (t *Table[RequestID]) Reset(rec *Record[RequestID]) {
	t.Costs.Stops++
	t.Costs.Starts++
	rec.action &^= dueBit
}

// PutOff is Reset of a timer that is not due, and stands where it stands, with
// another expiry.
func (t *Table[RequestID]) PutOff(rec *Record[RequestID], expiry timer.Tick) {
	t.Costs.Stops++
	t.Costs.Starts++
	rec.Number = uint64(expiry)
}

// QuietTick is Tick where the clock is known not to end.
func (t *Table[RequestID]) QuietTick() {
	t.Now++
	t.Costs.Ticks++
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

// IdleUntil is how many ticks pass before the tick next, or before the end of
// the clock if there is no next.
func (t *Table[RequestID]) IdleUntil(next timer.Tick, ok bool) timer.Tick {
	if !ok {
		return timer.MaxTick - t.Now
	}
	return next - t.Now - 1
}

// Skip adds n to the clock. It panics if n is over idle.
func (t *Table[RequestID]) Skip(n, idle timer.Tick) {
	if n > idle {
		panic(fmt.Sprintf("timer: SkipTicks(%d) is over IdleTicks() = %d", n, idle))
	}
	t.Now += n
}

// Expire puts a record that stands in no list, and expires at the tick expiry,
// at the rear of the due queue.
func (t *Table[RequestID]) Expire(r Ref, rec *Record[RequestID], expiry timer.Tick) {
	rec.Number = uint64(expiry)
	rec.action |= dueBit
	t.Append(t.due, r, &rec.Links)
	t.Costs.Expiries++
}

// IsDue reports whether the timer waits for its action.
func (rec *Record[RequestID]) IsDue() bool { return rec.action&dueBit != 0 }

// ExpiryProcessing is that of [timer.Timer], for every scheme. A record ends
// before its action runs: a panic finds the module as it should be.
func (t *Table[RequestID]) ExpiryProcessing(limit int) int {
	if t.IsEmpty(t.due) {
		return 0
	}
	return t.perform(limit)
}

func (t *Table[RequestID]) perform(limit int) int {
	performed := 0
	for head := t.of(t.due); performed != limit && head.next != t.due; performed++ {
		r := head.next
		rec := t.At(r)
		head.next = rec.next
		t.of(rec.next).prev = t.due
		action, id := t.actions.at(rec.action&^dueBit), rec.id
		t.ended++
		t.end(r, rec)
		action(id)
	}
	return performed
}
