package facility

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Stats is what a facility has done since New. Where no timer is periodic,
// Starts = Stops + Expiries + Len, and Close's count takes the place of Len
// after it.
type Stats struct {
	Starts   uint64 // timers started, those of After, Sleep and WithTimeout included
	Stops    uint64 // timers stopped
	Resets   uint64 // timers reset
	Expiries uint64 // actions begun; a periodic timer has many
	WakeUps  uint64 // times that the driver woke

	// Lateness counts the timers that expired by how long after the begin of
	// their tick the driver took them out of the structure. A deadline is before
	// the begin of its tick by less than the Granularity.
	Lateness Histogram

	_ struct{}
}

// A Histogram counts durations. Its bucket i holds those under [Bound](i) that
// bucket i-1 does not hold.
type Histogram [32]uint64

// Bound is the end of bucket i: 2^i microseconds, about 36 minutes for the last,
// which also holds what is longer.
func Bound(i int) time.Duration { return time.Microsecond << i }

// Count is the number of durations counted.
func (h *Histogram) Count() (n uint64) {
	for _, count := range h {
		n += count
	}
	return n
}

// Quantile is an upper bound, at most twice too long, of the shortest duration
// that the fraction q of those counted, from 0 to 1, does not exceed; 0 if none
// was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	total := h.Count()
	if total == 0 {
		return 0
	}
	rank := min(uint64(q*float64(total)), total-1)
	for i, count := range h {
		if rank < count {
			return Bound(i)
		}
		rank -= count
	}
	return Bound(len(h) - 1)
}

// driverStats is what the driver counts.
type driverStats struct {
	wakeUps  atomic.Uint64
	lateness [len(Histogram{})]atomic.Uint64
}

func (s *driverStats) late(nanoseconds, n uint64) {
	i := bits.Len64(nanoseconds / 1000)
	s.lateness[min(i, len(s.lateness)-1)].Add(n)
}

// cellStats is what is counted under a cell's lock.
type cellStats struct {
	stops, resets, expiries uint64
}

// Stats is a reading of the counters. While timers start, stop and expire, those
// of different shards are read at slightly different times. O(timers/8100 +
// shards).
func (f *Facility) Stats() Stats {
	s := Stats{WakeUps: f.stats.wakeUps.Load()}
	for i := range s.Lateness {
		s.Lateness[i] = f.stats.lateness[i].Load()
	}
	for _, c := range *f.cells.Load() {
		c.mu.Lock()
		s.Starts += c.seq
		s.Stops += c.counts.stops
		s.Resets += c.counts.resets
		s.Expiries += c.counts.expiries
		c.mu.Unlock()
	}
	return s
}
