package bench

import (
	"math"
	"math/rand/v2"

	"github.com/timerfacility/timer"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// errata are the errors in the papers, and in what is told of them, with the
// claim as printed and as corrected.
func errata() []Claim {
	return []Claim{
		{
			ID: "E1", Source: "1987 p. 27; 1997 p. 826",
			Title:   "Scheme 2: the two laws' labels are swapped",
			Text:    "A search from the front costs 2 + 2n/3 under exponential intervals and 2 + n/2 under uniform ones; one from the rear 2 + n/3 under exponential ones.",
			Printed: "2/3, 1/2; 1/3", Predicted: "1/2, 2/3; 1/2", Expect: Corrected, Effort: 0.7,
			Why:     "A queued timer expires before a new one with probability E[min(X1, X2)]/E[X] = 1 - G, with G the Gini coefficient of the law: 1/2 for the exponential, 2/3 for the uniform law. From the rear it is G: 1/2 and 1/3.",
			Measure: allInsertionCosts,
		},
		{
			ID: "E2", Source: "1987 s. 6.1; 1997 s. VI.A",
			Title:   "exact multiples of the table size",
			Text:    "The slot is the interval modulo TableSize from now, the stored count the interval divided by TableSize, decremented at each visit.",
			Printed: "j div M", Predicted: "(j-1) div M", Expect: Corrected,
			Why:     "Read as \"expire if 0, else decrement\", a multiple of the table size is a turn late; read as \"decrement, then expire at 0\", all others over it are a turn early. The count has to be (interval-1) div TableSize.",
			Measure: exactMultiples,
		},
		{
			ID: "E3", Source: "1987 s. 3.2; 1997 s. III.B",
			Title:   "Scheme 2 stops at a head \"strictly less\"",
			Text:    "A tick deletes heads until the head's time is strictly less than the time of day.",
			Printed: "less", Predicted: "greater", Expect: Corrected,
			Why:     "It has to be strictly greater: as printed, a head that is overdue ends the tick, and one in the future is deleted.",
			Measure: strictlyLess,
		},
		{
			ID: "E4", Source: "1987 s. 5; 1997 s. V",
			Title:   "the largest interval of Scheme 4",
			Text:    "Intervals have to be less than MaxInterval, in an array from 0 to MaxInterval-1.",
			Printed: "< MaxInterval", Predicted: "<= MaxInterval", Expect: Corrected,
			Why:     "An interval of exactly MaxInterval fits as well: its slot is the one that has just been emptied. An interval of 0 does not: it would expire a whole turn late.",
			Measure: largestInterval,
		},
		{
			ID: "E5", Source: "1997 s. IX",
			Title:   "the array needs Max + 1 slots",
			Text:    "A circular array of size Max is enough where insertions are within Max of the last minimum.",
			Printed: "Max", Predicted: "Max + 1", Expect: Corrected,
			Why: "If min + Max is inserted while the bucket of min is still in use, it falls into that bucket: a plain array of Max buckets breaks. It needs one slot more, or must take the bucket out first, as Scheme 4 does here, which so gets by with Max slots.",
			Measure: func(l *Lab) Result {
				const longest = 8
				g := randomGraph(2000, 4, longest, l.source("E5", 0))
				m := l.use(basic.New[int](basic.Config{MaxInterval: longest}))
				return Result{Figures: []Figure{
					refuted("vertices out of order, buckets in Max slots", outOfOrder(g, longest)),
					agreement("vertices out of order, buckets in Max + 1 slots", outOfOrder(g, longest+1)),
					agreement("distances other than with a heap, Scheme 4", unequal(byWheel(g, m), byHeap(g))),
					exactly("slots of Scheme 4, for Max = 8", longest, m.View().Levels[0]),
				}}
			},
		},
		{
			ID: "E6", Source: "1987 s. 6.1.1; 1997 s. VI.A.1",
			Title:   "Scheme 5 decrements the top of the list",
			Text:    "Each record stores its own high-order bits, and a tick decrements those of the head of the list only.",
			Printed: "head's count", Predicted: "expiry, compared", Expect: Corrected,
			Why:     "The counts of the others then stay too high. It works with absolute expiries, as here, or with differences, as in the old callouts of BSD.",
			Measure: headOnly,
		},
		{
			ID: "E7", Source: "1987 s. 7, p. 33",
			Title:   "4 + 15 n/TableSize is no steady state",
			Text:    "A tick of Scheme 6 costs 4 + 15 n/TableSize VAX instructions on average.",
			Printed: "4 + 15 n/M", Predicted: "4 + 6v + 9n/T", Expect: Corrected, Effort: 0.3,
			Why:     "That counts one scan in which all timers expire and none starts again. With n timers that start again, T the mean interval, v = n/M + n(M-1)/(2MT) are visited in a tick for T over M, and n/T for intervals up to M; n/T expire. The printed figure is an upper bound only for T of 4M/3 and more.",
			Measure: steadyStates,
		},
		{
			ID: "E8", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:   "the remainder \"of the seconds (15)\"",
			Text:    "When the hour expires, the remainder of the seconds (15) goes into the minute array.",
			Printed: "seconds", Predicted: "minutes", Expect: Corrected,
			Why:     "It is the 15 minutes that are the slot of the minute array; the 15 seconds stay in the record. The figures have it right.",
			Measure: minuteSlot,
		},
		{
			ID: "E9", Source: "1997 fig. 6; 1987 p. 25",
			Title:   "small slips: a last slot 256, and others",
			Text:    "The last slot of the table of 256 is labelled 256; the 1997 paper cites the first as pp. 171-180; an average list is printed i - 1/TableSize.",
			Printed: "256", Predicted: "255", Expect: Corrected,
			Why:     "The last slot is 255; the pages are 25-38; the average is (i-1)/TableSize, as S5-1 measures it.",
			Measure: lastSlot,
		},
		{
			ID: "E10", Source: "a summary of 1987 on the web, 2015",
			Title:   "storing the interval's remainder loses time",
			Text:    "An 11 h 15 min 15 s timer goes 11 ahead of the hour pointer and stores the interval's remainder, 15:15.",
			Printed: "0 s early", Predicted: "1470 s early", Expect: Corrected,
			Why:     "The hands move on the hour, not at the hour since the start: from 10:24:30 the timer runs at 21:15:15, 24 min 30 s early. The paper stores the remainder of the absolute expiry.",
			Measure: intervalRemainder,
		},
		{
			ID: "E11", Source: "1987 s. 6.2; 1997 s. VI.B",
			Title:   "Nichols' \"up to 50 %\" holds in one reading",
			Text:    "Without migration up to 50 % of precision is lost.",
			Printed: "<= 0.5", Predicted: "0.33 to 1", Expect: Corrected,
			Why:     "It holds where the level is that of the interval's size and the absolute expiry is rounded to the nearest unit. Rounding the interval to the nearest unit loses 1/3; a level chosen by the highest digit that changes loses up to everything: a timer near a boundary runs at once.",
			Measure: readingsOfNichols,
		},
		{
			ID: "E12", Source: "1987 fig. 6; 1997 table II",
			Title:   "unbalanced trees: O(log n) for one law only",
			Text:    "START of an unbalanced tree is O(log n), but where it degenerates, for example under equal intervals.",
			Printed: "O(log n)", Predicted: "sqrt n", Expect: DoesNotHold, Effort: 0.4,
			Why:     "It is logarithmic only under exponential intervals, which are memoryless. Under uniform ones it grows as the square root of n, and as n under equal ones.",
			Measure: treeGrowth,
		},
	}
}

// refuted counts the cases in which a recipe as printed goes wrong: theory says
// that there are some.
func refuted(name string, wrong int) Figure {
	return Figure{
		Name: name, Printed: "none", Predicted: "some", Measured: figure(float64(wrong)),
		Value: float64(wrong), Lo: float64(wrong), Hi: float64(wrong),
		AgreesPrinted: wrong == 0, AgreesPredicted: wrong > 0,
	}
}

// exactMultiples runs single timers of every interval up to four turns, from
// every phase: by the two readings of the printed recipe, and in Scheme 6.
func exactMultiples(l *Lab) Result {
	expireIfZero := func(j, size int) int { // the ticks after which it runs
		for t, count := 1+(j-1)%size, j/size; ; t += size {
			if count == 0 {
				return t
			}
			count--
		}
	}
	decrementFirst := func(j, size int) int {
		for t, count := 1+(j-1)%size, j/size; ; t += size {
			count--
			if count <= 0 {
				return t
			}
		}
	}
	late, early, wrong := 0, 0, 0
	for _, size := range []int{1, 2, 4, 256} {
		for j := 1; j <= 4*size+1; j++ {
			if expireIfZero(j, size) > j {
				late++
			}
			if decrementFirst(j, size) < j {
				early++
			}
			for phase := range min(size, 16) {
				now := timer.Tick(phase * max(1, size/16))
				m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: size, Now: now}))
				begin(m, timer.Tick(j), 0)
				for m.Len() > 0 {
					tick(m)
				}
				if m.Now() != now+timer.Tick(j) {
					wrong++
				}
			}
		}
	}
	return Result{Figures: []Figure{
		refuted("intervals that run late: j div M, expire if 0, else decrement", late),
		refuted("intervals that run early: j div M, decrement, expire at 0", early),
		agreement("timers at a wrong tick: (j-1) div M, from all phases", wrong),
	}}
}

