package timer

// A Viewer shows its structure. All seven schemes are Viewers: pictures,
// invariant checks and the teaching material are made from the view, so that
// the algorithms contain no drawing.
type Viewer[RequestID any] interface {
	// View is a copy of the structure as it stands, in O(n) time and space for n
	// outstanding timers and O(lists) more.
	View() View[RequestID]
}

// A View is a copy of a module's structure: its lists in order, the timers in
// each, and what each record stores.
type View[RequestID any] struct {
	Now Tick

	// Levels is how many lists each level of the structure has, finest level
	// first: {1} for a single list or tree, {256} for a wheel, {60, 60, 24, 100}
	// for the paper's clock.
	Levels []int

	// Lists holds the lists that have timers: those of the levels, by level and
	// slot, then the overflow list, then the queue of due timers.
	Lists []ViewList[RequestID]
}

// A ViewList is one list of a structure, first timer first. A binary heap is
// shown in the order of its array, any other tree in the order of expiry.
type ViewList[RequestID any] struct {
	Kind   ViewKind
	Level  int // the level, 0 for the finest; only for InStructure
	Slot   int // the slot within the level; only for InStructure
	Timers []ViewTimer[RequestID]
}

// ViewKind says what a list is for.
type ViewKind string

// The kinds of lists.
const (
	InStructure ViewKind = "structure" // timers that the scheme keeps in its levels
	InOverflow  ViewKind = "overflow"  // Scheme 4's timers beyond MaxInterval
	InDue       ViewKind = "due"       // expired timers that wait for ExpiryProcessing
)

// A ViewTimer is one outstanding timer.
type ViewTimer[RequestID any] struct {
	Handle Handle
	ID     RequestID
	Expiry Tick // as ExpiryOf tells it

	// Stored is the number that the scheme's record holds: the ticks that remain
	// (Scheme 1), the rounds that remain (Scheme 6), the absolute expiry in the
	// others and in a due timer.
	Stored uint64

	// Left and Right are the children in a tree; zero where there is none, and
	// in every structure but a tree whose shape is Scheme 3's own.
	Left, Right Handle
}
