package table

import (
	"math/bits"
	"sort"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
)

// live says which places of a table hold rows. Pieces whose places are all alike
// take no memory.
type live struct {
	places int64
	total  int64   // rows
	pieces []piece // of pieceLen places each
}

// piece is what is known of some places.
type piece struct {
	before int64    // rows before it
	rows   int64    // in it
	bits   []uint64 // nil where all places are rows, or none is
}

const (
	pieceLen  = 1 << 16
	maxPlaces = 1 << 32
)

// read reads which places are rows.
func (l *live) read(valid *b2nd.Array) error {
	if l.places = valid.Len(); l.places > maxPlaces {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "table of %d places, at most %d are read", l.places, int64(maxPlaces))
	}
	buf := make([]byte, min(l.places, 64*pieceLen))
	for from := int64(0); from < l.places; from += int64(len(buf)) {
		b := buf[:min(int64(len(buf)), l.places-from)]
		if err := window(valid, b, from, from+int64(len(b))); err != nil {
			return err
		}
		for len(b) > 0 {
			n := min(len(b), pieceLen)
			l.add(b[:n])
			b = b[n:]
		}
	}
	return nil
}

// add notes the places that follow.
func (l *live) add(b []byte) {
	p := piece{before: l.total}
	for _, v := range b {
		if v != 0 {
			p.rows++
		}
	}
	if p.rows != 0 && p.rows != int64(len(b)) {
		p.bits = make([]uint64, (len(b)+63)/64)
		for i, v := range b {
			if v != 0 {
				p.bits[i/64] |= 1 << (i % 64)
			}
		}
	}
	l.total += p.rows
	l.pieces = append(l.pieces, p)
}

// place returns the place of a row, which must be there.
func (l *live) place(row int64) int64 {
	i := sort.Search(len(l.pieces), func(i int) bool { return l.pieces[i].before+l.pieces[i].rows > row })
	p := &l.pieces[i]
	at, k := int64(i)*pieceLen, row-p.before
	if p.bits == nil {
		return at + k
	}
	for w, word := range p.bits {
		n := int64(bits.OnesCount64(word))
		if k >= n {
			k -= n
			continue
		}
		for ; k > 0; k-- {
			word &= word - 1
		}
		return at + int64(w)*64 + int64(bits.TrailingZeros64(word))
	}
	return at // not reached: the piece has the row
}

// all reports whether every place in [from, to) is a row.
func (l *live) all(from, to int64) bool {
	for i := from / pieceLen; i*pieceLen < to; i++ {
		p := &l.pieces[i]
		if p.bits == nil && p.rows > 0 {
			continue
		}
		for at := max(from, i*pieceLen); at < min(to, (i+1)*pieceLen); at++ {
			if !l.is(at) {
				return false
			}
		}
	}
	return true
}

// is reports whether a place is a row.
func (l *live) is(place int64) bool {
	p := &l.pieces[place/pieceLen]
	if p.bits == nil {
		return p.rows > 0
	}
	k := place % pieceLen
	return p.bits[k/64]>>(k%64)&1 != 0
}

// count is the number of rows in [from, to).
func (l *live) count(from, to int64) (n int64) {
	for i := from / pieceLen; i*pieceLen < to; i++ {
		start, stop := max(from, i*pieceLen), min(to, (i+1)*pieceLen)
		switch p := &l.pieces[i]; {
		case start == i*pieceLen && stop == (i+1)*pieceLen, p.bits == nil && p.rows == 0:
			n += p.rows
		case p.bits == nil:
			n += stop - start
		default:
			for at := start; at < stop; at++ {
				if l.is(at) {
					n++
				}
			}
		}
	}
	return n
}

// compact keeps the items of s that are rows; s begins at a place.
func compact[T any](l *live, s []T, from int64) []T {
	if l.all(from, from+int64(len(s))) {
		return s
	}
	out := s[:0]
	for i, v := range s {
		if l.is(from + int64(i)) {
			out = append(out, v)
		}
	}
	return out
}
