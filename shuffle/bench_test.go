package shuffle

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkKernels measures every kernel on every tier, for data of the size of blocks,
// and compares it with a copy of the same bytes. The kernel and the copy take turns. The
// metric of-memcpy is the best time of the copy divided by that of the kernel, a ratio
// that other work on the machine disturbs little.
func BenchmarkKernels(b *testing.B) {
	type op struct {
		name string
		run  func(dst, src []byte)
	}
	var ops []op
	for _, size := range []int{2, 4, 8, 16} {
		ops = append(ops,
			op{fmt.Sprintf("ShuffleDelta/%d", size), func(dst, src []byte) { ShuffleDelta(dst, src, size) }},
			op{fmt.Sprintf("UnshuffleDelta/%d", size), func(dst, src []byte) { UnshuffleDelta(dst, src, size) }})
	}
	for _, size := range []int{1, 2, 3, 4, 8, 12, 16, 32} {
		if size > 1 {
			ops = append(ops,
				op{fmt.Sprintf("Shuffle/%d", size), func(dst, src []byte) { Shuffle(dst, src, size) }},
				op{fmt.Sprintf("Unshuffle/%d", size), func(dst, src []byte) { Unshuffle(dst, src, size) }})
		}
		ops = append(ops,
			op{fmt.Sprintf("BitShuffle/%d", size), func(dst, src []byte) { BitShuffle(dst, src, size) }},
			op{fmt.Sprintf("BitUnshuffle/%d", size), func(dst, src []byte) { BitUnshuffle(dst, src, size) }})
	}
	ops = append(ops,
		op{"Delta/4", func(dst, src []byte) { Delta(dst, src, 4) }},
		op{"Undelta/4", func(dst, src []byte) { Undelta(dst, src, 4) }},
		op{"Undelta/8", func(dst, src []byte) { Undelta(dst, src, 8) }},
		op{"ByteDelta", ByteDelta},
		op{"UnByteDelta", UnByteDelta},
		op{"ClearLow/4", func(dst, src []byte) { ClearLow(dst, src, 4, 9) }},
		op{"IsRun", func(dst, _ []byte) { IsRun(dst) }},
		op{"Fill/8", func(dst, src []byte) { Fill(dst, src[:8]) }},
	)
	defer Use(Tier())
	for _, n := range []int{32 << 10, 64 << 10, 128 << 10, 256 << 10} {
		src, dst := random(n, 9), make([]byte, n)
		for _, op := range ops {
			for _, tier := range Tiers() {
				b.Run(fmt.Sprintf("%dK/%s/%s", n>>10, op.name, tier), func(b *testing.B) {
					if err := Use(tier); err != nil {
						b.Fatal(err)
					}
					if op.name == "IsRun" {
						clear(dst)
						clear(src)
					}
					const turn = 16
					best, bestCopy := time.Hour, time.Hour
					for b.Loop() {
						start := time.Now()
						for range turn {
							op.run(dst, src)
						}
						mid := time.Now()
						for range turn {
							copy(dst, src)
						}
						best, bestCopy = min(best, mid.Sub(start)), min(bestCopy, time.Since(mid))
					}
					b.ReportMetric(float64(bestCopy)/float64(best), "of-memcpy")
					b.ReportMetric(float64(n)*turn/best.Seconds()/1e6, "best-MB/s")
					b.ReportMetric(0, "ns/op") // ns/op would include the copy
				})
			}
		}
	}
}
