package b2nd_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
)

// Items beyond the shape return an OptionError, whatever part of the array was written
// before, and the array holds the items up to its shape.
func TestWriteExcess(t *testing.T) {
	const items = 10 * 4
	s := make([]float32, items+1)
	for i := range s {
		s[i] = float32(i)
	}
	for _, order := range []string{"<f4", ">f4"} {
		for _, before := range []int{0, 1, 8, 15, 16, 39, 40} {
			var buf bytes.Buffer
			w, err := b2nd.NewWriter(&buf, b2nd.Spec{Shape: []int64{10, 4}, ChunkShape: []int64{4, 4}, DType: order})
			if err != nil {
				t.Fatal(err)
			}
			if n, err := b2nd.WriteSlice(w, s[:before]); n != before || err != nil {
				t.Fatalf("the first %d items: %d, %v", before, n, err)
			}
			n, err := b2nd.WriteSlice(w, s[before:])
			var oe *blosc2.OptionError
			if n != items-before || !errors.As(err, &oe) {
				t.Errorf("%s: an item too many after %d: %d, %v", order, before, n, err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			a, err := b2nd.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
			if err != nil {
				t.Fatal(err)
			}
			got, err := b2nd.Read[float32](a, nil)
			if err != nil || len(got) != items || got[0] != 0 || got[items-1] != items-1 {
				t.Errorf("%s: %v, %v", order, got, err)
			}
		}
	}
}
