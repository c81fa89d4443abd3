package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/timerfacility/timer"
)

// Every event list runs the same holds at the same ticks.
func TestHoldIsTheSameForAll(t *testing.T) {
	const n = 300
	for _, law := range HoldLaws() {
		var want []timer.Tick
		for _, s := range EventLists() {
			m := s.New(n, HoldLongest(n))
			hold := Hold(m, law, n)
			var got []timer.Tick
			for range 2 * n {
				hold(1)
				got = append(got, m.Now())
			}
			if m.Len() != n {
				t.Errorf("%v, %s: %d events, want %d", s, law.Name, m.Len(), n)
			}
			if want == nil {
				want = got
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%v, %s: hold %d is at tick %d, want %d", s, law.Name, i, got[i], want[i])
				}
			}
		}
	}
}

// An operation of the hold model in equilibrium finds its place in an ordered
// list after n·(1-G) events from the front and n·G from the rear, with G the
// law's Gini coefficient, and advances the clock by mean/n ticks.
func TestHoldAgreesWithTheory(t *testing.T) {
	const n = 1000
	for _, law := range HoldLaws() {
		for key, share := range map[string]float64{"2": 1 - law.Gini, "2rear": law.Gini} {
			m := SchemeNamed(key).New(n, HoldLongest(n))
			hold := Hold(m, law, n)
			before, began := m.Costs(), m.Now()
			hold(20 * n)
			compares := float64(m.Costs().Sub(before).Compares) / (20 * n)
			// Each search compares once more, with the event after the place.
			if want := share*n + 1; math.Abs(compares-want) > 0.02*n {
				t.Errorf("%s, %s: %.1f compares in a hold, want %.1f", key, law.Name, compares, want)
			}
			if got, want := float64(m.Now()-began)/(20*n), HoldMean(n)/n; math.Abs(got/want-1) > 0.03 {
				t.Errorf("%s, %s: a hold takes %.3f ticks, want %.3f", key, law.Name, got, want)
			}
		}
	}
}

func TestHoldLaws(t *testing.T) {
	for _, law := range HoldLaws() {
		draw := law.Rander(rand.NewPCG(1, 2))
		sum, over := 0.0, 0
		const count = 200_000
		for range count {
			x := draw.Rand()
			sum += x
			if x > 1 {
				over++
			}
		}
		if mean := sum / count; math.Abs(mean-1) > 0.02 {
			t.Errorf("%s: mean %.3f, want 1", law.Name, mean)
		}
		if got, want := float64(over)/count, law.Survival(1); math.Abs(got-want) > 0.01 {
			t.Errorf("%s: %.3f of the intervals are over 1, want %.3f", law.Name, got, want)
		}
		// G = 1 - Integral of S².
		squares := 0.0
		for x := 0.0005; x < 20; x += 0.001 {
			squares += 0.001 * law.Survival(x) * law.Survival(x)
		}
		if math.Abs(1-squares-law.Gini) > 0.001 {
			t.Errorf("%s: Gini coefficient %.4f, want %.4f", law.Name, law.Gini, 1-squares)
		}
	}
}

func TestHoldTable(t *testing.T) {
	table := (&Lab{}).HoldTable(LawNamed("exponential"))
	if len(table.Rows) != len(EventLists()) || len(table.Columns) != 5 {
		t.Fatalf("%d rows and %d columns", len(table.Rows), len(table.Columns))
	}
	for _, row := range table.Rows {
		if strings.HasPrefix(row[0], "4 ") {
			// Scheme 4 compares with none and moves none: it visits what expires.
			if want := "0+1+0"; row[1] != want {
				t.Errorf("Scheme 4: %s, want %s", row[1], want)
			}
		}
	}
}

func BenchmarkHold(b *testing.B) {
	for _, law := range HoldLaws() {
		for _, s := range EventLists() {
			for _, n := range []int{100, 1000, 10_000, 100_000, 1_000_000} {
				if s.slowHold(n) {
					continue
				}
				name := strings.Map(func(r rune) rune {
					if strings.ContainsRune("(), ", r) {
						return -1
					}
					return r
				}, law.Name)
				b.Run(fmt.Sprintf("law=%s/scheme=%s/n=%d", name, s.Key, n), func(b *testing.B) {
					m := s.New(n, HoldLongest(n))
					hold := Hold(m, law, n)
					hold(n) // the caches
					const portion = 100
					before, done := m.Costs(), 0
					for b.Loop() {
						hold(portion)
						done += portion
					}
					c := m.Costs().Sub(before)
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(done), "ns/hold")
					b.ReportMetric(float64(c.Compares+c.Visits+c.Moves)/float64(done), "work/hold")
					b.ReportMetric(0, "ns/op") // an operation of the loop is a portion
				})
			}
		}
	}
}
