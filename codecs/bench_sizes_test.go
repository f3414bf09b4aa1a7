package codecs_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// wholes returns unfiltered blocks of real measurements, and their total size.
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

// longs returns shuffled chunks of 1 MiB as streams that are not split, and their total
// size.
func longs(b *testing.B) (streams [][]byte, size int64) {
	const chunk = 1 << 20
	for name, typeSize := range map[string]int{"era-wind-u.f8": 8, "nab-records.16": 16, "nab-value.f8": 8} {
		for data := b2test.Real(b, name); len(data) >= chunk; data = data[chunk:] {
			s := make([]byte, chunk)
			shuffle.Shuffle(s, data[:chunk], typeSize)
			streams = append(streams, s)
			size += chunk
		}
	}
	return streams, size
}

// BenchmarkSizes reports the size to which our own encoders compress real
// measurements at each level, as "bytes": planes of shuffled blocks, unfiltered
// values, and shuffled chunks of 1 MiB. The sizes are the same in each run and on
// each machine, so one run suffices to see the effect of changing a constant:
//
//	go test -run '^$' -bench Sizes -benchtime 1x ./codecs
func BenchmarkSizes(b *testing.B) {
	for _, kind := range []struct {
		name    string
		streams func(*testing.B) ([][]byte, int64)
		params  codecs.Params
	}{
		{"planes", planes, codecs.Params{TypeSize: 1, Planes: true}},
		{"values", wholes, codecs.Params{TypeSize: 8, Values: true}},
		{"long", longs, codecs.Params{TypeSize: 8, Planes: true}},
	} {
		streams, _ := kind.streams(b)
		for _, id := range []blosc2.CodecID{blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd, blosc2.CodecLizard} {
			for level := 1; level <= 9; level++ {
				if id == blosc2.CodecLizard && (kind.name != "planes" || level > 5) {
					continue
				}
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

// BenchmarkSizesDict reports the size of zstd's streams with a dictionary, and of the
// dictionary, which is trained on an eighth of them as package chunk does: for blocks
// of 4 KiB of records, in chunks of 512 KiB.
func BenchmarkSizesDict(b *testing.B) {
	const chunk, block = 512 << 10, 4 << 10
	for b.Loop() {
		total := 0
		for data := b2test.Real(b, "nab-records.16"); len(data) >= chunk; data = data[chunk:] {
			var samples []byte
			for at := 0; at < chunk; at += block {
				samples = append(samples, data[at:at+block/8]...)
			}
			p := codecs.Params{Level: 5, TypeSize: 16, Dict: codecs.TrainZstd([][]byte{samples}, chunk/20)}
			c := maker(b, blosc2.CodecZstd)()
			total += len(p.Dict)
			for at := 0; at < chunk; at += block {
				n, err := c.Encode(make([]byte, block), data[at:at+block], p)
				if err != nil {
					b.Fatal(err)
				}
				if n == 0 {
					n = block
				}
				total += n
			}
		}
		b.ReportMetric(float64(total), "bytes")
	}
}

// BenchmarkSizesCells reports the size of ndlz's streams for planes of measurements,
// as blocks of 64 by 256.
func BenchmarkSizesCells(b *testing.B) {
	streams, _ := planes(b)
	for _, side := range []uint8{4, 8} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			for b.Loop() {
				total := 0
				for _, s := range streams {
					for ; len(s) >= 64*256; s = s[64*256:] {
						p := codecs.Params{Level: 5, Meta: side, TypeSize: 1, BlockShape: []int32{64, 256}, WholeBlock: true}
						n, err := maker(b, blosc2.CodecNDLZ)().Encode(make([]byte, 64*256), s[:64*256], p)
						if err != nil {
							b.Fatal(err)
						}
						if n == 0 {
							n = 64 * 256
						}
						total += n
					}
				}
				b.ReportMetric(float64(total), "bytes")
			}
		})
	}
}
