package queue

import (
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// ErrNoSteadyState says that work comes in as fast as it can be done or faster:
// the queue grows without bound, and has no mean.
var ErrNoSteadyState = errors.New("queue: no steady state")

// A Rate is how often something happens, in events a second.
type Rate float64

// Every is the rate of something that happens every interval, on average.
func Every(interval time.Duration) Rate { return Rate(1 / interval.Seconds()) }

// String is the rate with its unit, as 40/s.
func (r Rate) String() string { return fmt.Sprintf("%.4g/s", float64(r)) }

// Little is Little's law: the mean number in a system that its customers come to
// at the rate, to stay for the time on average.
func Little(rate Rate, stay time.Duration) float64 { return float64(rate) * stay.Seconds() }

// An MM1 is a queue with one server, exponential times between arrivals and
// exponential times of service, in its steady state.
type MM1 struct {
	interarrival, service float64 // means, in seconds
}

// NewMM1 is the queue with these means. A mean that is not positive is an error;
// so is a service that takes as long as the time between arrivals, or longer:
// [ErrNoSteadyState].
func NewMM1(interarrival, service time.Duration) (MM1, error) {
	if err := positive(interarrival, service); err != nil {
		return MM1{}, err
	}
	if service >= interarrival {
		return MM1{}, fmt.Errorf("%w: with a service of %v every %v the utilisation is %.4g, and must be under 1",
			ErrNoSteadyState, service, interarrival, service.Seconds()/interarrival.Seconds())
	}
	return MM1{interarrival.Seconds(), service.Seconds()}, nil
}

func positive(interarrival, service time.Duration) error {
	if interarrival <= 0 {
		return fmt.Errorf("queue: mean interarrival time %v is not positive", interarrival)
	}
	if service <= 0 {
		return fmt.Errorf("queue: mean service time %v is not positive", service)
	}
	return nil
}

// Utilisation is R = A/I: the share of time in which the server is busy.
func (q MM1) Utilisation() float64 { return q.service / q.interarrival }

// Number is the mean number in the system, the one in service included: R/(1-R).
func (q MM1) Number() float64 {
	r := q.Utilisation()
	return r / (1 - r)
}

// NumberInQueue is the mean number that wait for service: R²/(1-R).
func (q MM1) NumberInQueue() float64 { return q.Utilisation() * q.Number() }

// Time is the mean time from arrival to the end of service: A/(1-R).
func (q MM1) Time() time.Duration { return seconds(q.service / (1 - q.Utilisation())) }

// TimeInQueue is the mean time from arrival to the start of service: R·A/(1-R).
func (q MM1) TimeInQueue() time.Duration {
	r := q.Utilisation()
	return seconds(r * q.service / (1 - r))
}

// AtLeast is the probability that k or more are in the system: R^k.
func (q MM1) AtLeast(k int) float64 { return math.Pow(q.Utilisation(), float64(max(k, 0))) }

// Capacity is the least number for which it is less probable than overflow that
// more are in the system: the room to make, the one in service included. Overflow
// is between 0 and 1, exclusively; else Capacity panics.
func (q MM1) Capacity(overflow float64) int {
	if !(overflow > 0 && overflow < 1) {
		panic(fmt.Sprintf("queue: overflow probability %v is not between 0 and 1", overflow))
	}
	capacity := int(math.Log(overflow) / math.Log(q.Utilisation()))
	for capacity > 0 && q.AtLeast(capacity) < overflow { // rounding, at most once
		capacity--
	}
	for q.AtLeast(capacity+1) >= overflow {
		capacity++
	}
	return capacity
}

// LongestService is the mean time of service at which the probability that more
// than capacity are in an M/M/1 system reaches overflow: I·overflow^(1/(capacity+1)).
// Any shorter one keeps it lower. A negative capacity, an overflow that is not
// between 0 and 1, and a time between arrivals that is not positive are errors.
func LongestService(interarrival time.Duration, capacity int, overflow float64) (time.Duration, error) {
	if err := positive(interarrival, 1); err != nil {
		return 0, err
	}
	if capacity < 0 {
		return 0, fmt.Errorf("queue: capacity %d is negative", capacity)
	}
	if !(overflow > 0 && overflow < 1) {
		return 0, fmt.Errorf("queue: overflow probability %v is not between 0 and 1", overflow)
	}
	return seconds(interarrival.Seconds() * math.Pow(overflow, 1/float64(capacity+1))), nil
}

// An MM1K is an M/M/1 queue with room for K, the one in service included:
// whoever finds K in the system is lost. It has a steady state at every load.
type MM1K struct {
	interarrival, service float64 // means, in seconds
	capacity              int
}

// NewMM1K is the queue with these means and this capacity. A mean that is not
// positive and a capacity under 1 are errors.
func NewMM1K(interarrival, service time.Duration, capacity int) (MM1K, error) {
	if err := positive(interarrival, service); err != nil {
		return MM1K{}, err
	}
	if capacity < 1 {
		return MM1K{}, fmt.Errorf("queue: capacity %d is under 1, the one in service", capacity)
	}
	return MM1K{interarrival.Seconds(), service.Seconds(), capacity}, nil
}

// Load is R = A/I, lost arrivals included; it may be 1 or more.
func (q MM1K) Load() float64 { return q.service / q.interarrival }

// AtLeast is the probability that k or more are in the system:
// (R^k - R^(K+1)) / (1 - R^(K+1)), and (K+1-k)/(K+1) where R is 1.
func (q MM1K) AtLeast(k int) float64 {
	k = max(k, 0)
	if k > q.capacity {
		return 0
	}
	// A sum of positive terms, which loses no digits where R is close to 1.
	r := q.Load()
	tail, all := 0.0, 0.0
	for i := range q.capacity + 1 {
		p := math.Pow(r, float64(i))
		if r > 1 {
			p = math.Pow(r, float64(i-q.capacity)) // divided by the largest
		}
		all += p
		if i >= k {
			tail += p
		}
	}
	return tail / all
}

// Lost is the share of the arrivals that find no room, and are lost: the
// probability of K in the system.
func (q MM1K) Lost() float64 { return q.AtLeast(q.capacity) }

// Number is the mean number in the system, the one in service included: the sum
// of the probabilities of at least 1, 2, ..., K.
func (q MM1K) Number() float64 {
	n := 0.0
	for k := 1; k <= q.capacity; k++ {
		n += q.AtLeast(k)
	}
	return n
}

// Throughput is the rate of those that are served.
func (q MM1K) Throughput() Rate { return Rate((1 - q.Lost()) / q.interarrival) }

// Time is the mean time from arrival to the end of service, of those that are not
// lost: by Little's law, Number/Throughput.
func (q MM1K) Time() time.Duration { return seconds(q.Number() / float64(q.Throughput())) }

// An MGInf is a system in which everybody is served at once, for a time of any
// law, and to which arrivals come as a Poisson stream: the outstanding timers.
type MGInf struct {
	interarrival, life float64 // means, in seconds
}

// NewMGInf is the system with these means: the time between arrivals, and the
// life of a customer. A mean that is not positive is an error.
func NewMGInf(interarrival, life time.Duration) (MGInf, error) {
	if err := positive(interarrival, life); err != nil {
		return MGInf{}, err
	}
	return MGInf{interarrival.Seconds(), life.Seconds()}, nil
}

// Number is the mean number in the system: λ·T.
func (q MGInf) Number() float64 { return q.life / q.interarrival }

// AtLeast is the probability that k or more are in the system, whose number has
// the Poisson law.
func (q MGInf) AtLeast(k int) float64 {
	if k <= 0 {
		return 1
	}
	return distuv.Poisson{Lambda: q.Number()}.Survival(float64(k) - 1)
}

// seconds is a number of them as a duration, to the nearest nanosecond.
func seconds(s float64) time.Duration { return time.Duration(math.Round(s * float64(time.Second))) }
