package frame_test

import (
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2/frame"
)

var errTooFar = errors.New("asked for bytes that have not arrived")

// An arrived is a source of which only a part has arrived.
type arrived struct {
	b   []byte
	pos int
	end int
}

func (a *arrived) Read(p []byte) (int, error) {
	if a.pos == a.end {
		return 0, errTooFar
	}
	n := copy(p, a.b[a.pos:a.end])
	a.pos += n
	return n, nil
}

// A chunk that has arrived with its record is returned before anything after it is read,
// and so is the header. At the end of a frame, nothing after it needs to be read to know
// that its chunks are complete.
func TestNoLookAhead(t *testing.T) {
	sealed, unsealed, _, ends := small(t)
	for what, b := range map[string][]byte{"sealed": sealed, "unsealed": unsealed} {
		src := &arrived{b: b}
		for _, wrap := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader, iotest.HalfReader} {
			*src = arrived{b: b}
			w := frame.NewWalker(wrap(src))
			for n, end := range ends {
				src.end = end
				it, err := w.Next(nil)
				if err != nil {
					t.Fatalf("%s: item %d with %d bytes there: %v", what, n, end, err)
				}
				if err := it.Verify(); err != nil {
					t.Error(err)
				}
			}
			src.end = len(b)
			if _, err := w.Next(nil); !errors.Is(err, errTooFar) || w.Pos() != int64(len(b)) {
				t.Errorf("%s: at the end: %v after %d of %d bytes", what, err, w.Pos(), len(b))
			}
			*src = arrived{b: b, end: len(b)}
			w = frame.NewWalker(wrap(src), frame.SingleFrame())
			for range ends {
				if _, err := w.Next(nil); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := w.Next(nil); err != io.EOF {
				t.Errorf("%s: single: %v", what, err)
			}
		}
	}
}
