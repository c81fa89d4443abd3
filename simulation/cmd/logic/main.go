// Command logic simulates digital logic gate by gate, on any scheme as the event
// list, and checks what comes out.
//
//	go run ./simulation/cmd/logic -circuit mult16 -scheme hierarchical
//	go run ./simulation/cmd/logic -circuit mult16 -scheme all
//
// The circuit is c17, a multiplier of n bits (multn), or a file in the ISCAS-85
// .bench format. Its inputs get random values; when they have run through, the
// outputs are checked, those of a multiplier against the product, those of other
// circuits against Boolean algebra.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/timerfacility/timer"
	"github.com/timerfacility/timer/simulation"
	"github.com/timerfacility/timer/simulation/cmd/internal/command"
	"github.com/timerfacility/timer/simulation/internal/eventlists"
	"github.com/timerfacility/timer/simulation/logic"
)

func main() { command.Run("logic", run) }

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("logic", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(stderr, "usage: logic [flags]\n\nA gate-level simulation, checked.\n\n")
	}
	name := flags.String("circuit", "mult16", "c17, mult2 to mult32, or a file that ends in .bench")
	scheme := flags.String("scheme", "hierarchical", "event list: all, or one of "+eventlists.Names())
	vectors := flags.Int("vectors", 1000, "how often the inputs get new values")
	delayName := flags.String("delay", "random", "of the gates: unit, fanin (a tick for each input), random (1 to -longest ticks)")
	longest := flags.Int("longest", 100, "the longest random delay, in ticks")
	flowName := flags.String("flow", "jump", "way of time: jump from event to event, or step tick by tick")
	seed := flags.Uint64("seed", 1, "seed of the inputs and of the random delays")
	write := flags.Bool("write", false, "write the circuit in the .bench format, and do nothing else")
	if err := command.Parse(flags, args, stderr); err != nil {
		return err
	}
	c, check, err := circuit(*name)
	if err != nil {
		return err
	}
	if *write {
		return c.Format(stdout)
	}
	lists := eventlists.All()
	if *scheme != "all" {
		l, err := eventlists.Named(*scheme)
		if err != nil {
			return fmt.Errorf("-scheme: %w, and all", err)
		}
		lists = []eventlists.List{l}
	}
	flow, err := command.Flow(*flowName)
	if err != nil {
		return fmt.Errorf("-flow: %w", err)
	}
	if *vectors < 1 {
		return fmt.Errorf("-vectors: %d is under 1", *vectors)
	}
	if *longest < 1 {
		return fmt.Errorf("-longest: %d is under 1", *longest)
	}
	delay, err := delays(*delayName, *longest, *seed)
	if err != nil {
		return err
	}

	fmt.Fprintf(stdout, "%s: %d inputs, %d outputs, %d gates, %d of them on the longest path\n",
		*name, len(c.Inputs), len(c.Outputs), len(c.Gates)-len(c.Inputs), c.Depth())
	fmt.Fprintf(stdout, "%d random inputs, delays %s, seed %d, flow %s\n\n", *vectors, *delayName, *seed, *flowName)
	fmt.Fprintf(stdout, "%-13s %10s %10s %11s %10s %12s\n", "event list", "right", "events", "cancelled", "ticks", "events/s")
	progress := command.NewProgress(stderr)
	wrong := 0
	for _, l := range lists {
		progress.Begin("simulating on " + l.Name)
		r, err := simulate(c, l.New(), delay, flow, *vectors, *seed, check, progress)
		progress.End()
		if err != nil {
			return err
		}
		wrong += *vectors - r.right
		fmt.Fprintf(stdout, "%-13s %10s %10d %9.2g %% %10d %12s\n", l.Name, fmt.Sprintf("%d/%d", r.right, *vectors),
			r.counts.Scheduled, 100*float64(r.counts.Cancelled)/float64(max(r.counts.Scheduled, 1)), r.now,
			fmt.Sprintf("%.2f M", float64(r.counts.Scheduled)/r.took.Seconds()/1e6))
	}
	if wrong > 0 {
		return fmt.Errorf("%d outputs are wrong", wrong)
	}
	return nil
}

// circuit is that of the name, with a check of its outputs for its inputs.
func circuit(name string) (c *logic.Circuit, check func(inputs, outputs []bool) bool, err error) {
	if digits, ok := strings.CutPrefix(name, "mult"); ok && !strings.HasSuffix(name, ".bench") {
		n, err := strconv.Atoi(digits)
		if err != nil {
			return nil, nil, fmt.Errorf("-circuit: %q is not mult and a number of bits, as in mult16", name)
		}
		c, err := logic.Multiplier(n)
		if err != nil {
			return nil, nil, fmt.Errorf("-circuit: %w", err)
		}
		return c, func(inputs, outputs []bool) bool {
			return logic.Number(outputs) == logic.Number(inputs[:n])*logic.Number(inputs[n:])
		}, nil
	}
	switch {
	case name == "c17":
		c = logic.C17()
	case strings.HasSuffix(name, ".bench"):
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, fmt.Errorf("-circuit: %w", err)
		}
		defer f.Close()
		if c, err = logic.Parse(f); err != nil {
			return nil, nil, fmt.Errorf("-circuit: %s: %w", name, err)
		}
	default:
		return nil, nil, fmt.Errorf("-circuit: no circuit %q; there are c17, mult2 to mult32, and files that end in .bench", name)
	}
	if len(c.Inputs) == 0 || len(c.Outputs) == 0 {
		return nil, nil, errors.New("-circuit: a circuit without inputs or outputs")
	}
	return c, func(inputs, outputs []bool) bool { return slices.Equal(outputs, c.Eval(inputs)) }, nil
}

// delays are those of the name. Random ones are the gate's own for all of a run,
// whatever the event list.
func delays(name string, longest int, seed uint64) (logic.Delay, error) {
	switch name {
	case "unit":
		return logic.UnitDelay, nil
	case "fanin":
		return logic.FaninDelay, nil
	case "random":
		r := rand.New(rand.NewPCG(seed, 1))
		known := make(map[string]timer.Tick)
		return func(g logic.Gate) timer.Tick {
			if known[g.Name] == 0 {
				known[g.Name] = 1 + timer.Tick(r.IntN(longest))
			}
			return known[g.Name]
		}, nil
	}
	return nil, fmt.Errorf("-delay: no delay %q; there are unit, fanin and random", name)
}

// A result is what a run came to.
type result struct {
	right  int // vectors whose outputs are right
	counts logic.Counts
	now    timer.Tick
	took   time.Duration
}

func simulate(c *logic.Circuit, module timer.Timer[int], delay logic.Delay, flow simulation.Flow, vectors int,
	seed uint64, check func(inputs, outputs []bool) bool, progress *command.Progress) (result, error) {
	s, err := logic.NewSimulator(c, module, logic.Config{Delay: delay, Flow: flow})
	if err != nil {
		return result{}, err
	}
	r := rand.New(rand.NewPCG(seed, 2))
	inputs := make([]bool, len(c.Inputs))
	var res result
	for i := range vectors {
		for j := range inputs {
			inputs[j] = r.Uint64()&1 != 0
		}
		began := time.Now()
		s.Set(inputs)
		if err := s.Settle(); err != nil {
			return result{}, err
		}
		res.took += time.Since(began)
		if check(inputs, s.Outputs()) {
			res.right++
		}
		progress.Show(i+1, vectors)
	}
	res.counts, res.now = s.Counts(), s.Now()
	return res, nil
}
