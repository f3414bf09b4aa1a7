package zstd

import "encoding/binary"

// A bitWriter appends bits to out, the first ones lowest. It holds up to 63;
// the caller flushes before more than that come together.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint
}

// add appends the n lowest bits of v.
func (w *bitWriter) add(v uint64, n uint) {
	w.bits |= v & (1<<(n&63) - 1) << (w.n & 63)
	w.n += n
}

// flush leaves less than 8 bits in w.
func (w *bitWriter) flush() {
	whole, at := w.n>>3, len(w.out)
	w.out = binary.LittleEndian.AppendUint64(w.out, w.bits)[:at+int(whole)]
	w.bits >>= whole * 8 & 63
	w.n &= 7
}

// pad fills the last byte with zeros and gives all.
func (w *bitWriter) pad() []byte {
	w.flush()
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	return w.out
}
