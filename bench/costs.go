package bench

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/btree"
	"github.com/timerfacility/timer"
	"gonum.org/v1/gonum/stat"
)

// A Routine is one of the paper's three routines whose latency its Table I asks
// for.
type Routine string

// The routines.
const (
	StartTimer         Routine = "START"
	StopTimer          Routine = "STOP"
	PerTickBookkeeping Routine = "PER_TICK"
)

// A Cost is one cell of the paper's Table II, completed to all seven schemes:
// what a routine of a scheme costs with n timers outstanding, on average or at
// worst.
//
// START is measured in timers compared with; STOP in records that are linked
// differently afterwards, the stopped one included (google/btree: comparisons of
// Delete; Scheme 7 has arrays where the paper has lists, and touches none of the
// neighbours that are counted); PER_TICK in timers examined, less those that
// expire, each of which is O(1) in every scheme.
type Cost struct {
	Scheme  Scheme
	Routine Routine
	Worst   bool
	Paper   Class // the class in the paper
	Print   bool  // it stands in a table of the paper, not only in its text

	// Expect is the class that we hold to be true; Undecided where any up to
	// Paper is right.
	Expect Class

	N    []int
	Mean []float64 // for each n
	Fit  Fit
	Time Time // at 4096 timers
}

// Holds reports whether the measured class is within the paper's.
func (c Cost) Holds() bool { return c.Fit.Class.AtMost(c.Paper) }

// AsExpected reports whether the measured class is the one that we hold to be
// true.
func (c Cost) AsExpected() bool {
	return c.Fit.Class == c.Expect || c.Expect == Undecided && c.Holds()
}

// Case is "average" or "worst".
func (c Cost) Case() string {
	if c.Worst {
		return "worst"
	}
	return "average"
}

// classesOf gives the paper's classes of a scheme, and ours where they are
// others: START, STOP and PER_TICK, average and worst. In a heap a new timer,
// which is rarely among the earliest, climbs O(1) levels on average, and what
// takes a random timer's place sinks O(1) levels.
func classesOf(scheme string) (paper, expect [6]Class) {
	const i, l, n = Constant, Logarithmic, Linear
	switch scheme {
	case "1":
		paper = [6]Class{i, i, i, i, n, n}
	case "2", "2rear":
		paper = [6]Class{n, n, i, i, i, i}
	case "3leftist":
		return [6]Class{l, l, l, l, i, i}, [6]Class{Undecided, l, Undecided, Undecided, i, i}
	case "3":
		paper = [6]Class{l, l, l, l, i, i}
	case "3heap":
		return [6]Class{l, l, l, l, i, i}, [6]Class{i, l, Undecided, l, i, i}
	case "3unbalanced":
		paper = [6]Class{l, n, i, i, i, i}
	case "4":
		paper = [6]Class{i, i, i, i, i, i}
	case "5":
		paper = [6]Class{i, n, i, i, i, i}
	case "6":
		paper = [6]Class{i, i, i, i, i, n}
	case "7":
		paper = [6]Class{i, i, i, i, i, n}
	}
	return paper, paper
}

// CostTable measures the costs of every scheme and routine: the paper's Table II,
// completed.
func CostTable(l *Lab) []Cost {
	return once(l, "cost table", func() []Cost {
		var table []Cost
		for _, s := range Schemes() {
			table = append(table, costsOf(l, s)...)
		}
		return table
	})
}

