//go:build !purego && (amd64 || arm64)

package move

import "unsafe"

func at(b []byte, i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)
}

func copy1(dst []byte, i int, src []byte, j int) { *(*byte)(at(dst, i)) = *(*byte)(at(src, j)) }

func copy2(dst []byte, i int, src []byte, j int) { *(*uint16)(at(dst, i)) = *(*uint16)(at(src, j)) }

func copy4(dst []byte, i int, src []byte, j int) { *(*uint32)(at(dst, i)) = *(*uint32)(at(src, j)) }

func copy8(dst []byte, i int, src []byte, j int) { *(*uint64)(at(dst, i)) = *(*uint64)(at(src, j)) }

func copy16(dst []byte, i int, src []byte, j int) {
	*(*[16]byte)(at(dst, i)) = *(*[16]byte)(at(src, j))
}
