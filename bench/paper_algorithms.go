package bench

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
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
			Printed: "as a heap", Expect: Holds,
			Measure: dijkstra,
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

// A graph has edges with integer weights.
type graph [][]edge

type edge struct {
	to     int
	weight timer.Tick
}

func randomGraph(n, degree int, longest timer.Tick, src rand.Source) graph {
	r := rand.New(src)
	g := make(graph, n)
	for i := range g {
		for range degree {
			g[i] = append(g[i], edge{r.IntN(n), 1 + timer.Tick(r.Uint64N(uint64(longest)))})
		}
		g[i] = append(g[i], edge{(i + 1) % n, longest}) // every vertex is reached, and over edges of the largest weight
	}
	return g
}

// byHeap is Dijkstra's algorithm with container/heap.
func byHeap(g graph) []timer.Tick {
	distance := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	distance[0] = 0
	q := numbersQueue{0}
	for len(q) > 0 {
		x := heap.Pop(&q).(uint64)
		from, d := int(x%uint64(len(g))), timer.Tick(x/uint64(len(g)))
		if d > distance[from] {
			continue
		}
		for _, e := range g[from] {
			if d+e.weight < distance[e.to] {
				distance[e.to] = d + e.weight
				heap.Push(&q, uint64(distance[e.to])*uint64(len(g))+uint64(e.to))
			}
		}
	}
	return distance
}

// byWheel is Dijkstra's algorithm as a timer client: the clock is the distance,
// and a vertex expires when it is reached.
func byWheel(g graph, m Module) []timer.Tick {
	distance := slices.Repeat([]timer.Tick{math.MaxUint64}, len(g))
	handles := make([]timer.Handle, len(g))
	var reach timer.ExpiryAction[int]
	reach = func(from int) {
		for _, e := range g[from] {
			if d := m.Now() + e.weight; d < distance[e.to] {
				m.StopTimer(handles[e.to])
				distance[e.to] = d
				handles[e.to] = must(m.StartTimer(e.weight, e.to, reach))
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

func dijkstra(l *Lab) Result {
	var r Result
	for _, longest := range []timer.Tick{1, 7, 64, 1000} {
		g := randomGraph(pick(l, 1000, 3000, 10_000), 4, longest, l.source("A-2", int(longest)))
		m := l.use(basic.New[int](basic.Config{MaxInterval: longest}))
		want := byHeap(g)
		wrong := 0
		for i, d := range byWheel(g, m) {
			if d != want[i] {
				wrong++
			}
		}
		r.Figures = append(r.Figures,
			agreement(show("distances other than with a heap, Max = %d", longest), wrong),
			exactly(show("slots, Max = %d", longest), int(longest), m.View().Levels[0]))
		r.Note += show("Max = %d: the longest path is %d. ", longest, slices.Max(want))
	}
	r.Note += "Scheme 4 takes a slot's timers out before it runs their actions, so Max slots are enough here; a plain array of buckets needs one more (E5)."
	return r
}

// outOfOrder runs Dijkstra's algorithm over a plain circular array of buckets, in
// which a vertex is inserted while the bucket of the minimum is still being
// emptied, and counts the vertices that come out before their turn.
func outOfOrder(g graph, size timer.Tick) int {
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
				if d := distance[from] + e.weight; d < distance[e.to] {
					distance[e.to] = d
					buckets[d%size] = append(buckets[d%size], e.to)
					waiting++
				}
			}
		}
	}
	return early
}
