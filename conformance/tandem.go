package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/timerfacility/timer"
)

// A tandem drives a module and the oracle side by side through a trace, and
// compares them after every operation. It stops at the first difference.
type tandem struct {
	module   timer.Timer[int]
	resetter timer.Resetter
	inquirer timer.Inquirer
	next     timer.NextExpirer
	tickless timer.Tickless
	ranger   timer.RangeStarter[int]
	coster   timer.Coster

	oracle *oracle
	fifo   bool
	skip   map[string]string // rules that are not to be tested
	quiet  bool              // nothing is asked of the module that only tells something
	pulse  *pulse
	budget int // calls of PerTickBookkeeping and SkipTicks left

	subjects []*subject                // every timer that was started, in order
	named    map[string]*subject       // those whose start was accepted
	handles  map[timer.Handle]*subject // by handle, ended ones too
	costs    timer.Costs               // what Costs has to count
	read     timer.Costs               // what it said last
	cursor   int                       // of the windows in which observe looks at many timers
	looked   []*subject                // at, in the last window

	inside     string         // the module's method that runs
	limit      int            // of the ExpiryProcessing that runs
	ran        int            // actions that it performed
	started    int            // len(subjects) when it began; ticks in it move it up
	acting     *subject       // the timer whose action runs
	panicked   *actionPanic   // the panic that passes through it
	diagnosing func(*subject) // set while a failed tick is looked into

	trace   Trace
	step    int // the operation of the trace that runs
	log     []event
	failure *failure
}

// A subject is one timer of a trace.
type subject struct {
	index  int
	name   string
	id     int
	action []Op
	handle timer.Handle
	fate   fate

	begin     timer.Tick // when it was started
	interval  timer.Tick
	inAction  bool // it was started by an action
	ended     int  // how many timers had been started when it ended
	resets    int
	wasDue    bool   // the last reset met it due
	acted     bool   // the last reset was an action's
	stoppedBy string // the rule that stood for the stop
	asRange   bool
	wasMax    bool // the interval was the largest allowed
	shaken    bool // it was due when another timer's action panicked
}

type fate string

const (
	refused     fate = "refused"
	outstanding fate = "outstanding"
	stopped     fate = "stopped"
	begun       fate = "run"
)

// ended says how a timer ended.
var ended = map[fate]string{stopped: "been stopped", begun: "run"}

// What leaves a run early passes up as a panic with one of these.
type (
	stopRun     struct{}            // the run is over: it failed, or cannot go on
	actionPanic struct{ of string } // the panic of a timer's action
)

func (p *actionPanic) String() string { return "the panic of " + p.of + "'s action" }

func newTandem(module timer.Timer[int], max timer.Tick, pulse *pulse) *tandem {
	t := &tandem{
		module:  module,
		pulse:   pulse,
		budget:  math.MaxInt,
		named:   make(map[string]*subject),
		handles: make(map[timer.Handle]*subject),
	}
	t.resetter, _ = module.(timer.Resetter)
	t.inquirer, _ = module.(timer.Inquirer)
	t.next, _ = module.(timer.NextExpirer)
	t.tickless, _ = module.(timer.Tickless)
	t.ranger, _ = module.(timer.RangeStarter[int])
	t.coster, _ = module.(timer.Coster)
	if max == 0 {
		max = timer.MaxTick
	}
	t.oracle = newOracle(module.Now(), max)
	return t
}

// run performs the operations of the trace, and returns the first failure.
func (t *tandem) run(trace Trace) *failure {
	t.trace = trace
	t.sequence(func() {
		t.call("Now/StartsAt", "Len", func() {
			if now := t.module.Now(); now != t.oracle.now {
				at := formatNumber(t.oracle.now)
				t.fail("Now/StartsAt", fmt.Sprintf("NewAt(%s).Now() = %s", at, formatNumber(now)), at)
			}
			if n := t.module.Len(); n != 0 {
				t.fail("Now/StartsAt", fmt.Sprintf("Len() = %d of a fresh module", n), "0")
			}
		})
		t.observe("")
		for i, op := range trace {
			t.step = i
			t.pulse.at(trace, i)
			t.do(op)
		}
	})
	return t.failure
}

// sequence runs operations until they end or the run is over.
func (t *tandem) sequence(ops func()) {
	defer func() {
		if r := recover(); r != nil && r != (stopRun{}) {
			panic(r)
		}
	}()
	ops()
}

// on reports whether the rule is to be tested.
func (t *tandem) on(rule string) bool {
	_, skipped := t.skip[rule]
	return !skipped && !(t.quiet && tells(rule))
}

// fail records the failure of a rule and ends the run.
func (t *tandem) fail(rule, got, want string) {
	if t.failure == nil && t.on(rule) {
		t.failure = &failure{rule: rule, got: got, want: want, trace: t.trace, step: t.step, picture: t.picture, ahead: t.ahead(), quiet: t.quiet}
	}
	panic(stopRun{})
}

// ahead is how many ticks there are to the last expiry within reach.
func (t *tandem) ahead() timer.Tick {
	const reach = 5000
	last := timer.Tick(0)
	for _, tick := range t.oracle.ticks {
		if tick > t.oracle.now && tick-t.oracle.now <= reach {
			last = tick - t.oracle.now
		}
	}
	return last
}

