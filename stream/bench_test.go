package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/stream"
)

// BenchmarkWrite compresses 64 MiB in chunks of 1 MiB: in one Write, in Writes
// of 64 KiB, and through ReadFrom.
func BenchmarkWrite(b *testing.B) {
	data := benchData(b)
	for _, workers := range []int{1, 2} {
		for name, write := range map[string]func(w *stream.Writer) error{
			"whole": func(w *stream.Writer) error { _, err := w.Write(data); return err },
			"64KiB": func(w *stream.Writer) (err error) {
				for p := data; err == nil && len(p) > 0; p = p[64<<10:] {
					_, err = w.Write(p[:64<<10])
				}
				return err
			},
			"ReadFrom": func(w *stream.Writer) error { _, err := w.ReadFrom(bytes.NewReader(data)); return err },
		} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				w := newWriter(b, io.Discard, stream.TypeSize(4), stream.Workers(workers))
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					must(b, w.Reset(onlyWriter{io.Discard}))
					must(b, write(w))
					must(b, w.Close())
				}
			})
		}
	}
}

// BenchmarkRead decompresses 64 MiB in chunks of 1 MiB: into one large buffer, and
// through WriteTo.
func BenchmarkRead(b *testing.B) {
	data := benchData(b)
	packed := compress(b, data, stream.TypeSize(4))
	for _, workers := range []int{1, 2} {
		for name, read := range map[string]func(r *stream.Reader) error{
			"ReadFull": func(r *stream.Reader) error { _, err := io.ReadFull(r, data); return err },
			"WriteTo":  func(r *stream.Reader) error { _, err := r.WriteTo(io.Discard); return err },
		} {
			for source, of := range map[string]func() io.Reader{
				"file": func() io.Reader { return bytes.NewReader(packed) },
				"pipe": func() io.Reader { return io.MultiReader(bytes.NewReader(packed)) },
			} {
				b.Run(fmt.Sprintf("%s/%s/workers=%d", name, source, workers), func(b *testing.B) {
					r, err := stream.NewReader(of(), stream.Workers(workers))
					must(b, err)
					b.SetBytes(int64(len(data)))
					for b.Loop() {
						must(b, r.Reset(of()))
						must(b, read(r))
					}
					must(b, r.Close())
				})
			}
		}
	}
}

// BenchmarkLargeChunk compresses one chunk of 64 MiB; the workers share its blocks.
func BenchmarkLargeChunk(b *testing.B) {
	data := benchData(b)
	packed := compress(b, data, stream.TypeSize(4), stream.ChunkSize(len(data)))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("write/workers=%d", workers), func(b *testing.B) {
			w := newWriter(b, io.Discard, stream.TypeSize(4), stream.ChunkSize(len(data)), stream.Workers(workers))
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

// BenchmarkOneChunk compresses and decompresses streams of a single chunk. The workers
// share its blocks if it has at least shareMin bytes.
func BenchmarkOneChunk(b *testing.B) {
	all := benchData(b)
	for _, size := range []int{128 << 10, 256 << 10, 1 << 20} {
		data := all[:size]
		packed := compress(b, data, stream.TypeSize(4), stream.BlockSize(32<<10))
		b.Run(fmt.Sprintf("write/%dK", size>>10), func(b *testing.B) {
			w := newWriter(b, io.Discard, stream.TypeSize(4), stream.BlockSize(32<<10), stream.Workers(2))
			b.SetBytes(int64(size))
			for b.Loop() {
				must(b, w.Reset(onlyWriter{io.Discard}))
				_, err := w.Write(data)
				must(b, err)
				must(b, w.Close())
			}
		})
		b.Run(fmt.Sprintf("read/%dK", size>>10), func(b *testing.B) {
			r, err := stream.NewReader(bytes.NewReader(packed), stream.Workers(2))
			must(b, err)
			b.SetBytes(int64(size))
			for b.Loop() {
				must(b, r.Reset(bytes.NewReader(packed)))
				_, err := r.WriteTo(io.Discard)
				must(b, err)
			}
		})
	}
}

// BenchmarkOverhead measures the cost of a chunk besides the codec: chunks of 4 KiB
// that are stored uncompressed, with and without a stream.
func BenchmarkOverhead(b *testing.B) {
	const size, chunks = 4 << 10, 1000
	data := noise(size * chunks)
	enc, err := chunk.NewEncoder(chunk.Params{Level: 0, TypeSize: 8})
	must(b, err)
	var dec chunk.Decoder
	var out, back []byte
	b.Run("chunk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for i := range chunks {
				out, _ = enc.Encode(out[:0], data[i*size:(i+1)*size])
			}
		}
		perChunk(b, chunks)
	})
	b.Run("dechunk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for range chunks {
				back, _ = dec.Decode(back[:0], out)
			}
		}
		perChunk(b, chunks)
	})
	packed := flushed(b, data, size, stream.Level(0))
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("write/workers=%d", workers), func(b *testing.B) {
			w := newWriter(b, onlyWriter{io.Discard}, stream.Level(0), stream.ChunkSize(size), stream.Workers(workers))
			_, err := w.Write(data)
			must(b, err)
			b.ReportAllocs()
			for b.Loop() {
				_, err := w.Write(data)
				must(b, err)
			}
			perChunk(b, chunks)
			must(b, w.Close())
		})
		b.Run(fmt.Sprintf("read/workers=%d", workers), func(b *testing.B) {
			r, err := stream.NewReader(bytes.NewReader(packed), stream.Workers(workers))
			must(b, err)
			b.ReportAllocs()
			for b.Loop() {
				must(b, r.Reset(io.MultiReader(bytes.NewReader(packed))))
				_, err := r.WriteTo(io.Discard)
				must(b, err)
			}
			perChunk(b, chunks)
		})
	}
}

func perChunk(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/chunk")
}
