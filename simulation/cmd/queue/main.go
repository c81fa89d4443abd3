// Command queue holds queueing theory against a simulated queue.
//
//	go run ./simulation/cmd/queue -interarrival 25ms -service 20ms
//
// It simulates an M/M/1 queue; with -capacity M/M/1/K; with -unlimited M/G/∞, the
// outstanding timers of a timer module. The figures of theory stand beside those
// measured, with intervals from batch means. With -plot it draws the mean number
// against the load and the distribution of the number.
package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/timerfacility/timer/simulation/cmd/internal/command"
	"github.com/timerfacility/timer/simulation/internal/eventlists"
	"github.com/timerfacility/timer/simulation/queue"
)

func main() { command.Run("queue", run) }

// options are the flags.
type options struct {
	model    queue.Model
	config   queue.RunConfig
	list     eventlists.List
	flow     string
	law      string
	arrivals int
	overflow float64
	plot     string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var unlimited bool
	var scheme string
	flags := flag.NewFlagSet("queue", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: queue [flags]\n\nQueueing theory beside a simulated queue.\n\n")
	}
	flags.DurationVar(&o.model.Interarrival, "interarrival", 25*time.Millisecond, "mean time between arrivals")
	flags.DurationVar(&o.model.Service, "service", 20*time.Millisecond, "mean time of a service")
	flags.IntVar(&o.model.Capacity, "capacity", 0, "room in the system, the one in service included; 0: no bound")
	flags.BoolVar(&unlimited, "unlimited", false, "serve everybody at once, as a timer module does")
	flags.StringVar(&o.law, "law", "exponential", "law of the times of service: exponential; with -unlimited also uniform, constant")
	flags.Float64Var(&o.overflow, "overflow", 0, "tell the capacity that is exceeded with this probability at most")
	flags.IntVar(&o.arrivals, "arrivals", 600_000, "arrivals to measure, about")
	flags.IntVar(&o.config.Batches, "batches", 30, "batches to cut the run into, for the intervals")
	flags.Float64Var(&o.config.Confidence, "confidence", 0.95, "of each interval")
	flags.IntVar(&o.config.Longest, "longest", 10, "the largest number whose probability is shown")
	flags.Uint64Var(&o.config.Seed, "seed", 1, "seed of the random numbers")
	flags.StringVar(&scheme, "scheme", "hierarchical", "event list: "+eventlists.Names())
	flags.StringVar(&o.flow, "flow", "jump", "way of time: jump from event to event, or step tick by tick")
	flags.StringVar(&o.plot, "plot", "", "draw the figures in this `file`, .svg, .png or .pdf")
	if err := command.Parse(flags, args, stderr); err != nil {
		return o, err
	}

	var err error
	if o.list, err = eventlists.Named(scheme); err != nil {
		return o, fmt.Errorf("-scheme: %w", err)
	}
	if o.config.Flow, err = command.Flow(o.flow); err != nil {
		return o, fmt.Errorf("-flow: %w", err)
	}
	laws := map[string]queue.Law{"exponential": queue.Exponential, "uniform": queue.Uniform, "constant": queue.Constant}
	if o.model.Law = laws[o.law]; o.model.Law == nil {
		return o, fmt.Errorf("-law: no law %q; there are exponential, uniform and constant", o.law)
	}
	switch {
	case unlimited && o.model.Capacity != 0:
		return o, fmt.Errorf("-unlimited and -capacity: who is served at once needs no room to wait")
	case !unlimited && o.law != "exponential":
		return o, fmt.Errorf("-law %s: there is theory for it only with -unlimited", o.law)
	case o.config.Batches < 2:
		return o, fmt.Errorf("-batches: %d is under 2", o.config.Batches)
	case o.arrivals < o.config.Batches:
		return o, fmt.Errorf("-arrivals: %d is under one for each of %d batches", o.arrivals, o.config.Batches)
	case o.config.Longest < 1:
		return o, fmt.Errorf("-longest: %d is under 1", o.config.Longest)
	case !(o.overflow >= 0 && o.overflow < 1):
		return o, fmt.Errorf("-overflow: %v is not between 0 and 1", o.overflow)
	case o.overflow > 0 && (unlimited || o.model.Capacity > 0):
		return o, fmt.Errorf("-overflow sizes an M/M/1 queue: not with -unlimited or -capacity")
	case !(o.config.Confidence > 0 && o.config.Confidence < 1):
		return o, fmt.Errorf("-confidence: %v is not between 0 and 1", o.config.Confidence)
	}
	if o.plot != "" {
		if _, err := format(o.plot); err != nil {
			return o, fmt.Errorf("-plot: %w", err)
		}
	}
	o.config.Arrivals = o.arrivals / o.config.Batches
	if unlimited {
		o.model.Servers = queue.Unlimited
	}
	return o, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	theory, err := newTheory(o.model)
	if err != nil {
		return err
	}
	progress := command.NewProgress(stderr)
	progress.Begin("simulating " + theory.name)
	began := time.Now()
	measured, err := simulate(o, o.model, progress)
	took := time.Since(began)
	progress.End()
	if err != nil {
		return err
	}
	report(stdout, o, theory, measured)
	fmt.Fprintf(stdout, "%d events in %v: %.2g million a second\n",
		measured.Events, took.Round(time.Millisecond), float64(measured.Events)/took.Seconds()/1e6)
	if o.plot == "" {
		return nil
	}
	err = draw(o, theory, measured, progress)
	progress.End()
	if err == nil {
		fmt.Fprintln(stdout, "drawn in", o.plot)
	}
	return err
}

