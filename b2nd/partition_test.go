package b2nd

import (
	"slices"
	"testing"
)

// The examples are python-blosc2's own results on a machine with 32 KiB of L1,
// 1 MiB of L2 and 32 MiB of L3 cache.
func TestAutoPartition(t *testing.T) {
	for _, c := range []struct {
		shape          []int64
		item           int64
		chunks, blocks []int64
	}{
		{[]int64{1000, 1000}, 8, []int64{1000, 1000}, []int64{25, 1000}},
		{[]int64{1000000}, 8, []int64{1000000}, []int64{31250}},
		{[]int64{100, 100, 100}, 4, []int64{100, 100, 100}, []int64{5, 100, 100}},
		{[]int64{4096, 4096}, 4, []int64{512, 4096}, []int64{16, 4096}},
		{[]int64{997, 1009}, 8, []int64{997, 1009}, []int64{32, 1009}},
		{[]int64{5, 7}, 1, []int64{5, 7}, []int64{5, 7}},
		{[]int64{}, 8, []int64{}, []int64{}},
		{[]int64{0, 3}, 8, []int64{0, 3}, []int64{0, 3}},
	} {
		chunks, blocks := autoPartition(c.shape, c.item, nil, nil)
		if !slices.Equal(chunks, c.chunks) || !slices.Equal(blocks, c.blocks) {
			t.Errorf("shape %v of %d bytes: chunks %v, blocks %v; want %v, %v", c.shape, c.item, chunks, blocks, c.chunks, c.blocks)
		}
	}
}

func TestLargestDivisor(t *testing.T) {
	for a := int64(1); a <= 300; a++ {
		for b := int64(1); b <= 320; b++ {
			want := int64(1)
			for d := int64(1); d <= min(a, b); d++ {
				if a%d == 0 {
					want = d
				}
			}
			if got := largestDivisor(a, b); got != want {
				t.Fatalf("largestDivisor(%d, %d) = %d, want %d", a, b, got, want)
			}
		}
	}
	largestDivisor(1<<62-57, 1<<20) // this must return immediately
}
