//go:build !purego

package lz77

import "golang.org/x/sys/cpu"

//go:noescape
func seekRowsBMI2(r *rows, src []byte, ip, anchor, limit, to int) (found bool)

//go:noescape
func searchRowsBMI2(r *rows, src []byte, ip, to int)

var hasRows = cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasSSSE3

func seekRows(r *rows, src []byte, ip, anchor, limit, to int) bool {
	if hasRows {
		return seekRowsBMI2(r, src, ip, anchor, limit, to)
	}
	return r.seekGeneric(src, ip, anchor, limit, to)
}

func searchRows(r *rows, src []byte, ip, to int) {
	if hasRows {
		searchRowsBMI2(r, src, ip, to)
		return
	}
	r.searchGeneric(src, ip, to)
}
