// Purgatory holds requests that wait for keys to be satisfied or for their
// timeout, as in Kafka's request purgatory: one timer for each request, and lists
// of those that watch a key. Goroutines put requests in and satisfy keys at the
// same time; in the end every request must have been completed exactly once.
//
//	go run ./teaching/examples/purgatory
//
// It shows its figures every half second and ends by itself.
package main

import (
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/timerfacility/timer/facility"
)

func main() {
	cfg := load{}
	flag.IntVar(&cfg.keys, "keys", 20000, "keys to wait for")
	flag.IntVar(&cfg.clients, "clients", runtime.GOMAXPROCS(0), "goroutines that make requests")
	flag.IntVar(&cfg.most, "waiting", 100000, "most requests that wait at once")
	flag.DurationVar(&cfg.timeout, "timeout", time.Second, "longest timeout of a request")
	flag.DurationVar(&cfg.duration, "duration", 4*time.Second, "how long to make requests")
	flag.Parse()
	if cfg.keys < 3 || cfg.clients < 1 || cfg.most < 1 || cfg.timeout <= 0 {
		log.Fatal("purgatory: a flag is out of its range")
	}

	r, err := cfg.run(func(r result, elapsed time.Duration) {
		fmt.Printf("%5.1f s  %8d requests  %7.0f/s  %8d satisfied  %7d timed out  %6d waiting  %6d places in lists\n",
			elapsed.Seconds(), r.requests, float64(r.requests)/elapsed.Seconds(), r.satisfied, r.timedOut, r.waiting, r.watched)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%d requests = %d satisfied + %d timed out; %d completed more than once, %d never, %d before their timeout was over\n",
		r.requests, r.satisfied, r.timedOut, r.twice, r.never, r.early)
	fmt.Printf("the timers' lateness: median under %v, 99 %% under %v\n", r.stats.Lateness.Quantile(0.5), r.stats.Lateness.Quantile(0.99))
	if r.twice+r.never+r.early > 0 {
		os.Exit(1)
	}
}

// load is what the clients do.
type load struct {
	keys, clients, most int
	timeout, duration   time.Duration
}

type result struct {
	requests, satisfied, timedOut uint64
	twice, never, early           uint64
	waiting, watched              int
	stats                         facility.Stats
}

func (l load) run(show func(result, time.Duration)) (result, error) {
	f, err := facility.New(facility.Config{})
	if err != nil {
		return result{}, err
	}
	defer f.Close()
	p := NewPurgatory(f)
	var requests, satisfied, timedOut, twice, early atomic.Uint64
	var stop atomic.Bool
	var clients sync.WaitGroup
	for range l.clients {
		clients.Go(func() {
			r := rand.New(rand.NewPCG(rand.Uint64(), 0))
			for i := 0; !stop.Load(); i++ {
				if p.Waiting() >= l.most {
					time.Sleep(time.Millisecond)
				}
				first, timeout := r.IntN(l.keys), time.Duration(1+r.Int64N(int64(l.timeout)))
				keys := []int{first, (first + 1) % l.keys, (first + 2) % l.keys}[:1+r.IntN(3)]
				var completions atomic.Int32
				begin := time.Now()
				requests.Add(1)
				p.Wait(keys, timeout, func(ok bool) {
					if completions.Add(1) > 1 {
						twice.Add(1)
					}
					if ok {
						satisfied.Add(1)
						return
					}
					timedOut.Add(1)
					if time.Since(begin) < timeout {
						early.Add(1)
					}
				})
				if i%8 == 0 {
					p.Satisfy(r.IntN(l.keys))
				}
			}
		})
	}

	begin := time.Now()
	snapshot := func() result {
		return result{
			requests: requests.Load(), satisfied: satisfied.Load(), timedOut: timedOut.Load(), twice: twice.Load(), early: early.Load(),
			waiting: p.Waiting(), watched: p.Watched(), stats: f.Stats(),
		}
	}
	for time.Since(begin) < l.duration {
		time.Sleep(min(500*time.Millisecond, l.duration))
		show(snapshot(), time.Since(begin))
	}
	stop.Store(true)
	clients.Wait()
	// What still waits times out.
	for end := time.Now().Add(l.timeout + 5*time.Second); p.Waiting() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(10 * time.Millisecond) // a completion is counted after it has left the count of those that wait
	r := snapshot()
	r.never = r.requests - (r.satisfied + r.timedOut - r.twice)
	return r, nil
}
