package conformance

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Rule is one sentence of the contract of package timer, as the suite tests
// it. Its name is that of the subtest, and does not change.
type Rule struct {
	Name     string
	Sentence string

	// Core is true for what every module owes. The other rules bind a module
	// that has an optional interface or makes a promise.
	Core bool

	// Needs is the optional interface of package timer, or the field of Suite,
	// that makes the rule bind; empty if it is core.
	Needs string

	// traces exercise the rule. A trace that has MAX in it stands for the one
	// with the largest interval that the module takes in its place; in the others
	// the intervals are cut down to what it takes.
	traces []string

	// probe tests what no trace shows.
	probe func(*battery) *failure

	// after names rules that, when broken, are the likelier reason.
	after []string
}

// String is the name and the sentence.
func (r Rule) String() string { return r.Name + ": " + r.Sentence }

// Rules is the table of rules, in the order in which the suite reports them.
func Rules() []Rule { return slices.Clone(rules) }

// plural is the number of things, with an s but for one.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// ruleNamed is the rule with the name.
func ruleNamed(name string) *Rule {
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	return &rules[i]
}

var rules []Rule // made by init: the probes refer to it

func init() {
	rules = slices.Concat(startRules, stopRules, tickRules, expiryRules, actionRules,
		resetRules, inquiryRules, ticklessRules, otherRules)
	for i := range rules {
		rules[i].Core = rules[i].Needs == ""
	}
}

var startRules = []Rule{
	{
		Name:     "Start/ExactTick",
		Sentence: "StartTimer starts a timer that expires at tick Now()+interval, exactly.",
		traces: []string{
			`start a 1; tick; process`,
			`start a 8; tick 7; process; tick; process`,
			`tick; start a 3; start b 3; start c 4; tick 2; process; tick; process; tick; process`,
			`start a 100; start b 5; tick 4; start c 1; tick; process; tick 95; process`,
			`start a 60; start b 59; start c 61; start d 3600; tick 58; tick 4; process; tick 3538; process`,
			`start a 255; start b 256; start c 257; tick 254; process; tick; process; tick; process; tick; process`,
			`tick 5; start a 256; start b 512; start c 276; start d 768; tick 255; tick 2; process; tick 300; process; tick 300; process`,
		},
	},
	{
		Name:     "Start/MaxInterval",
		Sentence: "MaxInterval is inclusive: an interval of exactly that many ticks is accepted and exact, from every phase of the clock.",
		after:    []string{"Start/ExactTick"},
		traces: []string{
			`start a MAX; stop a`,
			`start a MAX; advance MAX; process`,
			`tick 3; start a 1; tick; process; start b MAX-4; stop b`,
		},
	},
	{
		Name:     "Start/ZeroInterval",
		Sentence: "Interval 0 is refused with an error that matches ErrInterval.",
		traces:   []string{`start a 0`, `start a 5; tick 5; start b 0; process`, `start a 2; start b 0; tick 2; process`},
	},
	{
		Name:     "Start/OverBound",
		Sentence: "An interval over the smaller of the module's MaxInterval and MaxTick-Now() is refused with an error that matches ErrInterval.",
		traces: []string{
			`start a MAX+1`,
			`tick; start a MAX+1`,
			`tick 3; start a 1; start b MAX+1; tick; process`,
			`start a 1; tick; start b 2^64-1; process`,
		},
	},
	{
		Name:     "Start/NilAction",
		Sentence: "A nil action is refused with an error that matches ErrNoAction. With two faults at once it is either.",
		traces:   []string{`start a 1 nil`, `start a 5; start b 5 nil; tick 5; process`, `start a 0 nil`, `start a MAX+1 nil`},
	},
	{
		Name:     "Start/ErrorNamesBound",
		after:    []string{"Start/OverBound", "Start/MaxInterval"},
		Sentence: "The error that matches ErrInterval names the interval and the bound.",
		traces:   []string{`start a 0`, `start a MAX+1`},
	},
	{
		Name:     "Start/RefusalChangesNothing",
		Sentence: "A refusal of StartTimer changes nothing.",
		traces: []string{
			`start a 5; start b 0; start c MAX+1; start d 3 nil; start e 2; tick 2; process; tick 3; process`,
			`start a 5; tick 5; start b 0; start c MAX+1; start d 5 nil; process; tick 5; process`,
		},
	},
	{
		Name:     "Start/Handle",
		Sentence: "A Handle names one timer of one module; zero names no timer. A handle may be kept for ever: once its timer has ended it names none.",
		traces: []string{
			`start a 3; start b 3; start c 4; stop b; start d 3; tick 3; process; start e 2; stop d; stop e; stop c`,
			churn(40),
		},
	},
	{
		Name:     "Start/EqualIDs",
		after:    []string{"Start/ExactTick"},
		Sentence: "Equal ids are allowed: the id is what the action gets, the handle is what names the timer.",
		traces: []string{
			`start a 3 id 7; start b 3 id 7; start c 5 id 7; stop a; tick 3; process; tick 2; process`,
			`start a 3 id 7 { start b 2 id 7 { start c 1 id 7 } }; tick 3; process; tick 2; process; tick; process`,
		},
	},
}

