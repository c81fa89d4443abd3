package facility

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// TestStress starts, stops, resets, waits, reads stats and closes at once, from
// goroutines and from actions, and accounts for every timer: it ran once, or it
// was stopped once, or it was pending at Close.
func TestStress(t *testing.T) {
	for _, m := range modules {
		for name, run := range map[string]func(func()){"goroutine": nil, "inline": Inline} {
			t.Run(m.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				f := newFacility(t, Config{Module: m.new, Run: run, Granularity: 100 * time.Microsecond, Shards: 2})
				stress(t, f, 60*time.Millisecond)
			})
		}
	}
}

type stressed struct {
	timer        Timer
	ran, stopped atomic.Int32
	earliest     atomic.Int64 // since New, of one that is never reset; else 0
}

func stress(t *testing.T, f *Facility, d time.Duration) {
	var (
		all     []*stressed
		mu      sync.Mutex // guards all
		wg      sync.WaitGroup
		refused atomic.Int32
	)
	action := func(id any) {
		s := id.(*stressed)
		s.ran.Add(1)
		if early := s.earliest.Load() - int64(f.since()); early > 0 {
			t.Errorf("a timer ran %v early", time.Duration(early))
		}
	}
	start := func(r *rand.Rand) *stressed {
		s := new(stressed)
		d := time.Duration(r.IntN(int(8 * time.Millisecond)))
		if r.IntN(4) == 0 {
			d *= 1000
		}
		if r.IntN(3) == 0 {
			s.earliest.Store(int64(f.since()) + int64(d)) // never reset
		}
		tm := f.StartTimer(d, s, action)
		if tm == (Timer{}) {
			refused.Add(1)
			return nil
		}
		s.timer = tm
		mu.Lock()
		all = append(all, s)
		mu.Unlock()
		return s
	}
	end := time.Now().Add(d)
	for i := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			var mine []*stressed
			for refused.Load() == 0 {
				s := start(r)
				if s == nil {
					break
				}
				mine = append(mine, s)
				for range 2 {
					s := mine[r.IntN(len(mine))]
					switch r.IntN(4) {
					case 0:
						if s.timer.Stop() {
							s.stopped.Add(1)
						}
					case 1:
						if s.earliest.Load() == 0 {
							s.timer.Reset(time.Duration(r.IntN(int(5 * time.Millisecond))))
						}
					case 2:
						ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
						if err := s.timer.Wait(ctx); err != nil {
							t.Errorf("Wait: %v", err)
						}
						cancel()
					}
				}
				if len(mine)%64 == 0 {
					f.Stats()
					f.Len()
					runtime.Gosched()
				}
				if len(mine) > 20000 {
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	time.Sleep(time.Until(end))
	pending := f.Close()
	begun := f.Stats().Expiries
	wg.Wait()
	s := f.Stats()
	var ran, stopped int
	for _, s := range all {
		s.timer.Wait(t.Context())
		r, st := int(s.ran.Load()), int(s.stopped.Load())
		if r+st > 1 {
			t.Fatalf("a timer ran %d times and was stopped %d times", r, st)
		}
		ran, stopped = ran+r, stopped+st
	}
	if begun != s.Expiries {
		t.Errorf("%d actions were called after Close had returned", s.Expiries-begun)
	}
	if ran+stopped+pending != len(all) {
		t.Errorf("%d ran + %d stopped + %d pending are not %d started", ran, stopped, pending, len(all))
	}
	if int(s.Starts) != len(all) || int(s.Stops) != stopped || int(s.Expiries) != ran {
		t.Errorf("stats %+v; %d started, %d stopped, %d ran", s, len(all), stopped, ran)
	}
	if ran == 0 || stopped == 0 || pending == 0 {
		t.Logf("ran %d, stopped %d, pending %d: not much of a test", ran, stopped, pending)
	}
}

// Everybody stops the same timers at the moment at which they expire: each is
// stopped by one, or runs.
func TestStopRacesExpiry(t *testing.T) {
	f := newFacility(t, Config{Granularity: 50 * time.Microsecond})
	const n = 20000
	var ran, stopped atomic.Int32
	timers := make([]Timer, n)
	var wg sync.WaitGroup
	for i := range timers {
		timers[i] = f.AfterFunc(time.Duration(i)*time.Microsecond, func() { ran.Add(1) })
	}
	for range 3 {
		wg.Go(func() {
			for _, tm := range timers {
				if tm.Stop() {
					stopped.Add(1)
				}
			}
		})
	}
	wg.Wait()
	for _, tm := range timers {
		tm.Wait(t.Context())
	}
	if got := ran.Load() + stopped.Load(); got != n {
		t.Errorf("%d ran + %d stopped are not %d", ran.Load(), stopped.Load(), n)
	}
}

func TestNoGoroutineLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		f, err := New(Config{})
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			f.AfterFunc(time.Hour, func() {})
			_, cancel := f.WithTimeout(context.Background(), time.Hour)
			defer cancel()
		}
		f.Close()
	}
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// Bounded work: when a million timers are due at one tick, no hold of a lock is
// longer than a module that is full, so that a Stop is not held up.
func TestMillionDueAtOnce(t *testing.T) {
	n := 1000000
	if raceEnabled || testing.Short() {
		n = 50000
	}
	var most counted
	cfg := Config{
		Run:    Inline,
		Shards: 1,
		Module: func(now timer.Tick) (timer.Timer[Task], error) {
			m, err := defaultModule(now)
			return countedModule{m.(*hierarchical.Wheel[Task]), &most}, err
		},
	}
	inBubble(t, cfg, func(t *testing.T, f *Facility) {
		ran := 0
		action := func(any) { ran++ }
		for range n {
			f.StartTimer(time.Hour, nil, action)
		}
		pause(2 * time.Hour)
		if ran != n {
			t.Errorf("%d of %d timers ran", ran, n)
		}
	})
	if most.held < cellSize || most.held > cellSize+64 {
		t.Errorf("a module held %d timers at a tick, want %d, to within 64", most.held, cellSize)
	}
	if most.expired != 1 {
		t.Errorf("%d timers expired under a lock, want 1, for what Run has not been given can be stopped", most.expired)
	}
}