// call runs a call of the module for which the rule stands. A panic that is
// neither the suite's nor an action's is the module's failure.
func (t *tandem) call(rule, name string, call func()) {
	t.pulse.call(rule, name)
	outer := t.inside
	t.inside = name
	defer func() {
		t.inside = outer
		switch r := recover().(type) {
		case nil:
		case stopRun, *actionPanic:
			panic(r)
		default:
			if t.panicked != nil {
				t.fail("Expiry/PanicPasses", fmt.Sprintf("%s panicked with %v", name, r), "what the action panicked with: "+t.panicked.String())
			}
			t.fail(rule, fmt.Sprintf("%s panicked: %v%s", name, r, moduleStack()), "no panic")
		}
		if t.failure != nil { // a module that swallows panics comes here
			panic(stopRun{})
		}
	}()
	call()
}

// moduleStack is the part of the stack below a panic that is the module's.
func moduleStack() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	if i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "panic(") }); i >= 0 {
		lines = lines[i+2:]
	}
	var b strings.Builder
	for i := 0; i+1 < len(lines) && i < 12; i += 2 {
		if strings.Contains(lines[i], "conformance.(*tandem)") {
			break
		}
		place, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " +0x")
		fmt.Fprintf(&b, "\n  %s\n    %s", lines[i], place)
	}
	return b.String()
}

// do performs one operation, if the rule that stands for it is to be tested.
func (t *tandem) do(op Op) {
	switch op.Kind {
	case At: // the module was made so
	case Start:
		t.start(op)
	case Stop:
		t.stop(op.Ref)
	case Reset:
		t.reset(op.Ref, op.N)
	case Tick:
		for range op.N {
			t.tick()
		}
	case Process:
		t.letPanic(func() { t.process(op.Limit) })
	case Advance, AdvanceTo:
		target := op.N
		if op.Kind == Advance {
			target = t.oracle.now + min(op.N, timer.MaxTick-t.oracle.now)
		}
		t.letPanic(func() { t.advance(target, op.Limit) })
	case Skip:
		if t.tickless != nil && t.on("Skip/AddsN") {
			t.skipTicks(min(op.N, t.idleTicks()))
		}
	case Overskip:
		t.overskip(op.N)
	case Panic:
		if t.on("Expiry/PanicPasses") {
			t.panicked = &actionPanic{t.acting.name}
			panic(t.panicked)
		}
	}
	t.observe("")
}

// letPanic runs an operation that an action's panic may end.
func (t *tandem) letPanic(op func()) {
	defer func() {
		switch r := recover().(type) {
		case nil, *actionPanic:
		default:
			panic(r)
		}
	}()
	op()
}

func (t *tandem) note(s *subject, mark rune) {
	t.log = append(t.log, event{t.oracle.now, s, mark})
}

// start is START_TIMER.
func (t *tandem) start(op Op) {
	bound := t.oracle.bound()
	accepted := t.oracle.accepts(op.N) && !op.Nil
	isRange := op.Latest > 0
	if isRange {
		accepted = !op.Nil && op.N > 0 && op.N <= op.Latest && t.oracle.accepts(op.Latest)
		_, silent := t.skip["Inquire/Expiry"]
		if t.ranger == nil || accepted && (silent || t.inquirer == nil) {
			return // without ExpiryOf nobody knows which tick was taken
		}
	}
	rule := t.startRule(op, accepted)
	if !t.on(rule) {
		return
	}
	s := &subject{
		index: -1, name: op.Name, id: op.ID, action: op.Action, begin: t.oracle.now, interval: op.N,
		inAction: t.acting != nil, asRange: isRange, wasMax: !isRange && op.N == bound, fate: refused,
	}
	if s.id == 0 {
		s.id = 1000 + len(t.subjects)
	}
	var action timer.ExpiryAction[int]
	if !op.Nil {
		action = func(id int) { t.act(s, id) }
	}
	var h timer.Handle
	var err error
	call := fmt.Sprintf("StartTimer(%s)", formatNumber(op.N))
	if isRange {
		call = fmt.Sprintf("StartTimerInRange(%s, %s)", formatNumber(op.N), formatNumber(op.Latest))
	}
	t.call(rule, call, func() {
		if isRange {
			h, err = t.ranger.StartTimerInRange(op.N, op.Latest, s.id, action)
		} else {
			h, err = t.module.StartTimer(op.N, s.id, action)
		}
	})
	if !accepted {
		t.checkRefusal(rule, call, op, err)
		return
	}
	if err != nil {
		t.fail(t.refusedRule(rule, max(op.N, op.Latest), err), fmt.Sprintf("%s at tick %s: error %q", call, formatNumber(t.oracle.now), err), "accepted")
	}
	t.checkHandle(h, s)
	s.handle, s.index, s.fate = h, len(t.subjects), outstanding
	t.subjects = append(t.subjects, s)
	t.named[s.name] = s
	t.handles[h] = s
	t.costs.Starts++
	t.note(s, '|')
	if isRange {
		s.interval = t.chosen(s, op)
	}
	t.oracle.start(s.index, s.interval)
	if rule == "Start/EqualIDs" {
		t.observe(rule)
	}
}

