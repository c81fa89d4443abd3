package bench

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Class is how a cost grows with n.
type Class string

// The classes that a fit can tell apart. Undecided means that the exponent's
// interval holds more than one of them, or none.
const (
	Constant    Class = "1"
	Logarithmic Class = "log n"
	SquareRoot  Class = "sqrt n"
	Linear      Class = "n"
	Undecided   Class = "?"
)

// exponent is the power of each class in the family that FitGrowth fits;
// classes are in order of growth.
var classes = []struct {
	class    Class
	exponent float64
}{{Logarithmic, 0}, {SquareRoot, 0.5}, {Linear, 1}}

// AtMost reports whether a cost of class c is O(bound).
func (c Class) AtMost(bound Class) bool {
	return c != Undecided && c.rank() <= bound.rank()
}

func (c Class) rank() int {
	if c == Constant {
		return -1
	}
	for i, k := range classes {
		if k.class == c {
			return i
		}
	}
	return len(classes)
}

// String writes the class as O(...).
func (c Class) String() string {
	if c == Undecided {
		return "?"
	}
	return "O(" + string(c) + ")"
}

// A Fit says how a measured cost grows.
type Fit struct {
	Class Class

	// Exponent is the p for which y = A + B·(n^p-1)/p fits best, of those
	// between -1 and 2, with an interval as wide as those of [EstimateMean]: 1
	// for a linear cost, 0 for a logarithmic one. It means nothing for a constant
	// cost, which has no growth to measure.
	Exponent Estimate

	// Doubling is the cost at the largest n over that at half of it, along the
	// fitted curve.
	Doubling float64
}

// String writes the class with the exponent's interval.
func (f Fit) String() string {
	if f.Class == Constant {
		return f.Class.String()
	}
	return fmt.Sprintf("%v, exponent %.2f [%.2f, %.2f]", f.Class, f.Exponent.Mean, f.Exponent.Lo, f.Exponent.Hi)
}

// FitGrowth decides how the costs y, measured at n, grow. Several costs may
// belong to one n: their scatter makes the interval honest.
//
// It fits y = A + B·(n^p-1)/p, the family of Box and Cox, in which p = 0 is
// A + B·log n. The additive constant A, which bends the slope of a log-log plot,
// is a parameter of its own here. The interval of p is that of the likelihood
// ratio; the class is decided by that of 95 %. A cost is constant if the best curve explains no more than chance would
// (F test at 0.1 %), if it rises by less than a quarter of the mean cost over the
// whole range, or if it bends towards a bound (p < -1/4).
func FitGrowth(n, y []float64) Fit {
	weights := relative(n, y)
	mean := stat.Mean(y, weights)
	flat := 0.0
	for i, v := range y {
		flat += weights[i] * (v - mean) * (v - mean)
	}
	// Rounding is the least error; a cost may otherwise be exact.
	least := math.Max(flat*1e-6, 1e-12*float64(len(y)))
	free := float64(len(y)) - 3

	const from, to, steps = -1.0, 2.0, 301
	best := math.Inf(1)
	var p, rss [steps]float64
	var at int
	for i := range steps {
		p[i] = scalar.Round(from+(to-from)*float64(i)/(steps-1), 2)
		_, _, rss[i] = boxCox(n, y, weights, p[i])
		rss[i] = math.Max(rss[i], least)
		if rss[i] < best {
			best, at = rss[i], i
		}
	}
	interval := func(quantile float64) Estimate {
		e := Estimate{p[at], p[at], p[at]}
		for i := range steps {
			if rss[i] <= best*(1+quantile/free) {
				e.Lo, e.Hi = math.Min(e.Lo, p[i]), math.Max(e.Hi, p[i])
			}
		}
		return e
	}
	ratio := distuv.F{D1: 1, D2: free}
	decisive := interval(ratio.Quantile(0.95))
	f := Fit{Exponent: interval(2 * ratio.Quantile(1-0.05/family))}

	lo, hi := scalar.Round(slices.Min(n), 9), slices.Max(n)
	a, b, _ := boxCox(n, y, weights, p[at])
	rise := b * (transform(hi, p[at]) - transform(lo, p[at]))
	f.Doubling = (a + b*transform(hi, p[at])) / (a + b*transform(hi/2, p[at]))
	gain := (flat - best) / 2 / (best / free)
	switch {
	case flat <= least || gain < (distuv.F{D1: 2, D2: free}).Quantile(0.999) || rise < mean/4 || decisive.Mean < -0.25 && decisive.Hi < 0:
		f.Class = Constant
		f.Doubling = 1
	default:
		f.Class = nearest(decisive)
	}
	return f
}

// nearest is the class whose exponent is within 1/4 of the fitted one, unless the
// interval holds that of another class as well.
func nearest(e Estimate) Class {
	class, distance := Undecided, 0.25
	for _, c := range classes {
		if d := math.Abs(e.Mean - c.exponent); d < distance {
			class, distance = c.class, d
		}
	}
	for _, c := range classes {
		if c.class != class && e.Lo <= c.exponent && c.exponent <= e.Hi {
			return Undecided
		}
	}
	return class
}

func transform(n, p float64) float64 {
	if p == 0 {
		return math.Log(n)
	}
	return (math.Pow(n, p) - 1) / p
}

// relative gives the weights under which errors in proportion to the cost count
// alike: costs that are measured by sampling scatter so.
func relative(n, y []float64) []float64 {
	sum, count := make(map[float64]float64), make(map[float64]float64)
	total := 0.0
	for i := range n {
		sum[n[i]] += y[i]
		count[n[i]]++
		total += y[i]
	}
	least := math.Max(total/float64(len(y))/100, math.SmallestNonzeroFloat32)
	weights := make([]float64, len(n))
	for i := range n {
		w := 1 / math.Max(sum[n[i]]/count[n[i]], least)
		weights[i] = w * w
	}
	return weights
}

// boxCox fits y = a + b·transform(n, p) by least squares.
func boxCox(n, y, weights []float64, p float64) (a, b, rss float64) {
	x := make([]float64, len(n))
	for i := range n {
		x[i] = transform(n[i], p)
	}
	a, b = stat.LinearRegression(x, y, weights, false)
	for i := range x {
		d := y[i] - a - b*x[i]
		rss += weights[i] * d * d
	}
	return a, b, rss
}
