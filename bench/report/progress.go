package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/timerfacility/timer/bench"
)

// progress is a bar on a terminal; on anything else it is silent.
type progress struct {
	w       io.Writer // nil if silent
	began   time.Time
	total   float64 // expected efforts of all claims
	done    float64 // and of those that are finished
	current bench.Claim
	started time.Time
}

func newProgress(w io.Writer, claims []bench.Claim) *progress {
	p := &progress{began: time.Now()}
	if isTerminal(w) {
		p.w = w
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

func (p *progress) finish() {
	p.done += effort(p.current)
	p.draw()
}

// draw draws the bar: what is finished, the claim under way, and the time left,
// from how fast the finished ones went.
func (p *progress) draw() {
	if p.w == nil {
		return
	}
	const width = 24
	share := p.done / p.total
	bar := strings.Repeat("#", int(share*width)) + strings.Repeat(".", width-int(share*width))
	left := ""
	if p.done > 0 {
		spent := p.started.Sub(p.began).Seconds()
		seconds := spent/p.done*(p.total-p.done) - time.Since(p.started).Seconds()
		left = fmt.Sprintf(", %v left", (time.Duration(max(seconds, 1)) * time.Second).Round(time.Second))
	}
	fmt.Fprintf(p.w, "\r\033[K[%s] %-5s %s%s", bar, p.current.ID, p.current.Title, left)
}

// end removes the bar.
func (p *progress) end() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\033[K")
	}
}
