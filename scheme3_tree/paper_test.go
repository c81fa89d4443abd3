package tree_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	tree "github.com/timerfacility/timer/scheme3_tree"
)

// The tests of this file go by the sentences of the papers on Scheme 3: section
// 4.1 in 1987, IV.A in 1997. Those after them go by the package's own.

func none(int) {}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, id int, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, id, action)
	if err != nil {
		t.Fatalf("StartTimer(%d) at %d: %v", interval, m.Now(), err)
	}
	return h
}

// each runs the test with every kind of tree.
func each(t *testing.T, test func(t *testing.T, cfg tree.Config)) {
	for _, c := range configurations {
		t.Run(c.name, func(t *testing.T) { test(t, c.config) })
	}
}

// TestStartIsLogarithmic: START_TIMER compares with O(log n) timers, whatever the
// intervals are, in the heaps and the balanced tree; in the unbalanced one where
// they come in a random order. The two heaps have sharp bounds: the depth of a
// complete tree of n, and the length of the way to the right in a leftist one.
// (1987, section 4.1.1 and figure 6; 1997, section IV.A and table II)
func TestStartIsLogarithmic(t *testing.T) {
	const many = 1 << 14
	random := rand.New(rand.NewPCG(3, 1)).Perm(many)
	orders := map[string]func(i int) timer.Tick{
		"ascending":  func(i int) timer.Tick { return timer.Tick(1 + i) },
		"descending": func(i int) timer.Tick { return timer.Tick(many - i) },
		"equal":      func(int) timer.Tick { return 7 },
		"random":     func(i int) timer.Tick { return timer.Tick(1 + random[i]) },
	}
	each(t, func(t *testing.T, cfg tree.Config) {
		for order, interval := range orders {
			if cfg.Kind == tree.Unbalanced && order != "random" {
				continue
			}
			m := at(cfg, 0)
			for n := range many {
				digits := uint64(bits.Len(uint(n))) // floor(log2 n) + 1
				bound := digits
				switch cfg.Kind {
				case tree.BTree:
					bound = 2*digits + 4 // a binary search in each node, and one comparison to tell equal ones
				case tree.Unbalanced:
					bound = 3*digits + 5 // the height of a random tree, which is under 4.32 ln n on average
				}
				before := m.Costs()
				start(t, m, interval(n), n, none)
				if got := m.Costs().Sub(before); got.Compares > bound || got.Starts != 1 || got.Visits != 0 {
					t.Fatalf("%s, n = %d: a start costs %+v, want at most %d compares", order, n, got, bound)
				}
			}
			if got := m.Costs().Compares; got < many-1 {
				t.Errorf("%s: %d compares in %d starts", order, got, many)
			}
		}
	})
}

// TestHeapAtItsWorst: a timer that expires before all others climbs to the root of
// a binary heap, past floor(log2 n) others if it is the n-th.
// (1987, section 4.1.1; 1997, section IV.A)
func TestHeapAtItsWorst(t *testing.T) {
	m := at(tree.Config{Kind: tree.BinaryHeap}, 0)
	for n := 1; n <= 1000; n++ {
		before := m.Costs()
		start(t, m, timer.Tick(2000-n), n, none)
		if got, want := m.Costs().Sub(before).Compares, uint64(bits.Len(uint(n))-1); got != want {
			t.Fatalf("the timer number %d is compared with %d, want %d", n, got, want)
		}
	}
}

// TestEqualIntervalsDegenerate: an unbalanced tree easily becomes a list; for
// instance if timers of equal intervals are inserted. START_TIMER then compares with
// all n. A balanced tree, which pays for that in every STOP_TIMER, does not.
// (1987, section 4.1.1; 1997, section IV.A)
func TestEqualIntervalsDegenerate(t *testing.T) {
	const many = 1000
	m := at(tree.Config{Kind: tree.Unbalanced}, 0)
	balanced := at(tree.Config{Kind: tree.BTree}, 0)
	for i := range 3 * many {
		before := m.Costs()
		n := uint64(m.Len())
		start(t, m, many, i, none)
		start(t, balanced, many, i, none)
		if got := m.Costs().Sub(before).Compares; got != n {
			t.Fatalf("%d compares with %d timers, want as many", got, n)
		}
		if i == many/2 {
			for i, x := range m.View().Lists[0].Timers {
				if x.Left != 0 || (x.Right == 0) != (i == many/2) {
					t.Fatalf("timer %d of the list has children %d and %d", i, x.Left, x.Right)
				}
			}
		}
		for _, m := range []*tree.Tree[int]{m, balanced} {
			m.PerTickBookkeeping()
			m.ExpiryProcessing(timer.All)
		}
	}
	if got := balanced.Costs(); got.Compares > 30*got.Starts {
		t.Errorf("a balanced tree: %d compares in %d starts", got.Compares, got.Starts)
	}
}

