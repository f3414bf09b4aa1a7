package frame_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// isArray reports whether the entry's chunks hold an array with padding, rather than the
// payload itself.
func isArray(e b2test.Entry) bool { return e.Kind == "b2nd" }

// Every frame of every category decodes to its digest, read chunk by chunk, in
// one ReadAt, in small pieces, and through a cursor.
func TestCorpus(t *testing.T) {
	count, layouts := map[string]int{}, map[header.Generation]int{}
	for _, e := range b2test.Corpus(t) {
		if e.Reject != "" || e.Kind == "chunk" || e.Kind == "filtered" {
			continue
		}
		f, err := open(t, e)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		whole, err := payload(f)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		if !isArray(e) {
			e.Check(t, whole)
		}
		if int64(len(whole)) != f.Size() {
			t.Errorf("%s: %d bytes in chunks, Size %d", e.Path, len(whole), f.Size())
		}
		again := make([]byte, f.Size()+1)
		if n, err := f.ReadAt(again, 0); err != io.EOF || !bytes.Equal(again[:n], whole) {
			t.Errorf("%s: ReadAt returned %d bytes, %v", e.Path, n, err)
		}
		for off := 0; off < len(whole); off += 1 + len(whole)/7 {
			piece := make([]byte, min(777, len(whole)-off))
			if n, err := f.ReadAt(piece, int64(off)); err != nil || !bytes.Equal(piece, whole[off:off+n]) {
				t.Errorf("%s: ReadAt %d at %d: %d, %v", e.Path, len(piece), off, n, err)
			}
		}
		for _, r := range e.Ranges {
			piece := make([]byte, (r.Stop-r.Start)*r.ItemBytes)
			if _, err := f.ReadAt(piece, r.Start*r.ItemBytes); err != nil || b2test.Digest(piece) != r.SHA256 {
				t.Errorf("%s: items %d to %d: %v", e.Path, r.Start, r.Stop, err)
			}
		}
		count[e.Category]++
		layouts[f.Header().Generation]++
	}
	t.Logf("frames decoded: %v; of each layout: %v", count, layouts)
	for g := range header.LayoutRC + 1 {
		if layouts[g] == 0 {
			t.Errorf("no frame of layout %s", g)
		}
	}
	for _, c := range []string{"frames", "generations", "history", "b2nd", "caterva", "sframes", "vlblocks"} {
		if count[c] == 0 {
			t.Errorf("no frame of category %s", c)
		}
	}
}

// Every frame of the corpus that must be rejected is rejected, at the latest when its
// chunks are read.
func TestCorpusRejects(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Reject == "" || e.Kind != "frame" && e.Kind != "sframe" {
			continue
		}
		f, err := open(t, e)
		if err == nil {
			_, err = payload(f)
		}
		if err == nil {
			t.Errorf("%s: accepted; %s", e.Path, e.Reject)
		}
		var pe *os.PathError
		if errors.As(err, &pe) {
			t.Errorf("%s: untyped error %v", e.Path, err)
		}
		count++
	}
	t.Logf("%d frames rejected", count)
	if count == 0 {
		t.Error("no frame to reject")
	}
}

// A block that is read alone equals its part of the chunk, for frames of every kind in
// the corpus.
func TestCorpusBlocks(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Reject != "" || e.Category != "vlblocks" && e.Category != "frames" || e.Kind != "frame" {
			continue
		}
		f, err := open(t, e)
		if err != nil {
			t.Fatal(err)
		}
		for n := range min(f.NumChunks(), 3) {
			want, err := f.Chunk(nil, n)
			if err != nil {
				t.Fatal(err)
			}
			h, err := f.ChunkHeader(n)
			if err != nil {
				t.Fatal(err)
			}
			blocks := h.BlockSize // this is the number of blocks if they are of variable length
			if !h.VLBlocks() {
				size := min(h.BlockSize, h.NBytes)
				if size > h.TypeSize {
					size -= size % h.TypeSize
				}
				blocks = (h.NBytes + size - 1) / size
			}
			var all []int
			for i := range blocks {
				all = append(all, i)
			}
			var got []byte
			if err := f.ReadBlocks(n, all, func(_ int, b []byte) error { got = append(got, b...); return nil }); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: chunk %d in %d blocks: %d bytes, want %d: %v", e.Path, n, blocks, len(got), len(want), err)
			}
			count += blocks
		}
	}
	t.Logf("%d blocks", count)
	if count == 0 {
		t.Error("none")
	}
}

// A plainFS hides that its files can be read at any offset.
type plainFS struct{ fs.FS }

func (p plainFS) Open(name string) (fs.File, error) {
	f, err := p.FS.Open(name)
	if d, ok := f.(fs.ReadDirFile); ok && name == "." {
		return d, err
	}
	return struct{ fs.File }{f}, err
}

// A sparse frame is read from any file system.
func TestSparseAnyFS(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "sframe" || e.Reject != "" {
			continue
		}
		f, err := frame.OpenFS(plainFS{os.DirFS(e.File())})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := payload(f)
		if err != nil {
			t.Fatal(err)
		}
		e.Check(t, whole)
		if part := make([]byte, len(whole)/3); len(part) > 0 {
			if _, err := f.ReadAt(part, int64(len(whole)/2)); err != nil || !bytes.Equal(part, whole[len(whole)/2:][:len(part)]) {
				t.Errorf("%s: a range: %v", e.Path, err)
			}
		}
		count++
	}
	if count == 0 {
		t.Error("none")
	}
}
