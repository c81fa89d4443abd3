package conformance_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

func plainSuite() conformance.Suite {
	return conformance.Suite{
		New:      func() timer.Timer[int] { return viewed{newPlain(0, timer.MaxTick)} },
		NewAt:    func(now timer.Tick) timer.Timer[int] { return viewed{newPlain(now, timer.MaxTick)} },
		FIFO:     true,
		NoAllocs: true,
	}
}

// mutantNamed is the suite of a mutant.
func mutantNamed(t *testing.T, name string) conformance.Suite {
	t.Helper()
	for _, mu := range mutants {
		if mu.name == name {
			return mu.suite()
		}
	}
	t.Fatalf("no mutant %q", name)
	return conformance.Suite{}
}

// TestPlain holds the plain module to every rule.
func TestPlain(t *testing.T) { plainSuite().Run(t) }

// FuzzPlain fuzzes the plain module.
func FuzzPlain(f *testing.F) { plainSuite().Fuzz(f) }

// TestRules holds the table to names in groups, with a sentence each.
func TestRules(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range conformance.Rules() {
		group, name, ok := strings.Cut(r.Name, "/")
		if !ok || group == "" || name == "" || seen[r.Name] {
			t.Errorf("rule %q", r.Name)
		}
		seen[r.Name] = true
		if got := r.String(); got != r.Name+": "+r.Sentence {
			t.Errorf("%s: String() = %q", r.Name, got)
		}
		if !strings.HasSuffix(r.Sentence, ".") {
			t.Errorf("%s: sentence %q", r.Name, r.Sentence)
		}
		if r.Core != (r.Needs == "") {
			t.Errorf("%s: core %t, needs %q", r.Name, r.Core, r.Needs)
		}
	}
	proven := make(map[string]bool)
	for _, mu := range mutants {
		for _, r := range strings.Split(mu.rules, "|") {
			if !seen[r] {
				t.Errorf("mutant %q: no rule %q", mu.name, r)
			}
			proven[r] = true
		}
	}
	for r := range seen {
		if !proven[r] {
			t.Errorf("no mutant breaks %s", r)
		}
	}
}

// TestBadSuites holds suites that cannot be run to clear errors.
func TestBadSuites(t *testing.T) {
	for _, c := range []struct {
		name  string
		suite conformance.Suite
		want  string
	}{
		{"no New", conformance.Suite{}, "Suite.New is nil"},
		{"a nil module", conformance.Suite{New: func() timer.Timer[int] { return nil }}, "Suite.New returned nil"},
		{"New panics", conformance.Suite{New: func() timer.Timer[int] { panic("out of eggs") }}, "panicked: out of eggs"},
		{"an unknown rule", conformance.Suite{New: plainSuite().New, Skip: map[string]string{"Start/Exact": "a slip"}}, `Suite.Skip names "Start/Exact", which is no rule`},
	} {
		for how, err := range map[string]error{"Check": c.suite.Check(), "Replay": c.suite.Replay("tick")} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %s = %v, want %q in it", c.name, how, err, c.want)
			}
			if len(conformance.Failures(err)) != 0 {
				t.Errorf("%s: %s accuses the module: %v", c.name, how, err)
			}
		}
	}
}

// TestSkip skips rules that a module breaks.
func TestSkip(t *testing.T) {
	suite := mutantNamed(t, "a due timer cannot be stopped")
	suite.Skip = map[string]string{"Stop/Due": "not yet", "Action/Stop": "not yet"}
	err := suite.Check()
	if failed := conformance.Failures(err); len(failed) != 0 {
		t.Errorf("skipped, and failed all the same: %v", err)
	}
	var partial *conformance.PartialError
	if !errors.As(err, &partial) {
		t.Fatalf("Check() = %v, want a PartialError", err)
	}
	if got := fmt.Sprint(partial.Skipped); got != "[Stop/Due Action/Stop]" {
		t.Errorf("skipped: %s", got)
	}

	suite = mutantNamed(t, "ExpiryOf is what remains")
	suite.Skip = map[string]string{"Inquire/Expiry": "it is what remains"}
	if err := suite.Check(); err != nil {
		t.Errorf("a skipped rule that is not core: %v", err)
	}
}

// TestSkipAny skips each rule in turn: nothing else may fail by it.
func TestSkipAny(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a run for each rule")
	}
	for i, r := range conformance.Rules() {
		if i%6 != 0 {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			t.Parallel()
			suite := plainSuite()
			suite.Skip = map[string]string{r.Name: "to see"}
			if failed := conformance.Failures(suite.Check()); len(failed) != 0 {
				t.Error(failed[0])
			}
		})
	}
}

// TestReplay replays traces on modules that are right and wrong.
func TestReplay(t *testing.T) {
	late := mutantNamed(t, "a multiple of 256 fires a lap late")
	if err := late.Replay("start a 255; tick 255; process"); err != nil {
		t.Errorf("a trace that shows nothing: %v", err)
	}
	err := late.Replay("start a 256\ntick 256")
	if failed := conformance.Failures(err); len(failed) != 1 || failed[0].Rule != "Start/ExactTick" {
		t.Errorf("Replay() = %v, want a failure of Start/ExactTick", err)
	}
	tomb := mutantNamed(t, "a stopped timer leaves a tombstone that becomes due")
	failed := conformance.Failures(tomb.Replay("start a 1; start b 1; stop a; tick"))
	if len(failed) != 1 || failed[0].Rule != "Tick/CountsDue" || failed[0].Trace != "start a 1\nstart b 1\nstop a\ntick\n" {
		t.Errorf("Replay() = %v, want a failure of Tick/CountsDue by the trace as it is", failed)
	}
	if err := late.Replay("start a"); err == nil || !strings.Contains(err.Error(), "line 1: an interval is missing") {
		t.Errorf("Replay of no trace = %v", err)
	}
	noNewAt := conformance.Suite{New: func() timer.Timer[int] { return struct{ timer.Timer[int] }{newPlain(0, timer.MaxTick)} }}
	if err := noNewAt.Replay("at 2^63; tick"); err == nil || !strings.Contains(err.Error(), "no NewAt") {
		t.Errorf("Replay that cannot begin = %v", err)
	}
}

// TestHang holds the suite to reporting a module that does not return.
func TestHang(t *testing.T) {
	suite := mutantNamed(t, "a reset to the same tick hangs")
	failed := conformance.Failures(suite.Check())
	if len(failed) == 0 || !strings.Contains(failed[0].Got, "did not return") {
		t.Errorf("got %v", failed)
	}
}

// TestRunReport runs a test of a broken module in a process of its own, and
// reads what it prints.
func TestRunReport(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the report is that of another process, and here there are none")
	}
	if os.Getenv("TIMER_BROKEN") != "" {
		mutantNamed(t, "a due timer cannot be stopped").Run(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRunReport$/^Stop$", "-test.v")
	cmd.Env = append(os.Environ(), "TIMER_BROKEN=1", "TIMER_SEED=0x7")
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("the test of a broken module passed")
	}
	for _, want := range []string{
		"--- FAIL: TestRunReport/Stop/Due",
		"--- PASS: TestRunReport/Stop/Zero",
		"rule    A timer that is due can still be stopped.",
		"got     StopTimer(a) = false, of a timer that is due",
		"rerun   go test -run '^TestRunReport$/^Stop$/^Due$'",
		"seed    7 (TIMER_SEED sets it)",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("want %q in\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "TestRunReport/Start") {
		t.Errorf("-run did not choose:\n%s", out)
	}
}
