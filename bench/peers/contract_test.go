package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/bench"
	"github.com/timerfacility/timer/conformance"
)

var update = flag.Bool("update", false, "run the whole suite on every library, and write CONTRACT.txt and testdata/contract.json again")

const (
	contractText = "CONTRACT.txt"
	contractJSON = "testdata/contract.json"
)

// A breach is a sentence of the contract that a library breaks.
type breach struct {
	Library string
	Rule    string
	Got     string
	Want    string
	Trace   string `json:",omitempty"` // that shows it; empty if no trace does
	Early   bool   `json:",omitempty"` // it shows when the library is asked for a tick less
}

// dies is the rule that no library should come near: the process goes on.
const dies = "(the process lives)"

// deadly are traces of which a library dies.
var deadly = map[string]string{"siddontang time2": "start a 300\nstop a\ntick 300\n"}

// What the suite measures in memory it cannot measure here, where a module that
// nobody uses goes on; see growing.
const (
	stopMemory  = "Stop/ConstantMemory"
	resetMemory = "Reset/ConstantMemory"
)

// judged are the libraries that come under the suite, and excused the others.
func judged() (all []library) {
	for _, l := range libraries() {
		if excused[l.name] == "" {
			all = append(all, l)
		}
	}
	return all
}

var excused = map[string]string{
	"time.NewTimer": "is time.AfterFunc with a channel.",
	"antlabs heap":  "waits in a loop for its clock to pass an expiry, and the clock of a bubble waits for the loop.",
}

const exactTick = "Start/ExactTick"

// own are the sentences that a library keeps or breaks by itself. All others are
// kept by the module around it (see driven), and stand in the table only if the
// library breaks one all the same.
var own = []string{
	exactTick, "Start/MaxInterval", "Stop/Outstanding", stopMemory, "Tick/CountsDue",
	"Expiry/Once", "Expiry/ID", "Expiry/KeepsNothing", "Action/Start", "Action/Stop", "Action/Reset",
	"Reset/ExactTick", "Reset/KeepsHandle", "Reset/Due", resetMemory,
}

// suite is the suite for the library. It may be used in a bubble only.
func suite(l library, early bool) conformance.Suite {
	var made []*driven
	at := func(now timer.Tick) timer.Timer[int] {
		const alive = 2 // whoever may still be in use
		if len(made) == alive {
			made[0].timers.close()
			made = slices.Delete(made, 0, 1)
		}
		m := newDriven(l, now)
		m.early = early
		made = append(made, m)
		if l.noReset == "" {
			return drivenResetter{m}
		}
		return m
	}
	measured := "is measured apart"
	return conformance.Suite{
		New: func() timer.Timer[int] { return at(0) }, NewAt: at, MaxInterval: drivenBound,
		Skip: map[string]string{stopMemory: measured, resetMemory: measured},
	}
}

// The environment of a process that judges one library: its name, and the file
// of breaches to replay if it is not to run the whole suite.
const (
	judgeVariable  = "PEERS_JUDGE"
	replayVariable = "PEERS_REPLAY"
	judgedStatus   = 42
)

// TestJudge judges one library, in a process of its own: what a library leaves
// running would keep the bubble from its end.
func TestJudge(t *testing.T) {
	name := os.Getenv(judgeVariable)
	if name == "" {
		t.Skip("is started by TestContract")
	}
	i := slices.IndexFunc(libraries(), func(l library) bool { return l.name == name })
	l := libraries()[i]
	var known []breach
	replays := os.Getenv(replayVariable)
	if replays != "" {
		known = readBreaches(t)
	}
	found := []breach{}
	if replays == "" {
		found = append(found, growing(l)...)
	}
	synctest.Test(t, func(t *testing.T) {
		if replays == "" {
			found = append(found, everything(l)...)
		}
		for _, b := range known {
			if b.Library == l.name && b.Trace != "" {
				found = append(found, breaches(l, b.Early, suite(l, b.Early).Replay(b.Trace))...)
			}
		}
		if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
			t.Error(err)
		}
		os.Exit(judgedStatus)
	})
}

// everything is all that the suite finds. Where a library is a tick late, that
// would be all that the suite finds: so it is asked for one less as well, to see
// what else there is.
func everything(l library) []breach {
	found := breaches(l, false, suite(l, false).Check())
	late := slices.IndexFunc(found, func(b breach) bool { return b.Rule == exactTick })
	if late < 0 {
		return found
	}
	others := breaches(l, true, suite(l, true).Check())
	return append(found[late:late+1], slices.DeleteFunc(others, func(b breach) bool { return b.Rule == exactTick })...)
}

