package hashsorted_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
)

// A motor is stepped from the same loop that keeps the timers, so that a tick must
// be short whatever happens. Here a thousand timers sit in one slot of the wheel,
// the worst that can be, and a tick looks at one of them.
func Example() {
	timers, err := hashsorted.New[int](hashsorted.Config{TableSize: 1024})
	if err != nil {
		panic(err)
	}
	for i := range 1000 {
		timers.StartTimer(timer.Tick(1024*(1000-i)), i, func(int) {})
	}

	longest := uint64(0)
	for range 10_000 {
		before := timers.Costs().Visits
		timers.PerTickBookkeeping()
		longest = max(longest, timers.Costs().Visits-before)
		timers.ExpiryProcessing(1)
	}
	fmt.Println("expired:", timers.Costs().Expiries, "most visits in a tick:", longest)
	// Output: expired: 9 most visits in a tick: 2
}

// The paper's figure: the pointer is at 10, the low-order bits of the interval are
// 20, so that the timer goes to slot 30. There it stands by its expiry.
func ExampleNew() {
	timers, err := hashsorted.New[string](hashsorted.Config{Now: 10, TableSize: 256})
	if err != nil {
		panic(err)
	}
	for id, interval := range map[string]timer.Tick{"near": 256*2 + 20, "far": 256*28 + 20, "nearer": 20} {
		timers.StartTimer(interval, id, func(string) {})
	}
	for _, list := range timers.View().Lists {
		fmt.Println("slot", list.Slot)
		for _, x := range list.Timers {
			fmt.Println(" ", x.ID, x.Expiry)
		}
	}
	// Output:
	// slot 30
	//   nearer 30
	//   near 542
	//   far 7198
}
