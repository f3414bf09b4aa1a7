package lz77

import (
	"encoding/binary"
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// rows holds the last positions of each hash: a search reads one row, and compares
// only positions with the same tag, which is made of further bits of the hash. For
// inputs of at most 64 KiB, a row is one cache line.
type rows[P position] struct {
	rowSearch
	table []row[P]
}

// A rowSearch is what rows of positions of both sizes have in common.
type rowSearch struct {
	shift    int // shift of a hash, from which the row and the tag are taken
	next     int // first position that is not in the table
	attempts int // maximum number of positions that a search compares
	look
}

func (r *rowSearch) state() *look { return &r.look }

// These are assembly if available.
var (
	seekRows16   = (*rows[uint16]).seekGeneric
	seekRows32   = (*rows[uint32]).seekGeneric
	searchRows16 = (*rows[uint16]).searchGeneric
	searchRows32 = (*rows[uint32]).searchGeneric
)

func (r *rows[P]) seek(src []byte, ip, anchor, limit, to int) bool {
	if r, ok := any(r).(*rows[uint16]); ok {
		return seekRows16(r, src, ip, anchor, limit, to)
	}
	return seekRows32(any(r).(*rows[uint32]), src, ip, anchor, limit, to)
}

func (r *rows[P]) search(src []byte, ip, to, _ int) {
	if r, ok := any(r).(*rows[uint16]); ok {
		searchRows16(r, src, ip, to)
		return
	}
	searchRows32(any(r).(*rows[uint32]), src, ip, to)
}

// The assembly depends on the layout of rows, rowSearch and row, and on these constants.
const (
	rowBits = 16 // the largest number of rows, as a power of two
	rowSize = 16
	tagBits = 8
)

// A row is a ring of positions; head is the index of the latest one.
type row[P position] struct {
	tags [rowSize]uint8
	head uint8
	_    [15]uint8
	at   [rowSize]P
}

// reset empties as many rows as an input of n bytes can fill.
func (r *rows[P]) reset(n int) {
	used := min(max(bits.Len(uint(max(n, 1)-1))-4, 4), rowBits)
	r.table = room.Zeros(r.table, 1<<used)
	r.shift = 32 - used - tagBits
	r.next = 0
}

// place returns the row and the tag of a word.
func (r *rows[P]) place(w uint32) (*row[P], uint8) {
	h := w * 2654435761 >> (r.shift & 31)
	return &r.table[h>>tagBits], uint8(h)
}

// insert adds a position, which replaces the oldest one of the row.
func (r *row[P]) insert(tag uint8, at int) {
	r.head = (r.head - 1) & (rowSize - 1)
	r.tags[r.head&(rowSize-1)] = tag
	r.at[r.head&(rowSize-1)] = P(at)
}

// insert enters the positions up to ip.
func (r *rows[P]) insert(src []byte, ip int) {
	if r.next < ip-longSkip {
		for i := r.next; i < r.next+skipFirst; i++ {
			row, tag := r.place(mem.Load32(src, i))
			row.insert(tag, i)
		}
		r.next = ip - skipLast
	}
	for i := r.next; i < ip; i++ {
		row, tag := r.place(mem.Load32(src, i))
		row.insert(tag, i)
	}
}

// searchGeneric finds the longest match at ip, and the nearest if there are
// several, and enters ip.
func (r *rows[P]) searchGeneric(src []byte, ip, to int) {
	r.length, r.distance = 0, 0
	r.insert(src, ip)
	r.next = ip + 1
	word := mem.Load32(src, ip)
	row, tag := r.place(word)
	found := row.equal(tag) &^ (1 << (rowSize - 1)) // ignore the oldest position, which ip replaces
	head := int(row.head)
	row.insert(tag, ip)
	length, distance := MinMatch-1, 0
	end := word // the last four bytes that a longer match must have
	for n := r.attempts; n > 0 && found != 0; n-- {
		ref := int(row.at[(head+bits.TrailingZeros16(found))&(rowSize-1)])
		found &= found - 1
		if mem.Load32(src, ref+length-3) != end {
			continue
		}
		if l := CommonPrefix(src, ip, ref, to); l > length {
			length, distance = l, ip-ref
			if ip+l >= to {
				break
			}
			end = mem.Load32(src, ip+length-3)
		}
	}
	if distance > 0 {
		r.length, r.distance = length, distance
	}
}

// equal returns a bit for each tag that equals tag, the lowest for the latest.
func (r *row[P]) equal(tag uint8) uint16 {
	const ones = 0x0101010101010101
	eight := func(at int) uint16 {
		const low = 0x7f * ones
		x := binary.LittleEndian.Uint64(r.tags[at:at+8]) ^ uint64(tag)*ones
		zero := ^((x&low + low) | x | low) // the highest bit of each byte of x that is 0
		return uint16(zero >> 7 * 0x0102040810204080 >> 56)
	}
	return bits.RotateLeft16(eight(0)|eight(8)<<8, -int(r.head))
}

// seekGeneric searches from ip up to limit for a position with a repetition, and
// reports whether there is one. Its steps grow while it finds nothing.
func (r *rows[P]) seekGeneric(src []byte, ip, anchor, limit, to int) bool {
	for ip < limit {
		r.repeated = r.repeats(src, ip)
		r.length, r.distance = 0, 0
		if !r.repeated || !r.greedy {
			r.searchGeneric(src, ip, to)
		}
		if r.repeated || r.length > 0 {
			r.ip = ip
			return true
		}
		step := 1 + (ip-anchor)>>8
		ip += step
		if step > maxLinked {
			r.next = ip
		}
	}
	return false
}
