package record

import "github.com/timerfacility/timer"

// View is the view of a structure with the given levels, whose lists are
// numbered from 0, level after level. The expiry of a record in it is what
// expiry says.
func (t *Table[RequestID]) View(levels []int, expiry func(rec *Record[RequestID]) timer.Tick) timer.View[RequestID] {
	v := timer.View[RequestID]{Now: t.Now, Levels: levels}
	var list Ref
	for level, size := range levels {
		for slot := range size {
			t.show(&v, list, timer.ViewList[RequestID]{Kind: timer.InStructure, Level: level, Slot: slot}, expiry)
			list++
		}
	}
	for ; list < t.due; list++ {
		t.show(&v, list, timer.ViewList[RequestID]{Kind: timer.InOverflow}, expiry)
	}
	t.show(&v, t.due, timer.ViewList[RequestID]{Kind: timer.InDue}, (*Record[RequestID]).Expiry)
	return v
}

// ViewBags is the same of a structure whose slots are bags, with the absolute
// expiry in each record.
func (t *Table[RequestID]) ViewBags(levels []int) timer.View[RequestID] {
	v := timer.View[RequestID]{Now: t.Now, Levels: levels}
	var b Bag
	var timers Block
	for level, size := range levels {
		for slot := range size {
			shown := timer.ViewList[RequestID]{Kind: timer.InStructure, Level: level, Slot: slot}
			first, end := t.Blocks(b)
			for i := first; i != 0; i = t.NextBlock(i) {
				for _, r := range t.Timers(b, i, end, &timers) {
					rec := t.At(r)
					shown.Timers = append(shown.Timers, rec.View(r, rec.Expiry()))
				}
			}
			if len(shown.Timers) > 0 {
				v.Lists = append(v.Lists, shown)
			}
			b++
		}
	}
	t.show(&v, t.due, timer.ViewList[RequestID]{Kind: timer.InDue}, (*Record[RequestID]).Expiry)
	return v
}

// show adds the list to the view, unless it is empty.
func (t *Table[RequestID]) show(v *timer.View[RequestID], list Ref, shown timer.ViewList[RequestID], expiry func(rec *Record[RequestID]) timer.Tick) {
	for r, rec := t.First(list); r != list; r, rec = t.Next(rec) {
		shown.Timers = append(shown.Timers, rec.View(r, expiry(rec)))
	}
	if len(shown.Timers) > 0 {
		v.Lists = append(v.Lists, shown)
	}
}

// View is the view of the outstanding timer whose record r names.
func (rec *Record[RequestID]) View(r Ref, expiry timer.Tick) timer.ViewTimer[RequestID] {
	return timer.ViewTimer[RequestID]{Handle: rec.Handle(r), ID: rec.id, Expiry: expiry, Stored: rec.Number}
}

// Expiry is the number as a tick: the expiry, if that is what the scheme stores
// or if the timer is due.
func (rec *Record[RequestID]) Expiry() timer.Tick { return timer.Tick(rec.Number) }
