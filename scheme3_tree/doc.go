// Package tree implements Scheme 3 of Varghese and Lauck: a tree of timers ordered
// by expiry.
//
// # The idea
//
// A timer module sorts: timers go in in any order and come out by expiry. So any
// priority queue will do. There are four [Kind]s to compare.
//
//	            5                    BTree       balanced, of many timers a node
//	         ╱     ╲                 BinaryHeap  a parent expires first; no other order
//	       9         6               Leftist     a heap that merges; the right is short
//	     ╱   ╲     ╱                 Unbalanced  left expires before, right does not
//	   12     10  8
//	a BinaryHeap of six
//
// # Costs
//
//	                    BTree     BinaryHeap  Leftist   Unbalanced
//	StartTimer          O(log n)  O(log n)    O(log n)  O(log n) to O(n)
//	StopTimer           O(log n)  O(log n)    O(log n)  O(1)
//	PerTickBookkeeping  O(1), and the cost of StopTimer for each timer that expires
//
// All four know where in the tree a timer is, and the earliest is at hand in
// O(1). Unbalanced threads its timers in the order of expiry, which is what makes
// its StopTimer O(1): the successor that takes the place of a timer is the next
// in the thread. It degenerates into a list where all intervals are equal, as the
// paper warns; and with n timers, a uniform law already makes it as deep as the
// square root of n. Only under the exponential law does it stay at 2 ln n.
//
// Order within a tick is first started, first run with BTree and Unbalanced, and
// open with the heaps.
//
// # When to choose it
//
// Where intervals are long and of every size, ticks are fine and timers few; and
// to see what a wheel saves.
//
// # Where it comes from
//
// Section 4.1 of the 1987 paper (IV.A in 1997). The B-tree is
// github.com/google/btree; it copies no node and allocates none in a steady
// state, on average. Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered),
// [github.com/timerfacility/timer/scheme2_ordered] (ordered),
// [github.com/timerfacility/timer/scheme4_basic] (basic),
// [github.com/timerfacility/timer/scheme5_hashsorted] (hashsorted),
// [github.com/timerfacility/timer/scheme6_hashunsorted] (hashunsorted) and
// [github.com/timerfacility/timer/scheme7_hierarchical] (hierarchical).
package tree
