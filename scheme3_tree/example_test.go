package tree_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	tree "github.com/timerfacility/timer/scheme3_tree"
)

// Deadlines of every size on a fine clock, a few of them: the earliest is always
// at hand, and the ticks between are skipped.
func Example() {
	deadlines, err := tree.New[string](tree.Config{})
	if err != nil {
		panic(err)
	}
	const microsecond, second = 1, 1_000_000
	done := func(what string) { fmt.Printf("%11d  %s\n", deadlines.Now(), what) }

	deadlines.StartTimer(30*24*3600*second, "renew the certificate", done)
	deadlines.StartTimer(150*microsecond, "retry the bus", done)
	deadlines.StartTimer(5*second, "flush the log", done)

	timer.AdvanceTo(deadlines, 60*second, timer.All)
	next, _ := deadlines.NextExpiry()
	fmt.Println("ticks with work to do:", deadlines.Costs().Ticks, "next at:", next)
	// Output:
	//         150  retry the bus
	//     5000000  flush the log
	// ticks with work to do: 2 next at: 2592000000000
}

// Two heaps of the same six timers: no timer expires before its parent. A binary
// heap is an array. A leftist tree leans: the way down on its right is always the
// shortest, and there a new timer looks for its place.
func ExampleKind_heaps() {
	kinds := map[string]tree.Kind{"binary heap": tree.BinaryHeap, "leftist tree": tree.Leftist}
	for _, name := range []string{"binary heap", "leftist tree"} {
		timers, err := tree.New[string](tree.Config{Kind: kinds[name]})
		if err != nil {
			panic(err)
		}
		for i, interval := range []timer.Tick{5, 9, 6, 12, 10, 8} {
			timers.StartTimer(interval, string(rune('a'+i)), func(string) {})
		}

		fmt.Println(name)
		list := timers.View().Lists[0].Timers
		ids := map[timer.Handle]string{0: "-"}
		for _, x := range list {
			ids[x.Handle] = x.ID
		}
		for _, x := range list {
			fmt.Printf("  %s expires at %2d, over %s %s\n", x.ID, x.Expiry, ids[x.Left], ids[x.Right])
		}
	}
	// Output:
	// binary heap
	//   a expires at  5, over b c
	//   b expires at  9, over d e
	//   c expires at  6, over f -
	//   d expires at 12, over - -
	//   e expires at 10, over - -
	//   f expires at  8, over - -
	// leftist tree
	//   a expires at  5, over c f
	//   c expires at  6, over d e
	//   f expires at  8, over b -
	//   b expires at  9, over - -
	//   e expires at 10, over - -
	//   d expires at 12, over - -
}

// An unbalanced search tree is no better than a list where intervals are equal. A
// balanced one does not mind.
func ExampleKind_search() {
	for _, kind := range []tree.Kind{tree.Unbalanced, tree.BTree} {
		timers, err := tree.New[string](tree.Config{Kind: kind})
		if err != nil {
			panic(err)
		}
		for range 1000 {
			timers.StartTimer(60, "keep alive", func(string) {})
		}
		before := timers.Costs()
		timers.StartTimer(60, "keep alive", func(string) {})
		fmt.Println(timers.Costs().Sub(before).Compares, "compares")
	}
	// Output:
	// 1000 compares
	// 11 compares
}
