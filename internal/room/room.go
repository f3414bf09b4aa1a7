// Package room resizes slices and reuses their memory: the buffers and tables of encoders,
// decoders, writers and readers.
package room

// Resize returns s with n values, in new memory if s has no room for them. The values
// are undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Zeros is like Resize, with values that are zero.
func Zeros[T any](s []T, n int) []T {
	s = Resize(s, n)
	clear(s) // clear new memory too: reading it first would cost a second page fault
	return s
}
