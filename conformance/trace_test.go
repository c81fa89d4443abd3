package conformance

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
)

// TestTraceText parses texts and prints them: what is printed is what is given
// in want, or the text itself.
func TestTraceText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"start a 8", ""},
		{"start a 8; tick 3; process 2", "start a 8\ntick 3\nprocess 2"},
		{"process -1; process -2; process -0x10; advance 9 limit -1; advance 9 limit -7", "process\nprocess -2\nprocess -16\nadvance 9\nadvance 9 limit -7"},
		{"process -0x7fffffff", "process -2147483647"},
		{"tick 1", "tick"},
		{"process 0", ""},
		{"start b 5 { stop a; start c 1 }; start a 5", "start b 5 { stop a; start c 1 }\nstart a 5"},
		{"start b 5 {\n  start c 1 { panic } # inner\n}\n# all\n", "start b 5 { start c 1 { panic } }"},
		{"start b 5 {}", "start b 5"},
		{"start b 5..9 id 3 { tick; reset b 0x10 }", "start b 5..9 id 3 { tick; reset b 16 }"},
		{"start b 5 nil", ""},
		{"at 2^36-1; advance 8; advance to 2^36+9 limit 2", "at 2^36-1\nadvance 8\nadvance to 2^36+9 limit 2"},
		{"skip 2^64-1; overskip 1", "skip 2^64-1\noverskip 1"},
		{"start a 9; stop a^63; stop a+1; reset a+2^32 4", "start a 9\nstop a^63\nstop a+1\nreset a+2^32 4"},
		{"stop 0; stop 0xdeadbeef", "stop 0\nstop 0xdeadbeef"},
		{"tick 1_000_000", "tick 1000000"},
		{"tick 16384; tick 65535; tick 2^14+7", "tick 2^14\ntick 2^16-1\ntick 2^14+7"},
		{"", ""},
	} {
		if c.want == "" {
			c.want = c.text
		}
		trace, err := ParseTrace(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := strings.TrimRight(trace.String(), "\n"); got != c.want {
			t.Errorf("%q prints as %q, want %q", c.text, got, c.want)
		}
	}
}

// TestTraceErrors holds bad texts to an error with line and reason.
func TestTraceErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"start", "line 1: start wants the name of a timer"},
		{"start a", "line 1: an interval is missing"},
		{"start a 1\nstart a 2", "line 2: a timer a is started already"},
		{"start a x", `line 1: "x" is no number`},
		{"start a -1", `line 1: "-1" is no number`},
		{"start a 2^65", `line 1: "2^65" is no number`},
		{"start a 2^64", `line 1: "2^64" is no number`},
		{"start a 1..", `line 1: start a: "" is no number`},
		{"start a 0..0", "a range ends over 0"},
		{"start a 1 id 0", "a request id in a trace is over 0"},
		{"start a 1 2", `line 1: "2" follows "start a 1"`},
		{"start a 1 nil { }", `"{" follows "start a 1 nil"`},
		{"start 7 1", `start wants the name of a timer, not "7"`},
		{"tick\n\nstop a", "line 3: no timer a is started"},
		{"stop", "line 1: the name of a timer, or a handle, is missing"},
		{"start a 1; stop a^64", "a handle has no bit 64"},
		{"stop $", `"$" is no name of a timer and no handle`},
		{"panic", "panic stands in an action only"},
		{"start a 1 { process }", "process may not stand in an action"},
		{"start a 1 { advance 1 }", "advance may not stand in an action"},
		{"start a 1 { skip 1 }", "skip may not stand in an action"},
		{"start a 1 { tick", "an action lacks its closing brace"},
		{"tick }", "a brace closes no action"},
		{"tick { }", `"{" follows "tick"`},
		{"tick; at 5", "at stands before every other operation"},
		{"overskip 0", "overskip wants a number over 0"},
		{"process 2^40", "is over 2^30"},
		{"process -x", `line 1: "-x" is no limit`},
		{"wait 3", `line 1: unknown operation "wait"`},
	} {
		_, err := ParseTrace(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q in it", c.text, err, c.want)
		}
	}
}

// TestTraceRoundTrip prints and parses the traces of the rules, and random
// ones.
func TestTraceRoundTrip(t *testing.T) {
	same := func(trace Trace) {
		t.Helper()
		again, err := ParseTrace(trace.String())
		if err != nil {
			t.Fatalf("%v in\n%s", err, trace)
		}
		if !reflect.DeepEqual(unplaced(again), unplaced(trace)) {
			t.Fatalf("parsed again, the trace is\n%swant\n%s", again, trace)
		}
	}
	b := &battery{max: timer.MaxTick, has: map[string]bool{"RangeStarter": true, "Tickless": true}}
	for _, r := range rules {
		for _, text := range r.traces {
			same(b.fit(text, 0))
		}
	}
	b.systematic(same)
	for i := range 300 {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		trace := b.randomTrace(r, laws[i%len(laws)])
		same(trace)
		bytes := make([]byte, r.IntN(300))
		for k := range bytes {
			bytes[k] = byte(r.Uint32())
		}
		same(b.decode(bytes))
	}
}

// unplaced is the operations without the lines they were read from, and with no
// difference between no actions and none.
func unplaced(ops []Op) []Op {
	var all []Op
	for _, op := range ops {
		op.Line = 0
		op.Action = unplaced(op.Action)
		all = append(all, op)
	}
	return all
}
