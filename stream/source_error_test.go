package stream_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// A failingSource returns data and then an error; it has no method other than Read.
func failingSource(data []byte) io.Reader {
	return struct{ io.Reader }{io.MultiReader(bytes.NewReader(data), iotest.ErrReader(errBoom))}
}

// unfinished checks that b is an unfinished frame of want.
func unfinished(t testing.TB, what string, b, want []byte) {
	t.Helper()
	for name, src := range map[string]io.Reader{"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b))} {
		got, err := readAll(t, src)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.Equal(got, want) {
			t.Errorf("%s, %s: %d bytes of %d, %v", what, name, len(got), len(want), err)
		}
	}
	if _, err := frame.Open(bytes.NewReader(b), int64(len(b))); err == nil {
		t.Errorf("%s: frame.Open treats it as a whole frame", what)
	}
}

// zstdSource returns a decoder, which has a WriteTo method, of a source that fails
// after data.
func zstdSource(t *testing.T, data []byte) io.Reader {
	t.Helper()
	var packed bytes.Buffer
	enc, err := zstd.NewWriter(&packed)
	must(t, err)
	_, err = enc.Write(data)
	must(t, errors.Join(err, enc.Flush(), enc.Close()))
	dec, err := zstd.NewReader(failingSource(packed.Bytes()[:packed.Len()-3]), zstd.WithDecoderConcurrency(1)) // the compressed data without their end
	must(t, err)
	t.Cleanup(dec.Close)
	if _, ok := any(dec).(io.WriterTo); !ok {
		t.Fatal("no WriteTo")
	}
	return dec
}

// CopyN copies the requested bytes, and does not read more.
func TestCopyN(t *testing.T) {
	data := numbers(5000)
	src := bytes.NewReader(data)
	var out bytes.Buffer
	w := newWriter(t, &out, stream.ChunkSize(1000))
	for _, n := range []int64{1, 0, 2499, -1} {
		if got, err := stream.CopyN(w, src, n); got != max(n, 0) || err != nil {
			t.Error(got, err)
		}
	}
	must(t, w.Close())
	got, err := readAll(t, &out)
	must(t, err)
	if !bytes.Equal(got, data[:2500]) || src.Len() != 2500 {
		t.Errorf("%d bytes, %d left", len(got), src.Len())
	}
}

// A failed copy to a connection does not end its frame, and the other side notices
// that the data are incomplete.
func TestFailedCopyToConn(t *testing.T) {
	data := numbers(100_000)
	for name, send := range map[string]func(*stream.Conn) error{
		"Copy":    func(c *stream.Conn) error { _, err := stream.Copy(c, failingSource(data)); return err },
		"io.Copy": func(c *stream.Conn) error { _, err := io.Copy(c, failingSource(data)); return err },
		"a Reader": func(c *stream.Conn) error {
			b := compress(t, data, stream.ChunkSize(1000))
			r, err := stream.NewReader(failingSource(b[:len(b)-3000]))
			must(t, err)
			_, err = io.Copy(c, r)
			return err
		},
		"Write": func(c *stream.Conn) error {
			_, err := c.Write(data)
			must(t, err)
			if err := c.CloseWithError(errBoom); err != errBoom {
				t.Error(err)
			}
			return errBoom
		},
	} {
		rawA, rawB := net.Pipe()
		a, err := stream.NewConn(rawA, stream.Buffered())
		must(t, err)
		b, err := stream.NewConn(rawB)
		must(t, err)
		done := make(chan error, 1)
		go func() {
			err := send(a)
			if e := a.CloseWrite(); name != "Write" && (e == nil || !errors.Is(e, err)) {
				t.Errorf("%s: CloseWrite after %v: %v", name, err, e)
			}
			a.Close()
			done <- err
		}()
		got, err := io.ReadAll(b)
		if !errors.Is(err, io.ErrUnexpectedEOF) || len(got) == 0 || !bytes.HasPrefix(data, got) || name != "a Reader" && len(got) != len(data) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(data), err)
		}
		if err := <-done; !errors.Is(err, errBoom) {
			t.Errorf("%s: %v", name, err)
		}
		b.Close()
	}
}

// A connection continues after the error of a source that was cleared.
func TestConnClearError(t *testing.T) {
	data := numbers(1000)
	w := new(wire)
	c, err := stream.NewConn(w)
	must(t, err)
	if _, err := c.ReadFrom(failingSource(data[:500])); err != errBoom {
		t.Error(err)
	}
	if _, err := c.Write(data[500:]); err != errBoom {
		t.Error(err)
	}
	if err := c.ClearError(); err != errBoom {
		t.Error(err)
	}
	_, err = stream.Copy(c, bytes.NewReader(data[500:]))
	must(t, err)
	must(t, c.Close())
	got, err := readAll(t, &w.Buffer)
	must(t, err)
	if !bytes.Equal(got, data) {
		t.Errorf("%d bytes of %d", len(got), len(data))
	}
}

