package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// BenchmarkSmallWrite compresses a payload of 100 bytes with a Writer that is
// Reset: with the default number of workers and with one.
func BenchmarkSmallWrite(b *testing.B) {
	for _, workers := range []int{0, 1} {
		for name, plain := range map[string]bool{"Buffer": false, "Writer": true} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				var buf bytes.Buffer
				var dst io.Writer = &buf
				if plain {
					dst = onlyWriter{&buf}
				}
				w := newWriter(b, dst, stream.Workers(workers))
				must(b, w.Close())
				b.ReportAllocs()
				for b.Loop() {
					buf.Reset()
					must(b, w.Reset(dst))
					_, err := w.Write(record)
					must(b, err)
					must(b, w.Close())
				}
				b.ReportMetric(float64(buf.Len()), "B/frame")
			})
		}
	}
}

// BenchmarkSmallRead decompresses a payload of 100 bytes with a Reader that is
// Reset.
func BenchmarkSmallRead(b *testing.B) {
	packed := compress(b, record)
	got := make([]byte, 512)
	for _, workers := range []int{0, 1} {
		for name, plain := range map[string]bool{"bytes": false, "Reader": true} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				src := bytes.NewReader(packed)
				var from io.Reader = src
				if plain {
					from = onlyReader{src}
				}
				r, err := stream.NewReader(from, stream.Workers(workers))
				must(b, err)
				b.ReportAllocs()
				for b.Loop() {
					src.Reset(packed)
					must(b, r.Reset(from))
					n, err := io.ReadFull(r, got)
					if n != len(record) || err != io.ErrUnexpectedEOF {
						b.Fatal(n, err)
					}
				}
				must(b, r.Close())
			})
		}
	}
}

// BenchmarkShortStream compresses 2 MiB in two chunks, in which a second worker is useful
// only if it starts quickly.
func BenchmarkShortStream(b *testing.B) {
	data := benchData(b)[:2<<20]
	packed := compress(b, data, stream.TypeSize(4))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("write/workers=%d", workers), func(b *testing.B) {
			w := newWriter(b, io.Discard, stream.TypeSize(4), stream.Workers(workers))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				must(b, w.Reset(onlyWriter{io.Discard}))
				_, err := w.Write(data)
				must(b, err)
				must(b, w.Close())
			}
		})
		b.Run(fmt.Sprintf("read/workers=%d", workers), func(b *testing.B) {
			r, err := stream.NewReader(bytes.NewReader(packed), stream.Workers(workers))
			must(b, err)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				must(b, r.Reset(bytes.NewReader(packed)))
				_, err := r.WriteTo(io.Discard)
				must(b, err)
			}
		})
	}
}