func simulate(o options, m queue.Model, progress *command.Progress) (queue.Measured, error) {
	cfg := o.config
	cfg.Progress = progress.Show
	return m.Simulate(o.list.New(), cfg)
}

// A theory is what is known of a model.
type theory struct {
	name    string
	number  float64
	atLeast func(k int) float64

	// Where there is no figure, these are nil.
	inQueue    *float64
	stay, wait *time.Duration
	lost       *float64
	throughput queue.Rate
	capacity   func(overflow float64) int
}

func newTheory(m queue.Model) (theory, error) {
	t := theory{throughput: queue.Every(m.Interarrival)}
	switch {
	case m.Servers == queue.Unlimited:
		q, err := queue.NewMGInf(m.Interarrival, m.Service)
		if err != nil {
			return t, err
		}
		t.name, t.number, t.atLeast, t.stay = "M/G/∞", q.Number(), q.AtLeast, &m.Service
	case m.Capacity != 0:
		q, err := queue.NewMM1K(m.Interarrival, m.Service, m.Capacity)
		if err != nil {
			return t, err
		}
		stay, lost := q.Time(), q.Lost()
		t.name, t.number, t.atLeast = fmt.Sprintf("M/M/1/%d", m.Capacity), q.Number(), q.AtLeast
		t.stay, t.lost, t.throughput = &stay, &lost, q.Throughput()
	default:
		q, err := queue.NewMM1(m.Interarrival, m.Service)
		if err != nil {
			return t, err
		}
		inQueue, stay, wait := q.NumberInQueue(), q.Time(), q.TimeInQueue()
		t.name, t.number, t.atLeast = "M/M/1", q.Number(), q.AtLeast
		t.inQueue, t.stay, t.wait, t.capacity = &inQueue, &stay, &wait, q.Capacity
	}
	return t, nil
}

// report writes theory and simulation side by side.
func report(w io.Writer, o options, t theory, m queue.Measured) {
	fmt.Fprintf(w, "%s: an arrival every %v (%v), a service of %v, load %.4g\n",
		t.name, o.model.Interarrival, queue.Every(o.model.Interarrival), o.model.Service,
		o.model.Service.Seconds()/o.model.Interarrival.Seconds())
	fmt.Fprintf(w, "%d batches of %d arrivals, intervals of %.4g %%, seed %d, event list %s, flow %s\n\n",
		o.config.Batches, o.config.Arrivals, 100*o.config.Confidence, o.config.Seed, o.list.Name, o.flow)

	row := func(name, theory, mean, half string, within bool) {
		mark := ""
		if !within && half != "0" {
			mark = "   theory is outside"
		}
		fmt.Fprintf(w, "%-18s %12s %12s ± %s%s\n", name, theory, mean, half, mark)
	}
	number := func(name string, theory float64, e queue.Estimate[float64]) {
		row(name, fmt.Sprintf("%.4g", theory), fmt.Sprintf("%.4g", e.Mean), fmt.Sprintf("%.2g", e.Half), e.Contains(theory))
	}
	span := func(name string, theory time.Duration, e queue.Estimate[time.Duration]) {
		digits := time.Duration(1) // as many as tell a hundredth of the interval
		for digits <= e.Half/100 {
			digits *= 10
		}
		row(name, theory.String(), e.Mean.Round(digits).String(), e.Half.Round(digits).String(), e.Contains(theory))
	}
	fmt.Fprintf(w, "%-18s %12s %12s\n", "", "theory", "simulation")
	number("number in system", t.number, m.Number)
	if t.inQueue != nil {
		number("number in queue", *t.inQueue, m.NumberInQueue)
	}
	if t.stay != nil {
		span("time in system", *t.stay, m.Time)
	}
	if t.wait != nil {
		span("time in queue", *t.wait, m.TimeInQueue)
	}
	if t.lost != nil {
		number("share lost", *t.lost, m.Lost)
	}
	row("throughput", t.throughput.String(), m.Throughput.Mean.String(), fmt.Sprintf("%.2g", float64(m.Throughput.Half)), m.Throughput.Contains(t.throughput))
	for k, e := range m.AtLeast {
		if p := t.atLeast(k); k > 0 && p > 0 {
			number(fmt.Sprintf("P(at least %d)", k), p, e)
		}
	}
	fmt.Fprintf(w, "\nLittle's law: %.4g in the system = %v · %v, off by %.1g %%\n",
		m.Number.Mean, m.Throughput.Mean, m.Time.Mean.Round(max(m.Time.Mean/1000, 1)), 100*abs(m.Little))
	if o.overflow > 0 {
		capacity := t.capacity(o.overflow)
		fmt.Fprintf(w, "%s with room for %d (%d to wait) overflows with probability %.2g\n",
			strings.TrimSpace(t.name), capacity, max(capacity-1, 0), t.atLeast(capacity+1))
	}
}

func abs(x float64) float64 { return max(x, -x) }