// A failed copy leaves an unfinished frame of all data before the failure, with only a
// deferred Close, for all sinks and all methods that io.Copy uses.
func TestFailedCopy(t *testing.T) {
	data := numbers(123_456)
	inner := compress(t, data, stream.ChunkSize(1000))
	inner = inner[:len(inner)/2]
	half, err := readAll(t, bytes.NewReader(inner))
	if err == nil || len(half) == 0 {
		t.Fatal(len(half), err)
	}
	copies := map[string]struct {
		want []byte
		do   func(*stream.Writer) error
	}{
		"io.Copy": {data, func(w *stream.Writer) error { _, err := io.Copy(w, failingSource(data)); return err }},
		"a bufio.Reader": {data, func(w *stream.Writer) error {
			_, err := io.Copy(w, bufio.NewReader(failingSource(data)))
			return err
		}},
		"a Reader of a damaged frame": {half, func(w *stream.Writer) error {
			r, err := stream.NewReader(bytes.NewReader(inner))
			must(t, err)
			_, err = io.Copy(w, r)
			return err
		}},
		"Copy from a source with WriteTo": {data, func(w *stream.Writer) error {
			_, err := stream.Copy(w, zstdSource(t, data))
			return err
		}},
		"CopyN": {data, func(w *stream.Writer) error {
			n, err := stream.CopyN(w, zstdSource(t, data), int64(len(data))+10)
			if n != int64(len(data)) {
				t.Errorf("%d bytes of %d", n, len(data))
			}
			return err
		}},
		"CopyN of a source that ends": {data, func(w *stream.Writer) error {
			n, err := stream.CopyN(w, bytes.NewReader(data), int64(len(data))+10)
			if n != int64(len(data)) || err != io.ErrUnexpectedEOF {
				t.Errorf("%d bytes of %d, %v", n, len(data), err)
			}
			return err
		}},
		"CloseWithError": {data, func(w *stream.Writer) error {
			_, err := w.Write(data)
			must(t, err)
			return w.CloseWithError(errBoom)
		}},
	}
	for how, c := range copies {
		for _, sink := range []string{"file", "buffer", "pipe"} {
			for _, workers := range []int{1, 2} {
				f := tempFile(t)
				var buf bytes.Buffer
				out := map[string]io.Writer{"file": f, "buffer": &buf, "pipe": onlyWriter{&buf}}[sink]
				w := newWriter(t, out, stream.ChunkSize(1000), stream.Workers(workers))
				err := func() error {
					defer w.Close()
					return c.do(w)
				}()
				if err == nil {
					t.Fatalf("%s: no error", how)
				}
				if e := w.Close(); e != err || w.Sealed() {
					t.Errorf("%s, %s: closed with %v, sealed %v", how, sink, e, w.Sealed())
				}
				if _, e := w.Write([]byte{1}); e != err {
					t.Errorf("%s, %s: written after %v: %v", how, sink, err, e)
				}
				b := buf.Bytes()
				if sink == "file" {
					b, err = os.ReadFile(f.Name())
					must(t, err)
				}
				unfinished(t, how+" to a "+sink, b, c.want)
			}
		}
	}
}

// With Spool nothing of an incomplete frame is written.
func TestFailedCopySpooled(t *testing.T) {
	for _, memory := range []int64{0, 1 << 20} {
		var buf bytes.Buffer
		w := newWriter(t, &buf, stream.Spool(memory))
		if _, err := io.Copy(w, failingSource(numbers(5000))); err != errBoom {
			t.Error(err)
		}
		if err := w.Close(); err != errBoom || buf.Len() > 0 {
			t.Errorf("%v, %d bytes", err, buf.Len())
		}
	}
}

