package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/timerfacility/timer/bench"
)

// report is everything that is written.
type report struct {
	Run      description
	Claimed  int // claims that were to be measured
	Findings []bench.Finding

	// Supplements are what was measured beside the claims.
	Supplements []bench.Finding `json:",omitempty"`
}

// add puts a finding where it belongs.
func (r *report) add(f bench.Finding) {
	if isSupplement(f.Claim) {
		r.Supplements = append(r.Supplements, f)
	} else {
		r.Findings = append(r.Findings, f)
	}
}

func isSupplement(c bench.Claim) bool {
	return slices.ContainsFunc(bench.Supplements(), func(s bench.Claim) bool { return s.ID == c.ID })
}

// all are the findings and the supplements.
func (r report) all() []bench.Finding { return slices.Concat(r.Findings, r.Supplements) }

// description says of a run what its figures depend on, and of the machine what
// its times depend on.
type description struct {
	Seed  uint64
	Size  string
	Date  string
	Go    string
	OS    string
	Arch  string
	CPU   string `json:",omitempty"`
	Procs int
}

func describe(lab *bench.Lab) description {
	return description{
		Seed: lab.Seed, Size: lab.Size.String(), Date: time.Now().UTC().Format(time.DateOnly),
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpu(), Procs: runtime.GOMAXPROCS(0),
	}
}

func (d description) String() string {
	s := fmt.Sprintf("Seed %d, %s run, %s. %s, %s/%s, %d processors", d.Seed, d.Size, d.Date, d.Go, d.OS, d.Arch, d.Procs)
	if d.CPU != "" {
		s += ", " + d.CPU
	}
	return s + "."
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

// unexpected are the findings whose verdict is not the one that we hold to be
// true.
func (r report) unexpected() []bench.Finding {
	return slices.DeleteFunc(r.all(), bench.Finding.AsExpected)
}

// verdicts says how many claims held.
func (r report) verdicts() string {
	var parts []string
	for _, v := range []struct {
		verdict bench.Verdict
		words   string
	}{
		{bench.Holds, "hold"}, {bench.Corrected, "hold after correction"}, {bench.DoesNotHold, "do not hold"},
		{bench.NotTestable, "are not testable here"}, {bench.Contradicted, "are contradicted"},
	} {
		n := 0
		for _, f := range r.Findings {
			if f.Verdict == v.verdict {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v.words))
		}
	}
	if len(parts) == 0 {
		return "No claim was measured"
	}
	return fmt.Sprintf("Of %d claims %s", len(r.Findings), strings.Join(parts, ", "))
}

// summary is the first table: claim by claim, what held.
func (r report) summary() bench.Table {
	t := bench.Table{
		Title: "What held", Columns: []string{"claim", "", "printed", "measured", "verdict"},
		Note: "In brackets: what theory gives, where nothing is printed.",
	}
	for _, f := range r.Findings {
		printed := f.Printed
		if printed == "" && f.Predicted != "" {
			printed = "(" + f.Predicted + ")"
		}
		t.Rows = append(t.Rows, []string{f.ID, f.Title, printed, f.Short(), string(f.Verdict)})
	}
	return t
}

// write writes all files of the report into dir.
func (r report) write(dir string) error {
	plots, err := r.draw(dir)
	if err != nil {
		return err
	}
	page, err := r.html(plots)
	if err != nil {
		return err
	}
	results, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	for name, content := range map[string]string{
		"report.md":    r.markdown(),
		"report.html":  page,
		"results.json": string(results) + "\n",
		"bench.txt":    r.benchstat(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// benchstat writes the figures and times in the format of Go's benchmarks. Counts
// are declared exact: a change of one is a change of the code or of the seed.
func (r report) benchstat() string {
	var b strings.Builder
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: github.com/timerfacility/timer/bench\n", r.Run.OS, r.Run.Arch)
	if r.Run.CPU != "" {
		fmt.Fprintf(&b, "cpu: %s\n", r.Run.CPU)
	}
	b.WriteString("Unit figure assume=exact\n")
	name := strings.NewReplacer(" ", "_", "/", ":", "\t", "_")
	for _, f := range r.all() {
		for _, g := range f.Figures {
			fmt.Fprintf(&b, "BenchmarkClaim/id=%s/figure=%s 1 %g figure\n", f.ID, name.Replace(g.Name), g.Value)
		}
		for _, t := range f.Times {
			fmt.Fprintf(&b, "BenchmarkTime/id=%s/operation=%s 1 %g ns/op\n", f.ID, name.Replace(t.Name), t.Median)
		}
	}
	return b.String()
}
