package record

import "github.com/timerfacility/timer"

// View is the view of a structure with the given levels, whose lists are
// numbered from 0, level after level. The expiry of a record in it is what
// expiry says.
func (t *Table[RequestID]) View(levels []int, expiry func(r Ref) timer.Tick) timer.View[RequestID] {
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
	t.show(&v, t.due, timer.ViewList[RequestID]{Kind: timer.InDue}, t.Number)
	return v
}

// show adds the list to the view, unless it is empty.
func (t *Table[RequestID]) show(v *timer.View[RequestID], list Ref, shown timer.ViewList[RequestID], expiry func(r Ref) timer.Tick) {
	for r := t.First(list); r != list; r = t.Next(r) {
		shown.Timers = append(shown.Timers, t.ViewTimer(r, expiry(r)))
	}
	if len(shown.Timers) > 0 {
		v.Lists = append(v.Lists, shown)
	}
}

// ViewTimer is the view of one outstanding timer.
func (t *Table[RequestID]) ViewTimer(r Ref, expiry timer.Tick) timer.ViewTimer[RequestID] {
	rec := t.At(r)
	return timer.ViewTimer[RequestID]{Handle: t.Handle(r), ID: rec.id, Expiry: expiry, Stored: rec.Number}
}

// Number is what the record stores, as a tick: its expiry if that is what the
// scheme stores, or if it is due.
func (t *Table[RequestID]) Number(r Ref) timer.Tick { return timer.Tick(t.At(r).Number) }
