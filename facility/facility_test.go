package facility

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/timerfacility/timer"
	unordered "github.com/timerfacility/timer/scheme1_unordered"
	ordered "github.com/timerfacility/timer/scheme2_ordered"
	tree "github.com/timerfacility/timer/scheme3_tree"
	basic "github.com/timerfacility/timer/scheme4_basic"
	hashsorted "github.com/timerfacility/timer/scheme5_hashsorted"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// modules are what the facility is tested with: every scheme, a bounded one, and
// one that has none of the optional interfaces.
var modules = []struct {
	name string
	new  func(now timer.Tick) (timer.Timer[Task], error)
}{
	{"default", nil},
	{"scheme1", func(now timer.Tick) (timer.Timer[Task], error) {
		return unordered.New[Task](unordered.Config{Now: now})
	}},
	{"scheme2", func(now timer.Tick) (timer.Timer[Task], error) {
		return ordered.New[Task](ordered.Config{Now: now})
	}},
	{"scheme3", func(now timer.Tick) (timer.Timer[Task], error) {
		return tree.New[Task](tree.Config{Now: now})
	}},
	{"scheme4", func(now timer.Tick) (timer.Timer[Task], error) {
		return basic.New[Task](basic.Config{Now: now})
	}},
	{"scheme4overflow", func(now timer.Tick) (timer.Timer[Task], error) {
		return basic.New[Task](basic.Config{Now: now, Overflow: true})
	}},
	{"scheme5", func(now timer.Tick) (timer.Timer[Task], error) {
		return hashsorted.New[Task](hashsorted.Config{Now: now})
	}},
	{"scheme6", func(now timer.Tick) (timer.Timer[Task], error) {
		return hashunsorted.New[Task](hashunsorted.Config{Now: now})
	}},
	{"scheme7", func(now timer.Tick) (timer.Timer[Task], error) {
		return hierarchical.New[Task](hierarchical.Config{Now: now})
	}},
	{"scheme7short", func(now timer.Tick) (timer.Timer[Task], error) {
		return hierarchical.New[Task](hierarchical.Config{Now: now, Levels: []int{10, 10}})
	}},
	{"plain", func(now timer.Tick) (timer.Timer[Task], error) {
		m, err := ordered.New[Task](ordered.Config{Now: now})
		return plain{m}, err
	}},
}

// plain hides all of a module but the four routines.
type plain struct{ timer.Timer[Task] }

func newFacility(t testing.TB, cfg Config) *Facility {
	t.Helper()
	f, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// inBubble runs the test in zero real time.
func inBubble(t *testing.T, cfg Config, test func(t *testing.T, f *Facility)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		test(t, f)
	})
}

// withModules runs the test in zero real time with every module.
func withModules(t *testing.T, cfg Config, test func(t *testing.T, f *Facility)) {
	t.Helper()
	for _, m := range modules {
		t.Run(m.name, func(t *testing.T) {
			cfg := cfg
			cfg.Module = m.new
			inBubble(t, cfg, test)
		})
	}
}