var stopRules = []Rule{
	{
		Name:     "Stop/Outstanding",
		Sentence: "StopTimer ends the timer without its action, and reports whether it did.",
		traces: []string{
			`start a 5; stop a; tick 5; process`,
			`start a 5; start b 5; start c 5; stop b; tick 5; process`,
			`start a 5; start b 5; start c 5; stop a; stop c; tick 5; process`,
			`start a 3; start b 3; start c 3; stop c; start d 3; stop a; tick 3; process`,
			`start a 300; start b 300; tick 200; stop a; tick 100; process`,
			`start a 5; stop a; start b 5; tick 5; process`,
			`start a 3; start b 7; start c 5; start d 9; start e 6; stop c; stop b; tick 3; process; stop d; tick 6; process`,
			treeStops,
		},
	},
	{
		Name:     "Stop/Due",
		Sentence: "A timer that is due can still be stopped.",
		traces: []string{
			`start a 5; tick 5; stop a; process`,
			`start a 5; start b 5; start c 5; tick 5; stop b; process; tick; process`,
			`start a 5; start b 5; start c 5; tick 5; stop a; stop c; process`,
			`start a 5; start b 5; start c 5; tick 5; stop c; start d 1; tick; process`,
			`start a 2; start b 3; tick 2; tick; stop b; process`,
		},
	},
	{
		Name:     "Stop/Zero",
		Sentence: "StopTimer is false for the zero handle.",
		traces:   []string{`stop 0`, `start a 5; stop 0; tick 5; stop 0; process; stop 0`},
	},
	{
		Name:     "Stop/NeverIssued",
		Sentence: "StopTimer is false for a handle that this module never issued.",
		traces: []string{
			`stop 1; stop 2; stop 0xffffffffffffffff; stop 0x100000000; stop 0x100000001; stop 0xdeadbeef`,
			invented("stop %s", "start a 9; start b 9; start c 9; stop c", "a", "c", "0"),
			invented("stop %s", "start a 9; tick 9", "a"),
		},
	},
	{
		Name:     "Stop/Stopped",
		Sentence: "StopTimer is false for a timer already stopped.",
		traces: []string{
			`start a 5; stop a; stop a`,
			`start a 5; start b 5; stop a; stop a; stop a; tick 5; process`,
			`start a 5; start b 5; tick 5; stop a; stop a; process; stop a`,
		},
	},
	{
		Name:     "Stop/ActionBegun",
		Sentence: "StopTimer is false for a timer whose action has begun.",
		traces: []string{
			`start a 5; tick 5; process; stop a`,
			`start a 5 { stop a }; start b 5; tick 5; process; stop a; stop b`,
			`start a 5 { stop a; panic }; tick 5; process; stop a`,
			`start a 5; start b 9; tick 5; process; stop a; tick 4; process; stop b; stop a`,
		},
	},
	{
		Name:     "Stop/RecordReused",
		Sentence: "StopTimer stays false when the record is used again; at least 2^31 uses of one record are told apart.",
		traces: []string{
			`start a 5; stop a; start b 5; stop a; tick 5; process`,
			`start a 5; tick 5; process; start b 5; stop a; tick 5; process`,
			`start a 5 { start b 5; stop a }; tick 5; process; stop a; tick 5; process`,
			churn(300),
		},
		probe: probeReuse,
	},
	{
		Name:     "Stop/FalseChangesNothing",
		Sentence: "A StopTimer that is false changes nothing.",
		traces: []string{
			`start a 5; start b 5; stop a; stop 0; stop a; stop b^40; tick 5; process`,
			`start a 5; start b 7; tick 5; process; start c 2; stop a; stop a; tick 2; process`,
		},
	},
	{
		Name:     "Stop/ConstantMemory",
		Sentence: "A stopped timer leaves no memory behind: start and stop in a loop runs in constant memory, whatever the intervals are.",
		probe:    probeStopMemory,
	},
}

