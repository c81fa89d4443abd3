package monotone_test

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation/monotone"
)

// entries is a heap of vertices by key; what is out of date is left in it.
type entry struct {
	key  timer.Tick
	v    int
	from int
}
type entries []entry

func (q entries) Len() int           { return len(q) }
func (q entries) Less(i, j int) bool { return q[i].key < q[j].key }
func (q entries) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *entries) Push(x any)        { *q = append(*q, x.(entry)) }
func (q *entries) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	*q = (*q)[:last]
	return e
}

// heapDijkstra and heapPrim are the textbook's, with container/heap.
func heapDijkstra(g monotone.Graph, source int) []timer.Tick {
	distance := make([]timer.Tick, len(g))
	for v := range distance {
		distance[v] = monotone.Unreachable
	}
	q := entries{{0, source, 0}}
	for len(q) > 0 {
		e := heap.Pop(&q).(entry)
		if e.key >= distance[e.v] {
			continue
		}
		distance[e.v] = e.key
		for _, edge := range g[e.v] {
			heap.Push(&q, entry{e.key + edge.Weight, edge.To, e.v})
		}
	}
	return distance
}

// heapPrim is the weight of the forest, and how often a weight that was taken was
// under the one before.
func heapPrim(g monotone.Graph) (weight timer.Tick, falls int) {
	inTree := make([]bool, len(g))
	for root := range g {
		last := timer.Tick(0)
		q := entries{{0, root, -1}}
		for len(q) > 0 {
			e := heap.Pop(&q).(entry)
			if inTree[e.v] {
				continue
			}
			inTree[e.v] = true
			weight += e.key
			if e.key < last {
				falls++
			}
			last = e.key
			for _, edge := range g[e.v] {
				heap.Push(&q, entry{edge.Weight, edge.To, e.v})
			}
		}
	}
	return weight, falls
}

// graphs are random graphs, sparse and dense, connected and not, with weights
// from 0 or 1 to longest. One edge, of the graph's first vertex, is of exactly
// that weight.
func graphs(yield func(name string, g monotone.Graph, longest timer.Tick)) {
	for _, longest := range []timer.Tick{1, 2, 7, 64, 100, 10_000} {
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, uint64(longest)))
			n := 2 + r.IntN(150)
			edges := n * (1 + r.IntN(8)) / 2
			g := make(monotone.Graph, n)
			g.Connect(0, 1+r.IntN(n-1), longest)
			for range edges {
				weight := timer.Tick(r.Uint64N(uint64(longest) + 1)) // 0 too
				g.Connect(r.IntN(n), r.IntN(n), weight)
			}
			yield(fmt.Sprintf("longest %d, seed %d", longest, seed), g, longest)
		}
	}
}

