package reliabilitytest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// places returns the offsets at which to truncate a file of n bytes: all up to 64 KiB,
// otherwise 1,000; fewer in short mode.
func places(n int) (cuts []int) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	if n <= 1<<16 && full {
		for i := range n {
			cuts = append(cuts, i)
		}
		return cuts
	}
	for range min(n, pick(6, 1000)) {
		cuts = append(cuts, rng.IntN(n))
	}
	return cuts
}

// Reading a file of the corpus that is truncated anywhere returns an error, and data
// returned before it are right.
func TestTruncated(t *testing.T) {
	var frames, chunks, folders atomic.Int64
	entries := b2test.Corpus(t)
	spread(len(entries), func(i int) {
		switch e := entries[i]; {
		case e.Reject != "" || e.Kind == "filtered":
		case folder(e):
			folders.Add(truncateFolder(t, e))
		case e.Kind == "chunk":
			chunks.Add(truncateChunk(t, e))
		default:
			frames.Add(truncateFrame(t, e))
		}
	})
	t.Logf("cuts: %d in frames, %d in chunks, %d in files of sparse frames", frames.Load(), chunks.Load(), folders.Load())
}

func truncateFrame(t *testing.T, e b2test.Entry) (count int64) {
	b := e.Bytes(t)
	f, err := frame.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return 0
	}
	b = b[:f.FrameLen()]
	r, err := stream.NewReader(bytes.NewReader(b), stream.Workers(1))
	must(t, err)
	want, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return 0
	}
	for _, n := range places(len(b)) {
		if _, err := frame.Open(bytes.NewReader(b[:n]), int64(n)); err == nil {
			t.Errorf("%s: opened after %d of %d bytes", e.Path, n, len(b))
		}
		r.Reset(io.MultiReader(bytes.NewReader(b[:n])))
		if got, err := io.ReadAll(r); err == nil || !bytes.HasPrefix(want, got) {
			t.Errorf("%s: %d bytes out of %d of %d bytes, %v", e.Path, len(got), n, len(b), err)
		}
		count++
	}
	return count
}

func truncateChunk(t *testing.T, e b2test.Entry) (count int64) {
	t.Helper()
	b := e.Bytes(t)
	h, err := chunk.ParseHeader(b)
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return 0
	}
	b = b[:h.CBytes]
	var d chunk.Decoder
	for _, n := range places(len(b)) {
		if got, err := d.Decode(nil, b[:n]); err == nil {
			t.Errorf("%s: %d bytes out of %d of %d bytes", e.Path, len(got), n, len(b))
		}
		count++
	}
	return count
}

// truncateFolder cuts each file of a sparse frame, one at a time.
func truncateFolder(t *testing.T, e b2test.Entry) (count int64) {
	t.Helper()
	files := folderOf(t, e)
	whole, err := readFolder(files)
	if err != nil {
		t.Errorf("%s: %v", e.Path, err)
		return 0
	}
	for name, file := range files {
		b := file.Data
		for _, n := range places(len(b)) {
			file.Data = b[:n:n]
			if got, err := readFolder(files); err == nil || !bytes.HasPrefix(whole, got) {
				t.Errorf("%s: %s cut to %d of %d bytes: %d bytes, %v", e.Path, name, n, len(b), len(got), err)
			}
			count++
		}
		file.Data = b
	}
	return count
}
