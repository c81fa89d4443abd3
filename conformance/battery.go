package conformance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/timerfacility/timer"
)

// A battery is one run of a suite: everything that is tried on the module, and
// the failures that it showed, by rule. Whatever shows a failure, it is charged
// to the rule that the module broke.
type battery struct {
	suite Suite
	seed  uint64
	quick bool
	rerun func(*RuleError) string
	plan  func() error // what to try

	max   timer.Tick      // the module's MaxInterval
	has   map[string]bool // what Rule.Needs may name
	start timer.Tick      // the clock of what New makes

	once   sync.Once
	began  time.Time
	spent  time.Duration // on minimising
	budget int           // of a trace
	pulse  *pulse
	failed map[string]*RuleError
	skips  map[string]bool // of those that failed: the trace skips ticks
	broken error           // what made the run impossible

	mu      sync.Mutex // guards pending
	pending *failure   // found, and being minimised
}

const (
	// patience is how long a call of the module may take.
	patience  = 3 * time.Second
	heartbeat = 100 * time.Millisecond

	// A run that takes longer leaves out the random traces that are left.
	longRun = 8 * time.Second

	// What minimising may take for one failure, and for a run.
	minimiseOne = time.Second
	minimiseAll = 3 * time.Second

	// traceBudget is how many calls a trace may take to advance the clock, and
	// randomBudget how many a random one. One that takes more ends there.
	traceBudget  = 1 << 15
	randomBudget = 1 << 12
)

func newBattery(s Suite, quick bool, rerun func(*RuleError) string) (*battery, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	seed, err := seed()
	if err != nil {
		return nil, err
	}
	b := &battery{suite: s, seed: seed, quick: quick, rerun: rerun, pulse: new(pulse), budget: traceBudget, failed: make(map[string]*RuleError), skips: make(map[string]bool)}
	b.plan = b.everything
	return b, nil
}

// run carries out the plan, once, and watches it. The error says why the suite
// could not be run; what the module did wrong is in failed.
func (b *battery) run() error {
	b.once.Do(func() {
		b.began = time.Now()
		done := make(chan error, 1)
		go func() { done <- b.work() }()
		b.broken = b.watch(done)
		all := maps.Clone(b.failed)
		maps.DeleteFunc(b.failed, func(name string, _ *RuleError) bool { return b.explained(ruleNamed(name), all) })
	})
	return b.broken
}

func (b *battery) work() (err error) {
	if err := b.learn(); err != nil {
		return err
	}
	return b.plan()
}

// learn finds out what the module can do.
func (b *battery) learn() (err error) {
	b.pulse.call("Start/ExactTick", "Suite.New")
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("conformance: Suite.New, or the module that it made, panicked: %v%s", r, moduleStack())
		}
	}()
	m := b.suite.New()
	if m == nil {
		return errors.New("conformance: Suite.New returned nil")
	}
	b.start = m.Now()
	_, resetter := m.(timer.Resetter)
	_, inquirer := m.(timer.Inquirer)
	_, next := m.(timer.NextExpirer)
	_, tickless := m.(timer.Tickless)
	bounded, isBounded := m.(timer.Bounded)
	_, ranger := m.(timer.RangeStarter[int])
	_, coster := m.(timer.Coster)
	_, viewer := m.(timer.Viewer[int])
	b.has = map[string]bool{
		"": true, "Resetter": resetter, "Inquirer": inquirer, "NextExpirer": next, "Tickless": tickless,
		"Bounded": isBounded, "RangeStarter": ranger, "Coster": coster, "Viewer": viewer,
		"Suite.FIFO": b.suite.FIFO, "Suite.NoAllocs": b.suite.NoAllocs,
	}
	b.max = cmp.Or(b.suite.MaxInterval, timer.MaxTick)
	if isBounded {
		b.max = bounded.MaxInterval()
	}
	if b.max == 0 {
		b.max = 1
	}
	return nil
}