// costsOf measures one scheme.
func costsOf(l *Lab, s Scheme) []Cost {
	return once(l, "costs of "+s.Key, func() []Cost {
		paper, expect := classesOf(s.Key)
		times := timesOf(l, s)
		var costs []Cost
		for i, r := range []Routine{StartTimer, StopTimer, PerTickBookkeeping} {
			for j, measure := range measurements(s)[r] {
				c := Cost{
					Scheme: s, Routine: r, Worst: j == 1,
					Paper: paper[2*i+j], Print: s.Number < 3 || s.Number == 3 && j == 0, Expect: expect[2*i+j],
					Time: times[i],
				}
				var x, y []float64
				for n := 16; n <= pick(l, 1024, 4096, 16384); n *= 4 {
					samples := make([]float64, 10-6*j) // the worst cases hardly scatter
					for k := range samples {
						samples[k] = measure(l, s, n, l.source("costs of "+s.Key+string(r)+c.Case(), n+k))
						x, y = append(x, float64(n)), append(y, samples[k])
					}
					c.N = append(c.N, n)
					c.Mean = append(c.Mean, mean(samples))
				}
				c.Fit = FitGrowth(x, y)
				costs = append(costs, c)
			}
			// What is bounded at worst is so on average, however near to its
			// bound it comes as n grows; and where the average cannot be told,
			// the worst case is a bound of it.
			average, worst := &costs[len(costs)-2], costs[len(costs)-1]
			bounded := worst.Fit.Class == Constant && slices.Max(average.Mean) <= slices.Max(worst.Mean)
			if bounded || average.Fit.Class == Undecided && worst.Fit.Class.AtMost(average.Paper) {
				average.Fit.Class = worst.Fit.Class
			}
		}
		return costs
	})
}

// A measurement is the cost of a routine of s with n timers outstanding.
type measurement func(l *Lab, s Scheme, n int, src rand.Source) float64

// measurements gives the average case and the worst case for each routine of s.
func measurements(s Scheme) map[Routine][2]measurement {
	stop := [2]measurement{averageStop, worstStop}
	if s.Key == "3" {
		stop = [2]measurement{averageBTreeStop, worstBTreeStop}
	}
	return map[Routine][2]measurement{
		StartTimer:         {averageStart, worstStart},
		StopTimer:          stop,
		PerTickBookkeeping: {averageTick, worstTick},
	}
}

// fills puts n timers into a module. The first is the average case: exponential
// intervals of mean 8n, which are memoryless, so that the module is at once as it
// is after a long time of Poisson arrivals. The others are the worst cases of one
// scheme or another: equal intervals, intervals that all fall into one slot of a
// table of n slots, and each timer before the one started earlier.
var fills = []func(m Module, n int, src rand.Source) []timer.Handle{
	func(m Module, n int, src rand.Source) []timer.Handle {
		r := rand.New(src)
		return fill(m, n, func(int) float64 { return 8 * float64(n) * r.ExpFloat64() })
	},
	func(m Module, n int, _ rand.Source) []timer.Handle {
		return fill(m, n, func(int) float64 { return float64(3*n - 1) })
	},
	func(m Module, n int, _ rand.Source) []timer.Handle {
		return fill(m, n, func(i int) float64 { return float64(n * (i%3 + 1)) })
	},
	func(m Module, n int, _ rand.Source) []timer.Handle {
		return fill(m, n, func(i int) float64 { return float64(3*n - i) })
	},
}

func fill(m Module, n int, interval func(i int) float64) []timer.Handle {
	handles := make([]timer.Handle, n)
	for i := range handles {
		handles[i] = begin(m, ticks(interval(i), 1, m.MaxInterval()), i)
	}
	return handles
}

// averageStart starts timers with exponential intervals among n, and stops them.
func averageStart(l *Lab, s Scheme, n int, src rand.Source) float64 {
	m := l.module(s, n, timer.Tick(32*n))
	fills[0](m, n, src)
	r := rand.New(src)
	before := m.Costs()
	const starts = 400
	for range starts {
		m.StopTimer(begin(m, ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval()), n))
	}
	return ratio(m.Costs().Sub(before).Compares, starts)
}

