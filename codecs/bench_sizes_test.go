package codecs_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// wholes returns unfiltered blocks of real measurements.
func wholes(b *testing.B) (streams [][]byte, size int64) {
	const block = 256 << 10
	for _, name := range []string{"era-wind-u.f8", "nab-records.16", "nab-time.i8", "nab-value.f8"} {
		for data := b2test.Real(b, name); len(data) >= block; data = data[block:] {
			streams = append(streams, data[:block])
			size += block
		}
	}
	return streams, size
}

// BenchmarkSizes reports the size to which our own encoders compress real
// measurements at each level, as "bytes": planes of shuffled blocks, and unfiltered
// values. The sizes are the same in each run and on each machine, so one run
// suffices to see the effect of changing a constant:
//
//	go test -run '^$' -bench Sizes -benchtime 1x ./codecs
func BenchmarkSizes(b *testing.B) {
	for _, kind := range []struct {
		name    string
		streams func(*testing.B) ([][]byte, int64)
		params  codecs.Params
	}{
		{"planes", planes, codecs.Params{TypeSize: 1}},
		{"values", wholes, codecs.Params{TypeSize: 8, Values: true}},
	} {
		streams, _ := kind.streams(b)
		for _, id := range []blosc2.CodecID{blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd} {
			for level := 1; level <= 9; level++ {
				b.Run(fmt.Sprintf("%s/%s/%d", kind.name, id, level), func(b *testing.B) {
					c, p := maker(b, id)(), kind.params
					p.Level = level
					total := 0
					for b.Loop() {
						total = 0
						for _, s := range streams {
							n, err := c.Encode(make([]byte, len(s)), s, p)
							if err != nil {
								b.Fatal(err)
							}
							if n == 0 {
								n = len(s)
							}
							total += n
						}
					}
					b.ReportMetric(float64(total), "bytes")
				})
			}
		}
	}
}
