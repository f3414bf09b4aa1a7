package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzSparse opens arbitrary bytes as the index of a sparse frame, reads its chunks, one
// of which has arbitrary bytes too, and appends to the frame.
func FuzzSparse(f *testing.F) {
	dir := f.TempDir()
	s, err := frame.CreateSparse(frame.OSDir(dir), &header.Header{TypeSize: 4, ChunkSize: 1000, Level: 5})
	if err == nil {
		err = errors.Join(s.Append(ramp(2500)), s.SetVLMeta("note", []byte("n")), s.Commit())
	}
	if err != nil {
		f.Fatal(err)
	}
	file := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	first, other := file("00000000.chunk"), file("00000001.chunk")
	f.Add(file("chunks.b2frame"), first)
	for _, e := range b2test.Corpus(f) {
		if len(e.Files) == 0 || e.Size > 1<<16 {
			continue
		}
		index, err := os.ReadFile(filepath.Join(e.File(), "chunks.b2frame"))
		if err != nil {
			continue // a frame without an index, which must be rejected
		}
		chunk, err := os.ReadFile(filepath.Join(e.File(), "00000000.chunk"))
		if err != nil {
			chunk = first
		}
		f.Add(index, chunk)
	}
	f.Fuzz(func(t *testing.T, index, chunk []byte) {
		defer b2test.Cost(t)()
		files := folder{fstest.MapFS{"chunks.b2frame": {Data: index}, "00000000.chunk": {Data: chunk}, "00000001.chunk": {Data: other}, "00000002.chunk": {Data: other}}}
		if r, err := frame.OpenFS(files, frame.WithLimits(tight), frame.AllowTorn()); err == nil {
			r.Verify(frame.WithLimits(tight))
			var sum int
			for n := int64(0); n < r.NumChunks() && sum < 1<<22; n++ {
				c, err := r.Chunk(nil, n)
				if err != nil {
					break
				}
				sum += len(c)
			}
			r.ReadAt(make([]byte, 100), r.Size()/2)
		}
		s, err := frame.EditSparse(files, frame.WithLimits(tight))
		if err != nil || s.Append(make([]byte, 100)) != nil || s.Commit() != nil {
			return
		}
		if _, err := frame.OpenFS(files, frame.WithLimits(tight)); err != nil {
			t.Errorf("after an append: %v", err)
		}
	})
}

// A folder is a directory in memory.
type folder struct{ fstest.MapFS }

func (f folder) WriteFile(name string, b []byte) error {
	f.MapFS[name] = &fstest.MapFile{Data: bytes.Clone(b)}
	return nil
}

func (f folder) Remove(name string) error {
	delete(f.MapFS, name)
	return nil
}
