package plot

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func labels(s scale) []string {
	var l []string
	for _, t := range s.ticks {
		l = append(l, t.label)
	}
	return l
}

func TestTicks(t *testing.T) {
	date := float64(1553860800) // 2019-03-29 12:00
	for _, c := range []struct {
		lo, hi, seconds float64
		want            []string
	}{
		{0, 10, 0, []string{"0", "2", "4", "6", "8", "10"}},
		{-1, 1, 0, []string{"-1.0", "-0.5", "0", "0.5", "1.0"}},
		{281.13, 281.41, 0, []string{"281.2", "281.3", "281.4"}},
		{3, 3, 0, []string{"2.6", "2.8", "3.0", "3.2", "3.4"}},
		{0, 2.5e9, 0, []string{"0", "5.0e+08", "1.0e+09", "1.5e+09", "2.0e+09", "2.5e+09"}},
		{0, 4e-5, 0, []string{"0", "1e-05", "2e-05", "3e-05", "4e-05"}},
		{date, date + 4*day, 1, []string{"2019-03-30", "2019-03-31", "2019-04-01", "2019-04-02"}},
		{date * 1000, date*1000 + 7200_000, 1e-3, []string{"2019-03-29 12:00", "2019-03-29 13:00", "2019-03-29 14:00"}},
	} {
		s := newScale(c.lo, c.hi, 5, c.seconds)
		if got := labels(s); !slices.Equal(got, c.want) {
			t.Errorf("%v to %v: ticks %q, want %q", c.lo, c.hi, got, c.want)
		}
		for _, tick := range s.ticks {
			if p := s.part(tick.at); p < -1e-6 || p > 1+1e-6 {
				t.Errorf("%v to %v: tick %s is at %v", c.lo, c.hi, tick.label, p)
			}
		}
	}
}

func TestItemTicks(t *testing.T) {
	s := itemScale(Axis{Start: 100, Step: 5, N: 20}, 10)
	if got, want := labels(s), []string{"100", "110", "120", "130", "140", "150", "160", "170", "180", "190"}; !slices.Equal(got, want) {
		t.Errorf("ticks %q, want %q", got, want)
	}
	if got := labels(itemScale(Axis{Step: 1, N: 2}, 8)); !slices.Equal(got, []string{"0", "1"}) {
		t.Errorf("ticks of two items are %q", got)
	}
}

// The lightness of viridis increases throughout, so it also works in grey.
func TestShade(t *testing.T) {
	last := -1.0
	for i := range 1000 {
		c := shade(float64(i) / 999)
		light := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
		if light < last-0.5 {
			t.Fatalf("shade %d is %.1f light, the one before %.1f", i, light, last)
		}
		last = light
	}
	if shade(-1) != viridis[0] || shade(2) != viridis[len(viridis)-1] {
		t.Error("ends of the scale are not those of the map")
	}
}

// count returns the number of pixels of r with a colour.
func count(m image.Image, r image.Rectangle, c color.RGBA) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.At(x, y) == c {
				n++
			}
		}
	}
	return n
}

// Of a million numbers a single peak is visible, and so are NaNs.
func TestLineKeepsPeaks(t *testing.T) {
	const n = 1_000_000
	l := NewLine(Axis{Name: "item", Step: 1, N: n})
	for i := range n {
		switch {
		case i == 500_000:
			l.Add(100)
		case i == 250_000:
			l.Add(math.NaN())
		default:
			l.Add(math.Sin(float64(i)))
		}
	}
	if c := l.columns[maxWidth/2]; c.max != 100 {
		t.Errorf("the peak's column goes up to %v", c.max)
	}
	m := l.Draw(Figure{Title: "peaks"})
	left := m.Bounds().Dx() - maxWidth - margin - 3*charWidth
	r := image.Rect(left, top, left+maxWidth, top+maxHeight*3/4)
	if got := count(m, image.Rect(r.Min.X, r.Min.Y+r.Dy()/10, r.Max.X, r.Min.Y+r.Dy()/2), blue); got < r.Dy()*3/10 || got > r.Dy() {
		t.Errorf("%d pixels of line in the peak's half of the picture of %d rows", got, r.Dy())
	}
	if got := count(m, r, missing); got < r.Dy()*3/4 || got > 3*r.Dy() {
		t.Errorf("%d pixels show the NaN", got)
	}
	for name, where := range map[string]image.Rectangle{
		"title":            image.Rect(0, 0, m.Bounds().Dx(), top-8),
		"numbers below":    image.Rect(0, r.Max.Y+6, m.Bounds().Dx(), r.Max.Y+26),
		"numbers beside":   image.Rect(0, top, left-8, r.Max.Y),
		"name of the axis": image.Rect(0, r.Max.Y+26, m.Bounds().Dx(), m.Bounds().Dy()),
	} {
		if blank := count(m, where, white); where.Dx()*where.Dy()-blank < 20 {
			t.Errorf("nothing is drawn where the %s should be", name)
		}
	}
}

