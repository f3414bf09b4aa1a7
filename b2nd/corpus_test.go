package b2nd

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// The items and slices of every array written by genuine libraries, of every generation,
// equal those in the manifest.
func TestCorpus(t *testing.T) {
	arrays, slices, refused := map[string]int{}, 0, 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "b2nd" {
			continue
		}
		a, err := openEntry(t, e)
		if e.Reject != "" {
			if err == nil {
				_, err = a.ReadAll()
			}
			if err == nil {
				t.Errorf("%s was read, although %s", e.Path, e.Reject)
			}
			refused++
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		got, err := a.ReadAll()
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		arrays[e.Category]++
		if int64(len(got)) != e.Payload.NBytes {
			t.Errorf("%s: %d bytes, want %d", e.Path, len(got), e.Payload.NBytes)
		} else if e.Payload.SHA256 != "" && b2test.Digest(got) != e.Payload.SHA256 {
			t.Errorf("%s: other bytes than the manifest's", e.Path)
		}
		for _, s := range e.Slices {
			w, err := spans(s.Start, s.Stop)
			if err != nil {
				t.Fatal(err)
			}
			part := make([]byte, mul(product(w.lens()), a.grid.item))
			if err := a.ReadSlice(part, s.Start, s.Stop); err != nil {
				t.Errorf("%s: slice %v to %v: %v", e.Path, s.Start, s.Stop, err)
			} else if b2test.Digest(part) != s.SHA256 {
				t.Errorf("%s: slice %v to %v: other bytes than the manifest's", e.Path, s.Start, s.Stop)
			}
			slices++
		}
	}
	for _, c := range []string{"b2nd", "caterva", "history"} {
		if arrays[c] == 0 {
			t.Errorf("no array of category %s", c)
		}
	}
	t.Logf("arrays read: %v; slices: %d; refused: %d", arrays, slices, refused)
}
