package serve

import (
	"net/url"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// FuzzQuery reads parameters, and checks that the pieces of the window are the
// items of the window in C order.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{"", "window=3,:,5", "window=1:9:2&stride=3", "window=:,:,:&stride=1,2,3&as=f4", "envelope=100&window=0,0", "window=...,7&format=csv&strings=1"} {
		f.Add(text, uint8(20), uint8(30), uint8(9), uint8(7), uint8(4), uint8(3))
	}
	s := New(Config{})
	f.Fuzz(func(t *testing.T, text string, n0, n1, n2, c0, c1, c2 uint8) {
		v, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		shape := []int64{int64(n0 % 40), int64(n1 % 40), int64(n2 % 40)}
		chunks := []int64{int64(c0%41) + 1, int64(c1%41) + 1, int64(c2%41) + 1}
		d := &dataset{shape: shape, chunks: chunks, blocks: []int64{(chunks[0] + 1) / 2, (chunks[1] + 2) / 3, chunks[2]}, dtype: meta.DType{Kind: meta.Float, Order: '<', Size: 4}}
		v.Del("dtype")
		q, err := s.query(d, v)
		if err != nil {
			if status, text := statusOf(err); status != 400 || text == "" {
				t.Fatalf("status %d: %s", status, text)
			}
			return
		}
		q.bytes()
		if q.work() < 0 {
			t.Fatal("the work is negative")
		}
		want := numbersOf(q.window, shape)
		whole := q.plan()
		for _, p := range []plan{whole, {dim: 0, align: chunks[0], each: 1}, {dim: 1, align: chunks[1], each: 1}, {dim: 2, align: 3, each: 2}, {dim: 3}} {
			var got []int64
			for w := range p.pieces(q.window) {
				got = append(got, numbersOf(w, shape)...)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v of %v by %+v: other items or another order", q.window, shape, p)
			}
		}
	})
}

// numbersOf returns the positions of the items of a window in C order.
func numbersOf(w b2nd.Window, shape []int64) []int64 {
	all := []int64{0}
	for d, s := range w {
		var next []int64
		for _, at := range all {
			for i := range s.Len() {
				next = append(next, at*shape[d]+s.Start+i*max(s.Step, 1))
			}
		}
		all = next
	}
	return all
}
