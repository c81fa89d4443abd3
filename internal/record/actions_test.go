package record

import (
	"math/rand/v2"
	"testing"

	"github.com/timerfacility/timer"
)

// counter is an action of its own for each call, with what it has counted.
func counter() (timer.ExpiryAction[int], *int) {
	n := new(int)
	return func(id int) { *n += id }, n
}

// take is the place of the action, with one timer more that has it.
func take[RequestID any](a *actions[RequestID], action timer.ExpiryAction[RequestID]) uint32 {
	a.find(action)
	return a.use()
}

// TestActionIsShared: timers with one function have one place for it, which is free
// again after the last of them and not before.
func TestActionIsShared(t *testing.T) {
	a := newActions[int]()
	shared, count := counter()
	var places []uint32
	for range 1000 {
		places = append(places, take(&a, shared))
	}
	if len(a.shares) != 1 || a.lastUses != 1000 {
		t.Fatalf("1000 uses: %d places, the first with %d uses", len(a.shares), a.lastUses)
	}
	for i, place := range places {
		a.at(place)(1)
		if *count != i+1 {
			t.Fatalf("use %d has another action", i)
		}
		a.release(place)
	}
	if a.shares[0].action != nil || a.shares[0].uses != 0 {
		t.Error("the action is kept after its last use")
	}
	again, _ := counter()
	if place := take(&a, again); place != 0 || len(a.shares) != 1 {
		t.Errorf("the next action is at %d of %d places, want the free one", place, len(a.shares))
	}
}

// TestMethodsAreShared: a method expression is one function, as the action of all
// timers of a kind should be.
func TestMethodsAreShared(t *testing.T) {
	a := newActions[*request]()
	for range 100 {
		take(&a, (*request).expire)
	}
	for range 100 {
		take(&a, (*request).retry)
	}
	if len(a.shares) != 2 {
		t.Errorf("two methods are at %d places", len(a.shares))
	}
}

type request struct{ expired, retried int }

func (r *request) expire() { r.expired++ }
func (r *request) retry()  { r.retried++ }

// TestManyActions: with an action for each timer, which ends in random order, each
// has its own, and the places are used again.
func TestManyActions(t *testing.T) {
	const many = 500
	a := newActions[int]()
	rng := rand.New(rand.NewPCG(1, 4))
	type use struct {
		place uint32
		count *int
	}
	var uses []use
	for range 20000 {
		if len(uses) < many && rng.IntN(2) == 0 {
			action, count := counter()
			uses = append(uses, use{take(&a, action), count})
			continue
		}
		if len(uses) == 0 {
			continue
		}
		i := rng.IntN(len(uses))
		u := uses[i]
		before := *u.count
		a.at(u.place)(1)
		if *u.count != before+1 {
			t.Fatal("a timer has the action of another")
		}
		a.release(u.place)
		uses[i] = uses[len(uses)-1]
		uses = uses[:len(uses)-1]
	}
	if len(a.shares) > many {
		t.Errorf("%d places for at most %d actions", len(a.shares), many)
	}
}

// TestSharedAndOwn mixes actions that many timers share with some of their own,
// more than the table remembers at once: every use has the action that it came with.
func TestSharedAndOwn(t *testing.T) {
	a := newActions[int]()
	rng := rand.New(rand.NewPCG(1, 5))
	var shared []timer.ExpiryAction[int]
	var counts []*int
	for range 3 * len(a.recent) {
		action, count := counter()
		shared, counts = append(shared, action), append(counts, count)
	}
	type use struct {
		place uint32
		of    int
	}
	var uses []use
	for range 20000 {
		if rng.IntN(3) > 0 {
			of := rng.IntN(len(shared))
			uses = append(uses, use{take(&a, shared[of]), of})
			continue
		}
		if len(uses) == 0 {
			continue
		}
		i := rng.IntN(len(uses))
		u := uses[i]
		before := *counts[u.of]
		a.at(u.place)(1)
		if *counts[u.of] != before+1 {
			t.Fatal("a timer has the action of another")
		}
		a.release(u.place)
		uses[i] = uses[len(uses)-1]
		uses = uses[:len(uses)-1]
	}
	a.find(shared[0]) // so that the shares have all uses but its own
	inUse := a.lastUses
	a.shares[a.lastPlace].uses = 0
	for _, s := range a.shares {
		inUse += s.uses
	}
	if int(inUse) != len(uses) {
		t.Errorf("%d uses, want %d", inUse, len(uses))
	}
}
