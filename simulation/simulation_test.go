package simulation_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation"
	"github.com/timerfacility/timer/simulation/internal/eventlists"
)

var flows = map[string]simulation.Flow{"jump": simulation.Jump, "step": simulation.Step}

func newList(t testing.TB) *ordered.List[int] {
	t.Helper()
	l, err := ordered.New[int](ordered.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func newSimulation(t testing.TB, module timer.Timer[int], flow simulation.Flow) *simulation.Simulation {
	t.Helper()
	s, err := simulation.New(module, simulation.Config{Flow: flow})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func schedule(t testing.TB, s *simulation.Simulation, delay timer.Tick, action func()) simulation.Event {
	t.Helper()
	e, err := s.Schedule(delay, action)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// bare hides the optional interfaces of a module.
type bare struct{ timer.Timer[int] }

// teller is bare but for NextExpirer.
type teller struct {
	timer.Timer[int]
	timer.NextExpirer
}

// shuffled runs the timers of one tick in an order of chance, as the contract
// lets a module do.
type shuffled struct {
	*ordered.List[int]
	random *rand.Rand
	due    []func()
}

func (s *shuffled) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	return s.List.StartTimer(interval, id, func(id int) { s.due = append(s.due, func() { action(id) }) })
}

func (s *shuffled) ExpiryProcessing(limit int) int {
	n := s.List.ExpiryProcessing(limit)
	s.random.Shuffle(len(s.due), func(i, j int) { s.due[i], s.due[j] = s.due[j], s.due[i] })
	for _, action := range s.due {
		action()
	}
	s.due = s.due[:0]
	return n
}

// A model is a random model: its events log themselves, schedule others, cancel
// others, and stop the run, all as the seed has it.
type model struct {
	seed     uint64
	longest  timer.Tick // delays are 0 to longest
	branches int        // each event schedules 0 to branches others
	cancels  int        // one event in so many cancels another
	stops    int        // one event in so many stops the run
}

var models = []model{
	{seed: 1, longest: 1, branches: 2, cancels: 3, stops: 50},    // nearly all simultaneous
	{seed: 2, longest: 3, branches: 3, cancels: 2, stops: 10},    // many ties, many cancelled
	{seed: 3, longest: 10, branches: 2, cancels: 10, stops: 7},   // stopped often
	{seed: 4, longest: 255, branches: 2, cancels: 5, stops: 100}, // about a turn of a wheel
	{seed: 5, longest: 256, branches: 2, cancels: 5, stops: 100},
	{seed: 6, longest: 257, branches: 2, cancels: 5, stops: 100},
	{seed: 7, longest: 1000, branches: 3, cancels: 4, stops: 100}, // overflow
	{seed: 8, longest: 5000, branches: 2, cancels: 1, stops: 100}, // beyond Scheme 4's array, most cancelled
	{seed: 9, longest: 20, branches: 4, cancels: 1000, stops: 1000},
	{seed: 10, longest: 70000, branches: 2, cancels: 20, stops: 500}, // three levels of Scheme 7
}

const events = 600 // of each model, about

// log runs the model and gives a line for each event and each stop.
func (m model) log(t *testing.T, module timer.Timer[int], flow simulation.Flow) []string {
	s := newSimulation(t, module, flow)
	r := rand.New(rand.NewPCG(m.seed, 7))
	var log []string
	var made []simulation.Event
	var spawn func()
	spawn = func() {
		n := len(made)
		delay := timer.Tick(r.Uint64N(uint64(m.longest) + 1))
		made = append(made, schedule(t, s, delay, func() {
			log = append(log, fmt.Sprintf("%d: event %d", s.Now(), n))
			for range r.IntN(m.branches + 1) {
				if len(made) < events {
					spawn()
				}
			}
			if r.IntN(m.cancels) == 0 {
				// Most likely one that is pending.
				victim := max(0, len(made)-1-r.IntN(20))
				log = append(log, fmt.Sprintf("%d: cancel %d: %t", s.Now(), victim, s.Cancel(made[victim])))
			}
			if r.IntN(m.stops) == 0 {
				s.Stop()
			}
		}))
	}
	for len(made) < events {
		for range 20 {
			spawn()
		}
		for end := s.Now() + m.longest/2; !s.RunUntil(end); {
			log = append(log, fmt.Sprintf("%d: stopped with %d pending", s.Now(), s.Pending()))
		}
		for !s.Run() {
			log = append(log, fmt.Sprintf("%d: stopped with %d pending", s.Now(), s.Pending()))
		}
	}
	c := s.Counts()
	if c.Scheduled != c.Performed+c.Cancelled || s.Pending() != 0 || module.Len() != 0 {
		t.Errorf("after the run: %+v, %d pending, %d in the module", c, s.Pending(), module.Len())
	}
	if c.Cancelled == 0 && m.cancels < 1000 {
		t.Error("the model cancelled nothing")
	}
	return log
}

// The run is a property of the model alone: not of the event list, nor of how
// its clock moves, nor of the order in which it has the events of one tick.
func TestSameLogOnEveryEventList(t *testing.T) {
	for _, m := range models {
		t.Run(fmt.Sprintf("model=%d", m.seed), func(t *testing.T) {
			want := m.log(t, newList(t), simulation.Step)
			compare := func(name string, got []string) {
				t.Helper()
				for i := range want {
					if i == len(got) || got[i] != want[i] {
						t.Fatalf("%s: line %d of the log differs\n got: %q\nwant: %q", name, i, got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%s: %d lines, want %d", name, len(got), len(want))
				}
			}
			for name, flow := range flows {
				for _, l := range eventlists.All() {
					compare(l.Name+", "+name, m.log(t, l.New(), flow))
				}
				random := rand.New(rand.NewPCG(m.seed, 8))
				compare("shuffled, "+name, m.log(t, &shuffled{List: newList(t), random: random}, flow))
			}
			l := newList(t)
			compare("next expiry alone, jump", m.log(t, teller{l, l}, simulation.Jump))
			compare("bare, step", m.log(t, bare{newList(t)}, simulation.Step))
		})
	}
}

func TestSimultaneousEventsRunInOrderOfScheduling(t *testing.T) {
	s := newSimulation(t, &shuffled{List: newList(t), random: rand.New(rand.NewPCG(1, 1))}, simulation.Jump)
	var got []int
	// All at tick 10, scheduled at ticks 0, 4 and 10 itself.
	for i := range 5 {
		schedule(t, s, 10, func() {
			got = append(got, i)
			if i == 0 {
				schedule(t, s, 0, func() { got = append(got, 9) })
			}
		})
	}
	schedule(t, s, 4, func() {
		for i := range 4 {
			schedule(t, s, 6, func() { got = append(got, 5+i) })
		}
	})
	s.Run()
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("ran %v, want %v", got, want)
	}
}

func TestCancelledByAnEventOfTheSameTick(t *testing.T) {
	s := newSimulation(t, newList(t), simulation.Jump)
	var first, second, third simulation.Event
	var zero simulation.Event
	first = schedule(t, s, 5, func() {
		if s.Cancel(first) {
			t.Error("an event that has begun was cancelled")
		}
		zero = schedule(t, s, 0, func() { t.Error("an event of delay 0 ran though cancelled") })
		if !s.Cancel(second) || s.Cancel(second) {
			t.Error("an event of this tick is to be cancelled once")
		}
	})
	second = schedule(t, s, 5, func() { t.Error("an event ran though cancelled") })
	third = schedule(t, s, 5, func() {
		if !s.Cancel(zero) {
			t.Error("an event of delay 0 could not be cancelled")
		}
		// Their slots are used again; the old names stay dead.
		again := schedule(t, s, 1, func() {})
		if s.Cancel(first) || s.Cancel(second) || s.Cancel(third) || s.Cancel(zero) || s.Cancel(simulation.Event{}) {
			t.Error("the name of an event that has ended named another")
		}
		if !s.Cancel(again) {
			t.Error("a pending event could not be cancelled")
		}
	})
	if !s.Run() || s.Now() != 5 {
		t.Errorf("ran to tick %d, want 5", s.Now())
	}
	if got, want := s.Counts(), (simulation.Counts{Scheduled: 5, Performed: 2, Cancelled: 3}); got != want {
		t.Errorf("counts %+v, want %+v", got, want)
	}
}

func TestRunUntil(t *testing.T) {
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			s := newSimulation(t, newList(t), flow)
			ran := 0
			for _, delay := range []timer.Tick{0, 10, 10, 11} {
				schedule(t, s, delay, func() { ran++ })
			}
			for _, step := range []struct {
				end, now timer.Tick
				ran      int
			}{{0, 0, 1}, {9, 9, 1}, {10, 10, 3}, {5, 10, 3}, {30, 30, 4}, {40, 40, 4}} {
				if !s.RunUntil(step.end) || s.Now() != step.now || ran != step.ran {
					t.Fatalf("RunUntil(%d): at tick %d with %d run, want tick %d with %d", step.end, s.Now(), ran, step.now, step.ran)
				}
			}
		})
	}
}

func TestStopAndGoOn(t *testing.T) {
	s := newSimulation(t, newList(t), simulation.Jump)
	s.Stop() // outside of a run it does nothing
	var got []int
	for i := range 6 {
		schedule(t, s, timer.Tick(1+i/3), func() {
			got = append(got, i)
			s.Stop()
		})
	}
	for i := range 6 {
		if s.Run() {
			t.Fatal("a stopped run said that no event is left")
		}
		if len(got) != i+1 || s.Pending() != 5-i {
			t.Fatalf("%d events ran and %d are pending after %d stops", len(got), s.Pending(), i+1)
		}
	}
	if !s.Run() || !slices.IsSorted(got) {
		t.Errorf("ran %v, want them in order and to the end", got)
	}
}

func TestRunWhile(t *testing.T) {
	s := newSimulation(t, newList(t), simulation.Jump)
	ran := 0
	for range 10 {
		schedule(t, s, 3, func() { ran++ })
	}
	if !s.RunWhile(func() bool { return ran < 4 }) || ran != 4 {
		t.Errorf("%d events ran while fewer than 4 had", ran)
	}
	if !s.RunWhile(func() bool { return true }) || ran != 10 {
		t.Errorf("%d events ran to the end, want 10", ran)
	}
}

func TestErrors(t *testing.T) {
	wheel, err := basic.New[int](basic.Config{MaxInterval: 100})
	if err != nil {
		t.Fatal(err)
	}
	s := newSimulation(t, wheel, simulation.Jump)
	nothing := func() {}
	if _, err := s.Schedule(100, nothing); err != nil {
		t.Errorf("the longest delay: %v", err)
	}
	_, err = s.Schedule(101, nothing)
	if want := "simulation: delay 101: timer: interval out of range: 101 is not from 1 to 100"; !errors.Is(err, timer.ErrInterval) || err.Error() != want {
		t.Errorf("a delay over the bound: %v, want %s", err, want)
	}
	if _, err := s.Schedule(0, nil); !errors.Is(err, simulation.ErrNoAction) {
		t.Errorf("no action: %v", err)
	}
	s.RunUntil(50)
	_, err = s.ScheduleAt(49, nothing)
	if want := "simulation: event in the past: tick 49 is before tick 50"; !errors.Is(err, simulation.ErrPast) || err.Error() != want {
		t.Errorf("the past: %v, want %s", err, want)
	}
	if _, err := s.ScheduleAt(50, nothing); err != nil {
		t.Errorf("the present: %v", err)
	}
	if got := s.Counts().Scheduled; got != 2 || s.Pending() != 2 {
		t.Errorf("%d scheduled, %d pending, want 2: a refusal changes nothing", got, s.Pending())
	}

	if _, err := simulation.New(nil, simulation.Config{}); err == nil {
		t.Error("no module was accepted")
	}
	if _, err := simulation.New(wheel, simulation.Config{}); err == nil || !strings.Contains(err.Error(), "holds 1 timers") {
		t.Errorf("a module that is not empty: %v", err)
	}
	if _, err := simulation.New(bare{newList(t)}, simulation.Config{}); !errors.Is(err, simulation.ErrCannotJump) {
		t.Errorf("a module that cannot jump: %v", err)
	}
	if _, err := simulation.New(newList(t), simulation.Config{Flow: 2}); err == nil {
		t.Error("an unknown flow was accepted")
	}
}

func TestPanicInAnEvent(t *testing.T) {
	s := newSimulation(t, newList(t), simulation.Jump)
	schedule(t, s, 1, func() { panic("the model's") })
	ran := false
	schedule(t, s, 1, func() { ran = true })
	func() {
		defer func() {
			if r := recover(); r != "the model's" {
				t.Errorf("recovered %v", r)
			}
		}()
		s.Run()
	}()
	if !s.Run() || !ran || s.Pending() != 0 {
		t.Error("the other events did not survive the panic of one")
	}
}

func TestRunFromInsideAnEvent(t *testing.T) {
	s := newSimulation(t, newList(t), simulation.Jump)
	schedule(t, s, 1, func() { s.Run() })
	defer func() {
		if recover() == nil {
			t.Error("a run inside a run did not panic")
		}
	}()
	s.Run()
}

// A long chain of events, within one tick or over many, takes no more memory than
// a short one.
func TestChainsRunInConstantMemory(t *testing.T) {
	for _, delay := range []timer.Tick{0, 1} {
		allocs := func(length int) float64 {
			return testing.AllocsPerRun(5, func() {
				s := newSimulation(t, newList(t), simulation.Jump)
				left := length
				var again func()
				again = func() {
					if left--; left > 0 {
						s.Schedule(delay, again)
					}
				}
				schedule(t, s, delay, again)
				s.Run()
			})
		}
		if short, long := allocs(10), allocs(100_000); long > short {
			t.Errorf("delay %d: %v allocations for 10 events, %v for 100,000", delay, short, long)
		}
	}
}

// The engine needs package timer and the standard library, no more: not gonum,
// and no scheme.
func TestDependencies(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	const module = "github.com/timerfacility/timer"
	if got, want := strings.Fields(string(out)), []string{module, module + "/simulation"}; !slices.Equal(got, want) {
		t.Errorf("the engine needs %v, want %v", got, want)
	}
}

// Events per second on each event list, with 1000 events pending and 1000 ticks
// of delay on average.
func BenchmarkRun(b *testing.B) {
	for _, l := range eventlists.All() {
		for name, flow := range flows {
			b.Run(fmt.Sprintf("scheme=%s/flow=%s", l.Name, name), func(b *testing.B) {
				s := newSimulation(b, l.New(), flow)
				r := rand.New(rand.NewPCG(1, 1))
				var again func()
				again = func() { s.Schedule(timer.Tick(r.Uint64N(2000)), again) }
				for range 1000 {
					again()
				}
				began := s.Counts().Performed
				for b.Loop() {
					s.RunUntil(s.Now() + 1000)
				}
				b.ReportMetric(float64(s.Counts().Performed-began)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}
