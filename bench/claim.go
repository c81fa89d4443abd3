package bench

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/timerfacility/timer"
)

// A Verdict is what measurement says of a claim.
type Verdict string

// The verdicts.
const (
	Holds        Verdict = "holds"
	Corrected    Verdict = "holds, corrected" // the print errs; the claim holds in our correction
	DoesNotHold  Verdict = "does not hold"
	NotTestable  Verdict = "not testable here"
	Contradicted Verdict = "contradicted" // the measurement is not what theory says either: the error is ours
)

// A Claim is one statement of the papers, or one error in them, and the
// experiment that decides it.
type Claim struct {
	ID        string
	Source    string // year, section and page
	Title     string // in a few words
	Text      string // the claim, in our words
	Printed   string // the figure or formula as printed
	Predicted string // the figure or formula that theory gives, where it is another or nothing is printed

	// Expect is the verdict that we hold to be true.
	Expect Verdict

	// Why says, for a claim that is not plainly true, what is wrong with it or
	// why it cannot be tested here.
	Why string

	// Effort is about how many seconds a long experiment takes at size Normal.
	Effort float64 `json:"-"`

	// Measure is the experiment; nil if the claim is not testable here.
	Measure func(*Lab) Result `json:"-"`
}

// A Result is what an experiment found.
type Result struct {
	Headline string   `json:",omitempty"` // what was measured in a few words; the first figure if empty
	Figures  []Figure // these decide
	Times    []Time   `json:",omitempty"` // these illustrate
	Tables   []Table  `json:",omitempty"`
	Plots    []Plot   `json:",omitempty"`
	Note     string   `json:",omitempty"`
}

// A Figure is one measured thing beside what is printed and what theory says of
// it.
type Figure struct {
	Name      string
	Printed   string `json:",omitempty"` // as the claim has it; empty if it has nothing
	Predicted string `json:",omitempty"` // as theory has it
	Measured  string // with the interval
	Value     float64
	Lo, Hi    float64

	AgreesPrinted   bool // with what is printed
	AgreesPredicted bool // with what theory says
}

// number is a figure of which a value is printed, or predicted, or both: those
// that are not NaN. Tol is how far theory, which knows no whole ticks, may be off.
func number(name string, printed, predicted float64, got Estimate, tol float64) Figure {
	f := Figure{
		Name: name, Measured: got.String(), Value: got.Mean, Lo: got.Lo, Hi: got.Hi,
		Printed: figure(printed), Predicted: figure(predicted),
	}
	if math.IsNaN(predicted) {
		predicted = printed
	}
	f.AgreesPredicted = got.Contains(predicted, tol)
	f.AgreesPrinted = f.AgreesPredicted
	if !math.IsNaN(printed) {
		f.AgreesPrinted = got.Contains(printed, tol)
	}
	return f
}

// none stands for a value that is not printed or not predicted.
var none = math.NaN()

// exactly is a figure that is printed, or follows from what is printed, and must
// be met exactly.
func exactly[T int | uint64 | timer.Tick](name string, printed, got T) Figure {
	return number(name, float64(printed), none, Exact(got), 0)
}

// atMost is a figure with a bound.
func atMost(name string, bound float64, got Estimate) Figure {
	ok := got.Mean <= bound*(1+1e-9)
	return Figure{
		Name: name, Printed: "<= " + figure(bound), Measured: got.String(), Value: got.Mean, Lo: got.Lo, Hi: got.Hi,
		AgreesPrinted: ok, AgreesPredicted: ok,
	}
}

// atLeast is a figure with a bound from below.
func atLeast(name string, bound float64, got Estimate) Figure {
	ok := got.Mean >= bound*(1-1e-9)
	return Figure{
		Name: name, Printed: ">= " + figure(bound), Measured: got.String(), Value: got.Mean, Lo: got.Lo, Hi: got.Hi,
		AgreesPrinted: ok, AgreesPredicted: ok,
	}
}

// growth is a figure that is a class; the measured one must not be above.
func growth(name string, printed, predicted Class, got Fit) Figure {
	f := Figure{
		Name: name, Printed: printed.String(), Measured: got.String(),
		Value: got.Exponent.Mean, Lo: got.Exponent.Lo, Hi: got.Exponent.Hi,
		AgreesPrinted: got.Class.AtMost(printed), AgreesPredicted: got.Class == predicted,
	}
	if predicted != printed {
		f.Predicted = predicted.String()
	}
	return f
}

