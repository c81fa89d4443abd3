package bench

import (
	"math"
	"testing"

	"github.com/timerfacility/timer"
)

// The generator gives the numbers that it is known to give, so that a figure of
// another language is one of the same load.
func TestSplitMix(t *testing.T) {
	s := SplitMix(0)
	for i, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := s.Next(); got != want {
			t.Errorf("number %d is %#x, want %#x", i, got, want)
		}
	}
	for range 1000 {
		if n := s.Below(7); n > 6 {
			t.Fatalf("Below(7) = %d", n)
		}
	}
}

func TestExponential(t *testing.T) {
	var sum float64
	for _, d := range exponential {
		if d < 1 || d > Longest {
			t.Fatalf("an interval of %d ticks", d)
		}
		sum += float64(d)
	}
	if mean := sum / float64(len(exponential)); math.Abs(mean-10000) > 10 {
		t.Errorf("the mean is %g, want 10000", mean)
	}
}

// What a workload asks of a module, counted.
func TestWorkloads(t *testing.T) {
	const n, operations = 200, 5000
	for _, c := range []struct {
		name  string
		setUp func(Startable, int) Workload
		check func(t *testing.T, c timer.Costs, outstanding int)
	}{
		{"StopStart", StopStart, func(t *testing.T, c timer.Costs, outstanding int) {
			if c.Starts != operations || c.Stops != operations || c.Ticks != 0 || outstanding != n {
				t.Errorf("%+v, %d outstanding", c, outstanding)
			}
		}},
		{"IdleTimeout", IdleTimeout, func(t *testing.T, c timer.Costs, _ int) {
			if c.Starts != operations || c.Ticks != operations || c.Stops >= operations {
				t.Errorf("%+v", c)
			}
		}},
		{"BusyServer", BusyServer, func(t *testing.T, c timer.Costs, _ int) {
			if c.Starts != operations || c.Ticks != operations {
				t.Errorf("%+v", c)
			}
		}},
		{"Churn", Churn, func(t *testing.T, c timer.Costs, outstanding int) {
			if c.Starts != c.Expiries || c.Expiries < operations || c.Expiries > operations+n || c.Stops != 0 || outstanding != n {
				t.Errorf("%+v, %d outstanding", c, outstanding)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := SchemeNamed("7").New(n, Longest)
			run := c.setUp(m, n)
			before := m.Costs()
			for range 5 {
				run(operations / 5)
			}
			c.check(t, m.Costs().Sub(before), m.Len())
		})
	}
}

func TestEmptyClock(t *testing.T) {
	m := SchemeNamed("7").New(1, Span)
	EmptyTicks(m)(10)
	EmptyAdvance(m)(3)
	if m.Now() != 10+3e6 {
		t.Errorf("Now() = %d", m.Now())
	}
}

func TestNearAndFar(t *testing.T) {
	near, far := SchemeNamed("7").New(1, Span), SchemeNamed("7").New(1, Span)
	Near(near, 1000)
	Far(far, 1000)
	if next, _ := near.NextExpiry(); near.Len() != 1000 || next > 1000 {
		t.Errorf("near: %d timers, the first at %d", near.Len(), next)
	}
	if next, _ := far.NextExpiry(); far.Len() != 1000 || next < 50001 || next > 51000 {
		t.Errorf("far: %d timers, the first at %d", far.Len(), next)
	}
}
