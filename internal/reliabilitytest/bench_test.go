package reliabilitytest

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// measurements are real files with the size of their items.
var measurements = []struct {
	name string
	item int
}{{"era5-t2m.f4", 4}, {"era-wind-u.i2", 2}, {"nab-value.f8", 8}}

// BenchmarkRecords streams real data with and without check records, in turns,
// and reports what they cost in percent.
func BenchmarkRecords(b *testing.B) {
	for _, m := range measurements {
		b.Run(m.name, func(b *testing.B) {
			data := b2test.Real(b, m.name)
			b.SetBytes(2 * int64(len(data)))
			var out bytes.Buffer
			out.Grow(2 * len(data))
			took := [2]time.Duration{1 << 62, 1 << 62} // the best, which a busy machine disturbs least
			for i := 0; b.Loop(); i++ {
				for turn := range 2 {
					on := (turn + i) % 2
					out.Reset()
					start := time.Now()
					w, err := stream.NewWriter(&out, stream.TypeSize(m.item), stream.Checks(on == 1), stream.Workers(1))
					must(b, err)
					_, err = w.Write(data)
					must(b, err)
					must(b, w.Close())
					r, err := stream.NewReader(io.MultiReader(&out), stream.Workers(1))
					must(b, err)
					_, err = io.Copy(io.Discard, r)
					must(b, err)
					took[on] = min(took[on], time.Since(start))
				}
			}
			b.ReportMetric(100*(took[1].Seconds()/took[0].Seconds()-1), "%-more-time")
		})
	}
}

// BenchmarkVerify verifies and decompresses real data in turns.
func BenchmarkVerify(b *testing.B) {
	for _, m := range measurements {
		b.Run(m.name, func(b *testing.B) {
			data := b2test.Real(b, m.name)
			var out bytes.Buffer
			w, err := stream.NewWriter(&out, stream.TypeSize(m.item))
			must(b, err)
			_, err = w.Write(data)
			must(b, err)
			must(b, w.Close())
			b.SetBytes(int64(len(data)))
			verify, read := time.Duration(1<<62), time.Duration(1<<62)
			for b.Loop() {
				start := time.Now()
				rep, err := frame.Verify(bytes.NewReader(out.Bytes()), int64(out.Len()), frame.VerifyOptions{Workers: 1})
				if err != nil || !rep.Sound() {
					b.Fatal(rep, err)
				}
				verify = min(verify, time.Since(start))
				start = time.Now()
				r, err := stream.NewReader(bytes.NewReader(out.Bytes()), stream.Workers(1))
				must(b, err)
				_, err = io.Copy(io.Discard, r)
				must(b, err)
				read = min(read, time.Since(start))
			}
			b.ReportMetric(read.Seconds()/verify.Seconds(), "×decompress")
		})
	}
}
