package record

import "github.com/timerfacility/timer"

// First is the first record of the list, or the head of list itself if it is
// empty. So a walk is
//
//	for r, rec := t.First(list); r != list; r, rec = t.Next(rec) {
//
// and one that takes records out of the list reads Next before it does.
func (t *Table[RequestID]) First(list Ref) (Ref, *Record[RequestID]) { return t.Next(t.At(list)) }

// Next is the record after rec, or the head of its list if rec is the last.
func (t *Table[RequestID]) Next(rec *Record[RequestID]) (Ref, *Record[RequestID]) {
	return rec.next, t.At(rec.next)
}

// IsEmpty reports whether the list is empty.
func (t *Table[RequestID]) IsEmpty(list Ref) bool { return t.At(list).next == list }

// Insert puts a record, which stands in no list, before the one that before
// names, or at the rear of a list if before is the list.
func (t *Table[RequestID]) Insert(before, r Ref, rec *Record[RequestID]) {
	next := t.At(before)
	prev := next.prev
	rec.next, rec.prev = before, prev
	next.prev = r
	t.At(prev).next = r
}

// Append puts a record, which stands in no list, at the rear of the list. O(1).
func (t *Table[RequestID]) Append(list, r Ref, rec *Record[RequestID]) { t.Insert(list, r, rec) }

// Remove takes a record out of its list. O(1): the record is its own pointer into
// the list, as in the paper's section 3.2.
func (t *Table[RequestID]) Remove(rec *Record[RequestID]) {
	next, prev := rec.next, rec.prev
	t.At(prev).next = next
	t.At(next).prev = prev
}

// Alone is the list of a record that is the only one in it; false if there are
// others, since nothing but the head is both before and after a record.
func (rec *Record[RequestID]) Alone() (list Ref, ok bool) {
	return rec.next, rec.next == rec.prev
}

// FirstAfter is the first record of an ordered list that expires after expiry,
// or the list itself, found by a search from the front. It counts a comparison
// with each timer that it looks at.
func (t *Table[RequestID]) FirstAfter(list Ref, expiry timer.Tick) Ref {
	r, rec := t.First(list)
	for r != list {
		t.Costs.Compares++
		if timer.Tick(rec.Number) > expiry {
			break
		}
		r, rec = t.Next(rec)
	}
	return r
}

// FirstAfterFromRear is the same, found by a search from the rear.
func (t *Table[RequestID]) FirstAfterFromRear(list Ref, expiry timer.Tick) Ref {
	after := list
	for r := t.At(list).prev; r != list; r = t.At(r).prev {
		t.Costs.Compares++
		if timer.Tick(t.At(r).Number) <= expiry {
			break
		}
		after = r
	}
	return after
}