// pause sleeps, and then until every other goroutine of the bubble waits.
func pause(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestExpiresAtFirstTickAfterDeadline(t *testing.T) {
	durations := []time.Duration{
		math.MinInt64, -time.Hour, -1, 0, 1, time.Microsecond,
		time.Millisecond - 1, time.Millisecond, time.Millisecond + 1,
		255 * time.Millisecond, 256 * time.Millisecond, 257 * time.Millisecond,
		4095 * time.Millisecond, 4096 * time.Millisecond, 4097 * time.Millisecond,
		9999999 * time.Nanosecond, time.Second, 70 * time.Second,
	}
	for _, start := range []time.Duration{0, 1, 999999, 5 * time.Second} {
		withModules(t, Config{}, func(t *testing.T, f *Facility) {
			time.Sleep(start)
			begin := time.Now()
			fired := make([]time.Duration, len(durations))
			for i, d := range durations {
				f.AfterFunc(d, func() { fired[i] = time.Since(begin) })
			}
			pause(2 * time.Minute)
			for i, d := range durations {
				least := max(d, 0)
				if got := fired[i]; got < least || got-least > time.Millisecond || got == 0 {
					t.Errorf("started at %v: AfterFunc(%v) ran after %v", start, d, got)
				} else if (start+got)%time.Millisecond != 0 {
					t.Errorf("started at %v: AfterFunc(%v) ran after %v, between ticks", start, d, got)
				}
			}
		})
	}
}

func TestLargestDurations(t *testing.T) {
	for _, g := range []time.Duration{1, 7, time.Millisecond, time.Hour, math.MaxInt64} {
		t.Run(g.String(), func(t *testing.T) {
			inBubble(t, Config{Granularity: g}, func(t *testing.T, f *Facility) {
				time.Sleep(3 * time.Second)
				for _, d := range []time.Duration{math.MaxInt64, math.MaxInt64 - 1, math.MaxInt64 - time.Duration(g) + 1} {
					tm := f.AfterFunc(d, func() { t.Errorf("AfterFunc(%v) ran", d) })
					time.Sleep(time.Second)
					if !tm.Reset(math.MaxInt64) || !tm.Reset(d) {
						t.Errorf("Reset(%v) of an outstanding timer is false", d)
					}
				}
				e := f.Every(math.MaxInt64, func() { t.Error("Every(MaxInt64) ran") })
				time.Sleep(time.Second)
				if !e.Stop() {
					t.Error("Stop of Every(MaxInt64) is false")
				}
				time.Sleep(100 * time.Hour)
				if f.Len() != 3 {
					t.Errorf("%d timers outstanding, want 3", f.Len())
				}
			})
		})
	}
}

func TestStartTimerGivesID(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		var got []any
		var mu sync.Mutex
		action := func(id any) { mu.Lock(); got = append(got, id); mu.Unlock() }
		f.StartTimer(time.Second, "a", action)
		f.StartTimer(2*time.Second, 7, action)
		f.StartTimer(3*time.Second, nil, action)
		pause(4 * time.Second)
		if want := []any{"a", 7, nil}; !slices.Equal(got, want) {
			t.Errorf("ids %v, want %v", got, want)
		}
	})
}

func TestStop(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		ran := 0
		for _, d := range []time.Duration{0, time.Millisecond, time.Second, time.Minute} {
			tm := f.AfterFunc(d, func() { ran++ })
			if !tm.Stop() {
				t.Errorf("first Stop of AfterFunc(%v) is false", d)
			}
			if tm.Stop() {
				t.Errorf("second Stop of AfterFunc(%v) is true", d)
			}
			if tm.Reset(time.Second) {
				t.Errorf("Reset after Stop of AfterFunc(%v) is true", d)
			}
		}
		pause(time.Hour)
		if ran > 0 {
			t.Errorf("%d stopped timers ran", ran)
		}
		tm := f.AfterFunc(time.Second, func() { ran++ })
		pause(time.Minute)
		if ran != 1 || tm.Stop() || tm.Reset(time.Second) {
			t.Errorf("after expiry: ran %d, Stop %v, Reset %v", ran, tm.Stop(), tm.Reset(time.Second))
		}
		if s := f.Stats(); s.Starts != 5 || s.Stops != 4 || s.Expiries != 1 || f.Len() != 0 {
			t.Errorf("stats %+v", s)
		}
	})
}

func TestZeroTimer(t *testing.T) {
	var tm Timer
	if tm.Stop() || tm.Reset(time.Second) || tm.Wait(t.Context()) != nil {
		t.Error("the zero Timer is not stopped")
	}
}

