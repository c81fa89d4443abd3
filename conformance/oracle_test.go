package conformance

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/timerfacility/timer"
)

// TestOracle holds the oracle to what can be worked out by hand.
func TestOracle(t *testing.T) {
	o := newOracle(10, 100)
	o.start(0, 5)  // 15
	o.start(1, 3)  // 13
	o.start(2, 3)  // 13
	o.start(3, 90) // 100
	check := func(what string, got, want any) {
		t.Helper()
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	next, ok := o.next()
	check("next", next, timer.Tick(13))
	check("next is", ok, true)
	check("idle", o.idle(), timer.Tick(2))
	check("due", o.due(), []int(nil))
	o.skip(2)
	check("tick", o.tick(), 2)
	check("due", o.due(), []int{1, 2})
	check("first", o.first(), []int{1, 2})
	check("idle", o.idle(), timer.Tick(1))
	o.reset(1, 2) // 15, after 0
	check("due", o.due(), []int{2})
	o.tick()
	check("tick", o.tick(), 2)
	check("due", o.due(), []int{2, 0, 1})
	check("first", o.first(), []int{2})
	check("end", o.end(2), true)
	check("end again", o.end(2), false)
	check("first", o.first(), []int{0, 1})
	check("len", o.len(), 3)
	check("is 3 due", o.isDue(3), false)
	check("is 0 due", o.isDue(0), true)
	check("is 2 due", o.isDue(2), false)
	o.end(3)
	_, ok = o.next()
	check("next is", ok, false)
	check("idle", o.idle(), timer.MaxTick-15)
}

// TestOracleBounds tests what the oracle accepts next to the bounds.
func TestOracleBounds(t *testing.T) {
	for _, c := range []struct {
		now, max, interval timer.Tick
		want               bool
	}{
		{0, 100, 0, false},
		{0, 100, 1, true},
		{0, 100, 100, true},
		{0, 100, 101, false},
		{0, timer.MaxTick, timer.MaxTick, true},
		{1, timer.MaxTick, timer.MaxTick, false},
		{1, timer.MaxTick, timer.MaxTick - 1, true},
		{timer.MaxTick - 5, 100, 5, true},
		{timer.MaxTick - 5, 100, 6, false},
		{timer.MaxTick, 100, 1, false},
		{timer.MaxTick, 100, 0, false},
	} {
		if got := newOracle(c.now, c.max).accepts(c.interval); got != c.want {
			t.Errorf("at %d with MaxInterval %d: accepts(%d) = %t", c.now, c.max, c.interval, got)
		}
	}
}

// TestOracleAgainstList compares the oracle with a dumber one: a list of
// timers that is looked through from end to end.
func TestOracleAgainstList(t *testing.T) {
	type entry struct {
		k      int
		expiry timer.Tick
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		o := newOracle(0, timer.MaxTick)
		var list []entry // in the order of start
		now := timer.Tick(0)
		remove := func(k int) { list = slices.DeleteFunc(list, func(e entry) bool { return e.k == k }) }
		for k := range 300 {
			d := 1 + timer.Tick(r.IntN(20))
			switch other := r.IntN(k + 1); r.IntN(5) {
			case 0, 1:
				o.start(k, d)
				list = append(list, entry{k, now + d})
			case 2:
				if _, ok := o.expiry[other]; ok {
					o.reset(other, d)
					remove(other)
					list = append(list, entry{other, now + d})
				}
			case 3:
				o.end(other)
				remove(other)
			case 4:
				now++
				n := 0
				for _, e := range list {
					if e.expiry == now {
						n++
					}
				}
				if got := o.tick(); got != n {
					t.Fatalf("tick() = %d, want %d", got, n)
				}
			}
			byExpiry := slices.Clone(list)
			slices.SortStableFunc(byExpiry, func(a, b entry) int { return int(a.expiry) - int(b.expiry) })
			var due []int
			next := timer.Tick(0)
			for _, e := range byExpiry {
				if e.expiry <= now {
					due = append(due, e.k)
				} else if next == 0 {
					next = e.expiry
				}
			}
			if got := o.due(); !slices.Equal(got, due) {
				t.Fatalf("due() = %v, want %v", got, due)
			}
			if got, ok := o.next(); got != next || ok != (next > 0) {
				t.Fatalf("next() = %d, %t, want %d", got, ok, next)
			}
			if o.len() != len(list) {
				t.Fatalf("len() = %d, want %d", o.len(), len(list))
			}
		}
	}
}
