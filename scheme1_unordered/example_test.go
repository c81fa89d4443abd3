package unordered_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
)

// A coffee machine has three timers at most. Nothing else is as small, and three
// visits in each tick of a second are no work.
func Example() {
	timers, err := unordered.New[string](unordered.Config{})
	if err != nil {
		panic(err)
	}
	done := func(what string) { fmt.Printf("%3d s  %s\n", timers.Now(), what) }

	timers.StartTimer(25, "cup is full: pump off", done)
	timers.StartTimer(40, "cup still there: beep", done)
	off, _ := timers.StartTimer(300, "nobody here: switch off", done)

	for range 60 { // a tick of the machine's clock each
		timers.PerTickBookkeeping()
		timers.ExpiryProcessing(timer.All)
	}
	timers.ResetTimer(off, 300) // somebody takes the cup
	fmt.Println("visits in 60 ticks:", timers.Costs().Visits)

	timer.AdvanceTo(timers, 1000, timer.All)
	// Output:
	//  25 s  cup is full: pump off
	//  40 s  cup still there: beep
	// visits in 60 ticks: 125
	// 360 s  nobody here: switch off
}

// With Compare the records hold the tick of the expiry, which only the view can
// tell.
func ExampleNew() {
	for _, compare := range []bool{false, true} {
		timers, err := unordered.New[string](unordered.Config{Now: 1000, Compare: compare})
		if err != nil {
			panic(err)
		}
		timers.StartTimer(7, "tea", func(string) {})
		timers.PerTickBookkeeping()
		tea := timers.View().Lists[0].Timers[0]
		fmt.Printf("expires at %d, stored %d\n", tea.Expiry, tea.Stored)
	}
	// Output:
	// expires at 1007, stored 6
	// expires at 1007, stored 1007
}