// growing measures what stops and resets leave in memory, by the library's own
// clock, and the suite's measure.
func growing(l library) (found []breach) {
	const times = 1 << 18
	for _, c := range []struct{ rule, what string }{
		{stopMemory, "starting and stopping a timer"},
		{resetMemory, "resetting a timer"},
	} {
		if c.rule == resetMemory && l.noReset != "" {
			continue
		}
		t := l.open(1, l.tick, func(int) func() { return nothing })
		random := bench.SplitMix(1)
		t.start(0, interval(&random))
		before := reachable()
		for range times {
			if c.rule == resetMemory {
				t.(resetter).reset(0, interval(&random))
			} else {
				t.stop(0)
				t.start(0, interval(&random))
			}
		}
		time.Sleep(100 * time.Millisecond) // for those who pass it on
		if grown := int64(reachable()) - int64(before); grown > 1<<20+2*times {
			found = append(found, breach{
				Library: l.name, Rule: c.rule,
				Got:  fmt.Sprintf("after %s %d times the heap has grown by about %d bytes for each time", c.what, times, grown/times),
				Want: "no growth with the number of times",
			})
		}
		t.close()
	}
	return found
}

func breaches(l library, early bool, err error) []breach {
	found := []breach{}
	for _, f := range conformance.Failures(err) {
		b := breach{Library: l.name, Rule: f.Rule, Got: f.Got, Want: f.Want, Trace: f.Trace, Early: early}
		if strings.HasPrefix(b.Trace, "#") {
			b.Trace = "" // none, but how to see it otherwise
		}
		found = append(found, b)
	}
	return found
}

// judge starts a process that judges the library.
func judge(t *testing.T, l library, replay bool) []breach {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestJudge$")
	command.Env = append(os.Environ(), judgeVariable+"="+l.name)
	if replay {
		command.Env = append(command.Env, replayVariable+"=1")
	}
	var output, complaint bytes.Buffer
	command.Stdout, command.Stderr = &output, &complaint
	err := command.Run()
	var exit *exec.ExitError
	if death := slices.IndexFunc(slices.Collect(strings.Lines(complaint.String())), isPanic); death >= 0 {
		line := slices.Collect(strings.Lines(complaint.String()))[death]
		return []breach{{Library: l.name, Rule: dies, Got: strings.TrimSpace(line), Want: "no panic that nobody could recover", Trace: deadly[l.name]}}
	}
	if !errors.As(err, &exit) || exit.ExitCode() != judgedStatus {
		t.Errorf("%s: %v\n%s%s", l.name, err, tail(output.String()), tail(complaint.String()))
		return nil
	}
	var found []breach
	for line := range strings.Lines(output.String()) { // libraries print, too
		if strings.HasPrefix(line, "[") && json.Unmarshal([]byte(line), &found) == nil {
			return found
		}
	}
	t.Errorf("%s: no verdict in %q", l.name, output.String())
	return nil
}

func isPanic(line string) bool { return strings.HasPrefix(line, "panic: ") }

func tail(s string) string { return s[max(0, len(s)-2000):] }

