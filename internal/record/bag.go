package record

import (
	"unsafe"

	"github.com/timerfacility/timer"
)

// A Bag holds timers in no order: a slot of a wheel. It is a chain of blocks of
// entries, each the Ref of a timer:
//
//	first ─▶ 3 8 × × 7 ─▶ × 9 × 5 6 1 ─▶ 2 4 ◀─ end
//
// A record knows the place of its entry. A timer that ends, or is put in another
// place, leaves its entry behind (×), which is then not the one that its record knows.
// To take a timer out of a list touches the record before it, the one after it, and
// the head of the list; here it touches the record, and nothing else. And to visit the
// timers of a slot is to read its blocks from end to end, so that the processor
// fetches many records at once, where a list leads from one to the next.
//
// What is left behind takes bounded space. Beyond a chunk of blocks, and some entries
// for each timer, a bag that needs another block first takes its first one again,
// without what was left behind there; if that is in vain, two blocks are swept in turn
// among all bags: so they are swept faster than they become more.
type Bag uint32

const mostEntries = 4 // for each timer

type bag struct {
	first uint32 // the first block, 0 if there is none
	end   uint32 // the place after the last entry: a multiple of blockSize where there is no room
}

// A Block is a cache line of 16 places. The first one is the link to the next block
// of the chain, 0 at its end; the others are for entries. Block 0 is not used.
type Block [1 + blockRoom]Ref

const (
	blockRoom = 15
	blockSize = 1 + blockRoom

	blocksBits  = 8 // of a chunk
	blocksChunk = 1 << blocksBits
	placesChunk = blocksChunk * blockSize
)

// bags is the bags of a table. It is not generic because a method of a generic type
// takes some instructions more.
type bags struct {
	bags       []bag
	blocks     []unsafe.Pointer // each to a [blocksChunk]Block
	freshBlock uint32           // the first block never used
	freeBlock  uint32           // a list of the blocks to use again; 0 at its end
	used       int              // blocks in bags
	filled     int              // bags with blocks
	spare      int              // entries that few timers may leave behind: a chunk of blocks, which is there anyway

	turn  Bag    // the bag that is swept in turn
	until uint32 // the block that was its last one when its turn came; 0 if it is the next bag's turn
}

// NewBags makes a table as New does, with n empty bags instead of lists, up to
// MaxLists.
func NewBags[RequestID any](now timer.Tick, n, capacity int) Table[RequestID] {
	t := New[RequestID](now, 0, capacity)
	t.bags.bags, t.freshBlock, t.spare = make([]bag, n), 1, blocksChunk*blockRoom
	for capacity > max(0, (len(t.blocks)*blocksChunk-1)*blockRoom) { // block 0 is not used
		t.addBlocks()
	}
	return t
}

func (t *bags) addBlocks() {
	t.blocks = append(t.blocks, unsafe.Pointer(new([blocksChunk]Block)))
}

// bag is the bag b, which is one of those that NewBags made.
func (t *bags) bag(b Bag) *bag {
	return (*bag)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(t.bags)), uintptr(b)*unsafe.Sizeof(bag{})))
}

// place is a place in a block, within its chunk whatever p is, as At.
func (t *bags) place(p uint32) *Ref {
	return (*Ref)(unsafe.Add(t.blocks[p/placesChunk], uintptr(p%placesChunk)*unsafe.Sizeof(Ref(0))))
}

func (t *bags) block(i uint32) *Block { return (*Block)(unsafe.Pointer(t.place(i * blockSize))) }

// HasRoom reports whether Put can put a record in the bag. If not, Extend has to be
// called before it: that is the rare and longer part of a start, and stands apart so
// that the compiler puts the rest into StartTimer.
func (t *bags) HasRoom(b Bag) bool { return t.bag(b).end%blockSize != 0 }

// Extend makes room in a bag that has none, and reports whether it had no block. O(1).
func (t *Table[RequestID]) Extend(b Bag) (wasEmpty bool) {
	// A block for each timer does not count, which may have its bag to itself.
	if (t.used-min(t.filled, t.Len()))*blockRoom > max(mostEntries*t.Len(), t.spare) {
		before := t.used
		if t.sweep(b); t.used == before && !t.HasRoom(b) {
			t.sweepInTurn()
			t.sweepInTurn()
		}
	}
	return !t.HasRoom(b) && t.addBlock(b)
}

func (t *bags) addBlock(b Bag) (wasEmpty bool) {
	i := t.freeBlock
	if i == 0 {
		i = t.growBlocks()
	}
	block := t.block(i)
	t.freeBlock = uint32(block[0])
	t.used++
	block[0] = 0
	to := t.bag(b)
	if wasEmpty = to.first == 0; wasEmpty {
		to.first = i
		t.filled++
	} else {
		t.block(lastBlock(to.end))[0] = Ref(i)
	}
	to.end = i*blockSize + 1
	return wasEmpty
}