// agreement counts the cases in which something went otherwise than claimed.
func agreement(name string, mismatches int) Figure {
	f := exactly(name, 0, mismatches)
	f.Printed = "none"
	if mismatches == 0 {
		f.Measured = "none"
	}
	return f
}

// Short is what was measured in a few words: the headline, or the first figure
// that is not as printed, or the first.
func (r Result) Short() string {
	if r.Headline != "" || len(r.Figures) == 0 {
		return r.Headline
	}
	figure := r.Figures[0]
	for _, f := range r.Figures {
		if !f.AgreesPrinted {
			figure = f
			break
		}
	}
	measured, _, _ := strings.Cut(figure.Measured, " [")
	measured, _, _ = strings.Cut(measured, ",")
	if measured == "none" {
		return "no difference"
	}
	return measured
}

// String is the mean with its interval, or the mean alone where it is exact.
func (e Estimate) String() string {
	if e.Lo == e.Hi {
		return figure(e.Mean)
	}
	// As many digits as tell the ends of the interval apart, and one more.
	digits := max(0, 1-int(math.Floor(math.Log10(e.Hi-e.Lo))))
	return fmt.Sprintf("%.*f [%.*f, %.*f]", digits, e.Mean, digits, e.Lo, digits, e.Hi)
}

// figure writes a number with four digits that count, a whole number with all of
// them, and nothing for NaN.
func figure(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case x == math.Trunc(x) && math.Abs(x) < 1e15:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case math.Abs(x) >= 1000:
		return strconv.FormatFloat(x, 'f', 1, 64)
	case math.Abs(x) < 1e-4:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	digits := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := strconv.FormatFloat(x, 'f', digits, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// A Time is a measured time of an operation, in nanoseconds: the median of
// several runs and the quartiles about it. It decides nothing.
type Time struct {
	Name              string
	Median, Low, High float64
}

// String is the median, and half of the range between the quartiles.
func (t Time) String() string { return fmt.Sprintf("%.3g ±%.1g ns", t.Median, (t.High-t.Low)/2) }

// A Table is a table of the report.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string
	Note    string `json:",omitempty"`
}

// A Plot is a figure of the report, still to be drawn.
type Plot struct {
	Name       string // names the file
	Title      string
	X, Y       string // axis labels, with units
	LogX, LogY bool
	Theory     []Curve
	Measured   []Curve
}

// A Curve is a labelled row of points; those measured have intervals.
type Curve struct {
	Label  string
	Points []Point
}

// A Point is a point of a plot, with the interval of Y from Lo to Hi.
type Point struct {
	X, Y, Lo, Hi float64
}

// at is a measured point.
func at(x float64, y Estimate) Point { return Point{x, y.Mean, y.Lo, y.Hi} }

// curve is the line of theory through f at the values of x.
func curve(label string, xs []float64, f func(x float64) float64) Curve {
	c := Curve{Label: label}
	for _, x := range xs {
		c.Points = append(c.Points, at(x, Exact(f(x))))
	}
	return c
}

// A Finding is a claim with its result and the verdict.
type Finding struct {
	Claim
	Result
	Verdict Verdict
}

// AsExpected reports whether the verdict is the one that we hold to be true.
func (f Finding) AsExpected() bool { return f.Verdict == f.Expect }

// Try runs the claim's experiment and gives the verdict.
func (c Claim) Try(l *Lab) Finding {
	if c.Measure == nil {
		return Finding{Claim: c, Verdict: NotTestable}
	}
	f := Finding{Claim: c, Result: c.Measure(l)}
	f.Verdict = judge(f.Figures, c.Expect)
	return f
}

// judge gives the verdict of figures: the print's, if all of them agree with what
// is printed; else the correction's, if all of them agree with theory. Whether a
// claim that errs in print has something left of it that holds, is not a matter
// of measurement: that is taken from the expected verdict.
func judge(figures []Figure, expect Verdict) Verdict {
	printed, predicted := true, true
	for _, f := range figures {
		printed = printed && f.AgreesPrinted
		predicted = predicted && f.AgreesPredicted
	}
	switch {
	case len(figures) == 0 || !predicted:
		return Contradicted
	case printed:
		return Holds
	case expect == DoesNotHold:
		return DoesNotHold
	default:
		return Corrected
	}
}
