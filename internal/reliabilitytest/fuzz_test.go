package reliabilitytest

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// FuzzArray reads, changes and verifies arrays of any bytes, and measures the cost.
func FuzzArray(f *testing.F) {
	b, _ := array(f)
	f.Add(b)
	for _, e := range b2test.Corpus(f) {
		if e.Kind == "b2nd" && !folder(e) && e.Size < 2000 {
			f.Add(e.Bytes(f))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, way := range []func(b []byte){readArray, editSome, verifyAll} {
			end := b2test.Cost(t)
			way(b)
			end()
		}
	})
}