// watch waits for the work, and reports a call that does not return. It counts
// its own heartbeats, so that a process which was asleep is not accused.
func (b *battery) watch(done <-chan error) error {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	last, silent := uint64(0), time.Duration(0)
	for {
		select {
		case err := <-done:
			return err
		case <-beat.C:
			beats, doing := b.pulse.read()
			if silent += heartbeat; beats != last {
				last, silent = beats, 0
			}
			if silent >= patience {
				b.hangs(doing)
				return nil
			}
		}
	}
}

// hangs records that a call did not return. The goroutine that is in it is lost,
// and with it the rest of the run.
func (b *battery) hangs(d doing) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.failed = maps.Clone(b.failed) // the lost goroutine may yet write to the old one
	if f := b.pending; f != nil {
		b.failed[f.rule] = b.report(f) // a call hung while it was being minimised
		return
	}
	f := &failure{
		rule: d.rule,
		got:  fmt.Sprintf("%s did not return within %v; the run ended there", d.call, patience),
		want: "it returns",
	}
	f.trace, f.step = d.trace, d.step
	f.trace = f.upTo()
	b.failed[f.rule] = b.report(f)
}

// everything is the plan of Run and Check.
func (b *battery) everything() error {
	for _, r := range rules {
		if !b.applies(&r) {
			continue
		}
		for _, text := range r.traces {
			for _, clock := range b.clocks() {
				b.try(b.fit(text, clock))
			}
		}
	}
	b.systematic(b.try)
	for _, r := range rules {
		if r.probe != nil && b.applies(&r) && b.failed[r.Name] == nil {
			b.pulse.at(nil, 0)
			b.pulse.call(r.Name, "a call of the module")
			if f := b.probe(&r); f != nil {
				b.record(f)
			}
		}
	}
	b.budget = randomBudget
	b.random(b.try)
	return nil
}

// applies reports whether the rule is to be tested on this module.
func (b *battery) applies(r *Rule) bool {
	_, skipped := b.suite.Skip[r.Name]
	return !skipped && b.has[r.Needs]
}

// probe runs the rule's probe. A panic of the module fails the rule.
func (b *battery) probe(r *Rule) (f *failure) {
	defer func() {
		if p := recover(); p != nil && len(b.failed) == 0 { // else it is known to be broken
			f = &failure{rule: r.Name, got: fmt.Sprintf("a call panicked: %v%s", p, moduleStack()), want: "no panic"}
		}
	}()
	return r.probe(b)
}

// late reports whether the run has taken long enough.
func (b *battery) late() bool { return time.Since(b.began) > longRun }

// try runs a trace and records what it shows.
func (b *battery) try(trace Trace) {
	if f := b.play(trace); f != nil {
		b.record(f)
	}
}

// play runs a trace on a fresh module, and returns what it shows.
//
// If that is a method which tells something wrong, the module may be right and
// the method wrong, or the method may tell truly what went wrong in the module.
// So the trace is run again without a question, as it is and then on to the last
// expiry: what happens then is the better accusation.
func (b *battery) play(trace Trace) *failure {
	f := b.playOnce(trace, false)
	if f == nil || !tells(f.rule) {
		return f
	}
	if deeper := b.playOnce(trace, true); deeper != nil {
		return deeper
	}
	on := slices.Concat(f.upTo(), Trace{{Kind: Tick, N: max(f.ahead, 1) + 1}, {Kind: Process, Limit: timer.All}})
	if deeper := b.playOnce(on, true); deeper != nil {
		return deeper
	}
	return f
}

// tells reports whether the rule is about a method that only tells something.
func tells(rule string) bool {
	group, _, _ := strings.Cut(rule, "/")
	return group == "Len" || group == "Inquire" || group == "Next" || group == "Idle" || group == "Costs"
}

// playOnce runs a trace; quietly if nothing is to be asked.
func (b *battery) playOnce(trace Trace, quiet bool) *failure {
	b.pulse.at(trace, 0)
	b.pulse.call("Now/StartsAt", "making the module")
	t := b.tandem(trace)
	if t == nil {
		return nil
	}
	t.quiet, t.budget = quiet, b.budget
	return t.run(trace)
}

