package lz4

import "github.com/pierrec/lz4/v4"

const (
	minInput        = 13          // LZ4_minLength: shorter inputs are literals
	limit16         = 64<<10 + 11 // LZ4_64Klimit: shorter inputs have 16-bit positions
	maxInput        = 0x7e000000  // LZ4_MAX_INPUT_SIZE
	maxAcceleration = 65537
	room            = 6 // space that a sequence leaves free; every block of minInput bytes is longer
)

// An Encoder holds the hash tables, which every call resets. The zero value is
// ready. It is for one goroutine at a time.
type Encoder struct {
	tables   *tables                // tables of the assembly, nil until first used
	portable *lz4.CompressorCCompat // nil until it is needed
}

type tables struct {
	of16 [1 << 13]uint16
	of32 [1 << 12]uint32
}

// encode16 and encode32 encode inputs of at least minInput bytes, encode16 only those
// shorter than limit16, to a dst of at least room bytes. They return the positions after
// the last sequence in dst and in src. The first is -1 if the sequences do not fit. Both
// are nil without assembly.
var (
	encode16 func(table *[1 << 13]uint16, dst, src []byte, acceleration int) (op, anchor int)
	encode32 func(table *[1 << 12]uint32, dst, src []byte, acceleration int) (op, anchor int)
)

// Encode compresses src into dst, to the same bytes as LZ4_compress_fast, and
// returns their number, or 0 if they do not fit. It keeps neither slice.
func (e *Encoder) Encode(dst, src []byte, acceleration int) int {
	acceleration = min(max(acceleration, 1), maxAcceleration)
	if encode16 == nil {
		if e.portable == nil {
			e.portable = new(lz4.CompressorCCompat)
		}
		e.portable.Acceleration = acceleration
		n, err := e.portable.CompressBlock(src, dst)
		if err != nil {
			return 0
		}
		return n
	}
	if e.tables == nil {
		e.tables = new(tables)
	}
	op, anchor := 0, 0
	switch {
	case len(src) > maxInput:
		return 0
	case len(src) < minInput:
	case len(dst) < room:
		return 0
	case len(src) < limit16:
		clear(e.tables.of16[:])
		op, anchor = encode16(&e.tables.of16, dst, src, acceleration)
	default:
		clear(e.tables.of32[:])
		op, anchor = encode32(&e.tables.of32, dst, src, acceleration)
	}
	if op < 0 {
		return 0
	}
	return putLiterals(dst, src[anchor:], op)
}
