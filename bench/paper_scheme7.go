package bench

import (
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// clock is the paper's hierarchy: seconds, minutes, hours, days.
var clock = []int{60, 60, 24, 100}

const minute, hour, day = 60, 3600, 86400

// hierarchicalClaims are the claims about Scheme 7: sections 6.2 and VI.B.
func hierarchicalClaims() []Claim {
	return []Claim{
		{
			ID: "S7-1", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:   "244 slots instead of 8.64 million",
			Text:    "Arrays of 100 days, 24 hours, 60 minutes and 60 seconds have 244 slots, one array for 100 days in seconds 8.64 million.",
			Printed: "244", Expect: Holds,
			Measure: func(l *Lab) Result {
				m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock}))
				slots := 0
				for _, n := range m.View().Levels {
					slots += n
				}
				return Result{Figures: []Figure{
					exactly("slots", 244, slots),
					exactly("ticks that they cover", 8_640_000, m.MaxInterval()),
				}}
			},
		},
		{
			ID: "S7-2", Source: "1987 figs. 10, 11; 1997 figs. 7, 8",
			Title:   "the example: 50 min 45 s at 11 d 10:24:30",
			Text:    "At 11 d 10:24:30 a timer of 50 min 45 s goes one ahead of the hour pointer; at 11:00:00 it moves to minute 15, at 11:15:00 to second 15, and expires at 11:15:15.",
			Printed: "2130, 3030, 3045", Expect: Holds,
			Measure: exampleHierarchy,
		},
		{
			ID: "S7-3", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:     "internal 60 s, 60 min and 24 h timers",
			Text:      "Even with no timer of a user there is always a 60-second, a 60-minute and a 24-hour timer that moves the coarser hands.",
			Predicted: "0.01696 a tick", Expect: Holds,
			Measure: internalTimers,
		},
		{
			ID: "S7-4", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:   "Scheme 7: START O(m), STOP O(1)",
			Text:    "START is O(m) for m levels, with m from 2 to 5; STOP is O(1).",
			Printed: "O(m)", Expect: Holds,
			Measure: func(l *Lab) Result {
				m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock}))
				handles := fill(m, 1000, func(i int) float64 { return float64(1 + 8000*i) })
				for _, h := range handles {
					m.StopTimer(h)
				}
				return Result{
					Figures: append([]Figure{
						exactly("timers that START and STOP compare with or examine", 0, m.Costs().Compares+m.Costs().Visits),
						atMost("levels of the clock", 5, Exact(len(m.View().Levels))),
					}, cellFigures(l, "7")...),
					Times: cellTimes(l, "7"),
					Note:  "START looks at no other timer, at most at m levels; where all sizes are powers of two it takes the level from a table.",
				}
			},
		},
		{
			ID: "S7-5", Source: "1987 p. 32; 1997 p. 830",
			Title:   "work in a life: T/M against at most m",
			Text:    "Scheme 6 decrements a timer T/M times, Scheme 7 migrates it at most m times: n c(6)/M against n c(7) m/T per unit of time.",
			Printed: "T/M, <= m", Expect: Holds,
			Measure: workInALife,
		},
		{
			ID: "S7-6", Source: "1987 p. 32; 1997 p. 830",
			Title:   "small T, large M: Scheme 6; else Scheme 7",
			Text:    "For small T and large M Scheme 6 is better in START and PER_TICK; for large T and small M Scheme 7 is better in PER_TICK.",
			Printed: "T* <= m M", Predicted: "T* = 1.5 M", Expect: Holds,
			Measure: sixAgainstSeven,
		},
		{
			ID: "S7-7", Source: "1987 s. 6.2; 1997 s. VI.B, after Nichols",
			Title:   "no migration: precision loss up to 50 %",
			Text:    "If a timer is rounded to the unit of its level and never migrates, PER_TICK is cheaper, and up to 50 % of precision is lost.",
			Printed: "<= 0.5", Expect: Holds,
			Measure: func(l *Lab) Result { return precision(l, hierarchical.NoMigration, 0.5, 0.45, 0) },
		},
		{
			ID: "S7-8", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:     "one migration: less is lost",
			Text:      "Exactly one migration, to the next finer list, improves the precision.",
			Predicted: "<= 1/48", Expect: Holds,
			Measure: func(l *Lab) Result { return precision(l, hierarchical.RoundOnce, 1.0/48, 1.0/60, 1) },
		},
		{
			ID: "S7-9", Source: "1987 s. 6.2; 1997 s. IX",
			Title:   "insertion is logarithmic, with small constants",
			Text:    "Scheme 7 is like a radix sort: insertion is essentially logarithmic, as in a heap, with apparently better constants.",
			Printed: "O(log T)", Expect: Holds,
			Measure: radixSort,
		},
	}
}

