package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

const benchChunk = 1 << 20

// benchFiles lists real measurements with the size of their items.
var benchFiles = []struct {
	name     string
	typesize int
}{
	{"era-geopotential.f4", 4},
	{"nab-time.i8", 8},
	{"era5-t2m.f4", 4},
}

func BenchmarkReal(b *testing.B) {
	for _, f := range benchFiles {
		data := b2test.Real(b, f.name)
		for _, c := range []struct {
			id    blosc2.CodecID
			level int
		}{{blosc2.CodecLZ4, 5}, {blosc2.CodecBloscLZ, 5}, {blosc2.CodecZstd, 1}, {blosc2.CodecZlib, 5}} {
			p := chunk.Params{Codec: c.id, Level: c.level, TypeSize: f.typesize, Filters: filters.Default(), Split: blosc2.SplitForward}
			b.Run(fmt.Sprintf("%s/%s-%d", f.name, c.id, c.level), func(b *testing.B) { benchBoth(b, p, data) })
		}
	}
}

// BenchmarkSynthetic measures the cost of the package itself, with data that need
// no codec.
func BenchmarkSynthetic(b *testing.B) {
	noise := make([]byte, 8*benchChunk)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(noise)
	constant := make([]byte, len(noise))
	for i := range constant {
		constant[i] = byte(i%8 + 1)
	}
	nan := make([]byte, len(noise))
	for i := 6; i < len(nan); i += 8 {
		nan[i], nan[i+1] = 0xf8, 0x7f
	}
	for _, d := range []struct {
		name string
		data []byte
	}{{"zeros", make([]byte, len(noise))}, {"nan", nan}, {"constant", constant}, {"noise", noise}} {
		p := chunk.Default()
		p.Split = blosc2.SplitForward
		p.PlainZeros = true
		b.Run(d.name, func(b *testing.B) { benchBoth(b, p, d.data) })
	}
	b.Run("memcpy", func(b *testing.B) {
		dst := make([]byte, len(noise))
		b.SetBytes(int64(len(noise)))
		for b.Loop() {
			copy(dst, noise)
		}
	})
}

// benchBoth measures encoding data in chunks, and decoding them.
func benchBoth(b *testing.B, p chunk.Params, data []byte) {
	e, err := chunk.NewEncoder(p)
	if err != nil {
		b.Fatal(err)
	}
	var chunks [][]byte
	packed := make([]byte, 0, chunk.Bound(benchChunk))
	size := 0
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		for b.Loop() {
			chunks, size = chunks[:0], 0
			for rest := data; len(rest) > 0; rest = rest[min(len(rest), benchChunk):] {
				c, err := e.Encode(packed, rest[:min(len(rest), benchChunk)])
				if err != nil {
					b.Fatal(err)
				}
				size += len(c)
			}
		}
		b.ReportMetric(float64(len(data))/float64(size), "ratio")
	})
	for rest := data; len(rest) > 0; rest = rest[min(len(rest), benchChunk):] {
		c, err := e.Encode(nil, rest[:min(len(rest), benchChunk)])
		if err != nil {
			b.Fatal(err)
		}
		chunks = append(chunks, c)
	}
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		b.ReportAllocs()
		var d chunk.Decoder
		dst := make([]byte, 0, benchChunk)
		for b.Loop() {
			for _, c := range chunks {
				if _, err := d.Decode(dst, c); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}
