package main

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/timerfacility/timer/bench"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// draw draws the plots of all findings into dir and gives them by name, as SVG
// that can stand in a page.
func (r report) draw(dir string) (map[string]string, error) {
	svgs := make(map[string]string)
	for _, f := range r.all() {
		for _, p := range f.Plots {
			svg, err := drawPlot(p)
			if err != nil {
				return nil, fmt.Errorf("plot %s: %v", p.Name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, p.Name+".svg"), svg, 0o666); err != nil {
				return nil, err
			}
			_, inline, _ := bytes.Cut(svg, []byte("<svg"))
			svgs[p.Name] = "<svg" + string(inline)
		}
	}
	return svgs, nil
}

const (
	plotWidth   = 8 * vg.Inch
	plotHeight  = 4.2 * vg.Inch
	legendWidth = 2.3 * vg.Inch
)

// drawPlot draws one plot. Theory is lines, told apart by their dashes; measured
// points are told apart by their shapes, so that it all reads in black and white.
func drawPlot(data bench.Plot) ([]byte, error) {
	p := plot.New()
	p.Title.Text = data.Title
	p.X.Label.Text, p.Y.Label.Text = data.X, data.Y
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	for _, f := range []*font.Font{&p.Title.TextStyle.Font, &p.X.Label.TextStyle.Font, &p.Y.Label.TextStyle.Font, &p.X.Tick.Label.Font, &p.Y.Tick.Label.Font} {
		f.Typeface, f.Variant = sans.Typeface, sans.Variant
	}
	legend := plot.NewLegend()
	legend.Top, legend.Left = true, true
	legend.TextStyle.Font.Typeface, legend.TextStyle.Font.Variant = sans.Typeface, sans.Variant
	legend.TextStyle.Font.Size = 9
	legend.Padding = 3
	legend.ThumbnailWidth = 24

	p.Add(faint(plotter.NewGrid()))
	labelled := make(map[string]bool)
	for i, c := range data.Theory {
		points := shown(data, c)
		if len(points) < 2 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.Width = 1
		line.Dashes = dashes[i%len(dashes)]
		p.Add(line)
		if label := "theory: " + c.Label; !labelled[label] {
			labelled[label] = true
			legend.Add(label, line)
		}
	}
	var nothing []string
	for i, c := range data.Measured {
		points := shown(data, c)
		if len(points) == 0 {
			nothing = append(nothing, c.Label)
			continue
		}
		scatter, err := plotter.NewScatter(points)
		if err != nil {
			return nil, err
		}
		scatter.Shape = shapes[i%len(shapes)]
		scatter.Radius = 3
		scatter.Color = colours[i%len(colours)]
		bars, err := plotter.NewYErrorBars(points.inexact())
		if err == nil { // some have an interval
			bars.Color = scatter.Color
			p.Add(bars)
		}
		p.Add(scatter)
		legend.Add(c.Label, scatter)
	}
	if len(nothing) > 0 {
		legend.Add("at 0, not shown:")
		for _, label := range nothing {
			legend.Add("  " + label)
		}
	}
	axis(&p.X, data.LogX)
	axis(&p.Y, data.LogY)

	svg := vgsvg.New(plotWidth, plotHeight)
	canvas := draw.New(svg)
	p.Draw(draw.Crop(canvas, 4, -legendWidth, 4, -6))
	legend.Draw(draw.Crop(canvas, plotWidth-legendWidth+10, 0, 0, -30))
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return nil, err
	}
	// A reader who has no Liberation gets some other font without serifs.
	return []byte(strings.ReplaceAll(b.String(), "font-family:Liberation Sans", "font-family:Liberation Sans, Arial, Helvetica, sans-serif")), nil
}

// axis sets an axis to a range that it can show: whole decades if it is
// logarithmic (a flat curve has no range of its own, and a part of a decade may
// have no label), from 0 if it is not.
func axis(a *plot.Axis, logarithmic bool) {
	if !logarithmic {
		a.Min = min(a.Min, 0)
		if a.Max <= a.Min {
			a.Max = a.Min + 1
		}
		return
	}
	a.Min = math.Pow(10, math.Floor(math.Log10(a.Min)))
	a.Max = math.Pow(10, math.Ceil(math.Log10(a.Max)))
	if a.Max <= a.Min {
		a.Max = 10 * a.Min
	}
	a.Scale = plot.LogScale{}
	a.Tick.Marker = plot.TickerFunc(decades)
}

