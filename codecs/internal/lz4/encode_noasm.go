//go:build purego || !amd64

package lz4

import "github.com/pierrec/lz4/v4"

// An Encoder holds the hash table, which every call begins anew. The zero
// value is ready. It belongs to one goroutine at a time.
type Encoder struct{ c lz4.CompressorCCompat }

// Encode compresses src into dst as LZ4_compress_fast does, with the same
// bytes, and gives their number, or 0 where they do not fit. It keeps neither
// slice.
func (e *Encoder) Encode(dst, src []byte, acceleration int) int {
	e.c.Acceleration = acceleration
	n, err := e.c.CompressBlock(src, dst)
	if err != nil {
		return 0
	}
	return n
}