// startRule is the rule that stands for a start.
func (t *tandem) startRule(op Op, accepted bool) string {
	switch {
	case accepted && op.ID > 0 && t.equalID(op.ID):
		return "Start/EqualIDs"
	case op.Latest > 0 && !accepted:
		return "Range/Refusal"
	case op.Latest > 0:
		return "Range/Within"
	case op.Nil:
		return "Start/NilAction"
	case op.N == 0:
		return "Start/ZeroInterval"
	case !accepted:
		return "Start/OverBound"
	case t.acting != nil:
		return "Action/Start"
	case op.N == t.oracle.bound() && op.N > 1:
		return "Start/MaxInterval"
	}
	return "Start/ExactTick"
}

// refusedRule is the rule that the module breaks which refused the interval:
// that of what was to be done, but for the largest interval.
func (t *tandem) refusedRule(rule string, interval timer.Tick, err error) string {
	if interval == t.oracle.bound() && interval > 1 && errors.Is(err, timer.ErrInterval) && t.on("Start/MaxInterval") {
		return "Start/MaxInterval"
	}
	return rule
}

// equalID reports whether an outstanding timer has the id.
func (t *tandem) equalID(id int) bool {
	return slices.ContainsFunc(t.subjects, func(s *subject) bool { return s.fate == outstanding && s.id == id })
}

// checkRefusal checks the error of a start that has to be refused, and that the
// module stands as before.
func (t *tandem) checkRefusal(rule, call string, op Op, err error) {
	wants := "an error that matches ErrInterval"
	badInterval := !t.oracle.accepts(op.N)
	if op.Latest > 0 {
		badInterval = op.N == 0 || op.N > op.Latest || !t.oracle.accepts(op.Latest)
	}
	isInterval := badInterval && errors.Is(err, timer.ErrInterval)
	isNoAction := op.Nil && errors.Is(err, timer.ErrNoAction)
	sentinel := "ErrInterval"
	if op.Nil && !badInterval {
		sentinel = "ErrNoAction"
	}
	switch {
	case op.Nil && badInterval:
		wants = "an error that matches ErrInterval or ErrNoAction"
	case op.Nil:
		wants = "an error that matches ErrNoAction"
		call += " with a nil action"
	}
	if !isInterval && !isNoAction {
		t.fail(rule, fmt.Sprintf("%s at tick %s, where the bound is %s: %s",
			call, formatNumber(t.oracle.now), formatNumber(t.oracle.bound()), errorText(err, sentinel)), wants)
	}
	if isInterval && op.Latest == 0 {
		t.checkNames(call, op.N, err)
	}
	t.observe("Start/RefusalChangesNothing")
}

// errorText is how an error that does not match is written in a message. One
// that matches no error of package timer may be a matter of wrapping.
func errorText(err error, want string) string {
	if err == nil {
		return "no error"
	}
	text := fmt.Sprintf("the error %q", err)
	for _, known := range []error{timer.ErrInterval, timer.ErrNoAction, timer.ErrNotOutstanding} {
		if errors.Is(err, known) {
			return text
		}
	}
	return fmt.Sprintf("%s; errors.Is(err, timer.%s) is false: wrap it with %%w", text, want)
}

// checkNames checks that an error names the interval and the bound, which may be
// MaxInterval or what the clock has left.
func (t *tandem) checkNames(call string, interval timer.Tick, err error) {
	if !t.on("Start/ErrorNamesBound") {
		return
	}
	names := func(n timer.Tick) bool {
		text := strings.NewReplacer("_", "", ",", "").Replace(strings.ToLower(err.Error()))
		return strings.Contains(text, fmt.Sprint(uint64(n))) || strings.Contains(text, fmt.Sprintf("%x", uint64(n)))
	}
	left := timer.MaxTick - t.oracle.now
	if !names(interval) || !names(t.oracle.max) && !names(left) {
		t.fail("Start/ErrorNamesBound", fmt.Sprintf("%s: the error %q", call, err),
			fmt.Sprintf("one that names the interval, %d, and the bound, %d", interval, t.oracle.bound()))
	}
}

// checkHandle checks that the new handle h names nothing else.
func (t *tandem) checkHandle(h timer.Handle, s *subject) {
	if !t.on("Start/Handle") {
		return
	}
	if h == 0 {
		t.fail("Start/Handle", fmt.Sprintf("timer %s has the handle 0", s.name), "one that is not zero")
	}
	if old := t.handles[h]; old != nil {
		t.fail("Start/Handle", fmt.Sprintf("timer %s has the handle %#x, which timer %s (%s) has had", s.name, h, old.name, old.fate), "a handle of its own")
	}
}

// chosen is the interval that the module chose out of the range.
func (t *tandem) chosen(s *subject, op Op) timer.Tick {
	expiry, ok := timer.Tick(0), false
	t.call("Range/Within", "ExpiryOf", func() { expiry, ok = t.inquirer.ExpiryOf(s.handle) })
	now := t.oracle.now
	if !ok || expiry < now+op.N || expiry > now+op.Latest {
		t.fail("Range/Within", fmt.Sprintf("ExpiryOf(%s) = %s, %t", s.name, formatNumber(expiry), ok),
			fmt.Sprintf("a tick of [%s, %s]", formatNumber(now+op.N), formatNumber(now+op.Latest)))
	}
	return expiry - now
}

