package record

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/timerfacility/timer"
)

// tightBags makes a table that has no spare blocks, so that few timers do for a test.
func tightBags(now timer.Tick, n, capacity int) Table[int] {
	t := NewBags[int](now, n, capacity)
	t.spare = 0
	return t
}

// put puts a timer in a bag, as a scheme does.
func put(t *Table[int], b Bag, r Ref) (wasEmpty bool) {
	if !t.HasRoom(b) {
		wasEmpty = t.Extend(b)
	}
	t.Put(b, r, &t.At(r).Links)
	return wasEmpty
}

// content is the timers in a bag, sorted.
func content(t *Table[int], b Bag) (refs []Ref) {
	var block Block
	first, end := t.Blocks(b)
	for i := first; i != 0; i = t.NextBlock(i) {
		refs = append(refs, t.Timers(b, i, end, &block)...)
	}
	slices.Sort(refs)
	return refs
}

// TestBlockIsALine holds the documentation to the size of a block, and the table of
// bags to that of a bag.
func TestBlockIsALine(t *testing.T) {
	if got := unsafe.Sizeof(Block{}); got != 64 {
		t.Errorf("a block has %d bytes, want 64", got)
	}
	if got := unsafe.Sizeof(bag{}); got != 8 {
		t.Errorf("a bag has %d bytes, want 8", got)
	}
}

// TestBags does at random all that can be done with bags, beside sets of timers.
func TestBags(t *testing.T) {
	const n = 5
	seeds := uint64(20)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		table := tightBags(0, n, 0)
		rng := rand.New(rand.NewPCG(1, seed))
		var want [n]map[Ref]bool
		for b := range want {
			want[b] = make(map[Ref]bool)
		}
		in := make(map[Ref]Bag)
		var started []Ref
		starts := 1 + rng.IntN(8) // in ten
		for step := range 4000 {
			b := Bag(rng.IntN(n))
			switch op := rng.IntN(40); {
			case op < 4*starts:
				r, _ := begin(&table, step, none)
				hadBlock := table.bag(b).first != 0
				if empty := put(&table, b, r); empty && hadBlock && len(want[b]) > 0 {
					t.Fatalf("seed %d, step %d: bag %d was empty, says Extend, with %d timers", seed, step, b, len(want[b]))
				}
				in[r], want[b][r] = b, true
				started = append(started, r)
			case len(started) == 0:
			case op < 36: // a timer ends
				i := rng.IntN(len(started))
				r := started[i]
				table.Stop(r, table.At(r))
				delete(want[in[r]], r)
				delete(in, r)
				started = slices.Delete(started, i, i+1)
			case op < 38: // one is put elsewhere, or where it is
				r := started[rng.IntN(len(started))]
				put(&table, b, r)
				delete(want[in[r]], r)
				in[r], want[b][r] = b, true
			case op < 39: // all of a bag are put elsewhere, as a tick does
				var block Block
				first, end := table.Empty(b)
				for i := first; i != 0; i = table.Reuse(i) {
					for _, r := range table.Timers(b, i, end, &block) {
						to := Bag(rng.IntN(n))
						put(&table, to, r)
						if !want[b][r] || in[r] != b {
							t.Fatalf("seed %d, step %d: timer %d in bag %d, want in %d", seed, step, r, b, in[r])
						}
						in[r] = to
					}
				}
				for b := range want {
					clear(want[b])
				}
				for r, b := range in {
					want[b][r] = true
				}
			default:
				if got := table.Trim(b); got != (len(want[b]) > 0) {
					t.Fatalf("seed %d, step %d: Trim(%d) = %t with %d timers", seed, step, b, got, len(want[b]))
				}
				if first, end := table.Blocks(b); first != 0 != (len(want[b]) > 0) || first == 0 && end != 0 {
					t.Fatalf("seed %d, step %d: after Trim, bag %d begins at %d and ends at %d with %d timers", seed, step, b, first, end, len(want[b]))
				}
			}
			for b := range Bag(n) {
				got, want := content(&table, b), slices.Sorted(mapKeys(want[b]))
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, step %d: bag %d holds %d, want %d", seed, step, b, got, want)
				}
			}
			checkBlocks(t, &table)
		}
	}
}

func mapKeys(m map[Ref]bool) func(yield func(Ref) bool) {
	return func(yield func(Ref) bool) {
		for r := range m {
			if !yield(r) {
				return
			}
		}
	}
}

