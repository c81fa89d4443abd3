// Package picture draws the structure of a timer module as text, from the copy
// that [timer.Viewer] gives of it. The algorithms contain no drawing.
//
// A list is drawn in its order, a tree as a tree, and a wheel as its slots, with
// the hand above the slot of the clock and the slots' lists below. Of many slots,
// those that hold nothing are left out:
//
//	now       10
//	slots     ┌───┬┄┄┄┬─▼──┬┄┄┄┬─────────────────┬┄┄┄┬─────┐
//	          │ 0 │   │ 10 │   │ 30              │   │ 255 │
//	          └───┴┄┄┄┴────┴┄┄┄┴─┬───────────────┴┄┄┄┴─────┘
//	                             a 30 (rounds 0)
//	                             b 542 (rounds 2)
//
// Each timer stands there with the tick at which it expires and, where that is
// something else, with what its record stores.
package picture

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/timerfacility/timer"
)

// Options say how a picture is labelled. The zero value works.
type Options[RequestID any] struct {
	Name   func(id RequestID) string    // of a timer; default its id
	Time   func(tick timer.Tick) string // default the decimal number
	Stored string                       // what the records store, such as "rounds"; default the expiry, which is shown anyway
	Levels []string                     // names of the levels, finest first; default "level 0" and so on, or "slots" for a single wheel
}

// Picture is the structure that v shows, over several lines that each end with a
// newline. None of them is empty. O(n) for n timers and the slots that are shown.
func Picture[RequestID any](v timer.View[RequestID], o Options[RequestID]) string {
	if o.Name == nil {
		o.Name = func(id RequestID) string { return fmt.Sprint(id) }
	}
	if o.Time == nil {
		o.Time = func(tick timer.Tick) string { return fmt.Sprint(uint64(tick)) }
	}
	d := &drawing[RequestID]{View: v, Options: o}
	d.section("now", o.Time(v.Now))
	if len(v.Levels) == 1 && v.Levels[0] == 1 {
		d.single()
	} else {
		d.wheels()
	}
	for _, kind := range []timer.ViewKind{timer.InOverflow, timer.InDue} {
		for _, list := range v.Lists {
			if list.Kind == kind {
				d.section(string(kind), d.row(list))
			}
		}
	}
	return d.text.String()
}

type drawing[RequestID any] struct {
	timer.View[RequestID]
	Options[RequestID]
	text strings.Builder
}

// section writes lines with a label before the first of them.
func (d *drawing[RequestID]) section(label string, lines ...string) {
	for _, line := range lines {
		d.text.WriteString(strings.TrimRight(fmt.Sprintf("%-9s %s", label, line), " "))
		d.text.WriteByte('\n')
		label = ""
	}
}

// timer is a timer's name and its expiry, and what its record stores; if it is due,
// that is the expiry in every scheme.
func (d *drawing[RequestID]) timer(t timer.ViewTimer[RequestID], due bool) string {
	s := d.Name(t.ID) + " " + d.Time(t.Expiry)
	if d.Stored != "" && !due {
		s += fmt.Sprintf(" (%s %d)", d.Stored, t.Stored)
	}
	return s
}

// row is a list from left to right.
func (d *drawing[RequestID]) row(list timer.ViewList[RequestID]) string {
	var texts []string
	for _, t := range list.Timers {
		texts = append(texts, d.timer(t, list.Kind == timer.InDue))
	}
	return strings.Join(texts, " → ")
}

// single draws a structure that has one list, or is a tree.
func (d *drawing[RequestID]) single() {
	for _, list := range d.Lists {
		if list.Kind != timer.InStructure {
			continue
		}
		lines := []string{d.row(list)}
		if isTree(list.Timers) {
			lines = d.tree(list.Timers)
		}
		d.section("timers", lines...)
		return
	}
	d.section("timers", "none")
}

func isTree[RequestID any](timers []timer.ViewTimer[RequestID]) bool {
	return slices.ContainsFunc(timers, func(t timer.ViewTimer[RequestID]) bool { return t.Left != 0 || t.Right != 0 })
}

// tree draws the tree below the timer that is nobody's child.
func (d *drawing[RequestID]) tree(timers []timer.ViewTimer[RequestID]) []string {
	byHandle := make(map[timer.Handle]timer.ViewTimer[RequestID])
	isChild := make(map[timer.Handle]bool)
	for _, t := range timers {
		byHandle[t.Handle] = t
		isChild[t.Left], isChild[t.Right] = true, true
	}
	root := slices.IndexFunc(timers, func(t timer.ViewTimer[RequestID]) bool { return !isChild[t.Handle] })
	var draw func(h timer.Handle) block
	draw = func(h timer.Handle) block {
		t, ok := byHandle[h]
		if !ok {
			return block{}
		}
		return above(d.timer(t, false), draw(t.Left), draw(t.Right))
	}
	return draw(timers[root].Handle).lines
}

// A block is a drawn subtree: lines of the same width, with the middle of the
// root in column root.
type block struct {
	lines       []string
	width, root int
}

