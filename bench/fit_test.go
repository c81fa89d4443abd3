package bench

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The curves that mislead the slope of a log-log plot.
func TestFitGrowth(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(s float64) float64 { return 1 + s*r.NormFloat64() }
	for _, c := range []struct {
		name string
		cost func(n float64) float64
		want Class
	}{
		{"zero", func(float64) float64 { return 0 }, Constant},
		{"constant", func(float64) float64 { return 7 }, Constant},
		{"constant with noise", func(float64) float64 { return 7 * noise(0.02) }, Constant},
		{"constant with much noise", func(float64) float64 { return 7 * noise(0.3) }, Constant},
		{"bounded", func(n float64) float64 { return 1 - 1/n }, Constant},
		{"log n", func(n float64) float64 { return math.Log2(n) }, Logarithmic},
		{"log n + 5 with noise", func(n float64) float64 { return (math.Log2(n) + 5) * noise(0.02) }, Logarithmic},
		{"2 ln n - 1", func(n float64) float64 { return 2*math.Log(n) - 1 }, Logarithmic},
		{"sqrt n", func(n float64) float64 { return math.Sqrt(n) }, SquareRoot},
		{"n", func(n float64) float64 { return n }, Linear},
		{"n/3", func(n float64) float64 { return n / 3 }, Linear},
		{"n/3 + 50", func(n float64) float64 { return n/3 + 50 }, Linear},
		{"n/256 + 5", func(n float64) float64 { return n/256 + 5 }, Linear},
		{"n/2 with noise", func(n float64) float64 { return n / 2 * noise(0.02) }, Linear},
	} {
		var n, y []float64
		for k := 4; k <= 14; k += 2 {
			for range 4 {
				n = append(n, float64(int(1)<<k))
				y = append(y, c.cost(float64(int(1)<<k)))
			}
		}
		if got := FitGrowth(n, y); got.Class != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// A family of intervals holds what it promises: true value and repetition.
func TestEstimateMean(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sample := func() []float64 {
		x := make([]float64, 8)
		for i := range x {
			x[i] = 10 + r.NormFloat64()
		}
		return x
	}
	const runs = 5000 // of which 0.05/200 are expected to miss
	missed := 0
	for range runs {
		e, again := EstimateMean(sample()), EstimateMean(sample())
		if !e.Contains(10, 0) || !e.Contains(again.Mean, 0) {
			missed++
		}
	}
	if missed > 8 {
		t.Errorf("%d of %d intervals missed", missed, runs)
	}
	if e := EstimateMean([]int{4, 4, 4}); e != Exact(4) {
		t.Errorf("equal samples: got %v, want exactly 4", e)
	}
}