// decades labels the powers of ten and marks the steps between them.
func decades(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := int(math.Round(math.Log10(low))); e <= int(math.Round(math.Log10(high))); e++ {
		decade := math.Pow(10, float64(e))
		ticks = append(ticks, plot.Tick{Value: decade, Label: strconv.FormatFloat(decade, 'f', -1, 64)})
		for step := 2.0; step < 10 && step*decade < high; step++ {
			ticks = append(ticks, plot.Tick{Value: step * decade})
		}
	}
	return ticks
}

// points are what a curve shows: XY with intervals.
type points []bench.Point

// shown leaves out what a logarithmic axis cannot show.
func shown(p bench.Plot, c bench.Curve) points {
	var kept points
	for _, q := range c.Points {
		if p.LogX && q.X <= 0 || p.LogY && q.Y <= 0 {
			continue
		}
		if p.LogY && q.Lo <= 0 {
			q.Lo = q.Y
		}
		kept = append(kept, q)
	}
	return kept
}

// inexact are the points with an interval.
func (p points) inexact() points {
	return slices.DeleteFunc(slices.Clone(p), func(q bench.Point) bool { return q.Lo == q.Hi })
}

func (p points) Len() int                         { return len(p) }
func (p points) XY(i int) (x, y float64)          { return p[i].X, p[i].Y }
func (p points) YError(i int) (low, high float64) { return p[i].Lo - p[i].Y, p[i].Hi - p[i].Y }

var (
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 3, 2, 3}}
	shapes = []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{},
		draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, halfBox{}, bar{}, diamond{},
	}
	// From dark to middling, so that all of them show on white paper.
	colours = []color.Color{
		color.RGBA{0x00, 0x00, 0x00, 0xff}, color.RGBA{0x0b, 0x4f, 0x8a, 0xff}, color.RGBA{0xa1, 0x2a, 0x2a, 0xff},
		color.RGBA{0x1b, 0x6e, 0x3c, 0xff}, color.RGBA{0x6a, 0x2c, 0x8c, 0xff}, color.RGBA{0x8a, 0x58, 0x00, 0xff},
		color.RGBA{0x00, 0x6d, 0x77, 0xff}, color.RGBA{0x55, 0x55, 0x55, 0xff}, color.RGBA{0x9b, 0x1d, 0x6a, 0xff},
		color.RGBA{0x3c, 0x4c, 0x9c, 0xff}, color.RGBA{0x5c, 0x6e, 0x00, 0xff},
	}
)

// faint makes the grid so light that it does not disturb.
func faint(g *plotter.Grid) *plotter.Grid {
	light := color.Gray{0xe4}
	g.Vertical.Color, g.Horizontal.Color = light, light
	return g
}

// More shapes than gonum has.
type (
	halfBox struct{} // a box, its lower half filled
	bar     struct{} // a flat bar
	diamond struct{} // a square on its corner
)

func (halfBox) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := s.Radius
	c.SetLineStyle(draw.LineStyle{Color: s.Color, Width: 0.5})
	c.Stroke(rectangle(at, r, r))
	c.Fill(rectangle(vg.Point{X: at.X, Y: at.Y - r/2}, r, r/2))
}

func (bar) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	c.SetColor(s.Color)
	c.Fill(rectangle(at, s.Radius*1.4, s.Radius/3))
}

func (diamond) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	r := s.Radius * 1.3
	c.SetColor(s.Color)
	c.Fill(polygon(vg.Point{X: at.X - r, Y: at.Y}, vg.Point{X: at.X, Y: at.Y + r}, vg.Point{X: at.X + r, Y: at.Y}, vg.Point{X: at.X, Y: at.Y - r}))
}

func rectangle(at vg.Point, w, h vg.Length) vg.Path {
	return polygon(vg.Point{X: at.X - w, Y: at.Y - h}, vg.Point{X: at.X - w, Y: at.Y + h}, vg.Point{X: at.X + w, Y: at.Y + h}, vg.Point{X: at.X + w, Y: at.Y - h})
}

func polygon(corners ...vg.Point) vg.Path {
	var p vg.Path
	p.Move(corners[0])
	for _, c := range corners[1:] {
		p.Line(c)
	}
	p.Close()
	return p
}