func exampleHierarchy(l *Lab) Result {
	const now, interval = 11*day + 10*hour + 24*minute + 30, 50*minute + 45
	m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock, Now: now}))
	begin(m, interval, 0)
	var moved []int
	var slots []int
	for t := 1; t <= 4000 && m.Len() > 0; t++ {
		before := m.Costs().Moves
		expired := tick(m)
		if m.Costs().Moves > before || expired > 0 {
			moved = append(moved, t)
		}
		if m.Costs().Moves > before {
			slots = append(slots, m.View().Lists[0].Slot)
		}
	}
	moved = append(moved, 0, 0, 0)
	slots = append(slots, 0, 0)
	return Result{Headline: show("%d, %d, %d", moved[0], moved[1], moved[2]), Figures: []Figure{
		exactly("tick of the move to the minutes", 2130, moved[0]),
		exactly("slot of the minutes", 15, slots[0]),
		exactly("tick of the move to the seconds", 3030, moved[1]),
		exactly("slot of the seconds", 15, slots[1]),
		exactly("tick of the expiry", 3045, moved[2]),
		exactly("migrations", 2, m.Costs().Moves),
	}}
}

// internalTimers starts the three timers as a user would, for ten days.
func internalTimers(l *Lab) Result {
	m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock}))
	const days = 10
	expired := 0
	var again timer.ExpiryAction[int]
	again = func(interval int) {
		expired++
		must(m.StartTimer(timer.Tick(interval), interval, again))
	}
	for _, interval := range []int{minute, hour, day} {
		must(m.StartTimer(timer.Tick(interval), interval, again))
	}
	timer.AdvanceTo(m, days*day, timer.All)
	return Result{
		Figures: []Figure{number("expiries of the three timers, a tick", none, 1.0/minute+1.0/hour+1.0/day, Exact(ratio(expired, days*day)), 0)},
		Note:    "The module here needs none of them: it looks at a coarser level whenever the finer one has gone round.",
	}
}

// touches runs a load and gives how often a timer is visited in its life, and how
// often it migrates, with intervals uniform in 1 to 2T-1.
func touches(m Module, mean float64, timers int, src rand.Source) (visits, moves float64) {
	d := newLoad(m, LawNamed("uniform(0, 2)"), 64, mean, src)
	uniform := rand.New(src)
	for i := range timers {
		d.arrive()
		begin(m, 1+timer.Tick(uniform.Uint64N(uint64(2*mean)-1)), i)
	}
	timer.AdvanceTo(m, m.Now()+timer.Tick(2*mean), timer.All)
	c := m.Costs()
	return ratio(c.Visits, c.Expiries), ratio(c.Moves, c.Expiries)
}

func workInALife(l *Lab) Result {
	const slots, t = 256, 65536
	wheel := repeat(l, "S7-5", func(src rand.Source) float64 {
		m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: slots}))
		visits, _ := touches(m, t, 200, src)
		return visits
	})
	most := uint64(0)
	r := rand.New(l.source("S7-5 most", 0))
	for range 2000 {
		m := must(hierarchical.New[int](hierarchical.Config{Levels: clock, Now: timer.Tick(r.IntN(10 * day))}))
		begin(m, 1+timer.Tick(r.IntN(8_000_000)), 0)
		timer.AdvanceTo(m, m.Now()+8_000_000, timer.All)
		most = max(most, m.Costs().Visits)
	}
	return Result{Figures: []Figure{
		number("visits of Scheme 6 to a timer of mean life T, over T/M, T = 256 M", 1, none, ratioOf(EstimateMean(wheel), t/slots), 0.01),
		atMost("most visits of Scheme 7 to a timer, m = 4", 4, Exact(most)),
	}}
}

