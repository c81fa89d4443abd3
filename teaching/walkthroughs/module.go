package walkthroughs

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation/wheels"
)

// newStage makes a stage from the words after module: the scheme's package, and
// fields with their values.
func newStage(words []string) (*stage, error) {
	if len(words) == 0 {
		return nil, errors.New("module wants the name of a scheme")
	}
	s := &stage{title: title(words), handles: make(map[string]timer.Handle)}
	f, err := newFields(words[1:])
	if err != nil {
		return nil, err
	}
	now := timer.Tick(f.number("now"))
	switch words[0] {
	case "unordered":
		cfg := unordered.Config{Now: now, Compare: f.bool("compare")}
		if !cfg.Compare {
			s.options.Stored = "left"
		}
		s.module, err = unordered.New[string](cfg)
	case "ordered":
		s.module, err = ordered.New[string](ordered.Config{Now: now, FromRear: f.bool("fromrear")})
	case "tree":
		kind := f.choice("kind", "btree", "binaryheap", "leftist", "unbalanced")
		s.module, err = tree.New[string](tree.Config{Now: now, Kind: tree.Kind(kind)})
	case "basic":
		s.module, err = basic.New[string](basic.Config{
			Now: now, MaxInterval: timer.Tick(f.number("maxinterval")), Overflow: f.bool("overflow"),
		})
	case "hashsorted":
		s.module, err = hashsorted.New[string](hashsorted.Config{Now: now, TableSize: int(f.number("tablesize"))})
	case "hashunsorted":
		s.options.Stored = "rounds"
		s.module, err = hashunsorted.New[string](hashunsorted.Config{Now: now, TableSize: int(f.number("tablesize"))})
	case "hierarchical":
		precision := f.choice("precision", "exact", "roundonce", "nomigration")
		s.module, err = hierarchical.New[string](hierarchical.Config{
			Now: now, Levels: f.numbers("levels"), Precision: hierarchical.Precision(precision),
		})
	case "wheels":
		kind := f.choice("kind", "tegas2", "decsim")
		s.module, err = wheels.New[string](wheels.Config{
			Now: now, Slots: int(f.number("slots")), Kind: wheels.Kind(kind),
		})
	default:
		return nil, fmt.Errorf("no scheme is named %q", words[0])
	}
	s.options.Time = func(tick timer.Tick) string { return strconv.FormatUint(uint64(tick), 10) }
	if f.choice("time", "number", "clock") == 1 {
		s.options.Time = clock
		s.options.Levels = []string{"seconds", "minutes", "hours", "days"}
	}
	s.showHandles = f.choice("show", "nothing", "handles") == 1
	if err := f.check(); err != nil {
		return nil, err
	}
	return s, err
}

// title is the words that tell a module from those beside it.
func title(words []string) string {
	var told []string
	for _, word := range words {
		name, _, _ := strings.Cut(word, "=")
		if name != "now" && name != "time" && name != "show" {
			told = append(told, word)
		}
	}
	return strings.Join(told, " ")
}

// clock is the tick as a time of day, in seconds.
func clock(tick timer.Tick) string {
	const minute, hour, day = 60, 60 * 60, 24 * 60 * 60
	text := fmt.Sprintf("%02d:%02d:%02d", tick/hour%24, tick/minute%60, tick%60)
	if tick >= day {
		text = fmt.Sprintf("%dd %s", tick/day, text)
	}
	return text
}

// fields are words of the form name=value. A field that is read is taken out;
// one that is not there is the zero value.
type fields struct {
	values map[string]string
	err    error // the first
}

func newFields(words []string) (*fields, error) {
	f := &fields{values: make(map[string]string)}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return nil, fmt.Errorf("%q is not of the form name=value", word)
		}
		f.values[name] = value
	}
	return f, nil
}

func (f *fields) take(name string) (value string, ok bool) {
	value, ok = f.values[name]
	delete(f.values, name)
	return value, ok
}

func (f *fields) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *fields) number(name string) uint64 {
	value, ok := f.take(name)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(value, 0, 64)
	if err != nil {
		f.fail(fmt.Errorf("%s=%s: %w", name, value, err))
	}
	return n
}

func (f *fields) numbers(name string) []int {
	value, ok := f.take(name)
	if !ok {
		return nil
	}
	var all []int
	for _, text := range strings.Split(value, ",") {
		n, err := strconv.Atoi(text)
		if err != nil {
			f.fail(fmt.Errorf("%s=%s: %w", name, value, err))
		}
		all = append(all, n)
	}
	return all
}

func (f *fields) bool(name string) bool { return f.choice(name, "false", "true") == 1 }

// choice is the index of the field's value among those allowed.
func (f *fields) choice(name string, allowed ...string) int {
	value, ok := f.take(name)
	if !ok {
		return 0
	}
	for i, a := range allowed {
		if value == a {
			return i
		}
	}
	f.fail(fmt.Errorf("%s=%s: want one of %s", name, value, strings.Join(allowed, ", ")))
	return 0
}

// check is the first error, which may be that a field was never read.
func (f *fields) check() error {
	for name := range f.values {
		f.fail(fmt.Errorf("this scheme has no field %q", name))
	}
	return f.err
}
