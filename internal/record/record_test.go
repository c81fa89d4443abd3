package record

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/internal/bitmap"
)

func none(int) {}

// begin is the first half of StartTimer of a scheme.
func begin[RequestID any](t *Table[RequestID], id RequestID, action timer.ExpiryAction[RequestID]) (Ref, *Record[RequestID]) {
	if !t.Ready(action) {
		t.Prepare(action)
	}
	return t.Start(id)
}

// outstanding starts a timer in the list and is its handle.
func outstanding(t *Table[int], list Ref, id int, action timer.ExpiryAction[int]) timer.Handle {
	r, rec := begin(t, id, action)
	t.Append(list, r, &rec.Links)
	return rec.Handle(r)
}

// stop is StopTimer of a scheme.
func stop[RequestID any](t *Table[RequestID], h timer.Handle) bool {
	rec := t.Outstanding(h)
	if rec == nil {
		return false
	}
	t.Remove(&rec.Links)
	t.Stop(Ref(h), rec)
	return true
}

// TestSize holds the documentation to the size of a record: two in a cache line.
func TestSize(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("the sizes are those of a 64-bit machine")
	}
	if got := unsafe.Sizeof(Record[int]{}); got != 32 {
		t.Errorf("a record with an id of 8 bytes has %d bytes, want 32", got)
	}
	if got := unsafe.Sizeof(Record[*int]{}); got != 32 {
		t.Errorf("a record with a pointer as its id has %d bytes, want 32", got)
	}
	if got := unsafe.Sizeof(Record[struct{}]{}); got > 32 {
		t.Errorf("a record with no id has %d bytes, want at most 32", got)
	}
}

// TestOutstanding: a handle names a timer from its start to its end, and no other
// number does.
func TestOutstanding(t *testing.T) {
	for _, lists := range []int{1, 2, 300, chunkSize - 1, chunkSize, 3 * chunkSize} {
		table := New[int](0, lists, 0)
		var handles []timer.Handle
		for i := range 10 {
			handles = append(handles, outstanding(&table, 0, i, none))
		}
		for i, h := range handles {
			if rec := table.Outstanding(h); h == 0 || rec == nil || rec.id != i || rec.Handle(Ref(h)) != h {
				t.Fatalf("%d lists: handle %#x of timer %d names %+v", lists, h, i, rec)
			}
		}
		for _, i := range []int{3, 0, 9} {
			if !stop(&table, handles[i]) || table.Outstanding(handles[i]) != nil {
				t.Errorf("%d lists: timer %d is outstanding after its end", lists, i)
			}
		}
		again := outstanding(&table, 0, 10, none)
		if Ref(again) != Ref(handles[9]) || again == handles[9] {
			t.Errorf("%d lists: the record is used again as %#x, was %#x", lists, again, handles[9])
		}
		if table.Outstanding(handles[9]) != nil || table.Outstanding(again) == nil {
			t.Errorf("%d lists: an old handle names the new timer", lists)
		}
		if table.Len() != 8 {
			t.Errorf("%d lists: %d outstanding, want 8", lists, table.Len())
		}
	}
}

// TestInventedHandles: whatever number it is, Outstanding does not fail, and finds
// what is outstanding.
func TestInventedHandles(t *testing.T) {
	table := New[int](0, 3, 0)
	valid := make(map[timer.Handle]bool)
	for i := range 2000 {
		valid[outstanding(&table, Ref(i%3), i, none)] = true
	}
	refs := []uint64{0, 1, 2, 3, 4, 5, chunkSize - 1, chunkSize, 2*chunkSize - 1, 2 * chunkSize, 1 << 31, math.MaxUint32}
	generations := []uint64{0, 1, 2, 3, 1 << 31, math.MaxUint32 - 1, math.MaxUint32}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		refs = append(refs, rng.Uint64N(3000))
		generations = append(generations, rng.Uint64N(4))
	}
	for _, r := range refs {
		for _, generation := range generations {
			h := timer.Handle(generation<<32 | r)
			if found := table.Outstanding(h) != nil; found != valid[h] {
				t.Fatalf("handle %#x names a timer: %t, want %t", h, found, valid[h])
			}
		}
	}
}

