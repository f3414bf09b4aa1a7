package lizard

import (
	"fmt"
	"testing"
)

func BenchmarkBlock(b *testing.B) {
	src := inputs()["copies"]
	for _, level := range []int{10, 20, 41} {
		block, got := make([]byte, len(src)), make([]byte, len(src))
		var e Encoder
		var d Decoder
		n := e.Encode(block, src, level)
		if n == 0 {
			b.Fatal("does not fit")
		}
		b.Run(fmt.Sprintf("level=%d/encode", level), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			b.ReportMetric(float64(len(src))/float64(n), "ratio")
			for b.Loop() {
				e.Encode(block, src, level)
			}
		})
		b.Run(fmt.Sprintf("level=%d/decode", level), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				d.Decode(got, block[:n])
			}
		})
	}
}
