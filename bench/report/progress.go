package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/timerfacility/timer/bench"
	"golang.org/x/term"
)

// progress is a bar on a terminal; on anything else it is silent.
type progress struct {
	w       *os.File // nil if silent
	began   time.Time
	rate    float64 // expected seconds for each unit of effort
	total   float64 // efforts of all claims
	done    float64 // and of those that are finished
	current bench.Claim
	started time.Time
}

func newProgress(w io.Writer, claims []bench.Claim, size bench.Size) *progress {
	p := &progress{
		began: time.Now(),
		rate:  map[bench.Size]float64{bench.Quick: 0.4, bench.Normal: 1, bench.Full: 7}[size],
	}
	if isTerminal(w) {
		p.w = w.(*os.File)
	}
	for _, c := range claims {
		p.total += effort(c)
	}
	return p
}

// effort is the share of a claim in the time of a run.
func effort(c bench.Claim) float64 { return max(c.Effort, 0.05) }

func (p *progress) begin(c bench.Claim) {
	p.current, p.started = c, time.Now()
	p.draw()
}

// finish counts the claim under way as done, and learns from it how fast it
// goes.
func (p *progress) finish() {
	p.done += effort(p.current)
	p.rate = time.Since(p.began).Seconds() / p.done
}

// draw draws the bar, the claim under way, and the time left.
func (p *progress) draw() {
	if p.w == nil {
		return
	}
	const width = 20
	now := min(effort(p.current)*0.95, time.Since(p.started).Seconds()/p.rate)
	if p.started.IsZero() {
		now = 0
	}
	done := min(p.done+now, p.total)
	full := int(done / p.total * width)
	left := max(time.Duration((p.total-done)*p.rate*float64(time.Second)), time.Second).Round(time.Second)
	line := fmt.Sprintf("[%s%s] %v left: %s %s", strings.Repeat("#", full), strings.Repeat(".", width-full), left, p.current.ID, p.current.Title)
	if columns, _, err := term.GetSize(int(p.w.Fd())); err == nil && columns > 1 {
		line = truncate(line, columns-1)
	}
	fmt.Fprint(p.w, "\r\033[K", line)
}

// end removes the bar.
func (p *progress) end() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