func TestReset(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		var at time.Duration
		tm := f.AfterFunc(10*time.Second, func() { at = time.Since(begin) })
		for _, step := range []struct{ after, d time.Duration }{
			{0, time.Minute},                              // out
			{time.Second, time.Second},                    // in
			{time.Second - 1, 30 * time.Second},           // out, just before
			{20 * time.Second, 5 * time.Millisecond},      // in
			{4 * time.Millisecond, 20 * time.Millisecond}, // out
			{time.Millisecond, 20 * time.Millisecond},
			{0, 20 * time.Millisecond}, // the same tick again
		} {
			pause(step.after)
			if at != 0 {
				t.Fatalf("ran at %v", at)
			}
			if !tm.Reset(step.d) {
				t.Fatalf("Reset(%v) is false", step.d)
			}
		}
		want := time.Since(begin) + 20*time.Millisecond
		pause(time.Hour)
		if at < want || at > want+time.Millisecond {
			t.Errorf("ran at %v, want %v", at, want)
		}
		if tm.Reset(time.Second) {
			t.Error("Reset after expiry is true")
		}
	})
}

// A timer that is due in its module, and whose turn has not come, can be stopped
// and reset.
func TestResetDue(t *testing.T) {
	inBubble(t, Config{Run: Inline, Shards: 1}, func(t *testing.T, f *Facility) {
		var b, c Timer
		var got []string
		f.AfterFunc(time.Second, func() {
			pause(10 * time.Millisecond)
			got = append(got, fmt.Sprint("a: stop ", b.Stop(), " reset ", c.Reset(time.Second)))
		})
		b = f.AfterFunc(time.Second, func() { got = append(got, "b") })
		c = f.AfterFunc(time.Second, func() { got = append(got, "c") })
		f.Len() // for the race detector: the actions read b and c after this
		pause(1500 * time.Millisecond)
		if want := []string{"a: stop true reset true"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		f.Len() // for the race detector again
		pause(time.Second)
		if got[len(got)-1] != "c" {
			t.Errorf("got %q, want c in the end", got)
		}
	})
}

func TestEvery(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		var at []time.Duration
		tm := f.Every(7500*time.Microsecond, func() { at = append(at, time.Since(begin)) })
		pause(time.Second + 500*time.Microsecond)
		if f.Len() != 1 {
			t.Errorf("Len %d, want 1", f.Len())
		}
		if !tm.Stop() || tm.Stop() {
			t.Error("Stop is not true once")
		}
		if f.Len() != 0 {
			t.Errorf("Len %d, want 0", f.Len())
		}
		pause(time.Second)
		if len(at) != 133 {
			t.Errorf("ran %d times, want 133", len(at))
		}
		for i, got := range at {
			want := time.Duration(i+1) * 7500 * time.Microsecond
			if got < want || got >= want+time.Millisecond {
				t.Fatalf("run %d at %v, want %v: the phase is lost", i, got, want)
			}
		}
	})
}

func TestEveryMergesMissedPeriods(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		var at []time.Duration
		running := 0
		f.Every(10*time.Millisecond, func() {
			running++
			if running > 1 {
				t.Error("an action runs beside itself")
			}
			at = append(at, time.Since(begin))
			if len(at) == 2 {
				time.Sleep(35 * time.Millisecond)
			}
			running--
		})
		pause(85 * time.Millisecond)
		ms := time.Millisecond
		if want := []time.Duration{10 * ms, 20 * ms, 60 * ms, 70 * ms, 80 * ms}; !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
	})
}

func TestEveryStopInOwnAction(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		n := 0
		var tm Timer
		tm = f.Every(10*time.Millisecond, func() {
			if n++; n == 3 {
				if !tm.Stop() || tm.Stop() {
					t.Error("Stop in its own action is not true once")
				}
				if f.Len() != 0 {
					t.Errorf("Len %d after Stop", f.Len())
				}
			}
		})
		f.Len()
		pause(time.Second)
		if n != 3 {
			t.Errorf("ran %d times, want 3", n)
		}
		// And another timer is none the worse.
		f.AfterFunc(time.Millisecond, func() { n = 0 })
		pause(time.Second)
		if n != 0 || tm.Reset(time.Millisecond) {
			t.Error("the stopped timer lives on")
		}
	})
}