func readBreaches(t *testing.T) (known []breach) {
	t.Helper()
	text, err := os.ReadFile(contractJSON)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// The table says what the libraries do: every trace in it still shows what it
// is said to show. With -update the whole suite finds it out again.
func TestContract(t *testing.T) {
	if *update {
		all := []breach{}
		for _, l := range judged() {
			began := time.Now()
			found := judge(t, l, false)
			t.Logf("%s: %d breaches, %v", l.name, len(found), time.Since(began).Round(time.Second))
			all = append(all, found...)
		}
		text, err := json.MarshalIndent(all, "", "\t")
		if err == nil {
			err = os.MkdirAll(filepath.Dir(contractJSON), 0o777)
		}
		if err == nil {
			err = os.WriteFile(contractJSON, append(text, '\n'), 0o666)
		}
		if err == nil {
			err = os.WriteFile(contractText, []byte(contract(all)), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range own {
		if !slices.ContainsFunc(conformance.Rules(), func(r conformance.Rule) bool { return r.Name == name }) {
			t.Errorf("there is no rule %s", name)
		}
	}
	known := readBreaches(t)
	text, err := os.ReadFile(contractText)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != contract(known) {
		t.Errorf("%s is not what %s makes: run go test -run TestContract -update", contractText, contractJSON)
	}
	for _, l := range judged() {
		t.Run(l.name, func(t *testing.T) {
			if testing.Short() {
				t.Skip("starts a process")
			}
			t.Parallel()
			shown := make(map[string]bool)
			for _, b := range judge(t, l, true) {
				shown[b.Rule] = true
			}
			for _, b := range known {
				if b.Library == l.name && b.Trace != "" && !shown[b.Rule] {
					t.Errorf("the trace does not break %s: %s", b.Rule, b.Trace)
				}
			}
		})
	}
}

// contract is the text of CONTRACT.txt.
func contract(all []breach) string {
	broken := make(map[string]map[string]bool) // rule, library
	for _, b := range all {
		if broken[b.Rule] == nil {
			broken[b.Rule] = make(map[string]bool)
		}
		broken[b.Rule][b.Library] = true
	}
	var w strings.Builder
	w.WriteString(`Which sentences of the contract other people's timers keep

Generated by go test -run TestContract -update. The libraries read a clock of
their own; here it is the clock of a test's bubble, which a tick moves by exactly
one tick. What no library has is added around it: handles, the queue of the
timers that are due, and the checks of arguments. So this says of each library
whether it calls at the right time, once, and not after a stop.

Timers start on a tick here, never between two: who rounds down then calls early,
which this does not show. A library that is always a tick late breaks
Start/ExactTick, and is asked for one tick less in all that follows. Whether
memory grows is measured by the library's own clock. The suite's patience runs by
the bubble's: where ticks are long it leaves most of its random traces out. The
wheels of ouqiang, go-zero and lib-x get a number and no closure to keep.

`)
	libraries := judged()
	for i, l := range libraries {
		fmt.Fprintf(&w, "  %c  %-21s %s, a tick of %v\n", 'a'+i, l.name, cmp.Or(l.module, "the standard library"), drivenTick(l))
	}
	w.WriteString("\nThe modules on container/heap and google/btree keep every sentence.\n\n")
	fmt.Fprintf(&w, "%-24s", "yes keeps, NO breaks")
	for i := range libraries {
		fmt.Fprintf(&w, "  %c ", 'a'+i)
	}
	w.WriteString("\n")
	var sentences []conformance.Rule
	if broken[dies] != nil {
		sentences = append(sentences, conformance.Rule{Name: dies, Sentence: "A library's own goroutine does not panic, which would end the process."})
	}
	for _, r := range conformance.Rules() {
		if slices.Contains(own, r.Name) || broken[r.Name] != nil {
			sentences = append(sentences, r)
		}
	}
	for _, r := range sentences {
		line := fmt.Sprintf("%-24s", r.Name)
		for _, l := range libraries {
			mark := "yes"
			switch {
			case r.Needs == "Resetter" && l.noReset != "":
				mark = " - "
			case broken[r.Name][l.name]:
				mark = "NO "
			}
			if mark == "yes" && broken[dies][l.name] {
				mark = " ? "
			}
			line += " " + mark
		}
		w.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	w.WriteString("\nThe sentences:\n\n")
	for _, r := range sentences {
		fmt.Fprintf(&w, "  %-22s %s\n", r.Name, r.Sentence)
	}
	w.WriteString("\nWhat has no column, or no Reset (-):\n\n")
	for _, name := range []string{"time.NewTimer", "antlabs heap"} {
		fmt.Fprintf(&w, "  %-22s %s\n", name, excused[name])
	}
	for _, l := range libraries {
		if l.noReset != "" {
			fmt.Fprintf(&w, "  %-22s %s.\n", l.name, l.noReset)
		}
	}
	w.WriteString("\nWhat breaks, and the shortest trace found that shows it:\n")
	for _, l := range libraries {
		first := true
		for _, b := range all {
			if b.Library != l.name {
				continue
			}
			if first {
				fmt.Fprintf(&w, "\n%s\n", l.name)
				first = false
			}
			fmt.Fprintf(&w, "  %s\n", b.Rule)
			if b.Trace != "" {
				fmt.Fprintf(&w, "      %s\n", strings.ReplaceAll(strings.TrimSpace(b.Trace), "\n", "; "))
			}
			if b.Early {
				w.WriteString("      asked for one tick less\n")
			}
			fmt.Fprintf(&w, "      got:  %s\n      want: %s\n", indent(b.Got), indent(b.Want))
		}
	}
	return w.String()
}

// indent keeps the lines of a text together.
func indent(text string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n            ")
}