// strictlyLess runs a tick with two timers overdue, two that expire now and one
// in the future: as printed, and in Scheme 2.
func strictlyLess(l *Lab) Result {
	const now = 10
	queue := []timer.Tick{8, 9, 10, 10, 12}
	deleted := 0
	for _, expiry := range queue {
		if expiry < now { // the printed condition to stop
			break
		}
		deleted++
	}
	m := l.use(ordered.New[int](ordered.Config{Now: now - 1}))
	for _, interval := range []timer.Tick{1, 1, 3} {
		begin(m, interval, 0)
	}
	expired := m.PerTickBookkeeping()
	head, _ := m.NextExpiry()
	return Result{Figures: []Figure{
		number("of four that are due, deleted at a tick as printed", 4, 0, Exact(deleted), 0),
		exactly("of two that are due, expired in Scheme 2", 2, expired),
		exactly("expiry of the one that stays", 12, head),
	}}
}

func largestInterval(l *Lab) Result {
	const longest = 16
	accepted := func(interval timer.Tick) (ok, wrong int) {
		for phase := range timer.Tick(longest) {
			m := l.use(basic.New[int](basic.Config{MaxInterval: longest, Now: phase}))
			if _, err := m.StartTimer(interval, 0, noAction); err != nil {
				continue
			}
			ok++
			for m.Len() > 0 {
				tick(m)
			}
			if m.Now() != phase+interval {
				wrong++
			}
		}
		return ok, wrong
	}
	var r Result
	for _, c := range []struct {
		name               string
		interval           timer.Tick
		printed, predicted float64
	}{
		{"0", 0, none, 0},
		{"1", 1, longest, none},
		{"MaxInterval-1", longest - 1, longest, none},
		{"MaxInterval", longest, 0, longest},
		{"MaxInterval+1", longest + 1, 0, none},
	} {
		ok, wrong := accepted(c.interval)
		r.Figures = append(r.Figures,
			number(show("phases of %d from which interval %s is accepted", longest, c.name), c.printed, c.predicted, Exact(ok), 0),
			agreement(show("of these at a wrong tick, interval %s", c.name), wrong))
	}
	return r
}

