package stream

import (
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/tune"
)

// Memory is touched for a first chunk, but not for a long one, one of Archive, or one that goes
// to the caller's memory.
func TestTouch(t *testing.T) {
	twoProcs(t)
	for _, c := range []struct {
		name string
		sink io.Writer
		opts []WriterOption
		want bool
	}{
		{"usual", io.Discard, []WriterOption{Auto(tune.Balanced)}, true},
		{"long", io.Discard, []WriterOption{Auto(tune.Balanced), ChunkSize(2 * mostTouched)}, false},
		{"archive", io.Discard, []WriterOption{Auto(tune.Archive)}, false},
		{"one worker", io.Discard, []WriterOption{Auto(tune.Balanced), Workers(1)}, false},
		{"in place", &memSink{buf: make([]byte, 0, 16<<20)}, []WriterOption{Auto(tune.Balanced)}, false},
		{"no place", &memSink{}, []WriterOption{Auto(tune.Balanced)}, true},
	} {
		w, err := NewWriter(io.Discard, c.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := c.sink.(*memSink); ok {
			w.sink = s
		}
		if err := w.take(); err != nil {
			t.Fatal(err)
		}
		w.touch(0)()
		if got := cap(w.cur.Value.out) >= roomFor(w.cfg.chunkSize); got != c.want {
			t.Errorf("%s: touched %t, want %t", c.name, got, c.want)
		}
		w.Abort(nil)
	}
}
