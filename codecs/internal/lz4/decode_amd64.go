//go:build !purego

package lz4

import "golang.org/x/sys/cpu"

//go:noescape
func fastSSSE3(dst, src []byte, op, ip int) (int, int)

func init() {
	if cpu.X86.HasSSSE3 {
		fast = fastSSSE3
	}
}
