package basic_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
)

// A network module's own timers are all short: here, at most 100 ticks. To start
// one is to index an array, and a tick looks at the timers that expire and at no
// other.
func Example() {
	timers, err := basic.New[int](basic.Config{MaxInterval: 100})
	if err != nil {
		panic(err)
	}
	lost := 0
	retransmit := func(packet int) { lost++ }

	for packet := range 10_000 {
		h, err := timers.StartTimer(100, packet, retransmit)
		if err != nil {
			panic(err)
		}
		if packet%50 != 0 {
			timers.StopTimer(h) // acknowledged
		}
		timer.AdvanceTo(timers, timers.Now()+1, timer.All)
	}
	timer.AdvanceTo(timers, timers.Now()+100, timer.All)

	costs := timers.Costs()
	fmt.Println(lost, "retransmitted;", costs.Compares, "compares and", costs.Visits, "visits in", costs.Starts, "starts")

	_, err = timers.StartTimer(101, 0, retransmit)
	fmt.Println(err)
	// Output:
	// 200 retransmitted; 0 compares and 200 visits in 10000 starts
	// timer: interval out of range: 101 is not from 1 to 100
}

// With Overflow the few long timers wait in an ordered list, until they are
// MaxInterval ticks away.
func ExampleNew_overflow() {
	timers, err := basic.New[string](basic.Config{MaxInterval: 100, Overflow: true})
	if err != nil {
		panic(err)
	}
	expired := func(id string) { fmt.Println(timers.Now(), id) }
	timers.StartTimer(3600, "keep alive", expired)
	timers.StartTimer(80, "retransmit", expired)

	for _, list := range timers.View().Lists {
		fmt.Println(list.Timers[0].ID, "is in the", list.Kind)
	}
	timer.AdvanceTo(timers, 10_000, timer.All)
	fmt.Println("moved to the array:", timers.Costs().Moves)
	// Output:
	// retransmit is in the structure
	// keep alive is in the overflow
	// 80 retransmit
	// 3600 keep alive
	// moved to the array: 1
}
