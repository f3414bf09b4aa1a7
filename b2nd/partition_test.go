package b2nd

import (
	"errors"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
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
		chunks, blocks := autoPartition(c.shape, c.item, nil, nil, usualChunk, usualBlock)
		if !slices.Equal(chunks, c.chunks) || !slices.Equal(blocks, c.blocks) {
			t.Errorf("shape %v of %d bytes: chunks %v, blocks %v; want %v, %v", c.shape, c.item, chunks, blocks, c.chunks, c.blocks)
		}
	}
}

// The shapes of chunks and blocks follow from sizes, if they are not given.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		spec           Spec
		chunks, blocks []int64
	}{
		{Spec{}, []int64{1000, 1000}, []int64{25, 1000}},
		{Spec{ChunkBytes: 1 << 20}, []int64{125, 1000}, []int64{25, 1000}},
		{Spec{BlockBytes: 64 << 10}, []int64{1000, 1000}, []int64{8, 1000}},
		{Spec{ChunkBytes: 64 << 10}, []int64{8, 1000}, []int64{8, 1000}},
		{Spec{ChunkBytes: 1 << 20, BlockBytes: 16 << 10}, []int64{126, 1000}, []int64{2, 1000}},
		{Spec{ChunkBytes: 1, BlockBytes: 1}, []int64{1, 1}, []int64{1, 1}},
		{Spec{ChunkBytes: 1 << 20, BlockShape: []int64{10, 10}}, []int64{130, 1000}, []int64{10, 10}},
		{Spec{BlockBytes: 1 << 10, ChunkShape: []int64{100, 100}}, []int64{100, 100}, []int64{1, 100}},
	} {
		c.spec.Shape, c.spec.DType = []int64{1000, 1000}, "f8"
		g, _, err := c.spec.plan()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(g.chunk, c.chunks) || !slices.Equal(g.block, c.blocks) {
			t.Errorf("%+v: chunks %v, blocks %v; want %v, %v", c.spec, g.chunk, g.block, c.chunks, c.blocks)
		}
	}
	for _, spec := range []Spec{{ChunkBytes: -1}, {BlockBytes: -1}, {ChunkBytes: chunk.MaxBytes + 1}} {
		spec.Shape, spec.DType = []int64{1000}, "f8"
		_, _, err := spec.plan()
		if oe := new(blosc2.OptionError); !errors.As(err, &oe) {
			t.Errorf("%+v: %v", spec, err)
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
