package queue_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation"
	"github.com/timerfacility/timer/simulation/internal/eventlists"
	"github.com/timerfacility/timer/simulation/queue"
)

const ms = time.Millisecond

func newModule(t testing.TB) timer.Timer[int] {
	t.Helper()
	m, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newMM1(t testing.TB, interarrival, service time.Duration) queue.MM1 {
	t.Helper()
	q, err := queue.NewMM1(interarrival, service)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func newMM1K(t testing.TB, interarrival, service time.Duration, capacity int) queue.MM1K {
	t.Helper()
	q, err := queue.NewMM1K(interarrival, service, capacity)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func simulate(t testing.TB, m queue.Model, cfg queue.RunConfig) queue.Measured {
	t.Helper()
	measured, err := m.Simulate(newModule(t), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return measured
}

// covers tests that a measured figure has the theoretical one in its interval,
// and that the interval is narrow enough to mean something: that it excludes a
// theory off by the share sharp. The seeds are fixed, so that the tests fail only
// if something is changed.
func covers[T ~int64 | ~float64](t *testing.T, name string, measured queue.Estimate[T], want T, sharp float64) {
	t.Helper()
	if !measured.Contains(want) {
		t.Errorf("%s: %v ± %v, want %v", name, measured.Mean, measured.Half, want)
	}
	if got := float64(measured.Half) / float64(want); got > sharp {
		t.Errorf("%s: %v ± %v could be anything: ± %.3f of it, want %.3f", name, measured.Mean, measured.Half, got, sharp)
	}
}

func skipIfShort(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates millions of events")
	}
}

// With this confidence for each figure, some 200 of them hold together in four
// runs of five; the seeds are chosen among those.
const confidence = 0.999

func TestMM1AgainstSimulation(t *testing.T) {
	skipIfShort(t)
	for _, c := range []struct{ r, sharp float64 }{{0.1, 0.02}, {0.5, 0.04}, {0.8, 0.08}, {0.9, 0.2}} {
		t.Run(fmt.Sprint("utilisation=", c.r), func(t *testing.T) {
			const interarrival = 25 * ms
			r, sharp := c.r, c.sharp
			service := time.Duration(r * float64(interarrival))
			theory := newMM1(t, interarrival, service)
			measured := simulate(t, queue.Model{Interarrival: interarrival, Service: service}, queue.RunConfig{Confidence: confidence})
			covers(t, "number", measured.Number, theory.Number(), sharp)
			covers(t, "number in queue", measured.NumberInQueue, theory.NumberInQueue(), 2*sharp)
			covers(t, "time", measured.Time, theory.Time(), sharp)
			covers(t, "time in queue", measured.TimeInQueue, theory.TimeInQueue(), 2*sharp)
			covers(t, "throughput", measured.Throughput, queue.Every(interarrival), 0.01)
			covers(t, "busy", measured.AtLeast[1], theory.Utilisation(), 0.02)
			for k := range 5 {
				covers(t, fmt.Sprint("at least ", k), measured.AtLeast[k], theory.AtLeast(k), 1)
			}
			if measured.Lost.Mean != 0 {
				t.Errorf("%v of the arrivals are lost", measured.Lost.Mean)
			}
			if math.Abs(measured.Little) > 1e-3 {
				t.Errorf("Little's law is off by %v", measured.Little)
			}
			// Neither the queue alone for the system nor the reverse.
			if r > 0.8 {
				return // the variance grows as 1/(1-R)^4
			}
			if measured.Number.Contains(theory.NumberInQueue()) || measured.Time.Contains(theory.TimeInQueue()) {
				t.Error("the intervals do not tell the system from the queue")
			}
		})
	}
}

func TestMM1KAgainstSimulation(t *testing.T) {
	skipIfShort(t)
	for _, c := range []struct {
		service  time.Duration
		capacity int
	}{{3 * ms, 2}, {20 * ms, 5}, {30 * ms, 4}, {30 * ms, 1}, {60 * ms, 10}} {
		t.Run(fmt.Sprintf("service=%v/capacity=%d", c.service, c.capacity), func(t *testing.T) {
			const interarrival = 30 * ms
			theory := newMM1K(t, interarrival, c.service, c.capacity)
			measured := simulate(t, queue.Model{Interarrival: interarrival, Service: c.service, Capacity: c.capacity},
				queue.RunConfig{Confidence: confidence, Arrivals: 5000, Longest: c.capacity + 1})
			covers(t, "number", measured.Number, theory.Number(), 0.04)
			covers(t, "time", measured.Time, theory.Time(), 0.04)
			covers(t, "lost", measured.Lost, theory.Lost(), 0.15)
			covers(t, "throughput", measured.Throughput, theory.Throughput(), 0.02)
			for k, share := range measured.AtLeast[:c.capacity+1] {
				covers(t, fmt.Sprint("at least ", k), share, theory.AtLeast(k), 0.15)
			}
			if measured.AtLeast[c.capacity+1].Mean != 0 {
				t.Error("there were more than there is room for")
			}
			// An infinite queue's tail is not the share that is lost.
			if r := theory.Load(); r > 0.5 && measured.Lost.Contains(math.Pow(r, float64(c.capacity))) {
				t.Error("the interval does not tell the share lost from R^K")
			}
		})
	}
}

// The mean number depends on the mean life alone; its law is Poisson's.
func TestMGInfAgainstSimulation(t *testing.T) {
	skipIfShort(t)
	const interarrival, life = 2 * ms, 50 * ms
	theory, err := queue.NewMGInf(interarrival, life)
	if err != nil {
		t.Fatal(err)
	}
	for name, law := range map[string]queue.Law{"exponential": queue.Exponential, "uniform": queue.Uniform, "constant": queue.Constant} {
		t.Run(name, func(t *testing.T) {
			measured := simulate(t, queue.Model{Interarrival: interarrival, Service: life, Law: law, Servers: queue.Unlimited},
				queue.RunConfig{Confidence: confidence, Arrivals: 8000, Longest: 40})
			covers(t, "number", measured.Number, theory.Number(), 0.02)
			covers(t, "time", measured.Time, life, 0.02)
			for k := 10; k <= 40; k += 5 {
				covers(t, fmt.Sprint("at least ", k), measured.AtLeast[k], theory.AtLeast(k), 1)
			}
			if got := measured.TimeInQueue.Mean; got != 0 {
				t.Errorf("customers waited %v for one of unlimited servers", got)
			}
		})
	}
}

// The actions of timers: starts as a Poisson stream, lives of any law, one
// goroutine that performs the actions one after another. What comes to it is
// Poisson again, and so M/M/1 sizes its queue, though no life is exponential.
func TestDrainOfExpiryActions(t *testing.T) {
	skipIfShort(t)
	const (
		ticks  = 1000.0 // between starts
		life   = 50 * ticks
		action = 0.7 * ticks
	)
	// A tick is a nanosecond here.
	theory := newMM1(t, time.Duration(ticks), time.Duration(action))
	sim, err := simulation.New(newModule(t), simulation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	drain, err := queue.NewStation(sim, queue.StationConfig{
		Service: queue.Ticks(queue.Exponential, action, rand.NewPCG(3, 3)),
	})
	if err != nil {
		t.Fatal(err)
	}
	timers, err := queue.NewStation(sim, queue.StationConfig{
		Interarrival: queue.Ticks(queue.Exponential, ticks, rand.NewPCG(3, 1)),
		Service:      queue.Ticks(queue.Uniform, life, rand.NewPCG(3, 2)),
		Servers:      queue.Unlimited,
		Served:       func() { drain.Arrive() },
	})
	if err != nil {
		t.Fatal(err)
	}
	sim.RunUntil(1000 * ticks)
	timers.Observe()
	drain.Observe()
	sim.RunUntil(400_000 * ticks)
	for _, s := range []*queue.Station{timers, drain} {
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if got := timers.Observe().Number; math.Abs(got/50-1) > 0.01 {
		t.Errorf("%.2f timers outstanding, want λ·T = 50", got)
	}
	seen := drain.Observe()
	if got, want := seen.Number, theory.Number(); math.Abs(got/want-1) > 0.04 {
		t.Errorf("%.3f actions in the drain, want %.3f", got, want)
	}
	for k := 1; k <= 10; k++ {
		if got, want := seen.AtLeast(k), theory.AtLeast(k); math.Abs(got/want-1) > 0.1 {
			t.Errorf("at least %d actions: %.4f of the time, want %.4f", k, got, want)
		}
	}
	capacity := theory.Capacity(0.001)
	if got := seen.AtLeast(capacity + 1); got > 0.002 {
		t.Errorf("a queue of %d overflows %.4f of the time, and was sized for 0.001", capacity, got)
	}
}

// The number of outstanding timers of the module is the number of customers that
// it serves, and one for the next arrival.
func TestOutstandingTimersAreTheCustomers(t *testing.T) {
	module := newModule(t)
	sim, err := simulation.New(module, simulation.Config{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := queue.NewStation(sim, queue.StationConfig{
		Interarrival: queue.Ticks(queue.Exponential, 10, rand.NewPCG(1, 1)),
		Service:      queue.Ticks(queue.Uniform, 300, rand.NewPCG(1, 2)),
		Servers:      queue.Unlimited,
	})
	if err != nil {
		t.Fatal(err)
	}
	for sim.Now() < 20000 {
		sim.RunUntil(sim.Now() + 97)
		if got, want := module.Len(), s.Number()+1; got != want {
			t.Fatalf("tick %d: %d timers outstanding, want %d", sim.Now(), got, want)
		}
	}
}

// Little's law is exact for an observation that begins and ends empty, whatever
// the laws, the servers and the order of events.
func TestLittleIsExact(t *testing.T) {
	for _, servers := range []int{1, 3, queue.Unlimited} {
		for _, capacity := range []int{0, 4} {
			sim, err := simulation.New(newModule(t), simulation.Config{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := queue.NewStation(sim, queue.StationConfig{
				Service: queue.Ticks(queue.Uniform, 10, rand.NewPCG(2, 2)), Servers: servers, Capacity: capacity,
			})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(2, 1))
			for range 1000 {
				if _, err := sim.Schedule(timer.Tick(r.IntN(3000)), func() { s.Arrive() }); err != nil {
					t.Fatal(err)
				}
			}
			sim.Run()
			o := s.Observe()
			if o.Arrived != 1000 || o.Arrived != o.Lost+o.Served || s.Number() != 0 {
				t.Errorf("%d arrived, %d lost, %d served, %d left", o.Arrived, o.Lost, o.Served, s.Number())
			}
			if math.Abs(o.Little()) > 1e-12 {
				t.Errorf("%d servers, capacity %d: Little's law is off by %v", servers, capacity, o.Little())
			}
		}
	}
}

func TestSameFiguresOnEveryEventList(t *testing.T) {
	m := queue.Model{Interarrival: 25 * ms, Service: 20 * ms}
	cfg := queue.RunConfig{Batches: 3, Arrivals: 300, Resolution: 100}
	want := fmt.Sprintf("%+v", simulate(t, m, cfg))
	for _, l := range eventlists.All() {
		for _, flow := range []simulation.Flow{simulation.Jump, simulation.Step} {
			cfg.Flow = flow
			got, err := m.Simulate(l.New(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if fmt.Sprintf("%+v", got) != want {
				t.Errorf("%s, flow %d:\n got %+v\nwant %s", l.Name, flow, got, want)
			}
		}
	}
}

func TestFormulas(t *testing.T) {
	// R = 1 in M/M/1/K: every number from 0 to K is as likely.
	even := newMM1K(t, 10*ms, 10*ms, 4)
	if got, want := even.Lost(), 0.2; math.Abs(got-want) > 1e-12 {
		t.Errorf("lost at load 1: %v, want %v", got, want)
	}
	if got, want := even.Number(), 2.0; math.Abs(got-want) > 1e-12 {
		t.Errorf("number at load 1: %v, want %v", got, want)
	}
	// Much load: all but 1-1/R is lost, also where R^K is over every float64.
	if got, want := newMM1K(t, ms, 100*ms, 1000).Lost(), 0.99; math.Abs(got-want) > 1e-12 {
		t.Errorf("lost at load 100: %v, want %v", got, want)
	}
	// Room without bound: M/M/1.
	large, infinite := newMM1K(t, 25*ms, 20*ms, 300), newMM1(t, 25*ms, 20*ms)
	if got, want := large.Number(), infinite.Number(); math.Abs(got-want) > 1e-9 {
		t.Errorf("number with much room: %v, want %v", got, want)
	}
	if got, want := large.Time(), infinite.Time(); got != want {
		t.Errorf("time with much room: %v, want %v", got, want)
	}
	// Erlang's loss formula for one server.
	if got, want := newMM1K(t, 25*ms, 20*ms, 1).Lost(), 0.8/1.8; math.Abs(got-want) > 1e-12 {
		t.Errorf("lost without room to wait: %v, want %v", got, want)
	}
	for capacity := range 40 {
		overflow := infinite.AtLeast(capacity + 1)
		if got := infinite.Capacity(overflow * (1 + 1e-9)); got != capacity {
			t.Errorf("capacity for an overflow just over R^%d: %d", capacity+1, got)
		}
		if got := infinite.Capacity(overflow * (1 - 1e-9)); got != capacity+1 {
			t.Errorf("capacity for an overflow just under R^%d: %d", capacity+1, got)
		}
	}
	if got, want := queue.Little(queue.Every(25*ms), 100*ms), 4.0; math.Abs(got-want) > 1e-12 {
		t.Errorf("Little: %v, want %v", got, want)
	}
}

func TestErrors(t *testing.T) {
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	for _, service := range []time.Duration{25 * ms, 26 * ms} {
		_, err := queue.NewMM1(25*ms, service)
		if !errors.Is(err, queue.ErrNoSteadyState) {
			t.Errorf("service %v every 25ms: %v, want ErrNoSteadyState", service, err)
		}
	}
	_, err := queue.NewMM1(25*ms, 30*ms)
	check(err, "queue: no steady state: with a service of 30ms every 25ms the utilisation is 1.2, and must be under 1")
	_, err = queue.NewMM1(0, ms)
	check(err, "mean interarrival time 0s is not positive")
	_, err = queue.NewMM1(ms, -ms)
	check(err, "mean service time -1ms is not positive")
	_, err = queue.NewMM1K(ms, ms, 0)
	check(err, "capacity 0 is under 1")
	_, err = queue.NewMGInf(ms, 0)
	check(err, "mean service time 0s is not positive")
	_, err = queue.LongestService(ms, -1, 0.5)
	check(err, "capacity -1 is negative")
	for _, p := range []float64{0, 1, -1, math.NaN()} {
		_, err = queue.LongestService(ms, 1, p)
		check(err, "is not between 0 and 1")
	}

	m := queue.Model{Interarrival: 25 * ms, Service: 20 * ms}
	_, err = queue.Model{}.Simulate(newModule(t), queue.RunConfig{})
	check(err, "mean interarrival time 0s is not positive")
	_, err = m.Simulate(newModule(t), queue.RunConfig{Batches: 1})
	check(err, "Batches 1 is under 2")
	_, err = m.Simulate(newModule(t), queue.RunConfig{Confidence: 1})
	check(err, "Confidence 1 is not between 0 and 1")
	m.Servers = -2
	_, err = m.Simulate(newModule(t), queue.RunConfig{})
	check(err, "Servers -2")
	m.Servers, m.Capacity = 1, -1
	_, err = m.Simulate(newModule(t), queue.RunConfig{})
	check(err, "Capacity -1 is negative")

	// An event list that is too short for the times of service.
	short, err := basic.New[int](basic.Config{MaxInterval: 2000})
	if err != nil {
		t.Fatal(err)
	}
	m.Capacity = 0
	_, err = m.Simulate(short, queue.RunConfig{})
	if !errors.Is(err, timer.ErrInterval) {
		t.Errorf("a delay over the event list's bound: %v, want timer.ErrInterval", err)
	}
}
