package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// rows keep, for inputs of at most 64 KiB, the last positions of each hash side
// by side in a cache line: a search reads one, and of the positions that it
// finds there those alone whose tags, more bits of the hash, are the same.
type rows struct {
	table    *[1 << rowBits]row
	shift    int // of a hash, from where it takes the row and the tag
	next     int // first position that is not in the table
	attempts int // positions that a search compares at most
	rep      int // the distance that may be repeated, 0 for none
	greedy   bool

	// What seek has found.
	ip       int  // where
	repeated bool // four bytes after ip repeat the distance; what follows is 0 if greedy
	length   int  // of the longest match at ip, 0 if there is none
	distance int
}

// The assembly knows the layout of rows and row, and what follows.
const (
	rowBits = 12 // as many rows are there at most
	rowSize = 16
	tagBits = 8
)

// A row is a ring of positions; head is the place of the latest one.
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

// insert puts a position in the place of the oldest.
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

// searchGeneric finds the longest match at ip, the nearest of them, and enters
// ip.
func (r *rows) searchGeneric(src []byte, ip, to int) {
	r.length, r.distance = 0, 0
	r.insert(src, ip)
	r.next = ip + 1
	word := mem.Load32(src, ip)
	row, tag := r.place(word)
	found := row.equal(tag) &^ (1 << (rowSize - 1)) // ip replaces the oldest
	head := int(row.head)
	row.insert(tag, ip)
	length, distance := MinMatch-1, 0
	end := word // the last bytes of a match that is longer
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

// equal returns which tags are tag, the latest in the lowest bit.
func (r *row) equal(tag uint8) uint16 {
	same := uint16(0)
	for i := range r.tags {
		if r.tags[i] == tag {
			same |= 1 << i
		}
	}
	return bits.RotateLeft16(same, -int(r.head))
}

// seekGeneric looks from ip on, up to limit, for a place where something
// repeats, and reports whether there is one. The longer nothing is found, the
// farther apart the places are at which it looks.
func (r *rows) seekGeneric(src []byte, ip, anchor, limit, to int) bool {
	for ip < limit {
		r.repeated = r.rep > 0 && r.rep <= ip && mem.Load32(src, ip+1) == mem.Load32(src, ip+1-r.rep)
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

// findRows is find with rows instead of chains.
func (f *Finder) findRows(src []byte, from, to int, e Effort) {
	r := &f.rows
	r.attempts, r.greedy = e.Rows, e.Lazy == 0
	f.seqs = f.seqs[:0]
	limit := to - tail
	anchor, ip := from, max(from, 1)
	for {
		r.rep = f.rep[0]
		if !seekRows(r, src, ip, anchor, limit, to) {
			break
		}
		m := match{start: r.ip + 1, off: 1}
		if r.repeated {
			m.length = extend(src, r.ip+1, r.ip+1-r.rep, to)
		}
		if r.length > m.length {
			m = match{r.ip, r.length, r.distance + RepeatCodes}
		}
		if e.Lazy > 0 {
			m = r.better(src, m, e.Lazy, limit, to)
		}
		if m.off > RepeatCodes {
			distance := m.off - RepeatCodes
			for m.start > anchor && m.start > distance && src[m.start-1] == src[m.start-1-distance] {
				m.start--
				m.length++
			}
			f.rep = [2]int{distance, f.rep[0]}
		}
		f.seqs = append(f.seqs, Seq{uint32(m.start - anchor), uint32(m.length), uint32(m.off)})
		ip = m.start + m.length
		anchor = ip
		for d := f.rep[1]; d > 0 && d <= ip && ip < limit && mem.Load32(src, ip) == mem.Load32(src, ip-d); d = f.rep[1] {
			length := extend(src, ip, ip-d, to)
			f.rep[0], f.rep[1] = f.rep[1], f.rep[0]
			f.seqs = append(f.seqs, Seq{0, uint32(length), 1})
			ip += length
			anchor = ip
		}
	}
}

// better looks at the next positions for a match that is worth more than m.
func (r *rows) better(src []byte, m match, lazy, limit, to int) match {
	for ip, ahead := r.ip, 1; ahead <= lazy && ip+1 < limit; ahead++ {
		ip++
		// The further ahead, the more must be gained: what is skipped becomes
		// literals.
		perByte, patience := 3, 4
		if ahead == 2 {
			perByte, patience = 4, 7
		}
		if d := r.rep; d > 0 && d <= ip && m.off != 1 && mem.Load32(src, ip) == mem.Load32(src, ip-d) {
			if n := (match{ip, extend(src, ip, ip-d, to), 1}); n.worth(perByte) > m.worth(perByte)+1 {
				m = n
			}
		}
		searchRows(r, src, ip, to)
		if n := (match{ip, r.length, r.distance + RepeatCodes}); r.length >= MinMatch && n.worth(4) > m.worth(4)+patience {
			m, ahead = n, 0
		}
	}
	return m
}
