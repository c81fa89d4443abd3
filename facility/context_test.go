package facility

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The contexts of the facility, and those of package context, in the same
// situations: they must tell the same.
func TestWithTimeout(t *testing.T) {
	type withTimeout func(context.Context, time.Duration) (context.Context, context.CancelFunc)
	type report struct {
		err, cause, childErr, childCause error
		after                            time.Duration
		hasDeadline                      bool
		deadline                         time.Duration
		value                            any
	}
	errMine := errors.New("mine")
	type key struct{}
	observe := func(begin time.Time, ctx, child context.Context) report {
		synctest.Wait()
		deadline, ok := ctx.Deadline()
		return report{ctx.Err(), context.Cause(ctx), child.Err(), context.Cause(child), time.Since(begin), ok, deadline.Sub(begin), child.Value(key{})}
	}
	background := context.WithValue(context.Background(), key{}, 7)
	second := time.Second
	for _, c := range []struct {
		name string
		run  func(with withTimeout) report
	}{
		{"deadline", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			<-child.Done()
			return observe(begin, ctx, child)
		}},
		{"before the deadline", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			return observe(begin, ctx, child)
		}},
		{"cancel", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, second)
			child, stop := context.WithCancel(ctx)
			defer stop()
			cancel()
			cancel()
			if ctx.Err() == nil || child.Err() == nil {
				t.Error("cancel returned before the contexts were canceled")
			}
			return observe(begin, ctx, child)
		}},
		{"parent canceled with a cause", func(with withTimeout) report {
			begin := time.Now()
			parent, cancelParent := context.WithCancelCause(background)
			ctx, cancel := with(parent, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			cancelParent(errMine)
			if ctx.Err() == nil {
				t.Error("the parent's cancel returned before the context was canceled")
			}
			return observe(begin, ctx, child)
		}},
		{"parent canceled after the deadline", func(with withTimeout) report {
			begin := time.Now()
			parent, cancelParent := context.WithCancelCause(background)
			ctx, cancel := with(parent, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			time.Sleep(2 * second)
			cancelParent(errMine)
			return observe(begin, ctx, child)
		}},
		{"parent done", func(with withTimeout) report {
			begin := time.Now()
			parent, cancelParent := context.WithCancelCause(background)
			cancelParent(errMine)
			ctx, cancel := with(parent, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			return observe(begin, ctx, child)
		}},
		{"parent's deadline is earlier", func(with withTimeout) report {
			begin := time.Now()
			parent, cancelParent := context.WithTimeout(background, second)
			defer cancelParent()
			ctx, cancel := with(parent, time.Hour)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			<-ctx.Done()
			return observe(begin, ctx, child)
		}},
		{"parent's deadline is later", func(with withTimeout) report {
			begin := time.Now()
			parent, cancelParent := context.WithTimeout(background, time.Hour)
			defer cancelParent()
			ctx, cancel := with(parent, second)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			<-ctx.Done()
			return observe(begin, ctx, child)
		}},
		{"zero", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, 0)
			defer cancel()
			child, stop := context.WithCancel(ctx)
			defer stop()
			return observe(begin, ctx, child)
		}},
		{"negative", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, -second)
			defer cancel()
			child, stop := context.WithTimeout(ctx, second)
			defer stop()
			return observe(begin, ctx, child)
		}},
		{"nested", func(with withTimeout) report {
			begin := time.Now()
			outer, cancelOuter := with(background, second)
			defer cancelOuter()
			ctx, cancel := with(outer, second/2)
			defer cancel()
			child, stop := with(ctx, second/4)
			defer stop()
			<-ctx.Done()
			return observe(begin, ctx, child)
		}},
		{"nested, outer ends first", func(with withTimeout) report {
			begin := time.Now()
			outer, cancelOuter := with(background, second)
			ctx, cancel := with(outer, second/2)
			defer cancel()
			child, stop := context.WithCancelCause(ctx)
			defer stop(nil)
			cancelOuter()
			return observe(begin, ctx, child)
		}},
		{"child ends first", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, second)
			defer cancel()
			child, stop := context.WithCancelCause(ctx)
			stop(errMine)
			<-ctx.Done()
			return observe(begin, ctx, child)
		}},
		{"AfterFunc", func(with withTimeout) report {
			begin := time.Now()
			ctx, cancel := with(background, second)
			defer cancel()
			n := make(chan bool, 2)
			context.AfterFunc(ctx, func() { n <- true })
			stop := context.AfterFunc(ctx, func() { t.Error("ran a function that was stopped") })
			if !stop() || stop() {
				t.Error("stop is not true once")
			}
			<-n
			context.AfterFunc(ctx, func() { n <- true })
			<-n
			return observe(begin, ctx, ctx)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, err := New(Config{})
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				want := c.run(context.WithTimeout)
				got := c.run(f.WithTimeout)
				if got != want {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
				synctest.Wait()
				if f.Len() != 0 {
					t.Errorf("%d timers are left", f.Len())
				}
			})
		})
	}
}