// resolve finds the handle that is meant, and the timer that it names or named.
// It is false if the timer was not started.
func (t *tandem) resolve(ref Ref) (timer.Handle, *subject, bool) {
	h := timer.Handle(ref.Add)
	if ref.Name != "" {
		s := t.named[ref.Name]
		if s == nil {
			return 0, nil, false
		}
		h += s.handle
		if ref.Flip > 0 {
			h ^= 1 << (ref.Flip - 1)
		}
	}
	return h, t.handles[h], true
}

// staleRule is the rule that stands for stopping a handle that names no timer.
func (t *tandem) staleRule(h timer.Handle, s *subject) string {
	switch {
	case h == 0:
		return "Stop/Zero"
	case s == nil:
		return "Stop/NeverIssued"
	case len(t.subjects) > s.ended:
		return "Stop/RecordReused"
	case s.fate == stopped:
		return "Stop/Stopped"
	}
	return "Stop/ActionBegun"
}

// stop is STOP_TIMER.
func (t *tandem) stop(ref Ref) {
	h, s, ok := t.resolve(ref)
	if !ok {
		return
	}
	live := s != nil && s.fate == outstanding
	var rule string
	switch {
	case !live:
		rule = t.staleRule(h, s)
	case t.oracle.isDue(s.index):
		rule = "Stop/Due"
	default:
		rule = "Stop/Outstanding"
	}
	if live && t.acting != nil {
		rule = "Action/Stop"
	}
	if live && s.resets > 0 && !s.wasDue && rule == "Stop/Outstanding" {
		rule = "Reset/KeepsHandle"
	}
	if !t.on(rule) {
		return
	}
	var got bool
	handle, remark := t.describe(h, s)
	call := fmt.Sprintf("StopTimer(%s)", handle)
	t.call(rule, call, func() { got = t.module.StopTimer(h) })
	if got != live {
		t.fail(rule, fmt.Sprintf("%s = %t%s", call, got, remark), fmt.Sprint(live))
	}
	if !live {
		t.observe("Stop/FalseChangesNothing")
		return
	}
	t.oracle.end(s.index)
	s.fate, s.ended = stopped, len(t.subjects)
	s.stoppedBy = rule
	t.costs.Stops++
	t.note(s, 'x')
}

// describe is how a handle is written in a message, and what is to be said of
// its timer.
func (t *tandem) describe(h timer.Handle, s *subject) (handle, remark string) {
	switch {
	case h == 0:
		return "0", ""
	case s == nil:
		return fmt.Sprintf("%#x", uint64(h)), ", of a handle that was never issued"
	case s == t.acting:
		return s.name, ", of the timer whose action runs"
	case s.fate != outstanding:
		return s.name, ", of a timer that has " + ended[s.fate]
	case t.oracle.isDue(s.index):
		return s.name, ", of a timer that is due"
	}
	return s.name, ""
}

// reset is a stop and a start that keeps the handle.
func (t *tandem) reset(ref Ref, interval timer.Tick) {
	h, s, ok := t.resolve(ref)
	if t.resetter == nil || !ok {
		return
	}
	live := s != nil && s.fate == outstanding
	due := live && t.oracle.isDue(s.index)
	accepted := t.oracle.accepts(interval)
	rule := "Reset/ExactTick"
	switch {
	case !live:
		rule = "Reset/NotOutstanding"
	case !accepted:
		rule = "Reset/BadInterval"
	case t.acting != nil:
		rule = "Action/Reset"
	case due:
		rule = "Reset/Due"
	}
	if !t.on(rule) {
		return
	}
	var err error
	handle, remark := t.describe(h, s)
	call := fmt.Sprintf("ResetTimer(%s, %s)", handle, formatNumber(interval))
	t.call(rule, call, func() { err = t.resetter.ResetTimer(h, interval) })
	switch {
	case !live && !errors.Is(err, timer.ErrNotOutstanding):
		t.fail(rule, fmt.Sprintf("%s: %s%s", call, errorText(err, "ErrNotOutstanding"), remark), "an error that matches ErrNotOutstanding")
	case live && !accepted && !errors.Is(err, timer.ErrInterval):
		t.fail(rule, fmt.Sprintf("%s at tick %s, where the bound is %s: %s", call, formatNumber(t.oracle.now), formatNumber(t.oracle.bound()), errorText(err, "ErrInterval")), "an error that matches ErrInterval")
	case !live || !accepted:
		if live {
			t.checkNames(call, interval, err)
		}
		t.observe(rule)
		return
	case err != nil:
		t.fail(t.refusedRule(rule, interval, err), fmt.Sprintf("%s at tick %s: error %q%s", call, formatNumber(t.oracle.now), err, remark), "no error")
	}
	t.oracle.reset(s.index, interval)
	s.shaken = false
	s.begin, s.interval, s.wasDue, s.acted = t.oracle.now, interval, due, t.acting != nil
	s.resets++
	t.costs.Starts++
	t.costs.Stops++
	t.note(s, 'r')
}

// spend takes one from the budget, and ends the run when there is none.
func (t *tandem) spend() {
	if t.budget--; t.budget < 0 {
		panic(stopRun{})
	}
}

