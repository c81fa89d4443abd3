package bench

import (
	"math/rand/v2"

	"github.com/timerfacility/timer"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// hardwareClaims are the claims about hardware that helps: appendix A.
func hardwareClaims() []Claim {
	return []Claim{
		{
			ID: "H-1", Source: "1987 app. A.1; 1997 app. A",
			Title:   "a chip with all of Scheme 6: expiries only",
			Text:    "If a chip holds the whole structure, it interrupts the host only where a timer expires.",
			Printed: "expiry ticks", Expect: Holds,
			Measure: wholeChip,
		},
		{
			ID: "H-2", Source: "1987 app. A.1; 1997 app. A",
			Title:   "a chip with a busy bit for each slot",
			Text:    "A chip that steps the array and interrupts at busy slots only needs to be told when a list gets its first timer and when it loses its last.",
			Printed: "bits = lists", Expect: Holds,
			Measure: busyBits,
		},
		{
			ID: "H-3", Source: "1987 p. 34; 1997 p. 833",
			Title:   "interrupts per timer: T/M, and at most m",
			Text:    "The host is interrupted T/M times for a timer in Scheme 6 on average, and at most m times in Scheme 7.",
			Printed: "T/M, <= m", Predicted: "ceil(j/M)", Expect: Holds,
			Measure: interrupts,
		},
		{
			ID: "H-4", Source: "1987 app. A.1; 1997 app. A",
			Title:  "timer chips use Scheme 1 for a few timers",
			Text:   "Timer chips use Scheme 1 for a few timers; schemes 6 and 7 in a memory of their own have no such limit.",
			Expect: NotTestable, Why: "It is about chips.",
		},
		{
			ID: "H-5", Source: "1987 s. 8; 1997 s. X",
			Title:   "with a chip: O(1), no interrupt at each tick",
			Text:    "With such hardware the host's START and STOP are O(1) and it is not interrupted at each tick.",
			Printed: "< 1 a tick", Expect: Holds,
			Measure: func(l *Lab) Result {
				c := newChip(l, 16)
				for range 20_000 {
					c.step()
				}
				return Result{Figures: []Figure{
					atMost("interrupts a tick, 16 timers, 256 slots", 0.2, Exact(ratio(c.interrupts, 20_000))),
					exactly("timers that START compares with", 0, c.host.Costs().Compares),
				}}
			},
		},
	}
}

func wholeChip(l *Lab) Result {
	m := l.module(SchemeNamed("6"), 256, 0)
	d := newLoad(m, LawNamed("exponential"), 100, 5000, l.source("H-1", 0))
	expiries := make(map[timer.Tick]bool)
	for range 2000 {
		expiry, _ := m.ExpiryOf(d.step())
		expiries[expiry] = true
	}
	m = l.module(SchemeNamed("6"), 256, 0)
	d = newLoad(m, LawNamed("exponential"), 100, 5000, l.source("H-1", 0))
	interrupted := 0
	for range 2000 {
		d.clock += d.gap * d.r.ExpFloat64()
		for m.Now() < timer.Tick(d.clock) {
			if tick(m) > 0 {
				interrupted++
			}
		}
		begin(m, ticks(d.law.Rand(), d.mean, timer.MaxTick), 0)
	}
	for m.Len() > 0 {
		if tick(m) > 0 {
			interrupted++
		}
	}
	return Result{
		Figures: []Figure{exactly("interrupts, for ticks at which a timer expires", len(expiries), interrupted)},
		Note:    show("In %d ticks.", m.Now()),
	}
}

// A chip steps the slots of a host's Scheme 6 and interrupts it at busy ones. The
// host keeps the lists, and tells the chip when one gets its first timer or loses
// its last.
type chip struct {
	host       Module
	r          *rand.Rand
	handles    []timer.Handle
	lengths    []int // of the host's lists, as the host knows them
	busy       []bool
	told       int // notifications of the chip
	interrupts int
	wrong      int // slots at which the bit is not what the list says
}

func newChip(l *Lab, n int) *chip {
	const slots = 256
	c := &chip{
		host:    l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: slots})),
		r:       rand.New(l.source("chip", n)),
		lengths: make([]int, slots),
		busy:    make([]bool, slots),
	}
	for range n {
		c.start()
	}
	return c
}

