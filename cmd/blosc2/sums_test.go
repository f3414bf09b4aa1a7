package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/smallints"
	"github.com/seed03b80dae/blosc2/meta"
)

func dtypeFor(t testing.TB, text string) meta.DType {
	t.Helper()
	d, err := meta.ParseDType(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func floats(x ...float64) (b []byte) {
	for _, f := range x {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
	}
	return b
}

// Joined sums of parts equal those of the whole, computed in two passes.
func TestSums(t *testing.T) {
	d := dtypeFor(t, "<f8")
	rnd := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 10_007)
	for i := range x {
		x[i] = 1e6 + rnd.NormFloat64()
	}
	x[5], x[77] = 0, math.NaN()
	var mean, squares, n float64
	for _, f := range x {
		if f == f {
			mean += f
			n++
		}
	}
	mean /= n
	for _, f := range x {
		if f == f {
			squares += (f - mean) * (f - mean)
		}
	}
	b := floats(x...)
	for _, cut := range []int{0, 8, 8 * 1024, 8 * 5000, len(b)} {
		var s, part sums
		s.add(d, b[:cut])
		part.add(d, b[cut:])
		s.join(&part)
		got := s.stats(d)
		if got.Items != int64(len(x)) || got.NaNs != 1 || got.Zeros != 1 ||
			math.Abs(float64(got.Mean)/mean-1) > 1e-14 || math.Abs(float64(got.Std)/math.Sqrt(squares/n)-1) > 1e-12 {
			t.Errorf("cut at %d: %+v, want mean %v, deviation %v", cut, got, mean, math.Sqrt(squares/n))
		}
		if got.Min.f != 0 || got.Max.f < 1e6 {
			t.Errorf("cut at %d: %+v", cut, got)
		}
	}
}

// The statistics equal numpy.nanmean, nanstd, nanmin and nanmax.
func TestStatsOfInfinities(t *testing.T) {
	d, inf, nan := dtypeFor(t, "<f8"), math.Inf(1), math.NaN()
	for _, c := range []struct {
		items                []float64
		low, high, mean, std float64
	}{
		{[]float64{1, 2, inf}, 1, inf, inf, nan},
		{[]float64{1, -inf, 2}, -inf, 2, -inf, nan},
		{[]float64{-inf, inf}, -inf, inf, nan, nan},
		{[]float64{inf, nan}, inf, inf, inf, nan},
		{[]float64{nan}, nan, nan, nan, nan},
		{nil, nan, nan, nan, nan},
		{[]float64{math.MaxFloat64, math.MaxFloat64}, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64, 0},
		{[]float64{3}, 3, 3, 3, 0},
	} {
		var s sums
		s.add(d, floats(c.items...))
		got := s.stats(d)
		for i, pair := range [][2]float64{{got.Min.f, c.low}, {got.Max.f, c.high}, {float64(got.Mean), c.mean}, {float64(got.Std), c.std}} {
			if pair[0] != pair[1] && !(math.IsNaN(pair[0]) && math.IsNaN(pair[1])) {
				t.Errorf("%v: figure %d is %v, want %v", c.items, i, pair[0], pair[1])
			}
		}
	}
}

// Every numeric type is read as text formats it, and 64-bit integers are exact.
func TestSumsOfTypes(t *testing.T) {
	item := []byte{0x91, 0x82, 0x73, 0x44, 0x05, 0x36, 0x27, 0x48}
	for _, text := range []string{"b1", "i1", "u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<M8[s]", ">m8[s]"} {
		d := dtypeFor(t, text)
		want, _ := number(d, item[:d.Size])
		for _, n := range []int{1, 63, 64, 65, 5000} {
			var s sums
			s.add(d, bytes.Repeat(item[:d.Size], n))
			got := s.stats(d)
			if got.Min.f != want || got.Max.f != want || math.Abs(float64(got.Mean)-want) > 1e-12*math.Abs(want) || got.Items != int64(n) {
				t.Errorf("%s, %d items: %+v, want %v", text, n, got, want)
			}
		}
	}
	for text, c := range map[string][2]string{"<i8": {"-9223372036854775807", "9223372036854775807"}, "<u8": {"9223372036854775807", "9223372036854775809"}} {
		d := dtypeFor(t, text)
		var s sums
		s.add(d, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, 1<<63+1), 1<<63-1))
		if got := s.stats(d); got.Min.text != c[0] || got.Max.text != c[1] {
			t.Errorf("%s: %+v, want %v", text, got, c)
		}
	}
}

// The sums of 16-bit integers equal those of the same numbers in 64 bits.
func TestSumsOfShorts(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 3, 4, 5, smallints.MostShorts/2 - 1, smallints.MostShorts / 2, smallints.MostShorts/2 + 1, 3*smallints.MostShorts/2 + 3} {
		for _, text := range []string{"<i2", ">i2", "<u2", ">u2"} {
			for _, spread := range []uint32{1, 7, 1 << 16} {
				d, wide := dtypeFor(t, text), dtypeFor(t, "<f8")
				var short []byte
				var x []float64
				for range n {
					v := uint16(rnd.Uint32N(spread) - spread/2)
					short = append(short, 0, 0)
					item.Order(d).PutUint16(short[len(short)-2:], v)
					if d.Kind == meta.Int {
						x = append(x, float64(int16(v)))
					} else {
						x = append(x, float64(v))
					}
				}
				var s, w sums
				s.add(d, short)
				w.add(wide, floats(x...))
				got, want := s.stats(d), w.stats(wide)
				if got.Items != want.Items || got.Zeros != want.Zeros || got.Min != want.Min || got.Max != want.Max ||
					math.Abs(float64(got.Mean-want.Mean)) > 1e-9 || math.Abs(float64(got.Std-want.Std)) > 1e-9*float64(want.Std) {
					t.Errorf("%d of %s, %d values: %+v, want %+v", n, text, spread, got, want)
				}
			}
		}
	}
}

func BenchmarkSums(b *testing.B) {
	for _, text := range []string{"<f4", "<f8", "u1", "<i2", "<i8", ">f4"} {
		b.Run(text, func(b *testing.B) {
			d := dtypeFor(b, text)
			x := make([]byte, 1<<20)
			for i := range x {
				x[i] = byte(i*7) >> 2
			}
			b.SetBytes(int64(len(x)))
			for b.Loop() {
				var s sums
				s.add(d, x)
			}
		})
	}
}
