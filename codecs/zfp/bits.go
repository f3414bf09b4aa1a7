package zfp

import (
	"encoding/binary"
	"math/bits"
)

// peekBits is the largest number of bits that can be read or written at a time.
const peekBits = 56

// A bitReader reads numbers, their lowest bit first. After the end it reads zeros; over
// reports whether it has.
type bitReader struct {
	data []byte
	pos  int // position in bits
}

func (r *bitReader) peek() uint64 {
	at := r.pos >> 3
	if at+8 <= len(r.data) {
		return binary.LittleEndian.Uint64(r.data[at:]) >> (r.pos & 7)
	}
	var x uint64
	for i := at; i < len(r.data); i++ {
		x |= uint64(r.data[i]) << (8 * (i - at))
	}
	return x >> (r.pos & 7)
}

// read returns the next n bits, at most peekBits.
func (r *bitReader) read(n int) uint64 {
	x := r.peek() & (1<<n - 1)
	r.pos += n
	return x
}

// zeros counts zero bits up to the next one bit, which it also reads, or up to
// limit.
func (r *bitReader) zeros(limit int) (n int) {
	for n < limit {
		room := min(peekBits, limit-n)
		z := bits.TrailingZeros64(r.peek() | 1<<room)
		n += z
		if z < room {
			r.pos += z + 1
			return n
		}
		r.pos += z
	}
	return n
}

func (r *bitReader) over() bool { return r.pos > 8*len(r.data) }

// A bitWriter writes what a bitReader reads, in words of 64 bits as zfp does. When
// dst is full it only counts.
type bitWriter struct {
	dst  []byte
	n    int // number of bytes written
	word uint64
	fill int // number of pending bits in word
}

// write appends the lowest n bits of x, at most peekBits; the others must be 0.
func (w *bitWriter) write(x uint64, n int) {
	w.word |= x << w.fill
	w.fill += n
	if w.fill >= 64 {
		w.flush()
		w.fill -= 64
		w.word = x >> (n - w.fill)
	}
}

// writeUpTo appends the lowest n bits of x, or as many as left allows, and returns
// how many are left afterwards.
func (w *bitWriter) writeUpTo(left int, x uint64, n int) int {
	n = min(n, left)
	w.write(x&(1<<n-1), n)
	return left - n
}

// writeGroup appends a one, some zeros and, if last is set, another one, or as much
// of these as left allows.
func (w *bitWriter) writeGroup(left, zeros int, last bool) int {
	left = w.writeUpTo(left, 1, 1)
	for ; zeros >= peekBits; zeros -= peekBits {
		left = w.writeUpTo(left, 0, peekBits)
	}
	if last {
		return w.writeUpTo(left, 1<<zeros, zeros+1)
	}
	return w.writeUpTo(left, 0, zeros)
}

// pad appends n zero bits.
func (w *bitWriter) pad(n int) {
	for ; n > peekBits; n -= peekBits {
		w.write(0, peekBits)
	}
	w.write(0, n)
}

func (w *bitWriter) flush() {
	if w.n+8 <= len(w.dst) {
		binary.LittleEndian.PutUint64(w.dst[w.n:], w.word)
	}
	w.n += 8
}

// close completes the last word and returns the number of bytes written, or 0 if
// they did not fit.
func (w *bitWriter) close() int {
	if w.fill > 0 {
		w.flush()
		w.fill = 0
	}
	if w.n > len(w.dst) {
		return 0
	}
	return w.n
}
