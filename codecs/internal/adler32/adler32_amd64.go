//go:build !purego

package adler32

import "golang.org/x/sys/cpu"

//go:noescape
func sumAVX2(src []byte) (sum, before, weighted uint64)

func init() {
	if cpu.X86.HasAVX2 {
		kernel = sumAVX2
	}
}
