package stream_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

// Data that are held in many parts produce the same frame as in a file, if they are below
// the limit, and Reset reuses the memory.
func TestHeldParts(t *testing.T) {
	procs(t, 2)
	data := append(noise(1<<20), numbers(3<<20)...)
	w := newWriter(t, io.Discard, stream.ChunkSize(200<<10), stream.Workers(2))
	for _, n := range []int{len(data), 1000, 300 << 10, 0, 2 << 20, len(data)} {
		var buf bytes.Buffer
		must(t, w.Reset(onlyWriter{&buf}))
		_, err := w.Write(data[:n])
		must(t, err)
		must(t, w.Close())
		if !w.Sealed() {
			t.Fatalf("%d bytes: not sealed", n)
		}
		want := compress(t, data[:n], stream.ChunkSize(200<<10), stream.Workers(1))
		if !bytes.Equal(buf.Bytes(), want) {
			t.Fatalf("%d bytes: other bytes", n)
		}
	}
}

// If a sink fails while the held bytes are written, the first error is returned,
// and nothing more is written.
func TestHeldFails(t *testing.T) {
	data := noise(2 << 20)
	boom := errors.New("boom")
	for after := range 12 {
		n := 0
		w := newWriter(t, writerFunc(func(p []byte) (int, error) {
			if n++; n > after {
				return 0, boom
			}
			return len(p), nil
		}), stream.ChunkSize(256<<10), stream.Workers(2))
		_, err := w.Write(data)
		must(t, err)
		err = w.Close()
		if n <= after && err != nil || n > after && (!errors.Is(err, boom) || n != after+1) {
			t.Fatalf("after %d writes: %v, %d writes", after, err, n)
		}
	}
}

// A Grow method is called only on types for which it is known to reserve space.
func TestHeldGrow(t *testing.T) {
	data := noise(1 << 20)
	want := compress(t, data)
	var file longer
	var text strings.Builder
	var buf bytes.Buffer
	for _, sink := range []io.Writer{&file, &text, &buf} {
		w := newWriter(t, sink)
		_, err := w.Write(data)
		must(t, err)
		must(t, w.Close())
	}
	if !bytes.Equal(file, want) || text.String() != string(want) || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("%d, %d and %d bytes, or other ones; want %d", len(file), text.Len(), buf.Len(), len(want))
	}
	if buf.Cap() > len(want)+len(want)/8 {
		t.Errorf("room for %d bytes was made where %d were held", buf.Cap(), len(want))
	}
}

// A longer is a file with a Grow method that extends it.
type longer []byte

func (l *longer) Write(p []byte) (int, error) { *l = append(*l, p...); return len(p), nil }
func (l *longer) Grow(n int)                  { *l = append(*l, make([]byte, n)...) }
