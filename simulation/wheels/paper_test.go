package wheels_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
	basic "github.com/timerfacility/timer/scheme4_basic"
	"github.com/timerfacility/timer/simulation/wheels"
)

func newWheel(t *testing.T, cfg wheels.Config) *wheels.Wheel[int] {
	t.Helper()
	w, err := wheels.New[int](cfg)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func start(t *testing.T, m timer.Timer[int], interval timer.Tick, action timer.ExpiryAction[int]) timer.Handle {
	t.Helper()
	h, err := m.StartTimer(interval, 0, action)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func ignore(int) {}

// "An event within the current cycle goes to its list, any other to the overflow
// list; when the pointer wraps, those of the new cycle are moved."
// Reference: 1987, section 4.2, figure 7; 1997, section IV.B, figure 4.
func TestEventsOfTheCurrentCycleAreInTheArray(t *testing.T) {
	w := newWheel(t, wheels.Config{Now: 2*8 + 5, Slots: 8}) // S = 2, i = 5
	for _, at := range []timer.Tick{22, 23, 24, 25, 40} {
		start(t, w, at-w.Now(), ignore)
	}
	if got := w.Overflowed(); got != 3 {
		t.Errorf("%d timers went to the overflow list, want those of 24, 25 and 40", got)
	}
	timer.AdvanceTo(w, 23, timer.All)
	if got := w.Costs().Moves; got != 0 {
		t.Errorf("%d timers moved before the pointer wrapped", got)
	}
	timer.AdvanceTo(w, 24, timer.All)
	// 24 is due at once, and that is no move; 40 is beyond the cycle.
	if got := w.Costs().Moves; got != 1 {
		t.Errorf("%d timers moved when the pointer wrapped, want that of 25", got)
	}
	if got, want := w.Len(), 2; got != want {
		t.Errorf("%d timers outstanding at tick 24, want %d", got, want)
	}
}

// "As the pointer goes down the array, it becomes more likely that a new event
// goes to the overflow list." DECSIM's half turn "reduces but does not avoid"
// this.
// Reference: 1987, section 4.2; 1997, section IV.B.
func TestOverflowGrowsWithThePointer(t *testing.T) {
	const slots = 256
	for _, kind := range []wheels.Kind{wheels.TEGAS2, wheels.DECSIM} {
		w := newWheel(t, wheels.Config{Slots: slots, Kind: kind})
		last, before := uint64(0), 0.0
		for i := range timer.Tick(slots) {
			for interval := range timer.Tick(slots - 1) { // each of 1..N-1 once
				start(t, w, interval+1, ignore)
			}
			share := float64(w.Overflowed()-last) / (slots - 1)
			last = w.Overflowed()
			// Those of N-i ticks and more, i counted from the last turn.
			turned := i
			if kind == wheels.DECSIM {
				turned = i % (slots / 2)
			}
			if want := float64(turned) / (slots - 1); math.Abs(share-want) > 1e-9 {
				t.Fatalf("kind %d, pointer at %d: %.4f of the new timers overflow, want %.4f", kind, i, share, want)
			}
			if share < before && turned != 0 {
				t.Fatalf("kind %d, pointer at %d: the share that overflows fell", kind, i)
			}
			before = share
			w.PerTickBookkeeping()
			w.ExpiryProcessing(timer.All)
		}
	}
}

// The share of the timers that overflow in the long run: 1/N · Integral of S from
// 0 to N for TEGAS-2, 2/N · Integral from N/2 to N for DECSIM, S(N) for Scheme 4.
// Reference: 1987, section 4.2, and section 5 for Scheme 4; the formulas are ours.
func TestOverflowShares(t *testing.T) {
	const (
		slots  = 256
		cycles = 60
		rate   = 20 // starts in each tick
		within = 0.01
	)
	exponential := func(mean float64) func(*rand.Rand) float64 {
		return func(r *rand.Rand) float64 { return mean * r.ExpFloat64() }
	}
	constant := func(x float64) func(*rand.Rand) float64 { return func(*rand.Rand) float64 { return x } }
	for _, law := range []struct {
		name                  string
		draw                  func(*rand.Rand) float64
		whole, half, eachTick float64
	}{
		{"uniform from 1 to N-1", func(r *rand.Rand) float64 { return float64(1 + r.IntN(slots-1)) }, 0.5, 0.25, 0},
		{"constant N/8", constant(slots / 8), 0.125, 0, 0},
		{"constant N/2", constant(slots / 2), 0.5, 0, 0},
		{"constant N-1", constant(slots - 1), 0.996, 0.992, 0},
		{"exponential, mean 16", exponential(16), 0.064, 0.0001, 0},
		{"exponential, mean N", exponential(slots), 0.632, 0.477, 0.368},
	} {
		t.Run(law.name, func(t *testing.T) {
			tegas := newWheel(t, wheels.Config{Slots: slots})
			decsim := newWheel(t, wheels.Config{Slots: slots, Kind: wheels.DECSIM})
			scheme4, err := basic.New[int](basic.Config{MaxInterval: slots})
			if err != nil {
				t.Fatal(err)
			}
			r := rand.New(rand.NewPCG(4, 2))
			refused := 0
			for range cycles * slots {
				for range rate {
					interval := max(1, timer.Tick(math.Round(law.draw(r))))
					start(t, tegas, interval, ignore)
					start(t, decsim, interval, ignore)
					if _, err := scheme4.StartTimer(interval, 0, ignore); err != nil {
						refused++
					}
				}
				for _, m := range []timer.Timer[int]{tegas, decsim, scheme4} {
					m.PerTickBookkeeping()
					m.ExpiryProcessing(timer.All)
				}
			}
			const starts = cycles * slots * rate
			for _, share := range []struct {
				name      string
				got, want float64
			}{
				{"TEGAS-2", float64(tegas.Overflowed()) / starts, law.whole},
				{"DECSIM", float64(decsim.Overflowed()) / starts, law.half},
				{"Scheme 4", float64(refused) / starts, law.eachTick},
			} {
				if math.Abs(share.got-share.want) > within {
					t.Errorf("%s: %.4f of the timers overflow, want %.4f", share.name, share.got, share.want)
				}
			}
		})
	}
}

// "Simulators cancel by a mark, and memory can grow": this wheel is a timer
// module, and takes a stopped timer out of its overflow list.
// Reference: 1987, section 4.2; 1997, section IV.B.
func TestStoppedTimersLeaveTheOverflowList(t *testing.T) {
	w := newWheel(t, wheels.Config{Slots: 4})
	start(t, w, 1000, ignore)
	for range 1000 {
		if h := start(t, w, 500, ignore); !w.StopTimer(h) {
			t.Fatal("a timer in overflow could not be stopped")
		}
	}
	timers := 0
	for _, list := range w.View().Lists {
		timers += len(list.Timers)
	}
	if timers != 1 {
		t.Errorf("%d records stand in the lists, want the one outstanding timer", timers)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		cfg  wheels.Config
		want string
	}{
		{wheels.Config{Slots: 1}, "wheels: Slots 1 is not from 2 to"},
		{wheels.Config{Slots: 1 << 26}, "wheels: Slots 67108864 is not from 2 to 67108863"},
		{wheels.Config{Slots: 7, Kind: wheels.DECSIM}, "wheels: Slots 7 is not a multiple of 2"},
		{wheels.Config{Kind: 2}, "wheels: Kind 2 is not from 0 to 1"},
		{wheels.Config{Capacity: -1}, "wheels: Capacity -1 is not from 0 to"},
	} {
		if _, err := wheels.New[int](c.cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v) gave %v, want an error with %q", c.cfg, err, c.want)
		}
	}
}