// tandem puts a fresh module and the oracle side by side, where the trace
// begins; nil if the module cannot be brought there.
func (b *battery) tandem(trace Trace) *tandem {
	at, moved := b.start, false
	if len(trace) > 0 && trace[0].Kind == At {
		at, moved = trace[0].N, true
	}
	var m timer.Timer[int]
	if moved && b.suite.NewAt != nil {
		m = b.suite.NewAt(at)
	} else {
		m = b.suite.New()
	}
	if !moved {
		at = m.Now()
	}
	t := newTandem(m, b.max, b.pulse)
	t.fifo, t.skip = b.suite.FIFO, b.suite.Skip
	t.oracle.now = at
	if m.Now() != at && b.suite.NewAt == nil && !bring(m, at) {
		return nil
	}
	return t
}

// bring ticks the clock of an empty module to the tick, or skips there; false
// if that takes too long.
func bring(m timer.Timer[int], to timer.Tick) bool {
	tickless, _ := m.(timer.Tickless)
	for range 4096 {
		now := m.Now()
		if now >= to {
			return now == to
		}
		if tickless != nil {
			if idle := min(tickless.IdleTicks(), to-now); idle > 0 {
				tickless.SkipTicks(idle)
				continue
			}
		}
		m.PerTickBookkeeping()
	}
	return m.Now() == to
}

// replay runs a trace that somebody wrote, and records what it shows as it is.
func (b *battery) replay(trace Trace) error {
	if b.tandem(trace) == nil {
		return fmt.Errorf("conformance: the module has no NewAt, and its clock cannot be brought to tick %s", formatNumber(trace[0].N))
	}
	b.budget = math.MaxInt
	if f := b.play(trace); f != nil {
		b.failed[f.rule] = b.report(f)
	}
	return nil
}

// record minimises a failure and keeps it, if it is the first of its rule, or
// the first that shows without skipped ticks.
func (b *battery) record(f *failure) {
	r := ruleNamed(f.rule)
	if r == nil {
		panic("conformance: no rule " + f.rule)
	}
	if b.failed[f.rule] != nil && (!b.skips[f.rule] || b.skipping(f.upTo())) || b.explained(r, b.failed) {
		return
	}
	b.mu.Lock()
	b.pending = f
	b.mu.Unlock()
	f = b.minimise(f)
	b.mu.Lock()
	b.pending = nil
	b.failed[f.rule] = b.report(f)
	b.skips[f.rule] = b.skipping(f.upTo())
	b.mu.Unlock()
}

// explained reports whether another rule of those that failed is the likelier
// reason for a failure of this one.
//
// IdleTicks has the last word on traces that skip as many ticks as it says: what
// shows only in these is no reason for its own failure, but the other way round.
func (b *battery) explained(r *Rule, failed map[string]*RuleError) bool {
	group, _, _ := strings.Cut(r.Name, "/")
	if group != "Idle" && group != "Skip" && b.skips[r.Name] && b.idleFails(failed) {
		return true
	}
	return slices.ContainsFunc(r.after, func(name string) bool {
		return failed[name] != nil && !(group == "Idle" && b.skips[name] && !b.skips[r.Name])
	})
}

// idleFails reports whether IdleTicks is wrong with no tick skipped before.
func (b *battery) idleFails(failed map[string]*RuleError) bool {
	return slices.ContainsFunc([]string{"Idle/BeforeEveryExpiry", "Idle/LastTick"}, func(name string) bool {
		return failed[name] != nil && !b.skips[name]
	})
}

// skipping reports whether ticks are skipped in the trace.
func (b *battery) skipping(trace Trace) bool {
	return b.has["Tickless"] && slices.ContainsFunc(trace, func(op Op) bool {
		return op.Kind == Skip || op.Kind == Advance || op.Kind == AdvanceTo || op.Kind == At && b.suite.NewAt == nil
	})
}

