package tree

import (
	"cmp"
	"slices"

	"github.com/google/btree"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/record"
)

// Config says how a Tree is made. Its zero value works.
type Config struct {
	Now      timer.Tick // the initial clock
	Capacity int        // timers to make room for, 0 to 2^28 (2^24 on 32-bit machines); more are taken
	Kind     Kind       // the tree; default BTree
}

// A Kind is a kind of tree. All of them stop a timer without a search through
// the others, and find the earliest in O(1).
type Kind int

const (
	// BTree is a balanced search tree, that of github.com/google/btree. Of timers
	// with the same expiry, the first started is the first to run.
	BTree Kind = iota

	// BinaryHeap is the heap in an array.
	BinaryHeap

	// Leftist is the leftist tree: a heap whose shortest way down is always on
	// the right, so that two of them merge in O(log n).
	Leftist

	// Unbalanced is the plain search tree. It degenerates into a list where the
	// intervals are equal, and grows deeper than log n under every law of
	// intervals but the exponential. Of timers with the same expiry, the first
	// started is the first to run.
	Unbalanced
)

var _ record.Module[int] = (*Tree[int])(nil)

// A Tree is Scheme 3: a tree of timers ordered by expiry. It is not safe for
// concurrent use.
type Tree[RequestID any] struct {
	records record.Table[RequestID]
	timers  sorter // the timers that are not due
}

// A sorter is what Scheme 3 wants of a tree. It names the timers by the ordinals of
// their records; 0, which is none, is the child that is not there.
type sorter interface {
	insert(r record.Ordinal, expiry timer.Tick) (compares uint64)
	remove(r record.Ordinal)
	first() record.Ordinal // the earliest, in O(1); 0 if there is none
	walk(visit func(r, left, right record.Ordinal))
}

// New makes a Tree in O(Capacity). An unknown kind and a capacity out of its
// range are errors that name the value and the bound.
func New[RequestID any](cfg Config) (*Tree[RequestID], error) {
	if err := record.CheckCapacity("tree", cfg.Capacity); err != nil {
		return nil, err
	}
	if err := record.CheckSize("tree", "Kind", int(cfg.Kind), int(BTree), int(Unbalanced)); err != nil {
		return nil, err
	}
	t := &Tree[RequestID]{records: record.New[RequestID](cfg.Now, 1, cfg.Capacity)}
	switch cfg.Kind {
	case BTree:
		t.timers = newBalanced(cfg.Capacity)
	case BinaryHeap:
		t.timers = newHeap(cfg.Capacity)
	case Leftist:
		t.timers = &leftist{nodes: newNodes(cfg.Capacity)}
	case Unbalanced:
		t.timers = &unbalanced{nodes: newNodes(cfg.Capacity)}
	}
	return t, nil
}

// StartTimer is START_TIMER: it inserts the timer in the tree. O(log n), and
// O(n) at worst for Unbalanced (section 4.1.1).
func (t *Tree[RequestID]) StartTimer(interval timer.Tick, id RequestID, action timer.ExpiryAction[RequestID]) (timer.Handle, error) {
	if action == nil {
		return 0, timer.ErrNoAction
	}
	if !t.records.Allows(interval, timer.MaxTick) {
		return 0, t.records.Refusal(interval, timer.MaxTick)
	}
	if !t.records.Ready(action) {
		t.records.Prepare(action)
	}
	r, rec := t.records.Start(id)
	h := rec.Handle(r)
	t.insert(r, rec, interval)
	return h, nil
}

func (t *Tree[RequestID]) insert(r record.Ref, rec *record.Record[RequestID], interval timer.Tick) {
	expiry := t.records.Now + interval
	rec.Number = uint64(expiry)
	t.records.Costs.Compares += t.timers.insert(t.records.Ordinal(r), expiry)
}

// StopTimer is STOP_TIMER: O(log n), O(1) for Unbalanced.
func (t *Tree[RequestID]) StopTimer(h timer.Handle) bool {
	rec := t.records.Outstanding(h)
	if rec == nil {
		return false
	}
	t.remove(record.Ref(h), rec)
	t.records.Stop(record.Ref(h), rec)
	return true
}

func (t *Tree[RequestID]) remove(r record.Ref, rec *record.Record[RequestID]) {
	if rec.IsDue() {
		t.records.Remove(&rec.Links)
		return
	}
	t.timers.remove(t.records.Ordinal(r))
}

