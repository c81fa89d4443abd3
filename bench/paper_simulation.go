package bench

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation/wheels"
)

// simulationClaims are the claims about the wheels of logic simulators: sections
// 4.2 and IV.B.
func simulationClaims() []Claim {
	return []Claim{
		{
			ID: "D-1", Source: "1987 s. 4.2; 1997 s. IV.B",
			Title:   "advance: to the next event, or tick by tick",
			Text:    "Simulators advance their clock to the earliest event (GPSS, SIMULA), or by one unit until something is due (TEGAS, DECSIM).",
			Printed: "same events", Expect: Holds,
			Measure: jumpOrStep,
		},
		{
			ID: "D-2", Source: "1987 fig. 7; 1997 fig. 4",
			Title:   "TEGAS-2: array for a cycle, overflow list",
			Text:    "An array of N lists holds the events of the current cycle and one overflow list the others; at the end of the cycle the overflow list is searched for those of the next.",
			Printed: "right", Expect: Holds,
			Measure: cycleWheels,
		},
		{
			ID: "D-3", Source: "1987 s. 4.2; 1997 s. IV.B",
			Title:     "overflow gets likelier down the array",
			Text:      "As the pointer goes down the array, a new event is more and more likely to overflow.",
			Predicted: "i/N, uniform", Expect: Holds,
			Measure: overflowByPosition,
		},
		{
			ID: "D-4", Source: "1987 s. 4.2; 1997 s. IV.B",
			Title:     "DECSIM: half a turn reduces overflow",
			Text:      "DECSIM turns the wheel half-way, which reduces this and does not avoid it.",
			Predicted: "0.5 to 0.25", Expect: Holds, Effort: 0.5,
			Measure: overflowFractions,
		},
		{
			ID: "D-5", Source: "1987 s. 4.2; 1997 s. IV.B",
			Title:   "marking stopped timers grows without bound",
			Text:    "A simulator may mark a cancelled event and leave it; in a timer module with frequent STOP the memory would then grow far beyond the outstanding timers.",
			Printed: "k + 1 : 1", Expect: Holds,
			Measure: lazyStops,
		},
	}
}

func jumpOrStep(l *Lab) Result {
	var r Result
	for _, key := range []string{"2", "4", "6", "7", "tegas2", "decsim"} {
		list := eventListNamed(key)
		var ran [2][]timer.Tick
		var steps [2]uint64
		for i, skip := range []bool{false, true} {
			m := l.module(list, 100, 50_000)
			random := rand.New(l.source("jump or step", 0))
			for range 100 {
				if _, err := m.StartTimer(1+timer.Tick(random.IntN(40_000)), 0, func(int) { ran[i] = append(ran[i], m.Now()) }); err != nil {
					panic(err)
				}
			}
			for m.Len() > 0 {
				if skip {
					m.SkipTicks(m.IdleTicks())
				}
				tick(m)
			}
			steps[i] = m.Costs().Ticks
		}
		wrong := 0
		for i := range ran[0] {
			if ran[0][i] != ran[1][i] {
				wrong++
			}
		}
		r.Figures = append(r.Figures, agreement("events at other ticks, "+list.String(), wrong))
		r.Note += show("%v: %d ticks, or %d after jumps. ", list, steps[0], steps[1])
	}
	return r
}

// cycleWheels runs the simulators' wheels and Scheme 4 with an overflow list. A
// timer that overflowed is moved into the array at a turn, or runs at the turn
// itself, in slot 0 of TEGAS-2, or still waits.
func cycleWheels(l *Lab) Result {
	const slots = 64
	tegas := must(wheels.New[int](wheels.Config{Slots: slots, Kind: wheels.TEGAS2}))
	decsim := must(wheels.New[int](wheels.Config{Slots: slots, Kind: wheels.DECSIM}))
	scheme4 := must(basic.New[int](basic.Config{MaxInterval: slots, Overflow: true}))
	var r Result
	for _, w := range []struct {
		name       string
		module     Module
		overflowed func() uint64
	}{
		{"TEGAS-2", tegas, tegas.Overflowed},
		{"DECSIM", decsim, decsim.Overflowed},
		{"Scheme 4", scheme4, nil},
	} {
		m := l.use(w.module, nil)
		random := rand.New(l.source("cycle wheels", 0))
		want := make(map[timer.Tick]int)
		wrong, atTurn := 0, uint64(0)
		check := func(expiry int) {
			if timer.Tick(expiry) != m.Now() {
				wrong++
			}
		}
		for range 20_000 {
			expiry := m.Now() + 1 + timer.Tick(random.ExpFloat64()*40)
			want[expiry]++
			must(m.StartTimer(expiry-m.Now(), int(expiry), check))
			ran := tick(m)
			if ran != want[m.Now()] {
				wrong++
			}
			if w.name == "TEGAS-2" && m.Now()%slots == 0 {
				atTurn += uint64(ran)
			}
		}
		r.Figures = append(r.Figures, agreement("events at a wrong tick, "+w.name, wrong))
		if w.overflowed == nil {
			continue
		}
		waiting := uint64(0)
		for _, list := range m.View().Lists {
			if list.Kind == timer.InOverflow {
				waiting += uint64(len(list.Timers))
			}
		}
		r.Figures = append(r.Figures, exactly("timers that left the overflow list, "+w.name, w.overflowed()-waiting, m.Costs().Moves+atTurn))
	}
	return r
}

