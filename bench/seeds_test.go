package bench

import (
	"encoding/json"
	"math"
	"sync"
	"testing"

	"github.com/timerfacility/timer"
)

// try runs all experiments and gives the findings by id.
func try(l *Lab, skip ...string) map[string]Finding {
	skipped := make(map[string]bool)
	for _, id := range skip {
		skipped[id] = true
	}
	findings := make(map[string]Finding)
	for _, c := range Claims() {
		if !skipped[c.ID] {
			findings[c.ID] = c.Try(l)
		}
	}
	return findings
}

// The same seed gives the same figures, to the last digit, and every verdict is
// the one that we hold to be true; so it is with another seed, whose figures lie
// within the intervals of the first.
func TestSeeds(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("measures every claim three times")
	}
	// Bytes on the heap are measured, not counted, and measured alone.
	const alone = "S1-2"
	var first, again, other map[string]Finding
	var wait sync.WaitGroup
	wait.Go(func() { first = try(&Lab{Seed: 1}, alone) })
	wait.Go(func() { again = try(&Lab{Seed: 1}, alone) })
	wait.Go(func() { other = try(&Lab{Seed: 2}, alone) })
	wait.Wait()
	for id, f := range first {
		if !f.AsExpected() {
			t.Errorf("%s: got %q, want %q: %+v", id, f.Verdict, f.Expect, f.Figures)
		}
		a, errA := json.Marshal(f.Figures)
		b, errB := json.Marshal(again[id].Figures)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: the same seed gave other figures:\n%s\n%s", id, a, b)
		}
		g := other[id]
		if f.Verdict != g.Verdict {
			t.Errorf("%s: %q, and %q with another seed", id, f.Verdict, g.Verdict)
			continue
		}
		for i, x := range f.Figures {
			y := g.Figures[i]
			if x.Lo == x.Hi { // exact, or with a bound instead of an interval
				continue
			}
			if y.Value < x.Lo || y.Value > x.Hi {
				t.Errorf("%s, %s: %v, and %v with another seed", id, x.Name, x.Measured, y.Measured)
			}
		}
	}
}

func TestSpace(t *testing.T) {
	if raced {
		t.Skip("the race detector takes memory of its own")
	}
	for _, c := range Claims() {
		if c.ID == "S1-2" {
			if f := c.Try(&Lab{}); !f.AsExpected() {
				t.Errorf("got %q: %+v", f.Verdict, f.Figures)
			}
		}
	}
}

// A scheme whose cost is not as it should be turns a verdict red: here it
// compares once more in each START, looks at a timer more in each tick, misses a
// migration, or forgets to count.
func TestChangedCosts(t *testing.T) {
	if raced {
		t.Skip("measures some claims twenty times")
	}
	for _, c := range []struct {
		name   string
		change func(*timer.Costs)
		claim  string
	}{
		{"Scheme 1 compares in START", func(c *timer.Costs) { c.Compares += c.Starts }, "S1-1"},
		{"Scheme 2 compares once more", func(c *timer.Costs) { c.Compares += c.Starts }, "S2-2"},
		{"Scheme 2 compares twice", func(c *timer.Costs) { c.Compares *= 2 }, "B-6"},
		{"Scheme 3 compares each again", func(c *timer.Costs) { c.Compares *= 2 }, "S3-4"},
		{"Scheme 4 visits once more in each tick", func(c *timer.Costs) { c.Visits += c.Ticks }, "S4-1"},
		{"Scheme 5 compares once more", func(c *timer.Costs) { c.Compares += c.Starts }, "S5-3"},
		{"Scheme 6 visits once more in each tick", func(c *timer.Costs) { c.Visits += c.Ticks }, "S6-2"},
		{"Scheme 6 misses visits", func(c *timer.Costs) { c.Visits -= c.Visits / 10 }, "S6-6"},
		{"Scheme 7 misses a migration", func(c *timer.Costs) { c.Moves = max(c.Moves, 1) - 1 }, "S7-2"},
		{"TEGAS-2 misses a move", func(c *timer.Costs) { c.Moves = max(c.Moves, 1) - 1 }, "D-2"},
		{"TEGAS-2 forgets a start in ten", func(c *timer.Costs) { c.Starts -= c.Starts / 10 }, "D-4"},
		{"Scheme 7 migrates too often", func(c *timer.Costs) { c.Moves *= 2 }, "S7-6"},
	} {
		l := &Lab{Wrap: func(m Module) Module { return changed{m, c.change} }}
		for _, claim := range Claims() {
			if claim.ID != c.claim {
				continue
			}
			if f := claim.Try(&Lab{}); !f.AsExpected() {
				t.Errorf("%s: %q without a change", claim.ID, f.Verdict)
			}
			if f := claim.Try(l); f.AsExpected() || f.Verdict != Contradicted {
				t.Errorf("%s: %s is still %q", c.name, claim.ID, f.Verdict)
			}
		}
	}
}

// changed is a module with other costs.
type changed struct {
	Module
	change func(*timer.Costs)
}

func (m changed) Costs() timer.Costs {
	c := m.Module.Costs()
	m.change(&c)
	return c
}

// late is a module that expires timers a tick late, as one does that misses a
// migration.
type late struct{ Module }

func (m late) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if interval < math.MaxUint32 && interval < m.MaxInterval() && interval > 100 {
		interval++
	}
	return m.Module.StartTimer(interval, id, action)
}

func TestLateExpiry(t *testing.T) {
	l := &Lab{Wrap: func(m Module) Module { return late{m} }}
	for _, c := range Claims() {
		switch c.ID {
		case "M-5", "S3-5", "S7-2", "E2", "E10", "A-2":
			if f := c.Try(l); f.AsExpected() {
				t.Errorf("%s is still %q", c.ID, f.Verdict)
			}
		}
	}
}