// TestRetirement: a record whose generations are spent is not used again, so that
// none of its handles comes to name another timer. The one before its last is.
func TestRetirement(t *testing.T) {
	table := New[int](0, 1, 0)
	first := outstanding(&table, 0, 1, none)
	r := Ref(first)
	stop(&table, first)
	table.At(r).generation = math.MaxUint32 - 3 // it has been used 2^31 - 2 times

	var handles []timer.Handle
	for i := range 2 {
		h := outstanding(&table, 0, i, none)
		if Ref(h) != r || table.Outstanding(h) == nil {
			t.Fatalf("use %d: handle %#x, want record %d", i, h, r)
		}
		handles = append(handles, h)
		if !stop(&table, h) {
			t.Fatalf("use %d: handle %#x is not outstanding", i, h)
		}
	}
	for i := range 3 {
		h := outstanding(&table, 0, i, none)
		if Ref(h) == r {
			t.Fatalf("a spent record is used again, as %#x", h)
		}
		for _, old := range append(handles, first) {
			if h == old || table.Outstanding(old) != nil {
				t.Errorf("handle %#x names a timer after its end", old)
			}
		}
		handles = append(handles, h)
		stop(&table, h)
	}
	for generation := range uint64(4) {
		for _, high := range []uint64{0, math.MaxUint32 - 3} {
			if h := timer.Handle((high+generation)<<32 | uint64(r)); table.Outstanding(h) != nil {
				t.Errorf("handle %#x names a spent record", h)
			}
		}
	}
	if table.Len() != 0 {
		t.Errorf("%d outstanding", table.Len())
	}
}

// TestRetirementOfDue is the same for timers that end with their action.
func TestRetirementOfDue(t *testing.T) {
	table := New[int](0, 1, 0)
	r := Ref(outstanding(&table, 0, 1, none))
	stop(&table, table.At(r).Handle(r))
	table.At(r).generation = math.MaxUint32 - 1
	h := outstanding(&table, 0, 2, func(int) {})
	rec := table.Outstanding(h)
	table.Remove(&rec.Links)
	table.Expire(Ref(h), rec, 5)
	if table.ExpiryProcessing(timer.All) != 1 || table.Outstanding(h) != nil {
		t.Error("the timer has not ended")
	}
	if again := outstanding(&table, 0, 3, none); Ref(again) == r {
		t.Errorf("a spent record is used again, as %#x", again)
	}
}

// TestManyRecords uses records again and again in random order, with every handle
// ever issued at hand.
func TestManyRecords(t *testing.T) {
	table := New[int](0, 2, 0)
	rng := rand.New(rand.NewPCG(1, 2))
	ids := make(map[timer.Handle]int)
	var handles []timer.Handle
	for i := range 20000 {
		if rng.IntN(2) == 0 {
			h := outstanding(&table, Ref(rng.IntN(2)), i, none)
			if _, issued := ids[h]; issued {
				t.Fatalf("handle %#x is issued twice", h)
			}
			ids[h] = i
			handles = append(handles, h)
		} else if len(handles) > 0 {
			h := handles[rng.IntN(len(handles))]
			if got, want := stop(&table, h), ids[h] >= 0; got != want {
				t.Fatalf("stop of %#x: %t, want %t", h, got, want)
			}
			ids[h] = -1
		}
	}
	left := 0
	for h, id := range ids {
		rec := table.Outstanding(h)
		if (rec != nil) != (id >= 0) || rec != nil && rec.id != id {
			t.Fatalf("handle %#x of timer %d names %+v", h, id, rec)
		}
		if rec != nil {
			left++
		}
	}
	if table.Len() != left {
		t.Errorf("Len = %d, want %d", table.Len(), left)
	}
}

