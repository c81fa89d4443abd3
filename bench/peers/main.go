package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// The exit statuses.
const (
	succeeded   = 0
	failed      = 1
	badFlag     = 2
	interrupted = 130
)

// options are what the flags say.
type options struct {
	timers    []int
	workloads []workload
	subjects  []subject
	targets   bool
	worst     bool
	count     int
	long      time.Duration // of one measurement
	single    int           // operations of the worst case
	plot      string
	json      bool
}

// The tables beside those of the workloads, as -run names them.
const (
	targetsKey = "targets"
	worstKey   = "worst"
)

// parse reads the flags. Its error is one line.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("peers", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	numbers := flags.String("n", "1000,100000,1000000", "`numbers` of outstanding timers, with commas between")
	tables := flags.String("run", "", "measure only the tables whose name matches `regexp`: W1, W2, W2b, W3, bytes, gc, targets, worst")
	rows := flags.String("on", "", "measure only the rows whose name matches `regexp`, and those that others are compared with")
	flags.IntVar(&o.count, "count", 5, "`runs` of each measurement")
	quick := flags.Bool("quick", false, "less work: two runs at the most, a tenth of the time for each, and no row of 10^6 timers unless -n asks for it")
	flags.StringVar(&o.plot, "plot", "", "draw the figures into `file`, as SVG")
	flags.BoolVar(&o.json, "json", false, "print the figures as JSON instead of tables")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: peers [flags]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("no argument is expected beside flags: %q", flags.Arg(0))
	}
	if o.count < 1 {
		return o, fmt.Errorf("-count: %d runs are none", o.count)
	}
	o.long, o.single = 100*time.Millisecond, 1e7
	if *quick {
		given := false
		flags.Visit(func(f *flag.Flag) { given = given || f.Name == "n" })
		if !given {
			*numbers = "1000,100000"
		}
		o.count, o.long, o.single = min(o.count, 2), 10*time.Millisecond, 2e5
	}
	for text := range strings.SplitSeq(*numbers, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > 1e8 {
			return o, fmt.Errorf("-n: %q is no number from 1 to 100000000", text)
		}
		o.timers = append(o.timers, n)
	}
	match, err := regexp.Compile("^(?:" + *tables + ")")
	if err != nil {
		return o, fmt.Errorf("-run: %v", err)
	}
	for _, w := range workloads() {
		if match.MatchString(w.key) {
			o.workloads = append(o.workloads, w)
		}
	}
	o.targets, o.worst = match.MatchString(targetsKey), match.MatchString(worstKey)
	if len(o.workloads) == 0 && !o.targets && !o.worst {
		return o, fmt.Errorf("-run: no table matches %q", *tables)
	}
	match, err = regexp.Compile(*rows)
	if err != nil {
		return o, fmt.Errorf("-on: %v", err)
	}
	for _, s := range subjects() {
		if match.MatchString(s.name) || s.name == runtimeName || s.name == scheme7Name {
			o.subjects = append(o.subjects, s)
		}
	}
	return o, nil
}

// A Result is everything that a run gives.
type Result struct {
	Run     Description
	Figures []Figure `json:",omitempty"`
	Targets []Target `json:",omitempty"`
	Worst   []Worst  `json:",omitempty"`
}

// run is the command. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return succeeded
	}
	if err != nil {
		fmt.Fprintln(stderr, "peers:", err)
		return badFlag
	}
	p := newProgress(stderr)
	r := Result{Run: describe(o)}
	r.Figures = measure(ctx, o, p)
	if o.targets {
		r.Targets = targets(ctx, r.Figures, o, p)
	}
	if o.worst {
		r.Worst = worst(ctx, o, p)
	}
	p.end()
	if o.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "\t")
		err = encoder.Encode(r)
	} else {
		err = r.text(stdout, o)
	}
	if err == nil && o.plot != "" {
		err = draw(r.Figures, o, o.plot)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "peers:", err)
		return failed
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "peers: interrupted; what is printed was finished")
		return interrupted
	}
	return succeeded
}

// progress is a line on a terminal; on anything else it is silent.
type progress struct{ w io.Writer }

func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return &progress{w}
		}
	}
	return &progress{}
}

func (p *progress) show(what string) {
	if p.w != nil {
		fmt.Fprintf(p.w, "\r\033[K%s", what)
	}
}

func (p *progress) end() { p.show("") }
