package lz77

import (
	"encoding/binary"
	"math/bits"
	"unsafe"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// rows holds the last positions of each hash: a search reads one row, and compares
// only positions with the same tag, which is made of further bits of the hash. Wide rows
// are for thorough searches of inputs of more than 64 KiB.
//
// In inputs of at most 64 KiB, a row with its positions is one cache line. The positions of
// longer inputs are apart, so that only the tags must be emptied for a new input: there the
// tag of an empty place is 0, which no position has, and its position is not read. To empty
// everything took as long as the search where data repeat much, or hardly at all.
type rows[P position, T tags, A places[P]] struct {
	rowSearch
	near []nearRow[P, T, A] // for positions of 16 bits, otherwise empty
	rows []row[T]
	at   []A // the positions of each of rows
}

type (
	rows16   = rows[uint16, [16]uint8, [16]uint16]
	rows32   = rows[uint32, [16]uint8, [16]uint32]
	wideRows = rows[uint32, [32]uint8, [32]uint32]
)

// tags and places are the arrays of rows of both sizes.
type (
	tags               interface{ [16]uint8 | [32]uint8 }
	places[P position] interface{ [16]P | [32]P }
)

// A rowSearch is what rows of positions of both sizes have in common.
type rowSearch struct {
	factor   uint64 // the product of a word and factor depends on the key only, the first bytes of the word
	ignored  int    // bits of a word after its key; only assembly uses it, to prefetch
	shorter  int    // length of a key minus one: a match must be longer
	shift    int    // shift of a product, from which the row and the tag are taken
	next     int    // first position that is not in the table
	attempts int    // maximum number of positions that a search compares
	look
}

func (r *rowSearch) state() *look { return &r.look }

// These are assembly if available.
var (
	seekRows16     = (*rows16).seekGeneric
	seekRows32     = (*rows32).seekGeneric
	seekWideRows   = (*wideRows).seekGeneric
	searchRows16   = (*rows16).searchGeneric
	searchRows32   = (*rows32).searchGeneric
	searchWideRows = (*wideRows).searchGeneric
)

func (r *rows[P, T, A]) seek(src []byte, ip, anchor, limit, to int) bool {
	switch r := any(r).(type) {
	case *rows16:
		return seekRows16(r, src, ip, anchor, limit, to)
	case *rows32:
		return seekRows32(r, src, ip, anchor, limit, to)
	}
	return seekWideRows(any(r).(*wideRows), src, ip, anchor, limit, to)
}

func (r *rows[P, T, A]) search(src []byte, ip, to int) {
	switch r := any(r).(type) {
	case *rows16:
		searchRows16(r, src, ip, to)
	case *rows32:
		searchRows32(r, src, ip, to)
	case *wideRows:
		searchWideRows(r, src, ip, to)
	}
}

// The assembly depends on the layout of rows, rowSearch and row, and on these constants.
const (
	rowBits = 16 // the largest number of rows, as a power of two
	tagBits = 8
)

// A row is the tags of a ring of positions; head[0] is the index of the latest one.
type row[T tags] struct {
	tags T
	head T
}

type nearRow[P position, T tags, A places[P]] struct {
	row[T]
	at A
}

// reset empties as many rows as an input of n bytes can fill. Their keys have key bytes.
func (r *rows[P, T, A]) reset(n, key int) {
	var one A
	used := min(max(bits.Len(uint(max(n, 1)-1))-bits.Len(uint(len(one)-1)), 4), rowBits)
	if unsafe.Sizeof(one[0]) == 2 {
		r.near = room.Zeros(r.near, 1<<used)
	} else {
		r.rows = room.Zeros(r.rows, 1<<used)
		r.at = room.Resize(r.at, 1<<used)
	}
	r.factor, r.ignored, r.shorter = KeyOf(key), 64-8*key, key-1
	r.shift = 64 - used - tagBits
	r.next = 0
}

// place returns the row of a word, its positions and the tag.
func (r *rows[P, T, A]) place(w uint64) (*row[T], *A, uint8) {
	h := uint32(w * r.factor >> (r.shift & 63))
	at, tag := h>>tagBits, uint8(h)
	if len(r.near) > 0 {
		near := &r.near[at]
		return &near.row, &near.at, tag
	}
	return &r.rows[at], &r.at[at], max(tag, 1)
}

// push adds a tag, which replaces the oldest one, and returns its index.
func (r *row[T]) push(tag uint8) (index uint8) {
	index = (r.head[0] - 1) & uint8(len(r.tags)-1)
	r.head[0] = index
	r.tags[index] = tag
	return index
}

// insert enters the positions up to ip.
func (r *rows[P, T, A]) insert(src []byte, ip int) {
	if r.next < ip-longSkip {
		for i := r.next; i < r.next+skipFirst; i++ {
			row, at, tag := r.place(mem.Load64(src, i))
			(*at)[row.push(tag)] = P(i)
		}
		r.next = ip - skipLast
	}
	for i := r.next; i < ip; i++ {
		row, at, tag := r.place(mem.Load64(src, i))
		(*at)[row.push(tag)] = P(i)
	}
}

// searchGeneric finds the longest match at ip, and the nearest if there are
// several, and enters ip.
func (r *rows[P, T, A]) searchGeneric(src []byte, ip, to int) {
	r.length, r.distance = 0, 0
	r.insert(src, ip)
	r.next = ip + 1
	row, at, tag := r.place(mem.Load64(src, ip))
	size := len(row.tags)
	found := row.equal(tag) &^ (1 << (size - 1)) // ignore the oldest position, which ip replaces
	head := int(row.head[0])
	(*at)[row.push(tag)] = P(ip)
	length, distance := r.shorter, 0
	end := mem.Load32(src, ip+length-3) // the last four bytes that a longer match must have
	for n := r.attempts; n > 0 && found != 0; n-- {
		ref := int((*at)[(head+bits.TrailingZeros64(found))&(size-1)])
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
func (r *row[T]) equal(tag uint8) (equal uint64) {
	const ones = 0x0101010101010101
	size := len(r.tags)
	tags := unsafe.Slice(&r.tags[0], size) // an array of type T cannot be sliced
	for at := 0; at < size; at += 8 {
		const low = 0x7f * ones
		x := binary.LittleEndian.Uint64(tags[at:at+8]) ^ uint64(tag)*ones
		zero := ^((x&low + low) | x | low) // the highest bit of each byte of x that is 0
		equal |= zero >> 7 * 0x0102040810204080 >> 56 << at
	}
	head := int(r.head[0])
	return (equal>>head | equal<<(size-head)) & (1<<size - 1)
}

// seekGeneric searches from ip up to limit for a position with a repetition, and
// reports whether there is one. Its steps grow while it finds nothing.
func (r *rows[P, T, A]) seekGeneric(src []byte, ip, anchor, limit, to int) bool {
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