func TestEveryReset(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		var at []time.Duration
		var tm Timer
		tm = f.Every(10*time.Millisecond, func() {
			at = append(at, time.Since(begin))
			if len(at) == 2 && !tm.Reset(33*time.Millisecond) {
				t.Error("Reset in its own action is false")
			}
		})
		f.Len()
		pause(65 * time.Millisecond)
		if !tm.Reset(20 * time.Millisecond) {
			t.Error("Reset is false")
		}
		pause(31 * time.Millisecond)
		ms := time.Millisecond
		if want := []time.Duration{10 * ms, 20 * ms, 53 * ms, 63 * ms, 85 * ms, 95 * ms}; !slices.Equal(at, want) {
			t.Errorf("ran at %v, want %v", at, want)
		}
	})
}

func TestEveryShortPeriods(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, f *Facility) {
		var n [3]int
		for i, period := range []time.Duration{-1, 0, 100 * time.Microsecond} {
			f.Every(period, func() { n[i]++ })
		}
		pause(100*time.Millisecond + 1)
		if n != [3]int{100, 100, 100} {
			t.Errorf("ran %v times in 100 ticks", n)
		}
	})
}

func TestAfter(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		got := <-f.After(time.Second)
		if d := got.Sub(begin); d < time.Second || d > time.Second+time.Millisecond {
			t.Errorf("sent %v later", d)
		}
		late := f.After(time.Second)
		pause(time.Minute)
		if got := <-late; time.Since(got) < 50*time.Second {
			t.Error("the time sent is that of the receive")
		}
	})
}

func TestSleep(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		if err := f.Sleep(t.Context(), time.Second); err != nil || time.Since(begin) < time.Second {
			t.Errorf("Sleep: %v after %v", err, time.Since(begin))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin = time.Now()
		if err := f.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("Sleep: %v after %v", err, time.Since(begin))
		}
		if err := f.Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep with a context that is done: %v", err)
		}
		if f.Len() != 0 {
			t.Errorf("%d timers left", f.Len())
		}
	})
}

func TestClose(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		var timers []Timer
		for _, d := range []time.Duration{0, time.Second, time.Hour, math.MaxInt64} {
			timers = append(timers, f.AfterFunc(d, func() { t.Errorf("AfterFunc(%v) ran", d) }))
		}
		timers = append(timers, f.Every(time.Second, func() { t.Error("Every ran") }))
		after := f.After(time.Hour)
		slept := make(chan error, 1)
		go func() { slept <- f.Sleep(context.Background(), time.Hour) }()
		ctx, cancel := f.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		synctest.Wait()

		if got := f.Close(); got != 8 {
			t.Errorf("Close: %d pending, want 8", got)
		}
		if _, ok := <-after; ok {
			t.Error("After sent at Close")
		}
		if err := <-slept; err != ErrClosed {
			t.Errorf("Sleep: %v", err)
		}
		<-ctx.Done()
		if ctx.Err() != context.Canceled || context.Cause(ctx) != ErrClosed {
			t.Errorf("context: %v, cause %v", ctx.Err(), context.Cause(ctx))
		}
		for _, tm := range timers {
			if tm.Stop() || tm.Reset(time.Second) || tm.Wait(t.Context()) != nil {
				t.Error("a timer outlived its facility")
			}
		}

		if f.AfterFunc(0, func() {}) != (Timer{}) || f.StartTimer(0, 1, func(any) {}) != (Timer{}) || f.Every(1, func() {}) != (Timer{}) {
			t.Error("a start on a closed facility is not refused")
		}
		if _, ok := <-f.After(0); ok {
			t.Error("After on a closed facility sends")
		}
		if err := f.Sleep(context.Background(), 0); err != ErrClosed {
			t.Errorf("Sleep on a closed facility: %v", err)
		}
		ctx, cancel = f.WithTimeout(context.Background(), time.Second)
		cancel()
		if ctx.Err() != context.Canceled || context.Cause(ctx) != ErrClosed {
			t.Errorf("context of a closed facility: %v, cause %v", ctx.Err(), context.Cause(ctx))
		}
		if f.Close() != 0 || f.Len() != 0 {
			t.Error("a second Close finds timers")
		}
		pause(2 * time.Hour)
	})
}