var tickRules = []Rule{
	{
		Name:     "Tick/AddsOne",
		Sentence: "PerTickBookkeeping adds one to the clock.",
		traces:   []string{`tick; tick; tick 7`, `start a 3; tick 3; tick 2; process; tick`},
	},
	{
		Name:     "Tick/CountsDue",
		Sentence: "PerTickBookkeeping returns how many timers became due at this tick.",
		traces: []string{
			`start a 2; start b 3; start c 3; tick; tick; tick; tick; process`,
			`start a 2; start b 3; start c 3; stop b; tick 2; tick; process`,
			`start a 1; start b 2; tick; tick; tick; process`,
		},
	},
	{
		Name:     "Tick/RunsNoAction",
		Sentence: "PerTickBookkeeping runs no action: a due timer waits for ExpiryProcessing.",
		traces:   []string{`start a 1; tick`, `start a 3; start b 3; tick 3; stop a; tick; process`},
	},
	{
		Name:     "Tick/AtMaxTick",
		Sentence: "At MaxTick PerTickBookkeeping panics.",
		traces: []string{
			`at 2^64-1; tick`,
			`at 2^64-2; start a 1; tick; process; tick`,
			`at 2^64-3; start a 2; tick 2; tick`,
		},
	},
	{
		Name:     "Now/OnlyTicks",
		Sentence: "Now is the time of day in ticks: it moves when the caller delivers ticks, and not otherwise.",
		traces:   []string{`start a 5; stop a; tick; start b 1; tick; process; stop b`},
	},
	{
		Name:     "Now/StartsAt",
		Sentence: "The clock starts where the configuration says: Now() of NewAt(t) is t, and a fresh module has no timers.",
		traces:   []string{`at 1; start a 1; tick; process`, `at 255; start a 1; tick; process`, `at 2^32; tick`, `at 2^63; tick`, `at 2^64-1`},
	},
	{
		Name:     "Len/Counts",
		after:    []string{"Start/ExactTick", "Stop/Outstanding", "Stop/Due"},
		Sentence: "Len is the number of outstanding timers, due ones included.",
		traces: []string{
			`start a 3; start b 3; start c 4; stop c; tick 3; stop a; process; tick`,
			`start a 1 { start b 1; start c 1; stop b }; tick; process; tick; process`,
			`start a 5; start b 5 { stop a; stop c }; start c 5 { stop a; stop b }; tick 5; process; tick; process`,
		},
	},
}

