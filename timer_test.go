package timer_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
)

func TestErrors(t *testing.T) {
	all := []error{timer.ErrInterval, timer.ErrNoAction, timer.ErrNotOutstanding, timer.ErrDuplicate}
	for i, err := range all {
		if !strings.HasPrefix(err.Error(), "timer: ") {
			t.Errorf("%q does not name the package", err)
		}
		for j, other := range all {
			if errors.Is(err, other) != (i == j) {
				t.Errorf("%q and %q are the same, or not", err, other)
			}
		}
	}
}

func TestMaxTick(t *testing.T) {
	if last := timer.MaxTick; last+1 != 0 {
		t.Errorf("there is a tick after %d", last)
	}
}

// TestSub holds every field of Costs to the difference, those to come included.
func TestSub(t *testing.T) {
	var from, to timer.Costs
	for i := range reflect.TypeFor[timer.Costs]().NumField() {
		reflect.ValueOf(&from).Elem().Field(i).SetUint(uint64(100 * i))
		reflect.ValueOf(&to).Elem().Field(i).SetUint(uint64(100*i + i + 1))
	}
	difference := reflect.ValueOf(to.Sub(from))
	for i := range difference.NumField() {
		if got := difference.Field(i).Uint(); got != uint64(i+1) {
			t.Errorf("%s: %d, want %d", difference.Type().Field(i).Name, got, i+1)
		}
	}
}
