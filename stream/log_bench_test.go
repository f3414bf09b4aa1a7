package stream_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// benchFolder returns the folder of these benchmarks' files: TMPDIR, which may be
// in memory or on a disk.
func benchFolder(b *testing.B) string { return b.TempDir() }

// BenchmarkLogFlush measures a Flush of 160 bytes, by how full the chunk of 1 MiB
// is.
func BenchmarkLogFlush(b *testing.B) {
	for _, fill := range []int{0, 100 << 10, 500 << 10, 900 << 10} {
		b.Run(fmt.Sprintf("fill=%dKiB", fill>>10), func(b *testing.B) {
			data := newLogger().append(nil, (fill+1<<16)/16+10)
			path := filepath.Join(benchFolder(b), "log")
			var took []time.Duration
			var w *stream.FileWriter
			at := 0
			for i := 0; b.Loop(); i++ {
				if i%400 == 0 { // each file begins near the intended fill
					if w != nil {
						must(b, w.Close())
					}
					var err error
					w, err = stream.CreateFile(path, stream.ChunkSize(1<<20), stream.TypeSize(16))
					must(b, err)
					if _, err = w.Write(data[:fill]); fill > 0 {
						must(b, errors.Join(err, w.Flush()))
					}
					at = fill
				}
				start := time.Now()
				_, err := w.Write(data[at : at+160])
				must(b, errors.Join(err, w.Flush()))
				took = append(took, time.Since(start))
				at += 160
			}
			must(b, w.Close())
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

// BenchmarkLogRestart measures restart, one Flush and Close of a log of 10 GB of
// repeated bytes after its writer was killed.
func BenchmarkLogRestart(b *testing.B) {
	path := filepath.Join(benchFolder(b), "log")
	w, err := stream.CreateFile(path, stream.ChunkSize(1<<20))
	must(b, err)
	block := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for i := range 10_000 {
		_, err := w.Write(block)
		must(b, err)
		if i == 9000 {
			must(b, w.Checkpoint())
		}
	}
	_, err = w.Write(block[:1000])
	must(b, errors.Join(err, w.Flush()))
	killed, err := os.ReadFile(path) // copied before the writer rolls anything back
	must(b, err)
	w.Abort(nil)
	var open, closed time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		must(b, os.WriteFile(path, killed, 0o666))
		b.StartTimer()
		start := time.Now()
		w, err := stream.AppendFile(path)
		must(b, err)
		open += time.Since(start)
		_, err = w.Write(block[:160])
		must(b, errors.Join(err, w.Flush()))
		start = time.Now()
		must(b, w.Close())
		closed += time.Since(start)
		n++
	}
	f, err := frame.OpenFile(path)
	must(b, err)
	defer f.Close()
	if want := int64(10_000)<<20 + 1160; f.Size() != want {
		b.Fatalf("%d bytes, not %d", f.Size(), want)
	}
	b.ReportMetric(float64(open.Microseconds())/float64(n)/1000, "open-ms")
	b.ReportMetric(float64(closed.Microseconds())/float64(n)/1000, "close-ms")
	b.ReportMetric(float64(len(killed)>>20), "file-MiB")
}
