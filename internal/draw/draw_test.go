package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"testing"
)

// For any data and size everything is inside the picture, no two texts overlap, and
// the SVG file is well-formed.
func TestScenes(t *testing.T) {
	for name, s := range hard() {
		save(t, name, s)
		w, h := s.W/s.Zoom, s.H/s.Zoom
		var texts []*Text
		for _, shape := range s.Shapes {
			b := shape.Bounds()
			if !(b.X >= -0.5 && b.Y >= -0.5 && b.Right() <= w+0.5 && b.Bottom() <= h+0.5) {
				t.Errorf("%s: %T at %v is not within %v by %v: %+v", name, shape, b, w, h, shape)
			}
			text, ok := shape.(*Text)
			if !ok || text.S == "" {
				continue
			}
			for _, other := range texts {
				if text.Bounds().Overlaps(other.Bounds()) {
					t.Errorf("%s: %q at %v overlaps %q at %v", name, text.S, text.Bounds(), other.S, other.Bounds())
				}
			}
			texts = append(texts, text)
		}
		if len(texts) == 0 {
			t.Errorf("%s: no text", name)
		}
		checkSVG(t, name, s)
	}
}

func checkSVG(t *testing.T, name string, s *Scene) {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	for dec := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			break
		}
	}
}

// A single peak among a million numbers is drawn, and so is a single NaN.
func TestPeak(t *testing.T) {
	const n = 1_000_000
	e := NewEnvelope(n, 960, false)
	for i := range n {
		switch i {
		case 500_000:
			e.Add(100)
		case 250_000:
			e.Add(math.NaN())
		default:
			e.Add(math.Sin(float64(i)))
		}
	}
	s := (&Lines{X: Axis{"item", 0, 1, n}, Lines: []*Envelope{e}}).Scene()
	top, gaps := math.Inf(1), 0
	var inner Box
	for _, shape := range s.Shapes {
		switch v := shape.(type) {
		case *Path:
			for _, p := range v.Points {
				top = min(top, p.Y)
			}
		case *Rect:
			if v.Fill == Light.Missing && v.H > 100 {
				gaps++
				inner = v.Box
			}
		}
	}
	if gaps != 1 {
		t.Fatalf("%d gaps", gaps)
	}
	if want := inner.Y + inner.H*0.04/1.08; math.Abs(top-want) > 1 {
		t.Errorf("the peak is at %v, want %v", top, want)
	}
}

// Items are at their positions, in the colours of their means.
func TestHeatPlaces(t *testing.T) {
	// Each pixel has two by two items.
	cols, rows := 4000, 2000
	var h *Heat
	for range 10 {
		h = NewHeat(Heat{X: Axis{"x", 0, 1, int64(cols)}, Y: Axis{"y", 0, 1, int64(rows)}})
		w, ht := h.Size()
		if cols == 2*w && rows == 2*ht {
			break
		}
		cols, rows = 2*w, 2*ht
	}
	for y := range rows {
		for x := range cols {
			v := float64(x%2) * 2 // the mean is 1
			if y >= rows/2 {
				v += 2
			}
			if y < rows/4 && x >= cols/2 {
				v = math.Inf(1)
			}
			h.Add(v)
		}
	}
	m := h.Bitmap(h.Values())
	w, ht := m.Bounds().Dx(), m.Bounds().Dy()
	if w != cols/2 || ht != rows/2 {
		t.Fatalf("%d by %d pixels", w, ht)
	}
	p := Palettes[0]
	for _, c := range []struct {
		x, y float64
		want rgba
	}{{0.25, 0.1, p.At(0)}, {0.75, 0.4, p.At(0)}, {0.1, 0.9, p.At(1)}, {0.9, 0.9, p.At(1)}, {0.75, 0.1, Light.Missing}} {
		got := m.RGBAAt(int(c.x*float64(w)), int(c.y*float64(ht)))
		if d := int(got.R) - int(c.want.R); d*d > 400 || (got == Light.Missing) != (c.want == Light.Missing) {
			t.Errorf("at %v, %v the colour is %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// The lightness of each palette increases throughout, so that it also works in grey.
func TestPalettes(t *testing.T) {
	for _, p := range Palettes {
		last := -1.0
		for i := range 1000 {
			c := p.At(float64(i) / 999)
			light := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
			if light < last-1 {
				t.Fatalf("%s: shade %d is %.1f light, the one before %.1f", p.Name, i, light, last)
			}
			last = max(last, light)
		}
		if p.At(-1) != p.stops[0] || p.At(2) != p.stops[15] || p.At(math.NaN()) != p.stops[0] {
			t.Errorf("%s: wrong ends", p.Name)
		}
	}
}

// Stretch leaves out outliers, and the bar of colours shows that there are some.
func TestStretch(t *testing.T) {
	h := NewHeat(Heat{X: Axis{"x", 0, 1, 100}, Y: Axis{"y", 0, 1, 100}, Stretch: 0.02})
	for i := range 10_000 {
		v := float64(i % 100)
		if i == 0 {
			v = 1e6
		}
		h.Add(v)
	}
	s, below, above := h.colors()
	if s.Lo < 0 || s.Hi > 99 || !below || !above {
		t.Errorf("colours from %v to %v, %v %v", s.Lo, s.Hi, below, above)
	}
}

func TestFront(t *testing.T) {
	dots := []Dot{{X: 1, Y: 5}, {X: 2, Y: 4}, {X: 2, Y: 3}, {X: 3, Y: 4}, {X: 0.5, Y: 4.9}, {X: 4, Y: 1}}
	front := Front(dots)
	if len(front) != 3 || front[0].X != 1 || front[1] != (Dot{X: 3, Y: 4}) || front[2].X != 4 {
		t.Errorf("%v", front)
	}
}

func TestHistogram(t *testing.T) {
	h := NewHistogram(3, 12, 100, false, true)
	for i := range 20 {
		h.Add(float64(i))
	}
	h.Add(math.NaN())
	if len(h.Counts) != 10 || h.N != 10 || h.Missing != 11 || h.Counts[0] != 1 || h.Counts[9] != 1 {
		t.Errorf("%+v", h)
	}
	h = NewHistogram(0, 255, 100, false, true)
	for i := range 256 {
		h.Add(float64(i))
	}
	if h.N != 256 || h.Counts[0] != 3 {
		t.Errorf("%+v", h)
	}
}

// Items are spread over places evenly and in order.
func TestWalk(t *testing.T) {
	for _, c := range [][2]int64{{1, 1}, {7, 7}, {7, 3}, {100, 7}, {1000, 999}, {960, 480}} {
		w := walk{n: c[0], places: c[1]}
		for i := range c[0] {
			if got, want := w.step(), i*c[1]/c[0]; got != want {
				t.Fatalf("item %d of %v: place %d, want %d", i, c, got, want)
			}
		}
	}
	w := walk{n: 1 << 62, places: 1 << 10}
	if w.step(); w.next != 1<<52 {
		t.Errorf("the first place ends at %d", w.next)
	}
}