// TestUnbalancedGrowth: where every timer that expires is started again, an
// unbalanced tree of 1000 is logarithmic under the exponential law alone, about
// 2 ln n - 1. Under a uniform law it grows with the square root of n. The papers
// warn of equal intervals only.
// (1987, section 4.1.1; 1997, section IV.A)
func TestUnbalancedGrowth(t *testing.T) {
	const n, mean = 1000, 1 << 30
	for _, law := range []struct {
		name  string
		draw  func(*rand.Rand) float64
		holds int
		want  float64
	}{
		{"exponential", (*rand.Rand).ExpFloat64, 6000, 13.0},
		{"uniform from 0 to 2", func(r *rand.Rand) float64 { return 2 * r.Float64() }, 6000, 33.6},
		{"uniform from .9 to 1.1", func(r *rand.Rand) float64 { return .9 + .2*r.Float64() }, 6000, 92.7},
	} {
		m := at(tree.Config{Kind: tree.Unbalanced}, 0)
		rng := rand.New(rand.NewPCG(3, 12))
		var again func(id int)
		again = func(id int) { start(t, m, 1+timer.Tick(law.draw(rng)*mean), id, again) }
		for i := range n {
			again(i)
		}
		hold := func(times int) {
			for range times {
				m.SkipTicks(m.IdleTicks())
				m.PerTickBookkeeping()
				m.ExpiryProcessing(timer.All)
			}
		}
		hold(law.holds)
		before := m.Costs()
		hold(law.holds)
		costs := m.Costs().Sub(before)
		if got := float64(costs.Compares) / float64(costs.Starts); math.Abs(got-law.want) > law.want/10 {
			t.Errorf("%s: %.1f compares in a start, want about %.1f", law.name, got, law.want)
		}
	}
}

// TestStopDoesNotSearch: STOP_TIMER is O(1) in an unbalanced tree and O(log n) in a
// balanced one, with a pointer to the timer: no kind compares it with others to
// find it.
// (1987, section 4.1.1 and figure 6; 1997, section IV.A and table II)
func TestStopDoesNotSearch(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		m := at(cfg, 0)
		rng := rand.New(rand.NewPCG(3, 2))
		handles := make([]timer.Handle, 2000)
		for i := range handles {
			handles[i] = start(t, m, timer.Tick(1+rng.IntN(1000)), i, none)
		}
		rng.Shuffle(len(handles), func(i, j int) { handles[i], handles[j] = handles[j], handles[i] })
		for _, h := range handles {
			before := m.Costs()
			if !m.StopTimer(h) {
				t.Fatalf("timer %d is not stopped", h)
			}
			if got, want := m.Costs().Sub(before), (timer.Costs{Stops: 1}); got != want {
				t.Fatalf("a stop costs %+v, want %+v", got, want)
			}
		}
		if m.Len() != 0 || len(m.View().Lists) != 0 {
			t.Errorf("%d timers are left, view %+v", m.Len(), m.View())
		}
	})
}

// TestTickLooksAtTheEarliest: PER_TICK_BOOKKEEPING is O(1) for any n: it looks at
// the earliest timer, and at the next after each that expires.
// (1987, figure 6; 1997, table II)
func TestTickLooksAtTheEarliest(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		for _, n := range []int{1, 2, 3, 100, 3000} {
			m := at(cfg, 0)
			for i := range n {
				start(t, m, timer.Tick(10+i/3), i, none) // three in a tick
			}
			for m.Len() > 0 {
				before := m.Costs()
				expired := m.PerTickBookkeeping()
				m.ExpiryProcessing(timer.All)
				want := timer.Costs{Ticks: 1, Expiries: uint64(expired), Visits: uint64(expired + min(1, m.Len()))}
				if got := m.Costs().Sub(before); got != want {
					t.Fatalf("n = %d, tick %d: costs %+v, want %+v", n, m.Now(), got, want)
				}
			}
			if before := m.Costs().Visits; m.PerTickBookkeeping() != 0 || m.Costs().Visits != before {
				t.Errorf("n = %d: a visit with no timer", n)
			}
		}
	})
}