var expiryRules = []Rule{
	{
		Name:     "Expiry/All",
		Sentence: "ExpiryProcessing performs the actions of due timers, all of them if limit is negative.",
		traces: []string{
			`start a 3; start b 3; start c 3; tick 3; process; process`,
			`start a 1; start b 2; start c 3; tick 3; process`,
			`start a 1; tick; start b 1; tick; start c 5; tick 2; process; tick 3; process`,
			`start a 3; start b 3; tick 3; process -2; start c 1; start d 2; tick 2; process ` + fmt.Sprint(math.MinInt),
			`start a 1; start b 1; advance 1 limit -3`,
		},
	},
	{
		Name:     "Expiry/Limit",
		Sentence: "ExpiryProcessing performs at most limit actions; those that are left stay due.",
		traces: []string{
			`start a 3; start b 3; tick 3; process 1; process 1; process 1`,
			`start a 3; start b 3; start c 3; start d 4; tick 4; process 2; process 2; process 2`,
			`start a 1; start b 1; start c 2; start d 2; tick; process 1; tick; process 2; process 2`,
			`start a 1; start b 1; start c 2; tick 2; process 3; process 1`,
			`start a 3; start b 3; start c 3; tick 3; process 1; stop a; stop b; process 1; process`,
			`start a 3 { start x 3 }; start b 3 { start y 3 }; tick 3; process 1; tick; process 1; tick 2; process 1; tick; process 5`,
			`start a 2; start b 2; start c 2; advance 2 limit 2; advance 0 limit 1; advance 1 limit 1`,
			portions(9),
		},
	},
	{
		Name:     "Expiry/LimitZero",
		Sentence: "ExpiryProcessing performs no action if limit is 0.",
		traces:   []string{`process 0; start a 2; start b 2; tick 2; process 0; process 0; process`},
	},
	{
		Name:     "Expiry/Count",
		Sentence: "ExpiryProcessing returns how many actions it performed.",
		traces: []string{
			`process; start a 2; start b 2; tick 2; process 1; process; process`,
			`start a 2 { stop b }; start b 2 { stop a }; tick 2; process; process`,
		},
	},
	{
		Name:     "Expiry/Once",
		Sentence: "A timer becomes due once, and its action is performed once.",
		traces: []string{
			`start a 3; tick 3; process; process; tick 300; process`,
			`start a 3; start b 3; tick 3; process 1; process; process; tick 3; process`,
		},
	},
	{
		Name:     "Expiry/ID",
		Sentence: "ExpiryProcessing performs the timer's action with the id that the timer was started with.",
		traces: []string{
			`start a 3; start b 3; start c 4; tick 4; process`,
			`start a 3; stop a; start b 3; tick 3; process; start c 1; tick; process`,
			`start a 3 { start b 1 { start c 1 } }; tick 3; process; tick; process; tick; process`,
		},
	},
	{
		Name:     "Expiry/EarlierTickFirst",
		Sentence: "Timers due at an earlier tick go before those of a later tick.",
		traces: []string{
			`start a 2; start b 1; tick 2; process`,
			`start a 1; start b 2; start c 3; tick 3; process 1; process 1; process 1`,
			`start a 3; start b 2; start c 1; start d 2; tick 3; process 2; process`,
			`start a 2; start b 1; tick 2; process 1; start c 1; tick; process`,
			`start a 300; start b 299; start c 2; start d 1; tick 300; process`,
		},
	},
	{
		Name:     "Expiry/FIFO",
		Sentence: "First started, first run, within a tick; for order, a reset is a start.",
		Needs:    "Suite.FIFO",
		traces: []string{
			`start a 3; start b 3; start c 3; tick 3; process`,
			`start a 5; tick 2; start b 3; tick; start c 2; tick 2; process`,
			`start a 3; start b 3; start c 3; reset a 3; tick 3; process`,
			`start a 300; tick 100; start b 200; tick 100; start c 100; tick 99; start d 1; tick; process`,
			`start a 3; start b 3; start c 3; stop a; start d 3; tick 3; process 1; process`,
			`start a 3; start b 3; tick 3; reset a 2; start c 2; reset b 2; tick 2; process`,
		},
	},
	{
		Name:     "Expiry/PanicPasses",
		Sentence: "If an action panics, the panic passes through ExpiryProcessing: that timer has been spent.",
		traces: []string{
			`start a 3 { panic }; tick 3; process; stop a; process`,
			`start a 3 { panic }; start b 3; tick 3; process; stop a; process`,
		},
	},
	{
		Name:     "Expiry/PanicLeavesRest",
		Sentence: "After an action's panic every other due timer is still due and the module is intact.",
		traces: []string{
			`start a 3 { panic }; start b 3; start c 4; tick 3; process; process; tick; process`,
			`start a 3; start b 3 { panic }; start c 3; tick 3; process; process; start d 1; tick; process`,
			`start a 3 { panic }; start b 3 { panic }; start c 3 { panic }; tick 3; process 2; process 2; process 2; process`,
			`start a 2 { panic }; start b 3; tick 3; process 1; tick; stop b; process`,
			`start a 2 { start b 1; panic }; start c 2; tick 2; process; tick; process; process`,
			`start a 1 { panic }; start b 2; advance 2; advance 2; process`,
			`start a 2 { stop b; panic }; start b 2 { stop a; panic }; tick 2; process; process; start c 1; start d 1; tick; process`,
		},
	},
	{
		Name:     "Expiry/KeepsNothing",
		after:    []string{"Stop/Outstanding", "Action/NotOutstanding", "Reset/KeepsHandle", "Start/ExactTick"},
		Sentence: "An id or an action is not kept reachable after its timer ends.",
		probe:    probeReachable,
	},
}