// Items are at their positions in the colours of their values; several that share a
// pixel have the colour of their mean.
func TestImagePlaces(t *testing.T) {
	const rows, cols = 2 * maxHeight, 2 * maxWidth
	im := NewImage(Axis{Name: "y", Step: 1, N: rows}, Axis{Name: "x", Step: 1, N: cols})
	for y := range rows {
		for x := range cols {
			v := float64(x%2) * 2 // 1 on average
			if y >= rows/2 {
				v += 2
			}
			if y < rows/4 && x >= cols/2 {
				v = math.Inf(1)
			}
			im.Add(v)
		}
	}
	m := im.Draw(Figure{Title: "quarters"}).(canvas)
	w, h := im.size()
	if w != maxWidth || h != maxHeight {
		t.Fatalf("%d by %d pixels", w, h)
	}
	// The picture begins to the right of the left border.
	left := 0
	for m.RGBAAt(left, top+20+h*3/8) != grey || m.RGBAAt(left, top+20+h/8) != grey {
		left++
	}
	for _, c := range []struct {
		x, y float64
		want color.RGBA
	}{{0.25, 0.1, shade(0)}, {0.75, 0.4, shade(0)}, {0.1, 0.9, shade(1)}, {0.9, 0.9, shade(1)}, {0.75, 0.1, missing}} {
		got := m.RGBAAt(left+1+int(c.x*float64(w)), top+20+int(c.y*float64(h)))
		if d := int(got.R) - int(c.want.R); d*d > 100 || (got == missing) != (c.want == missing) {
			t.Errorf("at %v, %v the colour is %v, want %v", c.x, c.y, got, c.want)
		}
	}
	bar := image.Rect(left+1+w+barGap, top+20, left+1+w+barGap+bar, top+20+h)
	if m.RGBAAt(bar.Min.X, bar.Min.Y) != shade(1) || m.RGBAAt(bar.Min.X, bar.Max.Y-1) != shade(0) {
		t.Error("the bar of colours does not go from the least, at the bottom, to the most")
	}
	if blank := count(m, image.Rect(bar.Max.X+8, bar.Min.Y, m.Bounds().Dx(), bar.Max.Y), white); blank == (m.Bounds().Dx()-bar.Max.X-8)*h {
		t.Error("no numbers beside the bar")
	}
}

// Any numbers and any shape make a picture of a sensible size.
func TestAnyNumbers(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 1e-310, 1e308, 1 << 62, math.Pi}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 25 {
		some := make([]float64, 1+rnd.IntN(4))
		for i := range some {
			some[i] = values[rnd.IntN(len(values))]
		}
		rows, cols := 1+rnd.Int64N(30), 1+rnd.Int64N(30)
		if rnd.IntN(4) == 0 {
			cols *= 100
		}
		f := Figure{Title: "any", Seconds: []float64{0, 1, 1e-9}[rnd.IntN(3)]}
		l := NewLine(Axis{Step: 1, N: cols})
		m := NewImage(Axis{Step: 3, N: rows}, Axis{Start: 1 << 40, Step: 1, N: cols})
		for i := range rows * cols {
			if i < cols {
				l.Add(some[rnd.IntN(len(some))])
			}
			m.Add(some[rnd.IntN(len(some))])
		}
		for _, got := range []image.Image{l.Draw(f), m.Draw(f)} {
			if b := got.Bounds(); b.Dx() < 200 || b.Dx() > 1400 || b.Dy() < 200 || b.Dy() > 800 {
				t.Errorf("%v in %d by %d: a picture of %v", some, rows, cols, b)
			}
		}
	}
}
