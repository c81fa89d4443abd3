package conformance_test

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

func plainSuite() conformance.Suite {
	return conformance.Suite{
		New:      func() timer.Timer[int] { return newPlain(0, timer.MaxTick) },
		NewAt:    func(now timer.Tick) timer.Timer[int] { return newPlain(now, timer.MaxTick) },
		FIFO:     true,
		NoAllocs: true,
	}
}

// TestPlain holds the plain module to every rule.
func TestPlain(t *testing.T) { plainSuite().Run(t) }
