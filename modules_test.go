package timer_test

import (
	"testing"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// A module is what each of the seven schemes is.
type module interface {
	timer.Timer[int]
	timer.Resetter
	timer.Inquirer
	timer.NextExpirer
	timer.Tickless
	timer.Bounded
	timer.Coster
	timer.Viewer[int]
}

// modules are the seven schemes, each in its configurations. All of them take an
// interval of 4000.
var modules = []struct {
	name   string
	scheme int
	new    func(now timer.Tick) module
}{
	{"Unordered", 1, func(now timer.Tick) module { return must(unordered.New[int](unordered.Config{Now: now})) }},
	{"UnorderedCompare", 1, func(now timer.Tick) module {
		return must(unordered.New[int](unordered.Config{Now: now, Compare: true}))
	}},
	{"Ordered", 2, func(now timer.Tick) module { return must(ordered.New[int](ordered.Config{Now: now})) }},
	{"OrderedFromRear", 2, func(now timer.Tick) module {
		return must(ordered.New[int](ordered.Config{Now: now, FromRear: true}))
	}},
	{"BTree", 3, func(now timer.Tick) module { return must(tree.New[int](tree.Config{Now: now})) }},
	{"BinaryHeap", 3, func(now timer.Tick) module {
		return must(tree.New[int](tree.Config{Now: now, Kind: tree.BinaryHeap}))
	}},
	{"Leftist", 3, func(now timer.Tick) module {
		return must(tree.New[int](tree.Config{Now: now, Kind: tree.Leftist}))
	}},
	{"Unbalanced", 3, func(now timer.Tick) module {
		return must(tree.New[int](tree.Config{Now: now, Kind: tree.Unbalanced}))
	}},
	{"Basic", 4, func(now timer.Tick) module { return must(basic.New[int](basic.Config{Now: now})) }},
	{"BasicOverflow7", 4, func(now timer.Tick) module {
		return must(basic.New[int](basic.Config{Now: now, MaxInterval: 7, Overflow: true}))
	}},
	{"BasicOverflow300", 4, func(now timer.Tick) module {
		return must(basic.New[int](basic.Config{Now: now, MaxInterval: 300, Overflow: true}))
	}},
	{"HashSorted", 5, func(now timer.Tick) module { return must(hashsorted.New[int](hashsorted.Config{Now: now})) }},
	{"HashSorted1", 5, func(now timer.Tick) module {
		return must(hashsorted.New[int](hashsorted.Config{Now: now, TableSize: 1}))
	}},
	{"HashUnsorted", 6, func(now timer.Tick) module {
		return must(hashunsorted.New[int](hashunsorted.Config{Now: now}))
	}},
	{"HashUnsorted4", 6, func(now timer.Tick) module {
		return must(hashunsorted.New[int](hashunsorted.Config{Now: now, TableSize: 4}))
	}},
	{"Hierarchical", 7, func(now timer.Tick) module {
		return must(hierarchical.New[int](hierarchical.Config{Now: now}))
	}},
	{"HierarchicalDecimal", 7, func(now timer.Tick) module {
		return must(hierarchical.New[int](hierarchical.Config{Now: now, Levels: []int{10, 10, 10, 10}}))
	}},
	{"HierarchicalShort", 7, func(now timer.Tick) module {
		return must(hierarchical.New[int](hierarchical.Config{Now: now, Levels: []int{16, 16, 16}}))
	}},
	{"HierarchicalBinary", 7, func(now timer.Tick) module {
		return must(hierarchical.New[int](hierarchical.Config{Now: now, Levels: []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}))
	}},
	{"HierarchicalMixed", 7, func(now timer.Tick) module {
		return must(hierarchical.New[int](hierarchical.Config{Now: now, Levels: []int{3, 512, 5}}))
	}},
}

func must[M module](m M, err error) module {
	if err != nil {
		panic(err)
	}
	return m
}

// plain hides all of a module but the four routines.
type plain struct{ timer.Timer[int] }

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// TestOptionalInterfaces: every scheme has all of them; a range is for Scheme 7.
func TestOptionalInterfaces(t *testing.T) {
	for _, c := range modules {
		var m any = c.new(0) // which has the others, or it would not be a module
		if _, ok := m.(timer.RangeStarter[int]); ok != (c.scheme == 7) {
			t.Errorf("%s: RangeStarter %t", c.name, ok)
		}
		if got := c.new(0).MaxInterval(); got < 4000 {
			t.Errorf("%s: MaxInterval %d", c.name, got)
		}
	}
}
