// Package hashunsorted implements Scheme 6 of Varghese and Lauck: a hashed timing
// wheel with unsorted lists.
//
// # The idea
//
// A wheel of TableSize slots takes any interval if timers that are whole turns
// apart share a slot. The low-order bits of a timer's expiry are its slot; the
// record holds how many rounds of the wheel are left, and a tick decrements every
// timer of its slot.
//
//	expiry  ┌──────────────────────┬────────────┐      TableSize 256, 8 low-order bits
//	        │ high-order bits      │ 0001 1110  │      Now has low-order bits 10, the
//	        └──────────┬───────────┴─────┬──────┘      interval 20: the slot is 30
//	                   │                 ▼
//	                   │        0 ··· 29 [30] 31 ··· 255
//	                   │                 │
//	                   │                 ▼
//	                   └──────────▶  2 ──▶ 0 ──▶ 26   the slot's list, rounds left
//
// Rounds are (interval-1) div TableSize: how often the slot comes up before the
// timer expires. The paper's recipe divides the interval itself, which is a whole
// turn late at every multiple of the table size.
//
// # Costs
//
//	StartTimer          O(1)
//	StopTimer           O(1)
//	PerTickBookkeeping  n/TableSize on average, O(n) at worst
//
// The average is the same whatever the hash does, since TableSize ticks visit every
// timer once; the hash decides only how unevenly. In the instructions of the
// paper's VAX, a tick costs 4 and a visit 6, with 9 more for an expiry: 4 + 15
// n/TableSize for n timers that all expire within one turn.
//
// Order within a tick is first started, first run.
//
// # When to choose it
//
// As a general timer facility, where memory for a table of about n slots is no
// matter: it is the simplest that is fast at everything. BSD took it.
//
// # Where it comes from
//
// Section 6.1.2 of the 1987 paper (VI.A in 1997). Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered), which it
// is with one slot, [github.com/timerfacility/timer/scheme2_ordered] (ordered),
// [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme4_basic] (basic), which it is with a slot
// for every interval, [github.com/timerfacility/timer/scheme5_hashsorted]
// (hashsorted) and [github.com/timerfacility/timer/scheme7_hierarchical]
// (hierarchical).
package hashunsorted
