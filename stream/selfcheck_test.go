package stream_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/stream"
)

// A faulty is a codec that occasionally encodes other data than it is given.
type faulty struct {
	codecs.Codec
	calls int
}

const faultyID = 201

func (*faulty) ID() blosc2.CodecID { return faultyID }
func (*faulty) Name() string       { return "faulty" }

func (c *faulty) Encode(dst, src []byte, p codecs.Params) (int, error) {
	if c.calls++; c.calls > 3 {
		src = bytes.Clone(src)
		src[len(src)/2] ^= 1
	}
	return c.Codec.Encode(dst, src, p)
}

func init() {
	err := codecs.Register(faultyID, "faulty", func() codecs.Codec {
		c, err := codecs.New(blosc2.CodecLZ4)
		if err != nil {
			panic(err)
		}
		return &faulty{Codec: c}
	})
	if err != nil {
		panic(err)
	}
}

// Faulty chunks are not written, with any number of workers; valid ones are the
// same with and without SelfCheck.
func TestSelfCheck(t *testing.T) {
	data := bytes.Repeat([]byte("self-check of what is written "), 100_000)
	write := func(options ...stream.WriterOption) ([]byte, error) {
		var out bytes.Buffer
		w, err := stream.NewWriter(&out, options...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write(data)
		return out.Bytes(), errors.Join(err, w.Close())
	}
	for _, workers := range []int{1, 2} {
		options := []stream.WriterOption{stream.Codec(faultyID), stream.Workers(workers), stream.ChunkSize(200_000)}
		if _, err := write(options...); err != nil {
			t.Errorf("%d workers: without SelfCheck: %v", workers, err)
		}
		out, err := write(append(options, stream.SelfCheck(true))...)
		if !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%d workers: %v, want corrupt data", workers, err)
		}
		r, err := stream.NewReader(bytes.NewReader(out))
		if err != nil {
			continue // nothing was written, not even the header
		}
		if back, _ := io.ReadAll(r); !bytes.HasPrefix(data, back) {
			t.Errorf("%d workers: wrong data were written", workers)
		}
		r.Close()
	}
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZstd, blosc2.CodecZlib} {
		want, err := write(stream.Codec(id))
		got, checkedErr := write(stream.Codec(id), stream.SelfCheck(true))
		if err != nil || checkedErr != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %v, %v; %d bytes, without SelfCheck %d", id, err, checkedErr, len(got), len(want))
		}
	}
}

// BenchmarkSelfCheck compares writing with and without SelfCheck.
func BenchmarkSelfCheck(b *testing.B) {
	data := make([]byte, 16<<20)
	for i := range len(data) / 8 {
		data[8*i], data[8*i+1], data[8*i+2] = byte(i*i>>9), byte(i>>8), byte(i>>16)
	}
	for _, id := range []blosc2.CodecID{blosc2.CodecLZ4, blosc2.CodecZstd, blosc2.CodecZlib} {
		for name, on := range map[string]bool{"off": false, "on": true} {
			b.Run(id.String()+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				for b.Loop() {
					w, err := stream.NewWriter(io.Discard, stream.Codec(id), stream.Workers(1), stream.SelfCheck(on))
					if err != nil {
						b.Fatal(err)
					}
					if _, err := w.Write(data); err != nil {
						b.Fatal(err)
					}
					if err := w.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