func (c *chip) slot(expiry timer.Tick) int { return int(expiry % timer.Tick(len(c.lengths))) }

// hang adds n to the length of a slot's list, and tells the chip if that makes
// it busy or idle.
func (c *chip) hang(slot, n int) {
	c.lengths[slot] += n
	if busy := c.lengths[slot] > 0; busy != c.busy[slot] {
		c.busy[slot] = busy
		c.told++
	}
}

func (c *chip) start() {
	interval := 1 + timer.Tick(c.r.ExpFloat64()*1000)
	c.handles = append(c.handles, begin(c.host, interval, 0))
	c.hang(c.slot(c.host.Now()+interval), 1)
}

// step is a tick of the chip. Where it interrupts, the host does its
// bookkeeping, and starts what has expired anew; now and then it stops a timer.
func (c *chip) step() {
	if i := c.r.IntN(len(c.handles)); c.r.IntN(20) == 0 {
		if expiry, ok := c.host.ExpiryOf(c.handles[i]); ok && c.host.StopTimer(c.handles[i]) {
			c.hang(c.slot(expiry), -1)
			c.handles[i] = c.handles[len(c.handles)-1]
			c.handles = c.handles[:len(c.handles)-1]
			c.start()
		}
	}
	slot := c.slot(c.host.Now() + 1)
	if c.busy[slot] {
		c.interrupts++
		expired := tick(c.host)
		c.hang(slot, -expired)
		kept := c.handles[:0]
		for _, h := range c.handles {
			if _, ok := c.host.ExpiryOf(h); ok {
				kept = append(kept, h)
			}
		}
		c.handles = kept
		for range expired {
			c.start()
		}
		return
	}
	if tick(c.host) > 0 { // the host was not told
		c.wrong++
	}
}

// check compares the chip's bits with the host's lists.
func (c *chip) check() {
	real := make([]bool, len(c.busy))
	for _, list := range c.host.View().Lists {
		real[list.Slot] = len(list.Timers) > 0
	}
	for i := range real {
		if real[i] != c.busy[i] {
			c.wrong++
		}
	}
}

func busyBits(l *Lab) Result {
	var r Result
	for _, n := range []int{8, 64, 512} {
		c := newChip(l, n)
		const span = 20_000
		for i := range span {
			c.step()
			if i%100 == 0 {
				c.check()
			}
		}
		r.Figures = append(r.Figures, agreement(show("busy bits that are not as the lists, n = %d", n), c.wrong))
		starts := c.host.Costs().Starts
		r.Note += show("n = %d: %.2f interrupts a tick, %.2f notifications a start. ", n, ratio(c.interrupts, span), ratio(c.told, starts))
	}
	return r
}

// interrupts counts how often a host is interrupted for a timer that is alone.
func interrupts(l *Lab) Result {
	const slots = 256
	r := rand.New(l.source("H-3", 0))
	wrong, most := 0, uint64(0)
	sum, life := 0.0, 0.0
	for range 2000 {
		interval := 1 + timer.Tick(r.IntN(100_000))
		six := l.use(hashunsorted.New[int](hashunsorted.Config{TableSize: slots, Now: timer.Tick(r.IntN(slots))}))
		begin(six, interval, 0)
		timer.AdvanceTo(six, six.Now()+interval, timer.All)
		if six.Costs().Ticks != uint64((interval+slots-1)/slots) {
			wrong++
		}
		sum, life = sum+float64(six.Costs().Ticks), life+float64(interval)

		seven := l.use(hierarchical.New[int](hierarchical.Config{Levels: clock, Now: timer.Tick(r.IntN(day))}))
		begin(seven, interval, 0)
		timer.AdvanceTo(seven, seven.Now()+interval, timer.All)
		most = max(most, seven.Costs().Ticks)
	}
	return Result{
		Figures: []Figure{
			agreement("timers of Scheme 6 with other than ceil(interval/M) interrupts", wrong),
			atMost("mean interrupts in Scheme 6 over T/M", 1.01, Exact(sum*slots/life)),
			atMost("most interrupts for a timer in Scheme 7, m = 4", 4, Exact(most)),
		},
	}
}
