package walkthroughs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
	"github.com/timerfacility/timer/teaching/picture"
)

// Draw is the text of a walkthrough with every picture drawn anew. The error
// names the line and the reason.
func Draw(text string) (string, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var (
		drawn  []string
		trace  = make([]string, len(lines)) // the operations, each in its line
		blocks []*block
	)
	for i := 0; i < len(lines); i++ {
		drawn = append(drawn, lines[i])
		if lines[i] == "" || lines[i][0] == '#' {
			continue
		}
		b := &block{first: i}
		for ; lines[i] != "----"; drawn = append(drawn, lines[i]) {
			if words := strings.Fields(lines[i]); len(words) > 0 && words[0] == "module" {
				b.modules = append(b.modules, words[1:])
			} else {
				trace[i] = lines[i]
			}
			if i++; i == len(lines) || lines[i] == "" {
				return "", fmt.Errorf("line %d: the block lacks its ----", i)
			}
		}
		b.end, b.at = i, len(drawn)
		for i+1 < len(lines) && lines[i+1] != "" {
			i++ // the old picture
		}
		blocks = append(blocks, b)
	}
	if err := run(blocks, trace); err != nil {
		return "", err
	}
	for _, b := range slices.Backward(blocks) {
		drawn = slices.Insert(drawn, b.at, b.output...)
	}
	return strings.Join(drawn, "\n") + "\n", nil
}

// A block is a few operations and what comes of them.
type block struct {
	first, end int        // its lines
	modules    [][]string // those that it makes, each as the words after module
	at         int        // where the output belongs
	output     []string
}

// run fills in the output of every block. The blocks from one that makes modules
// to the next that does are one trace.
func run(blocks []*block, lines []string) error {
	var stages []*stage
	var ops conformance.Trace
	for i, b := range blocks {
		if len(b.modules) > 0 {
			stages = nil
			for _, words := range b.modules {
				s, err := newStage(words)
				if err != nil {
					return fmt.Errorf("line %d: %w", b.first+1, err)
				}
				stages = append(stages, s)
			}
			end := len(lines)
			if next := slices.IndexFunc(blocks[i+1:], func(b *block) bool { return len(b.modules) > 0 }); next >= 0 {
				end = blocks[i+1+next].first
			}
			// Empty lines before it keep the numbers of the lines right.
			trace, err := conformance.ParseTrace(strings.Repeat("\n", b.first) + strings.Join(lines[b.first:end], "\n"))
			if err != nil {
				return err
			}
			ops = trace
		}
		if stages == nil {
			return fmt.Errorf("line %d: no module is made before it", b.first+1)
		}
		n := slices.IndexFunc(ops, func(op conformance.Op) bool { return op.Line > b.end })
		if n < 0 {
			n = len(ops)
		}
		for _, s := range stages {
			if len(stages) > 1 {
				b.output = append(b.output, "── "+s.title+" ──")
			}
			for _, op := range ops[:n] {
				s.perform(op)
			}
			b.output = append(b.output, s.show()...)
		}
		ops = ops[n:]
	}
	return nil
}

// A stage is a module and what it said and did since it was last shown.
type stage struct {
	title       string
	module      module
	options     picture.Options[string]
	showHandles bool

	handles map[string]timer.Handle
	depth   int // 1 in an action
	said    []string
	costs   timer.Costs // when it was last shown
}

// A module is what a walkthrough asks of a scheme.
type module interface {
	timer.Timer[string]
	timer.Resetter
	timer.Tickless
	timer.Coster
	timer.Viewer[string]
}

func (s *stage) say(format string, args ...any) {
	s.said = append(s.said, strings.Repeat("  ", s.depth)+fmt.Sprintf(format, args...))
}

// now is the clock in words.
func (s *stage) now() string { return s.options.Time(s.module.Now()) }

// perform does one operation and says what it answered, if that is not just that
// it was done.
func (s *stage) perform(op conformance.Op) {
	defer func() {
		if p := recover(); p != nil {
			s.depth = 0
			s.say("%s: panics: %v", op, p)
		}
	}()
	switch op.Kind {
	case conformance.Start:
		s.start(op)
	case conformance.Stop:
		s.say("%s: %t", op, s.module.StopTimer(s.handle(op.Ref)))
	case conformance.Reset:
		if err := s.module.ResetTimer(s.handle(op.Ref), op.N); err != nil {
			s.say("%s: %v", op, err)
		}
	case conformance.Tick:
		for range op.N {
			if due := s.module.PerTickBookkeeping(); due > 0 {
				s.say("%s: %d due", s.now(), due)
			}
		}
	case conformance.Process:
		if s.module.ExpiryProcessing(op.Limit) == 0 {
			s.say("%s: 0", op)
		}
	case conformance.Advance:
		s.advance(op, s.module.Now()+op.N)
	case conformance.AdvanceTo:
		s.advance(op, op.N)
	case conformance.Skip:
		if idle := s.module.IdleTicks(); idle < op.N {
			s.say("%s: only %d are idle", op, idle)
			op.N = idle
		}
		s.module.SkipTicks(op.N)
	case conformance.Overskip:
		s.module.SkipTicks(s.module.IdleTicks() + op.N)
	case conformance.Panic:
		panic("in an action")
	}
}

func (s *stage) start(op conformance.Op) {
	deeds := op.Action
	op.Action = nil // what is said of the operation leaves them out
	action := func(id string) {
		s.say("%s: %s runs", s.now(), id)
		s.depth++
		for _, op := range deeds {
			if op.Kind == conformance.Panic {
				panic("the action of " + id)
			}
			s.perform(op)
		}
		s.depth--
	}
	if op.Nil {
		action = nil
	}
	var h timer.Handle
	var err error
	if op.Latest == 0 {
		h, err = s.module.StartTimer(op.N, op.Name, action)
	} else if r, ok := s.module.(timer.RangeStarter[string]); ok {
		h, err = r.StartTimerInRange(op.N, op.Latest, op.Name, action)
	} else {
		err = fmt.Errorf("%s is no RangeStarter", s.title)
	}
	switch {
	case err != nil:
		s.say("%s: %v", op, err)
	case s.showHandles:
		s.say("%s: generation %d of record %d", op, h>>32, uint32(h))
	}
	s.handles[op.Name] = h
}

// handle is what ref stands for.
func (s *stage) handle(ref conformance.Ref) timer.Handle {
	h := s.handles[ref.Name]
	if ref.Flip > 0 {
		h ^= 1 << (ref.Flip - 1)
	}
	return h + timer.Handle(ref.Add)
}

func (s *stage) advance(op conformance.Op, target timer.Tick) {
	if !timer.AdvanceTo(timer.Timer[string](s.module), target, op.Limit) {
		s.say("%s: false, at %s", op, s.now())
	}
}

// show is what was said, the picture and the costs.
func (s *stage) show() []string {
	was, is := s.costs, s.module.Costs()
	text := picture.Picture(s.module.View(), s.options) + fmt.Sprintf("costs     %s, %s, %s",
		cost("compares", was.Compares, is.Compares),
		cost("visits", was.Visits, is.Visits),
		cost("moves", was.Moves, is.Moves))
	lines := append(s.said, strings.Split(text, "\n")...)
	s.said, s.costs = nil, is
	return lines
}

func cost(name string, was, is uint64) string {
	text := fmt.Sprint(name, " ", is)
	if is > was {
		text += fmt.Sprintf(" (+%d)", is-was)
	}
	return text
}
