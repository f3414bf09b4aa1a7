package draw

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Scenes equal the reviewed ones byte for byte.
func TestGolden(t *testing.T) {
	line := NewEnvelope(40, 200, false)
	for i := range 40 {
		if i == 13 {
			line.Add(math.NaN())
			continue
		}
		line.Add(280 + 5*math.Sin(float64(i)/6))
	}
	days := NewHistogram(1.7e9, 1.701e9, 12, false, false)
	for i := range 1000 {
		days.Add(1.7e9 + float64(i*i))
	}
	o := Options{Width: 480, Height: 320, Title: "A <title>", Note: "a note"}
	dark := o
	dark.Theme = Dark
	for name, s := range map[string]*Scene{
		"line": (&Lines{Options: o, X: Axis{"item", 100, 5, 40}, YLabel: "temperature (K)", Lines: []*Envelope{line}}).Scene(),
		"hist": (&Bars{Options: dark, Label: "time", Seconds: 1, Histogram: days}).Scene(),
		"scatter": (&Scatter{Options: o, XLabel: "MB/s", YLabel: "ratio", Kinds: []string{"a", "b"}, Shapes: []string{"x", "y"}, Panels: []Panel{
			{"one", []Dot{{10, 4, 0, Circle, false, "slow"}, {100, 3, 1, Square, true, "between"}, {50, 2, 1, Square, false, "hidden"}, {1000, 1, 0, Circle, false, "fast"}}}}}).Scene(),
	} {
		var b bytes.Buffer
		if err := s.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs; look at it after -update", file)
		}
	}
}
