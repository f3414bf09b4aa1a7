package stream_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// A mine is a codec that stores bytes, and panics when it is armed.
type mine struct{}

func (mine) ID() blosc2.CodecID { return mineID }
func (mine) Name() string       { return "mine" }

func (mine) Encode(dst, src []byte, _ codecs.Params) (int, error) {
	if armed.Load() {
		panic(errBoom)
	}
	n := len(src) / 2
	if len(dst) < n || !bytes.Equal(src[:n], src[n:2*n]) || len(src)%2 > 0 {
		return 0, nil
	}
	return copy(dst, src[:n]), nil
}

func (mine) Decode(dst, src []byte, _ codecs.Params) (int, error) {
	if armed.Load() {
		panic(errBoom)
	}
	return copy(dst, src) + copy(dst[len(src):], src), nil
}

func init() {
	if err := codecs.Register(mineID, "mine", func() codecs.Codec { return mine{} }); err != nil {
		panic(err)
	}
}

func boom(exit bool) {
	if exit {
		runtime.Goexit()
	}
	panic(errBoom)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// A panic in a Writer, of the sink, a callback, the source or a codec, continues in
// the caller and leaves no goroutine and no open file; Close returns an error, and
// the frame is not finished.
func TestPanicInWriter(t *testing.T) {
	procs(t, 2)
	data := doubled(50_000)
	large := doubled(4 << 20)
	for _, workers := range []int{1, 2} {
		for _, exit := range []bool{false, true} {
			for _, spool := range []int64{-1, 0} {
				n := 0
				later := func() { // panics only at a later call, when the workers are busy
					if n++; n > 3 {
						boom(exit)
					}
				}
				options := append([]stream.WriterOption{stream.ChunkSize(1000), stream.Workers(workers)}, mineOptions...)
				if spool >= 0 {
					options = append(options, stream.Spool(spool))
				}
				for name, f := range map[string]func(w *stream.Writer, out *io.Writer){
					"sink": func(w *stream.Writer, out *io.Writer) {
						*out = writerFunc(func(p []byte) (int, error) { later(); return len(p), nil })
						for range 10 {
							w.Write(data)
							w.Flush()
						}
						n = 3
						w.Close()
					},
					"source": func(w *stream.Writer, _ *io.Writer) {
						w.ReadFrom(readerFunc(func(p []byte) (int, error) { later(); return copy(p, data), nil }))
					},
					"fill": func(w *stream.Writer, _ *io.Writer) {
						for {
							w.WriteChunk(func([]byte) error { later(); return nil })
						}
					},
					"progress": func(w *stream.Writer, _ *io.Writer) {
						for range 5 {
							w.Write(data)
						}
						w.Close()
					},
					"codec": func(w *stream.Writer, _ *io.Writer) {
						w.Write(data)
						armed.Store(true)
						w.Write(data)
						w.Close()
					},
					"codec with helpers": func(w *stream.Writer, _ *io.Writer) {
						armed.Store(true)
						w.Write(large)
						w.Close()
					},
				} {
					name := fmt.Sprintf("%s, %d workers, exit %v, spool %d", name, workers, exit, spool)
					if exit && (name[:5] == "codec") {
						continue
					}
					n = 0
					before := openFiles()
					opts := options
					if name[:5] == "progr" {
						opts = append(opts[:len(opts):len(opts)], stream.Progress(func(stream.Stats) { later() }))
					}
					if len(name) > 12 && name[:12] == "codec with h" {
						opts = append(opts[:len(opts):len(opts)], stream.ChunkSize(1<<20))
					}
					var buf bytes.Buffer
					var to io.Writer = &buf
					w := newWriter(t, writerFunc(func(p []byte) (int, error) { return to.Write(p) }), opts...)
					panics(t, name, exit, func() { f(w, &to) })
					armed.Store(false)
					if err := goleak.Find(goleak.IgnoreCurrent()); err != nil {
						t.Errorf("%s: %v", name, err)
					}
					if now := openFiles(); now != before {
						t.Errorf("%s: %d open files, %d before", name, now, before)
					}
					if err := w.Close(); err == nil || w.Sealed() { // hangs if a worker was lost
						t.Errorf("%s: closed, %v, sealed %v", name, err, w.Sealed())
					}
					if name[:5] == "progr" {
						continue
					}
					buf.Reset()
					must(t, w.Reset(&buf))
					_, err := w.Write(data)
					must(t, err)
					must(t, w.Close())
					check(t, name, buf.Bytes(), data)
				}
			}
		}
	}
	goleak.VerifyNone(t)
}

// openFiles counts the open files of the process, if the system shows them.
func openFiles() int {
	files, _ := os.ReadDir("/proc/self/fd")
	return len(files)
}

// A panic in a Reader continues in the caller and leaves no goroutine and no open file: a
// panic of the source, during the header or a chunk, of a callback, of WriteTo's
// destination, and of a codec.
func TestPanicInReader(t *testing.T) {
	procs(t, 2)
	data := doubled(100_000)
	b := compress(t, data, append(mineOptions, stream.ChunkSize(1000))...)
	large := compress(t, doubled(4<<20), append(mineOptions, stream.ChunkSize(1<<20))...)
	source := func(n int) io.Reader { // panics after n bytes
		return io.MultiReader(bytes.NewReader(b[:n]), readerFunc(func([]byte) (int, error) { panic(errBoom) }))
	}
	for _, workers := range []int{1, 2} {
		for name, c := range map[string]struct {
			src   io.Reader
			opts  []stream.ReaderOption
			armed bool
			dst   io.Writer
		}{
			"source, header": {src: source(10)},
			"source, chunk":  {src: source(len(b) / 2)},
			"file":           {src: badFile{bytes.NewReader(b)}},
			"progress":       {src: io.MultiReader(bytes.NewReader(b)), opts: []stream.ReaderOption{stream.Progress(func(stream.Stats) { panic(errBoom) })}},
			"destination":    {src: io.MultiReader(bytes.NewReader(b)), dst: writerFunc(func([]byte) (int, error) { panic(errBoom) })},
			"codec":          {src: io.MultiReader(bytes.NewReader(b)), armed: true},
			"codec, memory":  {src: bytes.NewReader(b), armed: true},
			"codec, helpers": {src: bytes.NewReader(large), armed: true},
		} {
			name := fmt.Sprintf("%s, %d workers", name, workers)
			r, err := stream.NewReader(c.src, append(c.opts, stream.Workers(workers))...)
			must(t, err)
			armed.Store(c.armed)
			panics(t, name, false, func() {
				if c.dst != nil {
					r.WriteTo(c.dst)
				} else {
					io.Copy(io.Discard, struct{ io.Reader }{r})
				}
			})
			armed.Store(false)
			goleak.VerifyNone(t)
			if _, err := r.Read(make([]byte, 1)); err == nil || err == io.EOF {
				t.Errorf("%s: read on: %v", name, err)
			}
			r.Close()
			if c.opts != nil {
				continue
			}
			must(t, r.Reset(bytes.NewReader(b)))
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s: again: %d bytes, %v", name, len(got), err)
			}
		}
	}
}