// checkBlocks holds a table to having each block in one place, and to its counts.
func checkBlocks(t *testing.T, table *Table[int]) {
	t.Helper()
	seen := make(map[uint32]bool)
	used, filled := 0, 0
	note := func(i uint32) {
		if seen[i] || i == 0 || i >= table.freshBlock {
			t.Fatalf("block %d is in two places, or none", i)
		}
		seen[i] = true
	}
	for b := range Bag(len(table.bags.bags)) {
		first, _ := table.Blocks(b)
		if first != 0 {
			filled++
		}
		for i := first; i != 0; i = table.NextBlock(i) {
			note(i)
			used++
		}
	}
	for i := table.freeBlock; i != 0; i = uint32(table.block(i)[0]) {
		note(i)
	}
	if used != table.used || filled != table.filled || len(seen) != int(table.freshBlock)-1 {
		t.Fatalf("%d blocks in %d bags, %d in all; want %d in %d, %d in all", used, filled, len(seen), table.used, table.filled, table.freshBlock-1)
	}
}

// TestWhatIsLeftBehindIsBounded starts and stops timers by the thousand, in ways that
// leave their entries where nobody looks: in one bag after the other, in all at once
// and then in a few, behind timers that stay. The blocks are then at most twice those
// that the most timers at a time took with mostEntries each, and one more in each bag.
func TestWhatIsLeftBehindIsBounded(t *testing.T) {
	const n = 200
	for name, bagOf := range map[string]func(round, i int) int{
		"one after the other":     func(round, i int) int { return round % n },
		"all, then one":           func(round, i int) int { return i * min(1, n-round%n-1) % n },
		"at random":               func(round, i int) int { return (round + i*i) % n },
		"a few after many others": func(round, i int) int { return max(0, i-round*13) % n },
	} {
		for _, c := range []struct{ many, staying, rounds int }{{3000, 0, 400}, {3000, 300, 100}, {300, 3000, 4000}} {
			many, staying, rounds := c.many, c.staying, c.rounds
			if testing.Short() {
				rounds /= 5
			}
			table := tightBags(0, n, 0)
			for i := range staying {
				r, _ := begin(&table, i, none)
				put(&table, Bag(i%n), r)
			}
			most := 2 * (mostEntries*(many+staying)/blockRoom + n)
			for round := range rounds {
				var started []Ref
				for i := range many {
					r, _ := begin(&table, i, none)
					put(&table, Bag(bagOf(round, i)), r)
					started = append(started, r)
				}
				for _, r := range started {
					table.Stop(r, table.At(r))
				}
				if table.used > most {
					t.Fatalf("%s, %d that stay: %d blocks in round %d, want at most %d", name, staying, table.used, round, most)
				}
			}
			checkBlocks(t, &table)
			left := 0
			for b := range Bag(n) {
				left += len(content(&table, b))
			}
			if left != staying || table.Len() != staying {
				t.Errorf("%s: %d timers in the bags, %d outstanding, want %d", name, left, table.Len(), staying)
			}
		}
	}
}

// TestAStartIsShort: whatever was left behind, a start sweeps two blocks of others at
// most, and looks for them in no more than 64 bags each.
func TestAStartIsShort(t *testing.T) {
	const n = 1000
	table := tightBags(0, n, 0)
	var started []Ref
	for i := range 2 * blockRoom * (n / 2) {
		r, _ := begin(&table, i, none)
		put(&table, Bag(n/2+i%(n/2)), r)
		started = append(started, r)
	}
	for _, r := range started {
		table.Stop(r, table.At(r))
	}
	swept := 0
	for i := range 10000 {
		r, _ := begin(&table, i, none)
		turn, used := table.turn, table.used
		put(&table, 0, r)
		if passed := (table.turn + n - turn) % n; passed > 2*64 {
			t.Fatalf("start %d passed by %d bags", i, passed)
		}
		if grown := table.used - used; grown < -2 {
			t.Fatalf("start %d swept %d blocks", i, 1-grown)
		} else if grown < 0 {
			swept++
		}
	}
	if swept < 50 {
		t.Errorf("%d starts swept a block of another bag", swept)
	}
}