var actionRules = []Rule{
	{
		Name:     "Action/NotOutstanding",
		Sentence: "When an action runs, its timer is no longer outstanding.",
		traces: []string{
			`start a 2 { stop a; reset a 5 }; tick 2; process; tick 5; process`,
			`start a 2; start b 2 { reset b 3; stop b }; start c 4; tick 2; process; tick 3; process`,
		},
	},
	{
		Name:     "Action/StartsLater",
		Sentence: "A timer that an action starts never runs before a later PerTickBookkeeping.",
		traces: []string{
			`start a 2 { start b 1 }; tick 2; process; tick; process`,
			`start a 2 { start b 1 { start c 1 } }; start d 2; tick 2; process; process; tick; process; tick; process`,
			`start a 2 { start b 1 { start c 1 } }; advance 2 limit 5; advance 2`,
		},
	},
	{
		Name:     "Action/Start",
		Sentence: "An action may start timers of the module, also with the id that it was given.",
		after:    []string{"Start/ExactTick"},
		traces: []string{
			`start a 4 id 1 { start b 4 id 1 { start c 4 id 1 } }; tick 4; process; tick 4; process; tick 4; process`,
			`start a 4 { start b 255; start c 256; start d 257; start e 1 }; tick 4; process; tick; process; tick 256; process`,
			`start a 4 { start b 4 }; start c 4 { start d 4 }; start e 4 { start f 4 }; tick 4; process 2; process; tick 4; process`,
			`start a 1 { start b 0; start c 1 nil; start d 1 }; tick; process; tick; process`,
			`start a 1 { start b MAX; start c MAX+1 }; tick; process; stop b`,
			grow(40),
		},
	},
	{
		Name:     "Action/Stop",
		Sentence: "An action may stop any timer of the module: one that is due with it does not run any more.",
		after:    []string{"Stop/Outstanding", "Stop/Due"},
		traces: []string{
			`start a 3 { stop b }; start b 3 { stop a }; tick 3; process; tick; process`,
			`start a 3 { stop b; stop c; stop d }; start b 3 { stop a; stop c; stop d }; start c 3 { stop a; stop b; stop d }; start d 9; tick 3; process; tick 6; process`,
			`start a 3 { stop b }; start b 4; start c 3 { stop d }; start d 5; tick 3; process; tick 2; process`,
			`start a 3 { stop b; start x 1 }; start b 3 { stop a; start y 1 }; start c 3; tick 3; process; tick; process`,
			`start a 3 { stop b; stop b }; start b 4; tick 4; process; process`,
			neighbours("stop %s"),
		},
	},
	{
		Name:     "Action/Reset",
		Sentence: "An action may reset any timer of the module: one that is due with it is no longer due.",
		Needs:    "Resetter",
		after:    []string{"Reset/ExactTick"},
		traces: []string{
			`start a 3 { reset b 2 }; start b 3 { reset a 2 }; tick 3; process; tick 2; process`,
			`start a 3 { reset c 1 }; start b 3 { reset c 2 }; start c 9; tick 3; process; tick 2; process; tick 9; process`,
			`start a 3 { reset b 1; stop b }; start b 3 { reset a 1; stop a }; tick 3; process; tick; process`,
			`start a 3 { reset b 0 }; start b 3 { reset a 0 }; tick 3; process; tick; process`,
			neighbours("reset %s 2"),
		},
	},
	{
		Name:     "Action/Tick",
		Sentence: "An action may call PerTickBookkeeping.",
		traces: []string{
			`start a 2 { tick }; start b 3; tick 2; process; process`,
			`start a 2 { tick 2 }; start b 2; start c 3; start d 4; tick 2; process 1; process; process`,
			`start a 2 { start b 1; tick; stop b }; tick 2; process; process; tick`,
			`start a 2 { start b 1; tick }; start c 2; tick 2; process; process; process`,
			`start a 2 { tick; start b 1; tick; panic }; start c 2; start d 3; tick 2; process; process; process; process`,
		},
	},
}

var resetRules = []Rule{
	{
		Name:     "Reset/ExactTick",
		Sentence: "ResetTimer makes the timer expire at tick Now()+interval instead.",
		Needs:    "Resetter",
		traces: []string{
			`start a 5; reset a 5; tick 5; process`,
			`start a 5; tick 2; reset a 5; tick 3; process; tick 2; process`,
			`start a 9; tick 2; reset a 1; tick; process; tick 6; process`,
			`start a 5; start b 5; start c 5; reset b 2; tick 2; process; tick 3; process`,
			`start a 5; reset a 300; reset a 7; reset a 300; tick 7; process; tick 293; process`,
			`start a 256; reset a 255; tick 254; reset a 256; reset a 1; tick; process; tick 255; process`,
			`start a 5; reset a 8; stop a; tick 8; process`,
			`start a 5; reset a 3; tick 3; process; tick 2; process`,
			`start a 5; reset a MAX; tick 5; process; stop a`,
			`start a 64; tick 63; reset a 64; tick; reset a 64; tick 63; process; tick; process`,
			treeResets,
		},
	},
	{
		Name:     "Reset/KeepsHandle",
		Sentence: "ResetTimer keeps the handle, the id and the action.",
		Needs:    "Resetter",
		traces: []string{
			`start a 5; reset a 3; reset a 4; stop a`,
			`start a 5 { start b 1 }; reset a 3; tick 3; process; tick; process; stop a`,
			`start a 5 id 9; start b 5; reset a 2; tick 2; process`,
		},
	},
	{
		Name:     "Reset/Due",
		Sentence: "A due timer that is reset is no longer due.",
		Needs:    "Resetter",
		traces: []string{
			`start a 3; tick 3; reset a 2; process; tick; process; tick; process`,
			`start a 3; start b 3; start c 3; tick 3; reset b 1; process; tick; process`,
			`start a 3; start b 3; tick 3; reset a 1; reset b 1; tick; process`,
			`start a 64; tick 64; reset a 64; stop a; process; tick 64; process`,
			`start a 3; start b 3; tick 3; reset a 4; reset a 2; stop b; process; tick 2; reset a 1; process; tick; process`,
			`start a 1; tick; reset a MAX; process; stop a`,
		},
	},
	{
		Name:     "Reset/NotOutstanding",
		Sentence: "ResetTimer tests the handle first: one that names no outstanding timer is refused with ErrNotOutstanding.",
		Needs:    "Resetter",
		traces: []string{
			`reset 0 1; reset 1 1; reset 0 0; reset 0xffffffffffffffff 3`,
			`start a 5; stop a; reset a 5; reset a 0; tick 5; process`,
			`start a 5; tick 5; process; reset a 5; reset a 0; start b 5; reset a 2; tick 5; process; tick 5; process`,
			`start a 5; tick 5; stop a; reset a 3; start b 5; reset a 3; process; tick 5; process`,
			`start a 5 { reset a 5; reset a 0 }; tick 5; process; tick 5; process`,
			invented("reset %s 4", "start a 9; start b 9; start c 9; stop c", "a", "c", "0"),
		},
	},
	{
		Name:     "Reset/BadInterval",
		Sentence: "An interval that StartTimer would refuse is refused with ErrInterval, and the timer keeps its old expiry.",
		Needs:    "Resetter",
		traces: []string{
			`start a 5; reset a 0; reset a MAX+1; tick 5; process`,
			`start a 5; tick 2; reset a 2^64-1; tick 3; reset a 0; process; reset a 0`,
			`start a 5; tick 5; reset a 0; reset a MAX+1; process`,
		},
	},
	{
		Name:     "Reset/ConstantMemory",
		Sentence: "A reset leaves no memory behind: one timer reset in a loop runs in constant memory, whatever the intervals are.",
		Needs:    "Resetter",
		probe:    probeResetMemory,
	},
}

