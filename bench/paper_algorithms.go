package bench

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation/monotone"
)

// algorithmClaims are the claims of 1997's section IX: Scheme 4 as a priority
// queue.
func algorithmClaims() []Claim {
	return []Claim{
		{
			ID: "A-1", Source: "1997 s. IX",
			Title:   "Scheme 4 is a bounded-monotone priority queue",
			Text:    "If every insertion is within Max of the last minimum extracted, a circular array of size Max works as a priority queue: Scheme 4 with MaxInterval = Max.",
			Printed: "as a heap", Expect: Holds,
			Measure: boundedMonotone,
		},
		{
			ID: "A-2", Source: "1997 s. IX",
			Title:   "Dijkstra and Prim on a wheel of the largest edge",
			Text:    "Dijkstra's and Prim's algorithms with integer weights insert within the largest weight of the last minimum, so an array of that size serves, not one as long as the longest path.",
			Printed: "both monotone", Predicted: "Dijkstra only", Expect: Corrected,
			Why:     "It holds for Dijkstra's. Prim's queue is bounded, for it holds weights, but not monotone: the tree takes an edge of 5 and so finds one of 1, below the last minimum. Then the pointer has to back up; a clock, which cannot, goes once around an array of Max + 1 slots, one for each weight.",
			Measure: dijkstraAndPrim,
		},
		{
			ID: "A-3", Source: "1997 s. IX",
			Title:  "empty buckets are paid for by the clock",
			Text:   "The cost of stepping over empty buckets is amortised on keeping the time of day; Scheme 6 bounds n and has no counterpart among bucket sorts.",
			Expect: NotTestable, Why: "It is an explanation. What an empty tick costs is measured in S4-3 and S6-5.",
		},
	}
}

// numbersQueue is container/heap over numbers.
type numbersQueue []uint64

