package b2nd

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Open of any bytes returns an array or an error, and reading windows of the array does
// not panic.
func FuzzOpen(f *testing.F) {
	for _, e := range b2test.Corpus(f) {
		if e.Kind != "b2nd" || e.Files != nil {
			continue
		}
		if b := e.Bytes(f); len(b) < 4096 {
			f.Add(b)
		}
	}
	var zeros bytes.Buffer
	if err := Zeros(&zeros, Spec{Shape: []int64{1 << 40, 0, 3}, DType: "<f8"}); err != nil {
		f.Fatal(err)
	}
	f.Add(zeros.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		a, err := Open(bytes.NewReader(b), int64(len(b)), MaxAlloc(1<<20), Workers(1))
		if err != nil {
			return
		}
		if all, err := a.ReadAll(); err == nil && int64(len(all)) != a.Size() {
			t.Fatalf("%d bytes of an array of %d", len(all), a.Size())
		}
		n := 0
		for c, err := range a.Chunks(nil) {
			if n++; err != nil || n > 20 {
				break
			}
			if int64(len(c.Items)) != product(c.Window.lens())*int64(a.ItemSize()) {
				t.Fatalf("chunk %v has %d bytes", c.Index, len(c.Items))
			}
		}
		w := All(a.Shape())
		for d := range w {
			w[d].Start, w[d].Stop = w[d].Stop/2, w[d].Stop/2+min(w[d].Stop-w[d].Stop/2, 2)
		}
		if size := mul(product(w.lens()), int64(a.ItemSize())); size <= 1<<20 {
			_ = a.ReadWindow(make([]byte, size), w) // the call must not panic
		}
	})
}