var inquiryRules = []Rule{
	{
		Name:     "Inquire/Expiry",
		after:    []string{"Start/ExactTick", "Reset/ExactTick"},
		Sentence: "ExpiryOf is the absolute tick at which the timer expires, or expired if it is due.",
		Needs:    "Inquirer",
		traces: []string{
			`start a 5; start b 300; tick 5; tick 2; process; tick`,
			`tick 7; start a 5; tick; start b 256; tick 250; tick 6; tick; process`,
			`start a MAX; tick; tick 2; stop a`,
		},
	},
	{
		Name:     "Inquire/NotOutstanding",
		Sentence: "ExpiryOf is false for a handle that names no outstanding timer.",
		Needs:    "Inquirer",
		traces: []string{
			`start a 5; stop a; start b 5; tick 5; process; start c 5; stop c`,
			`stop 0; stop 1`,
		},
	},
	{
		Name:     "Next/Exact",
		after:    []string{"Start/ExactTick", "Reset/ExactTick"},
		Sentence: "NextExpiry is the exact earliest expiry of the timers that are not yet due.",
		Needs:    "NextExpirer",
		traces: []string{
			`start a 9; start b 5; start c 7; stop b; tick 7; tick 2; process`,
			`start a 300; start b 260; tick 200; start c 80; stop b; tick 80; process; tick 20; process`,
			`start a 5; reset a 9; start b 7; reset b 3; reset b 20; tick 9; process; tick 11; process`,
			`tick 250; start a 256; start b 7; tick 6; start c 255; start d 256; stop b; stop c; tick 256; process`,
			`start a 2^20; start b 70000; start c 5; stop c; stop b; stop a`,
			`start a 2^40; start b 2^33; start c 2^34; stop b; tick; stop c`,
		},
	},
	{
		Name:     "Next/None",
		Sentence: "NextExpiry is false if there is no timer that is not yet due.",
		Needs:    "NextExpirer",
		traces:   []string{`start a 5; tick 5; process`, `start a 5; stop a; start b 3; tick 3; stop b`},
	},
}

