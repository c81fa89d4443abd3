package bench

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// A Module is what is measured: a timer module with the optional interfaces that
// all seven schemes have.
type Module interface {
	timer.Timer[int]
	timer.Resetter
	timer.Inquirer
	timer.NextExpirer
	timer.Tickless
	timer.Bounded
	timer.Coster
	timer.Viewer[int]
}

// A Scheme makes modules of one scheme in one configuration.
type Scheme struct {
	Key    string // names it in benchmarks: "6", "3heap"
	Number int    // 1 to 7; 0 for a wheel that is none of the schemes
	Name   string

	// make makes a module that is sized for n timers with intervals up to
	// longest ticks.
	make func(n int, longest timer.Tick) (Module, error)
}

// New makes a module sized for n timers with intervals up to longest ticks. The
// hashed wheels get the first power of two that is not under n for their table,
// the basic wheel gets longest slots, and the hierarchy three levels of equal
// size that cover longest.
func (s Scheme) New(n int, longest timer.Tick) Module {
	return must(s.make(n, longest))
}

// String is the number, if there is one, and the name.
func (s Scheme) String() string {
	if s.Number == 0 {
		return s.Name
	}
	return fmt.Sprintf("%d %s", s.Number, s.Name)
}

// Schemes are the seven schemes in all the configurations whose costs the papers
// state.
func Schemes() []Scheme {
	trees := func(kind tree.Kind) func(int, timer.Tick) (Module, error) {
		return func(n int, _ timer.Tick) (Module, error) {
			return tree.New[int](tree.Config{Kind: kind, Capacity: n})
		}
	}
	return []Scheme{
		{"1", 1, "unordered", func(n int, _ timer.Tick) (Module, error) {
			return unordered.New[int](unordered.Config{Capacity: n})
		}},
		{"2", 2, "from front", func(n int, _ timer.Tick) (Module, error) {
			return ordered.New[int](ordered.Config{Capacity: n})
		}},
		{"2rear", 2, "from rear", func(n int, _ timer.Tick) (Module, error) {
			return ordered.New[int](ordered.Config{Capacity: n, FromRear: true})
		}},
		{"3", 3, "B-tree", trees(tree.BTree)},
		{"3heap", 3, "heap", trees(tree.BinaryHeap)},
		{"3leftist", 3, "leftist", trees(tree.Leftist)},
		{"3unbalanced", 3, "unbalanced", trees(tree.Unbalanced)},
		{"4", 4, "basic", func(n int, longest timer.Tick) (Module, error) {
			return basic.New[int](basic.Config{Capacity: n, MaxInterval: longest})
		}},
		{"5", 5, "hashed sorted", func(n int, _ timer.Tick) (Module, error) {
			return hashsorted.New[int](hashsorted.Config{Capacity: n, TableSize: tableFor(n)})
		}},
		{"6", 6, "hashed unsorted", func(n int, _ timer.Tick) (Module, error) {
			return hashunsorted.New[int](hashunsorted.Config{Capacity: n, TableSize: tableFor(n)})
		}},
		{"7", 7, "hierarchical", func(n int, longest timer.Tick) (Module, error) {
			s := max(2, int(math.Ceil(math.Cbrt(float64(longest)))))
			return hierarchical.New[int](hierarchical.Config{Capacity: n, Levels: []int{s, s, s}})
		}},
	}
}

// SchemeNamed is the scheme of that key among [Schemes]; it panics if there is
// none.
func SchemeNamed(key string) Scheme {
	for _, s := range Schemes() {
		if s.Key == key {
			return s
		}
	}
	panic("bench: no scheme named " + key)
}

// tableFor is the first power of two that is not under n.
func tableFor(n int) int { return 1 << bits.Len(uint(max(n, 1)-1)) }

// must takes what this package asks for with arguments that are right.
func must[T any](v T, err error) T {
	if err != nil {
		panic("bench: " + err.Error())
	}
	return v
}

func noAction(int) {}

// begin starts a timer whose interval is within bounds.
func begin(m Module, interval timer.Tick, id int) timer.Handle {
	return must(m.StartTimer(interval, id, noAction))
}

// tick runs one tick and the actions that are due, and returns how many timers
// expired.
func tick(m Module) int {
	n := m.PerTickBookkeeping()
	m.ExpiryProcessing(timer.All)
	return n
}
