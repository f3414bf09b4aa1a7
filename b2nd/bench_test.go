package b2nd

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/stream"
)

var partitions = []struct {
	shape, chunk, block []int64
	item                int
}{
	{[]int64{2048, 2048}, []int64{256, 2048}, []int64{8, 2048}, 4}, // the automatic partition: whole rows
	{[]int64{2048, 2048}, []int64{512, 512}, []int64{64, 128}, 4},
	{[]int64{2047, 2045}, []int64{500, 300}, []int64{33, 70}, 4}, // partial chunks and blocks at the edges
	{[]int64{160, 160, 160}, []int64{40, 80, 80}, []int64{10, 20, 40}, 4},
	{[]int64{159, 161, 163}, []int64{40, 70, 90}, []int64{9, 20, 33}, 8},
	{[]int64{40, 40, 50, 50}, []int64{20, 20, 25, 25}, []int64{5, 10, 13, 25}, 4},
	{[]int64{40, 40, 50, 50}, []int64{20, 20, 25, 25}, []int64{5, 10, 13, 5}, 1}, // runs of five bytes
}

// moves holds the shapes and partitions for which gathering and placing are measured
// without a codec: those above, and the slowest ones that users have.
var moves = append(partitions[:len(partitions):len(partitions)], []struct {
	shape, chunk, block []int64
	item                int
}{
	{[]int64{64 << 20}, []int64{1 << 20}, []int64{32 << 10}, 1},
	{[]int64{10_000_019}, []int64{1_000_000}, []int64{33_333}, 3},
	{[]int64{1080, 1920, 3}, []int64{270, 1920, 3}, []int64{18, 640, 3}, 1}, // an image
	{[]int64{1080, 1920, 3}, []int64{270, 1920, 1}, []int64{18, 640, 1}, 1}, // an image, cut into its colours
	{[]int64{1080, 1920, 3}, []int64{270, 1920, 3}, []int64{18, 640, 2}, 1},
	{[]int64{1080, 1920, 3}, []int64{270, 480, 3}, []int64{30, 32, 3}, 1},
	{[]int64{1080, 1920, 4}, []int64{270, 1920, 1}, []int64{18, 640, 1}, 2},
	{[]int64{20, 1080, 1920}, []int64{20, 216, 192}, []int64{20, 24, 24}, 1}, // frames of a film, cut across time
	{[]int64{1 << 20, 5}, []int64{1 << 17, 1}, []int64{1 << 13, 1}, 4},       // a table, cut into columns
	{[]int64{1 << 20, 5}, []int64{1 << 17, 5}, []int64{1 << 13, 2}, 2},
	{[]int64{1 << 20, 3}, []int64{1 << 17, 3}, []int64{1 << 13, 2}, 4},
	{[]int64{2048, 2048}, []int64{2048, 16}, []int64{512, 1}, 1}, // a matrix, cut across its rows
	{[]int64{2048, 2048}, []int64{2048, 64}, []int64{512, 2}, 4},
	{[]int64{2048, 2048}, []int64{2048, 64}, []int64{2048, 4}, 8},
	{[]int64{2000, 2000}, []int64{500, 100}, []int64{100, 5}, 1},
	{[]int64{4096, 4096}, []int64{1024, 1024}, []int64{128, 8}, 1},
	{[]int64{8, 8, 8, 8, 8, 8, 8, 8}, []int64{4, 4, 4, 4, 8, 8, 8, 8}, []int64{2, 2, 2, 2, 4, 4, 4, 4}, 1},
	{[]int64{8, 8, 8, 8, 8, 8, 8, 8}, []int64{8, 8, 8, 8, 4, 4, 4, 4}, []int64{4, 4, 4, 4, 2, 2, 2, 2}, 1},
	{[]int64{8, 8, 8, 8, 8, 8, 8, 8}, []int64{4, 4, 4, 4, 4, 4, 4, 4}, []int64{2, 2, 2, 2, 2, 2, 2, 2}, 2},
	{[]int64{9, 7, 9, 7, 9, 7, 9, 7}, []int64{5, 4, 5, 4, 5, 4, 5, 4}, []int64{3, 2, 3, 2, 3, 2, 3, 2}, 2},
	{[]int64{100, 100, 100, 5}, []int64{50, 50, 50, 5}, []int64{10, 25, 25, 5}, 4},
	{[]int64{100, 100, 100, 5}, []int64{50, 50, 50, 2}, []int64{10, 25, 25, 1}, 3},
	{[]int64{300, 300, 40}, []int64{100, 100, 40}, []int64{20, 20, 7}, 1},
	{[]int64{300, 300, 40}, []int64{100, 100, 40}, []int64{20, 20, 10}, 12},
	{[]int64{1 << 16, 500}, []int64{1 << 14, 1}, []int64{1 << 12, 1}, 4}, // a station's whole series in one chunk
	{[]int64{1 << 16, 500}, []int64{1 << 14, 10}, []int64{1 << 12, 1}, 4},
	{[]int64{1 << 16, 500}, []int64{1 << 12, 50}, []int64{1 << 9, 10}, 4},
}...)

