package codecs_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs"
)

// BenchmarkEncode and BenchmarkDecode measure the speed on planes of real
// measurements; the metric "ratio" is the relative size.
func BenchmarkEncode(b *testing.B) { benchmark(b, false) }
func BenchmarkDecode(b *testing.B) { benchmark(b, true) }

func benchmark(b *testing.B, decode bool) {
	streams, size := planes(b)
	for _, id := range general {
		for _, level := range []int{1, 5, 9} {
			b.Run(fmt.Sprintf("%s/%d", id, level), func(b *testing.B) {
				c, p := maker(b, id)(), codecs.Params{Level: level, TypeSize: 1}
				coded := make([][]byte, len(streams))
				total := 0
				encode := func() {
					total = 0
					for i, s := range streams {
						if coded[i] == nil {
							coded[i] = make([]byte, streamSize)
						}
						n, err := c.Encode(coded[i][:streamSize], s, p)
						if err != nil {
							b.Fatal(err)
						}
						if n == 0 {
							n = copy(coded[i], s)
						}
						coded[i] = coded[i][:n]
						total += n
					}
				}
				encode()
				back := make([]byte, streamSize)
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					if !decode {
						encode()
						continue
					}
					for _, s := range coded {
						if len(s) == streamSize {
							copy(back, s)
						} else if _, err := c.Decode(back, s, p); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(size)/float64(total), "ratio")
			})
		}
	}
}
