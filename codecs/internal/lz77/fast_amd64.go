//go:build !purego

package lz77

import "golang.org/x/sys/cpu"

//go:noescape
func fast16(table *uint16, src []byte, from, to int, rep *[2]int, seqs []Seq, ignored, shift int) (n int)

var hasFast16 = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2
