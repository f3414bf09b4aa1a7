//go:build !purego

package blosclz

import (
	"golang.org/x/sys/cpu"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

//go:noescape
func fastSSSE3(dst, src []byte, op, ip int, spread *mem.Spreader) (int, int)

func init() {
	if cpu.X86.HasSSSE3 {
		fast = func(dst, src []byte, op, ip int) (int, int) {
			return fastSSSE3(dst, src, op, ip, &mem.Spread)
		}
	}
}