// PerTickBookkeeping is PER_TICK_BOOKKEEPING: it looks at the earliest timer.
// O(1), and the cost of StopTimer more for each timer that expires.
func (t *Tree[RequestID]) PerTickBookkeeping() int {
	now := t.records.Tick()
	expired := 0
	for first := t.timers.first(); first != 0; first = t.timers.first() {
		t.records.Costs.Visits++
		r := t.records.Numbered(first)
		rec := t.records.At(r)
		if rec.Expiry() > now {
			break
		}
		t.timers.remove(first)
		t.records.Expire(r, rec, now)
		expired++
	}
	return expired
}

// ExpiryProcessing is EXPIRY_PROCESSING. O(1) for each action.
func (t *Tree[RequestID]) ExpiryProcessing(limit int) int { return t.records.ExpiryProcessing(limit) }

// Now is the time of day in ticks. O(1).
func (t *Tree[RequestID]) Now() timer.Tick { return t.records.Now }

// Len is the number of outstanding timers. O(1).
func (t *Tree[RequestID]) Len() int { return t.records.Len() }

// ResetTimer implements [timer.Resetter] at the cost of StopTimer and
// StartTimer.
func (t *Tree[RequestID]) ResetTimer(h timer.Handle, interval timer.Tick) error {
	rec := t.records.Outstanding(h)
	if rec == nil {
		return timer.ErrNotOutstanding
	}
	if !t.records.Allows(interval, timer.MaxTick) {
		return t.records.Refusal(interval, timer.MaxTick)
	}
	t.remove(record.Ref(h), rec)
	t.records.Reset(rec)
	t.insert(record.Ref(h), rec, interval)
	return nil
}

// ExpiryOf implements [timer.Inquirer] in O(1).
func (t *Tree[RequestID]) ExpiryOf(h timer.Handle) (timer.Tick, bool) {
	rec := t.records.Outstanding(h)
	if rec == nil {
		return 0, false
	}
	return rec.Expiry(), true
}

// NextExpiry implements [timer.NextExpirer]. O(1).
func (t *Tree[RequestID]) NextExpiry() (timer.Tick, bool) {
	first := t.timers.first()
	if first == 0 {
		return 0, false
	}
	return t.records.At(t.records.Numbered(first)).Expiry(), true
}

// IdleTicks implements [timer.Tickless]: the ticks before the earliest expiry.
// O(1).
func (t *Tree[RequestID]) IdleTicks() timer.Tick { return t.records.IdleUntil(t.NextExpiry()) }

// SkipTicks implements [timer.Tickless]. O(1).
func (t *Tree[RequestID]) SkipTicks(n timer.Tick) { t.records.Skip(n, t.IdleTicks()) }

// MaxInterval implements [timer.Bounded]: there is no bound. O(1).
func (t *Tree[RequestID]) MaxInterval() timer.Tick { return timer.MaxTick }

// Costs implements [timer.Coster]. O(1).
func (t *Tree[RequestID]) Costs() timer.Costs { return t.records.Costs }

// View implements [timer.Viewer]: one list, of a heap in the order of its array,
// else by expiry, with the children of each timer except for BTree. O(n log n).
func (t *Tree[RequestID]) View() timer.View[RequestID] {
	list := timer.ViewList[RequestID]{Kind: timer.InStructure}
	handle := func(child record.Ordinal) timer.Handle {
		if child == 0 {
			return 0
		}
		r := t.records.Numbered(child)
		return t.records.At(r).Handle(r)
	}
	t.timers.walk(func(i, left, right record.Ordinal) {
		r := t.records.Numbered(i)
		rec := t.records.At(r)
		shown := rec.View(r, rec.Expiry())
		shown.Left, shown.Right = handle(left), handle(right)
		list.Timers = append(list.Timers, shown)
	})
	v := t.records.View([]int{1}, (*record.Record[RequestID]).Expiry)
	if len(list.Timers) > 0 {
		v.Lists = slices.Insert(v.Lists, 0, list)
	}
	return v
}

// balanced is BTree. The tree orders its items by expiry and, where that is
// equal, by the order in which they were started.
type balanced struct {
	tree     *btree.BTreeG[item]
	earliest item
	items    []item // by ordinal
	serial   uint64
	compares uint64
}

type item struct {
	expiry timer.Tick
	serial uint64
	r      record.Ordinal
}

func newBalanced(capacity int) *balanced {
	const (
		degree = 32   // 32 to 63 items a node
		spare  = 1024 // nodes kept for use again
	)
	b := &balanced{items: make([]item, 0, capacity+1)}
	b.tree = btree.NewWithFreeListG(degree, func(a, c item) bool {
		b.compares++
		return a.expiry < c.expiry || a.expiry == c.expiry && a.serial < c.serial
	}, btree.NewFreeListG[item](spare))
	return b
}

