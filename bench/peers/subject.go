package main

import (
	"fmt"
	"math/bits"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/bench"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// A subject is what a row of the tables measures: a module that its caller
// drives, or a library that reads a clock of its own.
type subject struct {
	name    string
	most    int // timers that it is measured with; 0: any number
	module  func(capacity int) bench.Startable
	library library
}

// The rows that others are compared with.
const (
	floorName     = "floor"
	runtimeName   = "time.AfterFunc"
	scheme7Name   = "7 hierarchical"
	fewTimers     = 1000   // for what takes O(n)
	severalTimers = 100000 // for what takes minutes to set up with more
)

// subjects are all rows but the floor.
func subjects() []subject {
	all := []subject{
		{name: "1 unordered", most: fewTimers, module: func(capacity int) bench.Startable {
			return must(unordered.New[int](unordered.Config{Capacity: capacity}))
		}},
		{name: "2 ordered", most: fewTimers, module: func(capacity int) bench.Startable {
			return must(ordered.New[int](ordered.Config{Capacity: capacity}))
		}},
		{name: "3 B-tree", module: func(capacity int) bench.Startable {
			return must(tree.New[int](tree.Config{Capacity: capacity}))
		}},
		{name: "3 binary heap", module: func(capacity int) bench.Startable {
			return must(tree.New[int](tree.Config{Capacity: capacity, Kind: tree.BinaryHeap}))
		}},
		{name: "4 basic", module: func(capacity int) bench.Startable {
			return must(basic.New[int](basic.Config{Capacity: capacity, MaxInterval: bench.Longest}))
		}},
		{name: "5 hashed sorted", module: func(capacity int) bench.Startable {
			return must(hashsorted.New[int](hashsorted.Config{Capacity: capacity, TableSize: tableFor(capacity)}))
		}},
		{name: "6 hashed unsorted", module: func(capacity int) bench.Startable {
			return must(hashunsorted.New[int](hashunsorted.Config{Capacity: capacity, TableSize: tableFor(capacity)}))
		}},
		{name: scheme7Name, module: func(capacity int) bench.Startable { return newScheme7(capacity) }},
		{name: "container/heap", module: func(int) bench.Startable { return newHeap(0) }},
		{name: "google/btree", module: func(int) bench.Startable { return newBTree(0) }},
	}
	for _, l := range libraries() {
		s := subject{name: l.name, library: l}
		if l.name == "ouqiang" { // a stop looks through a slot: with more it takes milliseconds
			s.most = severalTimers
		}
		all = append(all, s)
	}
	return all
}

// newScheme7 makes a hierarchical wheel as a user gets it who asks for nothing.
func newScheme7(capacity int) *hierarchical.Wheel[int] {
	return must(hierarchical.New[int](hierarchical.Config{Capacity: capacity}))
}

// tableFor is the size of a hash table on whose ground the hashed wheels are: no
// interval is longer than the table, and no more timers are outstanding than it
// has buckets.
func tableFor(n int) int { return 1 << bits.Len(uint(max(n, int(bench.Longest)))-1) }

// must takes what is made of a configuration that is right.
func must[T any](v T, err error) T {
	if err != nil {
		panic("peers: " + err.Error())
	}
	return v
}

// lacks says why the subject cannot do the workload with n timers; empty if it
// can.
func (s subject) lacks(w workload, n int) string {
	switch {
	case s.most > 0 && n > s.most:
		return fmt.Sprintf("not above n = %d", s.most)
	case s.module != nil:
		return ""
	case w.library == nil:
		return "has a clock of its own"
	case w.resets:
		return s.library.noReset
	}
	return ""
}

// nothing is the expiry action of every library's timers.
func nothing() {}

// set is a subject with timers started in it.
type set struct {
	run   bench.Workload
	close func()
}

// setUp starts n timers of the subject for the workload.
func (s subject) setUp(w workload, n int) set {
	if s.module != nil {
		return set{w.module(s.module(n), n), func() {}}
	}
	t := s.library.open(n, s.library.tick, func(int) func() { return nothing })
	return set{w.library(t, n), t.close}
}

// hold starts n timers of the subject one after another, and gives what keeps
// them alive and their end. A module grows as it goes.
func (s subject) hold(n int, began func()) (keep any, end func()) {
	random := bench.SplitMix(1)
	if s.module != nil {
		began()
		m := s.module(0)
		for i := range n {
			must(m.StartTimer(1+timer.Tick(random.Below(bench.Span)), i, func(int) {}))
		}
		return m, func() {}
	}
	t := s.library.open(n, s.library.tick, func(int) func() { return nothing })
	began()
	startAll(t, n, &random)
	return t, t.close
}
