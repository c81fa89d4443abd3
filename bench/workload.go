package bench

import (
	"math"
	"math/bits"

	"github.com/timerfacility/timer"
)

// SplitMix is Steele, Lea and Flood's generator: the one of the speed
// workloads, because it is a few instructions in every language.
type SplitMix uint64

// Next is a random number of 64 bits.
func (s *SplitMix) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below is a random number below n, by Lemire's multiplication.
func (s *SplitMix) Below(n uint64) uint64 {
	high, _ := bits.Mul64(s.Next(), n)
	return high
}

// Span is the longest interval of the speed workloads, in ticks: a minute of
// milliseconds.
const Span = 60000

// Longest is the longest interval of workload W3.
var Longest = exponential[0]

// exponential is a table of equally likely intervals that follow the exponential
// law of mean 10000, longest first, so that to draw one costs a load and no
// logarithm.
var exponential = func() (table [1 << 16]timer.Tick) {
	for i := range table {
		u := (float64(i) + 0.5) / float64(len(table))
		table[i] = timer.Tick(max(1, math.Ceil(-10000*math.Log(u))))
	}
	return table
}()

// A Workload is a load on one module that has been set up: it runs some more of
// its operations.
type Workload func(operations int)

// Startable is what the speed workloads need of a module.
type Startable interface {
	timer.Timer[int]
	timer.Resetter
}

func ignore(int) {}

// start starts n timers with intervals from 1 to Span.
func start(m Startable, n int, random *SplitMix) []timer.Handle {
	handles := make([]timer.Handle, n)
	for i := range handles {
		handles[i] = must(m.StartTimer(1+timer.Tick(random.Below(Span)), i, ignore))
	}
	return handles
}

// StopStart is workload W1 over n timers: stop a random one and start it again
// with an interval from 1 to Span; no ticks. An operation is one pair.
func StopStart(m Startable, n int) Workload {
	random := SplitMix(1)
	handles := start(m, n, &random)
	return func(operations int) {
		for range operations {
			i := random.Below(uint64(n))
			m.StopTimer(handles[i])
			handles[i], _ = m.StartTimer(1+timer.Tick(random.Below(Span)), int(i), ignore)
		}
	}
}

// IdleTimeout is workload W2 over n timers: reset a random one to Span ticks from
// now, or start it again if it has expired, with one tick every n/Span+1
// operations. Over half of the timers expire, so that each is reset about once
// in its life.
func IdleTimeout(m Startable, n int) Workload { return idle(m, n, n/Span+1) }

// BusyServer is workload W2b: as [IdleTimeout], with one tick every 20n/Span+1
// operations. Each timer is reset many times in its life, and hardly any
// expires.
func BusyServer(m Startable, n int) Workload { return idle(m, n, 20*n/Span+1) }

func idle(m Startable, n, every int) Workload {
	random := SplitMix(1)
	handles := start(m, n, &random)
	untilTick := every
	return func(operations int) {
		for range operations {
			i := random.Below(uint64(n))
			if m.ResetTimer(handles[i], Span) != nil {
				handles[i], _ = m.StartTimer(Span, int(i), ignore)
			}
			if untilTick--; untilTick == 0 {
				untilTick = every
				m.PerTickBookkeeping()
				m.ExpiryProcessing(timer.All)
			}
		}
	}
}

// Stride is how many ticks workload W3 advances at a time: what a server does
// that sleeps for 100 milliseconds between two rounds.
const Stride = 100

// Churn is workload W3 over n timers: every timer that expires starts itself
// again with an exponential interval of mean 10000. An operation is one expiry,
// with its start, its share of the ticks and all else. The clock goes forward by
// timer.AdvanceTo, a [Stride] at a time, and so skips the ticks at which nothing
// is to be done; what runs beyond the operations asked for is credited to the
// next call.
func Churn(m Startable, n int) Workload {
	random := SplitMix(1)
	expired, wanted := 0, 0
	var action timer.ExpiryAction[int]
	action = func(id int) {
		expired++
		_, _ = m.StartTimer(exponential[random.Next()>>48], id, action)
	}
	for i := range n {
		must(m.StartTimer(exponential[random.Next()>>48], i, action))
	}
	return func(operations int) {
		for wanted += operations; expired < wanted; {
			timer.AdvanceTo(m, m.Now()+Stride, timer.All)
		}
	}
}

// EmptyTicks is the first half of workload W4: an operation is one tick.
func EmptyTicks(m timer.Timer[int]) Workload {
	return func(operations int) {
		for range operations {
			m.PerTickBookkeeping()
		}
	}
}

// EmptyAdvance is the second half of workload W4: an operation advances the
// clock by 10^6 ticks at which nothing is to be done.
func EmptyAdvance(m timer.Timer[int]) Workload {
	return func(operations int) {
		for range operations {
			timer.AdvanceTo(m, m.Now()+1e6, timer.All)
		}
	}
}

// Near and Far start n timers in all of 1..Span, and in its last sixth, for the
// next-event queries of workload W5.
func Near(m Startable, n int) {
	random := SplitMix(1)
	start(m, n, &random)
}

// Far is described at [Near].
func Far(m Startable, n int) {
	random := SplitMix(1)
	for i := range n {
		must(m.StartTimer(50001+timer.Tick(random.Below(10000)), i, ignore))
	}
}

// Floor is the least that a checked operation on a random one of n timers can
// cost: one read and write of a record of 40 bytes. With handles, the record is
// found through an array of the client's own, as the handle of a timer is.
func Floor(n int, handles bool) Workload {
	type record struct {
		expiry uint64
		_      [4]uint64
	}
	records := make([]record, n)
	random := SplitMix(1)
	if !handles {
		return func(operations int) {
			for range operations {
				records[random.Below(uint64(n))].expiry++
			}
		}
	}
	through := make([]uint64, n)
	for i := range through {
		through[i] = uint64(i)
	}
	return func(operations int) {
		for range operations {
			records[through[random.Below(uint64(n))]].expiry++
		}
	}
}
