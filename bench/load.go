package bench

import (
	"math/rand/v2"

	"github.com/timerfacility/timer"
	"gonum.org/v1/gonum/stat/distuv"
)

// A load drives a module with Poisson arrivals: the paper's model of section
// 3.2, in which n = arrivals per tick times mean interval timers are outstanding
// on average (Little).
type load struct {
	module Module
	law    distuv.Rander
	mean   float64 // interval, in ticks
	gap    float64 // mean time between two arrivals, in ticks
	r      *rand.Rand
	clock  float64
	starts int
}

// meanInterval is the mean interval in ticks of loads: so long that rounding to
// whole ticks and timers that expire together do not matter.
const meanInterval = 1 << 20

// newLoad makes a load that keeps n timers of mean interval outstanding.
func newLoad(m Module, law Law, n, mean float64, src rand.Source) *load {
	return &load{module: m, law: law.Rander(src), mean: mean, gap: mean / n, r: rand.New(src)}
}

// arrive runs the module up to the next arrival and draws its interval.
func (d *load) arrive() timer.Tick {
	d.clock += d.gap * d.r.ExpFloat64()
	timer.AdvanceTo(d.module, timer.Tick(d.clock), timer.All)
	return ticks(d.law.Rand(), d.mean, d.module.MaxInterval())
}

// step runs the module up to the next arrival and starts its timer.
func (d *load) step() timer.Handle {
	d.starts++
	return begin(d.module, d.arrive(), d.starts)
}

// warm runs the load until it has forgotten that it began with no timers: for
// thirty mean intervals, which the law with the longest tail needs.
func (d *load) warm() {
	for until := d.clock + 30*d.mean; d.clock < until; {
		d.step()
	}
}

// repeat measures something several times over, each time with chance of its
// own.
func repeat(l *Lab, name string, measure func(src rand.Source) float64) []float64 {
	return repeatTimes(l, pick(l, 8, 16, 32), name, measure)
}

func repeatTimes(l *Lab, times int, name string, measure func(src rand.Source) float64) []float64 {
	samples := make([]float64, times)
	for i := range samples {
		samples[i] = measure(l.source(name, i))
	}
	return samples
}
