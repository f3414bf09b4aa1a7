package smallints

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// slow computes the sums as they are defined, one integer at a time.
func slow(b []byte, size int, signed bool) Sums {
	var s Sums
	for ; len(b) >= size; b = b[size:] {
		var v int64
		switch {
		case size == 1 && signed:
			v = int64(int8(b[0]))
		case size == 1:
			v = int64(b[0])
		case signed:
			v = int64(int16(binary.LittleEndian.Uint16(b)))
		default:
			v = int64(binary.LittleEndian.Uint16(b))
		}
		if s.Items == 0 {
			s.Low, s.High = v, v
		}
		if v == 0 {
			s.Zeros++
		}
		s.Items++
		s.Sum += v
		s.Squares += uint64(v * v)
		s.Low, s.High = min(s.Low, v), max(s.High, v)
	}
	return s
}

func check(t *testing.T, b []byte) {
	t.Helper()
	for _, signed := range []bool{false, true} {
		if got, want := Bytes(b, signed), slow(b, 1, signed); len(b) > 0 && got != want {
			t.Errorf("%v: %d bytes, signed %v: %+v, want %+v", kernels.Current(), len(b), signed, got, want)
		}
		if got, want := Shorts(b, signed), slow(b, 2, signed); len(b) > 1 && got != want {
			t.Errorf("%v: %d bytes of shorts, signed %v: %+v, want %+v", kernels.Current(), len(b), signed, got, want)
		}
	}
}

// Every tier returns the same sums as slow, even for the extreme values.
func TestSums(t *testing.T) {
	defer kernels.Use(kernels.Current())
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, tier := range kernels.Tiers() {
		if err := kernels.Use(tier); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 3, 31, 32, 33, 64, 100, mostVector - 1, mostVector, mostVector + 35, MostShorts, MostBytes} {
			for kind := range 5 {
				b := make([]byte, n)
				for i := range b {
					switch kind {
					case 0:
						b[i] = byte(rnd.Uint32())
					case 1:
						b[i] = 0xff
					case 2:
						b[i] = byte(i%2) << 7 // -32768, the lowest
					case 3:
						b[i] = byte(rnd.Uint32N(2) * rnd.Uint32N(2))
					}
				}
				check(t, b)
			}
		}
	}
	if s := Bytes(nil, true); s.Items != 0 || s.Sum != 0 || s.Squares != 0 {
		t.Errorf("of nothing: %+v", s)
	}
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("some bytes, more than one vector of them, and an odd number"))
	f.Fuzz(check)
}

func BenchmarkSums(b *testing.B) {
	defer kernels.Use(kernels.Current())
	x := make([]byte, 1<<16)
	for i := range x {
		x[i] = byte(i*7) >> 2
	}
	for _, tier := range kernels.Tiers() {
		for name, f := range map[string]func([]byte, bool) Sums{"u1": Bytes, "i2": Shorts} {
			b.Run(name+"/"+tier.String(), func(b *testing.B) {
				if err := kernels.Use(tier); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(x)))
				for b.Loop() {
					f(x, true)
				}
			})
		}
	}
}
