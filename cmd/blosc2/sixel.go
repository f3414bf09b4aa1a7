package main

import (
	"cmp"
	"image"
	"image/color"
	"slices"
)

// mostRegisters is how many colours a sixel picture may have; the encoder takes
// one more for transparency.
const mostRegisters = 255

// registers returns a picture with at most as many colours as sixel has. If there are
// too many, it rounds all colours except the most frequent, which are those of the
// background and of text.
func registers(m *image.RGBA) *image.Paletted {
	count := map[color.RGBA]int{}
	for i := 0; i < len(m.Pix); i += 4 {
		count[color.RGBA{m.Pix[i], m.Pix[i+1], m.Pix[i+2], 0xff}]++
	}
	all := make([]color.RGBA, 0, len(count))
	for c := range count {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	index := map[color.RGBA]uint8{}
	var palette color.Palette
	for bits := 0; ; bits++ {
		if palette = rounded(all, count, bits, index); palette != nil {
			break
		}
	}
	p := image.NewPaletted(m.Rect, palette)
	for i := range p.Pix {
		p.Pix[i] = index[color.RGBA{m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2], 0xff}]
	}
	return p
}

// exact is how many of the most frequent colours are not rounded.
const exact = 32

// rounded returns the palette in which colours that differ only in the last bits
// share an entry, the mean of their pixels, and sets the index of each colour. It
// returns nil if there are too many.
func rounded(all []color.RGBA, count map[color.RGBA]int, bits int, index map[color.RGBA]uint8) color.Palette {
	type sum struct{ r, g, b, n int }
	shared := map[[3]uint8]int{}
	var sums []sum
	for i, c := range all {
		at := len(sums)
		if i >= exact {
			key := [3]uint8{c.R >> bits, c.G >> bits, c.B >> bits}
			if k, ok := shared[key]; ok {
				at = k
			} else {
				shared[key] = at
			}
		}
		if at == len(sums) {
			if at == mostRegisters {
				return nil
			}
			sums = append(sums, sum{})
		}
		n := count[c]
		s := &sums[at]
		s.r, s.g, s.b, s.n = s.r+n*int(c.R), s.g+n*int(c.G), s.b+n*int(c.B), s.n+n
		index[c] = uint8(at)
	}
	palette := make(color.Palette, len(sums))
	for i, s := range sums {
		palette[i] = color.RGBA{uint8(s.r / s.n), uint8(s.g / s.n), uint8(s.b / s.n), 0xff}
	}
	return palette
}
