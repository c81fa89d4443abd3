package queue

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Law makes what draws from a distribution of positive numbers with the given
// mean.
type Law func(mean float64, source rand.Source) distuv.Rander

// Exponential is the memoryless law, the M of M/M/1.
func Exponential(mean float64, source rand.Source) distuv.Rander {
	return distuv.Exponential{Rate: 1 / mean, Src: source}
}

// Uniform is the law of equal chances from 0 to twice the mean.
func Uniform(mean float64, source rand.Source) distuv.Rander {
	return distuv.Uniform{Min: 0, Max: 2 * mean, Src: source}
}

// Constant is the law of equal values.
func Constant(mean float64, _ rand.Source) distuv.Rander { return constant(mean) }

type constant float64

func (c constant) Rand() float64 { return float64(c) }

// Ticks draws from the law in whole ticks, to the nearest, for a [StationConfig].
// For a mean of hundreds of ticks or more, the mean of what is drawn differs from
// the law's by less than one in a million.
func Ticks(law Law, mean float64, source rand.Source) func() timer.Tick {
	draw := law(mean, source)
	return func() timer.Tick { return timer.Tick(math.Round(draw.Rand())) }
}

// A Model is a queue to be simulated: arrivals as a Poisson stream, services of
// any law. Only the means are required.
type Model struct {
	Interarrival time.Duration // mean time between arrivals
	Service      time.Duration // mean time of a service
	Law          Law           // of the times of service; default Exponential
	Servers      int           // default 1; or Unlimited
	Capacity     int           // customers that there is room for, those in service included; default no bound
}

// RunConfig says how long and how a Model is simulated. Its zero value works.
type RunConfig struct {
	Batches    int     // batches to measure, at least 2; default 30
	Arrivals   int     // mean number of arrivals in a batch; default 20000
	Warmup     int     // batches before those, not measured; default a tenth of Batches
	Confidence float64 // of the intervals, each by itself, between 0 and 1; default 0.95
	Resolution int     // ticks in the shorter of the two means; default 1000
	Longest    int     // AtLeast is measured up to this number; default 20
	Seed       uint64
	Flow       simulation.Flow

	// Progress, if it is not nil, is told after each batch how many of all are
	// done.
	Progress func(done, all int)
}

// An Estimate is a measured figure: with the confidence of the run, the true one
// lies within Half of Mean.
type Estimate[T ~int64 | ~float64] struct {
	Mean, Half T
}

// Contains reports whether x lies in the interval.
func (e Estimate[T]) Contains(x T) bool { return e.Mean-e.Half <= x && x <= e.Mean+e.Half }

// Measured is what was measured of a simulated queue.
type Measured struct {
	Number        Estimate[float64]       // mean number in the system
	NumberInQueue Estimate[float64]       // mean number that wait
	Time          Estimate[time.Duration] // mean time in the system
	TimeInQueue   Estimate[time.Duration] // mean time before service
	Lost          Estimate[float64]       // share of the arrivals that found no room
	Throughput    Estimate[Rate]          // services that ended
	AtLeast       []Estimate[float64]     // AtLeast[k] is the share of the time with k or more in the system

	// Little is how much the mean number differs from rate times time over all
	// batches, as a share of it. The law allows for those few that are in the
	// system at the start and at the end.
	Little float64

	Events uint64 // that the simulation performed, warm-up included
}

// Simulate runs the model with module as the event list. The same model,
// configuration and seed give the same figures with every module.
//
// A configuration that makes no sense is an error that names the field and the
// value; so is a delay that the module does not take. A model without a steady
// state is simulated like any other: its number grows for as long as it runs.
func (m Model) Simulate(module timer.Timer[int], cfg RunConfig) (Measured, error) {
	if err := positive(m.Interarrival, m.Service); err != nil {
		return Measured{}, err
	}
	cfg, err := cfg.withDefaults()
	if err != nil {
		return Measured{}, err
	}
	law := m.Law
	if law == nil {
		law = Exponential
	}
	sim, err := simulation.New(module, simulation.Config{Flow: cfg.Flow})
	if err != nil {
		return Measured{}, err
	}
	tick := min(m.Interarrival, m.Service).Seconds() / float64(cfg.Resolution)
	interarrival := m.Interarrival.Seconds() / tick
	station, err := NewStation(sim, StationConfig{
		Interarrival: Ticks(Exponential, interarrival, rand.NewPCG(cfg.Seed, 1)),
		Service:      Ticks(law, m.Service.Seconds()/tick, rand.NewPCG(cfg.Seed, 2)),
		Servers:      m.Servers,
		Capacity:     m.Capacity,
	})
	if err != nil {
		return Measured{}, err
	}

	batch := timer.Tick(math.Round(interarrival * float64(cfg.Arrivals)))
	var batches []Observation
	for i := range cfg.Warmup + cfg.Batches {
		sim.RunUntil(sim.Now() + batch)
		if err := station.Err(); err != nil {
			return Measured{}, err
		}
		if o := station.Observe(); i >= cfg.Warmup {
			batches = append(batches, o)
		}
		if cfg.Progress != nil {
			cfg.Progress(i+1, cfg.Warmup+cfg.Batches)
		}
	}
	measured := measure(batches, tick, cfg)
	measured.Events = sim.Counts().Performed
	return measured, nil
}