// TestLists does random insertions and removals in several lists beside slices, among
// them the ends of the chunks of heads.
func TestLists(t *testing.T) {
	for _, lists := range []int{3, chunkSize - 2, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 2} {
		testLists(t, lists)
	}
}

func testLists(t *testing.T, n int) {
	const lists = 3
	table := New[int](0, n, 0)
	rng := rand.New(rand.NewPCG(1, 3))
	for list := range Ref(n) {
		if r, rec := table.First(list); r != list || rec != nil || !table.IsEmpty(list) {
			t.Fatalf("of %d lists, the first of list %d is %d, %p", n, list, r, rec)
		}
	}
	first := Ref(rng.IntN(n - lists + 1)) // of those that are used
	var want [lists][]Ref
	for step := range 3000 {
		list := first + Ref(rng.IntN(lists))
		in := &want[list-first]
		i := rng.IntN(len(*in) + 1)
		switch op := rng.IntN(9); {
		case op < 5 || len(*in) == 0:
			r, rec := begin(&table, step, none)
			if op == 0 {
				i = len(*in)
				table.Append(list, r, &rec.Links)
			} else if i == len(*in) {
				table.Insert(list, r, &rec.Links)
			} else {
				table.Insert((*in)[i], r, &rec.Links)
			}
			*in = slices.Insert(*in, i, r)
		case op < 8:
			i = min(i, len(*in)-1)
			r := (*in)[i]
			rec := table.At(r)
			table.Remove(&rec.Links)
			table.Stop(r, rec)
			*in = slices.Delete(*in, i, i+1)
		default:
			var got []Ref
			for r, rec := table.First(list); r != list; r, rec = table.First(list) {
				got = append(got, r)
				table.Remove(&rec.Links)
				table.Stop(r, rec)
			}
			if !slices.Equal(got, *in) {
				t.Fatalf("step %d: removed %d, want %d", step, got, *in)
			}
			*in = nil
		}
		for i, want := range want {
			list := first + Ref(i)
			var forward, backward []Ref
			for r, rec := table.First(list); r != list; r, rec = table.Next(rec) {
				forward = append(forward, r)
			}
			for r := table.of(list).prev; r != list; r = table.of(r).prev {
				backward = append(backward, r)
			}
			slices.Reverse(backward)
			if !slices.Equal(forward, want) || !slices.Equal(backward, want) {
				t.Fatalf("step %d: list %d is %d, from the rear %d, want %d", step, list, forward, backward, want)
			}
			if got := table.IsEmpty(list); got != (len(want) == 0) {
				t.Fatalf("step %d: IsEmpty(%d) = %t of %d", step, list, got, len(want))
			}
		}
	}
}

// TestNextBusy: a set of busy lists, in which some stand that have become empty, beside
// a plain search.
func TestNextBusy(t *testing.T) {
	const lists = 200
	table := New[int](0, lists, 0)
	busy := bitmap.New(lists)
	rng := rand.New(rand.NewPCG(1, 5))
	var handles []timer.Handle
	for step := range 5000 {
		switch op := rng.IntN(5); {
		case op < 2 && len(handles) < 20:
			list := Ref(rng.IntN(lists))
			handles = append(handles, outstanding(&table, list, step, none))
			busy.Add(uint32(list))
		case op < 4 && len(handles) > 0:
			i := rng.IntN(len(handles))
			stop(&table, handles[i])
			handles = slices.Delete(handles, i, i+1)
		default:
			from := Ref(rng.IntN(lists + 1))
			want := from
			for want < lists && table.IsEmpty(want) {
				want++
			}
			got, ok := table.NextBusy(busy, from)
			if ok != (want < lists) || ok && got != want {
				t.Fatalf("step %d: the next busy list from %d on is %d, %t, want %d", step, from, got, ok, want)
			}
			for list := from; list < want; list++ {
				if busy.Has(uint32(list)) {
					t.Fatalf("step %d: list %d, which is empty, is still busy", step, list)
				}
			}
		}
	}
}

