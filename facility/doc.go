// Package facility is a wall-clock timer service over any timer module: what a
// server with a million timeouts takes instead of [time.AfterFunc].
//
//	f, err := facility.New(facility.Config{})
//	...
//	timer := f.StartTimer(30*time.Second, conn, closeIdle)
//	for {
//		... read a packet from conn ...
//		timer.Reset(30 * time.Second)
//	}
//
// A module of package timer counts ticks that its caller delivers. A Facility
// delivers them from the monotonic clock, under locks, for any number of
// goroutines, and runs the actions when they are due.
//
// # How it works
//
//	goroutines          cells: a lock, and a module of at most some 8100 timers
//
//	start, stop,        ┌────────┐ ┌────────┐ ┌────────┐
//	reset, wait  ─────► │ module │ │ module │ │ module │  more as they are filled
//	                    └───┬────┘ └───┬────┘ └───┬────┘
//	                soonest │  soonest │  soonest │
//	                    ┌───▼──────────▼──────────▼────┐  sleeps until the soonest
//	monotonic clock ──► │            driver            │  of them; a start that is
//	                    └───┬──────────┬──────────┬────┘  sooner wakes it
//	                        ▼          ▼          ▼
//	                     action     action     action     each in its own goroutine,
//	                                                      or as Config.Run says
//
// A goroutine starts its timers in the cell of the processor that it runs on. It
// reads the clock before it takes the lock, and never moves the module's clock:
// a module that has had nothing to do lags behind, and its intervals are counted
// from where it stands. The driver is one goroutine. It takes the soonest tick at
// which any cell has something to do, advances those cells to it, collects up to
// 64 expired timers under the lock, lets go of it, and hands their actions over.
//
// A cell holds few timers so that a tick is short, even one in which all of them
// expire or migrate: the time under a lock does not grow with the number of
// timers. With one module of a million, a turn of the wheel would stop everybody
// for 20 to 40 milliseconds; in a cell it takes a tenth of one.
//
// # What it promises
//
// Never early: a timer started or reset at time t with duration d expires at the
// first tick that is not before t+d. Late by at most one [Config.Granularity] and
// what the scheduler takes; [Stats] has a histogram of the latter. A d at or
// below zero expires at the next tick, and the largest d does not overflow: it
// never expires.
//
// Once: an action runs once, unless [Timer.Stop] has returned true for it, or it
// was counted by [Facility.Close].
//
// In order: actions are handed over in the order of their ticks, over the whole
// facility, even after a pause in which many ticks were missed. A pause loses no
// timer and shifts none. The order within a tick is open.
//
// Tickless: the driver sleeps from event to event, and with nothing outstanding
// does not wake at all. (A module that is neither [timer.Tickless] nor a
// [timer.NextExpirer] has it wake at each tick while a timer is outstanding.)
//
// Unlocked: no lock is held while an action runs. It may call anything, its own
// Timer and Close included. A slow action delays no other, unless Config.Run is
// [Inline] or waits.
//
// # The clock
//
// The clock is that of [time.Now]'s monotonic reading, so that setting the
// system's clock changes nothing. While the machine is suspended it does what it
// does for package time: on Linux and macOS it stands still, and a timer expires
// after d of time awake; some other systems count the time asleep, and what
// became due meanwhile expires, in order, upon waking. Inside a bubble of
// [testing/synctest], the clock is the bubble's: a test takes no real time.
//
// # What it costs
//
// With the default module, [Facility.StartTimer], [Timer.Stop] and [Timer.Reset]
// are O(1), and nothing allocates in a steady state; a timer takes 55 bytes of
// heap, of which the garbage collector has to look at two words. With another
// module they cost what that does, for at most some 8100 timers. NOTES.md in the
// directory of this package has measurements, and the designs that were tried.
//
// The driver looks at each cell when it wakes: O(timers/8100 + shards). The
// memory of a timer that has ended serves others; the facility keeps what the
// most timers took that were ever outstanding at once.
package facility
