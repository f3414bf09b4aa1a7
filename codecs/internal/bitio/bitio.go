// Package bitio writes bits, the first ones lowest, as in the streams of deflate (RFC
// 1951, 3.1.1) and of zstd's tables and sequences (RFC 8878, 4.1).
package bitio

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// A Writer writes to Out, starting at At. The caller ensures that all bits fit. A loop
// may keep the fields in local variables.
type Writer struct {
	Out  []byte
	At   int    // index of the next byte
	Word uint64 // pending bits, which are not in Out yet
	N    uint   // number of pending bits
}

// Add adds the n lowest bits of v, whose other bits must be 0. A word holds 64 bits, of
// which Flush leaves up to 7.
func (w *Writer) Add(v uint64, n uint) {
	w.Word |= v << (w.N & 63)
	w.N += n
}

// Flush writes whole bytes.
func (w *Writer) Flush() {
	if w.At+8 <= len(w.Out) {
		mem.Store64(w.Out, w.At, w.Word)
		w.At += int(w.N >> 3)
		w.Word >>= w.N & 56
		w.N &= 7
		return
	}
	for ; w.N >= 8; w.N -= 8 {
		w.Out[w.At] = byte(w.Word)
		w.At++
		w.Word >>= 8
	}
}

// Align fills the last byte with zeros and writes all bits.
func (w *Writer) Align() {
	w.N = (w.N + 7) &^ 7
	w.Flush()
	w.Word, w.N = 0, 0
}

// Used returns the number of bits written since the beginning of Out.
func (w *Writer) Used() int { return w.At*8 + int(w.N) }
