package codectest

import "math/rand/v2"

// A Shape is a kind of data.
type Shape struct {
	Name string
	fill func(b []byte, r *rand.Rand)
}

// Data returns n bytes of the shape, the same in each call.
func (s Shape) Data(n int) []byte { return s.Seeded(n, 0) }

// Seeded returns n bytes of the shape, which depend on the seed.
func (s Shape) Seeded(n int, seed uint64) []byte {
	b := make([]byte, n)
	s.fill(b, rand.New(rand.NewPCG(uint64(n), seed)))
	return b
}

// Shapes returns data of many kinds: constant, random, text-like, and shuffled and
// bitshuffled numbers.
func Shapes() []Shape {
	return []Shape{
		{"zeros", func([]byte, *rand.Rand) {}},
		{"one value", func(b []byte, _ *rand.Rand) { fill(b, 0xa5) }},
		{"random", random},
		{"ramp", each(func(i int, _ *rand.Rand) byte { return byte(i) })},
		{"steps", func(b []byte, r *rand.Rand) { runs(b, r, 2, 300, 256) }},
		{"short runs", func(b []byte, r *rand.Rand) { runs(b, r, 1, 12, 4) }},
		{"small alphabet", each(func(_ int, r *rand.Rand) byte { return byte(r.IntN(4)) * 17 })},
		{"skewed", each(func(_ int, r *rand.Rand) byte { return byte(r.ExpFloat64() * 6) })},
		{"sparse", func(b []byte, r *rand.Rand) {
			for i := 0; i < len(b); i += 1 + r.IntN(60) {
				b[i] = byte(r.Uint32())
			}
		}},
		{"short period", func(b []byte, r *rand.Rand) { periodic(b, r, 2+r.IntN(15)) }},
		{"long period", func(b []byte, r *rand.Rand) { periodic(b, r, 100+r.IntN(3000)) }},
		{"far period", func(b []byte, r *rand.Rand) { periodic(b, r, 8000+r.IntN(70000)) }},
		{"phrases", phrases},
		{"plane", func(b []byte, r *rand.Rand) { walk(b, r, 0.3) }},
		{"noisy plane", func(b []byte, r *rand.Rand) { walk(b, r, 3) }},
		{"patchwork", patchwork},
	}
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// each returns the fill of a Shape whose bytes do not depend on each other.
func each(value func(i int, r *rand.Rand) byte) func(b []byte, r *rand.Rand) {
	return func(b []byte, r *rand.Rand) {
		for i := range b {
			b[i] = value(i, r)
		}
	}
}

var random = each(func(_ int, r *rand.Rand) byte { return byte(r.Uint32()) })

func runs(b []byte, r *rand.Rand, least, most, values int) {
	for len(b) > 0 {
		n := min(len(b), least+r.IntN(most-least))
		fill(b[:n], byte(r.IntN(values)))
		b = b[n:]
	}
}

func periodic(b []byte, r *rand.Rand, period int) {
	period = min(period, len(b))
	random(b[:period], r)
	for i := period; i < len(b); i++ {
		b[i] = b[i-period]
	}
}

func phrases(b []byte, r *rand.Rand) {
	const words = "temperature|pressure|wind speed at ten metres|, |0.125|geopotential of the layer|\n|x=|y|000000000000"
	for len(b) > 0 {
		from := r.IntN(len(words) - 1)
		n := copy(b, words[from:from+1+r.IntN(len(words)-from)])
		b = b[n:]
	}
}

// walk fills b with data like the high bytes of slowly changing numbers.
func walk(b []byte, r *rand.Rand, step float64) {
	v := 100.0
	for i := range b {
		v += r.NormFloat64() * step
		b[i] = byte(v)
	}
}

// patchwork fills b with data that changes its kind every few hundred bytes.
func patchwork(b []byte, r *rand.Rand) {
	for len(b) > 0 {
		n := min(len(b), 20+r.IntN(600))
		switch r.IntN(5) {
		case 0:
			random(b[:n], r)
		case 1:
			runs(b[:n], r, 1, 80, 256)
		case 2:
			phrases(b[:n], r)
		case 3:
			walk(b[:n], r, 1)
		case 4:
			periodic(b[:n], r, 1+r.IntN(40))
		}
		b = b[n:]
	}
}
