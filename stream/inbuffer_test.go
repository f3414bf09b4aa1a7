package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// Frames in memory are sealed, at any size, with and without Flush, and after
// existing bytes.
func TestInBuffer(t *testing.T) {
	for _, n := range []int{0, 1, 1000, b2test.Fewer(3 << 20), b2test.Fewer(9 << 20)} {
		for _, before := range []int{0, 777} {
			for _, flush := range []bool{false, true} {
				name := fmt.Sprintf("%d bytes after %d, flush %v", n, before, flush)
				data := noise(n)
				buf := bytes.NewBuffer(noise(before))
				w := newWriter(t, buf, stream.ChunkSize(300_000), stream.Metalayer("long", noise(5000)), stream.Workers(2))
				if flush {
					must(t, w.Flush())
				}
				_, err := w.Write(data[:n/2])
				must(t, err)
				if flush {
					must(t, w.Flush())
					must(t, w.Flush())
				}
				_, err = w.Write(data[n/2:])
				must(t, err)
				must(t, w.Close())
				b := buf.Bytes()
				if !bytes.Equal(b[:before], noise(before)) {
					t.Errorf("%s: what was there before has changed", name)
				}
				f, err := frame.Open(bytes.NewReader(b[before:]), int64(len(b)-before))
				must(t, err)
				if !w.Sealed() || f.Order() != frame.Sealed || f.FrameLen() != int64(len(b)-before) || w.Stats().Stored != f.FrameLen() {
					t.Errorf("%s: sealed %v, order %v, %d bytes of %d", name, w.Sealed(), f.Order(), f.FrameLen(), len(b)-before)
				}
				check(t, name, b[before:], data)
			}
		}
	}
}

// A frame in memory that can only be appended to is held back until Close or Flush.
func TestInBuilder(t *testing.T) {
	data := noise(9 << 20)
	w := newWriter(t, io.Discard)
	for _, flush := range []bool{false, true, false} {
		var out strings.Builder
		must(t, w.Reset(&out))
		_, err := w.Write(data)
		must(t, err)
		if flush {
			must(t, w.Flush())
		} else if out.Len() > 0 {
			t.Errorf("%d bytes before Close", out.Len())
		}
		must(t, w.Close())
		if w.Sealed() == flush {
			t.Errorf("flush %v: sealed %v", flush, w.Sealed())
		}
		check(t, "builder", []byte(out.String()), data)
	}
}

// A buffer that is read, truncated or written to during writing is not patched; the
// bytes read and the rest are an unsealed frame.
func TestInBufferInUse(t *testing.T) {
	data := numbers(60_000)
	for name, use := range map[string]func(*bytes.Buffer) (taken []byte){
		"read":        func(b *bytes.Buffer) []byte { return bytes.Clone(b.Next(100)) },
		"read all":    func(b *bytes.Buffer) []byte { return bytes.Clone(b.Next(b.Len())) },
		"same length": func(b *bytes.Buffer) []byte { p := bytes.Clone(b.Next(100)); b.Write(make([]byte, 100)); return p },
	} {
		var buf bytes.Buffer
		w := newWriter(t, &buf, stream.ChunkSize(1000))
		var taken []byte
		for at := 0; at < len(data); at += 20_000 {
			_, err := w.Write(data[at : at+20_000])
			must(t, err)
			must(t, w.Flush())
			if ok, err := framing.Rows(w).UpdateMetalayer("none", nil); ok || err == nil {
				t.Errorf("%s: metalayer updated", name)
			}
			taken = append(taken, use(&buf)...)
		}
		must(t, w.Close())
		if w.Sealed() {
			t.Errorf("%s: sealed", name)
		}
		if name != "same length" { // the buffer must hold the whole frame
			check(t, name, append(taken, buf.Bytes()...), data)
		}
	}
}

// Close overwrites nothing but the header, whatever was read from the buffer and written
// to it before.
func TestInBufferNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		buf := bytes.NewBuffer(noise(r.IntN(300)))
		w := newWriter(t, buf, stream.ChunkSize(100), stream.Workers(1))
		must(t, w.Flush())
		for range r.IntN(4) {
			_, err := w.Write(noise(r.IntN(500)))
			must(t, err)
			must(t, w.Flush())
			switch r.IntN(5) {
			case 0:
				buf.Next(r.IntN(400))
			case 1:
				buf.Write(noise(r.IntN(400)))
			case 2:
				buf.Truncate(r.IntN(buf.Len() + 1))
			case 3:
				n := r.IntN(min(buf.Len(), 300) + 1)
				buf.Next(n)
				buf.Write(make([]byte, n))
			}
		}
		was := bytes.Clone(buf.Bytes())
		must(t, w.Close())
		now := buf.Bytes()
		if now = now[:min(len(was), len(now))]; !w.Sealed() && !bytes.Equal(now, was) {
			t.Fatal("bytes of an unsealed frame have changed")
		}
		if w.Sealed() {
			at := bytes.Index(was, []byte(frame.Magic))
			if _, err := frame.Open(bytes.NewReader(buf.Bytes()[at:]), int64(buf.Len()-at)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The frame after an abort is unsealed, and a Reset starts again.
func TestInBufferAgain(t *testing.T) {
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(1000))
	_, err := w.Write(numbers(5000))
	must(t, err)
	must(t, w.Flush())
	was := bytes.Clone(buf.Bytes())
	if err := w.Abort(nil); err != blosc2.ErrClosed {
		t.Error(err)
	}
	if !bytes.Equal(buf.Bytes(), was) {
		t.Error("Abort has written")
	}
	buf.Reset()
	must(t, w.Reset(&buf))
	_, err = w.Write(numbers(700))
	must(t, err)
	must(t, w.Close())
	if !w.Sealed() {
		t.Error("not sealed")
	}
	check(t, "again", buf.Bytes(), numbers(700))
}
