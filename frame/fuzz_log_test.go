package frame_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Opening, following and continuing a log with arbitrary contents does not panic, and
// costs no more than its size allows. All readers see the same data.
func FuzzOpenLog(f *testing.F) {
	for _, folder := range []string{"open", "grown"} {
		paths, err := filepath.Glob(filepath.Join("..", "stream", "testdata", folder, "*.b2frame"))
		if err != nil || len(paths) == 0 {
			f.Fatal("no golden files: ", err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(b, b)
		}
	}
	f.Fuzz(func(t *testing.T, b, later []byte) {
		defer b2test.Cost(t)()
		file := &switched{b}
		r, err := frame.Open(file, int64(len(b)), frame.WithLimits(tight), frame.AllowTorn())
		if err == nil {
			readSome(t, r)
			file.b = later // as if its writer had continued the log
			if now, err := r.Refresh(int64(len(later))); err == nil {
				readSome(t, now)
			}
			readSome(t, r)
		}
		d := newDisk(bytes.Clone(b), -1)
		l, r, err := frame.AppendLog(d, int64(len(b)), frame.WithLimits(tight))
		if err != nil {
			return
		}
		goOn(t, l, r)
	})
}

// A switched is a source whose bytes can be replaced.
type switched struct{ b []byte }

func (s *switched) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.b).ReadAt(p, off)
}

// readSome reads the first and the last chunks of a frame, and its last bytes.
func readSome(t *testing.T, r *frame.Reader) {
	n := r.NumChunks()
	for _, i := range []int64{0, n - 2, n - 1} {
		if i < 0 {
			continue
		}
		if h, err := r.ChunkHeader(i); err == nil && h.NBytes > 1<<20 {
			continue
		}
		r.Chunk(nil, i)
	}
	b := make([]byte, min(max(r.Size(), 0), 1000))
	if n, err := r.ReadAt(b, r.Size()-int64(len(b))); n > len(b) {
		t.Errorf("%d bytes of %d: %v", n, len(b), err)
	}
}

// goOn continues a log with one more chunk, if its chunks are small: it flushes, commits
// and closes it.
func goOn(t *testing.T, l *frame.Log, r *frame.Reader) {
	b := l.Builder()
	size := int(b.Header().ChunkSize)
	if size <= 0 || size > 1<<16 || b.Header().VariableChunks || l.Pending() > size {
		return
	}
	var data []byte
	if n := l.Pending(); n > 0 {
		var err error
		if data, err = r.Chunk(nil, r.NumChunks()-1); err != nil || len(data) != n {
			return
		}
	}
	if len(data) < size {
		data = append(data, 'x')
		if l.Flush(data) != nil || l.Commit() != nil {
			return
		}
	}
	e, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Encode(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	n := len(c)
	if b.Checks() {
		c = framing.AppendChunkRecord(c, c)
	}
	if l.Put(c, n, len(data)) == nil {
		l.Close()
	}
}
