package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// rows holds, for inputs of at most 64 KiB, the last positions of each hash in one
// cache line. A search reads one line, and compares only positions with the same
// tag, which is made of further bits of the hash.
type rows struct {
	table    *[1 << rowBits]row
	shift    int // shift of a hash, from which the row and the tag are taken
	next     int // first position that is not in the table
	attempts int // maximum number of positions that a search compares
	look
}

func (r *rows) state() *look { return &r.look }

func (r *rows) seek(src []byte, ip, anchor, limit, to int) bool {
	return seekRows(r, src, ip, anchor, limit, to)
}

func (r *rows) search(src []byte, ip, to, _ int) { searchRows(r, src, ip, to) }

// Both are assembly if available.
var (
	seekRows   = (*rows).seekGeneric
	searchRows = (*rows).searchGeneric
)

// The assembly depends on the layout of rows and row, and on these constants.
const (
	rowBits = 12 // the largest number of rows, as a power of two
	rowSize = 16
	tagBits = 8
)

// A row is a ring of positions; head is the index of the latest one.
type row struct {
	tags [rowSize]uint8
	at   [rowSize]uint16
	head uint8
	_    [15]uint8
}

// reset empties as many rows as an input of n bytes can fill.
func (r *rows) reset(n int) {
	used := min(max(bits.Len(uint(max(n, 1)-1))-4, 4), rowBits)
	if r.table == nil {
		r.table = new([1 << rowBits]row)
	} else {
		clear(r.table[:1<<used])
	}
	r.shift = 32 - used - tagBits
	r.next = 0
}

// place returns the row and the tag of a word.
func (r *rows) place(w uint32) (*row, uint8) {
	h := w * 2654435761 >> (r.shift & 31)
	return &r.table[h>>tagBits&(1<<rowBits-1)], uint8(h)
}

// insert adds a position, which replaces the oldest one of the row.
func (r *row) insert(tag uint8, at int) {
	r.head = (r.head - 1) & (rowSize - 1)
	r.tags[r.head&(rowSize-1)] = tag
	r.at[r.head&(rowSize-1)] = uint16(at)
}

// insert enters the positions up to ip.
func (r *rows) insert(src []byte, ip int) {
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
func (r *rows) searchGeneric(src []byte, ip, to int) {
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
		if l := commonPrefix(src, ip, ref, to); l > length {
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
func (r *row) equal(tag uint8) uint16 {
	same := uint16(0)
	for i := range r.tags {
		if r.tags[i] == tag {
			same |= 1 << i
		}
	}
	return bits.RotateLeft16(same, -int(r.head))
}

// seekGeneric searches from ip up to limit for a position with a repetition, and
// reports whether there is one. Its steps grow while it finds nothing.
func (r *rows) seekGeneric(src []byte, ip, anchor, limit, to int) bool {
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
