//go:build !purego

package lz4

import "golang.org/x/sys/cpu"

const (
	minInput        = 13          // LZ4_minLength: shorter inputs are literals
	limit16         = 64<<10 + 11 // LZ4_64Klimit: shorter inputs have 16-bit positions
	maxInput        = 0x7e000000  // LZ4_MAX_INPUT_SIZE
	maxAcceleration = 65537
)

// An Encoder holds the hash table, which every call begins anew. The zero
// value is ready. It belongs to one goroutine at a time.
type Encoder struct {
	table16 [1 << 13]uint16
	table32 [1 << 12]uint32
}

// hasWide tells the encoder to copy and compare 64 bytes at once.
var hasWide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW

//go:noescape
func encode16(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op, anchor int)

//go:noescape
func encode32(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op, anchor int)

// Encode compresses src into dst as LZ4_compress_fast does, with the same
// bytes, and gives their number, or 0 where they do not fit. It keeps neither
// slice.
func (e *Encoder) Encode(dst, src []byte, acceleration int) int {
	acceleration = min(max(acceleration, 1), maxAcceleration)
	op, anchor := 0, 0
	switch {
	case len(src) > maxInput:
		return 0
	case len(src) < minInput:
	case len(src) < limit16:
		clear(e.table16[:])
		op, anchor = encode16(&e.table16, dst, src, acceleration)
	default:
		clear(e.table32[:])
		op, anchor = encode32(&e.table32, dst, src, acceleration)
	}
	if op < 0 {
		return 0
	}
	return putLiterals(dst, src[anchor:], op)
}
