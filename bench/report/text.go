package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/timerfacility/timer/bench"
)

// width is how wide a line on the terminal may be.
const width = 100

// text prints the report for a terminal.
func (r report) text(out io.Writer, coloured bool) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, wrap("The claims of Varghese & Lauck, \"Hashed and Hierarchical Timing Wheels\", measured again. "+r.Run.String(), ""))
	if len(r.Findings) > 0 {
		printTable(w, r.summary(), coloured)
	}
	if all := r.all(); len(all) <= few {
		for _, f := range all {
			printFinding(w, f, coloured)
		}
	}
	for _, f := range r.all() {
		for _, t := range f.Tables {
			printTable(w, t, coloured)
		}
	}
	fmt.Fprintf(w, "\n%s.\n", r.verdicts())
	return w.Flush()
}

// few is the number of claims of which the terminal shows every figure.
const few = 6

func printFinding(w io.Writer, f bench.Finding, coloured bool) {
	fmt.Fprintf(w, "\n%s  %s (%s)\n", f.ID, colour(string(f.Verdict), string(f.Verdict), coloured), f.Source)
	fmt.Fprintln(w, wrap(f.Text, "    "))
	if f.Why != "" {
		fmt.Fprintln(w, wrap(f.Why, "    "))
	}
	if len(f.Figures) > 0 {
		printTable(w, figureTable(f), coloured)
	}
	for _, t := range f.Times {
		fmt.Fprintf(w, "    %-50s %v\n", t.Name, t)
	}
	if f.Note != "" {
		fmt.Fprintln(w, wrap(f.Note, "    "))
	}
}

// figureTable shows the figures of a finding.
func figureTable(f bench.Finding) bench.Table {
	t := bench.Table{Columns: []string{"figure", "claimed", "theory", "measured"}}
	for _, g := range f.Figures {
		t.Rows = append(t.Rows, []string{g.Name, g.Printed, g.Predicted, g.Measured})
	}
	return t
}

// printTable prints t with columns as wide as they need to be; the second column
// gives way where the line would get too long.
func printTable(w io.Writer, t bench.Table, coloured bool) {
	fmt.Fprintln(w)
	if t.Title != "" {
		fmt.Fprintf(w, "%s\n\n", t.Title)
	}
	widths := make([]int, len(t.Columns))
	for _, row := range append([][]string{t.Columns}, t.Rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	total := 2*len(widths) - 2
	widest := 0
	for i, n := range widths {
		total += n
		if n > widths[widest] {
			widest = i
		}
	}
	if total > width {
		widths[widest] = max(12, widths[widest]-(total-width))
	}
	right := numeric(t)
	for i, row := range append([][]string{t.Columns}, t.Rows...) {
		var line strings.Builder
		for j, cell := range row {
			shown := truncate(cell, widths[j])
			padding := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(shown))
			if i > 0 {
				shown = colour(shown, cell, coloured)
			}
			if right[j] {
				shown, padding = padding+shown, ""
			}
			line.WriteString(shown + padding + "  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	if t.Note != "" {
		fmt.Fprintf(w, "\n%s\n", wrap(t.Note, ""))
	}
}

// numeric reports which columns of a table hold plain numbers alone: these are
// aligned on the right.
func numeric(t bench.Table) []bool {
	right := make([]bool, len(t.Columns))
	for i := range right {
		for _, row := range t.Rows {
			if row[i] == "" {
				continue
			}
			if strings.Trim(row[i], "0123456789.-") != "" {
				right[i] = false
				break
			}
			right[i] = true
		}
	}
	return right
}

func truncate(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// colour puts the colour of a verdict around s.
func colour(s, verdict string, coloured bool) string {
	code := map[bench.Verdict]string{
		bench.Holds: "32", bench.Corrected: "33", bench.DoesNotHold: "31", bench.NotTestable: "2", bench.Contradicted: "1;41",
	}[bench.Verdict(verdict)]
	if !coloured || code == "" {
		return s
	}
	return "\033[" + code + "m" + s + "\033[0m"
}

// wrap breaks a text into lines that start with indent.
func wrap(text, indent string) string {
	var b strings.Builder
	column := width
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b.WriteString(indent)
			column = len(indent)
		case column+1+n > width:
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteString(" ")
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
