package b2nd

import (
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// begin determines the array from the header.
func (a *Reader) begin(most int64) error {
	h, err := a.r.Header()
	if err != nil {
		return err
	}
	a.h = h
	if err := a.describe(h); err != nil {
		return err
	}
	item := int64(h.TypeSize)
	if a.grid, err = newGrid(a.desc.Shape, a.desc.ChunkShape, a.desc.BlockShape, item); err != nil {
		return err
	}
	a.dtype = a.desc.ItemType(int(item))
	a.text = a.dtype.String()
	if rows, ok := a.r.Rows(); ok && len(a.desc.Shape) > 0 {
		if a.desc, a.grid, err = withRows(a.desc, rows, item); err != nil {
			return err
		}
	} else if h.FrameLen != 0 {
		if err := a.sealed(h); err != nil {
			return err
		}
	} else if g := a.grid; len(g.shape) > 0 && g.chunk[0] > 0 && g.shape[0]%g.chunk[0] == 0 && product(g.shape[1:]) > 0 {
		a.growing, a.unknown = true, g.shape[0] == 0
	}
	a.slabs, a.count = a.grid.slabs(), a.grid.chunks()
	if a.slabs.chunks > 0 {
		a.count /= a.slabs.chunks
	}
	rows := a.slabs.rows
	if !a.growing && len(a.grid.shape) > 0 {
		rows = min(rows, a.grid.shape[a.slabs.axis])
	}
	if n := mul(rows, a.slabs.row); n > most || int64(int(n)) != n {
		return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrTooLarge,
			"a row of chunks has %d rows of %d bytes; the limit is %d bytes (MaxAlloc)", rows, a.slabs.row, most)
	}
	return nil
}

// describe parses the metalayer.
func (a *Reader) describe(h *header.Header) (err error) {
	if b, ok := h.Layer(meta.B2NDName); ok {
		a.desc, err = meta.ParseB2ND(b)
		return err
	}
	b, ok := h.Layer(meta.CatervaName)
	if !ok {
		return errNoArray()
	}
	c, err := meta.ParseCaterva(b)
	if err != nil {
		return err
	}
	size := int(h.BlockSize)
	if h.NBytes > 0 || h.FrameLen == 0 { // some headers do not state the block size, but every chunk does
		a.held, err = a.r.NextChunk()
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil {
			first, err := a.r.ChunkHeader()
			if err != nil {
				return err
			}
			size = first.BlockSize
		}
	}
	a.desc, _ = c.B2ND(int(h.TypeSize), size)
	return nil
}

// sealed compares the shape with the size of a sealed frame. A growing array that
// was repaired has more whole slabs than its shape says. One that was sealed
// without its final shape holds that in a vlmetalayer.
func (a *Reader) sealed(h *header.Header) error {
	if h.NBytes == 0 {
		if a.grid.chunks() > 0 {
			return a.miscounted(0)
		}
		return nil
	}
	n := int64(0)
	if a.grid.chunkBytes > 0 && h.NBytes%a.grid.chunkBytes == 0 {
		n = h.NBytes / a.grid.chunkBytes
	}
	if n == 0 {
		return shapeErrorf("chunks of %d bytes, but the frame has %d bytes", a.grid.chunkBytes, h.NBytes)
	}
	if len(a.grid.shape) > 0 && a.grid.chunks() < n {
		if b, ok, err := a.r.VLMeta(meta.B2NDName); err == nil && ok {
			if err := a.last(b); err != nil {
				return err
			}
		} else if a.grid.shape[0] == 0 && product(a.grid.shape[1:]) > 0 {
			a.growing, a.unknown = true, true
			return nil
		}
	}
	mark, ok := h.Layer(meta.StreamName)
	if s, err := meta.ParseStream(mark); ok && err == nil && s.Ordered && s.Holds(h.FrameLen, h.NBytes, h.CBytes) {
		a.desc, a.grid, ok = grownTo(a.desc, a.grid, n)
		if ok { // an incomplete slab does not count
			a.surplus = n > a.grid.chunks()
			n = a.grid.chunks()
		}
	}
	if n != a.grid.chunks() {
		return a.miscounted(n)
	}
	return nil
}

func (a *Reader) miscounted(n int64) error {
	return shapeErrorf("shape %v in chunks of %v needs %d chunks, the frame has %d", a.grid.shape, a.grid.chunk, a.grid.chunks(), n)
}

