package monotone

import (
	"fmt"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation"
)

// An Edge leads to a vertex. Weights go up to 2^26-2, the slots that a wheel may
// have.
type Edge struct {
	To     int
	Weight timer.Tick
}

// A Graph has the vertices 0 to len(g)-1; g[v] are the edges from v.
type Graph [][]Edge

// Connect adds an edge between u and v, in both directions. It panics if there is
// no such vertex.
func (g Graph) Connect(u, v int, weight timer.Tick) {
	g[u] = append(g[u], Edge{v, weight})
	g[v] = append(g[v], Edge{u, weight})
}

// heaviest is the largest weight. An edge that leads out of the graph is an
// error.
func (g Graph) heaviest() (timer.Tick, error) {
	var heaviest timer.Tick
	for v := range g {
		for _, e := range g[v] {
			if e.To < 0 || e.To >= len(g) {
				return 0, fmt.Errorf("monotone: an edge leads from %d to %d, and there are the vertices 0 to %d", v, e.To, len(g)-1)
			}
			heaviest = max(heaviest, e.Weight)
		}
	}
	return heaviest, nil
}

// wheel is Scheme 4 with room for intervals up to longest.
func wheel(longest timer.Tick) (*basic.Wheel[int], error) {
	w, err := basic.New[int](basic.Config{MaxInterval: longest})
	if err != nil {
		return nil, fmt.Errorf("monotone: %w", err)
	}
	return w, nil
}

// must takes a timer that the wheel was made long enough for.
func must[T any](t T, err error) T {
	if err != nil {
		panic("monotone: " + err.Error())
	}
	return t
}

// Unreachable is the distance of a vertex to which no path leads.
const Unreachable = timer.MaxTick

// Dijkstra is the distance of every vertex from source, [Unreachable] for one to
// which no path leads. A source that is no vertex, an edge that leads out of the
// graph and a weight over the bound are errors.
func Dijkstra(g Graph, source int) ([]timer.Tick, error) {
	heaviest, err := g.heaviest()
	if err != nil {
		return nil, err
	}
	if source < 0 || source >= len(g) {
		return nil, fmt.Errorf("monotone: source %d is not from 0 to %d", source, len(g)-1)
	}
	queue, err := wheel(max(heaviest, 1))
	if err != nil {
		return nil, err
	}
	wave, err := simulation.New(queue, simulation.Config{})
	if err != nil {
		return nil, err
	}

	distance := make([]timer.Tick, len(g)) // known so far
	arrival := make([]simulation.Event, len(g))
	for v := range distance {
		distance[v] = Unreachable
	}
	var reach func(v int, weight timer.Tick)
	reach = func(v int, weight timer.Tick) {
		at := wave.Now() + weight
		if at >= distance[v] {
			return
		}
		distance[v] = at
		wave.Cancel(arrival[v])
		arrival[v] = must(wave.Schedule(weight, func() {
			for _, e := range g[v] {
				reach(e.To, e.Weight)
			}
		}))
	}
	reach(source, 0)
	wave.Run()
	return distance, nil
}

// A Forest is a minimum spanning tree of each connected part of a graph.
type Forest struct {
	Parent []int      // of every vertex in its tree; -1 for a root
	Weight timer.Tick // of all edges together
}

// Prim is the minimum spanning forest of a graph whose edges go both ways
// ([Graph.Connect]). An edge that leads out of the graph and a weight over the
// bound are errors.
func Prim(g Graph) (Forest, error) {
	heaviest, err := g.heaviest()
	if err != nil {
		return Forest{}, err
	}
	turn := heaviest + 1 // the slot of a tick is the weight that it stands for
	queue, err := wheel(turn)
	if err != nil {
		return Forest{}, err
	}
	f := Forest{Parent: make([]int, len(g))}
	inTree := make([]bool, len(g))
	weight := make([]timer.Tick, len(g)) // of the lightest edge known from the tree
	handle := make([]timer.Handle, len(g))
	ordered := timer.Tick(0) // before this tick, what comes up waits for another turn

	// interval leads from now to the next tick that stands for weight.
	interval := func(weight timer.Tick) timer.Tick {
		pointer := queue.Now() % turn
		if weight > pointer {
			return weight - pointer
		}
		ordered = queue.Now() - pointer + turn
		return weight + turn - pointer
	}
	var start func(v int, in timer.Tick)
	grow := func(v int) { // the tree by v
		inTree[v] = true
		for _, e := range g[v] {
			h := handle[e.To]
			switch {
			case inTree[e.To]:
				continue
			case h == 0:
				start(e.To, interval(e.Weight))
			case e.Weight < weight[e.To]:
				must(h, queue.ResetTimer(h, interval(e.Weight)))
			default:
				continue
			}
			f.Parent[e.To], weight[e.To] = v, e.Weight
		}
	}
	expire := func(v int) {
		if queue.Now() < ordered {
			start(v, turn)
			return
		}
		f.Weight += weight[v]
		grow(v)
	}
	start = func(v int, in timer.Tick) { handle[v] = must(queue.StartTimer(in, v, expire)) }

	for root := range g {
		if inTree[root] {
			continue
		}
		f.Parent[root] = -1
		grow(root)
		for queue.Len() > 0 {
			timer.AdvanceTo(queue, timer.MaxTick, 1)
		}
	}
	return f, nil
}
