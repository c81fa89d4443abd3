package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// command runs the command and gives what it printed.
func command(ctx context.Context, args ...string) (status int, stdout, stderr string) {
	var out, complaint bytes.Buffer
	status = run(ctx, args, &out, &complaint)
	return status, out.String(), complaint.String()
}

// A bad flag is one line and an exit status, before any work.
func TestBadFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-run", "no such table"}, "no table matches"},
		{[]string{"-run", "("}, "missing closing"},
		{[]string{"-on", "("}, "missing closing"},
		{[]string{"-n", "10,x"}, "no number"},
		{[]string{"-n", "0"}, "no number"},
		{[]string{"-count", "0"}, "are none"},
		{[]string{"-nonsense"}, "not defined"},
		{[]string{"argument"}, "no argument"},
	} {
		status, stdout, stderr := command(t.Context(), c.args...)
		if status != badFlag || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%v: status %d, stdout %q, stderr %q; want one line with %q", c.args, status, stdout, stderr, c.want)
		}
	}
}

// A short run prints every table in less than a page's width, and the plot.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	file := filepath.Join(t.TempDir(), "plot.svg")
	status, stdout, stderr := command(t.Context(), "-quick", "-count", "1", "-n", "100,300", "-on", "heap|lib-x|o", "-run", "W1|W2|W3|bytes|targets", "-plot", file)
	if status != succeeded {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for _, want := range []string{
		"W1: stop a random timer", "W2: ", "W2b: ", "W3: ", "n = 300", "no Reset: ", "lib-x", "has a clock of its own: ",
		"container/heap", "3 binary heap", "x AfterFunc", "an empty tick", "longest StartTimer", "at its least of the runs",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	for line := range strings.Lines(stdout) {
		if n := utf8.RuneCountInString(line); n > 105 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	if svg, err := os.ReadFile(file); err != nil || !bytes.Contains(svg, []byte("</svg>")) {
		t.Errorf("the plot: %v", err)
	}
}

func TestJSON(t *testing.T) {
	status, stdout, stderr := command(t.Context(), "-quick", "-n", "100", "-run", "W1", "-on", "heap", "-json")
	var r Result
	if err := json.Unmarshal([]byte(stdout), &r); status != succeeded || err != nil {
		t.Fatalf("status %d, %v: %s", status, err, stderr)
	}
	for _, name := range []string{floorName, runtimeName, scheme7Name, "container/heap"} {
		f := find(r.Figures, "W1", 100, name)
		if f == nil || len(f.Runs) != 2 || f.Least > f.Median || f.Median > f.Most || f.Floor <= 0 || f.AfterFunc <= 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// An interrupted run prints what is finished.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, _, stderr := command(ctx, "-quick"); status != interrupted || !strings.Contains(stderr, "interrupted") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

func TestSummarise(t *testing.T) {
	cells := []Figure{
		{Subject: floorName, Runs: []float64{1, 2, 4}},
		{Subject: runtimeName, Runs: []float64{10, 20, 40}},
		{Subject: "other", Runs: []float64{5, 30, 20}},
		{Subject: "none", Lacks: "no Reset"},
	}
	summarise(cells)
	if c := cells[2]; c.Median != 20 || c.Least != 5 || c.Most != 30 || c.Floor != 5 || c.AfterFunc != 0.5 {
		t.Errorf("%+v", c)
	}
	if c := cells[3]; c.Median != 0 || c.Floor != 0 {
		t.Errorf("%+v", c)
	}
}

func TestJudgement(t *testing.T) {
	for _, c := range []struct {
		median, least float64
		want          string
	}{{1, 1, "as aimed"}, {2, 1, "reached"}, {4, 2, "least run only"}, {4, 4, "missed"}} {
		row := Target{Median: c.median, Least: c.least, Must: 3, Aim: 1}
		if row.judge(); row.Verdict != c.want {
			t.Errorf("%v: %s", c, row.Verdict)
		}
	}
}

func TestWorst(t *testing.T) {
	w := newStopwatch(100000)
	for i := range 100000 {
		w.add(time.Duration(99999 - i))
	}
	if r := w.row("row", 1); r.P50 != 49999 || r.P999 != 99899 || r.P99999 != 99998 || r.Max != 99999 || r.Operations != 100000 {
		t.Errorf("%+v", r)
	}
	w = newStopwatch(1)
	w.add(math.MaxInt64)
	if r := w.row("row", 1); r.P50 != math.MaxUint32 || r.Max != math.MaxUint32 {
		t.Errorf("%+v", r)
	}
	rows := slices.Concat([]Worst{worstNothing(100, 10), worstTick(1000, 50)}, worstScheme7(100, 10), worstAfterFunc(100, 10), worstBurst(10, 1))
	if len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
	var out bytes.Buffer
	worstTable(rows).print(&out)
	if !strings.Contains(out.String(), "p99.999") {
		t.Error(out.String())
	}
}

func TestFormats(t *testing.T) {
	for got, want := range map[string]string{
		number(0): "0", number(0.0123): "0.012", number(0.5): "0.50", number(12.34): "12.3", number(1234.5): "1234",
		count(1000): "10^3", count(200000): "2·10^5", count(300): "300", count(12000): "12000",
		span(31 * time.Nanosecond): "31ns", span(1234567): "1.23ms",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
