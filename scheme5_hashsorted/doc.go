// Package hashsorted implements Scheme 5 of Varghese and Lauck: a hashed timing
// wheel with sorted lists.
//
// # The idea
//
// A wheel of TableSize slots takes any interval if timers that are whole turns
// apart share a slot. The low-order bits of a timer's expiry are its slot; within
// the slot, timers are ordered by expiry, as in Scheme 2.
//
//	expiry  ┌──────────────────────┬────────────┐      TableSize 256, 8 low-order bits
//	        │ high-order bits      │ 0001 1110  │      Now has low-order bits 10, the
//	        └──────────┬───────────┴─────┬──────┘      interval 20: the slot is 30
//	                   │                 ▼
//	                   │        0 ··· 29 [30] 31 ··· 255
//	                   │                 │
//	                   │                 ▼
//	                   └──────────▶  542 ──▶ 1054 ──▶ 7198   the slot's list, by expiry
//
// A tick looks at the head of one list, and that is enough: the others in the list
// expire later, and those of other slots at other ticks. The record holds the
// absolute expiry; the paper's high-order bits, decremented at the head alone,
// would go wrong in the second timer of the list.
//
// # Costs
//
//	StartTimer          O(1) on average if n < TableSize and the hash spreads, O(n) at worst
//	StopTimer           O(1)
//	PerTickBookkeeping  O(1), and O(1) for each timer that expires
//
// The i-th of n timers meets a list of (i-1)/TableSize on average. Intervals that
// are equal modulo TableSize all meet in one slot: that is the worst case, and no
// other hash mends it.
//
// Order within a tick is first started, first run.
//
// # When to choose it
//
// Where the tick must be short whatever happens, and the load is known to spread.
// Else Scheme 6 is the one: its StartTimer depends on no hash. The X-kernel has a
// variant of this scheme.
//
// # Where it comes from
//
// Section 6.1.1 of the 1987 paper (VI.A in 1997). Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered),
// [github.com/timerfacility/timer/scheme2_ordered] (ordered), which it is with one
// slot, [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme4_basic] (basic), which it is with a slot
// for every interval, [github.com/timerfacility/timer/scheme6_hashunsorted]
// (hashunsorted) and [github.com/timerfacility/timer/scheme7_hierarchical]
// (hierarchical).
package hashsorted
