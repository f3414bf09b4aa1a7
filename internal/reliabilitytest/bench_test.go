package reliabilitytest

import (
	"bytes"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// measurements lists real files with the size of their items.
var measurements = []struct {
	name string
	item int
}{{"era5-t2m.f4", 4}, {"era-wind-u.i2", 2}, {"nab-value.f8", 8}}

// race runs two functions in turn, and returns the ratio of the second's time to
// the first's. It compares the fastest tenth of their times, which other load
// affects least.
func race(b *testing.B, first, second func()) (ratio float64) {
	var took [2][]time.Duration
	for i := 0; b.Loop(); i++ {
		for turn := range 2 {
			which := (turn + i) % 2
			start := time.Now()
			[]func(){first, second}[which]()
			took[which] = append(took[which], time.Since(start))
		}
	}
	tenth := func(all []time.Duration) float64 {
		slices.Sort(all)
		return all[len(all)/10].Seconds()
	}
	return tenth(took[1]) / tenth(took[0])
}

// BenchmarkRecords streams real data with and without check records, in turn, and
// reports their cost in percent: of writing, of reading, and of both. It uses one
// worker, the default options, and memory as source and sink; the reader treats its
// source as a pipe.
func BenchmarkRecords(b *testing.B) {
	for _, m := range measurements {
		data := b2test.Real(b, m.name)
		var frames [2]bytes.Buffer
		write := func(on int) {
			frames[on].Reset()
			w, err := stream.NewWriter(&frames[on], stream.TypeSize(m.item), stream.Checks(on == 1), stream.Workers(1))
			must(b, err)
			_, err = w.Write(data)
			must(b, err)
			must(b, w.Close())
		}
		read := func(on int) {
			r, err := stream.NewReader(io.MultiReader(bytes.NewReader(frames[on].Bytes())), stream.Workers(1))
			must(b, err)
			_, err = io.Copy(io.Discard, r)
			must(b, err)
		}
		write(0)
		write(1)
		for _, what := range []struct {
			name string
			do   func(on int)
		}{{"write", write}, {"read", read}, {"both", func(on int) { write(on); read(on) }}} {
			b.Run(m.name+"/"+what.name, func(b *testing.B) {
				ratio := race(b, func() { what.do(0) }, func() { what.do(1) })
				b.ReportMetric(100*(ratio-1), "%-more-time")
			})
		}
	}
}

// BenchmarkVerify verifies and decompresses real data in turn, and reports how many
// times as fast verifying is. Both have the frame in memory and the same number of
// workers; decompressed data are written to io.Discard, which does not copy them.
func BenchmarkVerify(b *testing.B) {
	for _, m := range measurements {
		data := b2test.Real(b, m.name)
		var out bytes.Buffer
		w, err := stream.NewWriter(&out, stream.TypeSize(m.item))
		must(b, err)
		_, err = w.Write(data)
		must(b, err)
		must(b, w.Close())
		for _, workers := range []int{1, 2} {
			b.Run(m.name+"/"+[]string{1: "one worker", 2: "two workers"}[workers], func(b *testing.B) {
				ratio := race(b, func() {
					rep, err := frame.Verify(bytes.NewReader(out.Bytes()), int64(out.Len()), frame.Workers(workers))
					if err != nil || !rep.Sound() {
						b.Fatal(rep, err)
					}
				}, func() {
					r, err := stream.NewReader(bytes.NewReader(out.Bytes()), stream.Workers(workers))
					must(b, err)
					_, err = io.Copy(io.Discard, r)
					must(b, err)
				})
				b.ReportMetric(ratio, "×decompress")
			})
		}
	}
}
