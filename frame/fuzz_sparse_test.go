package frame_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzSparse opens arbitrary bytes as the index of a sparse frame, reads its chunks, one
// of which has arbitrary bytes too, and appends to the frame. Errors are of a known kind,
// and what was appended is read again.
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
			_, err := r.Verify(frame.WithLimits(tight))
			known(t, err)
			var sum int
			for n := int64(0); n < r.NumChunks() && sum < 1<<22; n++ {
				c, err := r.Chunk(nil, n)
				if err != nil {
					known(t, err)
					break
				}
				sum += len(c)
			}
			_, err = r.ReadAt(make([]byte, 100), r.Size()/2)
			known(t, err)
		} else {
			known(t, err)
		}
		was, openErr := frame.OpenFS(files, frame.WithLimits(tight))
		s, err := frame.EditSparse(files, frame.WithLimits(tight))
		if err == nil {
			err = s.Append(make([]byte, 100))
		}
		if err == nil {
			err = s.Commit()
		}
		if err != nil {
			if !errors.Is(err, blosc2.ErrOption) { // the header may have parameters that no chunk can be made with
				known(t, err)
			}
			return
		}
		r, err := frame.OpenFS(files, frame.WithLimits(tight))
		if err != nil {
			t.Fatalf("after an append: %v", err)
		}
		if openErr == nil && r.Size() != was.Size()+100 {
			t.Errorf("%d bytes after an append to %d", r.Size(), was.Size())
		}
		got := []byte("must be read")
		n, err := r.ReadAt(got, r.Size()-int64(len(got)))
		if errors.Is(err, blosc2.ErrTooLarge) {
			return // the chunk that was filled up has exceeded the limit
		}
		if n != len(got) || !bytes.Equal(got, make([]byte, n)) {
			t.Errorf("the appended bytes: % x, %v", got[:n], err)
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