// tick is PER_TICK_BOOKKEEPING.
func (t *tandem) tick() int {
	t.spend()
	if t.oracle.now == timer.MaxTick {
		t.tickAtEnd()
	}
	rule := "Tick/AddsOne"
	if t.acting != nil {
		rule = "Action/Tick"
	}
	if !t.on(rule) {
		return 0
	}
	var got int
	var now timer.Tick
	t.call(rule, "PerTickBookkeeping", func() { got, now = t.module.PerTickBookkeeping(), t.module.Now() })
	want := t.oracle.tick()
	t.started = len(t.subjects)
	t.costs.Ticks++
	t.costs.Expiries += uint64(want)
	if now != t.oracle.now {
		t.fail(rule, fmt.Sprintf("after PerTickBookkeeping at tick %s: Now() = %s", formatNumber(t.oracle.now-1), formatNumber(now)), formatNumber(t.oracle.now))
	}
	if got != want {
		t.diagnose(got, want)
	}
	if want > 0 {
		for _, k := range t.oracle.at[t.oracle.now] {
			t.note(t.subjects[k], 'o')
		}
		t.observe("")
	} else {
		t.glance("")
	}
	return got
}

// tickAtEnd checks that a tick at the end of time panics, and ends the run.
func (t *tandem) tickAtEnd() {
	if !t.on("Tick/AtMaxTick") {
		panic(stopRun{})
	}
	t.pulse.call("Tick/AtMaxTick", "PerTickBookkeeping at MaxTick")
	panics := panicsBy(func() { t.module.PerTickBookkeeping() })
	if !panics {
		t.fail("Tick/AtMaxTick", fmt.Sprintf("PerTickBookkeeping at MaxTick returned, and Now() is %s", formatNumber(t.module.Now())), "a panic")
	}
	panic(stopRun{})
}

func panicsBy(call func()) (panics bool) {
	defer func() { panics = recover() != nil }()
	call()
	return false
}

// diagnose says why the tick returned got and not want: it runs what the module
// holds due, and blames the first timer that is wrong.
func (t *tandem) diagnose(got, want int) {
	var ran []*subject
	t.diagnosing = func(s *subject) {
		if ran = append(ran, s); len(ran) > 2*len(t.subjects) {
			panic(stopRun{})
		}
	}
	var panicked any
	func() {
		defer func() { panicked = recover() }()
		t.module.ExpiryProcessing(timer.All)
	}()
	t.diagnosing = nil
	says := fmt.Sprintf("PerTickBookkeeping at tick %s returned %d", formatNumber(t.oracle.now), got)
	for _, s := range ran {
		if !t.oracle.isDue(s.index) {
			t.blameEarly(s)
		}
	}
	if panicked != nil && panicked != (stopRun{}) { // nobody knows what else is due
		t.fail("Tick/CountsDue", fmt.Sprintf("%s, and ExpiryProcessing then panicked: %v", says, panicked), fmt.Sprint(want))
	}
	for _, k := range t.oracle.due() {
		if s := t.subjects[k]; !slices.Contains(ran, s) {
			t.blameMissing(s, "is not due")
		}
	}
	t.fail("Tick/CountsDue", says, fmt.Sprint(want))
}

// blameEarly fails the rule that a timer breaks which runs, or is held due, and
// should not.
func (t *tandem) blameEarly(s *subject) {
	tick := formatNumber(t.oracle.now)
	switch {
	case s.fate == refused:
		t.fail("Start/RefusalChangesNothing", fmt.Sprintf("timer %s, whose start was refused, expires at tick %s", s.name, tick), "no such timer")
	case s.fate == begun:
		t.fail("Expiry/Once", fmt.Sprintf("timer %s expires a second time, at tick %s", s.name, tick), "its action performed once")
	case s.fate == stopped:
		t.fail(s.stoppedBy, fmt.Sprintf("timer %s, which was stopped, expires at tick %s", s.name, tick), "no action after StopTimer returned true")
	}
	t.fail(t.exactRule(s), fmt.Sprintf("timer %s expires early, at tick %s", s.name, tick), t.expiryText(s))
}

// blameMissing fails the rule that a due timer breaks which the module does not
// run.
func (t *tandem) blameMissing(s *subject, what string) {
	rule := t.exactRule(s)
	if s.shaken && t.on("Expiry/PanicLeavesRest") {
		rule = "Expiry/PanicLeavesRest"
	}
	t.fail(rule, fmt.Sprintf("timer %s %s at tick %s", s.name, what, formatNumber(t.oracle.now)), t.expiryText(s))
}

// expiryText says when a timer has to expire, and why.
func (t *tandem) expiryText(s *subject) string {
	how := "started"
	switch {
	case s.resets > 0:
		how = "reset"
	case s.inAction:
		how = "started by an action"
	}
	return fmt.Sprintf("timer %s, %s at tick %s with interval %s, to expire at tick %s",
		s.name, how, formatNumber(s.begin), formatNumber(s.interval), formatNumber(s.begin+s.interval))
}

