package conformance

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/timerfacility/timer"
)

// A Trace is a sequence of operations on one timer module. Its text is what
// [ParseTrace] reads and [Trace.String] writes; the package comment describes
// it.
type Trace []Op

// An Op is one operation of a [Trace].
type Op struct {
	Kind Kind
	Line int // of the text that it was read from, from 1

	Name   string     // Start: the timer
	Ref    Ref        // Stop, Reset: the handle
	N      timer.Tick // At, AdvanceTo: a tick; Start, Reset: the interval; Tick, Advance, Skip, Overskip: ticks
	Latest timer.Tick // Start: the largest interval of a range that begins with N; 0 if it is no range
	ID     int        // Start: the request id; 0: one that no other timer has
	Nil    bool       // Start: no action at all
	Limit  int        // Process, Advance, AdvanceTo: how many actions at most; negative: all
	Action []Op       // Start: what the timer's action does
}

// Kind is what an [Op] does.
type Kind int

// The kinds of operations, each with the word that stands for it in a text.
const (
	At        Kind = iota // at: the tick at which the clock stands when the trace begins
	Start                 // start: StartTimer, or StartTimerInRange
	Stop                  // stop: StopTimer
	Reset                 // reset: ResetTimer
	Tick                  // tick: PerTickBookkeeping, N times
	Process               // process: ExpiryProcessing
	Advance               // advance: timer.AdvanceTo, N ticks on
	AdvanceTo             // advance to: timer.AdvanceTo, to tick N
	Skip                  // skip: SkipTicks, N ticks, or IdleTicks() if that is less
	Overskip              // overskip: SkipTicks, N ticks more than IdleTicks(), which has to panic; it ends the trace
	Panic                 // panic: the action panics
)

var words = [...]string{"at", "start", "stop", "reset", "tick", "process", "advance", "advance", "skip", "overskip", "panic"}

// A Ref says which handle is meant: that of a timer, one made from it that
// should name nothing, or any number.
type Ref struct {
	Name string // the timer; empty if the handle is the number Add
	Add  uint64 // added to its handle
	Flip int    // 1 + the bit of its handle to flip; 0: none
}

// ParseTrace reads the text of a trace. The error names the line and the
// reason.
func ParseTrace(text string) (Trace, error) {
	p := &parser{tokens: tokenize(text), started: make(map[string]bool)}
	ops, err := p.ops(false)
	if err != nil {
		return nil, fmt.Errorf("trace: line %d: %w", p.line, err)
	}
	for _, u := range p.used {
		if !p.started[u.name] {
			return nil, fmt.Errorf("trace: line %d: no timer %s is started", u.line, u.name)
		}
	}
	return ops, nil
}

// A token is a word, a brace, or the end of an operation (a newline or a
// semicolon).
type token struct {
	text string
	line int
}

const endOfOp = ";"

func tokenize(text string) []token {
	var tokens []token
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line, _, _ = strings.Cut(line, "#")
		for _, mark := range []string{"{", "}", endOfOp} {
			line = strings.ReplaceAll(line, mark, " "+mark+" ")
		}
		for _, word := range strings.Fields(line) {
			tokens = append(tokens, token{word, i + 1})
		}
		tokens = append(tokens, token{endOfOp, i + 1})
	}
	return tokens
}

type parser struct {
	tokens  []token
	line    int // of the last token taken
	count   int // operations read
	started map[string]bool
	used    []use
}

type use struct {
	name string
	line int
}

// peek is the next token's text, empty after the last.
func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0].text
}

// next takes a token.
func (p *parser) next() string {
	text := p.peek()
	if text != "" {
		p.line = p.tokens[0].line
		p.tokens = p.tokens[1:]
	}
	return text
}

// takes takes the next token if it is the word.
func (p *parser) takes(word string) bool {
	if p.peek() != word {
		return false
	}
	p.next()
	return true
}

// ends reports whether the operation has no more words.
func (p *parser) ends() bool {
	t := p.peek()
	return t == endOfOp || t == "}" || t == "{" || t == ""
}

// ops reads operations to the end of the text or, in an action, to its brace.
func (p *parser) ops(inAction bool) ([]Op, error) {
	var ops []Op
	for {
		switch p.peek() {
		case endOfOp:
			p.next()
			continue
		case "":
			if inAction {
				return nil, errors.New("an action lacks its closing brace")
			}
			return ops, nil
		case "}":
			p.next()
			if !inAction {
				return nil, errors.New("a brace closes no action")
			}
			return ops, nil
		}
		op, err := p.op(inAction)
		if err != nil {
			return nil, err
		}
		ops = append(ops, op)
		if !p.ends() || p.peek() == "{" {
			return nil, fmt.Errorf("%q follows %q", p.next(), op)
		}
	}
}

