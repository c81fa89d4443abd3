package timer_test

import (
	"errors"
	"fmt"

	"github.com/timerfacility/timer"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// The paper's own signatures: the client's id names the timer, also to stop it.
func ExampleByRequestID() {
	module, err := hashunsorted.New[string](hashunsorted.Config{})
	if err != nil {
		panic(err)
	}
	requests := timer.ByRequestID(module)
	resend := func(id string) { fmt.Println(module.Now(), "resend", id) }

	requests.StartTimer(30, "packet 1", resend)
	requests.StartTimer(30, "packet 2", resend)
	err = requests.StartTimer(60, "packet 2", resend)
	fmt.Println(errors.Is(err, timer.ErrDuplicate), err)

	fmt.Println(requests.StopTimer("packet 1"), requests.StopTimer("packet 3"))
	timer.AdvanceTo(module, 100, timer.All)
	fmt.Println(requests.StopTimer("packet 2")) // it has ended
	// Output:
	// true timer: request id names an outstanding timer: packet 2
	// true false
	// 30 resend packet 2
	// false
}

// A loop that must not stay away for long takes expiries in portions. The clock
// stays at a tick until all of its actions have run.
func ExampleAdvanceTo() {
	timers, err := hierarchical.New[string](hierarchical.Config{})
	if err != nil {
		panic(err)
	}
	expire := func(id string) { fmt.Println(" ", timers.Now(), id) }
	for i, id := range []string{"a", "b", "c", "d", "e"} {
		timers.StartTimer(timer.Tick(1000+i/4*500), id, expire) // four at once, and one
	}

	const target, portion = 2000, 2
	for !timer.AdvanceTo(timers, target, portion) {
		fmt.Println("something else")
	}
	fmt.Println("at", timers.Now())
	// Output:
	//   1000 a
	//   1000 b
	// something else
	//   1000 c
	//   1000 d
	// something else
	//   1500 e
	// at 2000
}

// What a stretch of work cost, in the paper's units.
func ExampleCosts_Sub() {
	timers, err := hashunsorted.New[int](hashunsorted.Config{TableSize: 256})
	if err != nil {
		panic(err)
	}
	for i := range 600 {
		timers.StartTimer(timer.Tick(1+i%256), i, func(int) {})
	}
	before := timers.Costs()
	for range 256 { // a scan of the table
		timers.PerTickBookkeeping()
	}
	scan := timers.Costs().Sub(before)
	vax := 4*scan.Ticks + 6*scan.Visits + 9*scan.Expiries
	fmt.Printf("%.2f instructions in a tick, the paper's 4 + 15 n/TableSize is %.2f\n",
		float64(vax)/256, 4+15*600./256)
	// Output: 39.16 instructions in a tick, the paper's 4 + 15 n/TableSize is 39.16
}