// A delay is a law of delays in a wheel of 256 slots: drawn, and as the
// probability to be at least k.
type delay struct {
	name    string
	draw    func(r *rand.Rand) timer.Tick
	atLeast func(k int) float64
}

const wheelSlots = 256

func delays() []delay {
	equal := func(name string, d int) delay {
		return delay{
			name, func(*rand.Rand) timer.Tick { return timer.Tick(d) },
			func(k int) float64 {
				if d >= k {
					return 1
				}
				return 0
			},
		}
	}
	exponential := func(name string, mean float64) delay {
		return delay{
			name, func(r *rand.Rand) timer.Tick { return 1 + timer.Tick(mean*r.ExpFloat64()) },
			func(k int) float64 { return math.Exp(-float64(k-1) / mean) },
		}
	}
	return []delay{
		{
			"uniform 1..N-1", func(r *rand.Rand) timer.Tick { return 1 + timer.Tick(r.IntN(wheelSlots-1)) },
			func(k int) float64 { return max(0, float64(wheelSlots-k)/(wheelSlots-1)) },
		},
		equal("constant N/8", wheelSlots/8),
		equal("constant N/2", wheelSlots/2),
		equal("constant N-1", wheelSlots-1),
		exponential("exponential, mean 16", 16),
		exponential("exponential, mean N", wheelSlots),
	}
}

// turns are the ways to turn the wheel.
var turns = []struct {
	name  string
	every int
}{{"whole (TEGAS-2)", wheelSlots}, {"half (DECSIM)", wheelSlots / 2}, {"every tick (Scheme 4)", 1}}

// A turned is a wheel of wheelSlots slots that counts what does not fit.
type turned struct {
	Module
	wheel   *wheels.Wheel[int] // nil for Scheme 4
	refused uint64
}

func newTurned(l *Lab, every int) *turned {
	if every == 1 {
		return &turned{Module: l.use(basic.New[int](basic.Config{MaxInterval: wheelSlots}))}
	}
	kind := wheels.TEGAS2
	if every < wheelSlots {
		kind = wheels.DECSIM
	}
	w := must(wheels.New[int](wheels.Config{Slots: wheelSlots, Kind: kind}))
	return &turned{Module: l.use(w, nil), wheel: w}
}

// start starts a timer. Scheme 4 has no overflow list here and refuses what does
// not fit.
func (t *turned) start(interval timer.Tick) {
	_, err := t.StartTimer(interval, 0, noAction)
	if t.wheel == nil && errors.Is(err, timer.ErrInterval) {
		t.refused++
		return
	}
	must(0, err)
}

// overflowed counts the timers that did not fit.
func (t *turned) overflowed() uint64 {
	if t.wheel == nil {
		return t.refused
	}
	return t.wheel.Overflowed()
}

// overflows counts, by position of the pointer, the starts of one timer a tick
// over whole turns, and those that overflow.
func overflows(l *Lab, d delay, every, laps int, src rand.Source) (byPosition []float64, share float64) {
	w := newTurned(l, every)
	r := rand.New(src)
	byPosition = make([]float64, wheelSlots)
	for range laps * wheelSlots {
		before := w.overflowed()
		i := w.Now() % wheelSlots
		w.start(d.draw(r))
		byPosition[i] += ratio(w.overflowed()-before, laps)
		tick(w)
	}
	return byPosition, ratio(w.overflowed(), w.Costs().Starts+w.refused)
}