var ticklessRules = []Rule{
	{
		Name:     "Idle/BeforeEveryExpiry",
		after:    []string{"Start/ExactTick", "Reset/ExactTick"},
		Sentence: "Now()+IdleTicks() is before every expiry of a timer that is not due.",
		Needs:    "Tickless",
		traces: []string{
			`start a 1; start b 2; tick; stop b; start c 3; tick; process`,
			`start a 5; skip 9; start b 3; skip 9; tick; process; skip 5; tick; process`,
			`start a 300; skip 299; start b 1; start c 256; tick; process; skip 400; tick; process`,
			`start a 9; start b 4; reset a 2; skip 9; reset b 1; tick; process`,
			`start a 2^20+3; start b 70000; skip 2^20; skip 2^20; tick; skip 2^20; start c 4; skip 2^20`,
		},
	},
	{
		Name:     "Idle/LastTick",
		Sentence: "Now()+IdleTicks() never passes MaxTick.",
		Needs:    "Tickless",
		traces:   []string{`at 2^64-1; skip 1`, `at 2^64-4; skip 2; skip 5; skip 1`, `at 2^64-4; start a 2; skip 5; tick 2; process; skip 5`},
	},
	{
		Name:     "Skip/AddsN",
		Sentence: "SkipTicks adds n to the clock.",
		Needs:    "Tickless",
		traces: []string{
			`skip 1; skip 0; skip 5; start a 9; skip 3; skip 3; skip 0; skip 9; tick; process`,
			`start a 300; skip 100; start b 300; skip 150; start c 30; skip 60; tick 30; process; advance 400`,
		},
	},
	{
		Name:     "Skip/DueStayDue",
		Sentence: "Due timers do not count for IdleTicks, and stay due when ticks are skipped.",
		Needs:    "Tickless",
		traces: []string{
			`start a 3; start b 9; tick 3; skip 2; skip 9; process; tick; process`,
			`start a 3; start b 3; tick 3; process 1; skip 100; stop a; stop b; process; tick`,
			`start a 3; tick 3; skip 2; reset a 3; process; tick 3; process`,
		},
	},
	{
		Name:     "Skip/OverIdlePanics",
		Sentence: "SkipTicks of more than IdleTicks() is the caller's error and panics.",
		Needs:    "Tickless",
		traces:   []string{`start a 5; overskip 1`, `start a 5; tick 2; overskip 2`, `at 2^64-9; overskip 1`, `start a 5; tick 4; overskip 1`, `start a 300; skip 7; overskip 2^40`},
	},
}

var otherRules = []Rule{
	{
		Name:     "Bound/MaxInterval",
		Sentence: "MaxInterval is the largest interval, inclusive, that StartTimer accepts from every phase of the clock; MaxTick where there is no bound.",
		Needs:    "Bounded",
		probe:    probeBound,
	},
	{
		Name:     "Range/Within",
		after:    []string{"Start/ExactTick"},
		Sentence: "StartTimerInRange starts a timer that expires at a tick of [Now()+earliest, Now()+latest].",
		Needs:    "RangeStarter",
		traces: []string{
			`start a 1..1; tick; process`,
			`start a 3..5; tick 5; process`,
			`tick 100; start a 1000..1300; tick 999; tick; tick 300; process`,
			`start a 1..300; start b 255..256; start c 256..257; start d 256..600; tick 256; process; tick 344; process`,
			`start a 1..MAX; stop a; start b MAX..MAX; stop b; start c 2^60..2^60+1; stop c`,
			`start a 2 { start b 1..4 }; tick 2; process; tick 4; process`,
			`tick 3; start a 2..2; reset a 7; start b 1..9; stop b; tick 7; process`,
		},
	},
	{
		Name:     "Range/Refusal",
		Sentence: "Earliest 0, earliest > latest, and a latest that StartTimer would refuse are refused with ErrInterval, a nil action with ErrNoAction.",
		Needs:    "RangeStarter",
		traces:   []string{`start a 0..5; start b 5..4; start c 1..MAX+1; start d 1..2 nil; start e MAX+1..MAX+1; tick 5; process`},
	},
	{
		Name:     "View/EveryTimer",
		after:    []string{"Len/Counts", "Inquire/Expiry"},
		Sentence: "View shows every outstanding timer once, with its handle, id and expiry: the due ones in the queue of due timers, first due first, all others elsewhere.",
		Needs:    "Viewer",
		probe:    probeView,
	},
	{
		Name:     "Costs/Starts",
		Sentence: "Costs counts the timers started; a reset is one stop and one start.",
		Needs:    "Coster",
		traces:   []string{`start a 5; start b 0; start c 5 nil; tick; start d 1; tick; process`, `start a 5; reset a 6; reset a 0; reset a 3; stop a; reset a 4`},
	},
	{
		Name:     "Costs/Stops",
		Sentence: "Costs counts the timers stopped; a reset is one stop and one start.",
		Needs:    "Coster",
		traces:   []string{`start a 5; stop a; stop a; start b 2; tick 2; stop b; stop b; start c 1; tick; process; stop c`, `start a 5; reset a 6; tick 6; reset a 2; stop a`},
	},
	{
		Name:     "Costs/Ticks",
		Sentence: "Costs counts the calls of PerTickBookkeeping.",
		Needs:    "Coster",
		traces:   []string{`tick; tick 4; start a 9; skip 5; tick; advance 9`},
	},
	{
		Name:     "Costs/Expiries",
		Sentence: "Costs counts the timers that became due.",
		Needs:    "Coster",
		traces:   []string{`start a 5; start b 5; start c 5; stop c; tick 5; stop a; process; tick`},
	},
	{
		Name:     "Costs/Grow",
		Sentence: "Costs is the work done since the module was made: no count falls.",
		Needs:    "Coster",
		traces:   []string{`start a 300; start b 5; tick 300; process; start c 5; stop c; tick`},
	},
	{
		Name:     "Steady/NoAllocs",
		Sentence: "Nothing allocates in a steady state.",
		Needs:    "Suite.NoAllocs",
		probe:    probeAllocs,
	},
}

