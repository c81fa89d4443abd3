package conformance

import (
	"fmt"
	"slices"
	"time"

	"github.com/timerfacility/timer"
)

// minimise is the failure with the shortest trace found that breaks the same
// rule: operations are dropped, ticks merged, numbers lowered and timers
// renamed, as long as that helps and the time for it lasts. A failure that does
// not come again, because the module makes choices, stays as it is.
func (b *battery) minimise(f *failure) *failure {
	if len(f.trace) == 0 {
		return f
	}
	began := time.Now()
	m := &minimiser{b: b, best: f, until: began.Add(min(minimiseOne, minimiseAll-b.spent))}
	m.try(f.upTo())
	m.drop(len(m.best.trace))
	for range 6 {
		helped := m.unwrap()
		helped = m.nameHandles() || helped
		helped = m.merge() || helped
		helped = m.lower() || helped
		helped = m.small() || helped
		helped = m.drop(2) || helped
		if !helped || m.late() {
			break
		}
	}
	m.rename()
	b.spent += time.Since(began)
	return m.best
}

type minimiser struct {
	b     *battery
	best  *failure
	until time.Time
}

func (m *minimiser) late() bool { return time.Now().After(m.until) }

// try runs a trace, and takes it for the best if it breaks the same rule.
func (m *minimiser) try(trace Trace) bool {
	if m.late() || len(trace) == 0 {
		return false
	}
	f := m.b.playOnce(trace.prune(), m.best.quiet)
	if f == nil || f.rule != m.best.rule {
		return false
	}
	f.trace = f.upTo()
	m.best = f
	return true
}

// drop leaves out operations: parts of the size first, down to single ones.
func (m *minimiser) drop(size int) (helped bool) {
	for ; size > 0; size /= 2 {
		for from := 0; from < len(m.best.trace) && !m.late(); {
			to := min(from+size, len(m.best.trace))
			if m.try(slices.Concat(m.best.trace[:from], m.best.trace[to:])) {
				helped = true
			} else {
				from = to
			}
		}
	}
	return m.dropInActions() || helped
}

// dropInActions leaves out operations of actions, and whole actions.
func (m *minimiser) dropInActions() (helped bool) {
	for i := 0; m.each(i, func(op *Op) bool {
		if len(op.Action) == 0 {
			return false
		}
		op.Action = nil
		return true
	}, &helped); i++ {
	}
	for j := range 8 {
		for i := 0; m.each(i, func(op *Op) bool {
			if j >= len(op.Action) {
				return false
			}
			op.Action = slices.Delete(slices.Clone(op.Action), j, j+1)
			return true
		}, &helped); i++ {
		}
	}
	return helped
}

// each tries the trace with its i-th operation changed, counting those of
// actions, and is false if there is no such operation. A change that is false
// changed nothing.
func (m *minimiser) each(i int, change func(*Op) bool, helped *bool) bool {
	trace := clone(m.best.trace)
	op := nth(trace, i)
	if op == nil || m.late() {
		return false
	}
	if change(op) && m.try(trace) {
		*helped = true
	}
	return true
}

func clone(ops []Op) []Op {
	ops = slices.Clone(ops)
	for i := range ops {
		ops[i].Action = clone(ops[i].Action)
	}
	return ops
}

// unwrap puts the parts of an operation in its place: advance is ticks and
// process, a timer of an action may as well be none's.
func (m *minimiser) unwrap() (helped bool) {
	for i := 0; i < len(m.best.trace) && !m.late(); i++ {
		op := m.best.trace[i]
		var parts []Op
		switch {
		case op.Kind == Advance && op.N > 0 && op.N < traceBudget:
			parts = []Op{{Kind: Tick, N: op.N}, {Kind: Process, Limit: op.Limit}}
		case op.Kind == Skip && op.N > 0 && op.N < traceBudget:
			parts = []Op{{Kind: Tick, N: op.N}}
		case op.Kind == Process && op.Limit != 0 && op.Limit != timer.All:
			parts = []Op{{Kind: Process, Limit: timer.All}}
		case op.Kind == Start && op.Latest > 0:
			op.Latest = 0
			parts = []Op{op}
		default:
			continue
		}
		if m.try(slices.Concat(m.best.trace[:i], parts, m.best.trace[i+1:])) {
			helped = true
		}
	}
	return helped
}