func TestCloseInAction(t *testing.T) {
	for _, run := range []func(func()){nil, Inline, func(action func()) { go action() }} {
		inBubble(t, Config{Run: run}, func(t *testing.T, f *Facility) {
			ran := false
			f.AfterFunc(time.Second, func() { t.Log(f.Close()); ran = true })
			f.AfterFunc(2*time.Second, func() { t.Error("ran after Close") })
			pause(time.Minute)
			if !ran {
				t.Error("Close in an action does not return")
			}
		})
	}
}

// Close does not return between the moment from which an action is counted and
// the call of that action; and an action that goes on does not hold it up.
func TestCloseAwaitsEntry(t *testing.T) {
	f := newFacility(t, Config{})
	c := (*f.cells.Load())[0]
	c.mu.Lock()
	k := c.newCall(Task{seq: 1}, func(any) {})
	k.state = begun
	c.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		f.Close()
		close(closed)
	}()
	select {
	case <-closed:
		t.Error("Close returns before the action is called")
	case <-time.After(50 * time.Millisecond):
	}
	k.enter()
	<-closed
}

// An action that never gives way does not hold Close up for longer than a moment and the
// slice of the scheduler in which that ends.
func TestCloseBesideBusyAction(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f := newFacility(t, Config{})
	var stop atomic.Bool
	started := make(chan struct{})
	f.AfterFunc(0, func() {
		close(started)
		for begin := time.Now(); !stop.Load() && time.Since(begin) < 10*time.Second; {
		}
	})
	<-started
	f.Close()
	c := (*f.cells.Load())[0]
	c.mu.Lock()
	goesOn := c.calls.get(1) != nil
	c.mu.Unlock()
	if !goesOn {
		t.Error("Close returns after an action of ten seconds")
	}
	stop.Store(true)
}

// In a bubble no time passes while an action waits for a mutex, whose owner may be in
// Close.
func TestCloseUnderMutex(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, f *Facility) {
		var mu sync.Mutex // guards ran
		ran := false
		started := make(chan struct{})
		f.AfterFunc(time.Second, func() {
			close(started)
			mu.Lock()
			defer mu.Unlock()
			ran = true
		})
		mu.Lock()
		<-started
		before := time.Now()
		f.Close()
		if took := time.Since(before); took > 0 {
			t.Errorf("Close takes %v of the bubble's time", took)
		}
		mu.Unlock()
		synctest.Wait()
		if !ran {
			t.Error("the action does not go on after Close")
		}
	})
}

// A Close that is not the first does not return before no action is called any more:
// here the first cannot get on, for somebody has the lock of a cell.
func TestConcurrentClose(t *testing.T) {
	f := newFacility(t, Config{})
	c := (*f.cells.Load())[0]
	c.mu.Lock()
	var returned atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			f.Close()
			returned.Add(1)
		})
	}
	time.Sleep(50 * time.Millisecond)
	if returned.Load() > 0 {
		t.Error("a Close returns while the other has not closed the cells")
	}
	c.mu.Unlock()
	wg.Wait()
}