// exactRule is the rule that says when the timer expires.
func (t *tandem) exactRule(s *subject) string {
	switch {
	case s.resets > 0 && s.acted:
		return "Action/Reset"
	case s.resets > 0 && s.wasDue:
		return "Reset/Due"
	case s.resets > 0:
		return "Reset/ExactTick"
	case s.asRange:
		return "Range/Within"
	case s.inAction:
		return "Action/Start"
	case s.wasMax && s.interval > 1:
		return "Start/MaxInterval"
	}
	return "Start/ExactTick"
}

// process is EXPIRY_PROCESSING.
func (t *tandem) process(limit int) int {
	rule := "Expiry/All"
	switch {
	case limit == 0:
		rule = "Expiry/LimitZero"
	case limit > 0:
		rule = "Expiry/Limit"
	}
	if !t.on(rule) {
		return 0
	}
	before := make(map[int]timer.Tick)
	for _, k := range t.oracle.due() {
		before[k] = t.oracle.expiry[k]
	}
	t.limit, t.ran, t.started, t.panicked = limit, 0, len(t.subjects), nil
	var n int
	passed := t.catch(func() {
		t.call(rule, fmt.Sprintf("ExpiryProcessing(%d)", limit), func() { n = t.module.ExpiryProcessing(limit) })
	})
	t.acting = nil
	if t.panicked != nil {
		t.checkPanic(limit, n, passed)
	}
	if n != t.ran && t.on("Expiry/Count") {
		t.fail("Expiry/Count", fmt.Sprintf("ExpiryProcessing(%d) returned %d and performed %d", limit, n, t.ran), fmt.Sprint(t.ran))
	}
	if limit < 0 || n < limit {
		t.checkAllRan(rule, limit, before)
	}
	return n
}

// checkPanic checks what the panic of an action left behind, and passes it on.
func (t *tandem) checkPanic(limit, n int, passed *actionPanic) {
	p := t.panicked
	t.panicked = nil
	for _, k := range t.oracle.due() {
		t.subjects[k].shaken = true
	}
	if passed != p {
		t.fail("Expiry/PanicPasses", fmt.Sprintf("ExpiryProcessing(%d) returned %d", limit, n), p.String())
	}
	if n := t.module.Len(); n > t.oracle.len() && t.on("Len/Counts") {
		t.fail("Expiry/PanicPasses", fmt.Sprintf("Len() = %d after %v", n, p), fmt.Sprintf("%d: timer %s has been spent", t.oracle.len(), p.of))
	}
	t.observe("Expiry/PanicLeavesRest")
	panic(p)
}

// catch returns the panic of an action that passes through the call.
func (t *tandem) catch(call func()) (passed *actionPanic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *actionPanic:
			passed = r
		default:
			panic(r)
		}
	}()
	call()
	return nil
}

// checkAllRan checks that none of the timers that were due before is left. Those
// that an action's own tick made due may wait.
func (t *tandem) checkAllRan(rule string, limit int, before map[int]timer.Tick) {
	for _, k := range t.oracle.due() {
		if s := t.subjects[k]; t.oracle.expiry[k] == before[k] {
			if s.shaken {
				t.blameMissing(s, "is left due after an action's panic, and not run")
			}
			t.fail(rule, fmt.Sprintf("ExpiryProcessing(%d) performed %s and left timer %s due", limit, plural(t.ran, "action"), s.name), t.expiryText(s))
		}
	}
}

// act is the action of every timer: it checks that the module may run it now,
// and performs the action's operations.
func (t *tandem) act(s *subject, id int) {
	if t.failure != nil {
		panic(stopRun{})
	}
	if t.diagnosing != nil {
		t.diagnosing(s)
		return
	}
	if t.panicked != nil {
		t.fail("Expiry/PanicPasses", fmt.Sprintf("ExpiryProcessing(%d) went on after %v", t.limit, t.panicked), "the panic passed on")
	}
	t.checkTurn(s)
	if id != s.id {
		rule := "Expiry/ID"
		if s.resets > 0 {
			rule = "Reset/KeepsHandle"
		}
		t.fail(rule, fmt.Sprintf("the action of timer %s got the id %d", s.name, id), fmt.Sprint(s.id))
	}
	t.ran++
	t.oracle.end(s.index)
	s.fate, s.ended = begun, len(t.subjects)
	t.note(s, '*')
	t.acting = s
	t.observe("Action/NotOutstanding")
	for _, op := range s.action {
		t.do(op)
	}
	t.acting = nil
}

