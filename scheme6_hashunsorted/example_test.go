package hashunsorted_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
)

// A server of 200 connections, each with three timers: the paper's own load. With
// a slot for each of the 600 timers, a tick looks at less than one of them on
// average, and a start or a stop at none.
func Example() {
	timers, err := hashunsorted.New[int](hashunsorted.Config{TableSize: 1024, Capacity: 600})
	if err != nil {
		panic(err)
	}
	expired := func(connection int) {}
	for connection := range 200 {
		timers.StartTimer(timer.Tick(500+connection), connection, expired)     // retransmit
		timers.StartTimer(timer.Tick(7000+connection), connection, expired)    // keep alive
		timers.StartTimer(timer.Tick(20*7000+connection), connection, expired) // give up
	}

	timer.AdvanceTo(timers, 100_000, timer.All)
	costs := timers.Costs()
	fmt.Println("compares:", costs.Compares)
	fmt.Printf("visits in a tick: %.2f\n", float64(costs.Visits)/100_000)
	// Output:
	// compares: 0
	// visits in a tick: 0.21
}

// The paper's figure: the pointer is at 10, the low-order bits of the interval are
// 20, so that the timer goes to slot 30. The record keeps how many rounds of the
// wheel are left.
func ExampleNew() {
	timers, err := hashunsorted.New[string](hashunsorted.Config{Now: 10, TableSize: 256})
	if err != nil {
		panic(err)
	}
	timers.StartTimer(256*2+20, "near", func(string) {})
	timers.StartTimer(20, "nearer", func(string) {})
	timers.StartTimer(256*26+20, "far", func(string) {})
	for _, list := range timers.View().Lists {
		fmt.Println("slot", list.Slot)
		for _, x := range list.Timers {
			fmt.Println(" ", x.ID, "rounds left:", x.Stored)
		}
	}
	// Output:
	// slot 30
	//   near rounds left: 2
	//   nearer rounds left: 0
	//   far rounds left: 26
}
