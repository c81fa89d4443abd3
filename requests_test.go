package timer_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// wheel is a module whose ids are of type K.
func wheel[K comparable](t *testing.T) *hierarchical.Wheel[K] {
	t.Helper()
	m, err := hierarchical.New[K](hierarchical.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRequests: an id names its timer from the start to the end.
func TestRequests(t *testing.T) {
	m := wheel[string](t)
	r := timer.ByRequestID(m)
	var ran []string
	note := func(id string) { ran = append(ran, fmt.Sprint(id, " at ", m.Now())) }
	for i, id := range []string{"a", "b", "c"} {
		if err := r.StartTimer(timer.Tick(10+i), id, note); err != nil {
			t.Fatal(err)
		}
	}
	if !r.StopTimer("b") || r.StopTimer("b") || r.StopTimer("d") || m.Len() != 2 {
		t.Errorf("%d timers after a stop, want 2", m.Len())
	}
	if err := r.StartTimer(5, "b", note); err != nil { // it is free again
		t.Error(err)
	}
	timer.AdvanceTo(m, 100, timer.All)
	if want := []string{"b at 5", "a at 10", "c at 12"}; !slices.Equal(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
	if r.StopTimer("a") {
		t.Error("stopped a timer that has run")
	}
}

// TestRequestsDuplicate: an id of an outstanding timer is refused, also while it is
// due; the timer is what it was.
func TestRequestsDuplicate(t *testing.T) {
	m := wheel[int](t)
	r := timer.ByRequestID(m)
	ran := 0
	if err := r.StartTimer(3, 7, func(int) { ran++ }); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		err := r.StartTimer(5, 7, func(int) { t.Error("the action of a timer that was refused") })
		if !errors.Is(err, timer.ErrDuplicate) || !strings.HasSuffix(err.Error(), ": 7") || m.Len() != 1 {
			t.Errorf("at %d: error %v, %d timers", m.Now(), err, m.Len())
		}
		m.PerTickBookkeeping()
	}
	timer.AdvanceTo(m, 20, timer.All)
	if ran != 1 || m.Len() != 0 {
		t.Errorf("ran %d times, %d timers", ran, m.Len())
	}
}

// TestRequestsStopDue: a timer that waits for its action can be stopped.
func TestRequestsStopDue(t *testing.T) {
	m := wheel[int](t)
	r := timer.ByRequestID(m)
	_ = r.StartTimer(1, 1, func(int) { t.Error("ran") })
	m.PerTickBookkeeping()
	if !r.StopTimer(1) || m.ExpiryProcessing(timer.All) != 0 || m.Len() != 0 {
		t.Errorf("%d timers", m.Len())
	}
}

// TestRequestsInOwnAction: there the id names no timer, and may start the next.
func TestRequestsInOwnAction(t *testing.T) {
	m := wheel[string](t)
	r := timer.ByRequestID(m)
	var ran []timer.Tick
	var again timer.ExpiryAction[string]
	again = func(id string) {
		ran = append(ran, m.Now())
		if len(ran) > 1 && r.StopTimer(id) { // the first time, nothing but StartTimer is to find that out
			t.Error("stopped the timer whose action this is")
		}
		if err := r.StartTimer(10, id, again); err != nil {
			t.Error(err)
		}
	}
	if err := r.StartTimer(10, "again", again); err != nil {
		t.Fatal(err)
	}
	timer.AdvanceTo(m, 35, timer.All)
	if want := []timer.Tick{10, 20, 30}; !slices.Equal(ran, want) || m.Len() != 1 || !r.StopTimer("again") {
		t.Errorf("ran at %d, want %d, %d timers", ran, want, m.Len())
	}
}

// TestRequestsRefused: what the module refuses leaves the id free, with the module's
// error.
func TestRequestsRefused(t *testing.T) {
	m, err := basic.New[int](basic.Config{MaxInterval: 10})
	if err != nil {
		t.Fatal(err)
	}
	r := timer.ByRequestID(m)
	before := m.Costs()
	for interval, want := range map[timer.Tick]string{0: "0 is not from 1 to 10", 11: "11 is not from 1 to 10"} {
		if err := r.StartTimer(interval, 1, none); !errors.Is(err, timer.ErrInterval) || !strings.Contains(err.Error(), want) {
			t.Errorf("interval %d: error %v, want %q", interval, err, want)
		}
	}
	if err := r.StartTimer(5, 1, nil); !errors.Is(err, timer.ErrNoAction) {
		t.Errorf("no action: error %v", err)
	}
	if m.Costs() != before || m.Len() != 0 || r.StopTimer(1) {
		t.Errorf("refusals started %d timers", m.Len())
	}
	if err := r.StartTimer(5, 1, none); err != nil {
		t.Error(err)
	}
}

// TestRequestsNaN: an id that does not equal itself is refused, whatever holds it.
func TestRequestsNaN(t *testing.T) {
	floats := wheel[float64](t)
	if err := timer.ByRequestID(floats).StartTimer(1, math.NaN(), func(float64) {}); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("NaN: error %v", err)
	}
	points := wheel[[2]float64](t)
	if err := timer.ByRequestID(points).StartTimer(1, [2]float64{0, math.NaN()}, func([2]float64) {}); err == nil {
		t.Error("an array with a NaN is taken")
	}
	anys := wheel[any](t)
	if err := timer.ByRequestID(anys).StartTimer(1, math.NaN(), func(any) {}); err == nil {
		t.Error("an interface with a NaN is taken")
	}
	if floats.Len()+points.Len()+anys.Len() != 0 {
		t.Error("a refusal started a timer")
	}
}

// TestRequestsInterfaces: ids of different types are different; one that cannot be
// compared panics as it does as the key of a map, and starts nothing.
func TestRequestsInterfaces(t *testing.T) {
	m := wheel[any](t)
	r := timer.ByRequestID(m)
	for _, id := range []any{1, int8(1), "1", nil, struct{}{}} {
		if err := r.StartTimer(1, id, func(any) {}); err != nil {
			t.Errorf("%T: %v", id, err)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a slice is taken as an id")
			}
		}()
		_ = r.StartTimer(1, []int{1}, func(any) {})
	}()
	if !r.StopTimer(nil) || !r.StopTimer(int8(1)) || r.StopTimer(int16(1)) || m.Len() != 3 {
		t.Errorf("%d timers, want 3", m.Len())
	}
}