// checkTurn checks that it is the timer's turn to run.
func (t *tandem) checkTurn(s *subject) {
	k := s.index
	switch {
	case !strings.HasPrefix(t.inside, "ExpiryProcessing"):
		t.fail("Tick/RunsNoAction", fmt.Sprintf("the action of timer %s ran in %s", s.name, t.inside), "actions in ExpiryProcessing only")
	case t.limit >= 0 && t.ran == t.limit:
		rule := "Expiry/Limit"
		if t.limit == 0 {
			rule = "Expiry/LimitZero"
		}
		t.fail(rule, fmt.Sprintf("ExpiryProcessing(%d) performed more than %s", t.limit, plural(t.limit, "action")), fmt.Sprintf("at most %d", t.limit))
	case !t.oracle.isDue(k) && s.fate == outstanding && s.inAction && k >= t.started && s.resets == 0:
		t.fail("Action/StartsLater", fmt.Sprintf("timer %s, started by an action, ran in the same ExpiryProcessing", s.name), t.expiryText(s))
	case !t.oracle.isDue(k):
		t.blameEarly(s)
	}
	turn := t.oracle.first()
	if !slices.Contains(turn, k) && t.on("Expiry/EarlierTickFirst") {
		other := t.subjects[turn[0]]
		t.fail("Expiry/EarlierTickFirst", fmt.Sprintf("timer %s, due at tick %s, ran before timer %s, due at tick %s",
			s.name, formatNumber(t.oracle.expiry[k]), other.name, formatNumber(t.oracle.expiry[other.index])), "timer "+other.name+" first")
	}
	if t.fifo && slices.Contains(turn, k) && turn[0] != k && t.on("Expiry/FIFO") {
		other := t.subjects[turn[0]]
		t.fail("Expiry/FIFO", fmt.Sprintf("timer %s ran before timer %s, which was started before it and is due at the same tick, %s",
			s.name, other.name, formatNumber(t.oracle.expiry[k])), "timer "+other.name+" first")
	}
}

// A driver lets timer.AdvanceTo drive the tandem as it would a module.
type driver struct {
	timer.Timer[int]
	t *tandem
}

func (d driver) PerTickBookkeeping() int        { return d.t.tick() }
func (d driver) ExpiryProcessing(limit int) int { return d.t.process(limit) }

type ticklessDriver struct{ driver }

func (d ticklessDriver) IdleTicks() timer.Tick  { return d.t.idleTicks() }
func (d ticklessDriver) SkipTicks(n timer.Tick) { d.t.skipTicks(n) }

// advance is timer.AdvanceTo.
func (t *tandem) advance(target timer.Tick, limit int) {
	d := driver{t.module, t}
	if t.tickless != nil && t.on("Skip/AddsN") {
		timer.AdvanceTo[int](ticklessDriver{d}, target, limit)
		return
	}
	timer.AdvanceTo[int](d, target, limit)
}

// idleTicks is IdleTicks, checked.
func (t *tandem) idleTicks() timer.Tick {
	var idle timer.Tick
	t.call("Idle/BeforeEveryExpiry", "IdleTicks", func() { idle = t.tickless.IdleTicks() })
	if most := t.oracle.idle(); idle > most {
		rule, why := "Idle/LastTick", "the clock ends at MaxTick"
		if next, ok := t.oracle.next(); ok {
			rule, why = "Idle/BeforeEveryExpiry", "the next timer expires at tick "+formatNumber(next)
		}
		t.fail(rule, fmt.Sprintf("IdleTicks() at tick %s = %s", formatNumber(t.oracle.now), formatNumber(idle)),
			fmt.Sprintf("at most %s: %s", formatNumber(most), why))
	}
	return idle
}

// skipTicks is SkipTicks of as many ticks as are idle.
func (t *tandem) skipTicks(n timer.Tick) {
	t.spend()
	var now timer.Tick
	t.call("Skip/AddsN", fmt.Sprintf("SkipTicks(%s)", formatNumber(n)), func() {
		t.tickless.SkipTicks(n)
		now = t.module.Now()
	})
	t.oracle.skip(n)
	if now != t.oracle.now {
		t.fail("Skip/AddsN", fmt.Sprintf("after SkipTicks(%s): Now() = %s", formatNumber(n), formatNumber(now)), formatNumber(t.oracle.now))
	}
	t.glance("Skip/DueStayDue")
}

// overskip checks that skipping n ticks too many panics, and ends the run.
func (t *tandem) overskip(n timer.Tick) {
	if t.tickless == nil || !t.on("Skip/OverIdlePanics") {
		return
	}
	idle := t.idleTicks()
	n = idle + min(n, timer.MaxTick-idle)
	if n == idle {
		return
	}
	t.pulse.call("Skip/OverIdlePanics", "SkipTicks")
	if !panicsBy(func() { t.tickless.SkipTicks(n) }) {
		t.fail("Skip/OverIdlePanics", fmt.Sprintf("IdleTicks() = %s, and SkipTicks(%s) returned", formatNumber(idle), formatNumber(n)), "a panic")
	}
	panic(stopRun{})
}

// glance compares what is cheap to ask. A difference is charged to cause, if
// there is one.
func (t *tandem) glance(cause string) {
	var now timer.Tick
	var n int
	t.call("Len/Counts", "Len", func() { now, n = t.module.Now(), t.module.Len() })
	if now != t.oracle.now && t.on("Now/OnlyTicks") {
		t.fail(cmp.Or(cause, "Now/OnlyTicks"), fmt.Sprintf("Now() = %s", formatNumber(now)), formatNumber(t.oracle.now))
	}
	if n != t.oracle.len() && t.on("Len/Counts") {
		t.fail(cmp.Or(cause, "Len/Counts"), fmt.Sprintf("Len() = %d%s", n, t.whileActing()), fmt.Sprintf("%d: %s", t.oracle.len(), t.outstandingText()))
	}
}

func (t *tandem) whileActing() string {
	if t.acting == nil {
		return ""
	}
	return " in the action of timer " + t.acting.name
}

