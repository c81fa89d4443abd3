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
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"time"

	"github.com/timerfacility/timer/bench"
	"golang.org/x/term"
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
	claims []bench.Claim // and supplements, after them
	list   bool
	json   bool
	out    string
	lab    bench.Lab
}

// parse reads the flags. Its error is one line.
func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	quick := flags.Bool("quick", false, "less work: under half a minute")
	full := flags.Bool("full", false, "more work: under ten minutes")
	pattern := flags.String("run", "", "measure only the claims whose id or title matches `regexp`")
	flags.BoolVar(&o.list, "list", false, "list the claims and measure nothing")
	flags.Uint64Var(&o.lab.Seed, "seed", 1, "the seed of all chance")
	flags.StringVar(&o.out, "out", "", "write the report into `folder` (default: a new temporary one)")
	flags.BoolVar(&o.json, "json", false, "print the results as JSON instead of tables")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: report [flags]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return o, err
	}
	o.lab.Size = bench.Normal
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("no argument is expected beside flags: %q", flags.Arg(0))
	case *quick && *full:
		return o, errors.New("-quick and -full exclude each other")
	case *quick:
		o.lab.Size = bench.Quick
	case *full:
		o.lab.Size = bench.Full
	}
	match, err := regexp.Compile(*pattern)
	if err != nil {
		return o, fmt.Errorf("-run: %v", err)
	}
	for _, c := range slices.Concat(bench.Claims(), bench.Supplements()) {
		if match.MatchString(c.ID) || match.MatchString(c.Title) {
			o.claims = append(o.claims, c)
		}
	}
	if len(o.claims) == 0 {
		return o, fmt.Errorf("-run: no claim matches %q; -list lists them", *pattern)
	}
	return o, nil
}

// run is the command. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return succeeded
	}
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return badFlag
	}
	if o.list {
		for _, c := range o.claims {
			fmt.Fprintf(stdout, "%-6s %s\n", c.ID, c.Title)
		}
		return succeeded
	}
	dir, err := folder(o.out)
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return failed
	}

	r := report{Run: describe(&o.lab)}
	for _, f := range measure(ctx, o.claims, &o.lab, newProgress(stderr, o.claims, o.lab.Size)) {
		r.add(f)
	}
	for _, c := range o.claims {
		if !isSupplement(c) {
			r.Claimed++
		}
	}
	if err := r.write(dir); err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return failed
	}
	if o.json {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "\t")
		err = encoder.Encode(r)
	} else {
		err = r.text(stdout, isTerminal(stdout) && os.Getenv("NO_COLOR") == "")
	}
	if err != nil {
		fmt.Fprintln(stderr, "report:", err)
		return failed
	}
	fmt.Fprintln(stderr, "The report is in", dir)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(stderr, "report: interrupted after %d of %d measurements\n", len(r.Findings)+len(r.Supplements), len(o.claims))
		return interrupted
	case len(r.unexpected()) > 0:
		for _, f := range r.unexpected() {
			fmt.Fprintf(stderr, "report: %s is %q, expected %q\n", f.ID, f.Verdict, f.Expect)
		}
		return failed
	}
	return succeeded
}

// folder makes the folder of the report and makes sure that it can be written.
func folder(out string) (string, error) {
	if out == "" {
		return os.MkdirTemp("", "timer-report-")
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return "", err
	}
	probe, err := os.CreateTemp(out, ".probe-")
	if err != nil {
		return "", err
	}
	probe.Close()
	return filepath.Clean(out), os.Remove(probe.Name())
}

// measure tries the claims in turn, until ctx is done: then it gives those that
// are finished and leaves the one under way behind.
func measure(ctx context.Context, claims []bench.Claim, lab *bench.Lab, p *progress) []bench.Finding {
	defer p.end()
	findings := make([]bench.Finding, 0, len(claims))
	done := make(chan bench.Finding, 1)
	for _, c := range claims {
		if ctx.Err() != nil {
			break
		}
		p.begin(c)
		go func() { done <- c.Try(lab) }()
		redraw := time.NewTicker(time.Second / 4)
	wait:
		for {
			select {
			case f := <-done:
				findings = append(findings, f)
				break wait
			case <-redraw.C:
				p.draw()
			case <-ctx.Done():
				redraw.Stop()
				return findings
			}
		}
		redraw.Stop()
		p.finish()
	}
	return findings
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
