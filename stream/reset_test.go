package stream_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Reader can be used again after streams of all kinds, whether they were read to the
// end or not: small, large, unsealed, of several frames, damaged, from memory and from
// other sources.
func TestReaderResetMixed(t *testing.T) {
	type input struct {
		b    []byte
		data []byte // nil if the frame is damaged
	}
	var inputs []input
	for _, n := range []int{0, 100, 5_000, 300_000, 1_500_000} {
		data := noise(n)
		b := compress(t, data, stream.ChunkSize(100_000))
		inputs = append(inputs, input{b, append([]byte{}, data...)})
		inputs = append(inputs, input{append(bytes.Clone(b), b...), append(bytes.Clone(data), data...)})
		inputs = append(inputs, input{append(compress(t, data[:n/2]), b...), append(bytes.Clone(data[:n/2]), data...)})
		inputs = append(inputs, input{flushed(t, data, 50_000), append([]byte{}, data...)})
		inputs = append(inputs, input{b[:len(b)-1], nil})
	}
	for _, workers := range []int{1, 2} {
		r, err := stream.NewReader(bytes.NewReader(nil), stream.Workers(workers))
		must(t, err)
		rng := rand.New(rand.NewPCG(1, uint64(workers)))
		for range b2test.Fewer(400) {
			in := inputs[rng.IntN(len(inputs))]
			var src io.Reader = bytes.NewReader(in.b)
			switch rng.IntN(3) {
			case 1:
				src = onlyReader{src}
			case 2:
				src = bytes.NewBuffer(bytes.Clone(in.b))
			}
			must(t, r.Reset(src))
			if rng.IntN(4) == 0 { // do not read to the end
				io.CopyN(io.Discard, r, int64(rng.IntN(len(in.data)+1)))
				if rng.IntN(2) == 0 {
					r.Close()
				}
				continue
			}
			got, err := io.ReadAll(r)
			if in.data == nil {
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Fatalf("%d workers, cut: %v", workers, err)
				}
			} else if err != nil || !bytes.Equal(got, in.data) {
				t.Fatalf("%d workers: %d bytes of %d: %v", workers, len(got), len(in.data), err)
			}
		}
		must(t, r.Close())
	}
}

// Close and the end of the context wake a Reader that waits for its first header, or for
// a frame after a small one, if it may start a goroutine. The Reader can be used again
// while that goroutine still waits for the source.
func TestReaderWakes(t *testing.T) {
	small := compress(t, numbers(1000))
	cause := errors.New("enough")
	for _, before := range [][]byte{nil, small[:20], small} {
		for _, byContext := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(t.Context())
			pr, pw := io.Pipe()
			r, err := stream.NewReader(pr, stream.Workers(2), stream.Context(ctx))
			must(t, err)
			ended := make(chan error)
			go func() {
				_, err := io.Copy(io.Discard, r)
				ended <- err
			}()
			pw.Write(before)
			want := blosc2.ErrClosed
			if byContext {
				want = cause
				cancel(cause)
			} else {
				must(t, r.Close())
			}
			if err := <-ended; err != want {
				t.Errorf("after %d bytes: %v, want %v", len(before), err, want)
			}
			if !byContext {
				must(t, r.Reset(bytes.NewReader(small)))
				if got, err := io.ReadAll(r); err != nil || len(got) != 1000 {
					t.Errorf("used again: %d bytes, %v", len(got), err)
				}
			}
			pw.Close()
			pr.Close()
			r.Close()
			cancel(nil)
		}
	}
}
