// Package ndlz decodes and encodes the streams of C-Blosc2's codec NDLZ. The codec
// looks for similarity in two dimensions: a block of a 2-dimensional array of bytes
// is cut into square cells, and a cell may repeat earlier parts of the stream.
//
// A stream is the byte 2, the block's shape as two little-endian 32-bit numbers,
// and a record for each cell in C order. Cells at the border are clipped. A record
// is a token and its data; references in it count back from the token to literal
// bytes in the stream itself (docs/format/codecs.md §5).
package ndlz

import "github.com/seed03b80dae/blosc2"

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
	token byte
	refs  [][]int // the rows of each reference, which are contiguous
}

// patterns4 and patterns8 are ordered by the length of their records.
var (
	patterns4 = []pattern{
		{40, [][]int{{0, 1}, {2, 3}}}, {48, [][]int{{0, 2}, {1, 3}}}, {56, [][]int{{0, 3}, {1, 2}}},
		{224, [][]int{{1, 2, 3}}}, {232, [][]int{{0, 1, 2}}}, {240, [][]int{{0, 1, 3}}}, {248, [][]int{{0, 2, 3}}},
		{128, [][]int{{2, 3}}}, {136, [][]int{{0, 1}}}, {144, [][]int{{0, 2}}}, {152, [][]int{{0, 3}}},
		{176, [][]int{{1, 2}}}, {184, [][]int{{1, 3}}},
	}
	patterns8 = []pattern{
		{168, [][]int{{0, 1, 2}}}, {169, [][]int{{1, 2, 3}}}, {170, [][]int{{2, 3, 4}}},
		{171, [][]int{{3, 4, 5}}}, {172, [][]int{{4, 5, 6}}}, {173, [][]int{{5, 6, 7}}},
		{136, [][]int{{0, 1}}}, {137, [][]int{{1, 2}}}, {138, [][]int{{2, 3}}}, {139, [][]int{{3, 4}}},
		{140, [][]int{{4, 5}}}, {141, [][]int{{5, 6}}}, {142, [][]int{{6, 7}}},
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

// literal reports whether no reference names the row.
func (p *pattern) literal(row int) bool {
	for _, rows := range p.refs {
		for _, r := range rows {
			if r == row {
				return false
			}
		}
	}
	return true
}

func corrupt(format string, args ...any) error {
	return blosc2.Errorf(blosc2.PartBlock, blosc2.ErrCorrupt, "ndlz: "+format, args...)
}
