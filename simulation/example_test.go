package simulation_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation"
)

// A machine breaks down at the hours 10, 50 and 90. Each repair takes its time,
// and one that is not done within 24 hours is given up. Cancelling is what
// START_TIMER and STOP_TIMER are for, and the end of the repair and its time-out
// cancel each other.
func Example() {
	module, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sim, err := simulation.New(module, simulation.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}

	// Hierarchical wheels refuse no delay, so that the errors are nil.
	repair := func(hours timer.Tick) {
		var done, givenUp simulation.Event
		done, _ = sim.Schedule(hours, func() {
			sim.Cancel(givenUp)
			fmt.Printf("%3d repaired\n", sim.Now())
		})
		givenUp, _ = sim.Schedule(24, func() {
			sim.Cancel(done)
			fmt.Printf("%3d given up\n", sim.Now())
		})
	}
	for i, hours := range []timer.Tick{8, 36, 20} {
		sim.ScheduleAt(timer.Tick(10+40*i), func() {
			fmt.Printf("%3d breaks down\n", sim.Now())
			repair(hours)
		})
	}
	sim.Run()
	fmt.Printf("%+v\n", sim.Counts())
	// Output:
	//  10 breaks down
	//  18 repaired
	//  50 breaks down
	//  74 given up
	//  90 breaks down
	// 110 repaired
	// {Scheduled:9 Performed:6 Cancelled:3}
}

// Events of one tick run in the order in which they were scheduled. A delay of 0
// is the end of the present tick.
func ExampleSimulation_Schedule() {
	module, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sim, err := simulation.New(module, simulation.Config{Flow: simulation.Step})
	if err != nil {
		fmt.Println(err)
		return
	}
	say := func(text string) func() {
		return func() { fmt.Println(sim.Now(), text) }
	}
	sim.Schedule(5, func() {
		fmt.Println(sim.Now(), "first")
		sim.Schedule(0, say("third, scheduled by the first with no delay"))
	})
	sim.Schedule(5, say("second"))
	sim.RunUntil(100)
	fmt.Println(sim.Now(), "the end")
	// Output:
	// 5 first
	// 5 second
	// 5 third, scheduled by the first with no delay
	// 100 the end
}
