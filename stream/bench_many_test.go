package stream_test

import (
	"io"
	"sync"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// BenchmarkManyWriters compresses 512 streams at a time, of 8 chunks of 1 MiB,
// alternately with default Writers and with Writers of one worker each. It reports the
// processor time of both (user and system), and their ratio: workers that wait must not
// cost what the others need.
func BenchmarkManyWriters(b *testing.B) {
	const writers, rounds = 512, 2
	data := benchData(b)[:4<<20]
	run := func(writers int, opts ...stream.WriterOption) float64 {
		opts = append(opts, stream.TypeSize(4))
		before := b2test.CPUTime()
		var wg sync.WaitGroup
		for range writers {
			wg.Go(func() {
				w, err := stream.NewWriter(onlyWriter{io.Discard}, opts...)
				if err != nil {
					b.Error(err)
					return
				}
				for range rounds {
					for p := data; len(p) > 0; p = p[256<<10:] {
						if _, err := w.Write(p[:256<<10]); err != nil {
							b.Error(err)
						}
					}
				}
				if err := w.Close(); err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
		return (b2test.CPUTime() - before).Seconds()
	}
	run(8)
	var many, one float64
	for b.Loop() {
		one += run(writers, stream.Workers(1))
		many += run(writers)
	}
	b.ReportMetric(1000*many/float64(b.N), "cpu-ms/default")
	b.ReportMetric(1000*one/float64(b.N), "cpu-ms/one-worker")
	b.ReportMetric(many/one, "ratio")
}