// ratioOf is the estimate e over a constant.
func ratioOf(e Estimate, c float64) Estimate { return Estimate{e.Mean / c, e.Lo / c, e.Hi / c} }

func sixAgainstSeven(l *Lab) Result {
	pairs := []struct {
		slots  int
		levels []int
		name   string
	}{
		{256, clock, "60, 60, 24, 100"},
		{1024, []int{256, 256, 256, 256}, "256, 256, 256, 256"},
	}
	var r Result
	table := Table{
		Title:   "Visits to a timer in its life, mean interval T",
		Columns: []string{"T"},
		Note:    "Theory for Scheme 6: the mean of ceil(interval/TableSize).",
	}
	var means []int
	for t := 64; t <= pick(l, 4096, 16384, 65536); t *= 4 {
		means = append(means, t)
		for _, more := range []int{t * 3 / 2, t * 2, t * 3} {
			if t >= 256 && t <= 1024 {
				means = append(means, more)
			}
		}
	}
	rows := make([][]string, len(means))
	for i, t := range means {
		rows[i] = []string{show("%d", t)}
	}
	for _, pair := range pairs {
		table.Columns = append(table.Columns, show("6, M = %d: theory", pair.slots), "measured", "7, "+pair.name)
		p := Plot{
			Name: show("six-seven-%d", pair.slots), Title: show("Schemes 6 and 7, %d slots", pair.slots),
			X: "mean interval T (ticks)", Y: "visits to a timer in its life", LogX: true, LogY: true,
		}
		six, seven := Curve{Label: "Scheme 6"}, Curve{Label: "Scheme 7, " + pair.name}
		theory := Curve{Label: "T/M + 1/2"}
		var differences [][]float64 // by T, by repetition
		for i, t := range means {
			timers := pick(l, 300, 600, 2000)
			moves, visitsOf6 := 0.0, repeat(l, show("six %d %d", pair.slots, t), func(src rand.Source) float64 {
				visits, _ := touches(l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: pair.slots})), float64(t), timers, src)
				return visits
			})
			visitsOf7 := repeat(l, show("seven %d %d", pair.slots, t), func(src rand.Source) float64 {
				visits, moved := touches(l.use(hierarchical.New[int](hierarchical.Config{Levels: pair.levels})), float64(t), timers, src)
				moves = max(moves, moved)
				return visits
			})
			a, b := EstimateMean(visitsOf6), EstimateMean(visitsOf7)
			exact := 0.0
			for interval := 1; interval < 2*t; interval++ {
				exact += float64((interval + pair.slots - 1) / pair.slots)
			}
			exact /= float64(2*t - 1)
			f := number(show("visits of Scheme 6, M = %d, T = %d", pair.slots, t), none, exact, a, 0)
			r.Figures = append(r.Figures, f,
				atMost(show("migrations in Scheme 7, %s, T = %d", pair.name, t), 3, Exact(moves)))
			rows[i] = append(rows[i], f.Predicted, show("%.2f", a.Mean), show("%.2f", b.Mean))
			six.Points, seven.Points = append(six.Points, at(float64(t), a)), append(seven.Points, at(float64(t), b))
			theory.Points = append(theory.Points, at(float64(t), Exact(exact)))
			difference := make([]float64, len(visitsOf6))
			for k := range difference {
				difference[k] = visitsOf6[k] - visitsOf7[k]
			}
			differences = append(differences, difference)
		}
		crossings := make([]float64, len(differences[0]))
		for k := range crossings {
			for i := 1; i < len(means); i++ {
				before, after := differences[i-1][k], differences[i][k]
				if before < 0 && after >= 0 {
					from, to := float64(means[i-1]), float64(means[i])
					crossings[k] = (from + (to-from)*before/(before-after)) / float64(pair.slots)
				}
			}
		}
		crossing := EstimateMean(crossings)
		r.Figures = append(r.Figures,
			atMost(show("mean interval from which Scheme 7 visits less, over M = %d", pair.slots), 4, crossing),
			number(show("the same, M = %d", pair.slots), none, 1.5, crossing, 0.15))
		r.Headline = show("T* = %.2f M", crossing.Mean)
		p.Measured, p.Theory = []Curve{six, seven}, []Curve{theory}
		r.Plots = append(r.Plots, p)
	}
	table.Rows = rows
	r.Tables = []Table{table}
	r.Note = "The printed bound T* = m M supposes m migrations; there are fewer, and Scheme 6 has half a visit more, so schemes 6 and 7 cross earlier, near 1.5 M."
	return r
}

