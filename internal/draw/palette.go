package draw

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// A Palette maps the interval from 0 to 1 to colours at equal perceived distances.
type Palette struct {
	Name  string
	stops []color.RGBA
}

// Palettes holds the five palettes; the first is the default. Each has 16 colours
// at equal steps; the colours between are interpolated, and differ from the
// published tables (BIDS/colormap, CC0; cividis: Nuñez, Anderton, Renslow 2018) by
// at most 7 of 255.
var Palettes = []*Palette{
	newPalette("viridis", "440154 481a6c 472f7d 414487 39568c 31688e 2a788e 23888e 1f988b 22a884 35b779 54c568 7ad151 a5db36 d2e21b fde725"),
	newPalette("magma", "000004 0b0924 20114b 3b0f70 57157e 721f81 8c2981 a8327d c43c75 de4968 f1605d fa7f5e fe9f6d febf84 fddea0 fcfdbf"),
	newPalette("inferno", "000004 0c0826 240c4f 420a68 5d126e 781c6d 932667 ae305c c73e4c dd513a ed6925 f8850f fca50a fac62d f2e661 fcffa4"),
	newPalette("plasma", "0d0887 330597 5002a2 6a00a8 8405a7 9c179e b12a90 c33d80 d35171 e16462 ed7953 f68f44 fca636 fec029 f9dc24 f0f921"),
	newPalette("cividis", "00224e 002e6c 1e3a6f 35456c 47516c 575d6d 666970 757575 848279 948e77 a59c74 b7a96e c8b866 dbc75a eed649 fee838"),
}

func newPalette(name, stops string) *Palette {
	p := &Palette{Name: name}
	for s := range strings.FieldsSeq(stops) {
		p.stops = append(p.stops, rgb(s))
	}
	return p
}

// PaletteNamed returns a palette by its name.
func PaletteNamed(name string) (p *Palette, ok bool) {
	for _, p := range Palettes {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// At returns the colour for t, which is limited to the interval from 0 to 1.
func (p *Palette) At(t float64) color.RGBA {
	f := min(max(t, 0), 1) * float64(len(p.stops)-1)
	if f != f {
		f = 0
	}
	i := min(int(f), len(p.stops)-2)
	return mix(p.stops[i], p.stops[i+1], f-float64(i))
}

// mix returns the colour at t between a and b.
func mix(a, b color.RGBA, t float64) color.RGBA {
	one := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-t) + float64(b)*t)) }
	return color.RGBA{one(a.R, b.R), one(a.G, b.G), one(a.B, b.B), 0xff}
}

// rgb parses a colour of six hexadecimal digits.
func rgb(s string) color.RGBA {
	n, err := strconv.ParseUint(s, 16, 24)
	if err != nil {
		panic(err) // a constant of this package
	}
	return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff}
}

// A Theme holds the colours of everything that is not data.
type Theme struct {
	Back, Ink, Grey, Grid color.RGBA
	Missing               color.RGBA   // NaN and infinities; in no palette
	Series                []color.RGBA // colours of lines and marks, in this order
}

// Light and Dark are the two themes.
var (
	Light = &Theme{
		Back: rgb("ffffff"), Ink: rgb("1f2328"), Grey: rgb("656d76"), Grid: rgb("e6e8eb"), Missing: rgb("f4b6b6"),
		Series: series("1f5fa8 c8553d 0b7a75 b7791f 7768ae 5b6470 a0457e 4d8b31 8c564b 1789a6"),
	}
	Dark = &Theme{
		Back: rgb("0d1117"), Ink: rgb("e6edf3"), Grey: rgb("9aa4af"), Grid: rgb("262c34"), Missing: rgb("8a3f45"),
		Series: series("6aa9f0 f0876f 3fc1b8 e3b341 b07cf7 c3ccd6 e07fbd 8fcf6d c99a8c 5cc8e6"),
	}
)

func series(text string) (all []color.RGBA) {
	for s := range strings.FieldsSeq(text) {
		all = append(all, rgb(s))
	}
	return all
}

// Color returns the colour of series i; after the last, colours repeat.
func (t *Theme) Color(i int) color.RGBA { return t.Series[i%len(t.Series)] }