// outstandingText lists the outstanding timers, for a message.
func (t *tandem) outstandingText() string {
	var names []string
	for _, s := range t.subjects {
		if s.fate == outstanding {
			names = append(names, s.name)
		}
	}
	switch {
	case len(names) == 0:
		return "no timer is outstanding"
	case len(names) > 8:
		names = append(names[:8], "...")
	}
	return "outstanding: " + strings.Join(names, " ")
}

// window is how many timers observe looks at, of those that are many.
const window = 48

// observe compares everything that can be asked of the module with the oracle.
// A difference is charged to cause, the rule that what happened last would
// break so, if there is one.
func (t *tandem) observe(cause string) {
	t.glance(cause)
	if t.inquirer != nil {
		t.inquire(cause)
	}
	if t.acting != nil {
		return // what an action may ask is about timers
	}
	if t.next != nil {
		t.checkNext()
	}
	if t.tickless != nil && t.on("Idle/BeforeEveryExpiry") && t.on("Idle/LastTick") {
		t.idleTicks()
	}
	if t.coster != nil {
		t.checkCosts()
	}
}

// inquire compares ExpiryOf of the timers, in turn where they are many.
func (t *tandem) inquire(cause string) {
	if !t.on("Inquire/Expiry") {
		return
	}
	n := len(t.subjects)
	some := t.looked[:0]
	for range min(n, window) {
		t.cursor = (t.cursor + 1) % n
		some = append(some, t.subjects[t.cursor])
	}
	if n > window {
		some = append(some, t.subjects[n-4:]...)
	}
	t.looked = some
	t.inquireOf("Inquire/Expiry", some, cause)
	if t.on("Inquire/NotOutstanding") {
		t.inquireOf("Inquire/NotOutstanding", some, cause)
	}
}

// inquireOf compares ExpiryOf of those of the timers that the rule is about.
func (t *tandem) inquireOf(rule string, some []*subject, cause string) {
	t.call(rule, "ExpiryOf", func() {
		for _, s := range some {
			if (s.fate == outstanding) != (rule == "Inquire/Expiry") {
				continue
			}
			got, ok := t.inquirer.ExpiryOf(s.handle)
			if want, live := t.oracle.expiry[s.index]; ok != live || live && got != want {
				t.blameInquiry(s, got, ok, cause)
			}
		}
	})
}

// blameInquiry fails the rule that an ExpiryOf breaks which said got, ok.
func (t *tandem) blameInquiry(s *subject, got timer.Tick, ok bool, cause string) {
	if cause == "Start/EqualIDs" && s.index == len(t.subjects)-1 || cause == "Expiry/PanicLeavesRest" && !t.oracle.isDue(s.index) {
		cause = "" // which did not touch this timer
	}
	want := formatNumber(t.oracle.expiry[s.index]) + ", true"
	says := fmt.Sprintf("ExpiryOf(%s) = %s, %t%s", s.name, formatNumber(got), ok, t.whileActing())
	switch {
	case s == t.acting:
		t.fail("Action/NotOutstanding", says, "false: its action runs")
	case s.fate != outstanding:
		t.fail("Inquire/NotOutstanding", says, "false: timer "+s.name+" has "+ended[s.fate])
	case !ok && s.resets > 0 && cause == "":
		t.fail("Reset/KeepsHandle", says+" after a reset", want)
	}
	t.fail(cmp.Or(cause, "Inquire/Expiry"), says, want)
}

func (t *tandem) checkNext() {
	want, exists := t.oracle.next()
	rule := "Next/Exact"
	if !exists {
		rule = "Next/None"
	}
	if !t.on(rule) {
		return
	}
	var got timer.Tick
	var ok bool
	t.call(rule, "NextExpiry", func() { got, ok = t.next.NextExpiry() })
	switch {
	case exists && (!ok || got != want):
		t.fail(rule, fmt.Sprintf("NextExpiry() at tick %s = %s, %t", formatNumber(t.oracle.now), formatNumber(got), ok), formatNumber(want)+", true")
	case !exists && ok:
		t.fail(rule, fmt.Sprintf("NextExpiry() at tick %s = %s, true", formatNumber(t.oracle.now), formatNumber(got)), "false: no timer waits for a later tick")
	}
}

func (t *tandem) checkCosts() {
	var got timer.Costs
	t.call("Costs/Grow", "Costs", func() { got = t.coster.Costs() })
	for _, c := range []struct {
		rule      string
		got, want uint64
	}{
		{"Costs/Starts", got.Starts, t.costs.Starts},
		{"Costs/Stops", got.Stops, t.costs.Stops},
		{"Costs/Ticks", got.Ticks, t.costs.Ticks},
		{"Costs/Expiries", got.Expiries, t.costs.Expiries},
	} {
		if c.got != c.want && t.on(c.rule) {
			t.fail(c.rule, fmt.Sprintf("Costs().%s = %d", strings.TrimPrefix(c.rule, "Costs/"), c.got), fmt.Sprint(c.want))
		}
	}
	if t.on("Costs/Grow") && (got.Compares < t.read.Compares || got.Visits < t.read.Visits || got.Moves < t.read.Moves) {
		t.fail("Costs/Grow", fmt.Sprintf("Costs() = %+v", got), fmt.Sprintf("no count under that of the reading before, %+v", t.read))
	}
	t.read = got
}
