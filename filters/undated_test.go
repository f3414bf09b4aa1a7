package filters

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// An undatedKind returns n items of some kind of data, and the size of an item.
type undatedKind struct {
	name string
	make func(t *testing.T, r *rand.Rand, n int) (data []byte, size int)
}

// pick returns one of several values at random.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// integers returns n little-endian numbers of size bytes.
func integers(n, size int, f func(i int) int64) ([]byte, int) {
	var b, word []byte
	for i := range n {
		word = binary.LittleEndian.AppendUint64(word[:0], uint64(f(i)))
		b = append(b, word[:size]...)
	}
	return b, size
}

// reals returns n floating-point numbers of 4 or 8 bytes.
func reals(r *rand.Rand, n int, f func(i int) float64) ([]byte, int) {
	if r.IntN(2) == 0 {
		return integers(n, 4, func(i int) int64 { return int64(math.Float32bits(float32(f(i)))) })
	}
	return integers(n, 8, func(i int) int64 { return int64(math.Float64bits(f(i))) })
}

// raw returns n items of some size, made byte by byte.
func raw(n, size int, f func(i int) byte) ([]byte, int) {
	b := make([]byte, n*size)
	for i := range b {
		b[i] = f(i)
	}
	return b, size
}

var undatedKinds = []undatedKind{
	{"counters", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		from, step := r.Int64N(1<<20), 1+r.Int64N(1<<r.IntN(12))
		return integers(n, pick(r, 1, 2, 4, 8), func(i int) int64 { return from + int64(i)*step })
	}},
	{"steps of a real number", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		from, step := float64(r.IntN(1000)), pick(r, 0.1, 0.25, 1, 0.01, 1e-3)
		return reals(r, n, func(i int) float64 { return from + float64(i)*step })
	}},
	{"the corpus's steps", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		size, from := pick(r, 2, 3, 4, 8, 12, 16), r.IntN(2)*r.IntN(10_000)
		return raw(n, size, func(i int) byte { return byte((i/size+from)>>(2*min(i%size, 15)) + i%size) })
	}},
	{"text", func(t *testing.T, r *rand.Rand, n int) ([]byte, int) {
		size := pick(r, 1, 2, 4, 8)
		b, err := b2test.Formula(fmt.Sprintf("text(%d)", n*size+1000))
		if err != nil {
			t.Fatal(err)
		}
		return b[r.IntN(1000):][:n*size], size
	}},
	{"runs", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		k := 1 + r.IntN(300)
		return raw(n, pick(r, 1, 2, 4, 8), func(i int) byte { return byte(i / k) })
	}},
	{"sparse bytes", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		k := 1 + r.IntN(100)
		return raw(n, pick(r, 1, 2, 4, 8), func(i int) byte {
			if i%k != 0 {
				return 0
			}
			return byte(i/k%255 + 1)
		})
	}},
	{"walk", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		v, far := r.Int64N(1<<15), 1+r.Int64N(1<<r.IntN(10))
		return integers(n, pick(r, 2, 4, 8), func(int) int64 { v += r.Int64N(2*far+1) - far; return v })
	}},
	{"wave", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		period, noise, mean := 5+r.Float64()*500, r.Float64()/10, r.Float64()*300
		return reals(r, n, func(i int) float64 { return mean + 10*math.Sin(float64(i)/period) + noise*r.NormFloat64() })
	}},
	{"wave of integers", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		period, high := 5+r.Float64()*500, math.Exp(r.Float64()*9.5)
		return integers(n, pick(r, 2, 4), func(i int) int64 { return int64(high*math.Sin(float64(i)/period) + r.NormFloat64()) })
	}},
	{"small numbers", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		below := int64(2) << r.IntN(14)
		return integers(n, pick(r, 2, 4, 8), func(int) int64 { return r.Int64N(below) })
	}},
	{"big-endian", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		b, size := integers(n, pick(r, 2, 4, 8), func(i int) int64 { return int64(i * 37 / 10) })
		for at := 0; at < len(b); at += size {
			for i := range size / 2 {
				b[at+i], b[at+size-1-i] = b[at+size-1-i], b[at+i]
			}
		}
		return b, size
	}},
	{"structures", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		now := r.Int64N(1 << 40)
		var b []byte
		for range n {
			now += r.Int64N(1000)
			b = binary.LittleEndian.AppendUint64(b, uint64(now))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(20+r.NormFloat64())))
			b = append(b, byte(r.IntN(50)), 0, byte(r.IntN(3)), 0)
		}
		return b, 16
	}},
	{"times", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		now, step := r.Int64N(1<<60), 1+r.Int64N(1<<r.IntN(35))
		jitter := 1 + r.Int64N(2)*r.Int64N(step)
		return integers(n, 8, func(int) int64 { now += step; return now + r.Int64N(jitter) })
	}},
	{"image", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		v, size := 100., pick(r, 1, 2)
		return integers(n, size, func(int) int64 {
			v = min(max(v+3*r.NormFloat64(), 0), 250)
			return int64(v * float64(1+(size-1)*200))
		})
	}},
	{"normal", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		mean, sd := 50*r.NormFloat64(), math.Exp(2*r.NormFloat64())
		return reals(r, n, func(int) float64 { return mean + sd*r.NormFloat64() })
	}},
	{"two decimals", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		v := 100.
		return reals(r, n, func(int) float64 { v += r.NormFloat64(); return math.Round(v*100) / 100 })
	}},
	{"truth values", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		often := r.Float64()
		return raw(n, 1, func(int) byte {
			if r.Float64() < often {
				return 1
			}
			return 0
		})
	}},
	{"one value", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		v := int64(r.Uint64())
		return integers(n, pick(r, 2, 4, 8), func(int) int64 { return v })
	}},
	{"tables", func(_ *testing.T, r *rand.Rand, n int) ([]byte, int) {
		columns, from := 1+r.IntN(200), r.IntN(20)
		return integers(n, 4, func(i int) int64 { return int64(i%columns) * int64(from+i/columns) })
	}},
	{"measurements", func(t *testing.T, r *rand.Rand, n int) ([]byte, int) {
		f := pick(r, struct {
			name string
			size int
		}{"era-geopotential.f4", 4}, struct {
			name string
			size int
		}{"era-wind-u.f8", 8}, struct {
			name string
			size int
		}{"era-wind-u.i2", 2}, struct {
			name string
			size int
		}{"era5-t2m.f4", 4})
		data := b2test.Real(t, f.name)
		return bytes.Clone(data[r.IntN(len(data)/f.size-n)*f.size:][:n*f.size]), f.size
	}},
}

