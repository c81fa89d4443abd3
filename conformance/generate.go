package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/timerfacility/timer"
)

// systematic tries every interval of interest from every phase and clock of
// interest.
func (b *battery) systematic(try func(Trace)) {
	b.everyMultiple(try)
	b.everyPhase(try)
	b.everyClock(try)
}

// tableSizes are sizes that tables, wheels and levels have.
var tableSizes = []timer.Tick{1, 2, 3, 4, 5, 7, 8, 10, 16, 24, 32, 60, 64, 100, 128, 256, 512, 1024, 2048, 3600, 4096}

// everyMultiple starts timers at all the multiples of the table sizes, and next
// to them, from several phases of the clock, and ticks through: a recipe that
// is a lap off at a multiple fails here.
func (b *battery) everyMultiple(try func(Trace)) {
	for _, size := range tableSizes {
		phases := []timer.Tick{0, 1, size / 2, size - 1}
		if size <= 16 {
			phases = nil
			for p := range size {
				phases = append(phases, p)
			}
		}
		slices.Sort(phases)
		for _, phase := range slices.Compact(phases) {
			try(b.multiples(size, phase))
		}
	}
}

func (b *battery) multiples(size, phase timer.Tick) Trace {
	var intervals []timer.Tick
	for lap := range timer.Tick(5) {
		for near := range timer.Tick(5) {
			intervals = append(intervals, lap*size+near-2)
		}
	}
	if size <= 64 {
		for j := range 4*size + 2 {
			intervals = append(intervals, j)
		}
	}
	slices.Sort(intervals)
	var trace Trace
	if phase > 0 {
		trace = append(trace, Op{Kind: Tick, N: phase})
	}
	last := timer.Tick(0)
	for _, j := range slices.Compact(intervals) {
		if j == 0 || j > b.max || j > 5*size+2 {
			continue
		}
		trace = append(trace, Op{Kind: Start, Name: fmt.Sprint("t", j), N: j})
		last = j
	}
	if b.quick && last > 1200 {
		last = 1200
	}
	return append(trace, Op{Kind: Tick, N: last}, Op{Kind: Process, Limit: timer.All})
}

// everyPhase starts a timer with the largest interval, and some next to it, at
// each of many ticks.
func (b *battery) everyPhase(try func(Trace)) {
	if b.max > 1<<14 {
		return
	}
	var trace Trace
	phases := min(2*b.max+2, 300)
	for p := range phases {
		for less := range min(b.max, 3) {
			if less == 0 || p%7 == less {
				trace = append(trace, Op{Kind: Start, Name: fmt.Sprintf("t%d_%d", p, less), N: b.max - less})
			}
		}
		trace = append(trace, Op{Kind: Start, Name: fmt.Sprintf("over%d", p), N: b.max + 1})
		trace = append(trace, Op{Kind: Tick, N: 1}, Op{Kind: Process, Limit: timer.All})
	}
	try(append(trace, Op{Kind: Tick, N: b.max}, Op{Kind: Process, Limit: timer.All}))
}

// everyClock begins next to every power of two up to 2^63, and next to the end
// of time.
func (b *battery) everyClock(try func(Trace)) {
	var clocks []timer.Tick
	for k := range 64 {
		power := timer.Tick(1) << k
		clocks = append(clocks, power-2, power-1, power)
	}
	for _, left := range []timer.Tick{1, 2, 3, 63, 64, 65, 255, 256, 257, 300} {
		clocks = append(clocks, timer.MaxTick-left)
	}
	slices.Sort(clocks)
	for _, c := range slices.Compact(clocks) {
		if c <= timer.MaxTick-1 && (b.suite.NewAt != nil || c >= b.start && (c < 2000 || b.has["Tickless"])) {
			try(b.atClock(c))
		}
	}
}