// TestRequestsPanic: the id of a timer whose action panics is free.
func TestRequestsPanic(t *testing.T) {
	m := wheel[int](t)
	r := timer.ByRequestID(m)
	_ = r.StartTimer(1, 1, func(int) { panic("one") })
	_ = r.StartTimer(1, 2, none)
	func() {
		defer func() { _ = recover() }()
		timer.AdvanceTo(m, 1, timer.All)
	}()
	timer.AdvanceTo(m, 1, timer.All)
	for id := 1; id <= 2; id++ {
		if r.StopTimer(id) {
			t.Errorf("timer %d has not ended", id)
		}
		if err := r.StartTimer(1, id, none); err != nil {
			t.Error(err)
		}
	}
}

// TestRequestsBesideHandles: ids are unique among the timers of one Requests; others
// of the module are none of its business.
func TestRequestsBesideHandles(t *testing.T) {
	m := wheel[int](t)
	r := timer.ByRequestID(m)
	ran := 0
	start(t, m, 2, 1, func(int) { ran++ })
	_ = r.StartTimer(2, 1, func(int) { ran += 10 })
	_ = timer.ByRequestID(m).StartTimer(2, 1, func(int) { ran += 100 })
	if m.Len() != 3 || !r.StopTimer(1) || r.StopTimer(1) {
		t.Errorf("%d timers", m.Len())
	}
	timer.AdvanceTo(m, 2, timer.All)
	if ran != 101 {
		t.Errorf("ran %d, want 101", ran)
	}
}

// TestRequestsNoAllocs: in a steady state a start, a stop and an expiry allocate
// nothing.
func TestRequestsNoAllocs(t *testing.T) {
	m := wheel[int](t)
	r := timer.ByRequestID(m)
	for id := range 100 {
		_ = r.StartTimer(timer.Tick(1+id), id, none)
	}
	id := 0
	if got := testing.AllocsPerRun(1000, func() {
		id = (id + 1) % 100
		r.StopTimer(id)
		if err := r.StartTimer(50, id, none); err != nil {
			t.Fatal(err)
		}
		timer.AdvanceTo(m, m.Now()+1, timer.All)
	}); got != 0 {
		t.Errorf("%g allocations", got)
	}
}
