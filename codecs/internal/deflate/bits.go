package deflate

import "github.com/seed03b80dae/blosc2/codecs/internal/mem"

// A bitWriter writes bits from the lowest on. The caller has seen to it that
// all of them fit into out.
type bitWriter struct {
	out  []byte
	at   int
	word uint64
	n    uint // bits in word
}

// add adds n bits; the word holds 64, of which 7 may be taken after a flush.
func (w *bitWriter) add(v uint64, n uint) {
	w.word |= v << (w.n & 63)
	w.n += n
}

// flush writes whole bytes.
func (w *bitWriter) flush() {
	if w.at+8 <= len(w.out) {
		mem.Store64(w.out, w.at, w.word)
		w.at += int(w.n >> 3)
		w.word >>= w.n & 56
		w.n &= 7
		return
	}
	for ; w.n >= 8; w.n -= 8 {
		w.out[w.at] = byte(w.word)
		w.at++
		w.word >>= 8
	}
}

// align fills up the last byte.
func (w *bitWriter) align() {
	w.n = (w.n + 7) &^ 7
	w.flush()
	w.word, w.n = 0, 0
}

// used returns the bits that were written.
func (w *bitWriter) used() int { return w.at*8 + int(w.n) }
