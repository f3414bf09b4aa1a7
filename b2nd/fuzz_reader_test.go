package b2nd

import (
	"bytes"
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

// A Reader of any bytes returns an array or an error. If Open can read the whole array,
// the Reader returns the same items, and items returned before an error are right.
func FuzzReader(f *testing.F) {
	if b2test.HasCorpus(f) {
		for _, e := range b2test.Corpus(f) {
			if e.Kind != "b2nd" || e.Files != nil {
				continue
			}
			if b := e.Bytes(f); len(b) < 4096 {
				f.Add(b)
			}
		}
	}
	for _, rows := range []int64{7, Unknown} {
		var buf bytes.Buffer
		w, err := NewWriter(plain2{&buf}, Spec{Shape: []int64{rows, 5}, DType: "<i2", ChunkShape: []int64{2, 3}, BlockShape: []int64{2, 2}})
		if err != nil {
			f.Fatal(err)
		}
		for i := range 7 {
			if _, err := WriteSlice(w, []int16{int16(i), 1, 2, 3, 4}); err != nil {
				f.Fatal(err)
			}
			if err := w.Flush(); err != nil {
				f.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	var zeros bytes.Buffer
	if err := Zeros(&zeros, Spec{Shape: []int64{1 << 40, 0, 3}, DType: "<f8"}); err != nil {
		f.Fatal(err)
	}
	f.Add(zeros.Bytes())
	const most = 1 << 20
	limits := frame.Limits{Total: most, Chunk: most, Header: most, Index: most, Trailer: most}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		var want []byte
		a, err := Open(bytes.NewReader(b), int64(len(b)), MaxAlloc(most), Workers(1), FrameOptions(frame.WithLimits(limits)))
		if err == nil {
			want, err = a.ReadAll()
		}
		for _, src := range []io.Reader{bytes.NewReader(b), plain{bytes.NewReader(b)}} {
			r, rerr := NewReader(src, MaxAlloc(most), Workers(1), StreamOptions(stream.Limits(limits), stream.SpoolLimit(most, most)))
			if rerr != nil {
				continue
			}
			var got bytes.Buffer
			n, rerr := r.WriteTo(&got)
			if n != int64(got.Len()) {
				t.Fatalf("%d bytes, %d written", n, got.Len())
			}
			if err == nil && rerr == nil && !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("%d bytes front to back, %d by Open", got.Len(), len(want))
			}
			if err == nil && !bytes.HasPrefix(want, got.Bytes()) {
				t.Fatalf("other bytes before the error %v", rerr)
			}
			if rerr == nil && int64(got.Len()) != mul(product(r.Shape()), int64(r.ItemSize())) {
				t.Fatalf("%d bytes of shape %v", got.Len(), r.Shape())
			}
			r.Close()
		}
	})
}