func (b *balanced) insert(r record.Ordinal, expiry timer.Tick) (compares uint64) {
	b.serial++
	b.items = reach(b.items, r)
	it := item{expiry, b.serial, r}
	b.items[r] = it
	before := b.compares
	b.tree.ReplaceOrInsert(it)
	compares = b.compares - before
	if b.earliest.r == 0 || expiry < b.earliest.expiry {
		b.earliest = it
	}
	return compares
}

func (b *balanced) remove(r record.Ordinal) {
	b.tree.Delete(b.items[r])
	if r == b.earliest.r {
		b.earliest, _ = b.tree.Min()
	}
}

func (b *balanced) first() record.Ordinal { return b.earliest.r }

func (b *balanced) walk(visit func(r, left, right record.Ordinal)) {
	b.tree.Ascend(func(it item) bool {
		visit(it.r, 0, 0)
		return true
	})
}

// heap is BinaryHeap. No entry expires before its parent:
//
//	entries[(i-1)/2].expiry <= entries[i].expiry, entries[places[r]].r == r
type heap struct {
	entries []entry
	places  []int // by ordinal
}

type entry struct {
	expiry timer.Tick
	r      record.Ordinal
}

func newHeap(capacity int) *heap {
	return &heap{entries: make([]entry, 0, capacity), places: make([]int, 0, capacity+1)}
}

func (h *heap) insert(r record.Ordinal, expiry timer.Tick) (compares uint64) {
	h.places = reach(h.places, r)
	h.entries = append(h.entries, entry{})
	return h.up(len(h.entries)-1, entry{expiry, r})
}

func (h *heap) remove(r record.Ordinal) {
	i, end := h.places[r], len(h.entries)-1
	last := h.entries[end]
	h.entries = h.entries[:end]
	if i == end {
		return
	}
	if i > 0 && last.expiry < h.entries[(i-1)/2].expiry {
		h.up(i, last)
		return
	}
	h.down(i, last)
}

// up puts e at i or above.
func (h *heap) up(i int, e entry) (compares uint64) {
	for i > 0 {
		parent := (i - 1) / 2
		compares++
		if h.entries[parent].expiry <= e.expiry {
			break
		}
		h.put(i, h.entries[parent])
		i = parent
	}
	h.put(i, e)
	return compares
}

// down puts e at i or below.
func (h *heap) down(i int, e entry) {
	for {
		child := 2*i + 1
		if child >= len(h.entries) {
			break
		}
		if right := child + 1; right < len(h.entries) && h.entries[right].expiry < h.entries[child].expiry {
			child = right
		}
		if e.expiry <= h.entries[child].expiry {
			break
		}
		h.put(i, h.entries[child])
		i = child
	}
	h.put(i, e)
}

func (h *heap) put(i int, e entry) {
	h.entries[i] = e
	h.places[e.r] = i
}

func (h *heap) first() record.Ordinal {
	if len(h.entries) == 0 {
		return 0
	}
	return h.entries[0].r
}

func (h *heap) walk(visit func(r, left, right record.Ordinal)) {
	at := func(i int) record.Ordinal {
		if i < len(h.entries) {
			return h.entries[i].r
		}
		return 0
	}
	for i, e := range h.entries {
		visit(e.r, at(2*i+1), at(2*i+2))
	}
}

// A node is a timer in a Leftist or an Unbalanced tree. Node 0 is no timer.
type node struct {
	expiry              timer.Tick
	left, right, parent record.Ordinal

	distance   uint32         // Leftist: nodes on the way down to the right, itself included
	prev, next record.Ordinal // Unbalanced: the neighbours in the order of expiry
}

func newNodes(capacity int) []node { return make([]node, 1, capacity+1) }

// leftist is Leftist. No timer expires before its parent, and the way down to
// the right is nowhere longer than the way down to the left:
//
//	distance(left) >= distance(right), distance = distance(right) + 1
type leftist struct {
	nodes []node // by ordinal
	root  record.Ordinal
}

func (l *leftist) insert(r record.Ordinal, expiry timer.Tick) (compares uint64) {
	l.nodes = reach(l.nodes, r)
	l.nodes[r] = node{expiry: expiry, distance: 1}
	l.root = l.merge(l.root, r, &compares)
	l.nodes[l.root].parent = 0
	return compares
}

