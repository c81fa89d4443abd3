package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// command runs the command and gives what it printed.
func command(t *testing.T, ctx context.Context, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errors bytes.Buffer
	status = run(ctx, args, &out, &errors)
	return status, out.String(), errors.String()
}

// A bad flag is one line and an exit status, before any work and any folder.
func TestBadFlags(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-run", "no such claim"}, badFlag, "no claim matches"},
		{[]string{"-run", "("}, badFlag, "missing closing"},
		{[]string{"-seed", "x"}, badFlag, "invalid value"},
		{[]string{"-nonsense"}, badFlag, "not defined"},
		{[]string{"-quick", "-full"}, badFlag, "exclude"},
		{[]string{"argument"}, badFlag, "no argument"},
		{[]string{"-out", filepath.Join(file, "below")}, failed, "not a directory"},
	} {
		status, stdout, stderr := command(t, t.Context(), c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%v: status %d, stdout %q, stderr %q; want %d and one line with %q", c.args, status, stdout, stderr, c.status, c.want)
		}
	}
	if made, _ := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); len(made) > 0 {
		t.Errorf("made %v", made)
	}
}

func TestList(t *testing.T) {
	status, stdout, _ := command(t, t.Context(), "-list", "-run", "^S7-")
	if status != succeeded || strings.Count(stdout, "\n") != 9 {
		t.Errorf("status %d, listed:\n%s", status, stdout)
	}
}

// A run leaves a whole report in the folder, in all forms.
func TestReport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	status, stdout, stderr := command(t, t.Context(), "-quick", "-out", dir, "-run", "^(S2-2|S2-7|S6-3|S7-2|S6-4)$")
	if status != succeeded {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for line := range strings.Lines(stdout) {
		if n := utf8.RuneCountInString(line); n > width+1 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	for name, wants := range map[string][]string{
		"report.md":      {"does not hold", "| S7-2 |", "](burstiness.svg)"},
		"report.html":    {"does not hold", "<svg", "</html>"},
		"burstiness.svg": {"<svg", "</svg>"},
		"bench.txt":      {"Unit figure assume=exact", "BenchmarkClaim/id=S7-2/figure=tick_of_the_expiry 1 3045 figure"},
	} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !bytes.Contains(content, []byte(want)) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
	results, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r report
	if err := json.Unmarshal(results, &r); err != nil || len(r.Findings) != 5 {
		t.Errorf("results.json: %v, %d findings", err, len(r.Findings))
	}
}

// What is measured beside the claims stands in all forms, and in columns that fit.
func TestSupplements(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := command(t, t.Context(), "-quick", "-out", dir, "-run", "^(hold|logic)$")
	if status != succeeded {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for line := range strings.Lines(stdout) {
		if n := utf8.RuneCountInString(line); n > width+1 {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	texts := map[string]string{"the terminal": stdout}
	for _, name := range []string{"report.md", "report.html", "results.json"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(content)
	}
	for name, text := range texts {
		for _, want := range []string{"Hold model, exponential intervals", "by law of intervals", "events/s", "DECSIM", "50 of 50"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
	}
}

// An interrupted run leaves what is finished.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	status, _, stderr := command(t, ctx, "-quick", "-out", dir)
	if status != interrupted || !strings.Contains(stderr, "interrupted after") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil {
		t.Error(err)
	}
}

func TestTextInColour(t *testing.T) {
	if got := colour("holds", "holds", true); got != "\033[32mholds\033[0m" {
		t.Errorf("got %q", got)
	}
	if got := colour("holds", "holds", false); got != "holds" {
		t.Errorf("got %q", got)
	}
}