// Actions that have been handed over and have not begun do not start after
// Close, and are pending; until then they can be stopped.
func TestHandedOver(t *testing.T) {
	withModules(t, Config{Run: func(func()) {}, Shards: 1}, func(t *testing.T, f *Facility) {
		var queue []func()
		f.config.Run = func(action func()) { queue = append(queue, action) }
		ran := 0
		var timers []Timer
		for range 5 {
			timers = append(timers, f.AfterFunc(time.Second, func() { ran++ }))
		}
		f.Every(time.Second, func() { ran++ })
		pause(2 * time.Second)
		if len(queue) != 6 || f.Len() != 6 {
			t.Fatalf("%d handed over, Len %d, want 6", len(queue), f.Len())
		}
		if !timers[1].Stop() || timers[1].Stop() || f.Len() != 5 {
			t.Error("a timer whose action is in the queue cannot be stopped once")
		}
		if timers[2].Reset(time.Second) {
			t.Error("a timer whose action is in the queue can be reset")
		}
		queue[0]()
		queue[1]()
		queue[0]() // once more
		if ran != 1 || f.Len() != 4 {
			t.Errorf("ran %d, Len %d, want 1, 4", ran, f.Len())
		}
		waited := make(chan error, 1)
		go func() { waited <- timers[2].Wait(context.Background()) }()
		synctest.Wait()
		if got := f.Close(); got != 4 {
			t.Errorf("Close: %d pending, want 4", got)
		}
		if err := <-waited; err != nil {
			t.Errorf("Wait: %v", err)
		}
		for _, action := range queue {
			action()
		}
		if ran != 1 {
			t.Errorf("%d actions ran after Close", ran-1)
		}
	})
}

func TestWait(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		release := make(chan bool)
		tm := f.AfterFunc(time.Second, func() { <-release })
		other := f.AfterFunc(time.Second, func() {})
		if err := tm.Wait(t.Context()); err != nil {
			t.Errorf("Wait before expiry: %v", err)
		}
		pause(2 * time.Second)
		if tm.Stop() {
			t.Error("Stop of a running action is true")
		}
		if err := other.Wait(t.Context()); err != nil {
			t.Errorf("Wait for another: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := tm.Wait(ctx); err != context.DeadlineExceeded {
			t.Errorf("Wait while it runs: %v", err)
		}
		var done atomic.Int32
		for range 3 {
			go func() { tm.Wait(context.Background()); done.Add(1) }()
		}
		synctest.Wait()
		if done.Load() > 0 {
			t.Error("Wait did not wait")
		}
		f.Close() // does not wait, and Wait outlives it
		release <- true
		synctest.Wait()
		if done.Load() != 3 {
			t.Error("Wait did not return")
		}
		if err := tm.Wait(t.Context()); err != nil {
			t.Errorf("Wait after the action: %v", err)
		}
	})
}

func TestPanic(t *testing.T) {
	for name, run := range map[string]func(func()){"goroutine": nil, "inline": Inline} {
		t.Run(name, func(t *testing.T) {
			var got []any
			var mu sync.Mutex
			cfg := Config{Run: run, OnPanic: func(r any) { mu.Lock(); got = append(got, r); mu.Unlock() }}
			withModules(t, cfg, func(t *testing.T, f *Facility) {
				got = nil
				ran := 0
				tm := f.AfterFunc(time.Second, func() { panic("one") })
				f.AfterFunc(time.Second+time.Millisecond, func() { ran++ })
				e := f.Every(2*time.Second, func() { panic("every") })
				pause(5 * time.Second)
				e.Stop()
				if tm.Wait(t.Context()) != nil || tm.Stop() {
					t.Error("the timer has not been spent")
				}
				if want := []any{"one", "every", "every"}; !slices.Equal(got, want) || ran != 1 {
					t.Errorf("recovered %v, ran %d", got, ran)
				}
			})
		})
	}
}

func TestGoexit(t *testing.T) {
	for name, run := range map[string]func(func()){"goroutine": nil, "inline": Inline} {
		t.Run(name, func(t *testing.T) {
			withModules(t, Config{Run: run}, func(t *testing.T, f *Facility) {
				var ran atomic.Int32
				f.Every(time.Second, func() { ran.Add(1); runtime.Goexit() })
				f.AfterFunc(time.Second, func() { ran.Add(1); runtime.Goexit() })
				f.AfterFunc(time.Second, func() { ran.Add(1) })
				pause(1500 * time.Millisecond)
				if ran.Load() != 3 {
					t.Errorf("ran %d actions, want 3", ran.Load())
				}
				pause(time.Second)
				if ran.Load() != 4 {
					t.Errorf("ran %d actions, want 4", ran.Load())
				}
			})
		})
	}
}

