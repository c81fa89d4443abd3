package main

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/timerfacility/timer/facility"
)

func TestPurgatory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := facility.New(facility.Config{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		p := NewPurgatory(f)
		var mu sync.Mutex
		var got []string
		wait := func(name string, timeout time.Duration, keys ...int) {
			p.Wait(keys, timeout, func(ok bool) {
				if !ok {
					name += " timed out"
				}
				mu.Lock()
				got = append(got, name)
				mu.Unlock()
			})
		}
		wait("a", time.Second, 1)
		wait("b", time.Second, 1, 2)
		wait("c", time.Minute, 3)
		wait("d", 2*time.Second, 3, 4)
		wait("e", time.Second)
		p.Satisfy(1)
		p.Satisfy(1)
		time.Sleep(90 * time.Second)
		synctest.Wait()
		want := []string{"e", "a", "b timed out", "d timed out", "c timed out"}
		if !slices.Equal(got, want) {
			t.Errorf("completed %q, want %q", got, want)
		}
		if p.Waiting() != 0 || p.Watched() != 0 || f.Len() != 0 {
			t.Errorf("left: %d requests, %d places in lists, %d timers", p.Waiting(), p.Watched(), f.Len())
		}
	})
}

func TestCompletedExactlyOnceUnderLoad(t *testing.T) {
	l := load{keys: 100, clients: 4, most: 5000, timeout: 20 * time.Millisecond, duration: 200 * time.Millisecond}
	r, err := l.run(func(r result, _ time.Duration) {
		if r.watched > 6*5000+1000 {
			t.Errorf("%d places in the lists for %d requests", r.watched, r.waiting)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.twice+r.never+r.early > 0 || r.satisfied == 0 || r.timedOut == 0 {
		t.Errorf("%+v", r)
	}
}
