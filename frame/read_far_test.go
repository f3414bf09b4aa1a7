package frame_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/fartest"
	"github.com/seed03b80dae/blosc2/ranges"
	"github.com/seed03b80dae/blosc2/stream"
)

// farFrame returns a frame of chunks of 1 MiB, and its data. They compress to about a
// half.
func farFrame(t testing.TB, size int, opts ...stream.WriterOption) (file, data []byte) {
	t.Helper()
	data = make([]byte, size)
	rnd := rand.NewChaCha8([32]byte{1})
	rnd.Read(data)
	for i := range data {
		if i%8 > 3 {
			data[i] = 0
		}
	}
	var buf bytes.Buffer
	w, err := stream.NewWriter(&buf, append([]stream.WriterOption{stream.Spool(1 << 30), stream.TypeSize(8)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetVLMeta("note", []byte("far away")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes(), data
}

func openFar(t testing.TB, file []byte) (*fartest.Source, *frame.Reader) {
	t.Helper()
	src := &fartest.Source{Data: file}
	f, err := frame.Open(src, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return src, f
}

func TestFarOpen(t *testing.T) {
	small, _ := farFrame(t, 50_000)
	large, _ := farFrame(t, 20<<20+99)
	many, _ := farFrame(t, 4<<20, stream.ChunkSize(16))
	for _, tt := range []struct {
		name  string
		file  []byte
		waves int
		bytes int64
	}{
		{"small", small, 1, int64(len(small))},
		{"large", large, 2, 128 << 10},
		{"long index", many, 3, 4 << 20},
	} {
		src, f := openFar(t, tt.file)
		if v, ok, err := f.VLMeta("note"); err != nil || !ok || string(v) != "far away" {
			t.Errorf("%s: vlmetalayer %q, %v, %v", tt.name, v, ok, err)
		}
		got := src.Take()
		t.Logf("%s, %d bytes, %d chunks: %+v", tt.name, len(tt.file), f.NumChunks(), got)
		if got.Waves != tt.waves || got.Requests != tt.waves || got.Bytes > tt.bytes {
			t.Errorf("%s: %+v, want %d requests of at most %d bytes", tt.name, got, tt.waves, tt.bytes)
		}
	}
}

func TestFarReadAt(t *testing.T) {
	// The last block is in a sync.Pool. It is lost to a collection, and to a goroutine that
	// moves to another processor.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	file, data := farFrame(t, 20<<20+99)
	src, f := openFar(t, file)
	src.Take()
	for _, tt := range []struct {
		off, n   int
		waves    int
		requests int
	}{
		{5<<20 + 100, 8, 2, 2},            // one item: the head of its chunk, then its block
		{5<<20 + 200, 8, 0, 0},            // the block is already fetched
		{6 << 20, 1 << 20, 1, 1},          // a whole chunk
		{7<<20 + 10, 1<<20 - 20, 1, 1},    // nearly all of a chunk
		{20 << 20, 99, 1, 1},              // the last chunk, which is short
		{3<<20 - 8, 16, 2, 4},             // two blocks of adjacent chunks
		{8<<20 + 500000, 9 << 20, -1, -1}, // fetched in several waves
	} {
		got := make([]byte, tt.n)
		if _, err := f.ReadAt(got, int64(tt.off)); err != nil || !bytes.Equal(got, data[tt.off:tt.off+tt.n]) {
			t.Fatalf("%d bytes at %d: other data, or %v", tt.n, tt.off, err)
		}
		c := src.Take()
		t.Logf("%d bytes at %d: %+v", tt.n, tt.off, c)
		if b2test.Race && tt.waves == 0 {
			continue // the detector makes a sync.Pool lose what it holds at random
		}
		if tt.waves >= 0 && (c.Waves != tt.waves || c.Requests > tt.requests) {
			t.Errorf("%d bytes at %d: %+v, want %d waves of %d requests", tt.n, tt.off, c, tt.waves, tt.requests)
		}
	}
}

func TestFarChunks(t *testing.T) {
	for _, opts := range [][]stream.WriterOption{nil, {stream.VariableChunks()}} {
		file, data := farFrame(t, 20<<20+99, opts...)
		src, f := openFar(t, file)
		src.Take()
		var got []byte
		for c, err := range f.Chunks(0) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, c.Data...)
		}
		if !bytes.Equal(got, data) {
			t.Error("other data")
		}
		c := src.Take()
		t.Logf("%d bytes: %+v", len(file), c)
		if c.Bytes > int64(len(file))+1024 || c.Waves > 8 {
			t.Errorf("%d bytes took %+v", len(file), c)
		}
		// If a reader stops early, not all chunks have been fetched.
		for range f.Chunks(0) {
			break
		}
		if c := src.Take(); c.Bytes > int64(len(file)) {
			t.Errorf("one chunk took %+v", c)
		}
	}
}

// All requests of a sequential read are as long as the chunks allow, except those of the
// first two waves and of the last.
func TestFarWaves(t *testing.T) {
	const chunkSize = 256 << 10
	file, data := farFrame(t, 80<<20, stream.ChunkSize(chunkSize))
	src, f := openFar(t, file)
	src.Take()
	got := make([]byte, len(data))
	if _, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, data) {
		t.Fatal("other data, or", err)
	}
	c := src.Take()
	t.Logf("%d bytes: %+v", len(file), c)
	if want := len(file)/(ranges.Most-chunkSize) + 3; c.Requests > want || c.Bytes > int64(len(file)) {
		t.Errorf("%d bytes took %+v, want at most %d requests", len(file), c, want)
	}
}

func TestFarErrors(t *testing.T) {
	file, _ := farFrame(t, 20<<20)
	src, f := openFar(t, file)
	away := errors.New("away")
	src.Fail(away)
	p := make([]byte, 3<<20)
	if _, err := f.ReadAt(p, 100); !errors.Is(err, away) {
		t.Errorf("ReadAt: %v", err)
	}
	if _, err := f.ReadAt(p[:8], 100); !errors.Is(err, away) {
		t.Errorf("ReadAt of an item: %v", err)
	}
	if _, err := f.Chunk(nil, 3); !errors.Is(err, away) {
		t.Errorf("Chunk: %v", err)
	}
	for _, err := range f.Chunks(0) {
		if !errors.Is(err, away) {
			t.Errorf("Chunks: %v", err)
		}
	}
	if _, err := frame.Open(src, int64(len(file))); !errors.Is(err, away) {
		t.Errorf("Open: %v", err)
	}
}

func TestFarStream(t *testing.T) {
	sealed, data := farFrame(t, 20<<20+99)
	var unsealed bytes.Buffer
	w, err := stream.NewWriter(struct{ io.Writer }{&unsealed})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for i, file := range [][]byte{sealed, unsealed.Bytes()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			src := &fartest.Source{Data: file}
			r, err := stream.NewReader(&farFile{Source: src})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d bytes, %v", len(got), err)
			}
			c := src.Take()
			t.Logf("%d bytes: %+v", len(file), c)
			if c.Bytes > int64(len(file))+(256<<10) || c.Waves > 16 {
				t.Errorf("%d bytes took %+v", len(file), c)
			}
		})
	}
}

