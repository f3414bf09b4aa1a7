package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// The bytes depend only on the data and the options, not on the sizes of the
// Writes, the method of writing, or the workers.
func TestDeterminism(t *testing.T) {
	procs(t, 8)
	count := 0
	for name, data := range map[string][]byte{"numbers": numbers(150_001), "noise": noise(150_001)} {
		for _, opts := range [][]stream.WriterOption{
			{stream.ChunkSize(10_000)},
			{stream.ChunkSize(10_000), stream.Codec(blosc2.CodecZstd), stream.BlockSize(1000), stream.TypeSize(4)},
			{stream.ChunkSize(100_000), stream.Codec(blosc2.CodecBloscLZ), stream.TypeSize(3), stream.Checks(false)},
		} {
			want := compress(t, data, append(opts, stream.Workers(1))...)
			check(t, name, want, data)
			for _, workers := range []int{1, 2, 8} {
				for _, size := range []int{1, 77, 10_000, 33_333, 149_999} {
					if size == 1 && workers == 2 {
						continue
					}
					var buf bytes.Buffer
					w, err := stream.NewWriter(&buf, append(opts, stream.Workers(workers))...)
					if err != nil {
						t.Fatal(err)
					}
					rest := data
					for i := 0; len(rest) > 0; i++ {
						k := min(size, len(rest))
						if i%3 == 2 && size > 1 {
							_, err = w.ReadFrom(bytes.NewReader(rest[:k]))
						} else {
							_, err = w.Write(rest[:k])
						}
						if err != nil {
							t.Fatal(err)
						}
						rest = rest[k:]
					}
					if err := w.Close(); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(buf.Bytes(), want) {
						t.Errorf("%s, %d workers, writes of %d: other bytes", name, workers, size)
					}
					count++
				}
			}
		}
	}
	t.Logf("%d ways to write", count)
}

// The sink's methods determine whether its frame is sealed; the data read back do
// not depend on them.
func TestSinks(t *testing.T) {
	dir := t.TempDir()
	small, large := numbers(100_000), noise(6<<20)
	openFile := func(name string, flags int) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), flags|os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	content := func(f *os.File) []byte {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		name   string
		data   []byte
		flags  int
		before int // bytes in the file before the frame
		hide   bool
		opts   []stream.WriterOption
		sealed bool
	}{
		{"file", large, 0, 0, false, nil, true},
		{"file at offset", large, 0, 777, false, nil, true},
		{"append", large, os.O_APPEND, 777, false, nil, false},
		{"append-small", small, os.O_APPEND, 777, false, nil, true},
		{"pipe", large, 0, 0, true, nil, false},
		{"pipe-small", small, 0, 0, true, nil, true},
		{"pipe-empty", nil, 0, 0, true, nil, true},
		{"spool in memory", large, 0, 0, true, []stream.WriterOption{stream.Spool(1 << 30)}, true},
		{"spool in a file", large, 0, 0, true, []stream.WriterOption{stream.Spool(1 << 20)}, true},
		{"spool at once", small, os.O_APPEND, 33, false, []stream.WriterOption{stream.Spool(0)}, true},
	} {
		f := openFile(c.name, c.flags)
		if _, err := f.Write(noise(c.before)); err != nil {
			t.Fatal(err)
		}
		var sink io.Writer = f
		if c.hide {
			sink = onlyWriter{f}
		}
		w, err := stream.NewWriter(sink, c.opts...)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, bytes.NewReader(c.data)); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Close(), w.Close()); err != nil {
			t.Fatal(err)
		}
		if w.Sealed() != c.sealed {
			t.Errorf("%s: sealed %v", c.name, w.Sealed())
		}
		b := content(f)
		if !bytes.Equal(b[:c.before], noise(c.before)) {
			t.Errorf("%s: what was before the frame has changed", c.name)
		}
		check(t, c.name, b[c.before:], c.data)
		if s := w.Stats(); s.Stored != int64(len(b)-c.before) || s.Bytes != int64(len(c.data)) || s.Frames != 1 {
			t.Errorf("%s: %+v, but %d bytes in the file", c.name, s, len(b)-c.before)
		}
		if _, err := frame.Open(bytes.NewReader(b[c.before:]), int64(len(b)-c.before)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A memory is a sink in memory, which can seek but has no WriteAt.
type memory struct {
	b   []byte
	pos int64
}

func (m *memory) Write(p []byte) (int, error) {
	if need := m.pos + int64(len(p)); need > int64(len(m.b)) {
		m.b = append(m.b, make([]byte, need-int64(len(m.b)))...)
	}
	n := copy(m.b[m.pos:], p)
	m.pos += int64(n)
	return n, nil
}

func (m *memory) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += m.pos
	case io.SeekEnd:
		off += int64(len(m.b))
	}
	m.pos = off
	return off, nil
}

