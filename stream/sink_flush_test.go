package stream_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

type flusherPlain struct{ *flusher }

func (f flusherPlain) Flush() { f.flushed++ }

type flusherError struct{ *flusher }

func (f flusherError) Flush() error { f.flushed++; return f.err }

type flusherBoth struct{ *flusher }

func (f flusherBoth) Flush()            { panic("the method without an error was called") }
func (f flusherBoth) FlushError() error { f.flushed++; return f.err }

// A wrapper hides the Flush of the writer that it wraps, as middleware does.
type wrapper struct {
	io.Writer
	inner responseWriter
}

type responseWriter interface {
	io.Writer
	WriteHeader(int)
}

func (wrapper) WriteHeader(int)          {}
func (w wrapper) Unwrap() responseWriter { return w.inner }

type response struct{ flusherBoth }

func (response) WriteHeader(int) {}

// Flush and Checkpoint flush the sink, with whichever method it has; Write and
// Close do not.
func TestFlushOfSink(t *testing.T) {
	boom := errors.New("boom")
	for name, wrap := range map[string]func(*flusher) io.Writer{
		"Flush":            func(f *flusher) io.Writer { return flusherPlain{f} },
		"Flush with error": func(f *flusher) io.Writer { return flusherError{f} },
		"FlushError":       func(f *flusher) io.Writer { return flusherBoth{f} },
		"Unwrap": func(f *flusher) io.Writer {
			return wrapper{f, wrapper{f, response{flusherBoth{f}}}}
		},
	} {
		var out bytes.Buffer
		f := &flusher{Writer: &out}
		w := newWriter(t, wrap(f), stream.ChunkSize(1000))
		_, err := w.Write(numbers(3500))
		must(t, err)
		if f.flushed != 0 {
			t.Errorf("%s: flushed by Write", name)
		}
		must(t, w.Flush())
		if f.flushed != 1 || len(arrived(t, out.Bytes())) != 3500 {
			t.Errorf("%s: %d times flushed, %d bytes have arrived", name, f.flushed, out.Len())
		}
		must(t, w.Checkpoint())
		n := f.flushed
		if n < 2 {
			t.Errorf("%s: not flushed by Checkpoint", name)
		}
		f.err = errors.ErrUnsupported // a sink that returns ErrUnsupported is treated like one without the method
		must(t, w.Flush())
		f.err = boom
		if err := w.Flush(); name != "Flush" && err != boom {
			t.Errorf("%s: error %v", name, err)
		}
		f.err, n = nil, f.flushed
		w.Close()
		if f.flushed != n {
			t.Errorf("%s: flushed by Close", name)
		}
	}
	for _, sink := range []io.Writer{wrapper{Writer: io.Discard}, onlyWriter{io.Discard}} {
		w := newWriter(t, sink)
		must(t, w.Flush())
		must(t, w.Close())
	}
}

// Flush also flushes a bufio.Writer that writes to a file.
func TestFlushOfBufio(t *testing.T) {
	f := tempFile(t)
	b := bufio.NewWriterSize(f, 1<<20)
	w := newWriter(t, b)
	data := numbers(5000)
	for at := 0; at < len(data); at += 500 {
		_, err := w.Write(data[at : at+500])
		must(t, err)
		must(t, w.Flush())
		raw, err := os.ReadFile(f.Name())
		must(t, err)
		if got := arrived(t, raw); !bytes.Equal(got, data[:at+500]) {
			t.Fatalf("%d bytes of %d", len(got), at+500)
		}
	}
	must(t, w.Close())
	if b.Buffered() == 0 {
		t.Error("Close has flushed the buffer, which is its owner's")
	}
	must(t, b.Flush())
	raw, err := os.ReadFile(f.Name())
	must(t, err)
	check(t, "bufio", raw, data)
}
