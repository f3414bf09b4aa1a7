package ndlz

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/seed03b80dae/blosc2"
)

// maxOffset is the largest distance of a reference: C-Blosc2's decoder adds up to 5
// to it in 16 bits.
const maxOffset = 1<<16 - 1 - 5

// hashBits is explained in docs/codecs.md, section 6.
const hashBits = 13

// An Encoder encodes blocks to streams that C-Blosc2 decodes. It keeps a table of
// 32 KiB, so it is for one goroutine at a time. The zero value is ready for use.
type Encoder struct {
	table [1 << hashBits]uint32 // position in the stream of bytes with this hash, 0 for none
	out   []byte
	limit int
}

// Encode encodes src, a block of rows × cols bytes, into dst with cells of side 4
// or 8 and returns the number of bytes written, or 0 if the stream does not fit
// into len(dst). Any other side returns blosc2.ErrUnsupported; a src that does not
// have rows × cols bytes results in blosc2.ErrOption. Encode keeps neither slice.
func (e *Encoder) Encode(dst, src []byte, side, rows, cols int) (n int, err error) {
	g, err := geometryOf(side)
	if err != nil {
		return 0, err
	}
	if rows < 0 || cols < 0 || rows > math.MaxInt32 || cols > math.MaxInt32 || int64(rows)*int64(cols) != int64(len(src)) {
		return 0, &blosc2.OptionError{Option: "block shape", Value: [2]int{rows, cols}, Range: "two lengths whose product is the block's length"}
	}
	if len(dst) < headLen {
		return 0, nil
	}
	clear(e.table[:])
	e.limit = len(dst)
	e.out = append(dst[:0], 2)
	e.out = binary.LittleEndian.AppendUint32(e.out, uint32(rows))
	e.out = binary.LittleEndian.AppendUint32(e.out, uint32(cols))
	defer func() { e.out = nil }()
	for row := 0; row < rows; row += side {
		for col := 0; col < cols; col += side {
			var buf [64]byte
			cell := buf[:0]
			height, width := min(side, rows-row), min(side, cols-col)
			for i := range height {
				at := (row+i)*cols + col
				cell = append(cell, src[at:at+width]...)
			}
			if !e.cell(g, cell) {
				return 0, nil
			}
		}
	}
	return len(e.out), nil
}

// cell writes the shortest record for a cell, and returns false if it does not fit.
// Clipped cells at the border are stored or uniform, because they are too rare to search
// for.
func (e *Encoder) cell(g *geometry, cell []byte) bool {
	if bytes.Equal(cell[1:], cell[:len(cell)-1]) {
		return e.put(tokenUniform, nil, cell[:1])
	}
	if len(cell) < g.side*g.side {
		return e.put(tokenLiteral, nil, cell)
	}
	if from, ok := e.find(cell); ok {
		return e.put(tokenCell, []int{from}, nil)
	}
	for i := range g.patterns {
		if done, ok := e.rows(g, &g.patterns[i], cell); done {
			return ok
		}
	}
	at := len(e.out) + 1
	if !e.put(tokenLiteral, nil, cell) {
		return false
	}
	e.remember(g, at)
	return true
}

// rows writes the record of a pattern if all of its references are found. It returns
// false otherwise.
func (e *Encoder) rows(g *geometry, p *pattern, cell []byte) (done, ok bool) {
	var refs [2]int
	var buf [64]byte
	for i, rows := range p.refs {
		want := buf[:0]
		for _, row := range rows {
			want = append(want, cell[row*g.side:(row+1)*g.side]...)
		}
		from, found := e.find(want)
		if !found {
			return false, false
		}
		refs[i] = from
	}
	literals := buf[:0]
	for _, row := range p.literals {
		literals = append(literals, cell[row*g.side:(row+1)*g.side]...)
	}
	return true, e.put(p.token, refs[:len(p.refs)], literals)
}

// put writes a record, and returns false if it does not fit.
func (e *Encoder) put(token byte, refs []int, literals []byte) bool {
	at := len(e.out)
	if 1+2*len(refs)+len(literals) > e.limit-at {
		return false
	}
	e.out = append(e.out, token)
	for _, from := range refs {
		e.out = binary.LittleEndian.AppendUint16(e.out, uint16(at-from))
	}
	e.out = append(e.out, literals...)
	return true
}

// find returns the position of the bytes want in the stream, if it is within reach of the
// next token.
func (e *Encoder) find(want []byte) (from int, ok bool) {
	from = int(e.table[hash(want)])
	if from == 0 || len(e.out)-from > maxOffset || from+len(want) > len(e.out) {
		return 0, false
	}
	return from, string(e.out[from:from+len(want)]) == string(want)
}

// remember records the literal cell at a position, and its pairs and triples of
// rows.
func (e *Encoder) remember(g *geometry, at int) {
	cell := e.out[at:]
	e.table[hash(cell)] = uint32(at)
	for row := range g.side - 1 {
		b := cell[row*g.side:]
		e.table[hash(b[:2*g.side])] = uint32(at + row*g.side)
		if len(b) >= 3*g.side {
			e.table[hash(b[:3*g.side])] = uint32(at + row*g.side)
		}
	}
}

// hash returns a hash of the bytes of b and of their number, which is a multiple of 4.
func hash(b []byte) uint64 {
	const k = 0x9E3779B97F4A7C15
	h := uint64(len(b)) * k
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64((h^binary.LittleEndian.Uint64(b))*k, 29)
	}
	if len(b) >= 4 {
		h = (h ^ uint64(binary.LittleEndian.Uint32(b))) * k
	}
	return h * k >> (64 - hashBits)
}