// report is the failure as it is shown.
func (b *battery) report(f *failure) *RuleError {
	e := &RuleError{
		Rule: f.rule, Sentence: ruleNamed(f.rule).Sentence, Got: f.got, Want: f.want,
		Trace: f.upTo().String(), Seed: b.seed,
	}
	if e.Trace == "" {
		e.Probe = cmp.Or(f.recipe, "the calls that the suite makes for this rule alone")
	}
	e.Rerun = b.rerun(e)
	if f.picture != nil {
		e.Timeline = f.picture()
	}
	return e
}

// A pulse is what the watchdog sees of the work.
type pulse struct {
	mu    sync.Mutex
	beats uint64
	doing doing
}

// doing is the call of the module that runs, and the operation of the trace
// that it belongs to.
type doing struct {
	trace Trace
	step  int
	rule  string
	call  string
}

func (p *pulse) at(trace Trace, step int) {
	p.mu.Lock()
	p.beats++
	p.doing.trace, p.doing.step = trace, step
	p.mu.Unlock()
}

func (p *pulse) call(rule, name string) {
	p.mu.Lock()
	p.beats++
	p.doing.rule, p.doing.call = rule, name
	p.mu.Unlock()
}

func (p *pulse) read() (uint64, doing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.beats, p.doing
}

// clocks is where the traces of the rules begin: where New's do, and next to
// boundaries.
func (b *battery) clocks() []timer.Tick {
	if b.suite.NewAt == nil {
		return []timer.Tick{b.start, b.start + 61, b.start + 252}
	}
	return []timer.Tick{b.start, 3, 62, 254, 4093, 1<<16 - 2, 1<<32 - 3, 1<<36 - 1, 1<<63 - 2, timer.MaxTick - 40}
}

// Numbers that stand for MAX in the text of a rule's trace.
const (
	standsForMax timer.Tick = timer.MaxTick - 7000 - iota
	standsForMaxAnd1
	standsForMaxLess4
)

// fit is the trace of a rule's text, from the clock, with intervals that the
// module takes.
func (b *battery) fit(text string, clock timer.Tick) Trace {
	text = strings.NewReplacer(
		"MAX+1", fmt.Sprint(uint64(standsForMaxAnd1)),
		"MAX-4", fmt.Sprint(uint64(standsForMaxLess4)),
		"MAX", fmt.Sprint(uint64(standsForMax)),
	).Replace(text)
	trace, err := ParseTrace(text)
	if err != nil {
		panic("conformance: a rule's trace: " + err.Error())
	}
	if trace[0].Kind == At {
		return trace
	}
	trace = Trace(fitOps(trace, min(b.max, timer.MaxTick-clock))).prune()
	if clock != b.start {
		trace = append(Trace{{Kind: At, N: clock}}, trace...)
	}
	return trace
}

// fitOps cuts intervals down to the bound, and leaves out those that there are
// none of.
func fitOps(ops []Op, bound timer.Tick) []Op {
	var fitted []Op
	for _, op := range ops {
		var ok, okLatest bool
		op.N, ok = fitInterval(op.N, bound, op.Kind)
		op.Latest, okLatest = fitInterval(op.Latest, bound, op.Kind)
		if ok && okLatest {
			op.Action = fitOps(op.Action, bound)
			fitted = append(fitted, op)
		}
	}
	return fitted
}

func fitInterval(n, bound timer.Tick, kind Kind) (timer.Tick, bool) {
	switch {
	case n == standsForMax:
		return bound, true
	case n == standsForMaxAnd1:
		return bound + 1, bound < timer.MaxTick
	case n == standsForMaxLess4:
		return bound - 4, bound > 4
	case kind != Start && kind != Reset, n <= bound, n == timer.MaxTick:
		return n, true
	case bound == 0:
		return 1, true
	}
	return 1 + (n-1)%bound, true
}
