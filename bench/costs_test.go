package bench

import "testing"

func TestCostTable(t *testing.T) {
	for _, c := range CostTable(&Lab{}) {
		if !c.AsExpected() {
			t.Errorf("%v, %v, %s: got %v, want %v: %v at n = %v", c.Scheme, c.Routine, c.Case(), c.Fit, c.Expect, c.Mean, c.N)
		}
	}
}
