package monotone_test

import (
	"fmt"

	"github.com/timerfacility/timer/simulation/monotone"
)

// Edges of weights up to 9 make paths of up to 19. The array has 9 slots.
func ExampleDijkstra() {
	g := make(monotone.Graph, 6)
	g.Connect(0, 1, 7)
	g.Connect(0, 2, 9) // the largest weight
	g.Connect(0, 5, 9)
	g.Connect(1, 2, 1)
	g.Connect(2, 3, 2)
	g.Connect(3, 4, 9)
	distances, err := monotone.Dijkstra(g, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(distances)
	// Output:
	// [0 7 8 10 19 9]
}

// From 0 the tree takes the edges of weight 7, 1, 2 and 9, and 9 again: it comes
// to the 1 only over the 7, and the wheel has to turn once for it.
func ExamplePrim() {
	g := make(monotone.Graph, 6)
	g.Connect(0, 1, 7)
	g.Connect(0, 2, 9)
	g.Connect(0, 5, 9)
	g.Connect(1, 2, 1)
	g.Connect(2, 3, 2)
	g.Connect(3, 4, 9)
	forest, err := monotone.Prim(g)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("parents", forest.Parent, "weight", forest.Weight)
	// Output:
	// parents [-1 0 1 2 3 0] weight 28
}
