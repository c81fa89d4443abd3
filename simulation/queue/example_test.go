package queue_test

import (
	"fmt"
	"time"

	hierarchical "github.com/timerfacility/timer/scheme7_hierarchical"
	"github.com/timerfacility/timer/simulation/queue"
)

// The article's first example: messages come every 25 ms on average and take 20
// ms on average. Its answers, 100 ms and 4 messages, are those of the system, the
// message that is being processed included.
func ExampleMM1() {
	q, err := queue.NewMM1(25*time.Millisecond, 20*time.Millisecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("utilisation %.1f\n", q.Utilisation())
	fmt.Printf("in system   %.1f messages, %v\n", q.Number(), q.Time())
	fmt.Printf("in queue    %.1f messages, %v\n", q.NumberInQueue(), q.TimeInQueue())
	fmt.Printf("Little      %.1f messages\n", queue.Little(queue.Every(25*time.Millisecond), q.Time()))

	_, err = queue.NewMM1(20*time.Millisecond, 25*time.Millisecond)
	fmt.Println(err)
	// Output:
	// utilisation 0.8
	// in system   4.0 messages, 100ms
	// in queue    3.2 messages, 80ms
	// Little      4.0 messages
	// queue: no steady state: with a service of 25ms every 20ms the utilisation is 1.25, and must be under 1
}

// The article's second example: messages come every 30 ms, and there is room for
// five. The queue is to overflow with less than 0.0001 %: R⁶ < 10⁻⁶. The queue
// that really has room for no more than six in its system loses a little less,
// for what is lost does not lengthen it.
func ExampleLongestService() {
	service, err := queue.LongestService(30*time.Millisecond, 5, 1e-6)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("service under", service)

	q, err := queue.NewMM1(30*time.Millisecond, service)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean number %.2f, at least 6 with %.1e\n", q.Number(), q.AtLeast(6))

	bounded, err := queue.NewMM1K(30*time.Millisecond, service, 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("lost        %.1e\n", bounded.Lost())
	// Output:
	// service under 3ms
	// mean number 0.11, at least 6 with 1.0e-06
	// lost        9.0e-07
}

// The article's third example: interrupts come every 25 ms, and the hardware
// latches one while another is handled. Less than 1 % is to be lost: R² < 0.01,
// and so A < √0.01 · 25 ms (the root is missing in print). Without the latch, A
// would have to be ten times shorter.
func ExampleLongestService_interrupts() {
	service, err := queue.LongestService(25*time.Millisecond, 1, 0.01)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("service under", service)

	for _, c := range []struct {
		service  time.Duration
		capacity int
	}{{service, 2}, {service, 1}, {service / 10, 1}} {
		q, err := queue.NewMM1K(25*time.Millisecond, c.service, c.capacity)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("service %-5v room for %d: %.2f %% lost\n", c.service, c.capacity, 100*q.Lost())
	}
	// Output:
	// service under 2.5ms
	// service 2.5ms room for 2: 0.90 % lost
	// service 2.5ms room for 1: 9.09 % lost
	// service 250µs room for 1: 0.99 % lost
}

// The article's fourth example: interrupts come every 400 µs, and their data take
// 300 µs (the μ is missing in print). The answer of 1.2 ms is the time until the
// data are processed; until processing begins, as the article has it, is 0.9 ms.
func ExampleMM1_Time() {
	q, err := queue.NewMM1(400*time.Microsecond, 300*time.Microsecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("done after %v, begun after %v, %.0f in the system\n", q.Time(), q.TimeInQueue(), q.Number())
	// Output:
	// done after 1.2ms, begun after 900µs, 3 in the system
}

// A timer module has 40,000 expiries a second, and a goroutine performs the
// actions, 20 µs each on average, from a channel. Room for 60 makes it less
// probable than one in a million that the channel is full. The timers themselves
// need no such rule: with lives of 0.3 s, 12,000 are outstanding on average, and
// that many more by chance as a Poisson number has it.
func ExampleMM1_Capacity() {
	interval := time.Second / 40_000
	drain, err := queue.NewMM1(interval, 20*time.Microsecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	room := drain.Capacity(1e-6)
	fmt.Printf("%v: utilisation %.1f, room for %d and the one in progress\n", queue.Every(interval), drain.Utilisation(), room-1)
	fmt.Printf("mean delay %v, mean queue %.1f\n", drain.TimeInQueue(), drain.NumberInQueue())

	timers, err := queue.NewMGInf(interval, 300*time.Millisecond)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f timers; 12,500 or more with %.0e\n", timers.Number(), timers.AtLeast(12_500))
	// Output:
	// 4e+04/s: utilisation 0.8, room for 60 and the one in progress
	// mean delay 80µs, mean queue 3.2
	// 12000 timers; 12,500 or more with 3e-06
}

// Theory and simulation of the article's first example, on hierarchical wheels.
func ExampleModel_Simulate() {
	module, err := hierarchical.New[int](hierarchical.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model := queue.Model{Interarrival: 25 * time.Millisecond, Service: 20 * time.Millisecond}
	measured, err := model.Simulate(module, queue.RunConfig{Seed: 1, Arrivals: 10_000})
	if err != nil {
		fmt.Println(err)
		return
	}
	theory, err := queue.NewMM1(model.Interarrival, model.Service)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("number within the interval:", measured.Number.Contains(theory.Number()))
	fmt.Println("time within the interval:  ", measured.Time.Contains(theory.Time()))
	fmt.Printf("the interval is ± %.0f %% wide\n", 100*measured.Number.Half/measured.Number.Mean)
	// Output:
	// number within the interval: true
	// time within the interval:   true
	// the interval is ± 4 % wide
}
