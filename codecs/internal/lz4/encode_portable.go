package lz4

import "github.com/pierrec/lz4/v4"

// A portableEncoder is an Encoder without assembly.
type portableEncoder struct{ c lz4.CompressorCCompat }

// Encode is that of an Encoder.
func (e *portableEncoder) Encode(dst, src []byte, acceleration int) int {
	e.c.Acceleration = acceleration
	n, err := e.c.CompressBlock(src, dst)
	if err != nil {
		return 0
	}
	return n
}
