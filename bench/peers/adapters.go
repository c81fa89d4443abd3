package main

import (
	"context"
	"time"

	timingwheel "github.com/RussellLuo/timingwheel"
	antlabs "github.com/antlabs/timer"
	libx "github.com/lib-x/timewheel"
	ouqiang "github.com/ouqiang/timewheel"
	rfyiamcool "github.com/rfyiamcool/go-timewheel"
	"github.com/siddontang/go/time2"
	singchia "github.com/singchia/go-timer/v2"
	"github.com/zeromicro/go-zero/core/collection"
)

// The configurations are those of each library's own README. What a library
// returns as an error is not looked at where it says no more than that the wheel
// has been closed.

// handles are what a library names timers by, under the caller's numbers.
type handles[Handle any] []Handle

// forget lets go of the handle of a timer that has ended.
func (h handles[Handle]) forget(i int) { clear(h[i : i+1]) }

// The timers of the standard library, on its heap for each processor.
type afterFunc struct {
	handles[*time.Timer]
	call func(int) func()
}

func openAfterFunc(n int, _ time.Duration, call func(int) func()) timers {
	return &afterFunc{make([]*time.Timer, n), call}
}

func (t *afterFunc) start(i int, d time.Duration) { t.handles[i] = time.AfterFunc(d, t.call(i)) }
func (t *afterFunc) stop(i int) bool              { return t.handles[i].Stop() }
func (t *afterFunc) reset(i int, d time.Duration) { t.handles[i].Reset(d) }
func (t *afterFunc) close()                       { stopAll(t.handles) }

// The same with a channel, which nobody receives from here: then the runtime
// keeps the timer off its heap.
type newTimer struct{ handles[*time.Timer] }

func openNewTimer(n int, _ time.Duration, _ func(int) func()) timers {
	return &newTimer{make([]*time.Timer, n)}
}

func (t *newTimer) start(i int, d time.Duration) { t.handles[i] = time.NewTimer(d) }
func (t *newTimer) stop(i int) bool              { return t.handles[i].Stop() }
func (t *newTimer) reset(i int, d time.Duration) { t.handles[i].Reset(d) }
func (t *newTimer) close()                       { stopAll(t.handles) }

func stopAll(timers []*time.Timer) {
	for _, t := range timers {
		if t != nil {
			t.Stop()
		}
	}
}

// Kafka's hierarchical wheel, with a heap of the buckets that hold timers.
type russellLuo struct {
	wheel *timingwheel.TimingWheel
	handles[*timingwheel.Timer]
	call func(int) func()
}

func openRussellLuo(n int, tick time.Duration, call func(int) func()) timers {
	w := timingwheel.NewTimingWheel(tick, 20)
	w.Start()
	return &russellLuo{w, make([]*timingwheel.Timer, n), call}
}

func (t *russellLuo) start(i int, d time.Duration) { t.handles[i] = t.wheel.AfterFunc(d, t.call(i)) }
func (t *russellLuo) stop(i int) bool              { return t.handles[i].Stop() }
func (t *russellLuo) close()                       { t.wheel.Stop() }

// A wheel after Linux before 4.8, and a heap, behind one interface.
type antlabsTimers struct {
	module antlabs.Timer
	handles[antlabs.TimeNoder]
	call func(int) func()
}

func openAntlabsWheel(n int, _ time.Duration, call func(int) func()) timers {
	return openAntlabs(n, call, antlabs.WithTimeWheel())
}

func openAntlabsHeap(n int, _ time.Duration, call func(int) func()) timers {
	return antlabsHeap{openAntlabs(n, call, antlabs.WithMinHeap())}
}

func openAntlabs(n int, call func(int) func(), o antlabs.Option) *antlabsTimers {
	m := antlabs.NewTimer(o)
	go m.Run()
	return &antlabsTimers{m, make([]antlabs.TimeNoder, n), call}
}

func (t *antlabsTimers) start(i int, d time.Duration) {
	t.handles[i] = t.module.AfterFunc(d, t.call(i))
}
func (t *antlabsTimers) stop(i int) bool { return t.handles[i].Stop() }
func (t *antlabsTimers) close()          { t.module.Stop() }

// antlabsHeap has a Reset that works; the wheel's locks itself out when a timer
// is moved within its slot.
type antlabsHeap struct{ *antlabsTimers }

// stop forgets the timer: to stop it twice would be out of the heap's bounds.
func (t antlabsHeap) stop(i int) bool {
	defer t.forget(i)
	return t.handles[i].Stop()
}

func (t antlabsHeap) reset(i int, d time.Duration) { t.handles[i].Reset(d) }

// close stops every timer first: the heap's goroutine waits for the last one. If
// one has expired, that is out of the heap's bounds, too; no measurement lasts so
// long.
func (t antlabsHeap) close() {
	for _, node := range t.handles {
		if node != nil {
			node.Stop()
		}
	}
	t.module.Stop()
}

// A wheel with rounds, behind a channel. Its slots last a second at least.
type ouqiangTimers struct{ wheel *ouqiang.TimeWheel }

func openOuqiang(_ int, tick time.Duration, call func(int) func()) timers {
	w := ouqiang.New(tick, 3600, func(data any) { call(data.(int))() })
	w.Start()
	return ouqiangTimers{w}
}

