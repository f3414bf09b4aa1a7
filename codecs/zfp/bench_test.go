package zfp

import (
	"fmt"
	"math/rand"
	"testing"
)

func BenchmarkCoder(b *testing.B) {
	for _, p := range []Params{
		{Accuracy, 256 - 3, 4, []int32{256, 256}},
		{Accuracy, 256 - 6, 8, []int32{32, 32, 32}},
		{Rate, 25, 4, []int32{32, 32, 32}},
		{Precision, 20, 8, []int32{16, 16, 16, 16}},
	} {
		src := field(rand.New(rand.NewSource(1)), 0, p)
		stream, got := make([]byte, len(src)), make([]byte, len(src))
		var c Coder
		n, err := c.Encode(stream, src, p)
		if err != nil || n == 0 {
			b.Fatal(n, err)
		}
		name := fmt.Sprintf("mode=%d/float%d/dims=%d", p.Mode, 8*p.TypeSize, len(p.Shape))
		b.Run(name+"/encode", func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				c.Encode(stream, src, p)
			}
		})
		b.Run(name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				c.Decode(got, stream[:n], p)
			}
		})
	}
}