// atClock starts timers of every length from the clock c, steps over the next
// ticks one by one, and goes on in strides.
func (b *battery) atClock(c timer.Tick) Trace {
	trace := Trace{{Kind: At, N: c}}
	bound := min(b.max, timer.MaxTick-c)
	add := func(name string, interval timer.Tick) {
		if interval > 0 && interval <= bound {
			trace = append(trace, Op{Kind: Start, Name: name, N: interval})
		}
	}
	for j := range timer.Tick(5) {
		add(fmt.Sprint("n", j), j)
	}
	for k := 3; k < 64; k += 1 + k/12 {
		add(fmt.Sprint("p", k), 1<<k)
		add(fmt.Sprint("q", k), 1<<k-1)
		add(fmt.Sprint("to", k), (c|(1<<k-1))-c)   // to the last tick before a boundary
		add(fmt.Sprint("at", k), (c|(1<<k-1))-c+1) // to the boundary
	}
	add("max", bound)
	add("less", bound-1)
	if bound < timer.MaxTick {
		trace = append(trace, Op{Kind: Start, Name: "over", N: bound + 1})
	}
	process := Op{Kind: Process, Limit: timer.All}
	for range min(5, timer.MaxTick-c) {
		trace = append(trace, Op{Kind: Tick, N: 1}, process)
	}
	trace = append(trace, Op{Kind: Stop, Ref: Ref{Name: "p9"}}, Op{Kind: Stop, Ref: Ref{Name: "at10"}},
		Op{Kind: Reset, Ref: Ref{Name: "p6"}, N: 9}, Op{Kind: Reset, Ref: Ref{Name: "q4"}, N: min(300, max(bound, 1))})
	trace = append(trace, Op{Kind: Advance, N: 70, Limit: timer.All}, Op{Kind: Advance, N: 230, Limit: timer.All},
		Op{Kind: Tick, N: min(3, timer.MaxTick-c)})
	if b.has["Tickless"] {
		for k := 10; k < 64; k += 3 {
			trace = append(trace, Op{Kind: Skip, N: 1 << k}, Op{Kind: Tick, N: 1}, process)
		}
	}
	return trace.prune()
}

// A law draws intervals, and strides of the clock.
type law struct {
	name string
	draw func(r *rand.Rand) timer.Tick
}

// laws are the flavours of random traces.
var laws = []law{
	{"near", func(r *rand.Rand) timer.Tick { return 1 + timer.Tick(r.IntN(6)) }},
	{"spread", func(r *rand.Rand) timer.Tick { return 1 + timer.Tick(r.IntN(700)) }},
	{"powers", func(r *rand.Rand) timer.Tick { return 1<<r.IntN(13) + timer.Tick(r.IntN(5)) - 2 }},
	{"multiples", func(r *rand.Rand) timer.Tick {
		return tableSizes[r.IntN(len(tableSizes))]*timer.Tick(1+r.IntN(4)) + timer.Tick(r.IntN(3)) - 1
	}},
	{"far", func(r *rand.Rand) timer.Tick { return 1<<r.IntN(64) + timer.Tick(r.IntN(5)) - 2 }},
	{"log-uniform", func(r *rand.Rand) timer.Tick { return timer.Tick(r.Uint64() >> r.IntN(64)) }},
}

// randomTraces is how many are drawn of each law.
const randomTraces = 110

// random tries random traces.
func (b *battery) random(try func(Trace)) {
	n := randomTraces
	if b.quick || len(b.failed) > 0 { // what is broken is broken
		n /= 4
	}
	for i := range n {
		for j, l := range laws {
			if b.late() {
				return
			}
			try(b.randomTrace(rand.New(rand.NewPCG(b.seed, uint64(i*len(laws)+j))), l))
		}
	}
}

// A generator writes a random trace. It keeps a rough account of the clock and
// of the timers, so that it goes where something happens.
type generator struct {
	*rand.Rand
	law   law
	max   timer.Tick
	has   map[string]bool
	now   timer.Tick
	names []string
	ends  []timer.Tick // when the timers expire, about
}

