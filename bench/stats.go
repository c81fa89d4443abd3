package bench

import (
	"math"

	"golang.org/x/exp/constraints"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// family is the number of figures among which an interval has to hold its 95 %:
// a round number over those in the registry that depend on chance.
const family = 200

// An Estimate is a measured figure and an interval for it: that in which, at 95 %
// for all figures of a report together, the true value lies, and in which another
// seed's figure lies.
type Estimate struct {
	Mean, Lo, Hi float64
}

// Exact is the estimate of a figure that does not depend on chance.
func Exact[T constraints.Integer | constraints.Float](x T) Estimate {
	return Estimate{float64(x), float64(x), float64(x)}
}

// EstimateMean is the mean of independent samples with its interval, a
// prediction interval for the mean of as many new samples, after Bonferroni.
func EstimateMean[T constraints.Integer | constraints.Float](samples []T) Estimate {
	x := floats(samples)
	mean, sd := stat.MeanStdDev(x, nil)
	n := float64(len(x))
	if n < 2 || sd == 0 {
		return Exact(mean)
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(1 - 0.05/(2*family))
	half := t * sd * math.Sqrt(2/n)
	return Estimate{mean, mean - half, mean + half}
}

// Contains reports whether x lies in the interval, widened by tol at both ends.
func (e Estimate) Contains(x, tol float64) bool {
	// What is left of an exact figure after arithmetic is not counted as error.
	tol += 1e-9 * math.Max(1, math.Abs(x))
	return e.Lo-tol <= x && x <= e.Hi+tol
}

// floats converts samples of any numeric type to what gonum works on.
func floats[T constraints.Integer | constraints.Float](samples []T) []float64 {
	x := make([]float64, len(samples))
	for i, s := range samples {
		x[i] = float64(s)
	}
	return x
}

// mean is the mean of samples, 0 for none.
func mean[T constraints.Integer | constraints.Float](samples []T) float64 {
	if len(samples) == 0 {
		return 0
	}
	return stat.Mean(floats(samples), nil)
}

// slope is the slope of the least-squares line through the points.
func slope[X, Y constraints.Integer | constraints.Float](x []X, y []Y) float64 {
	_, beta := stat.LinearRegression(floats(x), floats(y), nil, false)
	return beta
}

// ratio is a/b for counts of any type.
func ratio[A, B constraints.Integer | constraints.Float](a A, b B) float64 {
	return float64(a) / float64(b)
}

func logarithm(x float64) float64 { return math.Log(x) }

// round keeps two digits after the point.
func round(x float64) float64 { return math.Round(100*x) / 100 }