func (p *parser) op(inAction bool) (op Op, err error) {
	word := p.next()
	op = Op{Line: p.line}
	p.count++
	switch word {
	case "start", "stop", "reset", "tick":
	case "panic":
		if !inAction {
			return op, errors.New("panic stands in an action only")
		}
	case "at", "process", "advance", "skip", "overskip":
		if inAction {
			return op, fmt.Errorf("%s may not stand in an action", word)
		}
		if word == "at" && p.count > 1 {
			return op, errors.New("at stands before every other operation")
		}
	default:
		return op, fmt.Errorf("unknown operation %q", word)
	}
	switch word {
	case "at":
		op.Kind = At
		op.N, err = p.number("a tick")
	case "start":
		op.Kind = Start
		err = p.start(&op)
	case "stop":
		op.Kind = Stop
		op.Ref, err = p.ref()
	case "reset":
		op.Kind = Reset
		if op.Ref, err = p.ref(); err == nil {
			op.N, err = p.number("an interval")
		}
	case "tick":
		op.Kind = Tick
		op.N = 1
		if !p.ends() {
			op.N, err = p.number("a number of ticks")
		}
	case "process":
		op.Kind = Process
		op.Limit = timer.All
		if !p.ends() {
			op.Limit, err = p.limit()
		}
	case "advance":
		op.Kind = Advance
		op.Limit = timer.All
		if p.takes("to") {
			op.Kind = AdvanceTo
		}
		if op.N, err = p.number("a number of ticks"); err == nil && p.takes("limit") {
			op.Limit, err = p.limit()
		}
	case "skip", "overskip":
		op.Kind = Skip
		if word == "overskip" {
			op.Kind = Overskip
		}
		op.N, err = p.number("a number of ticks")
		if err == nil && op.Kind == Overskip && op.N == 0 {
			err = errors.New("overskip wants a number over 0")
		}
	case "panic":
		op.Kind = Panic
	}
	return op, err
}

// start reads what follows the word: name interval[..latest] [id n] [nil] [{...}].
func (p *parser) start(op *Op) (err error) {
	if p.ends() || !isName(p.peek()) {
		return fmt.Errorf("start wants the name of a timer, not %q", p.peek())
	}
	op.Name = p.next()
	if p.started[op.Name] {
		return fmt.Errorf("a timer %s is started already", op.Name)
	}
	p.started[op.Name] = true
	interval := p.peek()
	if earliest, latest, isRange := strings.Cut(interval, ".."); isRange {
		p.next()
		if op.N, err = parseNumber(earliest); err != nil {
			return fmt.Errorf("start %s: %w", op.Name, err)
		}
		if op.Latest, err = parseNumber(latest); err != nil {
			return fmt.Errorf("start %s: %w", op.Name, err)
		}
		if op.Latest == 0 {
			return fmt.Errorf("start %s: a range ends over 0", op.Name)
		}
	} else if op.N, err = p.number("an interval"); err != nil {
		return err
	}
	if p.takes("id") {
		id, err := p.number("a request id")
		if err != nil {
			return err
		}
		if op.ID = int(id); op.ID <= 0 {
			return errors.New("a request id in a trace is over 0")
		}
	}
	if op.Nil = p.takes("nil"); op.Nil {
		return nil
	}
	if p.takes("{") {
		op.Action, err = p.ops(true)
	}
	return err
}

// ref reads a handle: name, name^bit, name+number, or a number.
func (p *parser) ref() (ref Ref, err error) {
	if p.ends() {
		return ref, errors.New("the name of a timer, or a handle, is missing")
	}
	text := p.next()
	if text[0] >= '0' && text[0] <= '9' {
		n, err := parseNumber(text)
		return Ref{Add: uint64(n)}, err
	}
	name := text
	if i := strings.IndexAny(text, "^+"); i >= 0 {
		name = text[:i]
		n, err := parseNumber(text[i+1:])
		if err != nil {
			return ref, err
		}
		if text[i] == '+' {
			ref.Add = uint64(n)
		} else if n > 63 {
			return ref, fmt.Errorf("a handle has no bit %d", n)
		} else {
			ref.Flip = 1 + int(n)
		}
	}
	if !isName(name) {
		return ref, fmt.Errorf("%q is no name of a timer and no handle", text)
	}
	ref.Name = name
	p.used = append(p.used, use{name, p.line})
	return ref, nil
}

func (p *parser) limit() (int, error) {
	if strings.HasPrefix(p.peek(), "-") {
		text := p.next()
		n, err := strconv.ParseInt(text, 0, strconv.IntSize)
		if err != nil {
			return 0, fmt.Errorf("%q is no limit: a negative one is from %d to -1", text, math.MinInt)
		}
		return int(n), nil
	}
	n, err := p.number("how many actions at most")
	if err == nil && n > 1<<30 {
		err = fmt.Errorf("a limit of %d is over 2^30", n)
	}
	return int(n), err
}

func (p *parser) number(what string) (timer.Tick, error) {
	if p.ends() {
		return 0, fmt.Errorf("%s is missing", what)
	}
	return parseNumber(p.next())
}

