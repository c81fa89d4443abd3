package conformance_test

import (
	"fmt"
	"slices"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// A student's list of timers, which are decremented at each tick. It has two
// faults.
type student struct {
	now    timer.Tick
	last   timer.Handle
	timers []*homework
}

type homework struct {
	handle timer.Handle
	left   timer.Tick
	late   timer.Tick // when it became due
	id     int
	action timer.ExpiryAction[int]
}

func (s *student) Now() timer.Tick { return s.now }
func (s *student) Len() int        { return len(s.timers) }

func (s *student) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if bound := timer.MaxTick - s.now; interval == 0 || interval > bound {
		return 0, fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
	}
	// The first fault: a nil action is not refused.
	s.last++
	s.timers = append(s.timers, &homework{handle: s.last, left: interval, id: id, action: action})
	return s.last, nil
}

func (s *student) StopTimer(h timer.Handle) bool {
	i := slices.IndexFunc(s.timers, func(t *homework) bool { return t.handle == h })
	// The second: a timer that is due is not found to be outstanding.
	if i < 0 || s.timers[i].left == 0 {
		return false
	}
	s.timers = slices.Delete(s.timers, i, i+1)
	return true
}

func (s *student) PerTickBookkeeping() (due int) {
	if s.now == timer.MaxTick {
		panic("the end of time")
	}
	s.now++
	for _, t := range s.timers {
		if t.left > 0 {
			if t.left--; t.left == 0 {
				t.late = s.now
				due++
			}
		}
	}
	return due
}

func (s *student) ExpiryProcessing(limit int) (n int) {
	for ; n != limit; n++ {
		first := -1
		for i, t := range s.timers {
			if t.left == 0 && (first < 0 || t.late < s.timers[first].late) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		t := s.timers[first]
		s.timers = slices.Delete(s.timers, first, first+1)
		t.action(t.id)
	}
	return n
}

// A grader scores a module rule by rule.
func ExampleSuite_Check() {
	suite := conformance.Suite{
		New:   func() timer.Timer[int] { return &student{} },
		NewAt: func(now timer.Tick) timer.Timer[int] { return &student{now: now} },
	}
	broken := make(map[string]*conformance.RuleError)
	for _, failure := range conformance.Failures(suite.Check()) {
		broken[failure.Rule] = failure
	}
	kept, core := 0, 0
	for _, rule := range conformance.Rules() {
		if !rule.Core {
			continue // an optional interface, or a promise
		}
		core++
		failure := broken[rule.Name]
		if failure == nil {
			kept++
			continue
		}
		fmt.Println(rule.Name)
		fmt.Println("  ", failure.Sentence)
		fmt.Println("  ", "got: ", failure.Got)
		fmt.Println("  ", "want:", failure.Want)
	}
	fmt.Printf("%d of %d core rules kept\n", kept, core)
	// Output:
	// Start/NilAction
	//    A nil action is refused with an error that matches ErrNoAction. With two faults at once it is either.
	//    got:  StartTimer(1) with a nil action at tick 0, where the bound is 2^64-1: no error
	//    want: an error that matches ErrNoAction
	// Stop/Due
	//    A timer that is due can still be stopped.
	//    got:  StopTimer(a) = false, of a timer that is due
	//    want: true
	// 38 of 40 core rules kept
}