// TestBlocksEnd: a bag of as many timers as a block holds, one less and one more.
func TestBlocksEnd(t *testing.T) {
	for _, many := range []int{1, blockRoom - 1, blockRoom, blockRoom + 1, 3 * blockRoom, 3*blockRoom + 1} {
		table := tightBags(0, 3, 0)
		var want []Ref
		for i := range many {
			r, _ := begin(&table, i, none)
			if empty := put(&table, 1, r); empty != (i == 0) {
				t.Errorf("of %d timers, number %d: was empty: %t", many, i, empty)
			}
			want = append(want, r)
		}
		if got := content(&table, 1); !slices.Equal(got, want) {
			t.Errorf("%d timers: %d", many, got)
		}
		if want := (many + blockRoom - 1) / blockRoom; table.used != want || table.filled != 1 {
			t.Errorf("%d timers are in %d blocks of %d bags, want %d of 1", many, table.used, table.filled, want)
		}
		for b := range Bag(3) {
			if held := table.Trim(b); held != (b == 1) {
				t.Errorf("Trim(%d) = %t", b, held)
			}
		}
		if got := content(&table, 1); !slices.Equal(got, want) {
			t.Errorf("%d timers after Trim: %d", many, got)
		}
	}
}

// TestADueTimerIsInNoBag: neither a due timer nor a record that is used again is taken
// for the one that stood at a place.
func TestADueTimerIsInNoBag(t *testing.T) {
	table := NewBags[int](5, 2, 0)
	r, rec := begin(&table, 1, none)
	put(&table, 1, r)
	table.Expire(r, rec, 5)
	if got := content(&table, 1); len(got) > 0 {
		t.Errorf("a due timer is in a bag")
	}
	table.ExpiryProcessing(timer.All)
	if got := content(&table, 1); len(got) > 0 {
		t.Errorf("a timer that has ended is in a bag")
	}
	again, _ := begin(&table, 2, none)
	if again != r {
		t.Fatalf("record %d, want %d again", again, r)
	}
	put(&table, 0, again)
	if got := content(&table, 1); len(got) > 0 {
		t.Errorf("a timer is in the bag of the one before it")
	}
}

// TestFullOfBlocks: the last number of a block is none.
func TestFullOfBlocks(t *testing.T) {
	table := tightBags(0, 1, 0)
	table.freshBlock = 1<<28 - 1
	r, _ := begin(&table, 0, none)
	panics(t, "more than 2^28-2 blocks of timers", func() { put(&table, 0, r) })
}

// TestRoomForBlocks: a table with room makes no chunk of blocks for a bag with all of
// the timers.
func TestRoomForBlocks(t *testing.T) {
	for _, capacity := range []int{0, 1, (blocksChunk - 1) * blockRoom, (blocksChunk-1)*blockRoom + 1, 3 * blocksChunk * blockRoom} {
		table := tightBags(0, 1, capacity)
		chunks := len(table.blocks)
		if blocks := (capacity + blockRoom - 1) / blockRoom; blocks > 0 && chunks != (blocks+1+blocksChunk-1)/blocksChunk || blocks == 0 && chunks > 0 {
			t.Errorf("capacity %d: %d chunks for %d blocks, and block 0, which is not used", capacity, chunks, blocks)
		}
		for i := range capacity {
			r, _ := begin(&table, i, none)
			put(&table, 0, r)
		}
		if len(table.blocks) != chunks {
			t.Errorf("capacity %d: %d chunks, then %d", capacity, chunks, len(table.blocks))
		}
	}
}