func (q numbersQueue) Len() int           { return len(q) }
func (q numbersQueue) Less(i, j int) bool { return q[i] < q[j] }
func (q numbersQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *numbersQueue) Push(x any)        { *q = append(*q, x.(uint64)) }
func (q *numbersQueue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// put and take keep vertices of n by their distances or weights.
func (q *numbersQueue) put(x timer.Tick, vertex, n int) {
	heap.Push(q, uint64(x)*uint64(n)+uint64(vertex))
}

func (q *numbersQueue) take(n int) (x timer.Tick, vertex int) {
	least := heap.Pop(q).(uint64)
	return timer.Tick(least / uint64(n)), int(least % uint64(n))
}

func boundedMonotone(l *Lab) Result {
	const longest = 100
	m := l.use(basic.New[int](basic.Config{MaxInterval: longest}))
	r := rand.New(l.source("A-1", 0))
	var q numbersQueue
	var ran []uint64
	insert := func() {
		interval := timer.Tick(1 + r.IntN(longest))
		must(m.StartTimer(interval, 0, func(int) { ran = append(ran, uint64(m.Now())) }))
		heap.Push(&q, uint64(m.Now()+interval))
	}
	insert()
	wrong := 0
	for range pick(l, 10_000, 30_000, 100_000) {
		for m.PerTickBookkeeping() == 0 {
		}
		m.ExpiryProcessing(timer.All)
		for _, got := range ran {
			if heap.Pop(&q) != got {
				wrong++
			}
		}
		ran = ran[:0]
		for range 1 + r.IntN(2) {
			if m.Len() < 200 {
				insert()
			}
		}
	}
	return Result{Figures: []Figure{
		agreement("minima other than those of a heap", wrong),
		exactly("slots of the array, for Max = 100", longest, m.View().Levels[0]),
	}}
}

func randomGraph(n, degree int, longest timer.Tick, src rand.Source) monotone.Graph {
	r := rand.New(src)
	g := make(monotone.Graph, n)
	for i := range g {
		for range degree {
			g[i] = append(g[i], monotone.Edge{To: r.IntN(n), Weight: 1 + timer.Tick(r.Uint64N(uint64(longest)))})
		}
		g[i] = append(g[i], monotone.Edge{To: (i + 1) % n, Weight: longest}) // every vertex is reached, and over edges of the largest weight
	}
	return g
}

// undirected is g with every edge in both directions.
func undirected(g monotone.Graph) monotone.Graph {
	both := make(monotone.Graph, len(g))
	for v := range g {
		for _, e := range g[v] {
			both.Connect(v, e.To, e.Weight)
		}
	}
	return both
}

// byHeap is Dijkstra's algorithm with container/heap.
func byHeap(g monotone.Graph) []timer.Tick {
	distance := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	distance[0] = 0
	q := numbersQueue{0}
	for len(q) > 0 {
		d, from := q.take(len(g))
		if d > distance[from] {
			continue
		}
		for _, e := range g[from] {
			if d+e.Weight < distance[e.To] {
				distance[e.To] = d + e.Weight
				q.put(distance[e.To], e.To, len(g))
			}
		}
	}
	return distance
}

// byWheel is Dijkstra's algorithm as a timer client: the clock is the distance,
// and a vertex expires when it is reached.
func byWheel(g monotone.Graph, m Module) []timer.Tick {
	distance := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	handles := make([]timer.Handle, len(g))
	var reach timer.ExpiryAction[int]
	reach = func(from int) {
		for _, e := range g[from] {
			if d := m.Now() + e.Weight; d < distance[e.To] {
				m.StopTimer(handles[e.To])
				distance[e.To] = d
				handles[e.To] = must(m.StartTimer(e.Weight, e.To, reach))
			}
		}
	}
	distance[0] = 0
	reach(0)
	for m.Len() > 0 {
		tick(m)
	}
	return distance
}

// primInserts is what Prim's algorithm asks of its queue.
type primInserts struct {
	weight timer.Tick // of the tree

	inserts int        // weights that were lowered among them
	below   int        // of those, how many lie below the minimum taken last
	deepest timer.Tick // and how far, at most
	beyond  int        // and how many lie more than the largest weight above it
}

// primByHeap is Prim's algorithm with container/heap, from vertex 0.
func primByHeap(g monotone.Graph, largest timer.Tick) primInserts {
	var p primInserts
	const inTree = 0 // no edge weighs as little
	lightest := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	var q numbersQueue
	grow := func(v int, minimum timer.Tick) {
		lightest[v] = inTree
		for _, e := range g[v] {
			if e.Weight >= lightest[e.To] {
				continue
			}
			lightest[e.To] = e.Weight
			q.put(e.Weight, e.To, len(g))
			p.inserts++
			if e.Weight < minimum {
				p.below++
				p.deepest = max(p.deepest, minimum-e.Weight)
			}
			if e.Weight > minimum+largest {
				p.beyond++
			}
		}
	}
	grow(0, 0)
	for len(q) > 0 {
		// What was lowered or taken meanwhile is no longer in the queue.
		if w, v := q.take(len(g)); w == lightest[v] {
			p.weight += w
			grow(v, w)
		}
	}
	return p
}

func dijkstraAndPrim(l *Lab) Result {
	var r Result
	t := Table{
		Title:   "Prim's queue is not monotone: inserts below the minimum taken last",
		Columns: []string{"Max", "inserts", "below", "share", "back up by, at most"},
	}
	prim := func(p primInserts, largest timer.Tick) {
		t.Rows = append(t.Rows, []string{
			show("%d", largest), show("%d", p.inserts), show("%d", p.below), show("%.2f", ratio(p.below, p.inserts)), show("%d", p.deepest),
		})
	}
	below, beyond := 0, 0
	for _, longest := range []timer.Tick{1, 7, 64, 1000} {
		g := randomGraph(pick(l, 1000, 3000, 10_000), 4, longest, l.source("A-2", int(longest)))
		m := l.use(basic.New[int](basic.Config{MaxInterval: longest}))
		want := byHeap(g)
		wrong := unequal(byWheel(g, m), want) + unequal(must(monotone.Dijkstra(g, 0)), want)
		g = undirected(g)
		p, tree := primByHeap(g, longest), must(monotone.Prim(g))
		prim(p, longest)
		below += p.below
		beyond += p.beyond
		r.Figures = append(r.Figures,
			agreement(show("Dijkstra, distances other than with a heap, Max = %d", longest), wrong),
			exactly(show("Dijkstra, slots, Max = %d", longest), int(longest), m.View().Levels[0]),
			exactly(show("Prim, weight of the tree by a wheel that goes around, Max = %d", longest), p.weight, tree.Weight))
		r.Note += show("Max = %d: the longest path is %d. ", longest, slices.Max(want))
	}
	// The tree takes the edge of 5, and finds the edge of 1.
	example := make(monotone.Graph, 3)
	example.Connect(0, 1, 5)
	example.Connect(1, 2, 1)
	p := primByHeap(example, 5)
	prim(p, 5)
	r.Figures = append(r.Figures,
		agreement("Prim, inserts more than Max above the last minimum", beyond),
		number("Prim, inserts below the last minimum: edge of 5, then of 1", 0, 1, Exact(p.below), 0),
		refuted("Prim, inserts below the last minimum, random graphs", below))
	t.Note = "The last row is the path of an edge of 5 and an edge of 1."
	r.Tables = []Table{t}
	r.Headline = show("Prim: %d below", below)
	r.Note += "Scheme 4 takes a slot's timers out before it runs their actions, so Max slots are enough for Dijkstra's; a plain array of buckets needs one more (E5)."
	return r
}

// unequal counts the places in which two runs do not agree.
func unequal(got, want []timer.Tick) (n int) {
	for i, x := range got {
		if x != want[i] {
			n++
		}
	}
	return n
}

// outOfOrder runs Dijkstra's algorithm over a plain circular array of buckets, in
// which a vertex is inserted while the bucket of the minimum is still being
// emptied, and counts the vertices that come out before their turn.
func outOfOrder(g monotone.Graph, size timer.Tick) int {
	buckets := make([][]int, size)
	distance := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	distance[0] = 0
	buckets[0] = []int{0}
	early, waiting := 0, 1
	for now := timer.Tick(0); waiting > 0; now++ {
		bucket := &buckets[now%size]
		for len(*bucket) > 0 {
			from := (*bucket)[0]
			*bucket = (*bucket)[1:]
			waiting--
			if distance[from] < now {
				continue // reached before by a shorter way
			}
			if distance[from] > now {
				early++
			}
			for _, e := range g[from] {
				if d := distance[from] + e.Weight; d < distance[e.To] {
					distance[e.To] = d
					buckets[d%size] = append(buckets[d%size], e.To)
					waiting++
				}
			}
		}
	}
	return early
}
