// Report measures every claim of "Hashed and Hierarchical Timing Wheels" again
// and says what held. Run it from the root of the repository:
//
//	go run ./bench/report [flags]
//
// It prints a table of the claims with what is printed in the papers, what was
// measured and the verdict, and the costs of all routines in all seven schemes; and,
// beside the claims, what an operation of the hold model and an event of a simulated
// multiplier cost on every scheme and on the wheels of TEGAS-2 and DECSIM.
// Into a folder it writes report.html (self-contained) and report.md with every
// figure and plot, the plots as SVG, results.json, and bench.txt for benchstat.
//
// The flags are:
//
//	-quick      less work, wider intervals: under half a minute
//	-full       more work, narrower intervals: under ten minutes
//	-run REGEXP measure only the claims whose id or title matches
//	-list       list the claims and measure nothing
//	-seed N     the seed of all chance (default 1); the same seed and size give the same counts
//	-out DIR    the folder (default: a new one under the system's folder for temporary files)
//	-json       print the results as JSON instead of tables
//
// Without -quick and -full it takes under a minute on two quiet processors. On a terminal a bar on
// standard error shows progress, and verdicts have colours unless NO_COLOR is
// set. Ctrl-C ends the run and leaves what is finished in the folder.
//
// The exit status is 0 if every verdict is the one that the project holds to be
// true, 1 if one is not or the run failed, 2 for a bad flag, and 130 after
// Ctrl-C.
package main