// TestSearch: both searches find the place after the last that does not expire later,
// and count each timer that they look at.
func TestSearch(t *testing.T) {
	table := New[int](0, 2, 0)
	expiries := []timer.Tick{3, 5, 5, 5, 8}
	refs := []Ref{}
	for _, expiry := range expiries {
		r, rec := begin(&table, 0, none)
		rec.Number = uint64(expiry)
		table.Append(1, r, &rec.Links)
		refs = append(refs, r)
	}
	refs = append(refs, 1) // the list itself: at the rear
	for _, c := range []struct {
		expiry              timer.Tick
		place               int
		fromFront, fromRear uint64
	}{
		{1, 0, 1, 5}, {3, 1, 2, 5}, {4, 1, 2, 5}, {5, 4, 5, 2}, {7, 4, 5, 2}, {8, 5, 5, 1}, {timer.MaxTick, 5, 5, 1},
	} {
		table.Costs = timer.Costs{}
		if got := table.FirstAfter(1, c.expiry); got != refs[c.place] || table.Costs.Compares != c.fromFront {
			t.Errorf("FirstAfter(%d) = %d in %d compares, want %d in %d", c.expiry, got, table.Costs.Compares, refs[c.place], c.fromFront)
		}
		table.Costs = timer.Costs{}
		if got := table.FirstAfterFromRear(1, c.expiry); got != refs[c.place] || table.Costs.Compares != c.fromRear {
			t.Errorf("FirstAfterFromRear(%d) = %d in %d compares, want %d in %d", c.expiry, got, table.Costs.Compares, refs[c.place], c.fromRear)
		}
	}
	for _, search := range []func(Ref, timer.Tick) Ref{table.FirstAfter, table.FirstAfterFromRear} {
		if got := search(0, 5); got != 0 {
			t.Errorf("in an empty list: %d, want 0", got)
		}
	}
}

// TestChunksNeverMove: a record stays where it is, however many come after it.
func TestChunksNeverMove(t *testing.T) {
	table := New[int](0, 1, 0)
	var records []*Record[int]
	var handles []timer.Handle
	for i := range 5*chunkSize + 7 {
		h := outstanding(&table, 0, i, none)
		handles = append(handles, h)
		records = append(records, table.At(Ref(h)))
	}
	for i, h := range handles {
		if rec := table.Outstanding(h); rec != records[i] || rec.id != i {
			t.Fatalf("record %d has moved, or is another", i)
		}
	}
}

// TestCapacity: a table with room makes no chunk for what it has room for, and does
// when that is used up.
func TestCapacity(t *testing.T) {
	for _, capacity := range []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3 * chunkSize} {
		table := New[int](0, 2, capacity)
		chunks := len(table.chunks)
		if want := 1 + (capacity+chunkSize-1)/chunkSize; chunks != want {
			t.Errorf("capacity %d: %d chunks for the heads of three lists and the timers, want %d", capacity, chunks, want)
		}
		for i := range capacity {
			outstanding(&table, 0, i, none)
		}
		if len(table.chunks) != chunks {
			t.Errorf("capacity %d: %d chunks, then %d", capacity, chunks, len(table.chunks))
		}
		for i := range 2 * chunkSize {
			outstanding(&table, 1, i, none)
		}
		if want := 1 + (table.Len()+chunkSize-1)/chunkSize; table.Len() != capacity+2*chunkSize || len(table.chunks) != want {
			t.Errorf("capacity %d: %d timers in %d chunks, want %d", capacity, table.Len(), len(table.chunks), want)
		}
	}
}

