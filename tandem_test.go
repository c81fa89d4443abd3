package timer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/timerfacility/timer"
)

// TestTandem gives the same random operations to all schemes in all configurations
// at once. After each they agree on the clock, on how many timers there are, on when
// each expires and on when the next does.
func TestTandem(t *testing.T) {
	seeds := uint64(8)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(7, seed))
		var now timer.Tick
		switch seed % 4 {
		case 1:
			now = timer.Tick(rng.Uint64())
		case 2:
			now = timer.Tick(1)<<(rng.IntN(63)+1) - timer.Tick(rng.IntN(300))
		case 3:
			now = timer.MaxTick - 3000
		}
		var crew []*member
		for _, c := range modules {
			crew = append(crew, &member{name: c.name, module: c.new(now)})
		}
		for step := range 300 {
			op := operation{
				kind:     rng.IntN(10),
				interval: timer.Tick(1 + rng.IntN(20)),
				pick:     rng.Uint32(),
				limit:    rng.IntN(4) - 1,
				ticks:    rng.IntN(40),
				skip:     rng.IntN(3) == 0,
			}
			if rng.IntN(2) == 0 {
				op.interval = timer.Tick(1 + rng.IntN(4000))
			}
			want := crew[0].do(t, op)
			for _, m := range crew[1:] {
				if got := m.do(t, op); got != want {
					t.Fatalf("seed %d, step %d, %+v:\n%s: %s\n%s: %s", seed, step, op, m.name, got, crew[0].name, want)
				}
			}
		}
	}
}

// An operation is one of several kinds, with what any of them needs.
type operation struct {
	kind     int
	interval timer.Tick
	pick     uint32
	limit    int
	ticks    int
	skip     bool
}

// A member is one of the modules, with the handles that it gave.
type member struct {
	name string
	module
	handles []timer.Handle
}

// do does the operation, and is what it and the inquiries after it say.
func (m *member) do(t *testing.T, op operation) string {
	var said string
	var picked timer.Handle
	if len(m.handles) > 0 {
		picked = m.handles[op.pick%uint32(len(m.handles))]
	}
	switch {
	case op.kind < 4:
		h, err := m.StartTimer(op.interval, 0, none)
		if err == nil {
			m.handles = append(m.handles, h)
		}
		said = fmt.Sprint("refused ", err != nil)
	case op.kind == 4:
		// Which timers of a tick have run is open, so stop none that is due.
		if expiry, ok := m.ExpiryOf(picked); ok && expiry > m.Now() {
			m.StopTimer(picked)
		}
	case op.kind == 5:
		if expiry, ok := m.ExpiryOf(picked); ok && expiry > m.Now() {
			said = fmt.Sprint("refused ", m.ResetTimer(picked, op.interval) != nil)
		}
	case op.kind == 6:
		said = fmt.Sprint("performed ", m.ExpiryProcessing(op.limit))
	default:
		said = "expired"
		for end := min(timer.MaxTick-m.Now(), timer.Tick(op.ticks)) + m.Now(); m.Now() < end; {
			if idle := min(m.IdleTicks(), end-m.Now()); op.skip && idle > 0 {
				m.SkipTicks(idle)
				continue
			}
			if n := m.PerTickBookkeeping(); n > 0 {
				said += fmt.Sprint(" ", n, " at ", m.Now())
			}
		}
	}

	next, ok := m.NextExpiry()
	idle := m.IdleTicks()
	var expiries []timer.Tick
	for _, list := range m.View().Lists {
		for _, x := range list.Timers {
			if expiry, ok := m.ExpiryOf(x.Handle); expiry != x.Expiry || !ok {
				t.Fatalf("%s: ExpiryOf = %d, %t, the view has %d", m.name, expiry, ok, x.Expiry)
			}
			if (list.Kind == timer.InDue) != (x.Expiry <= m.Now()) {
				t.Fatalf("%s: at %d, a timer of %d is in the list %q", m.name, m.Now(), x.Expiry, list.Kind)
			}
			if list.Kind != timer.InDue {
				expiries = append(expiries, x.Expiry)
				if x.Expiry <= m.Now()+idle {
					t.Fatalf("%s: at %d, %d idle ticks before %d", m.name, m.Now(), idle, x.Expiry)
				}
			}
		}
	}
	slices.Sort(expiries)
	return fmt.Sprint(said, "; at ", m.Now(), ", ", m.Len(), " timers, next ", next, " ", ok, ", ", expiries)
}
