package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/timerfacility/timer"
)

// TestMain declares the counted units to benchstat: they are exact, so one
// sample is enough and any difference is real.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		for _, unit := range []string{"compares/op", "visits/op", "moves/op", "vax/op"} {
			fmt.Println("Unit", unit, "better=lower assume=exact")
		}
	}
	os.Exit(m.Run())
}

// each runs a benchmark for every scheme and number of timers outstanding, on a
// module that was filled from a fixed seed.
func each(b *testing.B, run func(b *testing.B, m Module, n int, r *rand.Rand)) {
	for _, s := range Schemes() {
		b.Run("scheme="+s.Key, func(b *testing.B) {
			for _, n := range []int{64, 1024, 4096} {
				b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
					src := rand.NewPCG(1, uint64(n))
					m := s.New(n, timer.Tick(64*n))
					fills[0](m, n, src)
					run(b, m, n, rand.New(src))
				})
			}
		})
	}
}

// report gives counted work per operation, which does not depend on how many
// iterations are timed: it was counted apart, on a fixed number of operations.
func report(b *testing.B, c timer.Costs, operations float64) {
	b.ReportMetric(float64(c.Compares)/operations, "compares/op")
	b.ReportMetric(float64(c.Visits)/operations, "visits/op")
	b.ReportMetric(float64(c.Moves)/operations, "moves/op")
	b.ReportMetric(float64(vax(c))/operations, "vax/op")
}

const counted = 1000 // operations whose work is counted

// BenchmarkStart starts a timer and stops it again.
func BenchmarkStart(b *testing.B) {
	each(b, func(b *testing.B, m Module, n int, r *rand.Rand) {
		intervals := make([]timer.Tick, counted)
		for i := range intervals {
			intervals[i] = ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval())
		}
		before := m.Costs()
		for _, interval := range intervals {
			m.StopTimer(begin(m, interval, 0))
		}
		c := m.Costs().Sub(before)
		i := 0
		for b.Loop() {
			h, _ := m.StartTimer(intervals[i%counted], 0, noAction)
			m.StopTimer(h)
			i++
		}
		report(b, c, counted)
	})
}

// BenchmarkReset moves a random timer.
func BenchmarkReset(b *testing.B) {
	each(b, func(b *testing.B, m Module, n int, r *rand.Rand) {
		handles := fill(m, 16, func(int) float64 { return 8 * float64(n) * r.ExpFloat64() })
		intervals := make([]timer.Tick, counted)
		for i := range intervals {
			intervals[i] = ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval())
		}
		reset := func(i int) {
			if err := m.ResetTimer(handles[i%len(handles)], intervals[i%counted]); err != nil {
				b.Fatal(err)
			}
		}
		before := m.Costs()
		for i := range counted {
			reset(i)
		}
		c := m.Costs().Sub(before)
		i := 0
		for b.Loop() {
			reset(i)
			i++
		}
		report(b, c, counted)
	})
}

// BenchmarkTick runs a tick in which n timers are outstanding; each that expires
// starts again.
func BenchmarkTick(b *testing.B) {
	each(b, func(b *testing.B, m Module, n int, r *rand.Rand) {
		step := func() {
			for range tick(m) {
				begin(m, ticks(8*float64(n), r.ExpFloat64(), m.MaxInterval()), 0)
			}
		}
		before := m.Costs()
		for range counted {
			step()
		}
		c := m.Costs().Sub(before)
		for b.Loop() {
			step()
		}
		report(b, c, counted)
	})
}
