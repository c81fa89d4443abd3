package hierarchical_test

import (
	"fmt"

	"github.com/timerfacility/timer"
	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
)

// A Conn is a connection of the server in the example.
type Conn struct {
	name string
	idle timer.Handle
}

// timeout is the action of all idle timers: one function for any number of them.
func (c *Conn) timeout() { fmt.Println(c.name, "is closed") }

// A server closes connections that are idle for a minute, on a clock of
// milliseconds. The id of a timer is its connection, and the action a method of it.
func Example() {
	const second = 1000
	timers, err := hierarchical.New[*Conn](hierarchical.Config{})
	if err != nil {
		panic(err)
	}
	accept := func(name string) *Conn {
		c := &Conn{name: name}
		c.idle, _ = timers.StartTimer(60*second, c, (*Conn).timeout)
		return c
	}

	alice, bob := accept("alice"), accept("bob")
	accept("carol")
	timer.AdvanceTo(timers, 40*second, timer.All)

	timers.ResetTimer(alice.idle, 60*second) // alice sends something
	timers.StopTimer(bob.idle)               // bob hangs up

	timer.AdvanceTo(timers, 70*second, timer.All)
	fmt.Println("after 70 s there is", timers.Len(), "left")
	timer.AdvanceTo(timers, 120*second, timer.All)
	// Output:
	// carol is closed
	// after 70 s there is 1 left
	// alice is closed
}

// What a slot of each level of the default covers.
func ExampleNew() {
	timers, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		panic(err)
	}
	fmt.Println("level  slots  ticks a slot")
	unit := timer.Tick(1)
	for level, slots := range timers.View().Levels {
		fmt.Printf("%5d  %5d  %17d\n", level, slots, unit)
		unit *= timer.Tick(slots)
	}
	// Output:
	// level  slots  ticks a slot
	//     0    256                  1
	//     1    256                256
	//     2    256              65536
	//     3    256           16777216
	//     4    256         4294967296
	//     5    256      1099511627776
	//     6    256    281474976710656
	//     7    256  72057594037927936
}

// The paper's clock, and its example: at 11 days and 10:24:30, a timer of 50
// minutes and 45 seconds.
func ExampleNew_clock() {
	const minute, hour, day = 60, 3600, 86400
	timers, err := hierarchical.New[string](hierarchical.Config{
		Now:    11*day + 10*hour + 24*minute + 30,
		Levels: []int{60, 60, 24, 100},
	})
	if err != nil {
		panic(err)
	}
	timers.StartTimer(50*minute+45, "tea", func(string) {})

	units := []string{"second", "minute", "hour", "day"}
	where := ""
	for timers.Len() > 0 {
		list := timers.View().Lists[0]
		if now := fmt.Sprint(units[list.Level], " ", list.Slot); now != where {
			where = now
			tick := timers.Now() % day
			fmt.Printf("%02d:%02d:%02d  in %s\n", tick/hour, tick/minute%60, tick%60, where)
		}
		if timers.PerTickBookkeeping() > 0 {
			tick := timers.Now() % day
			fmt.Printf("%02d:%02d:%02d  due\n", tick/hour, tick/minute%60, tick%60)
		}
		timers.ExpiryProcessing(timer.All)
	}
	// Output:
	// 10:24:30  in hour 11
	// 11:00:00  in minute 15
	// 11:15:00  in second 15
	// 11:15:15  due
}

// A connection's timer is put off with every packet, which leaves it where it is.
// The wheel finds out when its old slot comes up.
func ExampleWheel_ResetTimer() {
	timers, err := hierarchical.New[string](hierarchical.Config{})
	if err != nil {
		panic(err)
	}
	idle, _ := timers.StartTimer(60_000, "alice", func(name string) {
		fmt.Println(name, "is idle at", timers.Now())
	})
	for range 1000 { // a packet every 10 ticks
		timer.AdvanceTo(timers, timers.Now()+10, timer.All)
		if err := timers.ResetTimer(idle, 60_000); err != nil {
			panic(err)
		}
	}
	fmt.Println("visits for 1000 resets:", timers.Costs().Visits)
	timer.AdvanceTo(timers, 100_000, timer.All)

	fmt.Println(timers.ResetTimer(idle, 60_000)) // it has ended
	// Output:
	// visits for 1000 resets: 0
	// alice is idle at 70000
	// timer: no outstanding timer has this handle
}

// A cache may expire at any time within a minute of its hour. In a range the wheel
// finds a tick at which the timer does not have to migrate.
func ExampleWheel_StartTimerInRange() {
	const second, minute, hour = 1000, 60 * 1000, 3600 * 1000
	for _, inRange := range []bool{false, true} {
		timers, err := hierarchical.New[string](hierarchical.Config{Now: 12345})
		if err != nil {
			panic(err)
		}
		drop := func(string) {
			fmt.Printf("after %.3f s, with %d migrations\n", float64(timers.Now()-12345)/second, timers.Costs().Moves)
		}
		if inRange {
			timers.StartTimerInRange(hour, hour+minute, "cache", drop)
		} else {
			timers.StartTimer(hour, "cache", drop)
		}
		timer.AdvanceTo(timers, 2*hour, timer.All)
	}
	// Output:
	// after 3600.000 s, with 2 migrations
	// after 3657.671 s, with 0 migrations
}

// Who can do with less precision for long intervals saves the migrations. What is
// asked for, and what one gets, in ticks of a second:
func ExamplePrecision() {
	const minute, hour, day = 60, 3600, 86400
	precisions := []hierarchical.Precision{hierarchical.Exact, hierarchical.RoundOnce, hierarchical.NoMigration}
	for _, interval := range []timer.Tick{50, 10*minute + 10, 5*hour + 10*minute + 10, 3*day + 5*hour + 10*minute} {
		fmt.Printf("%6d:", interval)
		for _, precision := range precisions {
			timers, err := hierarchical.New[string](hierarchical.Config{Levels: []int{60, 60, 24, 100}, Precision: precision})
			if err != nil {
				panic(err)
			}
			h, _ := timers.StartTimer(interval, "", func(string) {})
			expiry, _ := timers.ExpiryOf(h)
			timer.AdvanceTo(timers, expiry, timer.All)
			fmt.Printf("%8d with %d moves", expiry, timers.Costs().Moves)
		}
		fmt.Println()
	}
	// Output:
	//     50:      50 with 0 moves      50 with 0 moves      50 with 0 moves
	//    610:     610 with 1 moves     610 with 1 moves     600 with 0 moves
	//  18610:   18610 with 2 moves   18600 with 1 moves   18000 with 0 moves
	// 277800:  277800 with 2 moves  277200 with 1 moves  259200 with 0 moves
}