// A badFile can be read at any offset, but panics when its chunks are read.
type badFile struct{ *bytes.Reader }

func (f badFile) ReadAt(p []byte, off int64) (int, error) {
	if off > 5000 && off < 10_000 {
		panic(errBoom)
	}
	return f.Reader.ReadAt(p, off)
}

// A panic in the caller's goroutine ends the Reader even while its source is blocked.
func TestPanicWhileBlocked(t *testing.T) {
	procs(t, 2)
	b := compress(t, doubled(50_000), append(mineOptions, stream.ChunkSize(1000))...)
	pr, pw := io.Pipe()
	go pw.Write(b[:len(b)/2])
	r, err := stream.NewReader(pr, stream.Workers(2), stream.Progress(func(s stream.Stats) {
		if s.Chunks == 10 {
			panic(errBoom)
		}
	}))
	must(t, err)
	panics(t, "blocked", false, func() { r.WriteTo(io.Discard) })
	closed := make(chan struct{})
	go func() { r.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Fatal("Close hangs")
	}
	pr.Close()
	goleak.VerifyNone(t)
}

// Verify raises the panic of a codec, and leaves no goroutine.
func TestPanicInVerify(t *testing.T) {
	b := compress(t, doubled(50_000), append(mineOptions, stream.ChunkSize(1000))...)
	for _, workers := range []int{1, 3} {
		armed.Store(true)
		panics(t, "verify", false, func() {
			frame.Verify(bytes.NewReader(b), int64(len(b)), frame.Workers(workers))
		})
		armed.Store(false)
		goleak.VerifyNone(t)
	}
}

// A mineFilter does nothing, unless it is armed.
type mineFilter struct{}

func (mineFilter) ID() blosc2.FilterID        { return mineID }
func (mineFilter) Name() string               { return "mine" }
func (mineFilter) Lossy() bool                { return false }
func (mineFilter) Check(filters.Params) error { return nil }

func (mineFilter) Forward(dst, src []byte, _ filters.Params) error {
	if armed.Load() {
		panic(errBoom)
	}
	copy(dst, src)
	return nil
}

func (f mineFilter) Backward(dst, src []byte, p filters.Params) error { return f.Forward(dst, src, p) }

func init() {
	if err := filters.Register(mineFilter{}); err != nil {
		panic(err)
	}
}

// mineFilterOption applies a mineFilter.
var mineFilterOption = stream.Filters(filters.Pipeline{IDs: [filters.Slots]blosc2.FilterID{mineID}})

// A panic while settings are searched for leaves no goroutine, also none that touches memory.
func TestPanicInSearch(t *testing.T) {
	procs(t, 2)
	data := noise(8 << 20)
	for range 5 { // that goroutine may end before the panic arrives
		w := newWriter(t, io.Discard, stream.Auto(tune.Balanced), mineFilterOption, stream.ChunkSize(4<<20))
		armed.Store(true)
		panics(t, "search", false, func() { w.ReadFrom(bytes.NewReader(data)) })
		stacks := make([]byte, 1<<20)
		if bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte(".touch.")) {
			t.Error("a goroutine is left")
		}
		armed.Store(false)
		if err := w.Close(); err == nil {
			t.Error("closed")
		}
	}
}

// A panic while a frame is opened to be appended to leaves neither its file open
// nor its lock held.
func TestPanicInAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	data := numbers(5500)
	must(t, os.WriteFile(path, compress(t, data, mineFilterOption, stream.ChunkSize(1000)), 0o666))
	before := openFiles()
	armed.Store(true)
	panics(t, "append", false, func() { stream.AppendFile(path, stream.Workers(2)) })
	armed.Store(false)
	goleak.VerifyNone(t)
	if now := openFiles(); now != before {
		t.Errorf("%d open files, %d before", now, before)
	}
	w, err := stream.AppendFile(path)
	must(t, err)
	must(t, w.Close())
}
