package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A Description says of a run what its figures depend on.
type Description struct {
	Date  string
	Go    string
	OS    string
	Arch  string
	CPU   string `json:",omitempty"`
	Procs int
	Count int
}

func describe(o options) Description {
	return Description{
		Date: time.Now().UTC().Format(time.DateOnly), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPU: cpu(), Procs: runtime.GOMAXPROCS(0), Count: o.count,
	}
}

func (d Description) String() string {
	s := fmt.Sprintf("%s. %s, %s/%s, %d processors", d.Date, d.Go, d.OS, d.Arch, d.Procs)
	if d.CPU != "" {
		s += ", " + d.CPU
	}
	return s + fmt.Sprintf(". %d runs of each figure.", d.Count)
}

// cpu is the processor's name where Linux tells it.
func cpu() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, ok := strings.CutPrefix(lines.Text(), "model name"); ok {
			return strings.TrimLeft(name, "\t :")
		}
	}
	return ""
}

// A table is printed with columns as wide as they need to be.
type table struct {
	title   string
	columns []string
	rows    [][]string
	words   int // columns at the end that hold words, as the first one does
	note    string
}

func (t table) print(w io.Writer) {
	widths := make([]int, len(t.columns))
	all := append([][]string{t.columns}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	fmt.Fprintf(w, "\n%s\n\n", t.title)
	for _, row := range all {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
			if i == 0 || t.words > 0 && i >= len(row)-t.words {
				line.WriteString(cell + padding + "  ")
			} else {
				line.WriteString(padding + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
	if t.note != "" {
		fmt.Fprintf(w, "\n%s\n", t.note)
	}
}

// text prints all tables.
func (r Result) text(out io.Writer, o options) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "Timers side by side. %v\n", r.Run)
	if len(r.Figures) > 0 {
		fmt.Fprintln(w, "The median of the runs, the least (noise only adds) and the most; and as a multiple\nof the floor and of time.AfterFunc in the same run.")
	}
	for _, load := range o.workloads {
		for _, n := range o.timers {
			if t := figureTable(r.Figures, load, n); len(t.rows) > 0 {
				t.print(w)
			}
		}
	}
	if len(r.Targets) > 0 {
		targetTable(r.Targets).print(w)
	}
	if len(r.Worst) > 0 {
		worstTable(r.Worst).print(w)
	}
	return w.Flush()
}

// figureTable is the table of a workload with n timers.
func figureTable(figures []Figure, load workload, n int) table {
	t := table{
		title:   fmt.Sprintf("%s: %s. n = %s", load.key, load.title, count(n)),
		columns: []string{"", load.unit, "least", "most", "x floor", "x AfterFunc"},
	}
	var reasons []string
	without := make(map[string][]string)
	for _, f := range figures {
		if f.Workload != load.key || f.N != n {
			continue
		}
		if f.Lacks != "" {
			if without[f.Lacks] == nil {
				reasons = append(reasons, f.Lacks)
			}
			without[f.Lacks] = append(without[f.Lacks], f.Subject)
			continue
		}
		t.rows = append(t.rows, []string{f.Subject, number(f.Median), number(f.Least), number(f.Most), multipleText(f.Floor), multipleText(f.AfterFunc)})
	}
	if load.floor == nil { // no column for what nothing is compared with
		t.columns = slices.Delete(t.columns, 4, 5)
		for i := range t.rows {
			t.rows[i] = slices.Delete(t.rows[i], 4, 5)
		}
	}
	for i, reason := range reasons {
		reasons[i] = list(reason, without[reason])
	}
	t.note = strings.Join(reasons, "\n")
	return t
}

// list lists names under a reason, in lines that are not too long.
func list(reason string, names []string) string {
	const width = 90
	text, column := "    "+reason+":", 5+len(reason)
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if column+1+len(name) > width {
			text, column = text+"\n       ", 7
		}
		text, column = text+" "+name, column+1+len(name)
	}
	return text
}

func multipleText(x float64) string {
	if x == 0 {
		return ""
	}
	return number(x)
}

func targetTable(targets []Target) table {
	t := table{
		title:   "What scheme 7 sets out to reach",
		columns: []string{"", "n", "median", "least", "must", "aim", "", ""},
		words:   2,
		note: "Rows without a bound stand beside figures that are measured apart. A bound holds for a quiet\n" +
			"machine: where only the least run keeps it, look at the spread before the code.",
	}
	for _, row := range targets {
		n := "0"
		if row.N > 0 {
			n = count(row.N)
		}
		t.rows = append(t.rows, []string{row.What, n, number(row.Median), number(row.Least), multipleText(row.Must), multipleText(row.Aim), row.Unit, row.Verdict})
	}
	return t
}

func worstTable(rows []Worst) table {
	t := table{
		title:   "Worst case: each call timed by itself, the reading of the clock included",
		columns: []string{"", "n", "calls", "p50", "p99.9", "p99.999", "max"},
	}
	for _, r := range rows {
		t.rows = append(t.rows, []string{r.What, count(r.N), count(r.Operations), span(r.P50), span(r.P999), span(r.P99999), span(r.Max)})
	}
	return t
}

// span writes a duration with three digits.
func span(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d/unit < 1000 {
			return d.Round(unit).String()
		}
	}
}
