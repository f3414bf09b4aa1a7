package room

import "unsafe"

// Slice returns n zero values in memory from Make, for tables of numbers. T must not
// hold pointers.
func Slice[T any](n int) []T {
	var zero T
	size, align := int(unsafe.Sizeof(zero)), unsafe.Alignof(zero)
	if n == 0 || size == 0 {
		return make([]T, n)
	}
	b := Make(n * size)
	if uintptr(unsafe.Pointer(&b[0]))%align != 0 {
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), n)
}
