package facility_test

import (
	"context"
	"fmt"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/facility"
	hashunsorted "github.com/timerfacility/timer/scheme6_hashunsorted"
)

func Example() {
	f, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer f.Close()

	done := make(chan string)
	f.AfterFunc(20*time.Millisecond, func() { done <- "world" })
	f.AfterFunc(10*time.Millisecond, func() { done <- "hello" })
	timer := f.AfterFunc(15*time.Millisecond, func() { done <- "cruel" })
	fmt.Println(timer.Stop())
	fmt.Println(<-done, <-done)
	// Output:
	// true
	// hello world
}

// One function and one timer for each connection, which every packet puts off.
func ExampleFacility_StartTimer() {
	f, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer f.Close()

	type connection struct{ name string }
	closed := make(chan bool)
	closeIdle := func(id any) {
		fmt.Println(id.(*connection).name, "is idle")
		close(closed)
	}
	timer := f.StartTimer(30*time.Millisecond, &connection{"a"}, closeIdle)
	for range 5 {
		time.Sleep(time.Millisecond) // a packet
		timer.Reset(30 * time.Millisecond)
	}
	<-closed
	fmt.Println("reset:", timer.Reset(time.Second))
	// Output:
	// a is idle
	// reset: false
}

func ExampleFacility_Every() {
	f, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer f.Close()

	ticks := make(chan int)
	n := 0
	timer := f.Every(5*time.Millisecond, func() { n++; ticks <- n })
	fmt.Println(<-ticks, <-ticks, <-ticks)
	fmt.Println(timer.Stop())
	// Output:
	// 1 2 3
	// true
}

func ExampleFacility_WithTimeout() {
	f, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer f.Close()

	ctx, cancel := f.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

// Stop does not wait for an action that has begun. Wait does.
func ExampleTimer_Wait() {
	f, err := facility.New(facility.Config{})
	if err != nil {
		panic(err)
	}
	defer f.Close()

	begun := make(chan bool)
	finished := false
	timer := f.AfterFunc(0, func() {
		close(begun)
		time.Sleep(10 * time.Millisecond)
		finished = true
	})
	<-begun
	if !timer.Stop() {
		if err := timer.Wait(context.Background()); err != nil {
			panic(err)
		}
	}
	fmt.Println(finished)
	// Output: true
}

// Any module serves: here Scheme 6, hashed wheels with unsorted lists, in ticks
// of 10 milliseconds.
func ExampleConfig_module() {
	f, err := facility.New(facility.Config{
		Granularity: 10 * time.Millisecond,
		Module: func(now timer.Tick) (timer.Timer[facility.Task], error) {
			return hashunsorted.New[facility.Task](hashunsorted.Config{Now: now, TableSize: 1024})
		},
	})
	if err != nil {
		panic(err)
	}
	<-f.After(15 * time.Millisecond)
	f.AfterFunc(time.Hour, func() {})
	fmt.Println(f.Close(), "pending")
	// Output: 1 pending
}

// A bounded number of goroutines for the actions, and none that waits for the
// others to finish: what finds the queue full is dropped, and says so.
func ExampleConfig_run() {
	queue := make(chan func(), 100)
	for range 4 {
		go func() {
			for action := range queue {
				action()
			}
		}()
	}
	f, err := facility.New(facility.Config{
		Run: func(action func()) {
			select {
			case queue <- action:
			default:
				fmt.Println("overload")
			}
		},
		OnPanic: func(recovered any) { fmt.Println("recovered:", recovered) },
	})
	if err != nil {
		panic(err)
	}
	timer := f.AfterFunc(0, func() { panic("oops") })
	for f.Len() > 0 {
		time.Sleep(time.Millisecond)
	}
	timer.Wait(context.Background())
	f.Close()
	close(queue)
	// Output: recovered: oops
}
