package bench

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/timerfacility/timer"
)

// A Size says how much work the experiments do. More work makes the intervals
// narrower; the verdicts are the same.
type Size int

// The sizes: under half a minute, under a minute, and under ten minutes on two
// quiet cores.
const (
	Quick Size = iota
	Normal
	Full
)

// String is the name of the size.
func (s Size) String() string { return [...]string{"quick", "normal", "full"}[s] }

// A Lab runs experiments. Its zero value has seed 0 and is Quick. The same seed
// and size give the same counts on every machine. It is not safe for concurrent
// use.
type Lab struct {
	Seed uint64
	Size Size

	// Wrap is put around every module that an experiment makes, if it is not
	// nil: with it, a test makes a scheme cost more than it should.
	Wrap func(Module) Module

	kept map[string]any
}

// pick is the value for the lab's size.
func pick[T any](l *Lab, quick, normal, full T) T {
	return [...]T{quick, normal, full}[l.Size]
}

// source is the source of chance of one repetition of the named experiment: each
// has its own, so that its counts do not depend on which others are run.
func (l *Lab) source(name string, repetition int) rand.Source {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.NewPCG(l.Seed, h.Sum64()+uint64(repetition))
}

// use puts a module that an experiment made under the lab's wrapper.
func (l *Lab) use(m Module, err error) Module {
	m = must(m, err)
	if l.Wrap != nil {
		return l.Wrap(m)
	}
	return m
}

// module makes a module of scheme s.
func (l *Lab) module(s Scheme, n int, longest timer.Tick) Module {
	return l.use(s.make(n, longest))
}

// once keeps the result of a measurement that several claims share.
func once[T any](l *Lab, name string, measure func() T) T {
	if v, ok := l.kept[name]; ok {
		return v.(T)
	}
	if l.kept == nil {
		l.kept = make(map[string]any)
	}
	v := measure()
	l.kept[name] = v
	return v
}
