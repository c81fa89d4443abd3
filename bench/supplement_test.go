package bench

import (
	"strings"
	"testing"

	"github.com/timerfacility/timer"
)

// The supplements come out as theory says, and give their tables for every event
// list.
func TestSupplements(t *testing.T) {
	if raced {
		t.Skip("runs long lists")
	}
	for _, c := range Supplements() {
		f := c.Try(&Lab{Seed: 1})
		if !f.AsExpected() {
			t.Errorf("%s: got %q, want %q: %+v", f.ID, f.Verdict, f.Expect, f.Figures)
		}
		for _, table := range f.Tables {
			if len(table.Rows) != len(EventLists()) {
				t.Errorf("%s: %q has %d rows", f.ID, table.Title, len(table.Rows))
			}
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Errorf("%s: %q has the row %q, and %d columns", f.ID, table.Title, row, len(table.Columns))
				}
			}
		}
	}
}

// One event list, Scheme 7, that runs an event late gives other events.
func TestLateEvents(t *testing.T) {
	l := &Lab{Wrap: func(m Module) Module {
		if len(m.View().Levels) == 3 {
			return odd{m}
		}
		return m
	}}
	for _, c := range Supplements() {
		if c.ID == "logic" {
			if f := c.Try(l); f.Verdict != Contradicted {
				t.Errorf("got %q: %+v", f.Verdict, f.Figures)
			}
		}
	}
}

// odd is a module that is late with some timers.
type odd struct{ Module }

func (m odd) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if interval == 7 {
		interval++
	}
	return m.Module.StartTimer(interval, id, action)
}

// Prim's queue is bounded and not monotone; Dijkstra's is both.
func TestPrimIsNotMonotone(t *testing.T) {
	for _, c := range Claims() {
		if c.ID != "A-2" {
			continue
		}
		f := c.Try(&Lab{Seed: 1})
		if f.Verdict != Corrected {
			t.Errorf("got %q: %+v", f.Verdict, f.Figures)
		}
		for _, g := range f.Figures {
			if !g.AgreesPrinted && !strings.Contains(g.Name, "Prim, inserts below") {
				t.Errorf("%s: %s, printed %s", g.Name, g.Measured, g.Printed)
			}
		}
		if rows := f.Tables[0].Rows; rows[0][2] != "0" || rows[1][2] == "0" || rows[len(rows)-1][2] != "1" {
			t.Errorf("below the last minimum: %v", rows)
		}
	}
}
