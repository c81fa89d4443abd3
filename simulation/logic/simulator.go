package logic

import (
	"fmt"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation"
)

// A Delay is how many ticks, at least one, a gate takes.
type Delay func(g Gate) timer.Tick

// UnitDelay is one tick for every gate.
func UnitDelay(Gate) timer.Tick { return 1 }

// FaninDelay is one tick for each input of the gate.
func FaninDelay(g Gate) timer.Tick { return timer.Tick(len(g.Inputs)) }

// Config says how a Simulator is made. Its zero value works.
type Config struct {
	Delay Delay           // default UnitDelay
	Flow  simulation.Flow // default simulation.Jump

	// Changed, if it is not nil, is told of every change of a signal, inputs
	// too, when it happens: the gate that drives it, and its new value.
	Changed func(gate int, value bool)
}

// Counts is what a Simulator did. Every change scheduled is performed or
// cancelled, once the circuit is settled.
type Counts struct {
	Scheduled   uint64 // changes of gates' outputs scheduled
	Performed   uint64 // of those, how many happened
	Cancelled   uint64 // of those, how many an inertial gate took back
	Evaluations uint64 // gates evaluated
}

// A Simulator is a circuit in time. At first its inputs are false, and its gates
// have what that leads to. It is not safe for concurrent use.
type Simulator struct {
	circuit *Circuit
	sim     *simulation.Simulation
	changed func(int, bool)
	err     error

	delays  []timer.Tick
	fanout  [][]int // the gates that see a gate's signal
	values  []bool
	pending []simulation.Event // the change of each signal that is to come
	change  []func()           // what that change does

	touched  []int // gates that are to be evaluated in this tick
	isIn     []bool
	evaluate func()
	counts   Counts
}

// NewSimulator makes a simulator with module as its event list, under the rules
// of [simulation.New]. A gate with delay 0 is an error. O(gates).
func NewSimulator(c *Circuit, module timer.Timer[int], cfg Config) (*Simulator, error) {
	sim, err := simulation.New(module, simulation.Config{Flow: cfg.Flow})
	if err != nil {
		return nil, err
	}
	if cfg.Delay == nil {
		cfg.Delay = UnitDelay
	}
	if cfg.Changed == nil {
		cfg.Changed = func(int, bool) {}
	}
	n := len(c.Gates)
	s := &Simulator{
		circuit: c,
		sim:     sim,
		changed: cfg.Changed,
		delays:  make([]timer.Tick, n),
		fanout:  make([][]int, n),
		values:  make([]bool, n),
		pending: make([]simulation.Event, n),
		change:  make([]func(), n),
		isIn:    make([]bool, n),
	}
	s.evaluate = s.evaluateTouched
	for i, g := range c.Gates {
		if g.Kind == Input {
			continue
		}
		if s.delays[i] = cfg.Delay(g); s.delays[i] == 0 {
			return nil, fmt.Errorf("logic: gate %s has delay 0, and must have 1 or more", g.Name)
		}
		for _, input := range g.Inputs {
			s.fanout[input] = append(s.fanout[input], i)
		}
		s.change[i] = func() {
			s.pending[i] = simulation.Event{}
			s.counts.Performed++
			s.flip(i)
		}
	}
	c.settle(s.values)
	return s, nil
}

// Now is the simulated time in ticks.
func (s *Simulator) Now() timer.Tick { return s.sim.Now() }

// Counts is what was done since NewSimulator.
func (s *Simulator) Counts() Counts { return s.counts }

// Set gives the inputs values, now. It panics if there are not as many values as
// inputs. O(inputs), and what those lead to that change.
func (s *Simulator) Set(inputs []bool) {
	s.circuit.mustMatch(inputs)
	for i, v := range inputs {
		if gate := s.circuit.Inputs[i]; s.values[gate] != v {
			s.flip(gate)
		}
	}
}

// Settle runs until no change is to come. The error is a delay that the event
// list does not take; the simulator is of no use after it.
func (s *Simulator) Settle() error {
	s.sim.Run()
	return s.err
}

// Outputs are the values of the outputs now. O(outputs).
func (s *Simulator) Outputs() []bool { return pick(s.values, s.circuit.Outputs) }

// flip changes a signal. The gates that see it are evaluated when all signals of
// this tick have changed.
func (s *Simulator) flip(gate int) {
	s.values[gate] = !s.values[gate]
	s.changed(gate, s.values[gate])
	for _, g := range s.fanout[gate] {
		if s.isIn[g] {
			continue
		}
		s.isIn[g] = true
		if s.touched = append(s.touched, g); len(s.touched) == 1 {
			s.schedule(0, s.evaluate)
		}
	}
}

func (s *Simulator) evaluateTouched() {
	for _, g := range s.touched {
		s.isIn[g] = false
		s.counts.Evaluations++
		wants := s.circuit.Gates[g].value(s.values)
		switch pending := s.pending[g] != (simulation.Event{}); {
		case !pending && wants != s.values[g]:
			s.pending[g] = s.schedule(s.delays[g], s.change[g])
			s.counts.Scheduled++
		case pending && wants == s.values[g]:
			s.sim.Cancel(s.pending[g])
			s.pending[g] = simulation.Event{}
			s.counts.Cancelled++
		}
	}
	s.touched = s.touched[:0]
}

func (s *Simulator) schedule(delay timer.Tick, action func()) simulation.Event {
	e, err := s.sim.Schedule(delay, action)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("logic: %w", err)
		s.sim.Stop()
	}
	return e
}