// churn starts and stops timers on one record, again and again, and tries the
// handles of ended ones.
func churn(n int) string {
	var b strings.Builder
	b.WriteString("start keep 200; start first 5; stop first\n")
	for i := range n {
		fmt.Fprintf(&b, "start t%d 5; stop first; ", i)
		if i > 0 {
			fmt.Fprintf(&b, "stop t%d; ", i/2)
		}
		switch {
		case i%3 == 0:
			b.WriteString("tick 5; process\n")
		default:
			fmt.Fprintf(&b, "stop t%d\n", i)
		}
	}
	return b.String()
}

// invented does something with handles that are made from those of the timers,
// after setup, and then runs what is outstanding. The timer 0 stands for
// numbers out of the air.
func invented(do, setup string, names ...string) string {
	var b strings.Builder
	b.WriteString(setup)
	try := func(handle string) { fmt.Fprintf(&b, "; "+do, handle) }
	for _, name := range names {
		for bit := range 64 {
			power := uint64(1) << bit
			if name == "0" {
				try(fmt.Sprint(power))
				try(fmt.Sprint(power * 0x9e3779b97f4a7c15))
				continue
			}
			try(fmt.Sprintf("%s^%d", name, bit))
			try(fmt.Sprintf("%s+%d", name, power))
			try(fmt.Sprintf("%s+%d", name, -power))
		}
	}
	b.WriteString("; tick 9; process")
	return b.String()
}

// portions runs timers of a few ticks in portions of every size up to n.
func portions(n int) string {
	var b strings.Builder
	timers := 0
	for size := range n + 1 {
		for i := range n {
			fmt.Fprintf(&b, "start t%d %d; ", timers, 1+i%3)
			timers++
		}
		b.WriteString("tick 3")
		for range n {
			fmt.Fprintf(&b, "; process %d", size)
		}
		b.WriteString("; process\n")
	}
	return b.String()
}

// grow has an action start many timers, so that a table of records has to grow
// while it runs.
func grow(n int) string {
	var b strings.Builder
	b.WriteString("start a 1 { ")
	for i := range n {
		fmt.Fprintf(&b, "start g%d %d; ", i, 1+i%4)
	}
	b.WriteString("}; start b 1; start c 1; tick; process; tick; process; tick 3; process")
	return b.String()
}

// neighbours has each of five timers of one tick do something to each of the
// others, one case after the other: to the first, a middle one, the last, and
// to those of other ticks.
func neighbours(do string) string {
	var b strings.Builder
	for i := range 5 {
		for j := range 7 {
			if i == j {
				continue
			}
			for k := range 5 {
				fmt.Fprintf(&b, "start t%d_%d_%d 3", i, j, k)
				if k == i {
					fmt.Fprintf(&b, " { "+do+" }", fmt.Sprintf("t%d_%d_%d", i, j, j))
				}
				b.WriteString("; ")
			}
			fmt.Fprintf(&b, "start t%d_%d_5 4; start t%d_%d_6 9; ", i, j, i, j)
			b.WriteString("tick 3; process 3; process; tick; process; tick 5; process\n")
		}
	}
	return b.String()
}

// treeStops stops inner, outer and equal nodes of a tree of timers.
var treeStops = treeTrace("stop t%d")

// treeResets resets them.
var treeResets = treeTrace("reset t%d 25")

func treeTrace(do string) string {
	expiries := []int{16, 8, 24, 4, 12, 20, 28, 2, 6, 10, 14, 18, 22, 26, 30, 8, 16, 24}
	var b strings.Builder
	for i, e := range expiries {
		fmt.Fprintf(&b, "start t%d %d; ", i, e)
	}
	for _, i := range []int{1, 0, 15, 6, 7, 2} {
		fmt.Fprintf(&b, do+"; ", i)
	}
	for range 32 {
		b.WriteString("tick; process; ")
	}
	return b.String()
}