// TestSorts: a timer module is a sorting module whose input and output are dynamic:
// with no stops, timers come out in the order of their expiries, those of
// BTree and Unbalanced with equal ones in the order of their starts.
// (1987, section 4.1 and figure 5; 1997, section IV.A and figure 3)
func TestSorts(t *testing.T) {
	type key struct{ expiry, id int }
	each(t, func(t *testing.T, cfg tree.Config) {
		m := at(cfg, 0)
		rng := rand.New(rand.NewPCG(3, 5))
		input := make([]key, 3000)
		var output []key
		for i := range input {
			input[i] = key{1 + rng.IntN(500), i}
			start(t, m, timer.Tick(input[i].expiry), i, func(id int) { output = append(output, key{int(m.Now()), id}) })
		}
		byExpiry := func(a, b key) int { return a.expiry - b.expiry }
		slices.SortStableFunc(input, byExpiry)
		timer.AdvanceTo(m, 500, timer.All)
		if cfg.Kind == tree.BinaryHeap || cfg.Kind == tree.Leftist {
			if !slices.IsSortedFunc(output, byExpiry) {
				t.Error("the output is not sorted")
			}
			slices.SortFunc(output, func(a, b key) int { return (a.expiry-b.expiry)*len(input) + a.id - b.id })
		}
		if !slices.Equal(output, input) {
			t.Error("the output is not the sorted input")
		}
	})
}

// TestShapes holds each kind to the tree that section 4.1.1 names, while timers
// start, stop, are reset and expire.
// (1987, section 4.1.1; 1997, section IV.A)
func TestShapes(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		m := at(cfg, 1000)
		rng := rand.New(rand.NewPCG(3, 3))
		var handles []timer.Handle
		for step := range 2000 {
			interval := timer.Tick(1 + rng.IntN(60))
			switch op := rng.IntN(8); {
			case op < 4 || len(handles) == 0:
				handles = append(handles, start(t, m, interval, step, none))
			case op < 5:
				m.StopTimer(handles[rng.IntN(len(handles))])
			case op < 7:
				_ = m.ResetTimer(handles[rng.IntN(len(handles))], interval) // which may have ended
			default:
				m.PerTickBookkeeping()
				m.ExpiryProcessing(rng.IntN(3))
			}
			if step%7 == 0 {
				shape(t, cfg.Kind, m)
			}
		}
	})
}

