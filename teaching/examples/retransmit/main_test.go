package main

import (
	"testing"
	"time"
)

func TestEveryPacketIsDeliveredOnce(t *testing.T) {
	for _, loss := range []float64{0, 0.2} {
		shown := 0
		r, err := run(20, 3, loss, 5*time.Millisecond, 200*time.Millisecond, func(result, time.Duration) { shown++ })
		if err != nil {
			t.Fatal(err)
		}
		if r.delivered == 0 || r.delivered != r.acknowledged || shown == 0 {
			t.Errorf("loss %v: %d delivered, %d acknowledged", loss, r.delivered, r.acknowledged)
		}
		if loss > 0 && (r.lost == 0 || r.retransmitted == 0) {
			t.Errorf("loss %v: %d lost, %d retransmitted", loss, r.lost, r.retransmitted)
		}
		if s := r.stats; s.Starts != s.Stops+s.Expiries {
			t.Errorf("loss %v: %d timers started, %d stopped, %d expired", loss, s.Starts, s.Stops, s.Expiries)
		}
	}
}