// After a pause every timer runs, in the order of deadlines, and later ones at
// their own time: no drift.
func TestCatchUp(t *testing.T) {
	withModules(t, Config{Run: Inline, Shards: 3}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		type run struct{ due, at time.Duration }
		var runs []run
		f.AfterFunc(time.Millisecond, func() { time.Sleep(5 * time.Second) }) // the pause
		const n = 1000
		for i := range n {
			due := time.Duration((i*7919)%n+2) * 10 * time.Millisecond
			f.AfterFunc(due, func() { runs = append(runs, run{due, time.Since(begin)}) })
		}
		pause(time.Minute)
		if len(runs) != n {
			t.Fatalf("%d timers ran, want %d", len(runs), n)
		}
		for i, r := range runs {
			if i > 0 && r.due < runs[i-1].due {
				t.Fatalf("timer of %v ran after that of %v", r.due, runs[i-1].due)
			}
			if want := max(r.due, 5*time.Second+time.Millisecond); r.at != want {
				t.Fatalf("timer of %v ran at %v, want %v", r.due, r.at, want)
			}
		}
	})
}

// A slow action delays no other, unless Inline was chosen.
func TestSlowAction(t *testing.T) {
	withModules(t, Config{}, func(t *testing.T, f *Facility) {
		begin := time.Now()
		for range 200 {
			f.AfterFunc(time.Second, func() { time.Sleep(time.Hour) })
		}
		var at time.Duration
		f.AfterFunc(2*time.Second, func() { at = time.Since(begin) })
		pause(3 * time.Second)
		if at != 2*time.Second {
			t.Errorf("ran at %v", at)
		}
		pause(2 * time.Hour)
	})
}

// Actions of one tick may wait for each other, however many they are.
func TestActionsMayWaitForEachOther(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, f *Facility) {
		const n = 1000
		var all sync.WaitGroup
		all.Add(n)
		var through atomic.Int32
		for range n {
			f.AfterFunc(time.Second, func() {
				all.Done()
				all.Wait()
				through.Add(1)
			})
		}
		pause(2 * time.Second)
		if through.Load() != n {
			t.Errorf("%d of %d actions came through", through.Load(), n)
		}
	})
}

// What waits to run keeps no memory once it has run.
func TestRunnerMemory(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, f *Facility) {
		for range 20 {
			for range 5000 {
				f.AfterFunc(0, nothing)
			}
			pause(time.Second)
		}
		if n := cap(f.runner.calls); n > maxWaiting {
			t.Errorf("room for %d calls, with none waiting", n)
		}
	})
}

func TestActionsMayCallAnything(t *testing.T) {
	for name, run := range map[string]func(func()){"goroutine": nil, "inline": Inline} {
		t.Run(name, func(t *testing.T) {
			withModules(t, Config{Run: run}, func(t *testing.T, f *Facility) {
				done := false
				var tm Timer
				tm = f.AfterFunc(time.Second, func() {
					if tm.Stop() || tm.Reset(time.Second) {
						t.Error("a running timer is outstanding")
					}
					f.AfterFunc(0, func() { done = true }).Reset(time.Second)
					f.Every(time.Second, func() {}).Stop()
					f.After(time.Second)
					_, cancel := f.WithTimeout(context.Background(), time.Second)
					cancel()
					f.Len()
					f.Stats()
				})
				f.Len()
				pause(5 * time.Second)
				if !done {
					t.Error("a timer started in an action did not run")
				}
			})
		})
	}
}

