// Package bench measures the seven schemes in the units of the papers and
// holds every claim of theirs against what it measures.
//
// George Varghese and Tony Lauck, "Hashed and Hierarchical Timing Wheels"
// (SOSP 1987; IEEE/ACM Transactions on Networking 5(6), 1997), state costs as
// classes, formulas and instruction counts. Here each of them is a [Claim]: what
// is printed, what theory predicts, and a small function that measures it. Run
// them all with
//
//	go run ./bench/report
//
// # Counts decide, time illustrates
//
// A verdict rests on counted work: timers compared, visited, moved, as
// timer.Costs counts them. Counts are exact; the same seed gives the same ones
// on every machine. Nanoseconds are noisy and belong to one machine: they stand
// beside the counts and never decide.
//
// What is measured beside the claims, the event lists of simulators, stands in
// [Supplements].
//
// # Intervals
//
// A figure that depends on chance is measured by independent repetitions, and
// carries an interval from Student's t distribution. The level is 95 % for all
// figures of a report together (see [Estimate]): a hundred separate intervals of
// 95 % would turn five true claims red in every run. The figures of another seed
// lie within the same intervals.
//
// # Classes
//
// Whether a cost is constant, logarithmic or linear is decided by [FitGrowth],
// which takes an additive constant out and gives the exponent of what is left
// with an interval; the slope of a log-log plot would call n/256+5 something like
// n^0.6. "O(n)" is an upper bound: a measured class below the printed one keeps
// the claim.
//
// # What STOP costs
//
// Costs counts the timers that START compares with and those that a tick
// examines. STOP goes through a handle and examines none, so its work is counted
// from outside: how many records are linked differently afterwards, by a
// comparison of the module's view before and after. That counts what STOP
// writes, not what it reads; google/btree, which shows no links, is measured by
// the comparisons that its Delete asks for.
package bench
