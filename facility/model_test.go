package facility

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestModel compares the facility with a model of it, a map from timers to the
// ticks at which they expire, over random starts, stops, resets and pauses.
func TestModel(t *testing.T) {
	for _, granule := range []time.Duration{time.Millisecond, 7 * time.Microsecond} {
		withModules(t, Config{Granularity: granule, Run: Inline, Shards: 2}, func(t *testing.T, f *Facility) {
			type modelled struct {
				timer  Timer
				expiry time.Duration // since begin
				ended  bool
			}
			seed := uint64(time.Now().UnixNano()) + uint64(granule)
			r := rand.New(rand.NewPCG(seed, 0))
			begin := time.Now()
			elapsed := func() time.Duration { return time.Since(begin) }
			expiry := func(d time.Duration) time.Duration {
				at := elapsed() + d
				if d <= 0 {
					at = elapsed() + 1
				}
				return (at + granule - 1) / granule * granule
			}
			duration := func() time.Duration {
				return time.Duration(r.Int64N(int64(granule)<<r.IntN(14))) - granule/2
			}
			var timers []*modelled
			var mu sync.Mutex // held but in a pause
			action := func(id any) {
				mu.Lock()
				defer mu.Unlock()
				m := id.(*modelled)
				if m.ended || elapsed() != m.expiry {
					t.Errorf("seed %d: a timer ran at %v, ended %v, want %v", seed, elapsed(), m.ended, m.expiry)
				}
				m.ended = true
			}
			mu.Lock()
			for range 3000 {
				var m *modelled
				if len(timers) > 0 {
					m = timers[r.IntN(len(timers))]
				}
				switch op := r.IntN(8); {
				case op < 3 || m == nil:
					d := duration()
					m := &modelled{expiry: expiry(d)}
					m.timer = f.StartTimer(d, m, action)
					timers = append(timers, m)
				case op < 4:
					if got := m.timer.Stop(); got == m.ended {
						t.Fatalf("seed %d: Stop is %v, ended %v", seed, got, m.ended)
					}
					m.ended = true
				case op < 6:
					d := duration()
					want := expiry(d)
					if got := m.timer.Reset(d); got == m.ended {
						t.Fatalf("seed %d: Reset is %v, ended %v", seed, got, m.ended)
					}
					if !m.ended {
						m.expiry = want
					}
				default:
					mu.Unlock()
					pause(time.Duration(r.Int64N(int64(granule)<<r.IntN(6))) + 1)
					mu.Lock()
				}
				if len(timers) > 200 {
					timers = timers[100:]
				}
			}
			mu.Unlock()
			pause(granule << 15)
			for _, m := range timers {
				if !m.ended {
					t.Errorf("seed %d: a timer of %v has not run", seed, m.expiry)
				}
			}
			if s := f.Stats(); f.Len() != 0 || s.Starts != s.Stops+s.Expiries {
				t.Errorf("seed %d: %d timers left, stats %+v", seed, f.Len(), s)
			}
		})
	}
}
