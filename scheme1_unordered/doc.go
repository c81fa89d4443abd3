// Package unordered implements Scheme 1 of Varghese and Lauck: an unordered list
// of timers, all of which are looked at in every tick.
//
// # The idea
//
// Each timer has a record with the ticks that remain. Every tick decrements all
// of them, and those that come to zero expire.
//
//	timers ──▶ ┌───┐ ──▶ ┌────┐ ──▶ ┌───┐ ──▶ back to the head
//	           │ 7 │     │ 90 │     │ 1 │     one tick later: 6, 89, and the
//	           └───┘     └────┘     └───┘     third is due
//
// With [Config].Compare the record holds the absolute expiry instead, and the
// tick compares it with the clock: n reads in a tick instead of n writes. The
// paper leaves that choice open for every scheme.
//
// # Costs
//
//	StartTimer          O(1)
//	StopTimer           O(1)
//	PerTickBookkeeping  O(n) in every tick, n timers outstanding: n visits
//	space               one record for each timer: the least of all schemes
//
// Order within a tick is first started, first run.
//
// # When to choose it
//
// For a few timers; where most are stopped within a few ticks; or where hardware
// does the ticking. It is also the scheme to check another one against: nothing
// in it can go wrong.
//
// # Where it comes from
//
// Section 3.1 of the 1987 paper (III.A in 1997). Its rivals are
// [github.com/timerfacility/timer/scheme2_ordered] (package ordered),
// [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme4_basic] (basic),
// [github.com/timerfacility/timer/scheme5_hashsorted] (hashsorted),
// [github.com/timerfacility/timer/scheme6_hashunsorted] (hashunsorted), of which
// it is the case of a single slot, and
// [github.com/timerfacility/timer/scheme7_hierarchical] (hierarchical).
package unordered
