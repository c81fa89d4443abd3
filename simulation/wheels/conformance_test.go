package wheels_test

import (
	"fmt"
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	"github.com/timerfacility/timer/simulation/wheels"
)

// The least size, and one that is no power of two.
func TestConformance(t *testing.T) {
	for kind, name := range []string{"TEGAS2", "DECSIM"} {
		for _, slots := range []int{2, 14} {
			t.Run(fmt.Sprintf("kind=%s/slots=%d", name, slots), func(t *testing.T) {
				newAt := func(now timer.Tick) timer.Timer[int] {
					w, err := wheels.New[int](wheels.Config{Now: now, Slots: slots, Kind: wheels.Kind(kind)})
					if err != nil {
						panic(err)
					}
					return w
				}
				conformance.Suite{
					New:      func() timer.Timer[int] { return newAt(0) },
					NewAt:    newAt,
					FIFO:     true,
					NoAllocs: true,
				}.Run(t)
			})
		}
	}
}