// The error of a source is sticky until it is cleared; then the Writer continues.
func TestClearError(t *testing.T) {
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(1000))
	if err := w.ClearError(); err != nil {
		t.Error(err)
	}
	data := numbers(2500)
	if n, err := w.ReadFrom(failingSource(data[:1234])); n != 1234 || err != errBoom {
		t.Error(n, err)
	}
	for name, err := range map[string]error{"Flush": w.Flush(), "Checkpoint": w.Checkpoint(), "SetVLMeta": w.SetVLMeta("a", nil)} {
		if err != errBoom {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := w.ClearError(); err != errBoom {
		t.Error(err)
	}
	_, err := w.ReadFrom(bytes.NewReader(data[1234:]))
	must(t, err)
	must(t, w.CloseWithError(io.EOF))
	if err := w.ClearError(); err != nil || !w.Sealed() {
		t.Error(err, w.Sealed())
	}
	check(t, "cleared", buf.Bytes(), data)
}

// Close reports an error of the sink if it occurred before that of the source, but not if
// it occurred later.
func TestFailedCopyAndSink(t *testing.T) {
	w := newWriter(t, shortWriter{}, stream.ChunkSize(1000))
	if _, err := io.Copy(w, failingSource(numbers(100))); err != errBoom {
		t.Error(err)
	}
	if err := w.Close(); err != errBoom {
		t.Error(err)
	}
	w = newWriter(t, shortWriter{}, stream.ChunkSize(1000))
	if err := w.Flush(); err != io.ErrShortWrite {
		t.Error(err)
	}
	if err := w.CloseWithError(errBoom); err != io.ErrShortWrite {
		t.Error(err)
	}
}

// Committed data are not changed when a copy fails afterwards, and every way to end
// a FileWriter closes and unlocks its file.
func TestFailedCopyCommitted(t *testing.T) {
	data, more := numbers(2500), noise(4000)
	for name, end := range map[string]func(*stream.FileWriter) error{
		"Close":          (*stream.FileWriter).Close,
		"CloseWithError": func(w *stream.FileWriter) error { return w.CloseWithError(errBoom) },
		"Abort":          func(w *stream.FileWriter) error { return w.Abort(errBoom) },
	} {
		path := filepath.Join(t.TempDir(), "a")
		was := compress(t, data, stream.ChunkSize(1000))
		must(t, os.WriteFile(path, was, 0o666))
		w, err := stream.AppendFile(path)
		must(t, err)
		if _, err := io.Copy(w, failingSource(more)); err != errBoom {
			t.Error(err)
		}
		if err := end(w); err != errBoom {
			t.Errorf("%s: %v", name, err)
		}
		if err := end(w); err != errBoom {
			t.Errorf("%s again: %v", name, err)
		}
		b, err := os.ReadFile(path)
		must(t, err)
		check(t, name, b, data)
		again, err := stream.AppendFile(path)
		must(t, err)
		_, err = again.Write(more)
		must(t, err)
		must(t, again.Close())
		b, err = os.ReadFile(path)
		must(t, err)
		check(t, name+", appended", b, append(bytes.Clone(data), more...))
	}

	f := tempFile(t)
	w := newWriter(t, f, stream.ChunkSize(1000))
	_, err := w.Write(data)
	must(t, err)
	must(t, w.Checkpoint())
	_, err = w.Write(more)
	must(t, err)
	if err := w.CloseWithError(errBoom); err != errBoom {
		t.Error(err)
	}
	b, err := os.ReadFile(f.Name())
	must(t, err)
	check(t, "after a Checkpoint", b, data)
}

// Abort after Close does nothing, so it can be deferred.
func TestDeferredAbort(t *testing.T) {
	var buf bytes.Buffer
	w := newWriter(t, &buf)
	_, err := w.Write([]byte("all"))
	must(t, err)
	must(t, w.Close())
	must(t, w.Abort(nil))
	check(t, "closed", buf.Bytes(), []byte("all"))
	must(t, w.Reset(&buf))
	if err := w.Abort(nil); err != blosc2.ErrClosed {
		t.Error(err)
	}
	if err := w.Close(); err != blosc2.ErrClosed {
		t.Error(err)
	}
}

// A context applies to one stream: after Reset there is none, and after ResetContext the
// given one.
func TestResetContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.Context(ctx), stream.Workers(2))
	r, err := stream.NewReader(&buf, stream.Context(ctx), stream.Workers(2))
	must(t, err)
	cancel(errBoom)
	if _, err := w.Write([]byte{1}); err != errBoom {
		t.Errorf("write: %v", err)
	}
	if _, err := r.Read(make([]byte, 1)); err != errBoom {
		t.Errorf("read: %v", err)
	}
	data := numbers(3000)
	for range 2 {
		must(t, w.Reset(&buf))
		_, err = w.Write(data)
		must(t, err)
		must(t, w.Close())
		must(t, r.Reset(&buf))
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		must(t, w.ResetContext(ctx, &buf))
		if err := w.Close(); err != errBoom {
			t.Errorf("write again: %v", err)
		}
		must(t, r.ResetContext(ctx, bytes.NewReader(nil)))
		if _, err := r.Read(make([]byte, 1)); err != errBoom {
			t.Errorf("read again: %v", err)
		}
		buf.Reset()
	}
}
