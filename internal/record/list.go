package record

import "github.com/timerfacility/timer"

func (t *Table[RequestID]) link(r Ref) *link {
	return &t.links[r>>chunkBits][r&chunkMask]
}

// First is the first record of the list, or list itself if it is empty. So a
// walk is
//
//	for r := t.First(list); r != list; r = t.Next(r)
func (t *Table[RequestID]) First(list Ref) Ref { return t.link(list).next }

// Last is the last record of the list, or list itself if it is empty.
func (t *Table[RequestID]) Last(list Ref) Ref { return t.link(list).prev }

// Next is the record after r, or its list if r is the last.
func (t *Table[RequestID]) Next(r Ref) Ref { return t.link(r).next }

// Prev is the record before r, or its list if r is the first.
func (t *Table[RequestID]) Prev(r Ref) Ref { return t.link(r).prev }

// List is the list that r stands in.
func (t *Table[RequestID]) List(r Ref) Ref { return t.At(r).list }

// Append puts r, which stands in no list, at the rear of the list.
func (t *Table[RequestID]) Append(list, r Ref) { t.Insert(list, list, r) }

// Insert puts r, which stands in no list, before the record before of the list,
// or at its rear if before is the list itself.
func (t *Table[RequestID]) Insert(list, before, r Ref) {
	t.At(r).list = list
	next := t.link(before)
	prev := next.prev
	*t.link(r) = link{next: before, prev: prev}
	next.prev = r
	t.link(prev).next = r
}

// Remove takes r out of its list, and reports whether that left the list empty.
// Its cost is O(1): the record is its own pointer into the list.
func (t *Table[RequestID]) Remove(r Ref) (emptied bool) {
	l := *t.link(r)
	t.link(l.prev).next = l.next
	t.link(l.next).prev = l.prev
	return l.prev == l.next // only the head is both
}

// Detach empties the list and is its first record, or list itself if it was
// empty already. Next still leads from each record to the next, and from the
// last to list; a walk reads Next(r) before it puts r elsewhere.
func (t *Table[RequestID]) Detach(list Ref) Ref {
	l := t.link(list)
	first := l.next
	*l = link{list, list}
	return first
}

// FirstAfter is the first record of an ordered list that expires after expiry,
// or the list itself, found by a search from the front. It counts a comparison
// with each timer that it looks at.
func (t *Table[RequestID]) FirstAfter(list Ref, expiry timer.Tick) Ref {
	r := t.First(list)
	for r != list {
		t.Costs.Compares++
		if t.Number(r) > expiry {
			break
		}
		r = t.Next(r)
	}
	return r
}

// LastUpTo is the last record of an ordered list that does not expire after
// expiry, or the list itself, found by a search from the rear. It counts a
// comparison with each timer that it looks at.
func (t *Table[RequestID]) LastUpTo(list Ref, expiry timer.Tick) Ref {
	r := t.Last(list)
	for r != list {
		t.Costs.Compares++
		if t.Number(r) <= expiry {
			break
		}
		r = t.Prev(r)
	}
	return r
}
