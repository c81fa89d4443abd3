package picture_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/teaching/picture"
)

func list(kind timer.ViewKind, level, slot int, expiries ...timer.Tick) timer.ViewList[string] {
	l := timer.ViewList[string]{Kind: kind, Level: level, Slot: slot}
	for _, expiry := range expiries {
		l.Timers = append(l.Timers, timer.ViewTimer[string]{
			ID: fmt.Sprint("t", expiry), Expiry: expiry, Stored: uint64(expiry) / 10,
		})
	}
	return l
}

func TestPicture(t *testing.T) {
	for _, c := range []struct {
		name    string
		view    timer.View[string]
		options picture.Options[string]
		want    string
	}{
		{
			name: "Empty",
			view: timer.View[string]{Now: 3, Levels: []int{1}},
			want: `
now       3
timers    none
`,
		},
		{
			name: "List",
			view: timer.View[string]{Now: 3, Levels: []int{1}, Lists: []timer.ViewList[string]{
				list(timer.InStructure, 0, 0, 7, 40), list(timer.InDue, 0, 0, 3),
			}},
			options: picture.Options[string]{Stored: "left"},
			want: `
now       3
timers    t7 7 (left 0) → t40 40 (left 4)
due       t3 3
`,
		},
		{
			name: "SmallWheelWithOverflow",
			view: timer.View[string]{Now: 9, Levels: []int{4}, Lists: []timer.ViewList[string]{
				list(timer.InStructure, 0, 1, 13, 13), list(timer.InStructure, 0, 3, 11), list(timer.InOverflow, 0, 0, 70, 80),
			}},
			want: `
now       9
slots     ┌───┬─▼──────┬───┬────────┐
          │ 0 │ 1      │ 2 │ 3      │
          └───┴─┬──────┴───┴─┬──────┘
                t13 13       t11 11
                t13 13
overflow  t70 70 → t80 80
`,
		},
		{
			name: "WheelsOfAClock",
			view: timer.View[string]{Now: 59, Levels: []int{60, 18}, Lists: []timer.ViewList[string]{
				list(timer.InStructure, 0, 57, 57+60), list(timer.InStructure, 1, 2, 130),
			}},
			options: picture.Options[string]{
				Name:   strings.ToUpper,
				Time:   func(tick timer.Tick) string { return fmt.Sprintf("%d:%02d", tick/60, tick%60) },
				Levels: []string{"seconds"},
			},
			want: `
now       0:59
level 1   ┌─▼─┬───┬───────────┬┄┄┄┬────┐
          │ 0 │ 1 │ 2         │   │ 17 │
          └───┴───┴─┬─────────┴┄┄┄┴────┘
                    T130 2:10
seconds   ┌───┬┄┄┄┬───────────┬────┬─▼──┐
          │ 0 │   │ 57        │ 58 │ 59 │
          └───┴┄┄┄┴─┬─────────┴────┴────┘
                    T117 1:57
`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := picture.Picture(c.view, c.options); got != c.want[1:] {
				t.Errorf("got\n%s\nwant\n%s", got, c.want[1:])
			}
		})
	}
}

// TestTree draws the trees whose labels are wider than their branches, and those
// that lean.
func TestTree(t *testing.T) {
	const none = timer.Handle(0)
	node := func(h timer.Handle, expiry timer.Tick, left, right timer.Handle) timer.ViewTimer[string] {
		return timer.ViewTimer[string]{Handle: h, ID: "x", Expiry: expiry, Left: left, Right: right}
	}
	for _, c := range []struct {
		name  string
		nodes []timer.ViewTimer[string]
		want  string
	}{
		{"Full", []timer.ViewTimer[string]{node(1, 5, none, none), node(2, 6, 1, 3), node(3, 7, none, none)}, `
timers      x 6
           ┌─┴──┐
          x 5  x 7`},
		{"ToTheLeft", []timer.ViewTimer[string]{node(1, 5, none, none), node(2, 6, 1, none), node(3, 7, 2, none)}, `
timers          x 7
              ┌──┘
             x 6
           ┌──┘
          x 5`},
		{"ToTheRight", []timer.ViewTimer[string]{node(1, 5, none, 2), node(2, 6, none, 3), node(3, 7, none, none)}, `
timers    x 5
           └──┐
             x 6
              └──┐
                x 7`},
		{"WideRoot", []timer.ViewTimer[string]{node(1, 5, none, none), node(2, 1234567890123, 1, 3), node(3, 7, none, none)}, `
timers    x 1234567890123
               ┌─┴──┐
              x 5  x 7`},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := timer.View[string]{Levels: []int{1}, Lists: []timer.ViewList[string]{{Kind: timer.InStructure, Timers: c.nodes}}}
			got := picture.Picture(v, picture.Options[string]{})
			if got != "now       0"+c.want+"\n" {
				t.Errorf("got\n%s\nwant\nnow       0%s", got, c.want)
			}
		})
	}
}

// TestBordersMeet tests that the three lines of a wheel are equally wide for all
// sizes and hands, whatever is left out.
func TestBordersMeet(t *testing.T) {
	for _, size := range []int{2, 3, 15, 16, 17, 18, 60, 256} {
		for hand := range size {
			v := timer.View[string]{Now: timer.Tick(hand), Levels: []int{size}}
			for slot := hand % 7; slot < size; slot += 1 + hand%9 {
				v.Lists = append(v.Lists, list(timer.InStructure, 0, slot, timer.Tick(slot)))
			}
			lines := strings.Split(picture.Picture(v, picture.Options[string]{}), "\n")[1:4]
			for _, line := range lines[1:] {
				if utf8.RuneCountInString(line) != utf8.RuneCountInString(lines[0]) {
					t.Fatalf("size %d, hand %d:\n%s", size, hand, strings.Join(lines, "\n"))
				}
			}
			if n := strings.Count(lines[0], "▼"); n != 1 {
				t.Fatalf("size %d, hand %d: %d hands", size, hand, n)
			}
		}
	}
}
