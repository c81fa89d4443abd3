// Package basic implements Scheme 4 of Varghese and Lauck: the basic timing wheel.
//
// # The idea
//
// A circular array has a list for each of the next MaxInterval ticks. To start a
// timer is to index the array; a tick moves the hand by one slot and expires the
// slot's whole list.
//
//	slot     0     1     2     3     4     5     6     7        MaxInterval 8
//	      ┌─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┐
//	      │     │     │  ▲  │     │  b  │     │     │  a  │     Now 10: the hand is at 2
//	      └─────┴─────┴hand─┴─────┴──▼──┴─────┴─────┴─────┘     a expires at 15
//	                                 c                          b and c expire at 12
//
// An interval of MaxInterval goes to the slot of the hand itself, which was
// emptied in this tick and comes up again after a whole turn; so it is as exact as
// any other. With [Config].Overflow longer timers are taken too: they wait in a
// Scheme 2 list, and come to the array when they are MaxInterval ticks away.
//
// # Costs
//
//	StartTimer          O(1); O(timers in overflow) for one that goes there
//	StopTimer           O(1)
//	PerTickBookkeeping  O(1), and O(1) for each timer that expires or comes to the array
//	space               one list head for each tick of MaxInterval
//
// Order within a tick is first started, first run. (The paper inserts at the head
// of a list, which would be last started, first run; a circular list has both ends
// at hand.)
//
// # When to choose it
//
// Where nearly all intervals are in a small range: the timers of one network
// module. It is then the fastest scheme of all. It is also a priority queue for
// keys that are never more than MaxInterval above the last that came out, as in
// Dijkstra's algorithm on integer weights (1997, section IX).
//
// # Where it comes from
//
// Section 5 of the 1987 paper (V in 1997), and for the overflow list the end of
// that section. Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered),
// [github.com/timerfacility/timer/scheme2_ordered] (ordered),
// [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme5_hashsorted] (hashsorted) and
// [github.com/timerfacility/timer/scheme6_hashunsorted] (hashunsorted), which
// take any interval by hashing it, and
// [github.com/timerfacility/timer/scheme7_hierarchical] (hierarchical), which
// does it with more wheels; all three are this scheme where their finest table
// covers every interval.
package basic