// parseNumber reads a Go integer, or 2^k, 2^k+n or 2^k-n.
func parseNumber(text string) (timer.Tick, error) {
	bad := fmt.Errorf("%q is no number from 0 to 2^64-1", text)
	exponent, isPower := strings.CutPrefix(text, "2^")
	if !isPower {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return 0, bad
		}
		return timer.Tick(n), nil
	}
	var more uint64
	i := strings.IndexAny(exponent, "+-")
	if i >= 0 {
		n, err := strconv.ParseUint(exponent[i+1:], 10, 64)
		if err != nil {
			return 0, bad
		}
		more = n
		if exponent[i] == '-' {
			more = -n
		}
		exponent = exponent[:i]
	}
	k, err := strconv.ParseUint(exponent, 10, 8)
	if err != nil || k > 64 || k == 64 && int64(more) >= 0 {
		return 0, bad
	}
	if k == 64 {
		return timer.Tick(more), nil
	}
	return timer.Tick(1<<k + more), nil
}

// formatNumber writes a large number that is next to a power of two as such.
func formatNumber(n timer.Tick) string {
	if n < 1<<14 {
		return strconv.FormatUint(uint64(n), 10)
	}
	next := uint64(20)
	if n >= 1<<20 {
		next = 512
	}
	k := bits.Len64(uint64(n))
	if up := -uint64(n) & (1<<k - 1); k <= 64 && up != 0 && up <= next {
		return fmt.Sprintf("2^%d-%d", k, up)
	}
	switch over := uint64(n) - 1<<(k-1); {
	case over == 0:
		return fmt.Sprintf("2^%d", k-1)
	case over <= next:
		return fmt.Sprintf("2^%d+%d", k-1, over)
	}
	return strconv.FormatUint(uint64(n), 10)
}

// isName reports whether the text is a letter, with letters, digits and
// underscores after it.
func isName(text string) bool {
	for i, c := range text {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return text != ""
}

// String is the text of the trace, one operation to a line.
func (t Trace) String() string {
	var b strings.Builder
	for _, op := range t {
		b.WriteString(op.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// prune is the trace without what is done to timers that it does not start.
func (t Trace) prune() Trace {
	started := make(map[string]bool)
	noteStarted(t, started)
	return pruneOps(t, started)
}

// noteStarted notes the names of the timers that the operations start.
func noteStarted(ops []Op, started map[string]bool) {
	for _, op := range ops {
		if op.Kind == Start {
			started[op.Name] = true
			noteStarted(op.Action, started)
		}
	}
}

func pruneOps(ops []Op, started map[string]bool) []Op {
	var left []Op
	for _, op := range ops {
		if op.Ref.Name == "" || started[op.Ref.Name] {
			op.Action = pruneOps(op.Action, started)
			left = append(left, op)
		}
	}
	return left
}

// nth is the i-th operation, those of an action counted after that of its timer;
// nil if there are not so many.
func nth(ops []Op, i int) *Op {
	for k := range ops {
		n := count(ops[k : k+1])
		switch {
		case i == 0:
			return &ops[k]
		case i < n:
			return nth(ops[k].Action, i-1)
		}
		i -= n
	}
	return nil
}

// count counts the operations, those of actions too.
func count(ops []Op) int {
	n := len(ops)
	for _, op := range ops {
		n += count(op.Action)
	}
	return n
}

// oneLine is the text of operations with semicolons between them.
func oneLine(ops []Op) string {
	texts := make([]string, len(ops))
	for i, op := range ops {
		texts[i] = op.String()
	}
	return strings.Join(texts, "; ")
}

// String is the text of the operation.
func (op Op) String() string {
	word := words[op.Kind]
	n := formatNumber(op.N)
	switch op.Kind {
	case Start:
		return op.startString()
	case Stop:
		return word + " " + op.Ref.String()
	case Reset:
		return word + " " + op.Ref.String() + " " + n
	case Tick:
		if op.N == 1 {
			return word
		}
	case Process:
		if op.Limit == timer.All {
			return word
		}
		return fmt.Sprint(word, " ", op.Limit)
	case Advance, AdvanceTo:
		if op.Kind == AdvanceTo {
			word += " to"
		}
		if op.Limit != timer.All {
			return fmt.Sprint(word, " ", n, " limit ", op.Limit)
		}
	case Panic:
		return word
	}
	return word + " " + n
}

func (op Op) startString() string {
	s := "start " + op.Name + " " + formatNumber(op.N)
	if op.Latest > 0 {
		s += ".." + formatNumber(op.Latest)
	}
	if op.ID > 0 {
		s += fmt.Sprint(" id ", op.ID)
	}
	if op.Nil {
		return s + " nil"
	}
	if len(op.Action) > 0 {
		s += " { " + oneLine(op.Action) + " }"
	}
	return s
}

// String is the text of the handle.
func (r Ref) String() string {
	switch {
	case r.Name == "" && r.Add < 1<<14:
		return strconv.FormatUint(r.Add, 10)
	case r.Name == "":
		return fmt.Sprintf("%#x", r.Add)
	case r.Flip > 0:
		return fmt.Sprint(r.Name, "^", r.Flip-1)
	case r.Add > 0:
		return r.Name + "+" + formatNumber(timer.Tick(r.Add))
	}
	return r.Name
}