// TestNoAllocationInSteadyState: records and the places of actions are used again.
func TestNoAllocationInSteadyState(t *testing.T) {
	table := New[int](0, 1, 0)
	handles := make([]timer.Handle, 3000)
	actions := make([]timer.ExpiryAction[int], len(handles))
	for i := range handles {
		actions[i] = func(id int) { handles[id] = 0 }
		handles[i] = outstanding(&table, 0, i, actions[i])
	}
	chunks, shares := len(table.chunks), len(table.actions.shares)
	i := 0
	if got := testing.AllocsPerRun(10000, func() {
		i = (i*31 + 7) % len(handles)
		stop(&table, handles[i])
		handles[i] = outstanding(&table, 0, i, actions[i])
	}); got != 0 {
		t.Errorf("%g allocations in a stop and a start", got)
	}
	if len(table.chunks) != chunks || len(table.actions.shares) != shares {
		t.Errorf("%d chunks and %d actions, then %d and %d", chunks, shares, len(table.chunks), len(table.actions.shares))
	}
}

// TestExpiryProcessing: the due queue is first in, first out, in portions; a timer
// that an action makes due runs in the same call, if the limit allows; one that
// panics is spent.
func TestExpiryProcessing(t *testing.T) {
	table := New[int](7, 1, 0)
	var ran []int
	expire := func(id int, action timer.ExpiryAction[int]) {
		r, rec := begin(&table, id, action)
		if rec.IsDue() {
			t.Errorf("timer %d is due from its start", id)
		}
		table.Expire(r, rec, 7)
		if !rec.IsDue() || rec.Expiry() != 7 {
			t.Errorf("timer %d: due %t, expiry %d", id, rec.IsDue(), rec.Expiry())
		}
	}
	note := func(id int) { ran = append(ran, id) }
	for id := range 4 {
		expire(id, note)
	}
	expire(4, func(id int) { note(id); expire(9, note) })
	expire(5, func(id int) { note(id); panic("five") })
	expire(6, note)
	for _, portion := range []struct{ limit, want int }{{0, 0}, {1, 1}, {2, 2}} {
		if got := table.ExpiryProcessing(portion.limit); got != portion.want {
			t.Errorf("limit %d: %d performed, want %d", portion.limit, got, portion.want)
		}
	}
	func() {
		defer func() {
			if got := recover(); got != "five" {
				t.Errorf("recovered %v", got)
			}
		}()
		table.ExpiryProcessing(timer.All)
	}()
	if got := table.ExpiryProcessing(timer.All); got != 2 || table.Len() != 0 {
		t.Errorf("after the panic: %d performed, %d left", got, table.Len())
	}
	if want := []int{0, 1, 2, 3, 4, 5, 6, 9}; !slices.Equal(ran, want) {
		t.Errorf("ran %d, want %d", ran, want)
	}
	if got := table.Costs; got.Expiries != 8 || got.Starts != 8 {
		t.Errorf("costs %+v", got)
	}
}

// TestReset counts a stop and a start, and the timer is not due any more.
func TestReset(t *testing.T) {
	table := New[int](7, 1, 0)
	r, rec := begin(&table, 1, none)
	table.Expire(r, rec, 7)
	h := rec.Handle(r)
	table.Remove(&rec.Links)
	table.Reset(rec)
	table.Append(0, r, &rec.Links)
	if rec.IsDue() || table.Outstanding(h) != rec || table.ExpiryProcessing(timer.All) != 0 {
		t.Errorf("due %t, handle names %p", rec.IsDue(), table.Outstanding(h))
	}
	if want := (timer.Costs{Starts: 2, Stops: 1, Expiries: 1}); table.Costs != want {
		t.Errorf("costs %+v, want %+v", table.Costs, want)
	}
	if !stop(&table, h) {
		t.Error("it cannot be stopped")
	}
}