func TestSeekableSink(t *testing.T) {
	data := noise(5 << 20)
	m := &memory{b: make([]byte, 10), pos: 10}
	w, err := stream.NewWriter(m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil || !w.Sealed() || m.pos != int64(len(m.b)) {
		t.Fatalf("sealed %v at %d of %d, %v", w.Sealed(), m.pos, len(m.b), err)
	}
	check(t, "memory", m.b[10:], data)
}

// If a sink fails at any byte, the error is returned and is sticky, no goroutine remains,
// and the Writer works again after Reset.
func TestFailingSink(t *testing.T) {
	procs(t, 8)
	data := noise(9_000)
	for _, workers := range []int{1, 2, 8} {
		opts := []stream.WriterOption{stream.ChunkSize(800), stream.Workers(workers)}
		want := compress(t, data, opts...)
		w, err := stream.NewWriter(io.Discard, opts...)
		if err != nil {
			t.Fatal(err)
		}
		step := len(want) / b2test.Fewer(len(want))
		for limit := 0; limit < len(want); limit += step {
			if err := w.Reset(&failing{limit}); err != nil {
				t.Fatal(err)
			}
			err := w.Flush() // flush, so that nothing is held in memory
			for p := data; err == nil && len(p) > 0; p = p[min(1000, len(p)):] {
				_, err = w.Write(p[:min(1000, len(p))])
			}
			if cerr := w.Close(); cerr != errFull || err != nil && err != errFull {
				t.Fatalf("%d workers, limit %d: %v, %v", workers, limit, err, cerr)
			}
			if _, err := w.Write(data); err != errFull {
				t.Fatalf("%d workers, limit %d: Write after the error: %v", workers, limit, err)
			}
			if limit%100 == 0 {
				goleak.VerifyNone(t)
			}
		}
		var buf bytes.Buffer
		if err := w.Reset(&buf); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil || !bytes.Equal(buf.Bytes(), want) {
			t.Fatalf("%d workers: after Reset %v, %d bytes", workers, err, buf.Len())
		}
		if _, err := w.Write(data); err != blosc2.ErrClosed {
			t.Fatalf("Write after Close: %v", err)
		}
	}
}

func TestWriterContext(t *testing.T) {
	cause := errors.New("enough")
	for _, workers := range []int{1, 2} {
		ctx, cancel := context.WithCancelCause(t.Context())
		n := 0
		w, err := stream.NewWriter(io.Discard, stream.Context(ctx), stream.Workers(workers), stream.ChunkSize(1000),
			stream.Progress(func(s stream.Stats) {
				if n++; s.Chunks == 20 {
					cancel(cause)
				}
			}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(numbers(1 << 20)); err != cause {
			t.Errorf("%d workers: %v", workers, err)
		}
		if err := w.Close(); err != cause || n != 20 {
			t.Errorf("%d workers: Close: %v; %d calls of Progress", workers, err, n)
		}
		goleak.VerifyNone(t)
	}
}

// Invalid options are errors that name the option and its range.
func TestOptions(t *testing.T) {
	unknown := filters.Pipeline{}
	unknown.IDs[5] = 99
	layers := func(n int) (o []stream.WriterOption) {
		for i := range n {
			o = append(o, stream.Metalayer(fmt.Sprint("layer", i), []byte("x")))
		}
		return o
	}
	for _, c := range []struct {
		option string
		opts   []stream.WriterOption
	}{
		{"typesize", []stream.WriterOption{stream.TypeSize(0)}},
		{"typesize", []stream.WriterOption{stream.TypeSize(-1)}},
		{"typesize", []stream.WriterOption{stream.TypeSize(1 << 30)}},
		{"codec", []stream.WriterOption{stream.Codec(blosc2.CodecSnappy)}},
		{"codec", []stream.WriterOption{stream.Codec(blosc2.CodecLizard)}},
		{"block shape for ndlz", []stream.WriterOption{stream.Codec(blosc2.CodecNDLZ), framing.BlockShapeOption.(func([]int32) stream.WriterOption)([]int32{3})}},
		{"block shape for zfp_rate", []stream.WriterOption{stream.Codec(blosc2.CodecZFPRate)}},
		{"level", []stream.WriterOption{stream.Level(12)}},
		{"level", []stream.WriterOption{stream.Level(-1)}},
		{"chunk size", []stream.WriterOption{stream.ChunkSize(math.MaxInt32)}},
		{"chunk size", []stream.WriterOption{stream.ChunkSize(7)}},
		{"blocksize", []stream.WriterOption{stream.BlockSize(-1)}},
		{"split mode", []stream.WriterOption{stream.Split(9)}},
		{"spool", []stream.WriterOption{stream.Spool(-1)}},
		{"checks", []stream.WriterOption{stream.Layout2019(), stream.Checks(true)}},
		{"metalayer b2nd", []stream.WriterOption{stream.Metalayer("b2nd", []byte("mine"))}},
		{"metalayer caterva", []stream.WriterOption{stream.Metalayer("caterva", nil)}},
		{"workers", []stream.WriterOption{stream.Workers(-1)}},
		{"memory", []stream.WriterOption{stream.Memory(0)}},
		{"threads for compression", []stream.WriterOption{stream.Threads(-1, 0)}},
		{"threads for decompression", []stream.WriterOption{stream.Threads(0, 1<<15)}},
		{"metalayer name", []stream.WriterOption{stream.Metalayer("", nil)}},
		{"metalayer name", []stream.WriterOption{stream.Metalayer("b2stream", nil)}},
		{"metalayer name", []stream.WriterOption{stream.Metalayer("a", nil), stream.Metalayer("a", nil)}},
		{"metalayer name", []stream.WriterOption{stream.Metalayer("a name of more than thirty-one bytes", nil)}},
		{"metalayers", layers(17)},
		{"metalayers", layers(16)}, // the sink cannot be patched
	} {
		_, err := stream.NewWriter(onlyWriter{io.Discard}, c.opts...)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != c.option || oe.Range == "" {
			t.Errorf("%s: %v", c.option, err)
		}
	}
	if _, err := stream.NewWriter(io.Discard, stream.Split(9)); err == nil || err.Error() != "blosc2: split mode 9: must be default, always, never, auto or forward" {
		t.Error(err)
	}
	for option, o := range map[string]stream.WriterOption{"filter": stream.Filters(unknown), "codec": stream.Codec(200)} {
		_, err := stream.NewWriter(io.Discard, o)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != option || !errors.Is(err, blosc2.ErrUnsupported) || !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("unknown %s: %v", option, err)
		}
	}
	if _, err := stream.NewReader(bytes.NewReader(nil), stream.Workers(-2)); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("reader with -2 workers: %v", err)
	}
}

// Codecs that C-Blosc2 has dropped are written if they are requested by name and
// with Legacy.
func TestLegacy(t *testing.T) {
	data := numbers(50_000)
	for _, id := range []blosc2.CodecID{blosc2.CodecSnappy, blosc2.CodecLizard} {
		check(t, id.String(), compress(t, data, stream.Codec(id), stream.Legacy()), data)
		check(t, id.String()+" in the layout of 2019", compress(t, data, stream.Codec(id), stream.Layout2019()), data)
	}
}

// In steady state no chunk causes an allocation, in either direction.
func TestAllocs(t *testing.T) {
	procs(t, 2)
	data := numbers(1 << 14)
	for _, workers := range []int{1, 2} {
		w := newWriter(t, onlyWriter{io.Discard}, stream.ChunkSize(1<<14), stream.Workers(workers))
		write := func() {
			_, err := w.Write(data)
			must(t, err)
		}
		for range 100 {
			write()
		}
		if n := testing.AllocsPerRun(500, write); n != 0 {
			t.Errorf("%d workers: %v allocations to write a chunk", workers, n)
		}
		must(t, w.Close())

		packed := flushed(t, bytes.Repeat(data, 700), 1<<14)
		for name, src := range map[string]io.Reader{"file": bytes.NewReader(packed), "pipe": io.MultiReader(bytes.NewReader(packed))} {
			r, err := stream.NewReader(src, stream.Workers(workers))
			must(t, err)
			read := func() {
				if b, err := r.NextChunk(); len(b) != 1<<14 || err != nil {
					t.Fatal(len(b), err)
				}
			}
			for range 100 {
				read()
			}
			if n := testing.AllocsPerRun(500, read); n != 0 {
				t.Errorf("%s, %d workers: %v allocations to read a chunk", name, workers, n)
			}
			must(t, r.Close())
		}
	}
}

// Sources that fail or return no bytes forever, and sinks that return wrong lengths,
// cause errors.
func TestBadEnds(t *testing.T) {
	boom := errors.New("boom")
	w := newWriter(t, onlyWriter{io.Discard}, stream.ChunkSize(1000))
	if n, err := w.ReadFrom(io.MultiReader(bytes.NewReader(numbers(1500)), iotest.ErrReader(boom))); n != 1500 || err != boom {
		t.Errorf("failing source: %d, %v", n, err)
	}
	if err := w.ClearError(); err != boom {
		t.Errorf("cleared: %v", err)
	}
	if n, err := w.ReadFrom(emptyReads{}); n != 0 || err != io.ErrNoProgress {
		t.Errorf("source that returns nothing: %d, %v", n, err)
	}
	if err := w.ClearError(); err != io.ErrNoProgress {
		t.Errorf("cleared: %v", err)
	}
	must(t, w.Close()) // neither kind of source makes the Writer fail
	w = newWriter(t, shortWriter{}, stream.ChunkSize(1000), stream.Workers(1))
	must(t, w.SetVLMeta("v", nil))
	if err := w.Flush(); err != io.ErrShortWrite {
		t.Errorf("short write: %v", err)
	}
	if err := w.Close(); err != io.ErrShortWrite {
		t.Errorf("Close after a short write: %v", err)
	}
}

type emptyReads struct{}

func (emptyReads) Read([]byte) (int, error) { return 0, nil }
