package b2nd

import (
	"encoding/binary"
	"math"
)

// floatBytes returns the little-endian bytes of s.
func floatBytes(s []float64) []byte {
	b := make([]byte, 0, 8*len(s))
	for _, v := range s {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}