// nameHandles puts the name of a timer in the place of an invented handle.
func (m *minimiser) nameHandles() (helped bool) {
	for i := 0; i < count(m.best.trace) && !m.late(); i++ {
		ref := nth(m.best.trace, i).Ref
		if ref.Flip == 0 && (ref.Add == 0 || ref.Name == "") {
			continue
		}
		for j := range count(m.best.trace) {
			trace := clone(m.best.trace)
			if name := nth(trace, j).Name; name != "" {
				nth(trace, i).Ref = Ref{Name: name}
				if m.try(trace) {
					helped = true
					break
				}
			}
		}
	}
	return helped
}

// merge makes one operation of two ticks with or without others between them.
func (m *minimiser) merge() (helped bool) {
	for i := 0; i < len(m.best.trace); i++ {
		for j := i + 1; j < len(m.best.trace) && !m.late(); j++ {
			trace := m.best.trace
			if trace[i].Kind != Tick || trace[j].Kind != Tick {
				continue
			}
			merged := clone(slices.Concat(trace[:i], trace[i+1:]))
			merged[j-1].N += trace[i].N
			if m.try(merged) {
				helped = true
			}
		}
	}
	return helped
}

// lower makes numbers smaller. Two that have to go together, an interval and the
// ticks up to it, are lowered by the same amount.
func (m *minimiser) lower() (helped bool) {
	for i := 0; m.each(i, func(op *Op) bool {
		changed := op.ID != 0
		op.ID = 0
		return changed
	}, &helped); i++ {
	}
	for i := 0; nth(m.best.trace, i) != nil && !m.late(); i++ {
		helped = m.lowerBoth(i, i) || helped
	}
	for i := 0; nth(m.best.trace, i) != nil; i++ {
		for j := i + 1; nth(m.best.trace, j) != nil && !m.late(); j++ {
			helped = m.lowerBoth(i, j) || helped
		}
	}
	return helped
}

// few is how many operations a trace may have in which small tries numbers one
// by one.
const few = 8

// small puts the least number that will do in the place of one that is not
// small, where half of it or one less will not do: the fault is at multiples of
// something. As lower, it takes two that have to go together as well.
func (m *minimiser) small() (helped bool) {
	if count(m.best.trace) > few {
		return false
	}
	for i := 0; nth(m.best.trace, i) != nil; i++ {
		for j := i; nth(m.best.trace, j) != nil && !m.late(); j++ {
			n := min(nth(m.best.trace, i).N, nth(m.best.trace, j).N)
			for _, c := range smallNumbers {
				if c >= n || m.late() {
					break
				}
				if m.less(i, j, n-c) {
					helped = true
					break
				}
			}
		}
	}
	return helped
}

// smallNumbers is 1 to 20, and the powers of two and what is next to them.
var smallNumbers = func() (all []timer.Tick) {
	for n := range timer.Tick(20) {
		all = append(all, n+1)
	}
	for k := 4; k < 64; k++ {
		power := timer.Tick(1) << k
		all = append(all, power-1, power, power+1)
	}
	slices.Sort(all)
	return slices.Compact(all)
}()

// less takes so much off the numbers of the i-th and the j-th operation.
func (m *minimiser) less(i, j int, less timer.Tick) bool {
	trace := clone(m.best.trace)
	nth(trace, i).N -= less
	if i != j {
		nth(trace, j).N -= less
	}
	return m.try(trace)
}

// lowerBoth lowers the numbers of the i-th and the j-th operation as far as it
// goes, by bisection.
func (m *minimiser) lowerBoth(i, j int) (helped bool) {
	n := min(nth(m.best.trace, i).N, nth(m.best.trace, j).N)
	least := timer.Tick(1)
	if k := nth(m.best.trace, i).Kind; k == At || k == Skip || k == Advance {
		least = 0
	}
	if n <= least {
		return false
	}
	most := n - least // that may come off
	for step := most; step > 0 && most > 0 && !m.late(); step /= 2 {
		for tries := 0; tries < 2 && step <= most && m.less(i, j, step); tries++ {
			most -= step
			helped = true
		}
	}
	return helped
}

// rename calls the timers a, b, c in the order in which they are started.
func (m *minimiser) rename() {
	names := make(map[string]string)
	trace := clone(m.best.trace)
	for i := range count(trace) {
		if op := nth(trace, i); op.Kind == Start {
			names[op.Name] = shortName(len(names))
		}
	}
	for i := range count(trace) {
		op := nth(trace, i)
		if op.Kind == Start {
			op.Name = names[op.Name]
		}
		if op.Ref.Name != "" {
			op.Ref.Name = names[op.Ref.Name]
		}
	}
	m.until = time.Now().Add(time.Second) // the last run
	m.try(trace)
}

// shortName is a, b, ... z, t26, t27, ...
func shortName(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return fmt.Sprint("t", i)
}
