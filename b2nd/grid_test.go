package b2nd

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// This is the worked example of the format: 5 × 7 bytes in chunks of 4 × 4 and blocks of
// 2 × 3.
func TestGridExample(t *testing.T) {
	g, err := newGrid([]int64{5, 7}, []int32{4, 4}, []int32{2, 3}, 1)
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 35)
	for i := range data {
		data[i] = byte(i + 1)
	}
	want := [][]byte{
		{1, 2, 3, 8, 9, 10, 4, 0, 0, 11, 0, 0, 15, 16, 17, 22, 23, 24, 18, 0, 0, 25, 0, 0},
		{5, 6, 7, 12, 13, 14, 0, 0, 0, 0, 0, 0, 19, 20, 21, 26, 27, 28, 0, 0, 0, 0, 0, 0},
		{29, 30, 31, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		{33, 34, 35, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
	for i, c := range layout(g, data) {
		if !bytes.Equal(c, want[i]) {
			t.Errorf("chunk %d is %v, want %v", i, c, want[i])
		}
		got := bytes.Repeat([]byte{0xEE}, int(g.chunkBytes))
		g.gather(new(mover), got, data, int64(i), 0)
		if !bytes.Equal(got, want[i]) {
			t.Errorf("gathered chunk %d is %v, want %v", i, got, want[i])
		}
	}
}

func TestGatherAndWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m mover // one mover for all boxes, so that it must distinguish them
	for range 3000 {
		g := randomGrid(t, r)
		data := randomBytes(r, g.items()*g.item)
		chunks := layout(g, data)
		for i := range chunks {
			got := bytes.Repeat([]byte{0xEE}, int(g.chunkBytes))
			g.gather(&m, got, data, int64(i), 0)
			if !bytes.Equal(got, chunks[i]) {
				t.Fatalf("grid %+v: gathered chunk %d differs", g, i)
			}
		}
		w := All(g.shape)
		for d, n := range g.shape {
			a, b := r.Int64N(n+1), r.Int64N(n+1)
			w[d] = Span{Start: min(a, b), Stop: max(a, b), Step: 1 + r.Int64N(4)}
		}
		want := naiveWindow(g, data, w)
		got := pick(&m, g, chunks, w)
		if !bytes.Equal(got, want) {
			t.Fatalf("grid %+v: window %v differs", g, w)
		}
	}
}

func TestGridRefuses(t *testing.T) {
	for _, c := range []struct {
		shape        []int64
		chunk, block []int32
		item         int64
	}{
		{[]int64{-1}, []int32{1}, []int32{1}, 1},
		{[]int64{4}, []int32{0}, []int32{1}, 1},
		{[]int64{4}, []int32{1}, []int32{0}, 1},
		{[]int64{4}, []int32{4}, []int32{4, 4}, 1},
		{[]int64{1 << 40}, []int32{1 << 30}, []int32{1 << 10}, 4},
		{[]int64{1 << 40, 1 << 40}, []int32{1, 1}, []int32{1, 1}, 1},
		{[]int64{1 << 62}, []int32{1}, []int32{1}, 16},
		{make([]int64, 17), make([]int32, 17), make([]int32, 17), 1},
		{[]int64{4}, []int32{4}, []int32{4}, 0},
	} {
		if g, err := newGrid(c.shape, c.chunk, c.block, c.item); err == nil {
			t.Errorf("%+v became %+v", c, g)
		}
	}
}
