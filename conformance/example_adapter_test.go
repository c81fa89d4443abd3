package conformance_test

import (
	"fmt"
	"slices"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/conformance"
)

// An egg is a timer of a kitchen that somebody else wrote: it has no handles,
// no count, and rings within the tick.
type egg struct {
	minutes int
	ring    func()
}

type kitchen struct{ eggs []*egg }

func (k *kitchen) boil(minutes int, ring func()) *egg {
	e := &egg{minutes, ring}
	k.eggs = append(k.eggs, e)
	return e
}

func (k *kitchen) takeOut(e *egg) {
	k.eggs = slices.DeleteFunc(k.eggs, func(other *egg) bool { return other == e })
}

func (k *kitchen) minute() {
	for _, e := range slices.Clone(k.eggs) {
		if e.minutes--; e.minutes == 0 {
			k.takeOut(e)
			e.ring()
		}
	}
}

// An adapter makes a timer module of a kitchen.
type adapter struct {
	kitchen kitchen
	now     timer.Tick
	last    timer.Handle
	eggs    map[timer.Handle]*egg
	rung    []rung
}

type rung struct {
	handle timer.Handle
	act    func()
}

const longest = 30 // minutes, for an egg

func (a *adapter) Now() timer.Tick { return a.now }
func (a *adapter) Len() int        { return len(a.eggs) }

func (a *adapter) StartTimer(interval timer.Tick, id int, action timer.ExpiryAction[int]) (timer.Handle, error) {
	if bound := min(longest, timer.MaxTick-a.now); interval == 0 || interval > bound {
		return 0, fmt.Errorf("%w: %d is not from 1 to %d", timer.ErrInterval, interval, bound)
	}
	if action == nil {
		return 0, timer.ErrNoAction
	}
	a.last++
	h := a.last
	a.eggs[h] = a.kitchen.boil(int(interval), func() {
		a.rung = append(a.rung, rung{h, func() { action(id) }})
	})
	return h, nil
}

func (a *adapter) StopTimer(h timer.Handle) bool {
	e, ok := a.eggs[h]
	if ok {
		a.kitchen.takeOut(e)
		a.rung = slices.DeleteFunc(a.rung, func(r rung) bool { return r.handle == h })
		delete(a.eggs, h)
	}
	return ok
}

func (a *adapter) PerTickBookkeeping() int {
	if a.now == timer.MaxTick {
		panic("the end of time")
	}
	a.now++
	before := len(a.rung)
	a.kitchen.minute()
	return len(a.rung) - before
}

func (a *adapter) ExpiryProcessing(limit int) (n int) {
	for ; len(a.rung) > 0 && n != limit; n++ {
		r := a.rung[0]
		a.rung = slices.Delete(a.rung, 0, 1)
		delete(a.eggs, r.handle)
		r.act()
	}
	return n
}

// An adapter puts a module with fewer abilities under the suite.
func Example_adapter() {
	err := conformance.Suite{
		New:         func() timer.Timer[int] { return &adapter{eggs: make(map[timer.Handle]*egg)} },
		NewAt:       func(now timer.Tick) timer.Timer[int] { return &adapter{now: now, eggs: make(map[timer.Handle]*egg)} },
		MaxInterval: longest,
		FIFO:        true,
	}.Check()
	fmt.Println(err)
	// Output: <nil>
}
