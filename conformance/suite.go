package conformance

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
)

// A Suite tests a timer module against the contract of package timer. Only New
// is required. Optional interfaces are found by type assertion on what New
// returns, and tested.
type Suite struct {
	// New makes a fresh module.
	New func() timer.Timer[int]

	// NewAt makes a fresh module with its clock at now, for the boundaries. It is
	// optional: without it they are reached as far as ticks and SkipTicks lead.
	NewAt func(now timer.Tick) timer.Timer[int]

	// MaxInterval is the largest interval that New's timers take; 0: any. A module
	// that is timer.Bounded tells it itself.
	MaxInterval timer.Tick

	// FIFO is the promise that within a tick the timer first started runs first.
	FIFO bool

	// NoAllocs is the promise that nothing allocates in a steady state.
	NoAllocs bool

	// Skip maps the names of rules that are not to be tested to the reason. A run
	// that skips a core rule is partial, and says so.
	Skip map[string]string
}

// seedVariable names the environment variable that sets the seed of the random
// traces.
const seedVariable = "TIMER_SEED"

const defaultSeed = 1987

// seed is the seed of the random traces.
func seed() (uint64, error) {
	text := os.Getenv(seedVariable)
	if text == "" {
		return defaultSeed, nil
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("conformance: %s=%q is no number from 0 to 2^64-1", seedVariable, text)
	}
	return n, nil
}

// validate says what is wrong with the suite itself.
func (s Suite) validate() error {
	if s.New == nil {
		return errors.New("conformance: Suite.New is nil: the suite needs a function that makes a fresh module")
	}
	for name := range s.Skip {
		if ruleNamed(name) == nil {
			return fmt.Errorf("conformance: Suite.Skip names %q, which is no rule; see conformance.Rules", name)
		}
	}
	return nil
}

// partial is the error that says which core rules were skipped; nil if none was.
func (s Suite) partial() error {
	var skipped []string
	for _, r := range rules {
		if _, skip := s.Skip[r.Name]; skip && r.Core {
			skipped = append(skipped, r.Name)
		}
	}
	if skipped == nil {
		return nil
	}
	return &PartialError{skipped}
}

// Run tests the module: a subtest for each rule. What is skipped says why.
//
// The module is put through all its paces once, when the first subtest runs;
// each subtest then reports the failures of its own rule. So a subtest that is
// run alone takes as long as all of them.
func (s Suite) Run(t *testing.T) {
	t.Helper()
	b, err := newBattery(s, testing.Short(), func(e *RuleError) string {
		return fmt.Sprintf("go test -run '%s'", runPattern(t.Name()+"/"+e.Rule))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.Name, func(t *testing.T) {
			if reason, skip := s.Skip[r.Name]; skip {
				t.Skip("skipped: " + reason)
			}
			if err := b.run(); err != nil {
				t.Fatal(err)
			}
			if !b.has[r.Needs] {
				t.Skip(needsText(r.Needs))
			}
			if f := b.failed[r.Name]; f != nil {
				t.Error(f)
			}
		})
	}
	if err := s.partial(); err != nil {
		t.Log(err)
	}
}

func needsText(needs string) string {
	if field, isPromise := strings.CutPrefix(needs, "Suite."); isPromise {
		return "no promise: Suite." + field + " is false"
	}
	return "the module is no timer." + needs
}

// runPattern is the pattern for go test -run that matches the test alone.
func runPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// byCall is the call that shows a failure again.
func byCall(e *RuleError) string {
	if e.Trace == "" {
		return "call Check of the same Suite: Replay does not see this"
	}
	return "call Replay of the same Suite with the trace"
}

// Check tests the module by the same rules as Run, with no testing.T: for
// graders and commands. The error joins a [*RuleError] for each rule that
// failed, which [Failures] takes apart, and a [*PartialError] if core rules
// were skipped.
func (s Suite) Check() error {
	b, err := newBattery(s, false, byCall)
	if err != nil {
		return err
	}
	if err := b.run(); err != nil {
		return err
	}
	var failed []*RuleError
	for _, f := range b.failed {
		failed = append(failed, f)
	}
	slices.SortFunc(failed, byRule)
	var errs []error
	for _, f := range failed {
		errs = append(errs, f)
	}
	return errors.Join(append(errs, s.partial())...)
}

// Replay runs one trace on the module and beside the oracle. The error is a
// [*RuleError] if they differ, and another if the text is no trace.
func (s Suite) Replay(trace string) error {
	ops, err := ParseTrace(trace)
	if err != nil {
		return fmt.Errorf("conformance: %w", err)
	}
	b, err := newBattery(s, false, byCall)
	if err != nil {
		return err
	}
	b.plan = func() error { return b.replay(ops) }
	if err := b.run(); err != nil {
		return err
	}
	for _, f := range b.failed {
		return f
	}
	return nil
}

// Fuzz fuzzes the module: the input is the text of a trace, or any bytes, which
// then stand for one. The seeds are the traces of the rules.
func (s Suite) Fuzz(f *testing.F) {
	f.Helper()
	b, err := newBattery(s, false, func(*RuleError) string { return fmt.Sprintf("go test -run '%s'", runPattern(f.Name())) })
	if err == nil {
		err = b.learn()
	}
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range b.fuzzSeeds() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		b, err := newBattery(s, false, func(*RuleError) string { return fmt.Sprintf("go test -run '%s'", runPattern(t.Name())) })
		if err != nil {
			t.Fatal(err)
		}
		b.plan = func() error {
			b.try(b.decode(input))
			return nil
		}
		if err := b.run(); err != nil {
			t.Fatal(err)
		}
		for _, failure := range b.failed {
			t.Error(failure)
		}
	})
}