// Blocks of all kinds of data, with 9 to 18,000 items, are read correctly, with few
// exceptions. Most exceptions are short blocks, and sparse bytes, which are sparse in
// either reading.
func TestUndatedTrial(t *testing.T) {
	r := rand.New(rand.NewPCG(20, 21))
	f, _ := ByID(blosc2.FilterBitShuffle)
	trials, wrong := 0, 0
	rounds := 25 * len(undatedKinds)
	if testing.Short() {
		rounds /= 5
	}
	for round := range rounds {
		kind := undatedKinds[round%len(undatedKinds)]
		n := int(9 * math.Exp(r.Float64()*math.Log(2000)))
		if n%8 == 0 {
			n++
		}
		data, size := kind.make(t, r, n)
		data = append(data, data[:r.IntN(2)*r.IntN(size)]...)
		coded, got := make([]byte, len(data)), make([]byte, len(data))
		p := Params{TypeSize: size, Version: 4}
		if err := f.Forward(coded, data, p); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(coded, data) {
			continue
		}
		p.Undated = true
		for _, block := range [][]byte{data, coded} {
			trials++
			if err := f.Backward(got, block, p); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, data) {
				wrong++
				if testing.Verbose() {
					t.Logf("%s, %d items of %d bytes, shuffled %v: taken for the other", kind.name, n, size, &block[0] == &coded[0])
				}
			}
		}
	}
	t.Logf("%d of %d blocks were decided wrongly", wrong, trials)
	if wrong*100 > 3*trials {
		t.Errorf("%d of %d blocks were decided wrongly: more than 3 %%", wrong, trials)
	}
}
