// Package ndlz decodes and encodes the streams of C-Blosc2's codec NDLZ. The codec
// looks for similarity in two dimensions: a block of a 2-dimensional array of bytes
// is cut into square cells, and a cell may repeat earlier parts of the stream.
//
// A stream is the byte 2, the block's shape as two little-endian 32-bit numbers,
// and a record for each cell in C order. Cells at the border are clipped. A record
// is a token and its data; references in it count back from the token to literal
// bytes in the stream itself (docs/format/codecs.md §5).
package ndlz

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
)

const headLen = 1 + 4 + 4

// These tokens have the same meaning for cells of side 4 and 8. The other tokens are in
// patterns.
const (
	tokenLiteral = 0x00 // the cell's bytes, row by row
	tokenUniform = 0x40 // one byte, to which all bytes of the cell are equal
	tokenCell    = 0xC0 // one reference to all bytes of the cell
)

// A pattern is a kind of record that takes whole rows of a cell from
// references; the other rows follow as literals.
type pattern struct {
	token    byte
	refs     [][]int // the rows of each reference, which are contiguous
	literals []int   // the other rows
}

// patterns4 and patterns8 are ordered by the length of their records.
var (
	patterns4 = []pattern{
		{token: 40, refs: [][]int{{0, 1}, {2, 3}}}, {token: 48, refs: [][]int{{0, 2}, {1, 3}}}, {token: 56, refs: [][]int{{0, 3}, {1, 2}}},
		{token: 224, refs: [][]int{{1, 2, 3}}}, {token: 232, refs: [][]int{{0, 1, 2}}}, {token: 240, refs: [][]int{{0, 1, 3}}}, {token: 248, refs: [][]int{{0, 2, 3}}},
		{token: 128, refs: [][]int{{2, 3}}}, {token: 136, refs: [][]int{{0, 1}}}, {token: 144, refs: [][]int{{0, 2}}}, {token: 152, refs: [][]int{{0, 3}}},
		{token: 176, refs: [][]int{{1, 2}}}, {token: 184, refs: [][]int{{1, 3}}},
	}
	patterns8 = []pattern{
		{token: 168, refs: [][]int{{0, 1, 2}}}, {token: 169, refs: [][]int{{1, 2, 3}}}, {token: 170, refs: [][]int{{2, 3, 4}}},
		{token: 171, refs: [][]int{{3, 4, 5}}}, {token: 172, refs: [][]int{{4, 5, 6}}}, {token: 173, refs: [][]int{{5, 6, 7}}},
		{token: 136, refs: [][]int{{0, 1}}}, {token: 137, refs: [][]int{{1, 2}}}, {token: 138, refs: [][]int{{2, 3}}}, {token: 139, refs: [][]int{{3, 4}}},
		{token: 140, refs: [][]int{{4, 5}}}, {token: 141, refs: [][]int{{5, 6}}}, {token: 142, refs: [][]int{{6, 7}}},
	}
)

// A geometry holds what depends on the side of a cell.
type geometry struct {
	side     int
	patterns []pattern
	byToken  [256]*pattern
}

var geometry4, geometry8 = newGeometry(4, patterns4), newGeometry(8, patterns8)

func newGeometry(side int, patterns []pattern) *geometry {
	g := &geometry{side: side, patterns: patterns}
	for i := range patterns {
		p := &patterns[i]
		for row := range side {
			if !slices.Contains(slices.Concat(p.refs...), row) {
				p.literals = append(p.literals, row)
			}
		}
		g.byToken[p.token] = p
		if side == 4 && p.token != 128 { // C-Blosc2 ignores the low bits of these tokens
			for low := range byte(8) {
				g.byToken[p.token|low] = p
			}
		}
	}
	return g
}

// geometryOf returns the geometry of a codec's meta byte.
func geometryOf(side int) (*geometry, error) {
	switch side {
	case 4:
		return geometry4, nil
	case 8:
		return geometry8, nil
	}
	return nil, blosc2.Errorf(blosc2.PartBlock, blosc2.ErrUnsupported, "ndlz: cells of side %d; must be 4 or 8", side)
}

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "ndlz: "+format, args...)
}