func (t ouqiangTimers) start(i int, d time.Duration) { t.wheel.AddTimer(d, i, i) }
func (t ouqiangTimers) stop(i int) bool              { t.wheel.RemoveTimer(i); return true }
func (t ouqiangTimers) close()                       { t.wheel.Stop() }

// A wheel of maps with rounds, under one mutex: as tasks, which are removed, and
// as timers like those of package time.
type rfyiamcoolTasks struct {
	wheel *rfyiamcool.TimeWheel
	handles[*rfyiamcool.Task]
	call func(int) func()
}

func openRfyiamcool(tick time.Duration) *rfyiamcool.TimeWheel {
	w, err := rfyiamcool.NewTimeWheel(tick, 360)
	if err != nil {
		panic(err)
	}
	w.Start()
	return w
}

func openRfyiamcoolTasks(n int, tick time.Duration, call func(int) func()) timers {
	return &rfyiamcoolTasks{openRfyiamcool(tick), make([]*rfyiamcool.Task, n), call}
}

func (t *rfyiamcoolTasks) start(i int, d time.Duration) { t.handles[i] = t.wheel.Add(d, t.call(i)) }
func (t *rfyiamcoolTasks) stop(i int) bool              { return t.wheel.Remove(t.handles[i]) == nil }
func (t *rfyiamcoolTasks) close()                       { t.wheel.Stop() }

type rfyiamcoolTimers struct {
	wheel *rfyiamcool.TimeWheel
	handles[*rfyiamcool.Timer]
	call func(int) func()
}

func openRfyiamcoolTimers(n int, tick time.Duration, call func(int) func()) timers {
	return &rfyiamcoolTimers{openRfyiamcool(tick), make([]*rfyiamcool.Timer, n), call}
}

func (t *rfyiamcoolTimers) start(i int, d time.Duration) {
	t.handles[i] = t.wheel.AfterFunc(d, t.call(i))
}
func (t *rfyiamcoolTimers) stop(i int) bool              { t.handles[i].Stop(); return true }
func (t *rfyiamcoolTimers) reset(i int, d time.Duration) { t.handles[i].Reset(d) }
func (t *rfyiamcoolTimers) close()                       { t.wheel.Stop() }

// Five wheels behind a channel.
type singchiaTimers struct {
	module singchia.Timer
	handles[singchia.Tick]
	call func(int) func()
}

func openSingchia(n int, tick time.Duration, call func(int) func()) timers {
	return &singchiaTimers{singchia.NewTimer(singchia.WithTimeInterval(tick)), make([]singchia.Tick, n), call}
}

func (t *singchiaTimers) start(i int, d time.Duration) {
	call := t.call(i)
	t.handles[i] = t.module.Add(d, singchia.WithHandler(func(*singchia.Event) { call() }))
}
func (t *singchiaTimers) stop(i int) bool { return t.handles[i].Cancel() == nil }
func (t *singchiaTimers) close()          { t.module.Close() }

// A wheel with rounds, behind channels.
type goZero struct{ wheel *collection.TimingWheel }

func openGoZero(_ int, tick time.Duration, call func(int) func()) timers {
	w, err := collection.NewTimingWheel(tick, 300, func(key, _ any) { call(key.(int))() })
	if err != nil {
		panic(err)
	}
	return goZero{w}
}

func (t goZero) start(i int, d time.Duration) { _ = t.wheel.SetTimer(i, nil, d) }
func (t goZero) stop(i int) bool              { return t.wheel.RemoveTimer(i) == nil }
func (t goZero) reset(i int, d time.Duration) { _ = t.wheel.MoveTimer(i, d) }
func (t goZero) close()                       { t.wheel.Stop() }

// A wheel with rounds, behind a channel, whose handles are never used again.
type libxTimers struct {
	wheel *libx.TimeWheel[int]
	handles[libx.TimerID]
}

func openLibX(n int, tick time.Duration, call func(int) func()) timers {
	w, err := libx.New(tick, 60, func(i int) { call(i)() })
	if err == nil {
		err = w.Start(context.Background())
	}
	if err != nil {
		panic(err)
	}
	return &libxTimers{w, make([]libx.TimerID, n)}
}

func (t *libxTimers) start(i int, d time.Duration) { t.handles[i], _ = t.wheel.AddTimer(d, i) }
func (t *libxTimers) stop(i int) bool              { return t.wheel.RemoveTimer(t.handles[i]) == nil }
func (t *libxTimers) close()                       { _ = t.wheel.Close() }

// A wheel after Linux before 4.8, its slots growing arrays.
type time2Timers struct {
	wheel *time2.Wheel
	handles[*time2.Timer]
	call func(int) func()
}

func openTime2(n int, tick time.Duration, call func(int) func()) timers {
	return &time2Timers{time2.NewWheel(tick), make([]*time2.Timer, n), call}
}

func (t *time2Timers) start(i int, d time.Duration) { t.handles[i] = t.wheel.AfterFunc(d, t.call(i)) }
func (t *time2Timers) stop(i int) bool              { t.handles[i].Stop(); return true }
func (t *time2Timers) reset(i int, d time.Duration) { t.handles[i].Reset(d) }
func (t *time2Timers) close()                       { t.wheel.Stop() }
