package queue

import (
	"fmt"
	"slices"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation"
)

// Unlimited is the number of servers with which everybody is served at once.
const Unlimited = -1

// StationConfig says how a Station is made. Only Service is required.
type StationConfig struct {
	// Interarrival draws the ticks until the next arrival. Without it, customers
	// come by Arrive alone.
	Interarrival func() timer.Tick

	// Service draws the ticks that one service takes.
	Service func() timer.Tick

	Servers  int    // default 1; or Unlimited
	Capacity int    // customers that there is room for, those in service included; default no bound
	Served   func() // is called when a service ends, as by the arrival at the next station
}

// A Station is a queue with its servers, first come, first served, in a
// simulation. It is not safe for concurrent use.
type Station struct {
	sim    *simulation.Simulation
	cfg    StationConfig
	arrive func()
	err    error

	number  int
	waiting []timer.Tick // when those that wait arrived
	head    int          // the first of them
	idle    []*server
	servers int // idle or busy

	seen  Observation
	since timer.Tick // up to which seen.at is kept
	stay  timer.Tick // of those served, in all
	wait  timer.Tick // of those whose service began, in all
	began uint64
}

// A server keeps the one that it serves.
type server struct {
	arrived timer.Tick
	done    func()
}

// NewStation makes a station and schedules its first arrival. A configuration
// without Service, a number of servers under 1 that is not Unlimited, and a
// negative capacity are errors.
func NewStation(sim *simulation.Simulation, cfg StationConfig) (*Station, error) {
	if cfg.Service == nil {
		return nil, fmt.Errorf("queue: a station needs Service")
	}
	if cfg.Servers == 0 {
		cfg.Servers = 1
	}
	if cfg.Servers < 1 && cfg.Servers != Unlimited {
		return nil, fmt.Errorf("queue: Servers %d is neither 1 or more nor Unlimited", cfg.Servers)
	}
	if cfg.Capacity < 0 {
		return nil, fmt.Errorf("queue: Capacity %d is negative", cfg.Capacity)
	}
	s := &Station{sim: sim, cfg: cfg, since: sim.Now()}
	if cfg.Interarrival != nil {
		s.arrive = func() {
			s.Arrive()
			s.schedule(cfg.Interarrival(), s.arrive)
		}
		s.schedule(cfg.Interarrival(), s.arrive)
	}
	return s, s.err
}

// schedule keeps the first refusal of the event list, and stops the simulation.
func (s *Station) schedule(delay timer.Tick, action func()) {
	if _, err := s.sim.Schedule(delay, action); err != nil && s.err == nil {
		s.err = err
		s.sim.Stop()
	}
}

// Err is the error for which the station stopped the simulation, a delay that its
// event list does not take; nil if there is none.
func (s *Station) Err() error { return s.err }

// Number is how many are in the station, those in service included.
func (s *Station) Number() int { return s.number }

// Arrive lets one customer arrive now, and reports whether there was room.
func (s *Station) Arrive() bool {
	s.seen.Arrived++
	if s.cfg.Capacity > 0 && s.number == s.cfg.Capacity {
		s.seen.Lost++
		return false
	}
	s.change(+1)
	if sv := s.free(); sv != nil {
		s.serve(sv, s.sim.Now())
	} else {
		s.waiting = append(s.waiting, s.sim.Now())
	}
	return true
}

// free is an idle server, a new one if there may be more, or nil.
func (s *Station) free() *server {
	if last := len(s.idle) - 1; last >= 0 {
		sv := s.idle[last]
		s.idle = s.idle[:last]
		return sv
	}
	if s.servers == s.cfg.Servers {
		return nil
	}
	s.servers++
	sv := &server{}
	sv.done = func() { s.leave(sv) }
	return sv
}

func (s *Station) serve(sv *server, arrived timer.Tick) {
	sv.arrived = arrived
	s.began++
	s.wait += s.sim.Now() - arrived
	s.schedule(s.cfg.Service(), sv.done)
}

func (s *Station) leave(sv *server) {
	s.change(-1)
	s.seen.Served++
	s.stay += s.sim.Now() - sv.arrived
	if s.head < len(s.waiting) {
		arrived := s.waiting[s.head]
		if s.head++; s.head > len(s.waiting)/2 {
			s.waiting, s.head = slices.Delete(s.waiting, 0, s.head), 0
		}
		s.serve(sv, arrived)
	} else {
		s.idle = append(s.idle, sv)
	}
	if s.cfg.Served != nil {
		s.cfg.Served()
	}
}

// change adds d to the number, after it has stood as it is until now.
func (s *Station) change(d int) {
	s.hold()
	s.number += d
}

func (s *Station) hold() {
	for len(s.seen.at) <= s.number {
		s.seen.at = append(s.seen.at, 0)
	}
	now := s.sim.Now()
	s.seen.at[s.number] += now - s.since
	s.seen.Ticks += now - s.since
	s.since = now
}

// Observe is what happened since the last Observe, or since NewStation, and
// begins another observation. O(most that were in the station).
func (s *Station) Observe() Observation {
	s.hold()
	o := s.seen
	if o.Served > 0 {
		o.Time = float64(s.stay) / float64(o.Served)
	}
	if s.began > 0 {
		o.TimeInQueue = float64(s.wait) / float64(s.began)
	}
	for n, ticks := range o.at {
		share := float64(ticks) / float64(max(o.Ticks, 1))
		o.Number += float64(n) * share
		if s.cfg.Servers != Unlimited {
			o.NumberInQueue += float64(max(n-s.cfg.Servers, 0)) * share
		}
	}
	s.seen, s.stay, s.wait, s.began = Observation{}, 0, 0, 0
	return o
}

// An Observation is what was seen of a station for some time.
type Observation struct {
	Ticks                 timer.Tick // how long
	Arrived, Lost, Served uint64     // customers; those lost have arrived

	Number        float64 // mean over time, those in service included
	NumberInQueue float64 // mean over time of those that wait
	Time          float64 // mean ticks from arrival to departure, of those served
	TimeInQueue   float64 // mean ticks from arrival to the start of service, of those whose service began

	at []timer.Tick // how long each number was in the station
}

// AtLeast is the share of the time in which k or more were in the station. O(k).
func (o Observation) AtLeast(k int) float64 {
	if o.Ticks == 0 {
		return 0
	}
	var under timer.Tick
	for n := range min(max(k, 0), len(o.at)) {
		under += o.at[n]
	}
	return float64(o.Ticks-under) / float64(o.Ticks)
}

// Little checks the observation by Little's law: it is how much the mean number
// differs from the rate of departures times the mean time, as a share of the
// number. It is exactly 0, but for rounding, if the station is empty at both
// ends, and goes to 0 with the length of an observation that is not.
func (o Observation) Little() float64 {
	if o.Number == 0 {
		return 0
	}
	return (o.Number - float64(o.Served)/float64(o.Ticks)*o.Time) / o.Number
}
