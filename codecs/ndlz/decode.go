package ndlz

import "encoding/binary"

// Decode decodes the stream src, in cells of side 4 or 8 (the codec's meta byte),
// into dst. A stream that is damaged, or does not decode to exactly len(dst) bytes,
// results in blosc2.ErrCorrupt; any other side returns blosc2.ErrUnsupported. It is
// safe for concurrent use and keeps neither slice.
func Decode(dst, src []byte, side int) error {
	g, err := geometryOf(side)
	if err != nil {
		return err
	}
	if len(src) < headLen {
		return corrupt("truncated stream: has %d bytes, must have at least %d", len(src), headLen)
	}
	if src[0] != 2 {
		return corrupt("%d dimensions; must be 2", src[0])
	}
	rows := int64(int32(binary.LittleEndian.Uint32(src[1:])))
	cols := int64(int32(binary.LittleEndian.Uint32(src[5:])))
	if rows < 0 || cols < 0 || rows*cols != int64(len(dst)) {
		return corrupt("shape %d × %d does not match a block of %d bytes", rows, cols, len(dst))
	}
	if len(dst) == 0 {
		return nil
	}
	d := decoder{g: g, src: src, pos: headLen}
	for row := 0; row < int(rows); row += side {
		for col := 0; col < int(cols); col += side {
			height, width := min(side, int(rows)-row), min(side, int(cols)-col)
			cell, err := d.cell(height * width)
			if err != nil {
				return err
			}
			at := row*int(cols) + col
			for range height {
				copy(dst[at:], cell[:width])
				cell = cell[width:]
				at += int(cols)
			}
		}
	}
	return nil
}

type decoder struct {
	g   *geometry
	src []byte
	pos int
	buf [64]byte
}

// take returns the next n bytes.
func (d *decoder) take(n int) ([]byte, error) {
	if n > len(d.src)-d.pos {
		return nil, corrupt("stream ends within a cell")
	}
	d.pos += n
	return d.src[d.pos-n : d.pos], nil
}

// reference takes an offset and returns the n bytes at this offset before the
// token.
func (d *decoder) reference(token, n int) ([]byte, error) {
	b, err := d.take(2)
	if err != nil {
		return nil, err
	}
	from := token - int(binary.LittleEndian.Uint16(b))
	if from < 0 || n > len(d.src)-from {
		return nil, corrupt("reference to %d bytes at %d is outside the stream's %d bytes", n, from, len(d.src))
	}
	return d.src[from : from+n], nil
}

// cell decodes the next record to a cell of size bytes, which is valid until the
// next call.
func (d *decoder) cell(size int) ([]byte, error) {
	at := d.pos
	b, err := d.take(1)
	if err != nil {
		return nil, err
	}
	switch token := b[0]; token {
	case tokenLiteral:
		return d.take(size)
	case tokenCell:
		return d.reference(at, size)
	case tokenUniform:
		if b, err = d.take(1); err != nil {
			return nil, err
		}
		for i := range size {
			d.buf[i] = b[0]
		}
		return d.buf[:size], nil
	default:
		p := d.g.byToken[token]
		if p == nil {
			return nil, corrupt("token %#02x", token)
		}
		return d.rows(p, at)
	}
}

// rows decodes a record with references to rows.
func (d *decoder) rows(p *pattern, at int) ([]byte, error) {
	side := d.g.side
	cell := d.buf[:side*side]
	for _, rows := range p.refs {
		b, err := d.reference(at, len(rows)*side)
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			copy(cell[row*side:(row+1)*side], b[i*side:])
		}
	}
	for _, row := range p.literals {
		b, err := d.take(side)
		if err != nil {
			return nil, err
		}
		copy(cell[row*side:], b)
	}
	return cell, nil
}
