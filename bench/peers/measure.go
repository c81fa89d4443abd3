package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// A Figure is one cell of the tables, over all runs.
type Figure struct {
	Workload  string
	N         int
	Subject   string
	Unit      string
	Runs      []float64 `json:",omitempty"` // in the order in which they were made
	Median    float64   // of the runs
	Least     float64   // noise only adds
	Most      float64
	Floor     float64 `json:",omitempty"` // median of the multiples of the floor, run by run
	AfterFunc float64 `json:",omitempty"` // the same of time.AfterFunc
	Lacks     string  `json:",omitempty"` // why there is no figure
}

// measure runs every workload with every number of timers on every subject. A
// round measures all subjects once, one after another in the same process, so
// that what disturbs the machine for longer than a round disturbs them all. The
// multiples are taken within a round. It ends early when ctx is done, and gives
// what is finished.
func measure(ctx context.Context, o options, p *progress) []Figure {
	var figures []Figure
	for _, w := range o.workloads {
		for _, n := range o.timers {
			cells := make([]Figure, 0, len(o.subjects)+1)
			if w.floor != nil {
				cells = append(cells, Figure{Workload: w.key, N: n, Subject: floorName, Unit: w.unit})
			}
			first := len(cells)
			for _, s := range o.subjects {
				cells = append(cells, Figure{Workload: w.key, N: n, Subject: s.name, Unit: w.unit, Lacks: s.lacks(w, n)})
			}
			// Those that others are compared with come next to one another.
			order := make([]int, len(cells))
			for i := range order {
				order[i] = i
			}
			slices.SortStableFunc(order, func(i, j int) int { return rank(cells[i].Subject) - rank(cells[j].Subject) })
			for round := range o.count {
				for _, i := range order {
					if ctx.Err() != nil {
						return figures
					}
					cell := &cells[i]
					if cell.Lacks != "" {
						continue
					}
					p.show(fmt.Sprintf("%s, n = %d, run %d of %d: %s", w.key, n, round+1, o.count, cell.Subject))
					var value float64
					if i < first {
						value = nanoseconds(w.floor(n), n, o.long)
					} else {
						value = one(o.subjects[i-first], w, n, o)
					}
					cell.Runs = append(cell.Runs, value)
				}
			}
			summarise(cells)
			figures = append(figures, cells...)
		}
	}
	return figures
}

// rank puts the rows that others are compared with, and that is compared most,
// before the others.
func rank(subject string) int {
	switch subject {
	case floorName, runtimeName, scheme7Name:
		return 0
	}
	return 1
}

// one measures a subject once.
func one(s subject, w workload, n int, o options) float64 {
	runtime.GC()
	if w.measure != nil {
		return w.measure(s, n, o)
	}
	set := s.setUp(w, n)
	defer set.close()
	return nanoseconds(set.run, n, o.long)
}

// summarise fills in what follows from the runs of the cells of one table.
func summarise(cells []Figure) {
	var floor, afterFunc []float64
	for _, c := range cells {
		switch c.Subject {
		case floorName:
			floor = c.Runs
		case runtimeName:
			afterFunc = c.Runs
		}
	}
	for i := range cells {
		c := &cells[i]
		if len(c.Runs) == 0 {
			continue
		}
		c.Median, c.Least, c.Most = median(c.Runs), slices.Min(c.Runs), slices.Max(c.Runs)
		c.Floor, c.AfterFunc = multiple(c.Runs, floor), multiple(c.Runs, afterFunc)
	}
}

// multiple is the median of the quotients, run by run; 0 if there is nothing to
// divide by.
func multiple(runs, by []float64) float64 {
	if len(by) != len(runs) {
		return 0
	}
	quotients := make([]float64, len(runs))
	for i := range runs {
		quotients[i] = runs[i] / by[i]
	}
	return median(quotients)
}

// find is the figure of the cell; nil if it was not measured.
func find(figures []Figure, workload string, n int, subject string) *Figure {
	i := slices.IndexFunc(figures, func(f Figure) bool {
		return f.Workload == workload && f.N == n && f.Subject == subject && len(f.Runs) > 0
	})
	if i < 0 {
		return nil
	}
	return &figures[i]
}

// number writes a figure with about three digits.
func number(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.1:
		return fmt.Sprintf("%.3f", x)
	case x < 1:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// count writes a number of timers.
func count(n int) string {
	s := fmt.Sprint(n)
	zeros := len(s) - len(strings.TrimRight(s, "0"))
	if zeros >= 3 && len(s) == zeros+1 {
		if s[0] == '1' {
			return fmt.Sprintf("10^%d", zeros)
		}
		return fmt.Sprintf("%c·10^%d", s[0], zeros)
	}
	return s
}
