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

// Resize returns s with n values, in new memory from Slice if s has no room for them.
// The values are undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return Slice[T](n)
	}
	return s[:n]
}

// Zeros is like Resize, with values that are zero.
func Zeros[T any](s []T, n int) []T {
	s = Resize(s, n)
	clear(s) // clear new memory too: reading it first would cost a second page fault
	return s
}
