package zstd

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

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

// flush leaves less than 8 bits in w.
func (w *bitWriter) flush() {
	at := len(w.out)
	w.out = w.out[:at+8]
	binary.LittleEndian.PutUint64(w.out[at:], w.bits)
	w.out = w.out[:at+int(w.n>>3)]
	w.bits >>= w.n &^ 7 & 63
	w.n &= 7
}

// pad fills the last byte with zeros and returns all.
func (w *bitWriter) pad() []byte {
	w.flush()
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	return w.out
}

// A packer is a bitWriter for a destination that is large enough.
type packer struct {
	dst  []byte
	at   int
	bits uint64
	n    uint
}

// add appends the n lowest bits of v.
func (b *packer) add(v uint64, n uint) {
	b.bits |= v & (1<<(n&63) - 1) << (b.n & 63)
	b.n += n
}

// flush leaves less than 8 bits.
func (b *packer) flush() {
	mem.Store64(b.dst, b.at, b.bits)
	b.at += int(b.n >> 3)
	b.bits >>= b.n &^ 7 & 63
	b.n &= 7
}

// end marks the end with a bit and returns the place after it.
func (b *packer) end() int {
	b.add(1, 1)
	b.flush()
	return b.at + int(b.n+7)>>3
}
