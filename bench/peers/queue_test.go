package main

import (
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// The modules on other people's priority queues keep the whole contract.
func TestConformance(t *testing.T) {
	for name, at := range map[string]func(timer.Tick) *queued{"heap": newHeap, "btree": newBTree} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conformance.Suite{
				New:   func() timer.Timer[int] { return at(0) },
				NewAt: func(now timer.Tick) timer.Timer[int] { return at(now) },
				FIFO:  true,
			}.Run(t)
		})
	}
}
