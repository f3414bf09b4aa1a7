package tune

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

var real = []struct {
	name     string
	typesize int
}{
	{"era-geopotential.f4", 4}, {"era-wind-u.f8", 8}, {"era-wind-u.i2", 2}, {"era5-t2m.f4", 4},
	{"nab-records.16", 16}, {"nab-time.i8", 8}, {"nab-value.f8", 8},
}

// stored is the size of data in chunks of 1 MiB.
func stored(t *testing.T, data []byte, p chunk.Params) (sum int) {
	e, err := chunk.NewEncoder(p)
	if err != nil {
		t.Fatal(err)
	}
	var c []byte
	for len(data) > 0 {
		n := min(1<<20, len(data))
		if c, err = e.Encode(c[:0], data[:n]); err != nil {
			t.Fatal(err)
		}
		sum += len(c)
		data = data[n:]
	}
	return sum
}

// On real data no pick is more than 2 % larger than the default, Size is at
// least 15 % smaller somewhere, and the picks differ. (That they are faster is
// for the benchmarks to show.)
func TestChooseReal(t *testing.T) {
	picks := map[string]bool{}
	smallest := 1.0
	for _, d := range real {
		data := b2test.Real(t, d.name)
		p := chunk.Default
		p.TypeSize = d.typesize
		base := stored(t, data, p)
		for _, aim := range []Aim{Speed, Balanced, Size} {
			pick, err := Choose(data[:min(1<<20, len(data))], p, aim)
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Choose(data[:min(1<<20, len(data))], p, aim)
			if again.Codec != pick.Codec || again.Filters != pick.Filters || again.Level != pick.Level {
				t.Errorf("%s, %v: two picks for the same data", d.name, aim)
			}
			size := float64(stored(t, data, pick)) / float64(base)
			name := fmt.Sprintf("%v %d %v", pick.Codec, pick.Level, pick.Filters)
			picks[name] = true
			t.Logf("%-20s %-8v %-28s %.3f of the default's size", d.name, aim, name, size)
			if size > 1.02 {
				t.Errorf("%s, %v: %.3f of the default's size", d.name, aim, size)
			}
			if aim == Size {
				smallest = min(smallest, size)
			}
		}
	}
	if smallest > 0.85 {
		t.Errorf("Size gains %.0f %% at best", 100*(1-smallest))
	}
	if len(picks) < 3 {
		t.Errorf("only %d different picks", len(picks))
	}
}

func TestChooseEdges(t *testing.T) {
	p := chunk.Default
	for _, sample := range [][]byte{nil, make([]byte, 100), make([]byte, 5000)} {
		for _, ts := range []int{1, 3, 8, 300} {
			p.TypeSize = ts
			pick, err := Choose(sample, p, Size)
			if err != nil {
				t.Fatal(err)
			}
			if err := pick.Validate(); err != nil {
				t.Errorf("%d bytes of typesize %d: %v", len(sample), ts, err)
			}
		}
	}
	if _, err := Choose(nil, p, 0); err == nil {
		t.Error("no aim was accepted")
	}
	for _, name := range []string{"speed", "Balanced", "SIZE"} {
		if a, err := ParseAim(name); err != nil || a.String() == "" {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	if _, err := ParseAim("fast"); err == nil {
		t.Error("an unknown aim was accepted")
	}
}