// headOnly keeps a bucket of timers in order of the turns that they have left and
// decrements the head's alone, beside Scheme 5, whose records hold the expiry.
func headOnly(l *Lab) Result {
	const size, n = 16, 20
	var turns []int // each timer's own, in order
	for i := range n {
		turns = append(turns, i/2)
	}
	late := 0
	for turn := 0; len(turns) > 0; turn++ {
		for len(turns) > 0 && turns[0] == 0 {
			turns = turns[1:]
			if due := (n - len(turns) - 1) / 2; turn > due {
				late++
			}
		}
		if len(turns) > 0 {
			turns[0]--
		}
	}
	m := l.module(SchemeNamed("5"), size, 0)
	wrong := 0
	for i := range n {
		at := timer.Tick(size * (i/2 + 1))
		must(m.StartTimer(at, 0, func(int) {
			if m.Now() != at {
				wrong++
			}
		}))
	}
	for m.Len() > 0 {
		tick(m)
	}
	return Result{Figures: []Figure{
		refuted("timers that run late, of 20 in a bucket", late),
		agreement("timers at a wrong tick in Scheme 5", wrong),
	}}
}

func minuteSlot(l *Lab) Result {
	const now, interval = 11*day + 10*hour + 24*minute + 30, 50*minute + 45
	m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock, Now: now}))
	h := begin(m, interval, 0)
	for m.Costs().Moves == 0 {
		tick(m)
	}
	list := m.View().Lists[0]
	expiry, _ := m.ExpiryOf(h)
	return Result{Figures: []Figure{
		number("level that the slot of 15 is in (0: seconds, 1: minutes)", 0, 1, Exact(list.Level), 0),
		exactly("slot", 15, list.Slot),
		exactly("seconds that are left for later", 15, expiry%minute),
	}}
}

