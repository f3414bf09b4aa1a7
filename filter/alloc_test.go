package filter_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filter"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A call is a function of the package with its arguments.
type call struct {
	name  string
	bytes int
	run   func() error
}

// calls returns calls of all functions of the package, which encode and decode, with
// buffers as in steady state.
func calls(t testing.TB) (all []call) {
	s := filter.Settings{Codec: blosc2.CodecLZ4, Level: 5, Shuffle: blosc2.FilterShuffle}
	add := func(name string, n int, run func() error) { all = append(all, call{name, n, run}) }
	for _, shape := range [][]int{{250000}, {500, 500}} {
		b1, err := filter.BloscValues(s, 4, shape)
		if err != nil {
			t.Fatal(err)
		}
		b2, err := filter.Blosc2Values(s, 4, shape)
		if err != nil {
			t.Fatal(err)
		}
		z := filter.Zarr{Codec: blosc2.CodecLZ4, Level: 5, Shuffle: blosc2.FilterShuffle, TypeSize: 4}
		src := ramp(1000000, 4)
		dst, back := make([]byte, 0, 2*len(src)), make([]byte, 0, len(src))
		for _, f := range []struct {
			name           string
			encode, decode func(dst, src []byte) ([]byte, error)
		}{
			{"Blosc", func(d, s []byte) ([]byte, error) { return filter.EncodeBlosc(d, s, b1) }, func(d, s []byte) ([]byte, error) { return filter.DecodeBlosc(d, s, b1) }},
			{"Blosc2", func(d, s []byte) ([]byte, error) { return filter.EncodeBlosc2(d, s, b2) }, func(d, s []byte) ([]byte, error) { return filter.DecodeBlosc2(d, s, b2) }},
			{"Zarr", func(d, s []byte) ([]byte, error) { return filter.EncodeZarr(d, s, z) }, func(d, s []byte) ([]byte, error) { return filter.DecodeZarr(d, s, len(src)) }},
		} {
			stored, err := f.encode(nil, src)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%s/%dd", f.name, len(shape))
			add(name+"/encode", len(src), func() error { _, err := f.encode(dst, src); return err })
			add(name+"/decode", len(src), func() error { _, err := f.decode(back, stored); return err })
		}
	}
	return all
}

// TestAllocations checks that in steady state no call allocates. The garbage collector
// may empty the pool of coders between two calls, so only the least of several
// measurements counts.
func TestAllocations(t *testing.T) {
	for _, c := range calls(t) {
		least := 1e9
		for range 5 {
			least = min(least, testing.AllocsPerRun(10, func() {
				if err := c.run(); err != nil {
					t.Fatal(err)
				}
			}))
		}
		if least != 0 && !b2test.Race {
			t.Errorf("%s allocates %v times", c.name, least)
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	for _, c := range calls(b) {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(c.bytes))
			for b.Loop() {
				if err := c.run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