// dropFirst gives back the first block of a bag.
func (t *bags) dropFirst(b Bag) {
	from := t.bag(b)
	i := from.first
	if i == t.until {
		t.until = 0
	}
	if from.first = t.Reuse(i); from.first == 0 {
		from.end = 0
		t.filled--
	}
}

// sweep puts the timers of the first block of a bag, if it has one, at its end, and
// forgets what was left behind there.
func (t *Table[RequestID]) sweep(b Bag) {
	from := t.bag(b)
	if from.first == 0 {
		return
	}
	var into Block
	timers := t.Timers(b, from.first, from.end, &into)
	t.dropFirst(b)
	for _, r := range timers {
		if !t.HasRoom(b) {
			t.addBlock(b)
		}
		t.Put(b, r, &t.At(r).Links)
	}
}

// sweepInTurn sweeps a block of the bag whose turn it is. It stays with a bag until it
// has swept all blocks that were there, and passes by a number of empty bags at most.
func (t *Table[RequestID]) sweepInTurn() {
	for range 64 {
		if t.until != 0 {
			t.sweep(t.turn)
			return
		}
		t.turn = (t.turn + 1) % Bag(len(t.bags.bags))
		if in := t.bag(t.turn); in.first != 0 {
			t.until = lastBlock(in.end)
		}
	}
}

// lastBlock is the block of the place before end.
func lastBlock(end uint32) uint32 { return (end - 1) / blockSize }

// growBlocks is a block never used before.
func (t *bags) growBlocks() uint32 {
	i := t.freshBlock
	if i == 1<<32/blockSize-1 { // the place after its last one is 0
		panic("record: more than 2^28-2 blocks of timers")
	}
	if int(i>>blocksBits) == len(t.blocks) {
		t.addBlocks()
	}
	t.freshBlock++
	return i
}

// Put puts a record, wherever it was, in a bag that has room. O(1).
func (t *bags) Put(b Bag, r Ref, rec *Links) {
	to := t.bag(b)
	end := to.end
	*t.place(end) = r
	rec.next, rec.prev = Ref(end), ^Ref(b)
	to.end = end + 1
}

// Timers is those of the timers of a bag that are in its block i, where end is the end
// of the bag. It reads all records of the block, whatever it finds there: that is how
// the processor comes to fetch them at once.
func (t *Table[RequestID]) Timers(b Bag, i, end uint32, into *Block) []Ref {
	block, place := t.block(i), i*blockSize
	end = endOf(i, end)
	n := uint32(0)
	here := entryAt(b, place)
	for place++; place < end; place++ {
		here++
		r := block[place%blockSize]
		into[n%blockSize] = r
		if t.At(r).entry() == here {
			n++
		}
	}
	return into[:n]
}

// endOf is the place after the last entry of a block of a bag that ends at end.
func endOf(i, end uint32) uint32 {
	if i == lastBlock(end) {
		return end
	}
	return (i + 1) * blockSize
}

// entryAt is the entry of a record at a place of a bag, in one number: the comparison of
// two is one, with no branch.
func entryAt(b Bag, place uint32) uint64 { return uint64(^b)<<32 | uint64(place) }

// entry is the entry of the record, if it is in a bag.
func (rec *Links) entry() uint64 { return uint64(rec.prev)<<32 | uint64(rec.next) }

// Blocks is the first block of a bag, 0 if there is none, and its end. So a walk is
//
//	first, end := t.Blocks(b)
//	for i := first; i != 0; i = t.NextBlock(i) {
//		for _, r := range t.Timers(b, i, end, &timers) {
//
// and one that puts timers in bags begins with Empty and goes on with Reuse.
func (t *bags) Blocks(b Bag) (first, end uint32) { return t.bag(b).first, t.bag(b).end }

// NextBlock is the block after i in its bag, 0 at the end.
func (t *bags) NextBlock(i uint32) uint32 { return uint32(t.block(i)[0]) }

// Empty empties a bag, and is what Blocks was. O(1).
func (t *bags) Empty(b Bag) (first, end uint32) {
	from := t.bag(b)
	first, end = from.first, from.end
	if first != 0 {
		t.filled--
	}
	if b == t.turn {
		t.until = 0
	}
	*from = bag{}
	return first, end
}

// Reuse gives back a block of a bag that Empty emptied, and is what NextBlock was.
func (t *bags) Reuse(i uint32) (next uint32) {
	block := t.block(i)
	next = uint32(block[0])
	block[0] = Ref(t.freeBlock)
	t.freeBlock = i
	t.used--
	return next
}

// Trim gives back the blocks at the front of a bag that hold no timers, and reports
// whether there are timers in the bag. O(1), and O(1) for each entry that was left
// behind.
func (t *Table[RequestID]) Trim(b Bag) bool {
	from := t.bag(b)
	for from.first != 0 {
		block, place := t.block(from.first), from.first*blockSize
		end := endOf(from.first, from.end)
		for place++; place < end; place++ {
			if t.At(block[place%blockSize]).entry() == entryAt(b, place) {
				return true
			}
		}
		t.dropFirst(b)
	}
	return false
}