// TestNothingIsKept: a record that has ended keeps neither its id nor its action
// reachable, however it ended.
func TestNothingIsKept(t *testing.T) {
	type request struct{ payload [64]byte }
	for _, end := range []string{"stop", "expire", "panic"} {
		table := New[*request](0, 1, 0)
		ends := make(chan string, 2)
		func() {
			id, captured := &request{}, &request{}
			runtime.SetFinalizer(id, func(*request) { ends <- "id" })
			runtime.SetFinalizer(captured, func(*request) { ends <- "action" })
			r, rec := begin(&table, id, func(*request) {
				captured.payload[0]++
				if end == "panic" {
					panic(end)
				}
			})
			if end == "stop" {
				table.Append(0, r, &rec.Links)
				stop(&table, rec.Handle(r))
				return
			}
			table.Expire(r, rec, 0)
			defer func() { _ = recover() }()
			table.ExpiryProcessing(timer.All)
		}()
		var gone []string
		for range 100 {
			runtime.GC()
			for len(ends) > 0 {
				gone = append(gone, <-ends)
			}
			if len(gone) == 2 {
				break
			}
			runtime.Gosched()
		}
		if slices.Sort(gone); !slices.Equal(gone, []string{"action", "id"}) {
			t.Errorf("%s: only %v can be collected", end, gone)
		}
		runtime.KeepAlive(&table)
	}
}

// TestOutstandingIsKept: what is outstanding is reachable, by the garbage collector
// too, that sees no pointer between records.
func TestOutstandingIsKept(t *testing.T) {
	table := New[*int](0, 1, 0)
	var handles []timer.Handle
	sum := 0
	for i := range 2 * chunkSize {
		id := new(int)
		*id = i
		r, rec := begin(&table, id, func(got *int) { sum += *got - *id + 1 })
		table.Append(0, r, &rec.Links)
		handles = append(handles, rec.Handle(r))
	}
	runtime.GC()
	garbage := make([][]byte, 100)
	for i := range garbage {
		garbage[i] = make([]byte, 1000)
	}
	runtime.GC()
	for _, h := range handles {
		rec := table.Outstanding(h)
		table.Remove(&rec.Links)
		table.Expire(Ref(h), rec, 0)
	}
	if got := table.ExpiryProcessing(timer.All); got != len(handles) || sum != got {
		t.Errorf("%d performed, %d of them with their id", got, sum)
	}
	runtime.KeepAlive(garbage)
}

// TestClock holds the arithmetic of intervals and idle ticks at the ends of the
// clock.
func TestClock(t *testing.T) {
	for _, c := range []struct {
		now, interval, bound timer.Tick
		allowed              bool
	}{
		{0, 0, timer.MaxTick, false},
		{0, 1, timer.MaxTick, true},
		{0, timer.MaxTick, timer.MaxTick, true},
		{1, timer.MaxTick, timer.MaxTick, false},
		{1, timer.MaxTick - 1, timer.MaxTick, true},
		{timer.MaxTick, 0, timer.MaxTick, false},
		{timer.MaxTick, 1, timer.MaxTick, false},
		{timer.MaxTick - 5, 5, 7, true},
		{timer.MaxTick - 5, 6, 7, false},
		{100, 7, 7, true},
		{100, 8, 7, false},
	} {
		table := New[int](c.now, 1, 0)
		if got := table.Allows(c.interval, c.bound); got != c.allowed {
			t.Errorf("at %d: Allows(%d, %d) = %t", c.now, c.interval, c.bound, got)
		}
		want := fmt.Sprintf("%d is not from 1 to %d", c.interval, min(c.bound, timer.MaxTick-c.now))
		if err := table.Refusal(c.interval, c.bound); !strings.Contains(err.Error(), want) {
			t.Errorf("at %d: Refusal(%d, %d) = %v, want %q", c.now, c.interval, c.bound, err, want)
		}
		if got := table.IdleUntil(0, false); got != timer.MaxTick-c.now {
			t.Errorf("at %d: idle until %d", c.now, got)
		}
	}
	table := New[int](timer.MaxTick-1, 1, 0)
	if got := table.IdleUntil(timer.MaxTick, true); got != 0 {
		t.Errorf("idle for %d before the next tick", got)
	}
	if table.Tick() != timer.MaxTick || table.Costs.Ticks != 1 {
		t.Errorf("at %d, costs %+v", table.Now, table.Costs)
	}
	panics(t, "PerTickBookkeeping at the largest Tick", func() { table.Tick() })
	panics(t, "SkipTicks(3) is over IdleTicks() = 2", func() { table.Skip(3, 2) })
	if table.Now != timer.MaxTick || table.Costs.Ticks != 1 {
		t.Errorf("after the panics: at %d, costs %+v", table.Now, table.Costs)
	}
}

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}()
	f()
}

