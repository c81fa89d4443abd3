// Package hierarchical implements Scheme 7 of Varghese and Lauck: hierarchical
// timing wheels.
//
// # The idea
//
// A clock has a wheel for the seconds, one for the minutes, one for the hours, and
// needs 60 + 60 + 24 marks where one wheel for a day would need 86400. A timer
// waits in the coarsest wheel in which the hand has yet to move, and comes down a
// wheel each time its slot comes up. The example of the paper, on Levels {60, 60,
// 24, 100}: it is 11 d 10:24:30, and a timer is set for 50 min 45 s later.
//
//	days     11│                         expires at 11 d 11:15:15
//	hours    10│[11]                     waits here, with 15:15 to go, until 11:00:00
//	minutes    │   [15]             24│  then here, with 15 to go, until 11:15:00
//	seconds    │   [15]       30│        then here, until 11:15:15
//
// The level is that of the highest digit in which the expiry and the clock differ,
// and the slot is that digit of the absolute expiry. (To count the slot from the
// interval loses the time that the hands have already gone: it would be 24 min 30 s
// early here.)
//
// The default has eight levels of 256 slots, over the whole Tick range:
//
//	level         0    1      2          3        ...  7
//	a slot is     1    256    65536      2^24          2^56 ticks
//	a turn is     256  65536  16777216   2^32          2^64 ticks
//
// # Costs
//
//	StartTimer          O(m) for m levels; O(1) where all sizes are powers of two
//	StopTimer           O(1); the entry of the timer in its slot is left behind
//	ResetTimer          O(1); a timer that is put off is left where it is
//	PerTickBookkeeping  O(1), and O(1) for each timer that expires or migrates
//	IdleTicks           O(1), and O(1) for each timer that was stopped or moved
//	space               32 bytes a timer, with an id of up to 8; 4 to some 17 more for
//	                    its place in a slot, 64 if it is alone there; 16 KB that
//	                    stopped timers may fill; 8 bytes for each slot of each level
//
// A timer migrates m-1 times at most, and at most once in 256 ticks. Order within
// a tick is open.
//
// Where the paper has a list for each slot, this has an array in pieces. A stopped
// timer's entry stays in it, until the slot comes up or there are more than some four
// entries for each timer: then a start that needs another piece sweeps a few.
//
// # Precision
//
// [RoundOnce] and [NoMigration] give up exactness for fewer migrations or none,
// after Nichols. They keep ExpiryOf and NextExpiry true: what they tell is when the
// action will run.
//
// # When to choose it
//
// As a general timer facility: it is fast for every interval and every number of
// timers, and small. The best use of StartTimer is with one function as the action
// of all timers of a kind, and what the timer is about as its id.
//
// # Where it comes from
//
// Section 6.2 of the 1987 paper (VI.B in 1997). Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered),
// [github.com/timerfacility/timer/scheme2_ordered] (ordered),
// [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme4_basic] (basic), which it is with a single
// level, [github.com/timerfacility/timer/scheme5_hashsorted] (hashsorted) and
// [github.com/timerfacility/timer/scheme6_hashunsorted] (hashunsorted).
package hierarchical