func lastSlot(l *Lab) Result {
	m := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: 256}))
	fill(m, 256, func(i int) float64 { return float64(i + 1) })
	last := 0
	for _, list := range m.View().Lists {
		last = max(last, list.Slot)
	}
	return Result{Figures: []Figure{number("last slot of a table of 256", 256, 255, Exact(last), 0)}}
}

// intervalRemainder runs the recipe of the summary, and Scheme 7, for the same
// timer from every minute of a day.
func intervalRemainder(l *Lab) Result {
	const interval = 11*hour + 15*minute + 15
	recipe := func(now int) (expiry int) {
		// 11 steps of the hour hand, then 15 of the minute hand, then 15 seconds.
		hours := (now/hour + interval/hour) * hour
		return hours + interval%hour
	}
	wrong := 0
	for now := 0; now < day; now += minute + 7 {
		m := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock, Now: timer.Tick(now)}))
		begin(m, interval, 0)
		for m.Len() > 0 {
			m.SkipTicks(m.IdleTicks())
			tick(m)
		}
		if m.Now() != timer.Tick(now+interval) {
			wrong++
		}
	}
	const now = 10*hour + 24*minute + 30
	return Result{Figures: []Figure{
		number("seconds early, from 10:24:30", 0, 1470, Exact(now+interval-recipe(now)), 0),
		agreement("timers at a wrong tick in Scheme 7", wrong),
	}}
}

// readingsOfNichols gives the largest error over the interval for four readings
// of "round and never migrate".
func readingsOfNichols(l *Lab) Result {
	unit := func(interval float64) float64 {
		switch {
		case interval >= day:
			return day
		case interval >= hour:
			return hour
		case interval >= minute:
			return minute
		}
		return 1
	}
	changed := func(now, expiry float64) float64 { // the unit of the highest digit that changes
		for _, u := range []float64{day, hour, minute} {
			if math.Floor(now/u) != math.Floor(expiry/u) {
				return u
			}
		}
		return 1
	}
	readings := []struct {
		name               string
		expiry             func(now, interval float64) float64
		bound, least       float64
		printed, predicted string
	}{
		{
			"level of the size, expiry to the nearest unit", func(now, j float64) float64 {
				u := unit(j)
				return math.Round((now+j)/u) * u
			}, 0.5, 0.48, "<= 0.5", "",
		},
		{
			"level of the size, interval to the nearest unit", func(now, j float64) float64 {
				u := unit(j)
				return now + math.Round(j/u)*u
			}, 1.0 / 3, 0.31, "<= 0.5", "1/3",
		},
		{
			"level of the size, interval cut to the unit", func(now, j float64) float64 {
				u := unit(j)
				return now + math.Floor(j/u)*u
			}, 0.5, 0.48, "<= 0.5", "",
		},
		{
			"level of the changed digit, expiry to the nearest unit", func(now, j float64) float64 {
				u := changed(now, now+j)
				return max(now, math.Round((now+j)/u)*u)
			}, math.Inf(1), 0.9, "<= 0.5", ">= 1",
		},
	}
	var r Result
	random := rand.New(l.source("E11", 0))
	for _, reading := range readings {
		worst := 0.0
		for range 500_000 {
			now := float64(random.IntN(20 * day))
			j := math.Floor(minute * math.Exp(random.Float64()*math.Log(10*day/minute)))
			worst = max(worst, math.Abs(reading.expiry(now, j)-now-j)/j)
		}
		r.Figures = append(r.Figures, Figure{
			Name: "largest error over the interval, " + reading.name, Printed: reading.printed, Predicted: reading.predicted,
			Measured: show("%.3f", worst), Value: worst, Lo: worst, Hi: worst,
			AgreesPrinted: worst <= 0.5+1e-9, AgreesPredicted: reading.least <= worst && worst <= reading.bound+1e-9,
		})
	}
	held := precision(l, hierarchical.NoMigration, 0.5, 0.45, 0)
	r.Figures = append(r.Figures, held.Figures[0])
	return r
}
