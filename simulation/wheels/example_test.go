package wheels_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation/wheels"
)

// The same timers on both wheels, of eight slots each, from tick 6 on: TEGAS-2's
// covers two more ticks until it turns at 8, DECSIM's turned at 4 and covers six.
func Example() {
	for _, kind := range []wheels.Kind{wheels.TEGAS2, wheels.DECSIM} {
		w, err := wheels.New[string](wheels.Config{Now: 6, Slots: 8, Kind: kind})
		if err != nil {
			fmt.Println(err)
			return
		}
		say := func(id string) { fmt.Printf(" %d:%s", w.Now(), id) }
		w.StartTimer(1, "a", say)
		w.StartTimer(5, "b", say)
		w.StartTimer(7, "c", say)
		fmt.Printf("%d of %d go to overflow;", w.Overflowed(), w.Len())
		timer.AdvanceTo(w, 20, timer.All)
		fmt.Printf(" %d moved\n", w.Costs().Moves)
	}
	// Output:
	// 2 of 3 go to overflow; 7:a 11:b 13:c 2 moved
	// 1 of 3 go to overflow; 7:a 11:b 13:c 1 moved
}