func (b *battery) randomTrace(r *rand.Rand, l law) Trace {
	g := &generator{Rand: r, law: l, max: b.max, has: b.has, now: b.start}
	var trace Trace
	if b.suite.NewAt != nil && r.IntN(3) > 0 {
		g.now = g.clock()
		trace = append(trace, Op{Kind: At, N: g.now})
	}
	for range 10 + r.IntN(110) {
		trace = append(trace, g.op())
	}
	return trace
}

// clock is a tick to begin at: any, next to a power of two, or near the end.
func (g *generator) clock() timer.Tick {
	switch g.IntN(4) {
	case 0:
		return timer.Tick(g.Uint64() >> g.IntN(64))
	case 1:
		return timer.MaxTick - timer.Tick(g.Uint64()>>(40+g.IntN(24)))
	}
	return timer.Tick(1)<<g.IntN(64) - timer.Tick(g.IntN(70))&(1<<g.IntN(7)-1)
}

// interval is one of the law, that the module takes but for one in fifty.
func (g *generator) interval() timer.Tick {
	n := g.law.draw(g.Rand)
	switch g.IntN(50) {
	case 0:
		return n
	case 1:
		return 0
	case 2:
		return min(g.max, timer.MaxTick-g.now)
	case 3:
		return min(g.max, timer.MaxTick-g.now) + 1
	case 4, 5, 6, 7:
		if len(g.ends) > 0 { // to expire with another one
			if end := g.ends[g.IntN(len(g.ends))]; end > g.now {
				n = end - g.now
			}
		}
	}
	if bound := min(g.max, timer.MaxTick-g.now); bound > 0 {
		n = 1 + (max(n, 1)-1)%bound
	}
	return n
}

func (g *generator) op() Op {
	switch n := g.IntN(100); {
	case n < 38:
		return g.start(2)
	case n < 48:
		return Op{Kind: Stop, Ref: g.ref()}
	case n < 58:
		return Op{Kind: Reset, Ref: g.ref(), N: g.interval()}
	case n < 72:
		return g.tick(1 + timer.Tick(g.IntN(4)))
	case n < 80:
		return Op{Kind: Process, Limit: g.limit()}
	case n < 84:
		return Op{Kind: Skip, N: g.stride()} // the account is off after it, by a little
	}
	return g.advance()
}

func (g *generator) limit() int {
	if g.IntN(2) == 0 {
		return timer.All
	}
	return g.IntN(4)
}

// start starts a timer whose action does something, to the depth.
func (g *generator) start(depth int) Op {
	op := Op{Kind: Start, Name: fmt.Sprint("t", len(g.names)), N: g.interval()}
	g.names = append(g.names, op.Name)
	if g.has["RangeStarter"] && g.IntN(8) == 0 {
		op.Latest = max(op.N+timer.Tick(g.Uint64()>>(g.IntN(64))), 1)
	}
	if g.IntN(12) == 0 {
		op.ID = 1 + g.IntN(3)
	}
	if op.Nil = g.IntN(60) == 0; !op.Nil && depth > 0 && g.IntN(4) == 0 {
		for range 1 + g.IntN(3) {
			op.Action = append(op.Action, g.actionOp(depth-1))
		}
	}
	if depth == 2 {
		g.ends = append(g.ends, g.now+op.N)
	}
	return op
}

func (g *generator) actionOp(depth int) Op {
	switch n := g.IntN(20); {
	case n < 7:
		return g.start(depth)
	case n < 12:
		return Op{Kind: Stop, Ref: g.ref()}
	case n < 17:
		return Op{Kind: Reset, Ref: g.ref(), N: g.interval()}
	case n < 19:
		return Op{Kind: Panic}
	}
	return Op{Kind: Tick, N: 1}
}

