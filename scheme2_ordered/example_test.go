package ordered_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
)

// A sender waits equally long for every acknowledgement. A new timer then goes to
// the rear of the list, where a search from the rear finds its place at once.
func Example() {
	unacknowledged, err := ordered.New[int](ordered.Config{FromRear: true})
	if err != nil {
		panic(err)
	}
	resend := func(packet int) { fmt.Println("resend packet", packet, "at", unacknowledged.Now()) }

	const timeout = 200
	handles := make(map[int]timer.Handle)
	for packet := range 1000 { // one in each tick, each acknowledged 50 ticks later
		handles[packet], _ = unacknowledged.StartTimer(timeout, packet, resend)
		if acknowledged := packet - 50; acknowledged != 727 { // which is lost
			unacknowledged.StopTimer(handles[acknowledged]) // 0, no timer, before the first
		}
		timer.AdvanceTo(unacknowledged, timer.Tick(packet+1), timer.All)
	}

	costs := unacknowledged.Costs()
	fmt.Println(costs.Starts, "starts looked at", costs.Compares, "timers")
	// Output:
	// resend packet 727 at 927
	// 1000 starts looked at 999 timers
}

// A host with one hardware timer sets it to the head of the list, and sleeps.
func ExampleList_IdleTicks() {
	timers, err := ordered.New[string](ordered.Config{})
	if err != nil {
		panic(err)
	}
	for name, interval := range map[string]timer.Tick{"disk": 5000, "fan": 60_000, "screen": 300_000} {
		timers.StartTimer(interval, name, func(name string) { fmt.Println(name, "off") })
	}
	for timers.Len() > 0 {
		idle := timers.IdleTicks()
		fmt.Println("sleep for", idle+1, "ticks")
		timers.SkipTicks(idle)
		timers.PerTickBookkeeping() // the hardware's interrupt
		timers.ExpiryProcessing(timer.All)
	}
	// Output:
	// sleep for 5000 ticks
	// disk off
	// sleep for 55000 ticks
	// fan off
	// sleep for 240000 ticks
	// screen off
}