// expectedOverflow is the share of starts at position i that overflow. The array
// covers less than its size with the slot of the pointer in use, and all of its
// size in Scheme 4, which has just emptied that slot.
func expectedOverflow(d delay, every, i int) float64 {
	if every == 1 {
		return d.atLeast(wheelSlots + 1)
	}
	return d.atLeast(wheelSlots - i%every)
}

func overflowFractions(l *Lab) Result {
	table := Table{
		Title:   "Share of new events that go to the overflow list, N = 256",
		Columns: []string{"delay", "turned", "theory", "measured"},
	}
	var r Result
	for _, d := range delays() {
		for _, turn := range turns {
			samples := repeat(l, "overflow "+d.name+turn.name, func(src rand.Source) float64 {
				_, share := overflows(l, d, turn.every, pick(l, 40, 100, 400), src)
				return share
			})
			theory := 0.0
			for i := range wheelSlots {
				theory += expectedOverflow(d, turn.every, i) / wheelSlots
			}
			f := number("share that overflows, "+d.name+", "+turn.name, none, theory, EstimateMean(samples), 1e-4)
			r.Figures = append(r.Figures, f)
			table.Rows = append(table.Rows, []string{d.name, turn.name, f.Predicted, f.Measured})
		}
	}
	r.Tables = []Table{table}
	r.Headline = show("%.3f to %.3f", r.Figures[0].Value, r.Figures[1].Value)
	return r
}

func overflowByPosition(l *Lab) Result {
	d := delays()[0]
	p := Plot{
		Name: "overflow", Title: "Overflow by position of the wheel, uniform delays",
		X: "position i of the pointer in the array of N = 256", Y: "share of new events that overflow",
	}
	var r Result
	for _, turn := range turns {
		const groups = 16
		measured, theory := Curve{Label: turn.name}, Curve{Label: "P(d >= N - i)"}
		samples := make([][]float64, wheelSlots/groups)
		slopes := repeat(l, "overflow by position "+turn.name, func(src rand.Source) float64 {
			byPosition, _ := overflows(l, d, turn.every, pick(l, 50, 200, 800), src)
			var x, y []float64
			for i, share := range byPosition[:turn.every] {
				x, y = append(x, float64(i)/wheelSlots), append(y, share)
			}
			for g := range samples {
				samples[g] = append(samples[g], mean(byPosition[g*groups:(g+1)*groups]))
			}
			if turn.every == 1 {
				return mean(byPosition)
			}
			return slope(x, y)
		})
		for g, s := range samples {
			measured.Points = append(measured.Points, at(float64(g)*groups+groups/2, EstimateMean(s)))
		}
		for i := range wheelSlots {
			theory.Points = append(theory.Points, at(float64(i), Exact(expectedOverflow(d, turn.every, i))))
		}
		p.Measured, p.Theory = append(p.Measured, measured), append(p.Theory, theory)
		if turn.every == 1 {
			r.Figures = append(r.Figures, number("overflow at any position, "+turn.name, none, 0, EstimateMean(slopes), 0))
		} else {
			r.Figures = append(r.Figures, number("rise of the overflow over i/N, "+turn.name, none, wheelSlots/(wheelSlots-1.0), EstimateMean(slopes), 0))
		}
	}
	r.Plots = []Plot{p}
	return r
}

// lazyStops starts and stops a timer a thousand times beside one that stays: in
// TEGAS-2's wheel as the simulators would use it, where a STOP marks the record
// and leaves it; in the same wheel with STOP_TIMER; and in Scheme 2.
func lazyStops(l *Lab) Result {
	const k = 1000
	records := func(m Module, marks bool) (n int) {
		begin(m, 100_000, 0)
		for range k {
			h := begin(m, 50_000, 0)
			if !marks {
				m.StopTimer(h)
			}
			tick(m)
		}
		for _, list := range m.View().Lists {
			n += len(list.Timers)
		}
		return n
	}
	wheel := func() Module { return l.use(wheels.New[int](wheels.Config{})) }
	return Result{Headline: "1001 : 1", Figures: []Figure{
		exactly("records of TEGAS-2's wheel after k = 1000 starts and stops that only mark", k+1, records(wheel(), true)),
		exactly("records of the wheel if STOP takes them out", 1, records(wheel(), false)),
		exactly("records of Scheme 2", 1, records(l.use(ordered.New[int](ordered.Config{})), false)),
	}}
}