// ref is a timer's handle, most often of one of the last, and seldom one that
// was never issued.
func (g *generator) ref() Ref {
	n := len(g.names)
	if n == 0 {
		return Ref{Add: uint64(g.IntN(3))}
	}
	r := Ref{Name: g.names[g.IntN(n)]}
	if g.IntN(2) == 0 {
		r.Name = g.names[n-1-g.IntN(min(n, 6))]
	}
	switch g.IntN(24) {
	case 0:
		r.Flip = 1 + g.IntN(64)
	case 1:
		r.Add = 1 << g.IntN(64)
	case 2:
		return Ref{Add: g.Uint64() >> g.IntN(64)}
	}
	return r
}

func (g *generator) tick(n timer.Tick) Op {
	n = min(n, timer.MaxTick-g.now)
	if g.IntN(200) > 0 {
		n = max(n, 1)
	}
	g.now += min(n, timer.MaxTick-g.now)
	return Op{Kind: Tick, N: max(n, 1)}
}

// stride is how far the clock goes on: to about the expiry of a timer, or any
// number of the law.
func (g *generator) stride() timer.Tick {
	n := g.law.draw(g.Rand)
	if len(g.ends) > 0 && g.IntN(3) > 0 {
		if end := g.ends[g.IntN(len(g.ends))]; end > g.now {
			n = end - g.now + timer.Tick(g.IntN(3)) - 1
		}
	}
	if !g.has["Tickless"] {
		n %= 600
	}
	return min(n, timer.MaxTick-g.now)
}

func (g *generator) advance() Op {
	op := Op{Kind: Advance, N: g.stride(), Limit: timer.All}
	if g.IntN(5) == 0 {
		op.Limit = g.IntN(4)
	}
	g.now += op.N
	return op
}

// decode is the trace that the input of a fuzz test stands for: its text if it
// is one, else what its bytes choose.
func (b *battery) decode(input []byte) Trace {
	if trace, err := ParseTrace(string(input)); err == nil {
		return clamp(trace)
	}
	choices := &byteSource{left: input}
	g := &generator{Rand: rand.New(choices), max: b.max, has: b.has, now: b.start}
	var trace Trace
	if b.suite.NewAt != nil && g.IntN(2) == 0 {
		g.now = g.clock()
		trace = append(trace, Op{Kind: At, N: g.now})
	}
	for len(choices.left) > 0 && len(trace) < 200 {
		g.law = laws[g.IntN(len(laws))]
		trace = append(trace, g.op())
	}
	return trace
}

// clamp keeps the ticks that an action of a fuzzed trace takes few.
func clamp(ops []Op) []Op {
	for i := range ops {
		if ops[i].Kind == Tick {
			ops[i].N = min(ops[i].N, traceBudget)
		}
		clamp(ops[i].Action)
	}
	return ops
}

// A byteSource makes choices from bytes, two for each. After the last byte it
// goes on by itself: a choice may take more than one try.
type byteSource struct {
	left []byte
	more uint64
}

func (s *byteSource) Uint64() uint64 {
	const spread = 0x9e3779b97f4a7c15 // so that all bits of a word depend on the bytes
	if len(s.left) == 0 {
		s.more += spread
		return s.more
	}
	n := min(len(s.left), 2)
	var v uint64
	for _, c := range s.left[:n] {
		v = v<<8 | uint64(c)
	}
	s.left = s.left[n:]
	return v * spread
}

// fuzzSeeds is the texts of the rules' traces that this module can run.
func (b *battery) fuzzSeeds() []string {
	var seeds []string
	for _, r := range rules {
		if !b.applies(&r) {
			continue
		}
		for _, text := range r.traces {
			if len(text) > 2000 {
				continue
			}
			clocks := b.clocks()
			seeds = append(seeds, b.fit(text, b.start).String(), b.fit(text, clocks[len(seeds)%len(clocks)]).String())
		}
	}
	return seeds
}
