package bench_test

import (
	"fmt"

	"github.com/timerfacility/timer/bench"
)

// A cost of n/256 + 5 is linear; the slope of a log-log plot would call it
// something like the square root of n.
func ExampleFitGrowth() {
	var n, cost []float64
	for x := 16.0; x <= 16384; x *= 4 {
		n, cost = append(n, x), append(cost, x/256+5)
	}
	fmt.Println(bench.FitGrowth(n, cost).Class)
	// Output: O(n)
}

// The example with which the papers explain Scheme 7.
func ExampleClaim_Try() {
	for _, c := range bench.Claims() {
		if c.ID == "S7-2" {
			f := c.Try(&bench.Lab{})
			for _, g := range f.Figures {
				fmt.Printf("%s: %s, measured %s\n", g.Name, g.Printed, g.Measured)
			}
			fmt.Println(f.Verdict)
		}
	}
	// Output:
	// tick of the move to the minutes: 2130, measured 2130
	// slot of the minutes: 15, measured 15
	// tick of the move to the seconds: 3030, measured 3030
	// slot of the seconds: 15, measured 15
	// tick of the expiry: 3045, measured 3045
	// migrations: 2, measured 2
	// holds
}
