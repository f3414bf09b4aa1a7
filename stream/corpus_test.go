package stream_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// Every frame of the corpus decodes to its digest: from a file, from a pipe,
// and from a reader that returns a byte at a time.
func TestCorpus(t *testing.T) {
	count := map[string]int{}
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "frame" && e.Kind != "b2nd" || e.Reject != "" {
			continue
		}
		if info, err := os.Stat(e.File()); err != nil || info.IsDir() {
			continue // TestCorpusSparse reads the sparse frames
		}
		b := e.Bytes(t)
		f, err := os.Open(e.File())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Seek(int64(e.Offset), io.SeekStart); err != nil {
			t.Fatal(err)
		}
		whole, err := readAll(t, f, stream.Workers(2))
		f.Close()
		if err != nil {
			t.Errorf("%s: from a file: %v", e.Path, err)
			continue
		}
		if e.Kind == "frame" {
			e.Check(t, whole)
		}
		for name, r := range map[string]io.Reader{
			"pipe":         pipeOf(t, b),
			"single bytes": iotest.OneByteReader(bytes.NewReader(b)),
			"section":      bytes.NewReader(b),
		} {
			if name == "single bytes" && len(b) > 1<<17 {
				continue // the small frames cover this
			}
			got, err := readAll(t, r, stream.Workers(1))
			if err != nil || !bytes.Equal(got, whole) {
				t.Errorf("%s: from %s: %d bytes of %d, %v", e.Path, name, len(got), len(whole), err)
			}
		}
		count[e.Category]++
	}
	t.Logf("frames decoded: %v", count)
	for _, c := range []string{"frames", "generations", "history", "b2nd", "caterva", "vlblocks"} {
		if count[c] == 0 {
			t.Errorf("no frame of category %s", c)
		}
	}
}

// pipeOf returns the reading end of a system pipe that carries b.
func pipeOf(t testing.TB, b []byte) io.Reader {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Write(b) // returns an error if the reader stops early
		w.Close()
	}()
	t.Cleanup(func() { r.Close(); <-done })
	return r
}

// Sparse frames are read through frame.OpenFS.
func TestCorpusSparse(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "sframe" || e.Reject != "" {
			continue
		}
		f, err := frame.OpenFS(os.DirFS(e.File()))
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		r, err := stream.FromFrame(f, stream.Workers(2))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
		} else if len(e.Slices) == 0 && e.Expect.B2ND == nil {
			e.Check(t, got)
		}
		count++
	}
	t.Logf("%d sparse frames decoded", count)
	if count == 0 {
		t.Error("no sparse frame")
	}
}

// Invalid frames are rejected, from a file and from a pipe, and without a spool.
func TestCorpusRejects(t *testing.T) {
	count := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "frame" || e.Reject == "" {
			continue
		}
		b := e.Bytes(t)
		for name, r := range map[string]io.Reader{
			"file": bytes.NewReader(b), "pipe": io.MultiReader(bytes.NewReader(b)),
		} {
			_, err := readAll(t, r)
			var fe *blosc2.FormatError
			if !errors.As(err, &fe) {
				t.Errorf("%s: from a %s: %v; %s", e.Path, name, err, e.Reject)
			}
		}
		if _, err := readAll(t, io.MultiReader(bytes.NewReader(b)), stream.SpoolLimit(0, -1)); err == nil {
			t.Errorf("%s: accepted without a spool", e.Path)
		}
		count++
	}
	t.Logf("%d frames rejected", count)
	if count == 0 {
		t.Error("no frame to reject")
	}
}