// TestFull: the last Ref is no record, and the next start says so.
func TestFull(t *testing.T) {
	table := New[int](0, 1, 0)
	table.fresh = maxRefs
	panics(t, "more than 4227858431 timers and lists", func() { begin(&table, 0, none) })
}

// TestSizes holds the checks of a configuration to both ends of their ranges.
func TestSizes(t *testing.T) {
	for size, ok := range map[int]bool{-1: false, 0: false, 1: true, 2: true, 3: false, MaxLists - 1: false, MaxLists: true, MaxLists + 1: false, 2 * MaxLists: false} {
		if err := CheckTable("a", size); (err == nil) != ok {
			t.Errorf("CheckTable(%d) = %v", size, err)
		}
	}
	for size, ok := range map[int]bool{-1: false, 0: true, MaxCapacity: true, MaxCapacity + 1: false} {
		if err := CheckCapacity("a", size); (err == nil) != ok {
			t.Errorf("CheckCapacity(%d) = %v", size, err)
		}
	}
}

// TestEndOfAnotherAction: a timer that ends takes a use from its own action, whichever
// was used last, and due or not.
func TestEndOfAnotherAction(t *testing.T) {
	for _, due := range []bool{false, true} {
		for last := range 2 {
			table := New[int](0, 1, 0)
			var actions []timer.ExpiryAction[int]
			var handles []timer.Handle
			for range 2 {
				action, _ := counter()
				actions = append(actions, action)
				handles = append(handles, outstanding(&table, 0, 0, action), outstanding(&table, 0, 0, action))
			}
			outstanding(&table, 0, 0, actions[last])
			for i, want := range []uint32{1, 0} {
				h := handles[2*(1-last)+i]
				if due {
					rec := table.Outstanding(h)
					table.Remove(&rec.Links)
					table.Expire(Ref(h), rec, 0)
				}
				stop(&table, h)
				if table.actions.lastUses != 3 || table.actions.lastPlace != uint32(last) || table.actions.shares[1-last].uses != want {
					t.Errorf("due %t: %d uses of the last action, %d of the other, want 3 and %d", due, table.actions.lastUses, table.actions.shares[1-last].uses, want)
				}
			}
			if table.actions.shares[1-last].action != nil || table.actions.shares[last].action == nil {
				t.Errorf("due %t: the action of no timer is kept, or that of the others is not", due)
			}
		}
	}
}

// TestEndOfASharedAction: an action that timers share is forgotten with the last of
// them, and not before, whether they are stopped or have expired.
func TestEndOfASharedAction(t *testing.T) {
	for _, due := range []bool{false, true} {
		table := New[int](0, 1, 0)
		action, ran := counter()
		var handles []timer.Handle
		for range 5 {
			handles = append(handles, outstanding(&table, 0, 1, action))
		}
		for i, h := range handles {
			if left := len(handles) - i; table.actions.lastUses != uint32(left) || table.actions.shares[0].action == nil {
				t.Errorf("due %t, %d timers left: %d uses", due, left, table.actions.lastUses)
			}
			if due {
				rec := table.Outstanding(h)
				table.Remove(&rec.Links)
				table.Expire(Ref(h), rec, 0)
				table.ExpiryProcessing(timer.All)
			} else {
				stop(&table, h)
			}
		}
		if table.actions.shares[0].action != nil || due && *ran != len(handles) {
			t.Errorf("due %t: %d actions ran, and the action is kept: %t", due, *ran, table.actions.shares[0].action != nil)
		}
	}
}
