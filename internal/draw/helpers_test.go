package draw

import (
	"flag"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var gallery = flag.String("gallery", "", "write the scenes of the tests as SVG files to this folder")

// numbers returns n numbers of a kind that is hard to draw, or easy.
func numbers(kind string, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		x := float64(i) / float64(n)
		switch kind {
		case "smooth":
			v[i] = 20*math.Sin(12*x) + 280
		case "constant":
			v[i] = 273.15
		case "zero":
		case "nan":
			v[i] = math.NaN()
		case "gaps":
			v[i] = math.Cos(20 * x)
			if i%17 == 0 || x > 0.5 && x < 0.6 {
				v[i] = math.NaN()
			}
		case "huge":
			v[i] = math.MaxFloat64 * math.Cos(3*x)
		case "tiny":
			v[i] = 5e-324 * float64(i%7)
		case "wide":
			v[i] = math.Pow(10, 600*x-300)
		case "offset":
			v[i] = 1e9 + 1e-3*x
		case "epoch":
			v[i] = 1.4e18 + 1e15*x
		case "peak":
			if i == n/2 {
				v[i] = 1000
			}
		case "infinite":
			v[i] = []float64{1, math.Inf(1), 2, math.Inf(-1), 3}[i%5]
		case "negative":
			v[i] = -123456.789 - x
		}
	}
	return v
}

var kinds = []string{"smooth", "constant", "zero", "nan", "gaps", "huge", "tiny", "wide", "offset", "epoch", "peak", "infinite", "negative"}

func feed(add func(float64), v []float64) {
	for _, x := range v {
		add(x)
	}
}

const longName = "a very long name of a file that somebody has chosen with all of its parameters, run 17 of 2026-11-22, 中文名字, final version (2).b2nd [0, :, 17:200:3]"

// hard returns scenes of every kind of chart, of data that are hard to draw and in
// several sizes.
func hard() map[string]*Scene {
	all := map[string]*Scene{}
	sizes := []image.Point{{960, 600}, {320, 200}, {1920, 600}, {300, 900}}
	for k, kind := range kinds {
		size := sizes[k%len(sizes)]
		o := Options{Width: size.X, Height: size.Y, Title: kind, Note: "float64, for a test"}
		if k%3 == 1 {
			o.Title, o.Note, o.Theme = longName, longName, Dark
		}
		for _, n := range []int64{1, 2, 50, 5000} {
			for _, log := range []bool{false, true} {
				v := numbers(kind, int(n))
				name := fmt.Sprintf("%s-%d-%v", kind, n, log)
				line := NewEnvelope(n, size.X, log)
				feed(line.Add, v)
				l := &Lines{Options: o, X: Axis{"item", 0, 1, n}, YLabel: "temperature (K)", Log: log, Lines: []*Envelope{line}}
				all["line-"+name] = l.Scene()
				rows := max(n/40, 1)
				h := NewHeat(Heat{Options: o, X: Axis{"longitude", 1000, -5, n / rows}, Y: Axis{"latitude", 0, 2, rows}, Log: log, Label: "eastward wind (m/s)", Palette: Palettes[k%5], Stretch: float64(k%2) * 0.05, Absolute: k%2 == 0})
				feed(h.Add, v)
				all["heat-"+name] = h.Scene()
				b := &Bars{Options: o, Label: "temperature (K)", Log: log}
				lo, hi, ok := line.Range()
				if !ok {
					lo, hi = math.Inf(1), math.Inf(-1)
				}
				b.Histogram = NewHistogram(lo, hi, size.X/8, false, kind == "zero")
				feed(b.Add, v)
				all["hist-"+name] = b.Scene()
			}
		}
	}
	return moreHard(all)
}

func moreHard(all map[string]*Scene) map[string]*Scene {
	for _, seconds := range []float64{1e-9, 1, 60, 86400, 86400 * 300} {
		line := NewEnvelope(900, 900, false)
		for i := range 900 {
			line.Add(float64(1_700_000_000+int64(i*i)) / min(seconds, 1))
		}
		l := &Lines{Options: Options{Title: "times"}, X: Axis{"item", 0, 1, 900}, Seconds: min(seconds, 1), Lines: []*Envelope{line}}
		all[fmt.Sprint("times-", seconds)] = l.Scene()
		b := &Bars{Options: Options{Title: "times"}, Label: "time", Seconds: 1}
		b.Histogram = NewHistogram(1.7e9, 1.7e9+seconds*100, 100, false, false)
		b.Add(1.7e9)
		all[fmt.Sprint("times-hist-", seconds)] = b.Scene()
	}
	several := &Lines{Options: Options{Title: "several", Width: 700, Height: 400}, X: Axis{"item", 7, 3, 300}}
	for k := range 10 {
		e := NewEnvelope(300, 700, false)
		e.Name = strings.Repeat("station ", k) + fmt.Sprint(k)
		for i := range 300 {
			e.Add(float64(k) + math.Sin(float64(i)/20+float64(k)))
		}
		several.Lines = append(several.Lines, e)
	}
	all["several"] = several.Scene()
	for _, n := range []int64{1, 7, 100, 5000, 60000} {
		m := NewChunkMap(Heat{Options: Options{Title: "chunks"}, Label: "ratio"}, n, 0)
		for i := range n {
			m.Add(1 + float64(i%11))
		}
		all[fmt.Sprint("chunks-", n)] = m.Scene()
	}
	s := &Scatter{Options: Options{Title: "scatter", Width: 1000, Height: 700}, XLabel: "MB/s", YLabel: "ratio", Kinds: []string{"this", "that"}, Shapes: []string{"lz4", "zstd", "zlib", "blosclz", "none", "cross", "bar"}}
	for p := range 7 {
		panel := Panel{Title: fmt.Sprintf("dataset number %d.f4", p)}
		for i := range 30 {
			panel.Dots = append(panel.Dots, Dot{X: math.Pow(10, 1+float64(i%13)/5), Y: 1 + float64((i*7)%30)/9, Kind: i % 2, Shape: Mark(i % 7), Hollow: i%3 == 0, Label: fmt.Sprintf("setting %d of %d", i, p)})
		}
		s.Panels = append(s.Panels, panel)
	}
	all["scatter"] = s.Scene()
	all["scatter-none"] = (&Scatter{Options: Options{Title: "none"}, Panels: []Panel{{}}}).Scene()
	r := &Rows{Options: Options{Title: "rows", Note: "with a title, a note and a legend"}, XLabel: "times as fast", Kinds: []string{"compress", "decompress"}, Line: 1, Values: make([][]float64, 2)}
	for i := range 20 {
		r.Names = append(r.Names, strings.Repeat("name ", i))
		r.Values[0] = append(r.Values[0], float64(i)/7)
		r.Values[1] = append(r.Values[1], 2)
	}
	all["rows"] = r.Scene()
	return all
}

// save writes a scene to be looked at.
func save(t *testing.T, name string, s *Scene) {
	t.Helper()
	if *gallery == "" {
		return
	}
	f, err := os.Create(filepath.Join(*gallery, name+".svg"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := s.WriteSVG(f); err != nil {
		t.Fatal(err)
	}
}