// merge is the root of the two trees in one.
func (l *leftist) merge(a, b record.Ordinal, compares *uint64) record.Ordinal {
	if a == 0 {
		return b
	}
	if b == 0 {
		return a
	}
	*compares++
	if l.nodes[b].expiry < l.nodes[a].expiry {
		a, b = b, a
	}
	right := l.merge(l.nodes[a].right, b, compares)
	l.nodes[a].right = right
	l.nodes[right].parent = a
	l.lean(a)
	return a
}

// lean makes the way down to the right of r the shorter one, and reports whether
// that changed r's distance.
func (l *leftist) lean(r record.Ordinal) (changed bool) {
	n := &l.nodes[r]
	if l.nodes[n.left].distance < l.nodes[n.right].distance {
		n.left, n.right = n.right, n.left
	}
	distance := l.nodes[n.right].distance + 1
	changed = n.distance != distance
	n.distance = distance
	return changed
}

// remove merges the children in the place of r, and leans its ancestors as far
// as their distance changes, which is O(log n) of them: each distance goes up by
// one at least from one that changed to the next.
func (l *leftist) remove(r record.Ordinal) {
	n := l.nodes[r]
	var uncounted uint64
	child := l.merge(n.left, n.right, &uncounted)
	replace(l.nodes, &l.root, r, child)
	for p := n.parent; p != 0 && l.lean(p); {
		p = l.nodes[p].parent
	}
}

func (l *leftist) first() record.Ordinal { return l.root }

func (l *leftist) walk(visit func(r, left, right record.Ordinal)) {
	var all []record.Ordinal
	stack := []record.Ordinal{l.root}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if r != 0 {
			all = append(all, r)
			stack = append(stack, l.nodes[r].left, l.nodes[r].right)
		}
	}
	slices.SortFunc(all, func(a, b record.Ordinal) int {
		return cmp.Or(cmp.Compare(l.nodes[a].expiry, l.nodes[b].expiry), cmp.Compare(a, b))
	})
	for _, r := range all {
		visit(r, l.nodes[r].left, l.nodes[r].right)
	}
}

// unbalanced is Unbalanced. The timers are threaded in the order of expiry, in a
// circle through node 0, so that the earliest and every successor are O(1) to
// find:
//
//	everything under left expires before r, nothing under right does
type unbalanced struct {
	nodes []node // by ordinal
	root  record.Ordinal
}

func (u *unbalanced) insert(r record.Ordinal, expiry timer.Tick) (compares uint64) {
	u.nodes = reach(u.nodes, r)
	var parent, next record.Ordinal // next is the last that the way down left to its right
	place := &u.root
	for *place != 0 {
		parent = *place
		compares++
		if expiry < u.nodes[parent].expiry {
			next = parent
			place = &u.nodes[parent].left
		} else {
			place = &u.nodes[parent].right
		}
	}
	*place = r
	prev := u.nodes[next].prev
	u.nodes[r] = node{expiry: expiry, parent: parent, prev: prev, next: next}
	u.nodes[prev].next = r
	u.nodes[next].prev = r
	return compares
}

// remove puts the successor in the place of r if r has two children: it is under
// right, and has no left child of its own.
func (u *unbalanced) remove(r record.Ordinal) {
	n := u.nodes[r]
	u.nodes[n.prev].next = n.next
	u.nodes[n.next].prev = n.prev
	if n.left == 0 || n.right == 0 {
		replace(u.nodes, &u.root, r, max(n.left, n.right))
		return
	}
	next := n.next
	replace(u.nodes, &u.root, next, u.nodes[next].right)
	u.nodes[next].left = u.nodes[r].left
	u.nodes[next].right = u.nodes[r].right
	u.nodes[u.nodes[next].left].parent = next
	u.nodes[u.nodes[next].right].parent = next
	replace(u.nodes, &u.root, r, next)
}

func (u *unbalanced) first() record.Ordinal { return u.nodes[0].next }

func (u *unbalanced) walk(visit func(r, left, right record.Ordinal)) {
	for r := u.first(); r != 0; r = u.nodes[r].next {
		visit(r, u.nodes[r].left, u.nodes[r].right)
	}
}

// replace puts the subtree of by, or nothing, where r is in its parent.
func replace(nodes []node, root *record.Ordinal, r, by record.Ordinal) {
	parent := nodes[r].parent
	switch {
	case parent == 0:
		*root = by
	case nodes[parent].left == r:
		nodes[parent].left = by
	default:
		nodes[parent].right = by
	}
	nodes[by].parent = parent // node 0 has no use for it
}

// reach makes s, which has a place for each ordinal, long enough for r.
func reach[E any](s []E, r record.Ordinal) []E {
	if missing := int(r) + 1 - len(s); missing > 0 {
		s = append(s, make([]E, missing)...)
	}
	return s
}