// TestNothingIsSweptInVain: while no timer ends, all stay where they are, in the order
// in which they were started.
func TestNothingIsSweptInVain(t *testing.T) {
	const n = 100
	table := tightBags(0, n, 0)
	var want []Ref
	for i := range n + 10*blockRoom {
		r, rec := begin(&table, i, none)
		put(&table, Bag(max(0, n-1-i)), r)
		if i >= n-1 {
			want = append(want, r)
			if before := rec.Links; len(want) > 1 && table.At(want[len(want)-2]).next >= before.next && before.next%blockSize != 1 {
				t.Fatalf("timer %d is at place %d, the one before it at %d", i, before.next, table.At(want[len(want)-2]).next)
			}
		}
	}
	var got []Ref
	var block Block
	first, end := table.Blocks(0)
	for i := first; i != 0; i = table.NextBlock(i) {
		got = append(got, table.Timers(0, i, end, &block)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("in the bag are %d, want %d", got, want)
	}
}

// TestFewTimers: few timers that are started and stopped in many bags find room in as
// many blocks as a chunk has, where nothing is swept until they are full, and take at
// most twice as many, and one for each timer.
func TestFewTimers(t *testing.T) {
	const n = 500
	for _, timers := range []int{1, 3, 40} {
		table := NewBags[int](0, n, 0)
		var refs []Ref
		rng := rand.New(rand.NewPCG(1, uint64(timers)))
		for i := range timers {
			r, _ := begin(&table, i, none)
			put(&table, Bag(rng.IntN(n)), r)
			refs = append(refs, r)
		}
		full := 0 // starts until the first sweep
		for i := range 100000 {
			at := rng.IntN(timers)
			table.Stop(refs[at], table.At(refs[at]))
			refs[at], _ = begin(&table, i, none)
			put(&table, Bag(rng.IntN(n)), refs[at])
			if full == 0 && table.freeBlock != 0 {
				full = i
			}
			if most := 2*blocksChunk + timers; table.used > most {
				t.Fatalf("%d timers: %d blocks, want at most %d", timers, table.used, most)
			}
		}
		if full < blocksChunk {
			t.Errorf("%d timers: the first sweep after %d starts, and there are %d blocks", timers, full, blocksChunk)
		}
		checkBlocks(t, &table)
	}
}

// TestABagSweepsItselfFirst: to start and stop in one bag leaves the others alone.
func TestABagSweepsItselfFirst(t *testing.T) {
	const n = 10
	table := tightBags(0, n, 0)
	for i := range n {
		r, _ := begin(&table, i, none)
		put(&table, Bag(i), r)
	}
	for i := range 10000 {
		r, rec := begin(&table, i, none)
		put(&table, 7, r)
		table.Stop(r, rec)
		if most := n + mostEntries*(n+1)/blockRoom + 1; table.used > most {
			t.Fatalf("start %d: %d blocks, want at most %d", i, table.used, most)
		}
	}
	if table.turn != 0 || table.until != 0 {
		t.Errorf("bag %d has been swept in turn", table.turn)
	}
}

// TestABlockEach: timers that are started and stopped, each in a bag of its own, do not
// leave a block behind in each, but for those that the turn has yet to pass by.
func TestABlockEach(t *testing.T) {
	const n, most = 5000, 5000/64 + 3
	table := tightBags(0, n, 0)
	for b := range Bag(n) {
		r, rec := begin(&table, 0, none)
		put(&table, b, r)
		table.Stop(r, rec)
		if table.used > most {
			t.Fatalf("%d blocks with no timer, after %d, want at most %d", table.used, b+1, most)
		}
	}
	for b := range Bag(n) {
		r, _ := begin(&table, 0, none)
		put(&table, b, r)
	}
	if table.used < n || table.used > n+most {
		t.Errorf("%d blocks for %d timers", table.used, n)
	}
}

// TestTheTurnGoesOn: when the bag that is swept in turn is emptied, it is the next
// one's turn; when another one is, it is not.
func TestTheTurnGoesOn(t *testing.T) {
	const n = 20
	table := tightBags(0, n, 0)
	var started []Ref
	for i := range 10 * blockRoom * n {
		r, _ := begin(&table, i, none)
		put(&table, Bag(i%n), r)
		started = append(started, r)
	}
	for _, r := range started {
		table.Stop(r, table.At(r))
	}
	for table.until == 0 || table.turn < 2 { // a start in a fresh bag sweeps in turn
		r, _ := begin(&table, 0, none)
		put(&table, 0, r)
	}
	turn, until := table.turn, table.until
	for i, _ := table.Empty(turn + 1); i != 0; i = table.Reuse(i) {
	}
	if table.turn != turn || table.until != until {
		t.Errorf("another bag was emptied: bag %d is swept up to block %d, was %d up to %d", table.turn, table.until, turn, until)
	}
	for i, _ := table.Empty(turn); i != 0; i = table.Reuse(i) {
	}
	for range 10 * n {
		table.sweepInTurn()
	}
	for b := range Bag(n) {
		if first, _ := table.Blocks(b); first != 0 && len(content(&table, b)) == 0 {
			t.Errorf("bag %d has not had its turn", b)
		}
	}
}
