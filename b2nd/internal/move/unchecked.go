//go:build !purego && (amd64 || arm64)

package move

import "unsafe"

func at(b []byte, i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)
}

// one moves a word.
func one[W word](dst []byte, i int, src []byte, j int) { *(*W)(at(dst, i)) = *(*W)(at(src, j)) }