// A farFile is a remote source with a position for Read.
type farFile struct {
	*fartest.Source
	off int64
}

func (f *farFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.off)
	f.off += int64(n)
	return n, err
}

func (f *farFile) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += f.off
	case io.SeekEnd:
		off += int64(len(f.Data))
	}
	f.off = off
	return off, nil
}

// Reading an item takes two requests, and reads the stored bytes of its block. That holds
// for the last, short chunk too. With CheckWhole it takes one request, for the chunk.
func TestFarItem(t *testing.T) {
	const block = 64 << 10
	for _, size := range []int{1 << 20, 8 << 20} {
		file, data := farFrame(t, 4*size+size/2+99, stream.ChunkSize(size), stream.BlockSize(block))
		for _, off := range []int{5, size + size/4, 4*size + 5, 4*size + size/4, 4*size + size/2 + 9} {
			for _, tt := range []struct {
				opts     []frame.Option
				requests int
				bytes    int64
			}{{nil, 2, block/2 + 4<<10}, {[]frame.Option{frame.CheckWhole()}, 1, int64(size)/2 + 8<<10}} {
				src := &fartest.Source{Data: file}
				f, err := frame.Open(src, int64(len(file)), tt.opts...)
				if err != nil {
					t.Fatal(err)
				}
				src.Take()
				got := make([]byte, 8)
				if _, err := f.ReadAt(got, int64(off)); err != nil || !bytes.Equal(got, data[off:off+8]) {
					t.Fatalf("%d: other data, or %v", off, err)
				}
				if c := src.Take(); c.Requests > tt.requests || c.Bytes > tt.bytes {
					t.Errorf("chunks of %d, item at %d, %d options: %+v", size, off, len(tt.opts), c)
				}
			}
		}
	}
}
