// Package ordered implements Scheme 2 of Varghese and Lauck: a list of timers
// ordered by expiry.
//
// # The idea
//
// The timer that expires next is at the head, so that a tick looks at nothing
// else. The work is in StartTimer, which searches for the place of a new timer:
// from the front, or with [Config].FromRear from the rear. The list of the
// paper's example, and a new timer for 10:24:01:
//
//	timers ──▶ 10:23:12 ──▶ 10:23:24 ──▶ 10:24:03 ──▶ back to the head
//	                                 ▲
//	                                 10:24:01
//
// A search from the front compares it with three timers, one from the rear with
// two.
//
// # Costs
//
//	StartTimer          O(n), n timers outstanding
//	StopTimer           O(1): the list is doubly linked
//	PerTickBookkeeping  O(1), and O(1) for each timer that expires
//
// How many timers a search passes depends on the law of the intervals alone. From
// the rear it is n·G on average and from the front n·(1-G), where G is the law's
// Gini coefficient: 0 where all intervals are equal, so that a search from the
// rear looks at one timer; 1/3 for a uniform law; 1/2 for an exponential one, where
// both ends are as good. Highly variable intervals favour the front. (Both papers
// print 2/3 and 1/3 for the exponential law and 1/2 for the uniform one: the labels
// are swapped.)
//
// Order within a tick is first started, first run.
//
// # When to choose it
//
// For a few timers; where intervals are equal or nearly so, from the rear; and
// where there is one hardware timer to set, which is then set to the head. VMS
// and UNIX had it.
//
// # Where it comes from
//
// Section 3.2 of the 1987 paper (III.B in 1997). Its rivals are
// [github.com/timerfacility/timer/scheme1_unordered] (package unordered),
// [github.com/timerfacility/timer/scheme3_tree] (tree),
// [github.com/timerfacility/timer/scheme4_basic] (basic),
// [github.com/timerfacility/timer/scheme5_hashsorted] (hashsorted), of which it
// is the case of a single slot,
// [github.com/timerfacility/timer/scheme6_hashunsorted] (hashunsorted) and
// [github.com/timerfacility/timer/scheme7_hierarchical] (hierarchical).
package ordered
