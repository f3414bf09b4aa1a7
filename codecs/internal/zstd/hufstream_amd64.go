//go:build !purego

package zstd

import "golang.org/x/sys/cpu"

//go:noescape
func encode4BMI2(table *[256]uint64, streams *[4]codeStream, dst, src []byte, n int)

func init() {
	if cpu.X86.HasBMI2 {
		encode4 = encode4BMI2
	}
}