// precision measures the error of rounded timers over their interval, of a minute
// to ten days, from any phase.
func precision(l *Lab, p hierarchical.Precision, bound, least float64, moves uint64) Result {
	r := rand.New(l.source("precision", int(p)))
	worst, sum, most := 0.0, 0.0, uint64(0)
	tries := pick(l, 5000, 20_000, 100_000)
	for range tries {
		now := timer.Tick(r.IntN(20 * day))
		interval := timer.Tick(minute * math.Exp(r.Float64()*math.Log(10*day/minute)))
		m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock, Precision: p, Now: now}))
		h := begin(m, interval, 0)
		expiry, _ := m.ExpiryOf(h)
		ran := now
		for m.Len() > 0 {
			m.SkipTicks(m.IdleTicks())
			tick(m)
			ran = m.Now()
		}
		if ran != expiry {
			worst = 1 // it does not run when it says
		}
		e := math.Abs(float64(ran)-float64(now+interval)) / float64(interval)
		worst, sum = max(worst, e), sum+e
		most = max(most, m.Costs().Moves)
	}
	return Result{
		Figures: []Figure{
			atMost("largest error over the interval", bound, Exact(worst)),
			atLeast("largest error over the interval", least, Exact(worst)),
			atMost("most migrations", float64(moves), Exact(most)),
		},
		Note: show("The mean error is %.4f of the interval.", sum/float64(tries)),
	}
}

// radixSort measures how the migrations of a timer grow with its interval, in a
// hierarchy of many small levels.
func radixSort(l *Lab) Result {
	levels := make([]int, 12)
	for i := range levels {
		levels[i] = 4
	}
	var x, y []float64
	p := Plot{
		Name: "radix", Title: "Scheme 7 as a radix sort, levels of 4", X: "mean interval T (ticks)", Y: "migrations of a timer",
		LogX: true,
	}
	c, theory := Curve{Label: "measured"}, Curve{Label: "3/4 for each level"}
	for t := 16; t <= 1<<20; t *= 4 {
		var samples []float64
		for k := range 4 {
			m := l.use(hierarchical.New[int](hierarchical.Config{Levels: levels}))
			_, moves := touches(m, float64(t), pick(l, 500, 1000, 4000), l.source("radix", t+k))
			samples = append(samples, moves)
			x, y = append(x, float64(t)), append(y, moves)
		}
		c.Points = append(c.Points, at(float64(t), Exact(mean(samples))))
		theory.Points = append(theory.Points, at(float64(t), Exact(c.Points[0].Y+0.75*math.Log(float64(t)/16)/math.Log(4))))
	}
	p.Measured, p.Theory = []Curve{c}, []Curve{theory}
	const n = 4096
	_, wheel := touches(l.use(hierarchical.New[int](hierarchical.Config{})), 8*n, 2000, l.source("radix", 0))
	compared := averageStart(l, SchemeNamed("3"), n, l.source("radix", 1))
	return Result{
		Figures: []Figure{
			growth("growth of a timer's migrations with its interval T, levels of 4", Logarithmic, Logarithmic, FitGrowth(x, y)),
			atMost("timers touched for one timer, Scheme 7 (256 a level) over B-tree, n = 4096", 1, Exact((1+wheel)/(1+compared))),
		},
		Times: cellTimes(l, "3heap", "7"),
		Plots: []Plot{p},
	}
}