func (cfg RunConfig) withDefaults() (RunConfig, error) {
	preset := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	preset(&cfg.Batches, 30)
	preset(&cfg.Arrivals, 20000)
	preset(&cfg.Warmup, (cfg.Batches+9)/10)
	preset(&cfg.Resolution, 1000)
	preset(&cfg.Longest, 20)
	if cfg.Confidence == 0 {
		cfg.Confidence = 0.95
	}
	for _, field := range []struct {
		name         string
		value, least int
	}{
		{"Batches", cfg.Batches, 2},
		{"Arrivals", cfg.Arrivals, 1},
		{"Warmup", cfg.Warmup, 0},
		{"Resolution", cfg.Resolution, 1},
		{"Longest", cfg.Longest, 0},
	} {
		if field.value < field.least {
			return cfg, fmt.Errorf("queue: %s %d is under %d", field.name, field.value, field.least)
		}
	}
	if !(cfg.Confidence > 0 && cfg.Confidence < 1) {
		return cfg, fmt.Errorf("queue: Confidence %v is not between 0 and 1", cfg.Confidence)
	}
	return cfg, nil
}

// measure makes the figures of the batches; tick is in seconds.
func measure(batches []Observation, tick float64, cfg RunConfig) Measured {
	figure := func(of func(Observation) float64) Estimate[float64] { return estimate(batches, cfg.Confidence, of) }
	span := func(of func(Observation) float64) Estimate[time.Duration] {
		e := figure(of)
		return Estimate[time.Duration]{seconds(e.Mean * tick), seconds(e.Half * tick)}
	}
	m := Measured{
		Number:        figure(func(o Observation) float64 { return o.Number }),
		NumberInQueue: figure(func(o Observation) float64 { return o.NumberInQueue }),
		Time:          span(func(o Observation) float64 { return o.Time }),
		TimeInQueue:   span(func(o Observation) float64 { return o.TimeInQueue }),
		Lost:          figure(func(o Observation) float64 { return float64(o.Lost) / float64(max(o.Arrived, 1)) }),
	}
	served := figure(func(o Observation) float64 { return float64(o.Served) / (float64(o.Ticks) * tick) })
	m.Throughput = Estimate[Rate]{Rate(served.Mean), Rate(served.Half)}
	for k := range cfg.Longest + 1 {
		m.AtLeast = append(m.AtLeast, figure(func(o Observation) float64 { return o.AtLeast(k) }))
	}
	m.Little = join(batches).Little()
	return m
}

// estimate is the mean of the batches' figures, with its interval after Student.
func estimate(batches []Observation, confidence float64, of func(Observation) float64) Estimate[float64] {
	var x []float64
	for _, o := range batches {
		x = append(x, of(o))
	}
	mean, deviation := stat.MeanStdDev(x, nil)
	n := float64(len(x))
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(1 - (1-confidence)/2)
	return Estimate[float64]{mean, t * stat.StdErr(deviation, n)}
}

// join is the observation of several, one after another, as far as Little needs
// it.
func join(batches []Observation) Observation {
	var all Observation
	number, stay := 0.0, 0.0
	for _, o := range batches {
		all.Ticks += o.Ticks
		all.Served += o.Served
		number += o.Number * float64(o.Ticks)
		stay += o.Time * float64(o.Served)
	}
	all.Number = number / float64(max(all.Ticks, 1))
	all.Time = stay / float64(max(all.Served, 1))
	return all
}