// The driver sleeps from event to event, and does not wake with nothing
// outstanding.
func TestTickless(t *testing.T) {
	inBubble(t, Config{}, func(t *testing.T, f *Facility) {
		check := func(what string, most uint64) {
			t.Helper()
			before := f.Stats().WakeUps
			pause(24 * time.Hour)
			if got := f.Stats().WakeUps - before; got > most {
				t.Errorf("%s: %d wake-ups in a day, want at most %d", what, got, most)
			}
		}
		check("nothing outstanding", 0)
		tm := f.AfterFunc(100*time.Hour, func() {})
		check("one far timer", 1) // the start
		tm.Stop()
		check("nothing outstanding again", 1)
		for range 1000 {
			f.AfterFunc(time.Hour, func() {})
		}
		check("a thousand at one tick", 20)
		check("nothing outstanding at last", 0)
	})
}

func TestStatsLateness(t *testing.T) {
	withModules(t, Config{Run: Inline}, func(t *testing.T, f *Facility) {
		f.AfterFunc(time.Second, func() { time.Sleep(100 * time.Millisecond) })
		f.AfterFunc(time.Second+50*time.Millisecond, func() {}) // 50 ms late
		f.AfterFunc(2*time.Second, func() {})
		pause(3 * time.Second)
		s := f.Stats()
		if s.Lateness.Count() != 3 || s.Expiries != 3 || s.Starts != 3 {
			t.Errorf("stats %+v", s)
		}
		if q := s.Lateness.Quantile(0.5); q > 2*time.Microsecond {
			t.Errorf("median lateness %v", q)
		}
		if q := s.Lateness.Quantile(1); q < 50*time.Millisecond || q > 100*time.Millisecond {
			t.Errorf("largest lateness %v", q)
		}
	})
	if (&Histogram{}).Quantile(0.5) != 0 {
		t.Error("a quantile of nothing")
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Granularity: -1}, "Granularity -1ns"},
		{Config{Shards: -1}, "Shards -1 is not from 1 to 65536"},
		{Config{Shards: 1 << 20}, "Shards 1048576"},
		{Config{Module: func(timer.Tick) (timer.Timer[Task], error) { return nil, errors.New("no such wheel") }}, "Module: no such wheel"},
		{Config{Module: func(timer.Tick) (timer.Timer[Task], error) { return nil, nil }}, "no module"},
		{Config{Module: func(now timer.Tick) (timer.Timer[Task], error) {
			return ordered.New[Task](ordered.Config{Now: now + 5})
		}}, "clock at 5, not at 0"},
	} {
		f, err := New(c.cfg)
		if f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v): %v, want %q", c.cfg, err, c.want)
		}
	}
}

func TestNilActionPanics(t *testing.T) {
	f := newFacility(t, Config{})
	for name, start := range map[string]func(){
		"AfterFunc":  func() { f.AfterFunc(0, nil) },
		"StartTimer": func() { f.StartTimer(0, 1, nil) },
		"Every":      func() { f.Every(1, nil) },
	} {
		func() {
			defer func() {
				if r := recover(); r != "facility: "+name+" with a nil action" {
					t.Errorf("%s: %v", name, r)
				}
			}()
			start()
		}()
	}
}

// More timers than a cell holds go to further cells, and all of them run.
func TestManyCells(t *testing.T) {
	const n = 5 * cellSize
	inBubble(t, Config{Shards: 2}, func(t *testing.T, f *Facility) {
		var ran atomic.Int32
		action := func(any) { ran.Add(1) }
		for round := range 3 {
			ran.Store(0)
			timers := make([]Timer, n)
			for i := range timers {
				timers[i] = f.StartTimer(time.Duration(i%1000)*time.Millisecond+time.Second, nil, action)
			}
			if f.Len() != n {
				t.Fatalf("round %d: Len %d", round, f.Len())
			}
			stopped := 0
			for i := 0; i < n; i += 3 {
				if timers[i].Stop() {
					stopped++
				}
			}
			pause(time.Minute)
			if got := int(ran.Load()) + stopped; got != n || f.Len() != 0 {
				t.Fatalf("round %d: %d ran, %d stopped, %d left of %d", round, ran.Load(), stopped, f.Len(), n)
			}
		}
		if cells := len(*f.cells.Load()); cells > 8 {
			t.Errorf("%d cells for %d timers: they are not used again", cells, n)
		}
	})
}