// counted is the most that modules did under one hold of their lock.
type counted struct{ held, expired int }

type countedModule struct {
	*hierarchical.Wheel[Task]
	most *counted
}

func (m countedModule) PerTickBookkeeping() int {
	m.most.held = max(m.most.held, m.Len())
	return m.Wheel.PerTickBookkeeping()
}

func (m countedModule) ExpiryProcessing(limit int) int {
	n := m.Wheel.ExpiryProcessing(limit)
	m.most.expired = max(m.most.expired, n)
	return n
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	f := newFacility(t, Config{})
	id := new(int)
	action := func(any) {}
	function := func() {}
	tm := f.AfterFunc(time.Hour, function)
	for name, op := range map[string]func(){
		"AfterFunc+Stop":  func() { f.AfterFunc(time.Minute, function).Stop() },
		"StartTimer+Stop": func() { f.StartTimer(time.Minute, id, action).Stop() },
		"Reset":           func() { tm.Reset(time.Minute) },
		"Wait":            func() { tm.Wait(context.Background()) },
		"Len":             func() { f.Len() },
	} {
		if n := testing.AllocsPerRun(1000, op); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Idle: a million far timers do not wake the driver.
func TestIdleCost(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a million timers")
	}
	f := newFacility(t, Config{})
	for i := range 1000000 {
		f.AfterFunc(time.Hour+time.Duration(i)*time.Millisecond, nothing)
	}
	runtime.GC()
	time.Sleep(100 * time.Millisecond)
	before, wakeUps := cpuTime(), f.Stats().WakeUps
	time.Sleep(time.Second)
	used := cpuTime() - before
	t.Logf("%v of CPU in a second", used)
	if n := f.Stats().WakeUps - wakeUps; n > 0 || used > time.Second/2 { // the bound is for a driver that never sleeps
		t.Errorf("the driver woke %d times in a second with nothing to do, and %v of CPU were used", n, used)
	}
}

func TestRealClock(t *testing.T) {
	f := newFacility(t, Config{})
	begin := time.Now()
	var wg sync.WaitGroup
	for i := range 200 {
		d := time.Duration(i) * time.Millisecond / 2
		wg.Add(1)
		f.AfterFunc(d, func() {
			if took := time.Since(begin); took < d {
				t.Errorf("AfterFunc(%v) ran after %v", d, took)
			}
			wg.Done()
		})
	}
	wg.Wait()
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