func TestDijkstraAgreesWithAHeap(t *testing.T) {
	beyond := 0
	graphs(func(name string, g monotone.Graph, longest timer.Tick) {
		got, err := monotone.Dijkstra(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		if want := heapDijkstra(g, 0); !slices.Equal(got, want) {
			t.Fatalf("%s:\n got %v\nwant %v", name, got, want)
		}
		for _, d := range got {
			if d != monotone.Unreachable && d > longest {
				beyond++
			}
		}
	})
	if beyond == 0 {
		t.Error("no path was longer than the array: the test shows nothing")
	}
}

func TestPrimAgreesWithAHeap(t *testing.T) {
	fell := 0
	graphs(func(name string, g monotone.Graph, _ timer.Tick) {
		f, err := monotone.Prim(g)
		if err != nil {
			t.Fatal(err)
		}
		want, falls := heapPrim(g)
		fell += falls
		if f.Weight != want {
			t.Fatalf("%s: the forest weighs %d, want %d", name, f.Weight, want)
		}
		checkForest(t, name, g, f)
	})
	// Prim's queue is not monotone: a weight taken may be under the last.
	if fell == 0 {
		t.Error("no weight fell: the test shows nothing")
	}
}

// checkForest tests that the parents make a forest of the graph's edges, with the
// weight that it claims and a root for each connected part.
func checkForest(t *testing.T, name string, g monotone.Graph, f monotone.Forest) {
	t.Helper()
	part := make([]int, len(g)) // by union of all edges
	for v := range part {
		part[v] = v
	}
	var find func(v int) int
	find = func(v int) int {
		if part[v] != v {
			part[v] = find(part[v])
		}
		return part[v]
	}
	for v := range g {
		for _, e := range g[v] {
			part[find(v)] = find(e.To)
		}
	}
	roots := map[int]int{}
	var weight timer.Tick
	for v, parent := range f.Parent {
		if parent == -1 {
			roots[find(v)]++
			continue
		}
		lightest := timer.MaxTick
		for _, e := range g[v] {
			if e.To == parent {
				lightest = min(lightest, e.Weight)
			}
		}
		weight += lightest
		steps := 0
		for u := v; u != -1; u = f.Parent[u] {
			if steps++; steps > len(g) {
				t.Fatalf("%s: the parents of %d go round in circles", name, v)
			}
		}
	}
	for v := range g {
		if roots[find(v)] != 1 {
			t.Fatalf("%s: %d roots in the part of vertex %d", name, roots[find(v)], v)
		}
	}
	if weight != f.Weight {
		t.Fatalf("%s: the edges weigh %d, the forest says %d", name, weight, f.Weight)
	}
}

// "If min+Max itself may be inserted while min's bucket is in use, the array
// needs Max+1 slots": vertices 1, 2 and 3 are reached at Max, and the first of
// them starts 4, for 2·Max and the same slot of Max, while the others wait.
// Reference: 1997, section IX; Max+1 is ours.
func TestEdgeOfTheLargestWeightWhileItsSlotIsInUse(t *testing.T) {
	const longest = 5
	g := make(monotone.Graph, 6)
	for v := 1; v <= 3; v++ {
		g.Connect(0, v, longest)
	}
	g.Connect(1, 4, longest)
	g.Connect(4, 5, longest)
	got, err := monotone.Dijkstra(g, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []timer.Tick{0, 5, 5, 5, 10, 15}; !slices.Equal(got, want) {
		t.Errorf("distances %v, want %v", got, want)
	}
}

// "Without monotonicity the pointer may have to back up": after 5, 1 and 0 are to
// be taken, and then 5 again, and among equal weights no order matters.
// Reference: 1997, section IX.
func TestPrimWhereWeightsFall(t *testing.T) {
	g := make(monotone.Graph, 6)
	g.Connect(0, 1, 5)
	g.Connect(0, 5, 5)
	g.Connect(1, 2, 1)
	g.Connect(2, 3, 0)
	g.Connect(3, 4, 5)
	g.Connect(4, 0, 4)
	f, err := monotone.Prim(g)
	if err != nil {
		t.Fatal(err)
	}
	if f.Weight != 4+5+5+1+0 {
		t.Errorf("weight %d, want 15", f.Weight)
	}
	checkForest(t, "falls", g, f)
}

func TestSmallGraphs(t *testing.T) {
	for n := range 3 {
		g := make(monotone.Graph, n)
		f, err := monotone.Prim(g)
		if err != nil || f.Weight != 0 || len(f.Parent) != n {
			t.Errorf("Prim on %d vertices without edges: %+v, %v", n, f, err)
		}
		if n == 0 {
			continue
		}
		got, err := monotone.Dijkstra(g, 0)
		if err != nil || got[0] != 0 {
			t.Errorf("Dijkstra on %d vertices without edges: %v, %v", n, got, err)
		}
	}
}

func TestErrors(t *testing.T) {
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	_, err := monotone.Dijkstra(make(monotone.Graph, 2), 2)
	check(err, "monotone: source 2 is not from 0 to 1")
	_, err = monotone.Dijkstra(monotone.Graph{{{1, 1}}}, 0)
	check(err, "monotone: an edge leads from 0 to 1, and there are the vertices 0 to 0")
	_, err = monotone.Prim(monotone.Graph{{{-1, 1}}})
	check(err, "monotone: an edge leads from 0 to -1")
	heavy := make(monotone.Graph, 2)
	heavy.Connect(0, 1, 1<<26)
	_, err = monotone.Dijkstra(heavy, 0)
	check(err, "MaxInterval 67108864 is not from 1 to 67108863")
	_, err = monotone.Prim(heavy)
	check(err, "MaxInterval 67108865 is not from 1 to 67108863")
}
