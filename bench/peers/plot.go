package main

import (
	"bytes"
	"errors"
	"image/color"
	"math"
	"os"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	canvas "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	tileWidth   = 4.4 * vg.Inch
	tileHeight  = 3.6 * vg.Inch
	legendWidth = 1.9 * vg.Inch
)

// draw draws the figures into an SVG file: a tile for each workload, the time of
// an operation against the number of timers, both logarithmic.
func draw(figures []Figure, o options, file string) error {
	var tiles []*plot.Plot
	legend := plot.NewLegend()
	sans(&legend.TextStyle)
	legend.Top, legend.Left = true, true
	legend.TextStyle.Font.Size = 9
	legend.Padding, legend.ThumbnailWidth = 3, 24
	shown := make(map[string]bool)
	names := []string{floorName}
	for _, s := range o.subjects {
		names = append(names, s.name)
	}
	for _, w := range o.workloads {
		p := plot.New()
		p.Title.Text = w.key + ": " + w.title
		p.X.Label.Text, p.Y.Label.Text = "timers outstanding", w.unit
		p.Title.TextStyle.Font.Size = 10
		for _, style := range []*canvas.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle} {
			sans(style)
		}
		for _, axis := range []*plot.Axis{&p.X, &p.Y} {
			sans((*canvas.TextStyle)(&axis.Tick.Label))
		}
		grid := plotter.NewGrid()
		grid.Vertical.Color, grid.Horizontal.Color = color.Gray{0xe4}, color.Gray{0xe4}
		p.Add(grid)
		any := false
		for i, name := range names {
			line, points, err := curve(figures, w.key, name)
			if err != nil {
				return err
			}
			if line == nil {
				continue
			}
			line.Color, points.Color = colours[i%len(colours)], colours[i%len(colours)]
			line.Dashes, points.Shape = dashes[i/len(colours)%len(dashes)], shapes[i%len(shapes)]
			p.Add(line, points)
			any = true
			if !shown[name] {
				shown[name] = true
				legend.Add(name, line, points)
			}
		}
		if any {
			decades(&p.X)
			decades(&p.Y)
			tiles = append(tiles, p)
		}
	}
	if len(tiles) == 0 {
		return errors.New("-plot: no workload was measured")
	}
	columns := min(2, len(tiles))
	rows := (len(tiles) + columns - 1) / columns
	width, height := tileWidth*vg.Length(columns), tileHeight*vg.Length(rows)
	svg := vgsvg.New(width+legendWidth, height)
	whole := canvas.New(svg)
	whole.SetColor(color.White)
	whole.Fill(whole.Rectangle.Path())
	for i, p := range tiles {
		left, top := vg.Length(i%columns)*tileWidth, vg.Length(i/columns)*tileHeight
		p.Draw(canvas.Crop(whole, left+4, left+tileWidth-20-(width+legendWidth), height-top-tileHeight+8, -top-6))
	}
	legend.Draw(canvas.Crop(whole, width+10, 0, 0, -20))
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return err
	}
	// A reader who has no Liberation gets some other font without serifs.
	text := strings.ReplaceAll(b.String(), "font-family:Liberation Sans", "font-family:Liberation Sans, Arial, Helvetica, sans-serif")
	return os.WriteFile(file, []byte(text), 0o666)
}

// curve is the medians of one subject; nil if there are none.
func curve(figures []Figure, key, name string) (*plotter.Line, *plotter.Scatter, error) {
	var points plotter.XYs
	for _, f := range figures {
		if f.Workload == key && f.Subject == name && len(f.Runs) > 0 && f.Median > 0 {
			points = append(points, plotter.XY{X: float64(f.N), Y: f.Median})
		}
	}
	if len(points) == 0 {
		return nil, nil, nil
	}
	line, scatter, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, nil, err
	}
	scatter.Radius = 2.5
	return line, scatter, nil
}

func sans(style *canvas.TextStyle) { style.Font.Typeface, style.Font.Variant = "Liberation", "Sans" }

// decades makes an axis logarithmic, over whole decades, so that each end has a
// label.
func decades(a *plot.Axis) {
	low, high := math.Floor(math.Log10(a.Min)), math.Ceil(math.Log10(a.Max))
	if high <= low {
		high = low + 1
	}
	a.Min, a.Max = math.Pow(10, low), math.Pow(10, high)
	a.Scale = plot.LogScale{}
	a.Tick.Marker = plot.LogTicks{Prec: -1}
}

var (
	colours = []color.Color{
		color.RGBA{0x00, 0x00, 0x00, 0xff}, color.RGBA{0x0b, 0x4f, 0x8a, 0xff}, color.RGBA{0xa1, 0x2a, 0x2a, 0xff},
		color.RGBA{0x1b, 0x6e, 0x3c, 0xff}, color.RGBA{0x6a, 0x2c, 0x8c, 0xff}, color.RGBA{0x8a, 0x58, 0x00, 0xff},
		color.RGBA{0x00, 0x6d, 0x77, 0xff}, color.RGBA{0x55, 0x55, 0x55, 0xff}, color.RGBA{0x9b, 0x1d, 0x6a, 0xff},
	}
	dashes = [][]vg.Length{nil, {6, 3}, {2, 2}}
	shapes = []canvas.GlyphDrawer{
		canvas.CircleGlyph{}, canvas.SquareGlyph{}, canvas.TriangleGlyph{}, canvas.PlusGlyph{}, canvas.CrossGlyph{},
		canvas.BoxGlyph{}, canvas.PyramidGlyph{}, canvas.RingGlyph{},
	}
)
