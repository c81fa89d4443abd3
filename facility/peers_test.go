package facility

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestPeerDefects has a test for each defect that was found in a timer library
// for Go, or reported by its users, under the name of the library.
func TestPeerDefects(t *testing.T) {
	bubble := func(name string, test func(t *testing.T, f *Facility)) {
		t.Run(name, func(t *testing.T) { inBubble(t, Config{}, test) })
	}
	second := time.Second

	bubble("antlabs wheel: Reset to the same slot deadlocks", func(t *testing.T, f *Facility) {
		ran := 0
		tm := f.AfterFunc(second, func() { ran++ })
		for range 10 {
			if !tm.Reset(second) {
				t.Fatal("Reset is false")
			}
		}
		pause(2 * second)
		if ran != 1 {
			t.Errorf("ran %d times", ran)
		}
	})
	bubble("antlabs wheel: Reset after Stop returns true and never fires", func(t *testing.T, f *Facility) {
		tm := f.AfterFunc(second, func() { t.Error("ran") })
		if !tm.Stop() || tm.Reset(second) {
			t.Error("Reset after Stop is true")
		}
		pause(time.Hour)
	})
	t.Run("antlabs wheel: a start that races the tick fires a lap late", func(t *testing.T) {
		f := newFacility(t, Config{})
		var late, ran atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 500 {
					for range 10 {
						begin := time.Now()
						f.AfterFunc(0, func() {
							if ran.Add(1); time.Since(begin) > second {
								late.Add(1)
							}
						})
					}
					time.Sleep(100 * time.Microsecond) // let ticks pass between
				}
			})
		}
		wg.Wait()
		for end := time.Now().Add(5 * second); ran.Load() < 20000 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if ran.Load() != 20000 || late.Load() > 0 {
			t.Errorf("of 20000 timers %d ran, %d over a second late", ran.Load(), late.Load())
		}
	})
	bubble("antlabs wheel: a custom timer is a stub, and Stop panics", func(t *testing.T, f *Facility) {
		ran := 0
		action := func(any) { ran++ }
		for _, tm := range []Timer{f.AfterFunc(second, nothing), f.StartTimer(second, 1, action), f.Every(second, nothing), {}} {
			tm.Stop()
			tm.Stop()
		}
		f.StartTimer(second, nil, action)
		pause(2 * second)
		if ran != 1 {
			t.Errorf("ran %d times", ran)
		}
	})
	bubble("antlabs heap: Stop of a fired timer removes another, Stop twice panics", func(t *testing.T, f *Facility) {
		old := make([]Timer, 1000)
		for i := range old {
			old[i] = f.AfterFunc(second, nothing)
		}
		pause(2 * second)
		ran := new(atomic.Int32)
		for range 1000 { // in the same records
			f.AfterFunc(second, func() { ran.Add(1) })
		}
		for _, tm := range old {
			for range 2 {
				if tm.Stop() || tm.Reset(time.Hour) {
					t.Fatal("a fired timer is outstanding")
				}
			}
		}
		pause(2 * second)
		if ran.Load() != 1000 {
			t.Errorf("%d of 1000 unrelated timers ran", ran.Load())
		}
	})
	t.Run("antlabs heap: crashes in ordinary concurrent use", func(t *testing.T) {
		stress(t, newFacility(t, Config{}), 100*time.Millisecond)
	})
	t.Run("thinkgos: Stop deadlocks with the wheel", func(t *testing.T) {
		f := newFacility(t, Config{Granularity: 50 * time.Microsecond})
		done := make(chan bool)
		go func() {
			for i := range 20000 {
				tm := f.AfterFunc(time.Duration(i%4)*50*time.Microsecond, nothing)
				if i%16 == 0 {
					time.Sleep(50 * time.Microsecond)
				}
				tm.Stop()
			}
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(20 * second):
			t.Fatal("deadlock")
		}
	})
	bubble("singchia: a timer of zero kills the process", func(t *testing.T, f *Facility) {
		var ran atomic.Int32
		for _, d := range []time.Duration{0, -1, -1 << 63} {
			f.AfterFunc(d, func() { ran.Add(1) })
			f.AfterFunc(second, nothing).Reset(d)
		}
		pause(time.Millisecond)
		if ran.Load() != 3 || f.Len() != 0 {
			t.Errorf("%d of 3 ran, %d left", ran.Load(), f.Len())
		}
	})
	bubble("ouqiang: an interval under a second divides by zero", func(t *testing.T, f *Facility) {
		for _, g := range []time.Duration{1, time.Microsecond, 999 * time.Millisecond, 7 * second} {
			f, err := New(Config{Granularity: g})
			if err != nil {
				t.Fatal(err)
			}
			begin, took := time.Now(), time.Duration(0)
			f.AfterFunc(1500*time.Microsecond, func() { took = time.Since(begin) })
			pause(10 * second)
			if took < 1500*time.Microsecond || took > 1500*time.Microsecond+g {
				t.Errorf("granularity %v: ran after %v", g, took)
			}
			f.Close()
		}
	})
	t.Run("rfyiamcool: resets of one timer keep memory", func(t *testing.T) {
		f := newFacility(t, Config{})
		tm := f.AfterFunc(time.Minute, nothing)
		noGrowth(t, func() { tm.Reset(time.Minute) })
	})
	t.Run("rfyiamcool: a pool of wheels panics", func(t *testing.T) {
		for _, shards := range []int{1, 2, 3, 7, 64} {
			f := newFacility(t, Config{Shards: shards})
			var wg sync.WaitGroup
			wg.Add(100)
			for range 100 {
				f.AfterFunc(0, wg.Done)
			}
			wg.Wait()
		}
	})
	t.Run("go-zero: a timer set and removed stays in memory", func(t *testing.T) {
		f := newFacility(t, Config{})
		noGrowth(t, func() { f.AfterFunc(time.Hour, nothing).Stop() })
	})
	bubble("go-zero: a move below one interval fires twice", func(t *testing.T, f *Facility) {
		var ran atomic.Int32
		for d := range 5 {
			tm := f.AfterFunc(10*time.Millisecond, func() { ran.Add(1) })
			pause(300 * time.Microsecond)
			tm.Reset(time.Duration(d) * 250 * time.Microsecond)
		}
		pause(second)
		if ran.Load() != 5 {
			t.Errorf("5 timers ran %d times", ran.Load())
		}
	})
	bubble("siddontang time2: stopped timers fire", func(t *testing.T, f *Facility) {
		timers := make([]Timer, 1000)
		for i := range timers {
			timers[i] = f.AfterFunc(time.Duration(i%10)*second, func() { t.Error("a stopped timer ran") })
		}
		for _, tm := range timers {
			if !tm.Stop() {
				t.Error("Stop is false")
			}
		}
		pause(time.Minute)
	})
	t.Run("gost: starts and stops of a burst are dropped", func(t *testing.T) {
		f := newFacility(t, Config{})
		var ran atomic.Int32
		timers := make([]Timer, 20000)
		for i := range timers {
			if timers[i] = f.AfterFunc(50*time.Millisecond, func() { ran.Add(1) }); timers[i] == (Timer{}) {
				t.Fatal("a start was dropped")
			}
		}
		stopped := 0
		for _, tm := range timers[:10000] {
			if tm.Stop() {
				stopped++
			}
		}
		for _, tm := range timers[10000:] {
			tm.Reset(0)
		}
		for end := time.Now().Add(5 * second); f.Len() > 0 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		for _, tm := range timers {
			tm.Wait(t.Context())
		}
		if int(ran.Load())+stopped != len(timers) {
			t.Errorf("%d ran, %d stopped", ran.Load(), stopped)
		}
	})
	bubble("kelindar: blocks for ever at 100000 timers", func(t *testing.T, f *Facility) {
		var ran atomic.Int32
		for range 150000 {
			f.AfterFunc(second, func() { ran.Add(1) })
		}
		pause(2 * second)
		if ran.Load() != 150000 {
			t.Errorf("%d ran", ran.Load())
		}
	})
	t.Run("RussellLuo: a flush deadlocks on its own bucket", func(t *testing.T) {
		// Actions that start and reset timers of the tick that is expiring.
		for _, run := range []func(func()){nil, Inline} {
			inBubble(t, Config{Run: run, Shards: 1}, func(t *testing.T, f *Facility) {
				var ran atomic.Int32
				var action func(any)
				action = func(id any) {
					if ran.Add(1); id.(int) > 0 {
						f.StartTimer(0, id.(int)-1, action)
						f.StartTimer(second, 0, action).Reset(0)
					}
				}
				f.StartTimer(0, 300, action)
				pause(time.Minute)
				if ran.Load() != 601 {
					t.Errorf("%d of 601 ran", ran.Load())
				}
			})
		}
	})
	bubble("RussellLuo: Stop while timers move between wheels", func(t *testing.T, f *Facility) {
		// Timers migrate at the end of a level's turn; stop just before, at and
		// after it.
		turn := 256 * time.Millisecond
		timers := make([]Timer, 300)
		for i := range timers {
			timers[i] = f.AfterFunc(2*turn+time.Duration(i)*time.Millisecond, func() { t.Error("a stopped timer ran") })
		}
		time.Sleep(2*turn - time.Millisecond)
		for i, tm := range timers {
			if i%100 == 0 {
				time.Sleep(time.Millisecond / 2)
			}
			if !tm.Stop() {
				t.Fatalf("Stop of timer %d is false", i)
			}
		}
		pause(time.Minute)
	})
	bubble("RussellLuo: a start blocks after the wheel has stopped", func(t *testing.T, f *Facility) {
		f.Close()
		for range 1000 {
			if f.AfterFunc(second, nothing) != (Timer{}) {
				t.Fatal("a closed facility starts timers")
			}
		}
	})
	bubble("RussellLuo: all timers stop after many cycles", func(t *testing.T, f *Facility) {
		n := 0
		f.Every(time.Millisecond, func() { n++ })
		pause(100*second + time.Microsecond)
		if n != 100000 {
			t.Errorf("ran %d times in 100000 cycles", n)
		}
	})
	t.Run("RussellLuo, thinkgos, antlabs, gost, taskwheel: timers stall or burst when the system clock is set", func(t *testing.T) {
		// Every reading of the clock is a difference of two monotonic readings:
		// a base without one would not survive this.
		f := newFacility(t, Config{})
		if f.base == f.base.Round(0) {
			t.Error("the base of the clock has no monotonic reading")
		}
	})
	bubble("rfyiamcool: a blocked tick generator panics", func(t *testing.T, f *Facility) {
		var ran atomic.Int32
		g, err := New(Config{Run: Inline})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		g.AfterFunc(0, func() { time.Sleep(time.Hour) })
		for i := range 100 {
			g.AfterFunc(time.Duration(i)*time.Minute/2, func() { ran.Add(1) })
		}
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		if ran.Load() != 100 {
			t.Errorf("%d of 100 ran after a long block", ran.Load())
		}
	})
}

// noGrowth runs op a million times and fails if that keeps memory.
func noGrowth(t *testing.T, op func()) {
	t.Helper()
	n := 1000000
	if raceEnabled {
		n = 100000
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	op()
	before := heap()
	for range n {
		op()
	}
	if after := heap(); after > before+256<<10 {
		t.Errorf("%d operations keep %d bytes", n, after-before)
	}
}
