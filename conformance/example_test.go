package conformance_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// A trace shows a failure again. Here the module is the student's of the
// example of Check.
func ExampleSuite_Replay() {
	suite := conformance.Suite{New: func() timer.Timer[int] { return &student{} }}
	fmt.Println(suite.Replay(`
		start breakfast 8
		start tea 3 { start more_tea 3 }
		tick 3
		process                # the first tea
		advance 5              # and the second, and breakfast
		start lunch 4
		tick 4
		stop lunch             # just in time
	`))
	// Output:
	// conformance: Stop/Due
	//   rule    A timer that is due can still be stopped.
	//   got     StopTimer(lunch) = false, of a timer that is due
	//   want    true
	//   trace   start breakfast 8
	//           start tea 3 { start more_tea 3 }
	//           tick 3
	//           process
	//           advance 5
	//           start lunch 4
	//           tick 4
	//           stop lunch
	//   picture      tick 0  3   6   8   12
	//           breakfast |----------o*
	//                 tea |--o*
	//            more_tea    |---o*
	//               lunch            |---o
	//           (| started, o became due, * action ran)
	//   rerun   call Replay of the same Suite with the trace
	//   seed    1987 (TIMER_SEED sets it)
}

// A trace that is no trace is an error with the line and the reason.
func ExampleParseTrace() {
	trace, _ := conformance.ParseTrace("start a 8 { start b 3 }; tick 8; process; advance 3 limit 1")
	fmt.Print(trace)

	_, err := conformance.ParseTrace("start a 8\ntick 8\nfire a")
	fmt.Println(err)
	// Output:
	// start a 8 { start b 3 }
	// tick 8
	// process
	// advance 3 limit 1
	// trace: line 3: unknown operation "fire"
}
