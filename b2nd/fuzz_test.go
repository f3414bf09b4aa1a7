package b2nd

import (
	"bytes"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// Open of any bytes returns an array or an error. What windows and chunks of the array hold
// equals what ReadAll returns.
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
		all, allErr := a.ReadAll()
		if allErr == nil && int64(len(all)) != a.Size() {
			t.Fatalf("%d bytes of an array of %d", len(all), a.Size())
		}
		g := &grid{shape: a.Shape(), item: int64(a.ItemSize())}
		n := 0
		for c, err := range a.Chunks(nil) {
			if err != nil && allErr == nil {
				t.Fatalf("chunk %d of a good array: %v", n, err)
			}
			if n++; err != nil || n > 20 {
				break
			}
			if int64(len(c.Items)) != product(c.Window.lens())*g.item {
				t.Fatalf("chunk %v has %d bytes", c.Index, len(c.Items))
			}
			if allErr == nil && !bytes.Equal(c.Items, naiveWindow(g, all, c.Window)) {
				t.Fatalf("chunk %v has other items than the array", c.Index)
			}
		}
		w := All(a.Shape())
		for d := range w {
			w[d].Start, w[d].Stop = w[d].Stop/2, w[d].Stop/2+min(w[d].Stop-w[d].Stop/2, 2)
		}
		size := mul(product(w.lens()), g.item)
		if size > 1<<20 {
			return
		}
		part := make([]byte, size)
		err = a.ReadWindow(part, w)
		if allErr == nil && (err != nil || !bytes.Equal(part, naiveWindow(g, all, w))) {
			t.Fatalf("%v: other items than of the array, %v", w, err)
		}
	})
}
