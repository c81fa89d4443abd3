// Package wheels keeps the event lists of two simulators of digital logic as
// timer modules: TEGAS-2's wheel and DECSIM's, from which timing wheels came
// (Varghese and Lauck 1987, section 4.2; 1997, section IV.B).
//
// A wheel is a circular array of lists, one for each tick of a stretch of time
// that it covers, and one overflow list for every timer beyond it. The pointer
// goes down the array with the clock; the array is turned, that is, made to
// cover a new stretch, only every so often. Then the whole overflow list is
// scanned, and the timers that are within the array now move to it.
//
//	TEGAS-2, 8 slots, at tick 21: cycle S = 2, pointer i = 5, now = S·8 + i
//
//	            passed               covers 22 and 23
//	       ┌────┬────┬────┬────┬────┬────┬────┬────┐
//	array  │    │    │    │    │    │    │ 22 │ 23 │
//	       └────┴────┴────┴────┴────┴─▲──┴────┴────┘
//	                                  i
//	overflow   24, 40, 25, 24: to be scanned when i comes to 0
//
// TEGAS-2 turns once a cycle, when the pointer wraps. The further it is down the
// array, the fewer ticks the array covers, and the more likely a new timer goes
// to the overflow list. DECSIM turns every half cycle, and so always covers half
// the array's size at least: that makes overflow rarer, and does not end it.
// Scheme 4 (package basic) turns at every tick: within its size, nothing ever
// overflows. That step is the paper's.
//
// # Costs
//
// With N slots, n timers, v of them in the overflow list:
//
//	StartTimer          O(1)
//	StopTimer           O(1)
//	PerTickBookkeeping  O(1), and O(v) at the tick that turns the array
//
// The share of the timers that overflow, with S the survival function of the
// intervals, is in the long run
//
//	TEGAS-2   1/N · Integral from 0 to N of S
//	DECSIM    2/N · Integral from N/2 to N of S
//	Scheme 4  S(N)
//
// A timer that stays in the overflow list is visited at every turn.
//
// # What differs from the simulators
//
// The simulators cancel lazily, by a mark; a timer module whose timers are
// mostly stopped would so grow without bound. Here a stop takes the timer out,
// as the contract has it. First started, first run holds, as simulators need: a
// timer in overflow was started in an earlier stretch than any that goes to the
// same slot directly, and a turn keeps the order of the overflow list.
package wheels