// worstStart is the dearest start that was found: into each of the fills, of the
// shortest interval, the longest, those between, and those of the fill.
func worstStart(l *Lab, s Scheme, n int, src rand.Source) float64 {
	var worst uint64
	for _, fill := range fills {
		m := l.module(s, n, timer.Tick(32*n))
		fill(m, n, src)
		r := rand.New(src)
		for k := range 40 {
			interval := ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval())
			switch k {
			case 0:
				interval = 1
			case 1:
				interval = m.MaxInterval()
				if interval == timer.MaxTick {
					interval = timer.Tick(64 * n)
				}
			case 2:
				interval = timer.Tick(3*n - 1)
			case 3:
				interval = timer.Tick(4 * n)
			}
			before := m.Costs()
			m.StopTimer(begin(m, interval, n))
			worst = max(worst, m.Costs().Sub(before).Compares)
		}
	}
	return float64(worst)
}

// averageStop stops timers at random and counts the records that are linked
// differently afterwards.
func averageStop(l *Lab, s Scheme, n int, src rand.Source) float64 {
	m := l.module(s, n, timer.Tick(32*n))
	handles := fills[0](m, n, src)
	rand.New(src).Shuffle(n, func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
	return mean(relinks(m, handles))
}

// worstStop is the dearest stop that was found in all of the fills: of the
// timers that expire first, which are the roots of the heaps, and of the last
// that was started.
func worstStop(l *Lab, s Scheme, n int, src rand.Source) float64 {
	worst := 0
	for _, fill := range fills {
		m := l.module(s, n, timer.Tick(32*n))
		handles := fill(m, n, src)
		last := handles[n-1]
		slices.SortFunc(handles, func(a, b timer.Handle) int {
			x, _ := m.ExpiryOf(a)
			y, _ := m.ExpiryOf(b)
			return cmp.Compare(x, y)
		})
		worst = max(worst, slices.Max(relinks(m, append([]timer.Handle{last}, handles...))))
	}
	return float64(worst)
}

// relinks stops some of the timers, in this order, and gives for each how many
// records are linked differently afterwards, it included.
func relinks(m Module, order []timer.Handle) []int {
	stops := max(4, min(len(order)/2, 1<<14/len(order)))
	var changed []int
	old := links(m.View())
	for _, h := range order[:stops] {
		if !m.StopTimer(h) {
			continue // the last one may come up again among the others
		}
		now := links(m.View())
		n := 0
		for h, link := range old {
			if hangs, outstanding := now[h]; !outstanding || hangs != link {
				n++
			}
		}
		changed = append(changed, n)
		old = now
	}
	return changed
}

// A link is where a record hangs: between two others in a list, or above two in
// a tree.
type link struct{ a, b timer.Handle }

func links(v timer.View[int]) map[timer.Handle]link {
	all := make(map[timer.Handle]link)
	for _, list := range v.Lists {
		tree := slices.ContainsFunc(list.Timers, func(t timer.ViewTimer[int]) bool { return t.Left != 0 || t.Right != 0 })
		for i, t := range list.Timers {
			hangs := link{t.Left, t.Right}
			if !tree {
				if i > 0 {
					hangs.a = list.Timers[i-1].Handle
				}
				if i+1 < len(list.Timers) {
					hangs.b = list.Timers[i+1].Handle
				}
			}
			all[t.Handle] = hangs
		}
	}
	return all
}

// A key orders the timers in the B-tree: by expiry, then by number of start.
type key struct {
	expiry timer.Tick
	start  uint64
}

func averageBTreeStop(_ *Lab, _ Scheme, n int, src rand.Source) float64 {
	return mean(deletions(n, src))
}

func worstBTreeStop(_ *Lab, _ Scheme, n int, src rand.Source) float64 {
	return float64(slices.Max(deletions(n, src)))
}

// deletions counts the comparisons for which Delete of google/btree asks, which
// shows its links to nobody.
func deletions(n int, src rand.Source) []int {
	compares := 0
	t := btree.NewG(32, func(a, b key) bool {
		compares++
		if a.expiry != b.expiry {
			return a.expiry < b.expiry
		}
		return a.start < b.start
	})
	r := rand.New(src)
	keys := make([]key, n)
	for i := range keys {
		keys[i] = key{ticks(8*float64(n), r.ExpFloat64(), timer.MaxTick), uint64(i)}
		t.ReplaceOrInsert(keys[i])
	}
	var counts []int
	for _, i := range r.Perm(n)[:min(n/2, 400)] {
		compares = 0
		t.Delete(keys[i])
		counts = append(counts, compares)
	}
	return counts
}

// averageTick runs ticks with Poisson arrivals at the rate that keeps n timers
// outstanding, and gives the timers examined in a tick that did not expire.
func averageTick(l *Lab, s Scheme, n int, src rand.Source) float64 {
	m := l.module(s, n, timer.Tick(32*n))
	fills[0](m, n, src)
	r := rand.New(src)
	const between = 8 // ticks between two arrivals: n timers of mean interval 8n
	arrival := between * r.ExpFloat64()
	span := max(2048, min(16384, 1<<22/n))
	before := m.Costs()
	for now := range span {
		for ; arrival < float64(now+1); arrival += between * r.ExpFloat64() {
			begin(m, ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval()), now)
		}
		tick(m)
	}
	c := m.Costs().Sub(before)
	return ratio(c.Visits-c.Expiries, span)
}

