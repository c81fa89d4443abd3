package bench

import (
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
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
	for _, key := range []string{"2", "4", "6", "7"} {
		var ran [2][]timer.Tick
		var steps [2]uint64
		for i, skip := range []bool{false, true} {
			m := l.module(SchemeNamed(key), 100, 50_000)
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
		r.Figures = append(r.Figures, agreement("events at other ticks, scheme "+key, wrong))
		r.Note += show("Scheme %s: %d ticks, or %d after jumps. ", key, steps[0], steps[1])
	}
	return r
}

func cycleWheels(l *Lab) Result {
	const slots = 64
	var r Result
	for _, every := range []int{slots, slots / 2, 1} {
		w := newCycleWheel(slots, every)
		random := rand.New(l.source("cycle wheels", 0))
		want := make(map[timer.Tick]int)
		wrong := 0
		for range 20_000 {
			interval := 1 + timer.Tick(random.ExpFloat64()*40)
			want[w.now+interval]++
			w.start(interval)
			ran := w.tick()
			for _, expiry := range ran {
				if expiry != w.now {
					wrong++
				}
			}
			if len(ran) != want[w.now] {
				wrong++
			}
		}
		r.Figures = append(r.Figures, agreement(show("events at a wrong tick, turned every %d of %d", every, slots), wrong))
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

// overflows counts, by position of the pointer, the starts of one timer a tick
// over whole turns, and those that overflow.
func overflows(d delay, every, laps int, src rand.Source) (byPosition []float64, share float64) {
	w := newCycleWheel(wheelSlots, every)
	r := rand.New(src)
	byPosition = make([]float64, wheelSlots)
	total := 0
	for range laps * wheelSlots {
		i := w.now % wheelSlots
		if w.start(d.draw(r)) {
			byPosition[i] += 1 / float64(laps)
			total++
		}
		w.tick()
	}
	return byPosition, ratio(total, laps*wheelSlots)
}

// expectedOverflow is the share of starts at position i that overflow.
func expectedOverflow(d delay, every, i int) float64 {
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
				_, share := overflows(d, turn.every, pick(l, 40, 100, 400), src)
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
			byPosition, _ := overflows(d, turn.every, pick(l, 50, 200, 800), src)
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

// lazyStops starts and stops a timer a thousand times beside one that stays: in a
// list that marks what is stopped, and in Scheme 2.
func lazyStops(l *Lab) Result {
	const k = 1000
	marked := newCycleWheel(wheelSlots, wheelSlots)
	m := l.use(ordered.New[int](ordered.Config{}))
	marked.start(100_000)
	begin(m, 100_000, 0)
	for range k {
		marked.start(50_000) // its STOP would only mark it
		m.StopTimer(begin(m, 50_000, 0))
		marked.tick()
		tick(m)
	}
	return Result{Headline: "1001 : 1", Figures: []Figure{
		exactly("records of the marking list after k = 1000 starts and stops", k+1, len(marked.overflow)),
		exactly("records of Scheme 2", 1, len(m.View().Lists[0].Timers)),
	}}
}
