package frame_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Opening, following and continuing a log with arbitrary contents costs no more than its
// size allows. Errors are of a known kind. A log that could be continued and closed has
// the bytes that it had and those that were added, and is sound if it was.
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
		known(t, err)
		if err == nil {
			readSome(t, r, true)
			file.b = later // as if its writer had continued the log
			continued := bytes.HasPrefix(later, b)
			now, err := r.Refresh(int64(len(later)))
			known(t, err)
			if err == nil {
				readSome(t, now, continued)
			}
			readSome(t, r, continued)
		}
		d := newDisk(bytes.Clone(b), -1)
		l, r, err := frame.AppendLog(d, int64(len(b)), frame.WithLimits(tight))
		if err != nil {
			known(t, err)
			return
		}
		want, ok := goOn(t, l, r)
		if !ok {
			return
		}
		if got, _, err := readAll(d.now, frame.WithLimits(tight)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes after the log was continued, want %d: %v", len(got), len(want), err)
		}
		before, err := frame.Verify(bytes.NewReader(b), int64(len(b)), frame.WithLimits(tight))
		if err != nil || !before.Sound() {
			return // perhaps a superseded chunk is damaged, and remains so
		}
		if after, err := frame.Verify(bytes.NewReader(d.now), int64(len(d.now)), frame.WithLimits(tight)); err != nil || !after.Sound() {
			t.Errorf("%+v: %v", after, err)
		}
	})
}

// A switched is a source whose bytes can be replaced.
type switched struct{ b []byte }

func (s *switched) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.b).ReadAt(p, off)
}

// readSome reads the first and the last chunks of a frame, and its last bytes. They equal
// those of the last chunk if the source is constant: if not, those of blocks that the
// Reader has decoded before may be older.
func readSome(t *testing.T, r *frame.Reader, constant bool) {
	t.Helper()
	var last []byte
	n := r.NumChunks()
	for _, i := range []int64{0, n - 2, n - 1} {
		if i < 0 || i >= n {
			continue
		}
		last = nil
		h, err := r.ChunkHeader(i)
		known(t, err)
		if err == nil && h.NBytes > 1<<20 {
			continue
		}
		last, err = r.Chunk(nil, i)
		known(t, err)
		if start, end, xerr := r.Extent(i); err == nil && (xerr != nil || end-start != int64(len(last))) {
			t.Errorf("chunk %d has %d bytes, from %d to %d: %v", i, len(last), start, end, xerr)
		}
	}
	b := make([]byte, min(max(r.Size(), 0), 1000))
	got, err := r.ReadAt(b, r.Size()-int64(len(b)))
	known(t, err)
	b = b[:got]
	if len(last) > len(b) {
		last = last[len(last)-len(b):]
	}
	if constant && (err == nil || err == io.EOF) && !bytes.HasSuffix(b, last) {
		t.Errorf("the last %d bytes are not those of the last chunk", len(last))
	}
}

// goOn continues a log with one more byte, if its chunks are small: it flushes, commits
// and closes it. It returns what the log must now hold, or false if it was not continued
// or could not be read before.
func goOn(t *testing.T, l *frame.Log, r *frame.Reader) (want []byte, ok bool) {
	t.Helper()
	b := l.Builder()
	size := int(b.Header().ChunkSize)
	if size <= 0 || size > 1<<16 || b.Header().VariableChunks || l.Pending() > size || l.Rows() || r.Size() > 4<<20 {
		return nil, false
	}
	want, wantErr := payload(r)
	var data []byte
	if n := l.Pending(); n > 0 {
		var err error
		if data, err = r.Chunk(nil, r.NumChunks()-1); err != nil || len(data) != n {
			return nil, false
		}
	}
	if len(data) < size {
		data, want = append(data, 'x'), append(want, 'x')
		if err := errors.Join(l.Flush(data), l.Commit()); err != nil {
			known(t, err)
			return nil, false
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
	if err := l.Put(c, n, len(data)); err != nil {
		known(t, err)
		return nil, false
	}
	if err := l.Close(); err != nil {
		known(t, err)
		return nil, false
	}
	return want, wantErr == nil
}
