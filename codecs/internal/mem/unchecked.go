//go:build !purego && (amd64 || arm64)

package mem

import "unsafe"

func at(b []byte, i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), i)
}

// Load32 returns the little-endian word at b[i:].
func Load32(b []byte, i int) uint32 { return *(*uint32)(at(b, i)) }

// Load64 returns the little-endian word at b[i:].
func Load64(b []byte, i int) uint64 { return *(*uint64)(at(b, i)) }

// Load16 returns the little-endian word at b[i:].
func Load16(b []byte, i int) uint16 { return *(*uint16)(at(b, i)) }

// Load8 returns b[i].
func Load8(b []byte, i int) byte { return *(*byte)(at(b, i)) }

// Store64 writes a little-endian word to b[i:].
func Store64(b []byte, i int, v uint64) { *(*uint64)(at(b, i)) = v }

// Copy16 copies 16 bytes, all loaded before any is stored.
func Copy16(dst []byte, i int, src []byte, j int) {
	*(*[16]byte)(at(dst, i)) = *(*[16]byte)(at(src, j))
}

// Index returns s[i].
func Index[T uint16 | uint32](s []T, i int) T {
	return *(*T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), uintptr(i)*unsafe.Sizeof(T(0))))
}
