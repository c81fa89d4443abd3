// Package command is what the commands of package simulation share: their flags,
// errors of one line, and progress on a terminal.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/timerfacility/timer/simulation"
	"golang.org/x/term"
)

// Run runs the command and ends the program: with 2 and a line on stderr if it
// fails.
func Run(name string, command func(args []string, stdout, stderr io.Writer) error) {
	err := command(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, name+": "+strings.TrimPrefix(err.Error(), name+": "))
		os.Exit(2)
	}
}

// Parse parses the flags. What is wrong with them is one line; help is asked for
// with -h.
func Parse(flags *flag.FlagSet, args []string, stderr io.Writer) error {
	usage := flags.Usage
	flags.Usage = func() {}
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stderr)
		usage()
		flags.PrintDefaults()
		return err
	case err != nil:
		return fmt.Errorf("%w (-h lists the flags)", err)
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: there are only flags (-h lists them)", flags.Arg(0))
	}
	return nil
}

// Flow is the way of time of that name.
func Flow(name string) (simulation.Flow, error) {
	switch name {
	case "jump":
		return simulation.Jump, nil
	case "step":
		return simulation.Step, nil
	}
	return 0, fmt.Errorf("no flow %q; there are jump and step", name)
}

// A Progress is a bar on a terminal; on anything else it is silent.
type Progress struct {
	w     io.Writer // nil if silent
	what  string
	drawn time.Time
}

// NewProgress makes the bar of what is going on.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{drawn: time.Now()}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.w = w
	}
	return p
}

// Begin says what is going on.
func (p *Progress) Begin(what string) { p.what = what }

// Show draws the bar, ten times a second at most.
func (p *Progress) Show(done, all int) {
	if p.w == nil || time.Since(p.drawn) < 100*time.Millisecond {
		return
	}
	p.drawn = time.Now()
	const width = 30
	full := width * done / all
	fmt.Fprintf(p.w, "\r\033[K[%s%s] %3d %% %s", strings.Repeat("#", full), strings.Repeat(".", width-full), 100*done/all, p.what)
}

// End removes the bar.
func (p *Progress) End() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
