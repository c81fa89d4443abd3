// Peers measures the seven schemes beside other people's timers. Run it from the
// root of the repository:
//
//	go run ./bench/peers [flags]
//
// It runs the workloads of package bench and prints a table for each of them and
// each number of timers: the time of an operation as the median of the runs, with
// the least and the most beside it, and as a multiple of the floor (one random
// read and write of a record of 40 bytes) and of time.AfterFunc in the same run.
// Then come the bytes and the collections that the timers cost, the targets of
// scheme 7, and the worst cases, each call timed by itself.
//
// The flags are:
//
//	-n LIST       numbers of outstanding timers (default 1000,100000,1000000)
//	-run REGEXP   the tables to print: W1, W2, W2b, W3, bytes, gc, targets, worst
//	-on REGEXP    the rows to print, beside those that others are compared with
//	-count N      runs of each measurement (default 5)
//	-quick        less work: a minute or two
//	-plot FILE    draw the figures, as SVG
//	-json         print the figures as JSON, every run of them, instead of tables
//
// Without -quick it takes about twenty minutes. The exit status is 0, 1 if
// the run failed, 2 for a bad flag, and 130 after Ctrl-C, which prints what is
// finished.
//
// # How it measures
//
// Everything runs in one process. A round measures each row once; there are as
// many rounds as -count says, and a multiple is taken within a round, so that a
// disturbance that is longer than a round does not favour a row. Each measurement
// starts with timers of its own, touches every one of them before its clock
// starts, and is preceded by a collection.
//
// The workloads are W1, stop a random timer and start it again; W2 and W2b, reset
// a random timer while the clock goes on slowly or fast; and W3, every timer that
// expires starts itself again. In W3 the clock is driven as a user would drive
// it, by timer.AdvanceTo in strides of bench.Stride ticks, so that a module that
// is Tickless skips what is idle. The hashed wheels are on their own ground: the
// table is at least as large as the longest interval and the number of timers.
// Scheme 7 is as a user gets it who configures nothing.
//
// The libraries read a clock of their own, so that there are no ticks to deliver:
// they run W1, and the resets of W2b, with intervals two minutes longer than the
// modules', for which a tick is a millisecond. What a library cannot do stands
// below its table. Bytes are what outstanding timers add to the heap, without
// what the client names them by; room that the runtime's heap of timers took in
// an earlier run is not counted again.
//
// # Whose timers
//
// The standard library's: time.AfterFunc, time.NewTimer, and container/heap with
// a map from handles to timers, as one would write it in an afternoon. The same
// on google/btree. And, each through its own interface and configured as its own
// documentation does:
//
//	github.com/RussellLuo/timingwheel     54845bda
//	github.com/antlabs/timer              v0.1.4: a wheel, and a heap
//	github.com/ouqiang/timewheel          v1.0.1
//	github.com/rfyiamcool/go-timewheel    v1.1.0: tasks, and timers
//	github.com/singchia/go-timer/v2       v2.2.1
//	github.com/zeromicro/go-zero          v1.10.3, core/collection
//	github.com/lib-x/timewheel            v0.4.0
//	github.com/siddontang/go              bdc77568, time2
//
// Left out: github.com/fufuok/timewheel is the engine of rfyiamcool's again.
// github.com/dubbogo/gost would bring etcd, nacos and gRPC into the build, and
// does not finish a thousand timers in a hundred seconds. The modules of
// thinkgos (a timing wheel, v0.9.1), github.com/ankur-anand/taskwheel (4493119f),
// github.com/yuchanns/timefall (v0.1.0) and github.com/kelindar/timeline (v1.4.1)
// could not be downloaded when this was written.
//
// # Who keeps the contract
//
// CONTRACT.txt says which sentences of the contract of package timer each of them
// keeps, as package conformance finds them. See contract_test.go for how timers
// with a clock of their own come under a suite that delivers ticks.
package main
