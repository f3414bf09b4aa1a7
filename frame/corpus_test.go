package frame_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// payload reads all chunks of a frame one by one.
func payload(f *frame.Reader) ([]byte, error) {
	var b []byte
	for n := range f.NumChunks() {
		var err error
		if b, err = f.Chunk(b, n); err != nil {
			return b, err
		}
	}
	return b, nil
}

// open opens an entry of the corpus.
func open(t *testing.T, e b2test.Entry, opts ...frame.Option) (*frame.Reader, error) {
	if info, err := os.Stat(e.File()); err == nil && info.IsDir() {
		return frame.OpenFS(os.DirFS(e.File()), opts...)
	}
	b := e.Bytes(t)
	return frame.Open(bytes.NewReader(b), int64(len(b)), opts...)
}

// isArray tells whether the chunks hold padding and not the payload itself.
func isArray(e b2test.Entry) bool { return e.Kind == "b2nd" }

// Every frame of every category decodes to its digest, read chunk by chunk, in
// one ReadAt, in small pieces, and through a cursor.
func TestCorpus(t *testing.T) {
	count := map[string]int{}
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
			t.Errorf("%s: ReadAt gave %d bytes, %v", e.Path, n, err)
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
	}
	t.Logf("frames decoded: %v", count)
	for _, c := range []string{"frames", "generations", "history", "b2nd", "caterva", "sframes", "vlblocks"} {
		if count[c] == 0 {
			t.Errorf("no frame of category %s", c)
		}
	}
}

// Every frame that must be rejected is, at the latest when its chunks are read.
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
