package stream_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// Data that are appended to a frame of another writer follow its data, also if its last
// chunk is short and only an entry of the index, or not the last one in the file.
func TestAppendCorpus(t *testing.T) {
	added, refused := 0, 0
	for _, e := range b2test.Corpus(t) {
		wire, err := os.ReadFile(e.File())
		if e.Kind == "chunk" || e.Kind == "filtered" || e.Reject != "" || err != nil {
			continue
		}
		before, err := decoded(wire)
		if err != nil {
			continue // a dictionary or a plugin is missing
		}
		name := filepath.Join(t.TempDir(), "x")
		for _, flush := range []bool{false, true} {
			if err := os.WriteFile(name, wire, 0o666); err != nil {
				t.Fatal(err)
			}
			w, err := stream.AppendFile(name)
			if err != nil {
				if !errors.Is(err, blosc2.ErrUnsupported) && !errors.Is(err, blosc2.ErrOption) { // ErrOption: a dictionary of lz4hc
					t.Errorf("%s: %v", e.File(), err)
				}
				refused++
				break
			}
			want := append(bytes.Clone(before), "more"...)
			_, err = w.Write([]byte("more"))
			if flush {
				err = errors.Join(err, w.Flush())
				if got, errAgain := afterDeath(t, name); errAgain != nil || !bytes.Equal(got, want) {
					t.Errorf("%s, flushed: %d bytes, want %d, or others: %v", e.File(), len(got), len(want), errAgain)
				}
			}
			if err = errors.Join(err, w.Close()); err != nil {
				t.Errorf("%s: %v", e.File(), err)
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := decoded(b); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s, flush %t: %d bytes, want %d, or others: %v", e.File(), flush, len(got), len(want), err)
			}
			if rep, err := frame.Verify(bytes.NewReader(b), int64(len(b))); err != nil || len(rep.Faults) > 0 {
				t.Errorf("%s, flush %t: %v, %v", e.File(), flush, rep.Faults, err)
			}
			added++
		}
	}
	t.Logf("appended %d times, %d frames cannot be continued", added, refused)
}

// afterDeath returns the data of a copy of the named frame, after another writer continued it.
func afterDeath(t *testing.T, name string) ([]byte, error) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	again := name + ".again"
	if err := os.WriteFile(again, b, 0o666); err != nil {
		t.Fatal(err)
	}
	switch w, err := stream.AppendFile(again); {
	case errors.Is(err, blosc2.ErrUnsupported): // the data are lossy, and must be in the frame already
	case err != nil:
		return nil, err
	default:
		if err := w.Close(); err != nil {
			return nil, err
		}
	}
	if b, err = os.ReadFile(again); err != nil {
		t.Fatal(err)
	}
	return decoded(b)
}

// decoded returns the data of a frame, read by its index.
func decoded(wire []byte) (data []byte, err error) {
	f, err := frame.Open(bytes.NewReader(wire), int64(len(wire)), frame.AllowTorn())
	for n := int64(0); err == nil && n < f.NumChunks(); n++ {
		data, err = f.Chunk(data, n)
	}
	return data, err
}
