// Package timer is the model of a timer module after George Varghese and Tony
// Lauck, "Hashed and Hierarchical Timing Wheels" (SOSP 1987; IEEE/ACM
// Transactions on Networking 5(6), 1997): the four routines of their section 2,
// what every module promises about them, and the helpers that work over any
// module. It imports no scheme; each of the seven is a package of its own.
//
// Section numbers here and in the schemes are those of the 1987 paper, unless it
// says 1997.
//
// # The four routines
//
// The paper's routine, the method of [Timer] that is it, and its cost, with n
// timers outstanding, a table of M slots, or m levels. Where two costs are
// given, the first is the average and the second the worst case. An expiry adds
// its own O(1) to the tick at which it happens, in every scheme.
//
//	routine              method              1     2     3         4     5          6         7
//	START_TIMER          StartTimer          O(1)  O(n)  O(log n)  O(1)  O(1) O(n)  O(1)      O(m)
//	STOP_TIMER           StopTimer           O(1)  O(1)  O(log n)  O(1)  O(1)       O(1)      O(1)
//	PER_TICK_BOOKKEEPING PerTickBookkeeping  O(n)  O(1)  O(1)      O(1)  O(1)       n/M O(n)  O(1) O(n)
//	EXPIRY_PROCESSING    ExpiryProcessing    O(1) for each action, in every scheme
//
// Scheme 3's StopTimer is O(1) for the unbalanced search tree. Scheme 5's
// average needs n < M and intervals that spread over the slots. Scheme 7 moves
// a timer at most m-1 times in its life; m is 2 to 8.
//
//	scheme                                package       keeps
//	1  unordered list                     unordered     every timer, looked at in every tick
//	2  ordered list                       ordered       timers by expiry
//	3  tree                               tree          timers by expiry in a search tree or a heap
//	4  basic timing wheel                 basic         a list for each tick up to MaxInterval
//	5  hashed wheel, sorted lists         hashsorted    a list for each residue, by expiry
//	6  hashed wheel, unsorted lists       hashunsorted  a list for each residue, with rounds to go
//	7  hierarchical timing wheels         hierarchical  a wheel for each digit of the expiry
//
// Whoever needs a general timer facility takes Scheme 7, or Scheme 6 where its
// memory is no matter: so does the paper conclude.
//
// # A tick
//
// Time is counted in ticks that the caller delivers. A module reads no clock
// and starts no goroutine: a server calls [AdvanceTo] from its loop, a
// simulator from its own, and package facility from the monotonic clock. A tick
// has two halves, as in the paper's UNIX implementation. PerTickBookkeeping is
// the hardclock: short, it takes the timers that expire out of the structure.
// ExpiryProcessing is the softclock: it runs their actions, when the caller
// chooses and in the portions that it chooses. In between, such a timer is due:
// still outstanding, still to be stopped.
//
// # The invariant
//
// A timer started at tick s with interval d becomes due at tick s+d, exactly,
// once, unless it is stopped or reset before:
//
//	for every timer that is outstanding and not due:  Now() < ExpiryOf(h)
//	for every timer that is due:                      ExpiryOf(h) <= Now()
//
// Package conformance holds a module to this and to every other sentence of the
// contract that stands at the methods of [Timer].
package timer