// BenchmarkGather measures how fast C-order bytes become chunks, as a fraction of
// memcpy of the same bytes.
func BenchmarkGather(b *testing.B) {
	for _, p := range moves {
		g, err := newGrid(p.shape, narrow(p.chunk), narrow(p.block), int64(p.item))
		if err != nil {
			b.Fatal(err)
		}
		src := bytes.Repeat([]byte{1, 2, 3, 5}, int(g.items()*g.item)/4+1)[:g.items()*g.item] // not zeros, so that the memory is actually allocated
		chunk := make([]byte, g.chunkBytes)
		slab := int(mul(g.chunk[0], product(g.shape[1:])) * g.item)
		copied := make([]byte, slab)
		var m mover
		b.Run(fmt.Sprint(p.shape, p.chunk, p.block, p.item), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			against(b, len(src), func() {
				for i := range g.chunks() {
					g.gather(&m, chunk, src, i, 0)
				}
			}, func() {
				for at := 0; at < len(src); at += slab {
					copy(copied, src[at:])
				}
			})
			b.ReportMetric(float64(g.chunks()*g.chunkBytes)/float64(len(src)), "with-padding") // bytes written for each byte of the array
		})
	}
}

// BenchmarkPlace measures how fast chunks become C-order bytes, as a fraction of
// memcpy of the same bytes.
func BenchmarkPlace(b *testing.B) {
	for _, p := range moves {
		g, err := newGrid(p.shape, narrow(p.chunk), narrow(p.block), int64(p.item))
		if err != nil {
			b.Fatal(err)
		}
		chunk := bytes.Repeat([]byte{1, 2, 3, 5}, int(g.chunkBytes)/4+1)[:g.chunkBytes]
		r := reading{a: &Array{grid: g}, w: All(g.shape), dst: make([]byte, g.items()*g.item), out: strides(g.shape, g.item)}
		part := part{mover: new(mover)}
		b.Run(fmt.Sprint(p.shape, p.chunk, p.block, p.item), func(b *testing.B) {
			b.SetBytes(int64(len(r.dst)))
			against(b, len(r.dst), func() {
				at := g.chunksOf(r.w)
				for ok := at.start(); ok; ok = at.next() {
					part.cells = g.cells(part.cells[:0], r.w, &at.at)
					for i := range part.cells {
						c := &part.cells[i]
						r.place(&part, c, chunk[int64(c.block)*g.blockBytes:][:g.blockBytes])
					}
				}
			}, func() {
				for rest := r.dst; len(rest) > 0; {
					rest = rest[copy(rest, chunk):]
				}
			})
		})
	}
}

// against measures f and memcpy alternately.
func against(b *testing.B, n int, what, memcpy func()) {
	var mine, copying timer
	for b.Loop() {
		mine.start()
		what()
		mine.stop()
		copying.start()
		memcpy()
		copying.stop()
	}
	b.ReportMetric(copying.best.Seconds()/mine.best.Seconds(), "of-memcpy")
	b.ReportMetric(float64(n)/mine.best.Seconds()/1e9, "GB/s")
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

// BenchmarkCreateFile writes growing arrays into files. The last slab is half
// full.
func BenchmarkCreateFile(b *testing.B) {
	for _, rows := range []int64{100, 50_000, 500_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			spec := Spec{Shape: []int64{Unknown, 4}, DType: "<f4", ChunkShape: []int64{100_000, 4}}
			data := make([]byte, rows*16)
			for i := range data {
				data[i] = byte(i * i >> 9)
			}
			path := filepath.Join(b.TempDir(), "a.b2nd")
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				w, err := CreateFile(path, spec)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := w.Write(data); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
