package b2nd

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

var partitions = []struct {
	shape, chunk, block []int64
	item                int
}{
	{[]int64{2048, 2048}, []int64{256, 2048}, []int64{8, 2048}, 4}, // as chosen automatically: whole rows
	{[]int64{2048, 2048}, []int64{512, 512}, []int64{64, 128}, 4},
	{[]int64{2047, 2045}, []int64{500, 300}, []int64{33, 70}, 4}, // awkward edges
	{[]int64{160, 160, 160}, []int64{40, 80, 80}, []int64{10, 20, 40}, 4},
	{[]int64{159, 161, 163}, []int64{40, 70, 90}, []int64{9, 20, 33}, 8},
	{[]int64{40, 40, 50, 50}, []int64{20, 20, 25, 25}, []int64{5, 10, 13, 25}, 4},
	{[]int64{40, 40, 50, 50}, []int64{20, 20, 25, 25}, []int64{5, 10, 13, 5}, 1}, // runs of five bytes
}

// How fast C-order bytes become chunks, as a share of memcpy of the same bytes.
func BenchmarkGather(b *testing.B) {
	for _, p := range partitions {
		g, err := newGrid(p.shape, narrow(p.chunk), narrow(p.block), int64(p.item))
		if err != nil {
			b.Fatal(err)
		}
		src := bytes.Repeat([]byte{1, 2, 3, 5}, int(g.items()*g.item)/4+1)[:g.items()*g.item] // memory that is really there
		chunk := make([]byte, g.chunkBytes)
		slab := int(mul(g.chunk[0], product(g.shape[1:])) * g.item)
		copied := make([]byte, slab)
		b.Run(fmt.Sprint(p.shape, p.chunk, p.block, p.item), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			var gather, memcpy timer
			for b.Loop() {
				gather.start()
				for i := range g.chunks() {
					g.gather(chunk, src, i, 0)
				}
				gather.stop()
				memcpy.start()
				for at := 0; at < len(src); at += slab {
					copy(copied, src[at:])
				}
				memcpy.stop()
			}
			b.ReportMetric(float64(g.chunks()*g.chunkBytes)/float64(len(src)), "with-padding") // this many times the bytes are written
			b.ReportMetric(memcpy.best.Seconds()/gather.best.Seconds(), "of-memcpy")
		})
	}
}

func BenchmarkReadWindow(b *testing.B) {
	for _, p := range partitions {
		var buf bytes.Buffer
		w, err := NewWriter(&buf, Spec{Shape: p.shape, ItemSize: p.item, ChunkShape: p.chunk, BlockShape: p.block}, stream.Spool(1<<30))
		if err != nil {
			b.Fatal(err)
		}
		data := make([]byte, product(p.shape)*int64(p.item))
		for i := range data {
			data[i] = byte(i >> 9)
		}
		if _, err := w.Write(data); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		for _, workers := range []int{1, 2} {
			a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()), Workers(workers))
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprint(p.shape, p.chunk, p.block, p.item, " workers ", workers), func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					if err := a.ReadWindow(data, All(a.Shape())); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