// worstTick is the dearest tick in the life of each of the fills.
func worstTick(l *Lab, s Scheme, n int, src rand.Source) float64 {
	worst := uint64(0)
	for _, fill := range fills[1:3] {
		m := l.module(s, n, timer.Tick(32*n))
		fill(m, n, src)
		for m.Len() > 0 {
			// Where every tick is the same for a long time, the first ticks and
			// the last ones tell as much as all.
			if idle := m.IdleTicks(); idle > 0 {
				m.SkipTicks(idle)
			}
			before := m.Costs()
			tick(m)
			c := m.Costs().Sub(before)
			worst = max(worst, c.Visits-c.Expiries)
			if worst >= uint64(n) {
				break // every timer there is
			}
		}
	}
	return float64(worst)
}

// timesOf times the three routines of s among 4096 timers.
func timesOf(l *Lab, s Scheme) [3]Time {
	const n, batch = 4096, 256
	runs := pick(l, 5, 15, 41)
	src := l.source("times of "+s.Key, 0)
	m := s.New(n+batch, 64*n)
	fills[0](m, n, src)
	r := rand.New(src)
	intervals := make([]timer.Tick, batch)
	handles := make([]timer.Handle, batch)
	var samples [3][]float64
	for range runs {
		for i := range intervals {
			intervals[i] = ticks(8*n, r.ExpFloat64(), m.MaxInterval())
		}
		began := time.Now()
		for i, interval := range intervals {
			handles[i], _ = m.StartTimer(interval, i, noAction)
		}
		started := time.Now()
		for _, h := range handles {
			m.StopTimer(h)
		}
		stopped := time.Now()
		for range batch {
			m.PerTickBookkeeping()
		}
		ticked := time.Now()
		for range m.ExpiryProcessing(timer.All) {
			begin(m, ticks(8*n, r.ExpFloat64(), m.MaxInterval()), 0)
		}
		for i, d := range []time.Duration{started.Sub(began), stopped.Sub(started), ticked.Sub(stopped)} {
			samples[i] = append(samples[i], float64(d)/batch)
		}
	}
	var times [3]Time
	for i, name := range []Routine{StartTimer, StopTimer, PerTickBookkeeping} {
		times[i] = timeOf(string(name), samples[i])
	}
	return times
}

// timeOf is the median of samples with its quartiles.
func timeOf(name string, samples []float64) Time {
	slices.Sort(samples)
	q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, samples, nil) }
	return Time{name, q(0.5), q(0.25), q(0.75)}
}
