// Package conformance tests a timer module against the contract of package
// timer, sentence by sentence. It is for whoever writes a module: all seven
// schemes of this project go through it in all their configurations, and so can
// yours, in a test of ten lines:
//
//	func TestConformance(t *testing.T) {
//		conformance.Suite{
//			New: func() timer.Timer[int] { return mywheel.New() },
//		}.Run(t)
//	}
//
// A module is driven beside an oracle, a sorted map that is obviously right and
// slow, and compared with it after every operation: what was returned, what ran
// and when, and the answer to everything that can be asked. The suite tries
// written traces for each sentence, every interval next to a multiple of a table
// size, clocks next to every power of two and next to the end of time, random
// traces, and probes of what is kept in memory.
//
// Of the timers that are due at one tick the module chooses which runs next, and
// the oracle follows. There are no false alarms: a module that keeps the
// contract passes, whatever its order within a tick and however slow it is. A
// module that passes may still have a fault that the suite does not find.
//
// # Rules
//
// [Rules] lists the rules, grouped by the paper's operations. A rule is a subtest
// and has a name that does not change: it can stand in -run, -skip and
// Suite.Skip. Whatever trace shows a failure, it is charged to the rule that the
// module broke, and not to the one that the trace was written for; where one
// broken rule explains another, only the first is reported.
//
// There are three levels:
//
//   - core: what every [timer.Timer] owes;
//   - extended: what a module owes that has an optional interface of package
//     timer. These are found by type assertion on what New returns;
//   - promised: what a module owes that promises it in the Suite, FIFO and
//     NoAllocs.
//
// The ids of the suite are ints. So of the rule Expiry/KeepsNothing only the
// action is tested, and what it refers to.
//
// go test -v lists the rules, and [Rule.String] is the name and the sentence of
// one. Rules that do not bind the module are skipped, and say why. Suite.Skip skips
// others: operations that such a rule stands for are then left out of all
// traces. A run that skips a core rule is partial; Run logs it and [Suite.Check]
// returns a [PartialError].
//
// # A failure
//
// A failure names the rule and its sentence, what the module did and what the
// contract asks for, the shortest trace that was found to show it, a picture of
// that trace, and how to run it again:
//
//	conformance: Stop/Due
//	  rule    A timer that is due can still be stopped.
//	  got     StopTimer(a) = false, of a timer that is due
//	  want    true
//	  trace   start a 1
//	          tick
//	          stop a
//	  picture tick 0  1
//	             a |--o
//	          (| started, o became due)
//	  rerun   go test -run '^TestConformance$/^Stop$/^Due$'
//	  seed    1987 (TIMER_SEED sets it)
//
// What no trace shows has in its place a line, probe, that says what the suite
// did to see it.
//
// The trace is text that [Suite.Replay] takes, in a debugger or in a test that
// keeps it from coming back. In the picture a line is a timer, from left to
// right in time, with a mark where something happened to it; > stands where a
// timer that is still outstanding has to become due.
//
// The random traces have a seed, which is the same in every run. The environment
// variable TIMER_SEED sets another. With -short there are fewer of them.
//
// A call that does not return within seconds is reported too, with the trace up
// to it; the goroutine that is lost in it goes on, and the run ends there.
//
// # Traces
//
// A trace is a list of operations, one to a line or with semicolons between
// them. What follows a # is a comment.
//
//	at 2^36-1           the clock begins at this tick; only at the beginning
//	start a 8           StartTimer(8), and call the timer a
//	start a 5..9        StartTimerInRange(5, 9)
//	start a 8 id 3      with the request id 3, which other timers may have too
//	start a 8 nil       with a nil action
//	start a 8 { ... }   with an action that does what is in the braces
//	stop a              StopTimer
//	reset a 5           ResetTimer
//	tick 3              PerTickBookkeeping, three times; without a number, once
//	process 2           ExpiryProcessing(2); without a number, all; -2 is all too
//	advance 9           timer.AdvanceTo, nine ticks on
//	advance to 3045     timer.AdvanceTo, to that tick
//	advance 9 limit 2   with a limit
//	skip 9              SkipTicks(9), or as many as IdleTicks() says if that is less
//	overskip 1          SkipTicks of one more than IdleTicks(), which has to panic
//	panic               the action panics
//
// In an action start, stop, reset, tick and panic may stand. A timer is a
// letter, with letters, digits and underscores after it; it is started once, and
// can be stopped and reset long after its end. A handle may also be a number, or
// made from that of a timer: a^3 has the third bit flipped, a+1 is one more.
// Numbers are written as in Go, or as 2^k, 2^k+n and 2^k-n. What is done to a
// timer that was not started, because its start was refused or its action has
// not run, does nothing. A tick at the end of time and an overskip have to panic,
// and end the trace.
//
// [Trace.String] prints a trace so that [ParseTrace] reads it again.
//
// # Adapters
//
// A module that has other abilities than [timer.Timer] asks for is tested
// through an adapter:
//
//   - It has no count. The adapter counts: one more in StartTimer, one less in a
//     StopTimer that is true and where an action begins.
//   - It gives pointers and not handles, or stops by id. The adapter numbers its
//     timers from 1 and keeps a map from number to pointer, from which it deletes
//     what is stopped and what runs.
//   - It runs callbacks within its tick. The adapter gives it callbacks that
//     append to a queue, counts these in PerTickBookkeeping, and takes from the
//     queue in ExpiryProcessing. StopTimer looks in the queue first.
//   - It refuses nothing. The adapter refuses: interval 0, what is over its bound,
//     and a nil action.
//   - It cannot do something at all. Name the rules in Suite.Skip, with the
//     reason: the run is partial, and says so.
//
// What the adapter does itself is not tested, so it should do little. The
// example named adapter is one.
//
// # Graders
//
// [Suite.Check] needs no testing.T. [Failures] takes its error apart, and the
// example of Check scores a module rule by rule.
package conformance
