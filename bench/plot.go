package main

import (
	"fmt"
	"image/color"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// scatter draws ratio against speed, a colour for each contestant, the
// geometric means over the real data.
func scatter(path, title string, points []point) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text = "MB/s (log)"
	p.Y.Label.Text = "ratio"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	var names []string
	for _, pt := range points {
		if !slices.Contains(names, pt.name) {
			names = append(names, pt.name)
		}
	}
	for i, name := range names {
		var xys plotter.XYs
		var labels []string
		for _, pt := range points {
			if pt.name == name {
				xys = append(xys, plotter.XY{X: pt.speed, Y: pt.ratio})
				labels = append(labels, " "+pt.setting)
			}
		}
		s, err := plotter.NewScatter(xys)
		if err != nil {
			return err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: plotutil.Color(i), Radius: vg.Points(4), Shape: plotutil.Shape(i)}
		l, err := plotter.NewLabels(plotter.XYLabels{XYs: xys, Labels: labels})
		if err != nil {
			return err
		}
		for j := range l.TextStyle {
			l.TextStyle[j].Font.Size = vg.Points(7)
			l.TextStyle[j].Color = color.Gray{96}
		}
		p.Add(s, l)
		p.Legend.Add(name, s)
	}
	return p.Save(9*vg.Inch, 6*vg.Inch, path)
}

// A point is one contestant at one setting.
type point struct {
	name, setting string
	speed, ratio  float64
}

// bars draws how much faster two workers are than one.
func bars(path, title string, names []string, compress, expand []float64) error {
	p := plot.New()
	p.Title.Text = title
	p.Y.Label.Text = "times as fast as one worker"
	p.Y.Min = 0
	p.Legend.Top = true
	w := vg.Points(7)
	for i, v := range [][]float64{compress, expand} {
		b, err := plotter.NewBarChart(plotter.Values(v), w)
		if err != nil {
			return fmt.Errorf("%s: %w", title, err)
		}
		b.Color = plotutil.Color(i)
		b.Offset = w * vg.Length(2*i-1) / 2
		p.Add(b)
		p.Legend.Add([]string{"compress", "decompress"}[i], b)
	}
	p.NominalX(names...)
	p.X.Tick.Label.Rotation = 0.6
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	return p.Save(13*vg.Inch, 6*vg.Inch, path)
}

// writePlots draws what was measured: ratio against speed in both directions,
// and how it scales with the workers.
func writePlots(dir string, all []*result) error {
	up := func(r *result) []float64 { return r.Compress }
	down := func(r *result) []float64 { return r.Expand }
	for _, s := range []string{"chunk", "stream"} {
		workers := 1
		if s == "stream" {
			workers = 2
		}
		for name, f := range map[string]func(*result) []float64{"compress": up, "decompress": down} {
			pts := means(all, s, workers, f)
			if len(pts) == 0 {
				continue
			}
			title := fmt.Sprintf("%s, %s, %d workers: geometric means over the real data", s, name, workers)
			if err := scatter(filepath.Join(dir, s+"-"+name+".svg"), title, pts); err != nil {
				return err
			}
		}
	}
	var names []string
	var faster [2][]float64
	for i, f := range []func(*result) []float64{up, down} {
		names = nil
		two := means(all, "stream", 2, f)
		for j, one := range means(all, "stream", 1, f) {
			names = append(names, one.name+" "+one.setting)
			faster[i] = append(faster[i], two[j].speed/one.speed)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return bars(filepath.Join(dir, "scaling.svg"), "Streams: two workers against one", names, faster[0], faster[1])
}
