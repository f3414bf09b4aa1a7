package zstd

import "encoding/binary"

// A bitWriter appends bits to out, the first ones lowest. It holds up to 63;
// the caller flushes before more than that come together.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint
}

// reserve makes room for n bytes, which flush takes for granted.
func (w *bitWriter) reserve(n int) {
	if cap(w.out)-len(w.out) < n+8 {
		w.out = append(w.out, make([]byte, n+8)...)[:len(w.out)]
	}
}

// add appends the n lowest bits of v, which has no others.
func (w *bitWriter) add(v uint64, n uint) {
	w.bits |= v << (w.n & 63)
	w.n += n
}

// addLow appends the n lowest bits of v.
func (w *bitWriter) addLow(v uint64, n uint) { w.add(v&(1<<(n&63)-1), n) }

// flush leaves less than 8 bits in w.
func (w *bitWriter) flush() {
	at := len(w.out)
	w.out = w.out[:at+8]
	binary.LittleEndian.PutUint64(w.out[at:], w.bits)
	w.out = w.out[:at+int(w.n>>3)]
	w.bits >>= w.n &^ 7 & 63
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