// shape checks the invariant of the kind on the view.
func shape(t *testing.T, kind tree.Kind, m *tree.Tree[int]) {
	t.Helper()
	lists := m.View().Lists
	if len(lists) == 0 || lists[0].Kind != timer.InStructure {
		return
	}
	timers := lists[0].Timers
	nodes := make(map[timer.Handle]timer.ViewTimer[int])
	children := make(map[timer.Handle]bool)
	for i, x := range timers {
		nodes[x.Handle] = x
		children[x.Left], children[x.Right] = true, true
		if kind != tree.BinaryHeap && i > 0 && x.Expiry < timers[i-1].Expiry {
			t.Fatalf("the view is not sorted: %d after %d", x.Expiry, timers[i-1].Expiry)
		}
	}
	if kind == tree.BTree {
		if delete(children, 0); len(children) > 0 {
			t.Fatal("the view shows children of a shape that is not the scheme's own")
		}
		return
	}
	var root timer.ViewTimer[int]
	for _, x := range timers {
		if !children[x.Handle] {
			root = x
		}
	}

	// check is the number of timers under x, itself included, the nodes on its way
	// down to the right, and its timers in order.
	var check func(x timer.ViewTimer[int]) (distance int, inOrder []timer.Handle)
	check = func(x timer.ViewTimer[int]) (int, []timer.Handle) {
		if x.Handle == 0 {
			return 0, nil
		}
		left, right := nodes[x.Left], nodes[x.Right]
		leftDistance, before := check(left)
		rightDistance, after := check(right)
		switch kind {
		case tree.BinaryHeap, tree.Leftist:
			if x.Left != 0 && left.Expiry < x.Expiry || x.Right != 0 && right.Expiry < x.Expiry {
				t.Fatalf("a child of %d expires before its parent", x.Expiry)
			}
			if kind == tree.Leftist && leftDistance < rightDistance {
				t.Fatalf("distance %d on the left of %d, %d on the right", leftDistance, x.Expiry, rightDistance)
			}
		case tree.Unbalanced:
			for _, h := range before {
				if nodes[h].Expiry >= x.Expiry {
					t.Fatalf("%d is on the left of %d", nodes[h].Expiry, x.Expiry)
				}
			}
			for _, h := range after {
				if nodes[h].Expiry < x.Expiry {
					t.Fatalf("%d is on the right of %d", nodes[h].Expiry, x.Expiry)
				}
			}
		}
		return rightDistance + 1, append(append(before, x.Handle), after...)
	}
	_, inOrder := check(root)
	if len(inOrder) != len(timers) {
		t.Fatalf("%d timers under the root, want %d", len(inOrder), len(timers))
	}
	for i, x := range timers {
		switch kind {
		case tree.BinaryHeap:
			for child, h := range map[int]timer.Handle{2*i + 1: x.Left, 2*i + 2: x.Right} {
				if child < len(timers) && h != timers[child].Handle || child >= len(timers) && h != 0 {
					t.Fatalf("entry %d of %d has the child %d at %d", i, len(timers), h, child)
				}
			}
		case tree.Unbalanced:
			if inOrder[i] != x.Handle {
				t.Fatalf("timer %d in the thread is not timer %d in the tree", i, i)
			}
		}
	}
}

// TestRemoveEveryNode stops each timer of each tree of up to five by itself: no
// place in a tree is special. The trees are those of all orders of insertion.
func TestRemoveEveryNode(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		for size := 1; size <= 5; size++ {
			order := make([]int, size)
			for i := range order {
				order[i] = i
			}
			permutations(order, 0, func(order []int) {
				for stop := range size {
					m := at(cfg, 0)
					var stopped timer.Handle
					for _, i := range order {
						h := start(t, m, timer.Tick(1+i), i, none)
						if i == stop {
							stopped = h
						}
					}
					m.StopTimer(stopped)
					shape(t, cfg.Kind, m)
					for m.Len() > 0 {
						expired := m.PerTickBookkeeping()
						if (expired == 0) != (int(m.Now()) == 1+stop) {
							t.Fatalf("inserted %d, stopped %d: %d expired at %d", order, stop, expired, m.Now())
						}
						m.ExpiryProcessing(timer.All)
					}
				}
			})
		}
	})
}

func permutations(order []int, from int, visit func(order []int)) {
	if from == len(order) {
		visit(order)
		return
	}
	for i := from; i < len(order); i++ {
		order[from], order[i] = order[i], order[from]
		permutations(order, from+1, visit)
		order[from], order[i] = order[i], order[from]
	}
}

// TestDegenerateIsDeep starts and stops in a tree that is one long list, which no
// kind may walk by recursion from node to node.
func TestDegenerateIsDeep(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		const many = 3000
		m := at(cfg, 0)
		for i := range many {
			start(t, m, timer.Tick(many-i), i, none)
		}
		if got := len(m.View().Lists[0].Timers); got != many {
			t.Errorf("the view has %d timers, want %d", got, many)
		}
		if next, ok := m.NextExpiry(); next != 1 || !ok {
			t.Errorf("NextExpiry = %d, %t, want 1", next, ok)
		}
		timer.AdvanceTo(m, many, timer.All)
		if m.Len() != 0 {
			t.Errorf("%d timers are left", m.Len())
		}
	})
}

