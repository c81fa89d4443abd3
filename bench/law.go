package bench

import (
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Law is a distribution of intervals with mean 1; what uses it scales it to the
// mean interval T.
type Law struct {
	Name string

	// Gini is the law's Gini coefficient. Under Poisson arrivals it is the share
	// of the outstanding timers that expire after a new one, so a search from
	// the rear of an ordered list passes n·Gini of them and one from the front
	// n·(1-Gini).
	Gini float64

	// Rander draws from the law.
	Rander func(rand.Source) distuv.Rander

	// Survival is the probability that an interval is longer than x.
	Survival func(x float64) float64
}

// Laws are the eight laws of intervals of the experiments, in the order of their
// Gini coefficients.
func Laws() []Law {
	return []Law{
		{
			"constant", 0,
			func(rand.Source) distuv.Rander { return constant(1) },
			func(x float64) float64 {
				if x < 1 {
					return 1
				}
				return 0
			},
		},
		{
			"uniform(0.9, 1.1)", 1.0 / 30,
			func(r rand.Source) distuv.Rander { return distuv.Uniform{Min: 0.9, Max: 1.1, Src: r} },
			distuv.Uniform{Min: 0.9, Max: 1.1}.Survival,
		},
		{
			"triangular", 1.0 / 5,
			func(r rand.Source) distuv.Rander { return distuv.NewTriangle(0, 1.5, 1.5, r) },
			distuv.NewTriangle(0, 1.5, 1.5, nil).Survival,
		},
		{
			"Pareto, alpha = 3", 1.0 / 5,
			func(r rand.Source) distuv.Rander { return distuv.Pareto{Xm: 2.0 / 3, Alpha: 3, Src: r} },
			distuv.Pareto{Xm: 2.0 / 3, Alpha: 3}.Survival,
		},
		{
			"uniform(0, 2)", 1.0 / 3,
			func(r rand.Source) distuv.Rander { return distuv.Uniform{Min: 0, Max: 2, Src: r} },
			distuv.Uniform{Min: 0, Max: 2}.Survival,
		},
		{
			"Erlang-2", 3.0 / 8,
			func(r rand.Source) distuv.Rander { return distuv.Gamma{Alpha: 2, Beta: 2, Src: r} },
			distuv.Gamma{Alpha: 2, Beta: 2}.Survival,
		},
		{
			"exponential", 1.0 / 2,
			func(r rand.Source) distuv.Rander { return distuv.Exponential{Rate: 1, Src: r} },
			distuv.Exponential{Rate: 1}.Survival,
		},
		{
			"hyperexponential", hyperGini(),
			func(r rand.Source) distuv.Rander { return hyper{rand.New(r)} },
			func(x float64) float64 { return 0.9*math.Exp(-x/0.2) + 0.1*math.Exp(-x/8.2) },
		},
	}
}

// LawNamed is the law of that name among [Laws]; it panics if there is none.
func LawNamed(name string) Law {
	for _, l := range Laws() {
		if l.Name == name {
			return l
		}
	}
	panic("bench: no law named " + name)
}

// constant is the law of equal intervals.
type constant float64

func (c constant) Rand() float64 { return float64(c) }

// hyper is the hyperexponential law that draws from mean 0.2 with probability
// 0.9 and from mean 8.2 with probability 0.1.
type hyper struct{ r *rand.Rand }

func (h hyper) Rand() float64 {
	if h.r.Float64() < 0.9 {
		return 0.2 * h.r.ExpFloat64()
	}
	return 8.2 * h.r.ExpFloat64()
}

// hyperGini is 1 - Integral S² for hyper's survival function S, whose mean is 1.
func hyperGini() float64 {
	const p, q, a, b = 0.9, 0.1, 0.2, 8.2
	return 1 - (p*p*a/2 + q*q*b/2 + 2*p*q*a*b/(a+b))
}

// ticks is the interval of x·scale ticks, at least 1 and at most bound.
func ticks(x, scale float64, bound timer.Tick) timer.Tick {
	return min(max(timer.Tick(math.Round(x*scale)), 1), bound)
}
