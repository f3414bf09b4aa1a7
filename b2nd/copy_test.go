package b2nd

import (
	"bytes"
	"testing"
)

func TestSlabRows(t *testing.T) {
	for _, c := range []struct{ row, chunk, goal, most, want int64 }{
		{100, 10, 16 << 20, 256 << 20, 167770}, // many small chunks at once
		{1 << 20, 64, 16 << 20, 256 << 20, 64}, // one chunk is more than the goal
		{1 << 20, 1000, 16 << 20, 256 << 20, 256},
		{1 << 40, 2, 16 << 20, 256 << 20, 1}, // steps this large occur only in the last dimension
	} {
		if got := slabRows(c.row, c.chunk, c.goal, c.most); got != c.want {
			t.Errorf("slabRows(%d, %d, %d, %d) = %d, want %d", c.row, c.chunk, c.goal, c.most, got, c.want)
		}
	}
}

// TestWriteTo compares WriteTo with ReadAll, for slabs of every axis.
func TestWriteTo(t *testing.T) {
	for _, shape := range [][]int64{{}, {0, 3}, {7}, {5, 6, 7}, {3, 0}, {20, 1, 33}} {
		var file bytes.Buffer
		w, err := NewWriter(&file, Spec{Shape: shape, DType: "<i4"})
		if err != nil {
			t.Fatal(err)
		}
		src := make([]byte, 4*product(shape))
		for i := range src {
			src[i] = byte(i * 7)
		}
		if _, err := w.Write(src); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []int64{1, 4, 30, 100, 200, 1000, copyMax} {
			var out bytes.Buffer
			n, err := a.writeTo(&out, min(most, copyGoal), most)
			if err != nil || n != int64(len(src)) || !bytes.Equal(out.Bytes(), src) {
				t.Errorf("%v in slabs of %d: %d bytes of %d, %v", shape, most, n, len(src), err)
			}
		}
	}
}
