package zstd

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// perFlush is the number of codes that fit in a word together with the bits of an
// incomplete byte.
const perFlush = 5

// A codeStream is one of the streams of Huffman codes. Each code is put into the
// highest bits of a word, after shifting down the previous ones. The stream is read
// from its end (RFC 8878, 4.2.2), so the last byte is coded first. The assembly
// depends on the layout.
type codeStream struct {
	bits uint64
	n    uint64 // number of bits that are not in out yet; only the lowest 6 bits count
	from int    // start of the remaining bytes, which are taken from the last backwards
	to   int
	out  int // position in the destination
}

// encode4 codes the last n*perFlush remaining bytes of each of four streams. The
// destination must have 8 bytes more than they take.
var encode4 = encode4Generic

func encode4Generic(table *[256]uint64, streams *[4]codeStream, dst, src []byte, n int) {
	for i := range streams {
		s := &streams[i]
		to := s.to - n*perFlush
		s.encode(table, dst, src, to)
	}
}

// encode codes the remaining bytes from the given index on.
func (s *codeStream) encode(table *[256]uint64, dst, src []byte, from int) {
	bits, n, i := s.bits, s.n, s.to
	for ; i-perFlush >= from; i -= perFlush {
		e0 := table[mem.Load8(src, i-1)]
		e1 := table[mem.Load8(src, i-2)]
		e2 := table[mem.Load8(src, i-3)]
		e3 := table[mem.Load8(src, i-4)]
		e4 := table[mem.Load8(src, i-5)]
		bits = bits>>(e0&63) | e0
		bits = bits>>(e1&63) | e1
		bits = bits>>(e2&63) | e2
		bits = bits>>(e3&63) | e3
		bits = bits>>(e4&63) | e4&^255 // clear the low bits, which hold the length of the code
		n = (n + e0 + e1 + e2 + e3 + e4) & 63
		mem.Store64(dst, s.out, bits>>(-n&63))
		s.out += int(n >> 3)
		n &= 7
	}
	for ; i > from; i-- {
		e := table[mem.Load8(src, i-1)]
		bits = bits>>(e&63) | e
		n = (n + e) & 63
		mem.Store64(dst, s.out, bits>>(-n&63))
		s.out += int(n >> 3)
		n &= 7
	}
	s.bits, s.n, s.to = bits, n, i
}

// close codes the remaining bytes and marks the end.
func (s *codeStream) close(table *[256]uint64, dst, src []byte) {
	s.encode(table, dst, src, s.from)
	s.bits = s.bits>>1 | 1<<63
	s.n++
	mem.Store64(dst, s.out, s.bits>>(-s.n&63))
	s.out += int(s.n+7) >> 3
}

// grown returns dst with space for n bytes and a word more.
func grown(dst []byte, n int) []byte {
	if cap(dst)-len(dst) < n+8 {
		dst = append(dst, make([]byte, n+8)...)[:len(dst)]
	}
	return dst
}

// longest returns how many bytes the codes of n bytes take at most.
func longest(n int) int { return (n*maxCodeBits+1)/8 + 1 }

// appendStream codes b in one stream.
func (h *huffman) appendStream(dst, b []byte) []byte {
	at := len(dst)
	dst = grown(dst, longest(len(b)))
	s := codeStream{to: len(b)}
	out := dst[at:cap(dst)]
	s.close(&h.table, out, b)
	return dst[:at+s.out]
}

// appendStreams codes b in four streams after a Jump_Table (RFC 8878,
// 3.1.1.3.1.6).
func (h *huffman) appendStreams(dst, b []byte) []byte {
	quarter := (len(b) + 3) / 4
	most := longest(quarter) + 8
	at := len(dst)
	dst = grown(dst, 6+4*most)
	out := dst[at:cap(dst)]
	streams := &h.streams
	for i := range streams {
		streams[i] = codeStream{from: i * quarter, to: min((i+1)*quarter, len(b)), out: 6 + i*most}
	}
	encode4(&h.table, streams, out, b, (len(b)-3*quarter)/perFlush)
	end := 6
	for i := range streams {
		s := &streams[i]
		s.close(&h.table, out, b)
		begin := 6 + i*most
		n := copy(out[end:], out[begin:s.out])
		if i < 3 {
			binary.LittleEndian.PutUint16(out[2*i:], uint16(n))
		}
		end += n
	}
	return dst[:at+end]
}
