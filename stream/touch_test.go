package stream

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
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

// The bytes that Append puts into the first chunk stay as they are.
func TestTouchAfterAppend(t *testing.T) {
	twoProcs(t)
	const before = 600_000
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, before+8<<20)
	for i := range data {
		data[i] = byte(1 + r.IntN(9))
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "a.b2frame"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := NewWriter(f, Auto(tune.Balanced), ItemSize(8))
	for _, part := range [][]byte{data[:before], data[before:]} {
		if err == nil {
			_, err = w.ReadFrom(bytes.NewReader(part))
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		size, _ := f.Seek(0, io.SeekEnd)
		w, err = Append(f, size, Auto(tune.Balanced), ItemSize(8))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Decompress(nil, b); err != nil || !bytes.Equal(got, data) {
		t.Error("other data", err)
	}
}

// A panicker is a filter that panics.
type panicker struct{}

const panickerID blosc2.FilterID = 251

func (panicker) ID() blosc2.FilterID                          { return panickerID }
func (panicker) Name() string                                 { return "panicker" }
func (panicker) Lossy() bool                                  { return false }
func (panicker) Check(filters.Params) error                   { return nil }
func (panicker) Forward(_, _ []byte, _ filters.Params) error  { panic("forward") }
func (panicker) Backward(_, _ []byte, _ filters.Params) error { panic("backward") }

func init() {
	if err := filters.Register(panicker{}); err != nil {
		panic(err)
	}
}

// A panic in a search leaves no goroutine that touches memory.
func TestTouchAfterPanic(t *testing.T) {
	twoProcs(t)
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]byte, 2*mostTouched)
	for i := range data {
		data[i] = byte(r.IntN(9))
	}
	for range 5 { // it may end before the panic arrives
		w, err := NewWriter(io.Discard, Auto(tune.Balanced), Filters(filters.Pipeline{IDs: [filters.Slots]blosc2.FilterID{panickerID}}), ChunkSize(mostTouched))
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			w.ReadFrom(bytes.NewReader(data))
		}()
		stacks := make([]byte, 1<<20)
		if bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte(".touch.")) {
			t.Error("a goroutine is left")
		}
		if err := w.Close(); err == nil {
			t.Error("closed")
		}
	}
}
