package main

import "time"

// A library is somebody's timers, which read a clock of their own: there is no
// tick for the caller to deliver.
type library struct {
	name    string
	module  string // path and version; empty for the standard library
	tick    time.Duration
	noReset string // why it has no Reset; empty if it has one

	// open makes room for n timers, which the caller numbers from 0, and starts
	// the clock. A tick is as long as it says, where the library has ticks. When
	// timer i expires, call(i) is called; for the measurements that is one
	// function for all of them, so that no client's closure is measured.
	open func(n int, tick time.Duration, call func(i int) func()) timers
}

// timers are some timers of a library, through its own interface: a timer is
// named as the library names it, by what the slot of its number holds.
type timers interface {
	start(i int, d time.Duration)

	// stop stops timer i, and reports whether the library says that it did; true
	// where it does not say.
	stop(i int) bool

	// close ends the clock, and stops what would go on without.
	close()
}

// A resetter can move a timer.
type resetter interface {
	reset(i int, d time.Duration)
}

// libraries are all that could be had; the package documentation names the
// others.
func libraries() []library {
	return []library{
		{name: "time.AfterFunc", tick: time.Millisecond, open: openAfterFunc},
		{name: "time.NewTimer", tick: time.Millisecond, open: openNewTimer},
		{name: "RussellLuo", module: "github.com/RussellLuo/timingwheel 54845bda", tick: time.Millisecond, open: openRussellLuo, noReset: "no Reset"},
		{name: "antlabs wheel", module: "github.com/antlabs/timer v0.1.4", tick: 10 * time.Millisecond, open: openAntlabsWheel, noReset: "Reset deadlocks"},
		{name: "antlabs heap", module: "github.com/antlabs/timer v0.1.4", tick: time.Millisecond, open: openAntlabsHeap},
		{name: "ouqiang", module: "github.com/ouqiang/timewheel v1.0.1", tick: time.Second, open: openOuqiang, noReset: "no Reset"},
		{name: "rfyiamcool Add", module: "github.com/rfyiamcool/go-timewheel v1.1.0", tick: time.Second, open: openRfyiamcoolTasks, noReset: "no Reset"},
		{name: "rfyiamcool AfterFunc", module: "github.com/rfyiamcool/go-timewheel v1.1.0", tick: time.Second, open: openRfyiamcoolTimers},
		{name: "singchia", module: "github.com/singchia/go-timer/v2 v2.2.1", tick: 10 * time.Millisecond, open: openSingchia, noReset: "Delay adds only"},
		{name: "go-zero", module: "github.com/zeromicro/go-zero v1.10.3", tick: time.Second, open: openGoZero},
		{name: "lib-x", module: "github.com/lib-x/timewheel v0.4.0", tick: 100 * time.Millisecond, open: openLibX, noReset: "no Reset"},
		{name: "siddontang time2", module: "github.com/siddontang/go bdc77568", tick: 10 * time.Millisecond, open: openTime2},
	}
}
