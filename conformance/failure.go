package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/timerfacility/timer"
)

// A RuleError is the failure of one rule. Check and Replay return it.
type RuleError struct {
	Rule     string // its name in Rules
	Sentence string // of the contract
	Got      string // what the module did
	Want     string // what the contract asks for
	Trace    string // the shortest trace found that shows it, for Suite.Replay; empty if no trace does
	Probe    string // what shows it where no trace does, and Replay sees nothing; empty if a trace does
	Timeline string // a picture of the trace
	Seed     uint64 // of the random traces of the run
	Rerun    string // the command or the call that shows it again
}

// Error is the whole report, on several lines.
func (e *RuleError) Error() string {
	var b strings.Builder
	line := func(label, text string) {
		if text == "" {
			return
		}
		text = strings.TrimRight(text, "\n")
		fmt.Fprintf(&b, "\n  %-7s %s", label, strings.ReplaceAll(text, "\n", "\n          "))
	}
	b.WriteString("conformance: " + e.Rule)
	line("rule", e.Sentence)
	line("got", e.Got)
	line("want", e.Want)
	line("trace", e.Trace)
	line("probe", e.Probe)
	line("picture", e.Timeline)
	line("rerun", e.Rerun)
	line("seed", fmt.Sprintf("%d (%s sets it)", e.Seed, seedVariable))
	return b.String()
}

// A PartialError says that nothing failed, or nothing else, but that core rules
// were not tested: Suite.Skip names them.
type PartialError struct {
	Skipped []string // core rules, in the order of Rules
}

func (e *PartialError) Error() string {
	return "conformance: partial run: core rules skipped: " + strings.Join(e.Skipped, ", ")
}

// Failures is the rules that failed, out of the error of [Suite.Check] or
// [Suite.Replay], in the order of [Rules].
func Failures(err error) []*RuleError {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*RuleError
		for _, e := range joined.Unwrap() {
			all = append(all, Failures(e)...)
		}
		return all
	}
	var one *RuleError
	if errors.As(err, &one) {
		return []*RuleError{one}
	}
	return nil
}

// A failure is what a run of a trace, or a probe, found.
type failure struct {
	rule, got, want string
	trace           Trace
	step            int           // the operation of the trace that showed it
	picture         func() string // draws the trace, as it went
	ahead           timer.Tick    // how many ticks on the last timer expires
	quiet           bool          // nothing was asked in the run
	recipe          string        // how to see it, where no trace shows it
}

// upTo is the trace up to the operation that showed the failure.
func (f *failure) upTo() Trace { return f.trace[:min(f.step+1, len(f.trace))].prune() }

// An event is something that happened to a timer: it was started, |, reset, r,
// became due, o, was stopped, x, or its action ran, *
type event struct {
	tick timer.Tick
	s    *subject
	mark rune
}

// How much of a run a picture shows.
const (
	pictureRows    = 14
	pictureColumns = 14
)

// picture draws a line for each timer, from left to right in time, to scale
// where nothing else would fit: a column is a tick at which something happened.
//
//	tick 0     3     5
//	   a |-----o*
//	   b |-----------o
func (t *tandem) picture() string {
	rows := t.pictureSubjects()
	if len(rows) == 0 {
		return ""
	}
	columns, cells := t.pictureCells(rows)
	if len(columns) > pictureColumns {
		columns = columns[len(columns)-pictureColumns:]
	}
	nameWidth := len("tick")
	for _, s := range rows {
		nameWidth = max(nameWidth, len(s.name))
	}
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = len(formatNumber(c)) + 2
		for _, s := range rows {
			widths[i] = max(widths[i], len(cells[s][c])+2)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%*s ", nameWidth, "tick")
	for i, c := range columns {
		fmt.Fprintf(&b, "%-*s", widths[i], formatNumber(c))
	}
	for _, s := range rows {
		fmt.Fprintf(&b, "\n%*s ", nameWidth, s.name)
		b.WriteString(pictureRow(columns, widths, cells[s]))
	}
	b.WriteString("\n" + pictureLegend(cells))
	return trimLines(b.String())
}

// pictureSubjects is the timers to draw: the last ones, if they are many.
func (t *tandem) pictureSubjects() []*subject {
	rows := t.subjects
	if len(rows) > pictureRows {
		rows = rows[len(rows)-pictureRows:]
	}
	return rows
}

// pictureCells is the ticks at which something happens to the timers, and the
// marks for it. A timer that is outstanding at the end has a mark, >, where it
// has to expire.
func (t *tandem) pictureCells(rows []*subject) ([]timer.Tick, map[*subject]map[timer.Tick]string) {
	columns := []timer.Tick{t.oracle.now}
	cells := make(map[*subject]map[timer.Tick]string)
	put := func(s *subject, tick timer.Tick, mark string) {
		columns = append(columns, tick)
		cells[s][tick] += mark
	}
	for _, s := range rows {
		cells[s] = make(map[timer.Tick]string)
	}
	for _, e := range t.log {
		if cells[e.s] != nil {
			put(e.s, e.tick, string(e.mark))
		}
	}
	for _, s := range rows {
		if expiry, ok := t.oracle.expiry[s.index]; ok && !strings.Contains(cells[s][expiry], "o") {
			put(s, expiry, ">")
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns), cells
}

// pictureRow is the line of one timer: its marks, and a rule from the first to
// the last.
func pictureRow(columns []timer.Tick, widths []int, cells map[timer.Tick]string) string {
	var b strings.Builder
	last := timer.Tick(0)
	for tick := range cells {
		last = max(last, tick)
	}
	started := false
	for i, c := range columns {
		mark := cells[c]
		started = started || mark != "" || i == 0 && len(cells) > 0 && c > slices.Min(slices.Collect(maps.Keys(cells)))
		fill := " "
		if started && c < last {
			fill = "-"
		}
		b.WriteString(mark + strings.Repeat(fill, widths[i]-len(mark)))
	}
	return b.String()
}

// pictureLegend explains the marks that occur.
func pictureLegend(cells map[*subject]map[timer.Tick]string) string {
	var all strings.Builder
	for _, c := range cells {
		for _, mark := range c {
			all.WriteString(mark)
		}
	}
	var legend []string
	for _, m := range []struct{ mark, means string }{
		{"|", "started"}, {"r", "reset"}, {"o", "became due"}, {">", "has to become due"}, {"x", "stopped"}, {"*", "action ran"},
	} {
		if strings.Contains(all.String(), m.mark) {
			legend = append(legend, m.mark+" "+m.means)
		}
	}
	return "(" + strings.Join(legend, ", ") + ")"
}

func trimLines(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// byRule orders failures as Rules does.
func byRule(a, b *RuleError) int {
	place := func(e *RuleError) int {
		return slices.IndexFunc(rules, func(r Rule) bool { return r.Name == e.Rule })
	}
	return cmp.Compare(place(a), place(b))
}
