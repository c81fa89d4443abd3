// Package eventlists names the modules that the tests and the commands of
// package simulation run their models on: every scheme, and the wheels of
// TEGAS-2 and DECSIM.
package eventlists

import (
	"fmt"
	"strings"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation/wheels"
)

// A List makes the event lists of one kind. They take every interval.
type List struct {
	Name string
	make func() (timer.Timer[int], error)
}

// New makes an empty event list.
func (l List) New() timer.Timer[int] {
	m, err := l.make()
	if err != nil {
		panic("eventlists: " + err.Error()) // the configurations are this package's own
	}
	return m
}

// All are the seven schemes, in order, with the kinds of tree, and the two
// simulators' wheels.
func All() []List {
	trees := func(kind tree.Kind) func() (timer.Timer[int], error) {
		return func() (timer.Timer[int], error) { return tree.New[int](tree.Config{Kind: kind}) }
	}
	return []List{
		{"unordered", func() (timer.Timer[int], error) { return unordered.New[int](unordered.Config{}) }},
		{"ordered", func() (timer.Timer[int], error) { return ordered.New[int](ordered.Config{}) }},
		{"btree", trees(tree.BTree)},
		{"heap", trees(tree.BinaryHeap)},
		{"leftist", trees(tree.Leftist)},
		{"unbalanced", trees(tree.Unbalanced)},
		{"basic", func() (timer.Timer[int], error) { return basic.New[int](basic.Config{Overflow: true}) }},
		{"hashsorted", func() (timer.Timer[int], error) { return hashsorted.New[int](hashsorted.Config{}) }},
		{"hashunsorted", func() (timer.Timer[int], error) { return hashunsorted.New[int](hashunsorted.Config{}) }},
		{"hierarchical", func() (timer.Timer[int], error) { return hierarchical.New[int](hierarchical.Config{}) }},
		{"tegas2", func() (timer.Timer[int], error) { return wheels.New[int](wheels.Config{Kind: wheels.TEGAS2}) }},
		{"decsim", func() (timer.Timer[int], error) { return wheels.New[int](wheels.Config{Kind: wheels.DECSIM}) }},
	}
}

// Named is the list of that name; the error names those that there are.
func Named(name string) (List, error) {
	for _, l := range All() {
		if l.Name == name {
			return l, nil
		}
	}
	return List{}, fmt.Errorf("no scheme %q; there are %s", name, Names())
}

// Names are the names, with commas.
func Names() string {
	var names []string
	for _, l := range All() {
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}
