//go:build !purego

package zstd

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

//go:noescape
func sequencesBMI2(s *sequenceState, dst, literals, src []byte, spread *mem.Spreader)

func init() {
	if cpu.X86.HasBMI2 && cpu.X86.HasSSE41 {
		fast = func(s *sequenceState, dst, literals, src []byte) {
			sequencesBMI2(s, dst, literals, src, &mem.Spread)
		}
	}
}
