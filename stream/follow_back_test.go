package stream_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Follower notices that bytes which it delivered were taken back and others written in
// their place, also if it knows more than it has delivered, and the chunks of the others
// begin where those did.
func TestFollowTakenBack(t *testing.T) {
	for _, chunks := range []int{5, 2} { // to deliver before that
		path := filepath.Join(t.TempDir(), "taken.b2frame")
		data := make([]byte, 6000)
		random := rand.NewChaCha8([32]byte{1})
		random.Read(data)
		add := func(from, to int) {
			t.Helper()
			w, err := stream.AppendFile(path, stream.ChunkSize(1000), stream.Workers(1))
			must(t, err)
			_, err = w.Write(data[from:to])
			must(t, errors.Join(err, w.Close()))
		}
		add(0, 500)
		was, err := os.ReadFile(path)
		must(t, err)
		add(500, 4900)
		f, err := stream.FollowFile(t.Context(), path)
		must(t, err)
		defer f.Close()
		var got []byte
		for range chunks {
			b, err := f.NextChunk()
			must(t, err)
			got = append(got, b...)
		}
		if !bytes.Equal(got, data[:len(got)]) {
			t.Fatal("other bytes")
		}
		must(t, os.WriteFile(path, was, 0o666))
		random.Read(data[500:])
		add(500, 6000)
		if b, err := f.NextChunk(); !errors.Is(err, blosc2.ErrChanged) {
			t.Errorf("after %d bytes, of which some were taken back: %d bytes, %v", len(got), len(b), err)
		}
	}
}