// last takes the final shape from the vlmetalayer.
func (a *Reader) last(b []byte) error {
	desc, err := lastShape(b, a.desc)
	if err != nil {
		return err
	}
	g, err := newGrid(desc.Shape, desc.ChunkShape, desc.BlockShape, a.grid.item)
	if err != nil {
		return err
	}
	a.desc, a.grid = desc, g
	return nil
}

// next reads a slab, into p if it fits, and returns its length n; otherwise
// into a.slab, and sets a.out to it. If there are no rows it does neither.
func (a *Reader) next(p []byte) (n int, err error) {
	if a.err != nil {
		return 0, a.err
	}
	if n, err = a.slabInto(p); err != nil {
		a.out, a.err = nil, err
		if err != io.EOF {
			a.r.Close()
		}
	}
	return n, err
}

// slabInto does the work of next, except for error handling.
func (a *Reader) slabInto(p []byte) (n int, err error) {
	more := a.done >= a.count // this slab, if there is one, is not counted in the shape
	first, err := a.chunk()
	if err == io.EOF {
		return 0, a.end(0)
	}
	if err != nil {
		return 0, err
	}
	if more && a.surplus {
		return 0, io.EOF
	}
	if more && !a.growing {
		return 0, a.miscounted(a.count*a.slabs.chunks + 1)
	}
	rows := a.slabs.rows
	if !a.growing || a.slabs.axis > 0 {
		rows = a.grid.rowsOf(a.slabs, a.done)
	}
	size := rows * a.slabs.row
	dst, direct := p, int64(len(p)) >= size
	if !direct {
		if int64(len(a.slab)) < size {
			a.slab = make([]byte, size)
		}
		dst = a.slab
	}
	dst = dst[:size]
	a.grid.scatter(&a.mover, a.slabs, dst, first, 0, rows)
	for i := int64(1); i < a.slabs.chunks; i++ {
		c, err := a.chunk()
		if err == io.EOF {
			return 0, a.end(i)
		}
		if err != nil {
			return 0, err
		}
		a.grid.scatter(&a.mover, a.slabs, dst, c, i, rows)
	}
	a.done++
	if more && a.slabs.axis == 0 && a.slabs.rows > 1 {
		if a.held, err = a.chunk(); err == io.EOF {
			if err = a.end(0); err == io.EOF {
				a.err = err // the next call returns io.EOF
				left := a.grid.shape[0] - (a.done-1)*a.slabs.rows
				dst, err = dst[:min(max(left, 0), rows)*a.slabs.row], nil
			}
		}
		if err != nil {
			return 0, err
		}
	}
	if direct {
		return len(dst), nil
	}
	a.out = dst
	return 0, nil
}

// chunk returns the next chunk, whose bytes are valid until it is called again.
func (a *Reader) chunk() (c []byte, err error) {
	if c = a.held; c == nil {
		c, err = a.r.NextChunk()
	}
	a.held = nil
	if err != nil || int64(len(c)) == a.grid.chunkBytes {
		return c, err
	}
	a.whole = append(a.whole[:0], c...)
	for int64(len(a.whole)) < a.grid.chunkBytes {
		if c, err = a.r.NextChunk(); err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		a.whole = append(a.whole, c...)
	}
	if n := int64(len(a.whole)); n != a.grid.chunkBytes {
		return nil, blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "decodes to %d bytes; a chunk of the array must have %d", n, a.grid.chunkBytes), a.done*a.slabs.chunks, -1)
	}
	return a.whole, nil
}

// end handles the end of the frame, after some chunks of another slab. It makes
// the shape of a growing array final, and returns io.EOF if the array is
// complete.
func (a *Reader) end(some int64) error {
	if !a.growing {
		if a.done < a.count {
			return a.miscounted(a.done*a.slabs.chunks + some)
		}
		return io.EOF
	}
	a.growing, a.unknown = false, false
	if b, ok, err := a.r.VLMeta(meta.B2NDName); err != nil {
		return err
	} else if ok {
		if err := a.last(b); err != nil {
			return err
		}
	} else if n := a.done*a.slabs.chunks + some; n > a.grid.chunks() {
		// The Writer may have died before it wrote the shape: see flushed.
		if desc, g, ok := grownTo(a.desc, a.grid, n); ok {
			a.desc, a.grid = desc, g
			some = 0
		}
	}
	n := a.done*a.slabs.chunks + some
	if a.count = a.done; n != a.grid.chunks() {
		return a.miscounted(n)
	}
	return io.EOF
}
