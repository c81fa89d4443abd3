package main

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/timerfacility/timer/simulation/cmd/internal/command"
	"github.com/timerfacility/timer/simulation/queue"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// format is that of a file to draw in, by its name.
func format(file string) (string, error) {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png", ".pdf":
		return ext[1:], nil
	default:
		return "", fmt.Errorf("%s does not end in .svg, .png or .pdf", file)
	}
}

var (
	theoryColor   = color.RGBA{R: 0x33, G: 0x55, B: 0x99, A: 0xff}
	measuredColor = color.RGBA{R: 0xcc, G: 0x44, B: 0x11, A: 0xff}
)

// A point is a measured figure over x.
type point struct {
	x float64
	y queue.Estimate[float64]
}

// draw draws the mean number against the load, for which it simulates models of
// other loads, and beside it the distribution of the number.
func draw(o options, t theory, m queue.Measured, progress *command.Progress) error {
	numbers, err := numberAgainstLoad(o, progress)
	if err != nil {
		return err
	}
	kind, err := format(o.plot)
	if err != nil {
		return err
	}
	canvas, err := vgdraw.NewFormattedCanvas(26*vg.Centimeter, 11*vg.Centimeter, kind)
	if err != nil {
		return err
	}
	tiles := vgdraw.Tiles{
		Rows: 1, Cols: 2, PadX: vg.Centimeter,
		PadTop: 3 * vg.Millimeter, PadBottom: 3 * vg.Millimeter, PadLeft: 3 * vg.Millimeter, PadRight: 5 * vg.Millimeter,
	}
	c := vgdraw.New(canvas)
	numbers.Draw(tiles.At(c, 0, 0))
	distribution(o, t, m).Draw(tiles.At(c, 1, 0))

	f, err := os.Create(o.plot)
	if err != nil {
		return err
	}
	if _, err := canvas.WriteTo(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// loads are those at which the mean number is drawn: up to 0.9 where it has a
// pole at 1, else up to twice the model's.
func loads(m queue.Model) (drawn, measured []float64) {
	most, count := 0.9, 9
	if m.Servers == queue.Unlimited || m.Capacity != 0 {
		most, count = 2*m.Service.Seconds()/m.Interarrival.Seconds(), 10
	}
	for i := 1; i <= 100; i++ {
		drawn = append(drawn, most*float64(i)/100)
	}
	for i := 1; i <= count; i++ {
		measured = append(measured, most*float64(i)/float64(count))
	}
	return drawn, measured
}

func numberAgainstLoad(o options, progress *command.Progress) (*plot.Plot, error) {
	at := func(load float64) queue.Model {
		m := o.model
		m.Service = time.Duration(math.Round(load * float64(m.Interarrival)))
		return m
	}
	drawn, measured := loads(o.model)
	var line plotter.XYs
	var name string
	for _, load := range drawn {
		t, err := newTheory(at(load))
		if err != nil {
			return nil, err
		}
		name = t.name
		line = append(line, plotter.XY{X: load, Y: t.number})
	}
	var points []point
	for i, load := range measured {
		progress.Begin(fmt.Sprintf("simulating load %.2g for the plot, %d of %d", load, i+1, len(measured)))
		m, err := simulate(o, at(load), progress)
		if err != nil {
			return nil, err
		}
		points = append(points, point{load, m.Number})
	}
	p := newPlot(fmt.Sprintf("%s: mean number in the system", name), "load: mean service / mean interarrival time", "mean number")
	p.Y.Min = 0
	p.X.Min = 0
	add(p, line, points, o)
	return p, nil
}

// distribution draws P(at least k) on a logarithmic axis; a probability that is
// not above zero within its interval has no place there.
func distribution(o options, t theory, m queue.Measured) *plot.Plot {
	var line plotter.XYs
	var points []point
	least := 1.0
	for k, e := range m.AtLeast {
		if p := t.atLeast(k); p > 0 {
			line = append(line, plotter.XY{X: float64(k), Y: p})
			least = min(least, p)
		}
		if e.Mean-e.Half > 0 {
			points = append(points, point{float64(k), e})
			least = min(least, e.Mean-e.Half)
		}
	}
	p := newPlot(fmt.Sprintf("%s at load %.3g: distribution", t.name, o.model.Service.Seconds()/o.model.Interarrival.Seconds()),
		"k", "P(at least k in the system)")
	p.X.Tick.Marker = plot.TickerFunc(whole)
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.TickerFunc(decades)
	p.Legend.Top = false
	p.Legend.Left = true
	add(p, line, points, o)
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(least))) // whole decades, so that the axis has labels
	p.Y.Max = 1
	if p.Y.Min == p.Y.Max {
		p.Y.Min = 0.1
	}
	return p
}

// whole marks whole numbers, ten or fewer of them with a label.
func whole(least, most float64) []plot.Tick {
	every := 1
	for most-least > float64(10*every) {
		if every == 1 {
			every = 5
		} else {
			every *= 2
		}
	}
	var ticks []plot.Tick
	for k := int(math.Ceil(least)); k <= int(most); k++ {
		tick := plot.Tick{Value: float64(k)}
		if k%every == 0 {
			tick.Label = fmt.Sprint(k)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// decades marks the powers of ten from least to most, and between them their
// multiples without a label.
func decades(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Round(math.Log10(least)); e <= math.Round(math.Log10(most)); e++ {
		decade := math.Pow(10, e)
		ticks = append(ticks, plot.Tick{Value: decade, Label: fmt.Sprintf("%.4g", decade)})
		for i := 2.0; i < 10 && i*decade < most; i++ {
			ticks = append(ticks, plot.Tick{Value: i * decade})
		}
	}
	return ticks
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = 3 * vg.Millimeter
	p.X.Label.Text = x
	p.Y.Label.Text = y
	p.Legend.Top = true
	p.Legend.Left = true
	p.Legend.Padding = vg.Millimeter
	p.Add(plotter.NewGrid())
	return p
}

// add adds the line of theory and the measured points with their intervals.
func add(p *plot.Plot, theory plotter.XYs, points []point, o options) {
	line, err := plotter.NewLine(theory)
	if err != nil {
		panic(err) // a figure of theory is not a number
	}
	line.Color = theoryColor
	line.Width = vg.Points(1.5)
	p.Add(line)
	p.Legend.Add("theory", line)

	var at intervals
	for _, pt := range points {
		at.XYs = append(at.XYs, plotter.XY{X: pt.x, Y: pt.y.Mean})
		at.YErrors = append(at.YErrors, struct{ Low, High float64 }{pt.y.Half, pt.y.Half})
	}
	if len(points) == 0 {
		return
	}
	bars, err := plotter.NewYErrorBars(at)
	if err != nil {
		panic(err)
	}
	bars.Color = measuredColor
	scatter, err := plotter.NewScatter(at.XYs)
	if err != nil {
		panic(err)
	}
	scatter.Color = measuredColor
	scatter.Shape = vgdraw.CircleGlyph{}
	scatter.Radius = vg.Points(2.2)
	p.Add(bars, scatter)
	p.Legend.Add(fmt.Sprintf("simulated, %.4g %% interval", 100*o.config.Confidence), scatter)
}

// intervals are points with errors, as plotter takes them.
type intervals struct {
	plotter.XYs
	plotter.YErrors
}
