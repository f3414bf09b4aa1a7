package draw

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteSVG writes the scene as an SVG file. Equal scenes make equal bytes.
func (s *Scene) WriteSVG(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" role="img" font-family="Go, Helvetica, Arial, 'Liberation Sans', sans-serif">`+"\n",
		num(s.W), num(s.H), num(s.W/s.Zoom), num(s.H/s.Zoom))
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(s.Title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="%s"/>`+"\n", hex(s.Back))
	for _, shape := range s.Shapes {
		if r, ok := shape.(*Rect); ok {
			shape = s.snapped(r)
		}
		if err := svgShape(&b, shape); err != nil {
			return err
		}
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// snapped returns the rectangle with its edges on whole pixels, at least one apart.
func (s *Scene) snapped(r *Rect) *Rect {
	side := func(at, size float64) (float64, float64) {
		first := math.Round(at * s.Zoom)
		last := max(first+1, math.Round((at+size)*s.Zoom))
		return first / s.Zoom, (last - first) / s.Zoom
	}
	b := r.Box
	b.X, b.W = side(b.X, b.W)
	b.Y, b.H = side(b.Y, b.H)
	return &Rect{b, r.Fill}
}

func svgShape(b *bytes.Buffer, shape Shape) error {
	switch v := shape.(type) {
	case *Rect:
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n", num(v.X), num(v.Y), num(v.W), num(v.H), hex(v.Fill))
	case *Path:
		if v.Fill {
			fmt.Fprintf(b, `<polygon points="%s" fill="%s"/>`+"\n", points(v.Points), hex(v.Color))
			return nil
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n", points(v.Points), hex(v.Color), num(v.Width))
	case *Disc:
		if v.Width > 0 {
			fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s"/>`+"\n", num(v.X), num(v.Y), num(v.R), hex(v.Color), num(v.Width))
			return nil
		}
		fmt.Fprintf(b, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", num(v.X), num(v.Y), num(v.R), hex(v.Color))
	case *Text:
		svgText(b, v)
	case *Bitmap:
		var data bytes.Buffer
		if err := png.Encode(&data, enlarged(v)); err != nil {
			return err
		}
		fmt.Fprintf(b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" image-rendering="optimizeSpeed" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`+"\n",
			num(v.X), num(v.Y), num(v.W), num(v.H), base64.StdEncoding.EncodeToString(data.Bytes()))
	}
	return nil
}

// enlarged returns the image with its pixels repeated to about the size of its box,
// because some viewers would smooth it.
func enlarged(v *Bitmap) *image.RGBA {
	from := v.Image.Bounds()
	x, y := int(v.W)/from.Dx(), int(v.H)/from.Dy()
	if x < 2 || y < 2 {
		return v.Image
	}
	m := image.NewRGBA(image.Rect(0, 0, from.Dx()*x, from.Dy()*y))
	for j := range m.Rect.Dy() {
		for i := range m.Rect.Dx() {
			m.SetRGBA(i, j, v.Image.RGBAAt(from.Min.X+i/x, from.Min.Y+j/y))
		}
	}
	return m
}

func svgText(b *bytes.Buffer, t *Text) {
	// The base line is set explicitly, because not all viewers support
	// dominant-baseline.
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" fill="%s"`, num(t.X), num(t.Y+Baseline*t.Size), num(t.Size), hex(t.Color))
	if t.Anchor != Start {
		fmt.Fprintf(b, ` text-anchor="%s"`, [...]string{"start", "middle", "end"}[t.Anchor])
	}
	if t.Bold {
		b.WriteString(` font-weight="bold"`)
	}
	if t.Upright {
		fmt.Fprintf(b, ` transform="rotate(-90 %s %s)"`, num(t.X), num(t.Y))
	}
	fmt.Fprintf(b, ">%s</text>\n", escape(t.S))
}

// Baseline is the distance from the middle of a line of text down to its base line,
// relative to the size of the text.
const Baseline = 0.36

func points(all []Point) string {
	var b strings.Builder
	for i, p := range all {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(num(p.X) + "," + num(p.Y))
	}
	return b.String()
}

// num formats a coordinate to a hundredth.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // writing to a strings.Builder does not fail
	return b.String()
}
