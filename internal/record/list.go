package record

import (
	"unsafe"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
)

// lists is the lists of a table. It is not generic because a method of a generic type
// takes some instructions more.
type lists struct {
	links []linkChunk
	due   Ref // the list of due timers
}

// A linkChunk is the links of chunkSize Refs. Those of lists stand one after the other,
// 8 bytes each, and those of timers in their records: the heads of a large table then
// take a quarter of the space, and a wheel of 2^16 slots stays in a second-level cache.
// What is added to a Ref's chunk is the only difference, so that to insert and to remove
// asks no question.
type linkChunk struct {
	first  unsafe.Pointer
	stride uintptr // bytes from one to the next
}

// newLists makes n empty lists, and that of the due timers.
func newLists(n int) lists {
	t := lists{due: Ref(n)}
	heads := make([]Links, n+1)
	for i := range heads {
		heads[i] = Links{Ref(i), Ref(i)}
		if i%chunkSize == 0 {
			t.links = append(t.links, linkChunk{unsafe.Pointer(&heads[i]), unsafe.Sizeof(heads[i])})
		}
	}
	return t
}

// of is the links of the list or the record that r names. It checks no more than the
// chunk, as At; the last chunk of heads ends with the last head.
func (t *lists) of(r Ref) *Links {
	c := &t.links[r>>chunkBits]
	return (*Links)(unsafe.Add(c.first, uintptr(r%chunkSize)*c.stride))
}

// First is the first record of the list, or the list itself and nil if it is empty.
// So a walk is
//
//	for r, rec := t.First(list); r != list; r, rec = t.Next(rec) {
//
// and one that takes records out of the list reads Next before it does.
func (t *Table[RequestID]) First(list Ref) (Ref, *Record[RequestID]) { return t.named(t.of(list).next) }

// Next is the record after rec, or its list and nil if rec is the last.
func (t *Table[RequestID]) Next(rec *Record[RequestID]) (Ref, *Record[RequestID]) {
	return t.named(rec.next)
}

func (t *Table[RequestID]) named(r Ref) (Ref, *Record[RequestID]) {
	if r < t.first {
		return r, nil
	}
	return r, t.At(r)
}

// IsEmpty reports whether the list is empty.
func (t *lists) IsEmpty(list Ref) bool { return t.of(list).next == list }

// NextBusy is the least list that is not below from and holds records, of those in
// busy, where lists may be that hold none any more: it takes them out on the way. O(1)
// for each of them, and the cost of a search in busy.
func (t *lists) NextBusy(busy *bitmap.Set, from Ref) (Ref, bool) {
	for {
		list, ok := busy.Next(uint32(from))
		if !ok || !t.IsEmpty(Ref(list)) {
			return Ref(list), ok
		}
		busy.Remove(list)
	}
}

// Insert puts a record, which stands in no list, before the one that before
// names, or at the rear of a list if before is the list.
func (t *lists) Insert(before, r Ref, rec *Links) {
	next := t.of(before)
	prev := next.prev
	rec.next, rec.prev = before, prev
	next.prev = r
	t.of(prev).next = r
}

// Append puts a record, which stands in no list, at the rear of the list. O(1).
func (t *lists) Append(list, r Ref, rec *Links) { t.Insert(list, r, rec) }

// Remove takes a record out of its list. O(1): the record is its own pointer into
// the list, as in the paper's section 3.2.
func (t *lists) Remove(rec *Links) {
	next, prev := rec.next, rec.prev
	t.of(prev).next = next
	t.of(next).prev = prev
}

// FirstAfter is the first record of an ordered list that expires after expiry,
// or the list itself, found by a search from the front. It counts a comparison
// with each timer that it looks at.
func (t *Table[RequestID]) FirstAfter(list Ref, expiry timer.Tick) Ref {
	r := t.of(list).next
	for r != list {
		t.Costs.Compares++
		rec := t.At(r)
		if rec.Expiry() > expiry {
			break
		}
		r = rec.next
	}
	return r
}

// FirstAfterFromRear is the same, found by a search from the rear.
func (t *Table[RequestID]) FirstAfterFromRear(list Ref, expiry timer.Tick) Ref {
	after := list
	for r := t.of(list).prev; r != list; {
		t.Costs.Compares++
		rec := t.At(r)
		if rec.Expiry() <= expiry {
			break
		}
		after, r = r, rec.prev
	}
	return after
}