// above draws a node with its subtrees, each of which may have no lines.
func above(label string, left, right block) block {
	const gap = 2
	rightAt := left.width + gap // the column where right begins
	var b block
	var branch string
	switch {
	case left.width == 0 && right.width == 0:
		width := utf8.RuneCountInString(label)
		return block{[]string{label}, width, width / 2}
	case right.width == 0:
		b.root = left.width + 1
		b.width = b.root + 1
		branch = spaces(left.root) + "┌" + strings.Repeat("─", b.root-left.root-1) + "┘"
	case left.width == 0:
		b.width = rightAt + right.width
		branch = "└" + strings.Repeat("─", rightAt+right.root-1) + "┐"
	default:
		b.root = (left.root + rightAt + right.root) / 2
		b.width = rightAt + right.width
		branch = spaces(left.root) + "┌" + strings.Repeat("─", b.root-left.root-1) + "┴" +
			strings.Repeat("─", rightAt+right.root-b.root-1) + "┐"
	}
	b.lines = append(b.lines, branch)
	for i := range max(len(left.lines), len(right.lines)) {
		b.lines = append(b.lines, left.line(i)+spaces(gap)+right.line(i))
	}
	// The label is centred on the root, and may stand out on both sides.
	before := b.root - utf8.RuneCountInString(label)/2
	if before < 0 {
		for i := range b.lines {
			b.lines[i] = spaces(-before) + b.lines[i]
		}
		b.root -= before
		b.width -= before
		before = 0
	}
	b.lines = slices.Insert(b.lines, 0, spaces(before)+label)
	for _, line := range b.lines {
		b.width = max(b.width, utf8.RuneCountInString(line))
	}
	return b
}

// line is the i-th line, as wide as the block.
func (b block) line(i int) string {
	if i >= len(b.lines) {
		return spaces(b.width)
	}
	return b.lines[i] + spaces(b.width-utf8.RuneCountInString(b.lines[i]))
}

func spaces(n int) string { return strings.Repeat(" ", max(n, 0)) }

// wheels draws each level, coarsest first, as the paper does. A level's hand is
// at the clock's digit of that level.
func (d *drawing[RequestID]) wheels() {
	hands := make([]int, len(d.View.Levels))
	rest := d.Now
	for level, size := range d.View.Levels {
		hands[level] = int(rest % timer.Tick(size))
		rest /= timer.Tick(size)
	}
	for level := len(hands) - 1; level >= 0; level-- {
		lists := make(map[int][]string)
		for _, list := range d.Lists {
			if list.Kind == timer.InStructure && list.Level == level {
				for _, t := range list.Timers {
					lists[list.Slot] = append(lists[list.Slot], d.timer(t, false))
				}
			}
		}
		d.section(d.level(level), wheel(d.View.Levels[level], hands[level], lists)...)
	}
}

func (d *drawing[RequestID]) level(i int) string {
	switch {
	case i < len(d.Options.Levels):
		return d.Options.Levels[i]
	case len(d.View.Levels) == 1:
		return "slots"
	}
	return fmt.Sprint("level ", i)
}

// wheel draws the slots of a circular array, with the hand above its slot and
// each list below its own. Of more than few slots, it leaves out stretches of
// two and more that hold nothing.
func wheel(size, hand int, lists map[int][]string) []string {
	const few = 16
	shown := []int{0, hand, size - 1}
	if size <= few {
		for slot := range size {
			shown = append(shown, slot)
		}
	}
	for slot := range lists {
		shown = append(shown, slot)
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)

	top, middle, bottom := "┌", "│", "└"
	var below []string // the lists
	last := -1
	for _, slot := range shown {
		switch slot - last {
		case 1:
		case 2:
			top, middle, bottom = cell(top, middle, bottom, fmt.Sprint(slot-1), nil, false)
		default:
			top, middle, bottom = top+"┄┄┄┬", middle+"   │", bottom+"┄┄┄┴"
		}
		last = slot
		left := utf8.RuneCountInString(bottom) + 1
		for i, t := range lists[slot] {
			if i == len(below) {
				below = append(below, "")
			}
			below[i] += spaces(left-utf8.RuneCountInString(below[i])) + t
		}
		top, middle, bottom = cell(top, middle, bottom, fmt.Sprint(slot), lists[slot], slot == hand)
	}
	return append([]string{
		strings.TrimSuffix(top, "┬") + "┐", middle, strings.TrimSuffix(bottom, "┴") + "┘",
	}, below...)
}

// cell adds a slot to the three lines of an array.
func cell(top, middle, bottom, slot string, list []string, hand bool) (string, string, string) {
	width := len(slot)
	for _, t := range list {
		width = max(width, utf8.RuneCountInString(t))
	}
	mark, hang := "─", "─"
	if hand {
		mark = "▼"
	}
	if len(list) > 0 {
		hang = "┬"
	}
	line := strings.Repeat("─", width)
	return top + "─" + mark + line + "┬",
		middle + " " + slot + spaces(width-len(slot)) + " │",
		bottom + "─" + hang + line + "┴"
}