func TestConfigErrors(t *testing.T) {
	const maxCapacity = 1 << (24 + 4*(bits.UintSize/64))
	type bad struct {
		config tree.Config
		want   string
	}
	var all []bad
	for _, kind := range []tree.Kind{-1, 4, math.MaxInt} {
		all = append(all, bad{tree.Config{Kind: kind}, fmt.Sprintf("Kind %d is not from 0 to 3", kind)})
	}
	for _, capacity := range []int{-1, math.MinInt, maxCapacity + 1, math.MaxInt} {
		all = append(all, bad{tree.Config{Capacity: capacity}, fmt.Sprintf("Capacity %d is not from 0 to %d", capacity, maxCapacity)})
	}
	for _, c := range all {
		m, err := tree.New[int](c.config)
		if m != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) = %v, %v, want the error %q", c.config, m, err, c.want)
		}
	}
}

// TestCapacity: timers within the capacity allocate nothing, but for the nodes of a
// BTree. Others in the process may allocate meanwhile: so the least of several counts.
func TestCapacity(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		if cfg.Kind == tree.BTree {
			return
		}
		for _, capacity := range []int{1, 500, 5000} {
			cfg.Capacity = capacity
			least := uint64(math.MaxUint64)
			for range 10 {
				m := at(cfg, 0)
				start(t, m, 1, 0, none) // the first use of an action keeps it
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				for i := 1; i < capacity; i++ {
					_, _ = m.StartTimer(timer.Tick(i%97+1), i, none)
				}
				runtime.ReadMemStats(&after)
				least = min(least, after.Mallocs-before.Mallocs)
			}
			if least > 0 {
				t.Errorf("capacity %d: %d allocations", capacity, least)
			}
		}
	})
}

func TestZeroConfig(t *testing.T) {
	m, err := tree.New[string](tree.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var ran string
	if _, err := m.StartTimer(1, "a", func(id string) { ran = id }); err != nil {
		t.Fatal(err)
	}
	if m.PerTickBookkeeping() != 1 || m.ExpiryProcessing(timer.All) != 1 || ran != "a" {
		t.Errorf("ran %q, want a", ran)
	}
}

func TestRefusalsChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, cfg tree.Config) {
		m := at(cfg, timer.MaxTick-20)
		h := start(t, m, 15, 1, none)
		start(t, m, 14, 3, none)
		stopped := start(t, m, 15, 2, none)
		m.StopTimer(stopped)
		view, costs := m.View(), m.Costs()
		refused := map[string]func() bool{
			"start 0":         func() bool { _, err := m.StartTimer(0, 9, none); return err != nil },
			"start 21":        func() bool { _, err := m.StartTimer(21, 9, none); return err != nil },
			"start no action": func() bool { _, err := m.StartTimer(5, 9, nil); return err != nil },
			"stop 0":          func() bool { return !m.StopTimer(0) },
			"stop stopped":    func() bool { return !m.StopTimer(stopped) },
			"stop invented":   func() bool { return !m.StopTimer(1<<63 | 1<<32 | 77) },
			"reset stopped":   func() bool { return m.ResetTimer(stopped, 5) != nil },
			"reset to 0":      func() bool { return m.ResetTimer(h, 0) != nil },
			"reset to 21":     func() bool { return m.ResetTimer(h, 21) != nil },
		}
		for name, f := range refused {
			if !f() {
				t.Errorf("%s is not refused", name)
			}
			if !reflect.DeepEqual(m.View(), view) || m.Costs() != costs {
				t.Errorf("%s changed the module from %+v, %+v to %+v, %+v", name, view, costs, m.View(), m.Costs())
			}
		}
	})
}

// A timer that is due stands in the queue of due timers and nowhere else. View has
// to say so, with every kind of tree.
func TestDueIsShownOnce(t *testing.T) {
	for _, kind := range []tree.Kind{tree.BTree, tree.BinaryHeap, tree.Leftist, tree.Unbalanced} {
		m, err := tree.New[int](tree.Config{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.StartTimer(1, 7, func(int) {}); err != nil {
			t.Fatal(err)
		}
		m.PerTickBookkeeping()
		if lists := m.View().Lists; len(lists) != 1 || lists[0].Kind != timer.InDue || len(lists[0].Timers) != 1 {
			t.Errorf("kind %d: a due timer is shown in %+v", kind, lists)
		}
	}
}
