package table

import (
	"bytes"
	"math"
	"math/bits"
	"sort"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
)

// A live records which places of a table hold rows. A piece in which all places hold
// rows, or none does, takes little memory.
type live struct {
	places int64
	total  int64   // number of rows
	pieces []piece // each piece has pieceLen places
}

// A piece records which of some places hold rows.
type piece struct {
	before int64    // number of rows before the piece
	rows   int64    // number of rows in the piece
	bits   []uint64 // nil if all places hold rows or none does
}

const (
	pieceLen  = 1 << 16
	maxPlaces = 1 << 32
)

// read reads which places are rows.
func (l *live) read(valid *b2nd.Array) error {
	if l.places = valid.Len(); l.places > maxPlaces {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge, "table of %d positions; the limit is %d", l.places, int64(maxPlaces))
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

// add records the next places.
func (l *live) add(b []byte) {
	p := piece{before: l.total, rows: int64(len(b) - bytes.Count(b, []byte{0}))}
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

// place returns the place of a row, which must exist.
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
	return at // unreachable: the piece has the row
}

// is reports whether a place holds a row.
func (l *live) is(place int64) bool {
	word, _ := l.word(place)
	return word&1 != 0
}

// word returns which places from the given one on hold rows, the first in the lowest
// bit, and the number of places that it describes, at most 64.
func (l *live) word(place int64) (word uint64, n int64) {
	p := &l.pieces[place/pieceLen]
	n = 64 - place%64
	switch {
	case p.bits != nil:
		return p.bits[place%pieceLen/64] >> (place % 64), n
	case p.rows > 0:
		return math.MaxUint64, n
	}
	return 0, n
}

// count returns the number of rows in the places [from, to).
func (l *live) count(from, to int64) (n int64) {
	for at := from; at < to; {
		p := &l.pieces[at/pieceLen]
		if end := min((at/pieceLen+1)*pieceLen, to); p.bits == nil || at%pieceLen == 0 && end-at == pieceLen {
			if p.rows > 0 {
				n += min(p.rows, end-at)
			}
			at = end
			continue
		}
		word, k := l.word(at)
		k = min(k, to-at)
		n += int64(bits.OnesCount64(word << (64 - k)))
		at += k
	}
	return n
}

// compact returns the items of s that are rows; from is the place of s[0].
func compact[T any](l *live, s []T, from int64) []T {
	to := from + int64(len(s))
	if l.count(from, to) == int64(len(s)) {
		return s
	}
	out := s[:0]
	for at := from; at < to; {
		word, n := l.word(at)
		n = min(n, to-at)
		part := s[at-from:][:n]
		for word = word << (64 - n) >> (64 - n); word != 0; { // a run of rows without a deleted one
			first := bits.TrailingZeros64(word)
			end := first + bits.TrailingZeros64(^(word >> first))
			out = append(out, part[first:end]...)
			word &= math.MaxUint64 << end
		}
		at += n
	}
	return out
}
