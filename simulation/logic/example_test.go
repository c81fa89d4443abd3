package logic_test

import (
	"fmt"
	"strings"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation/logic"
)

// A change runs through c17, whose gates take a tick each. In the end gate 11 keeps
// both outputs as they were; for a tick, while it has not done so, they are true.
func Example() {
	module, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := logic.C17()
	var s *logic.Simulator
	s, err = logic.NewSimulator(c, module, logic.Config{
		Changed: func(gate int, value bool) { fmt.Printf("tick %d: %s is %t\n", s.Now(), c.Gates[gate].Name, value) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Set([]bool{false, true, true, true, true}) // inputs 1, 2, 3, 6, 7
	if err := s.Settle(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("outputs 22 and 23:", s.Outputs())
	// Output:
	// tick 0: 2 is true
	// tick 0: 3 is true
	// tick 0: 6 is true
	// tick 0: 7 is true
	// tick 1: 16 is false
	// tick 1: 11 is false
	// tick 1: 19 is false
	// tick 2: 22 is true
	// tick 2: 23 is true
	// tick 2: 16 is true
	// tick 2: 19 is true
	// tick 3: 22 is false
	// tick 3: 23 is false
	// outputs 22 and 23: [false false]
}

// The static hazard of a AND NOT a: for as long as the inverter takes, both
// inputs are true. An AND gate that is slower than that does not see the pulse:
// the change of its output is cancelled.
func ExampleCounts() {
	hazard := "INPUT(a)\nOUTPUT(z)\ny = NOT(a)\nz = AND(a, y)\n"
	for _, delay := range []timer.Tick{2, 3, 4} {
		module, err := hierarchical.New[int](hierarchical.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		c, err := logic.Parse(strings.NewReader(hazard))
		if err != nil {
			fmt.Println(err)
			return
		}
		s, err := logic.NewSimulator(c, module, logic.Config{Delay: func(g logic.Gate) timer.Tick {
			if g.Kind == logic.Not {
				return 3
			}
			return delay
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		s.Set([]bool{true})
		if err := s.Settle(); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("an inverter of 3 ticks and an AND of %d: %+v\n", delay, s.Counts())
	}
	// Output:
	// an inverter of 3 ticks and an AND of 2: {Scheduled:3 Performed:3 Cancelled:0 Evaluations:3}
	// an inverter of 3 ticks and an AND of 3: {Scheduled:3 Performed:3 Cancelled:0 Evaluations:3}
	// an inverter of 3 ticks and an AND of 4: {Scheduled:2 Performed:1 Cancelled:1 Evaluations:3}
}

// A product by gates.
func ExampleMultiplier() {
	module, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := logic.Multiplier(8)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := logic.NewSimulator(c, module, logic.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Set(append(logic.Bits(201, 8), logic.Bits(77, 8)...))
	if err := s.Settle(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("201·77 = %d after %d ticks; the longest path is %d gates\n", logic.Number(s.Outputs()), s.Now(), c.Depth())
	// Output:
	// 201·77 = 15477 after 44 ticks; the longest path is 52 gates
}
