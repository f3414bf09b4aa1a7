package zfp

// A Coder decodes and encodes blocks. It keeps a few KiB of buffers, so it is for
// one goroutine at a time. The zero value is ready for use.
type Coder struct {
	f32  numbers[float32, int32]
	f64  numbers[float64, int64]
	coef [maxCell]uint64
	bits bitPlanes
	cell [maxCell * 8]byte
}

func (c *Coder) scalar(typeSize int) scalar {
	if typeSize == 4 {
		return &c.f32
	}
	return &c.f64
}

// Decode decodes the stream src to the block dst. A stream that ends early, or a
// shape that does not have len(dst) bytes, results in blosc2.ErrCorrupt; a block
// that zfp does not support returns blosc2.ErrUnsupported. Decode keeps neither
// slice.
func (c *Coder) Decode(dst, src []byte, p Params) error {
	g, err := p.grid(len(dst))
	if err != nil {
		return err
	}
	r := bitReader{data: src}
	cell := c.cell[:g.typeSize<<(2*g.dims)]
	return g.cells(func(at [maxDims]int) error {
		c.decodeCell(&r, cell, &g)
		if r.over() {
			return corrupt("truncated stream of %d bytes", len(src))
		}
		g.scatter(dst, cell, at)
		return nil
	})
}

func (c *Coder) decodeCell(r *bitReader, cell []byte, g *grid) {
	start := r.pos
	if r.read(1) == 0 {
		clear(cell)
	} else {
		bits := exponentBits(g.typeSize)
		exp := int(r.read(bits)) - exponentBias(g.typeSize)
		coef := c.coef[:1<<(2*g.dims)]
		decodePlanes(r, coef, 8*g.typeSize, g.planes(exp), g.maxBits-1-bits)
		c.scalar(g.typeSize).decode(cell, coef, g.dims, exp)
	}
	r.pos = max(r.pos, start+g.minBits)
}

// Encode encodes the block src into dst and returns the number of bytes written, or 0 if
// the stream does not fit into len(dst) or the block has numbers that are not finite,
// which zfp cannot code. It returns the same errors as Decode.
func (c *Coder) Encode(dst, src []byte, p Params) (n int, err error) {
	g, err := p.grid(len(src))
	if err != nil {
		return 0, err
	}
	w := bitWriter{dst: dst}
	cell := c.cell[:g.typeSize<<(2*g.dims)]
	finite := true
	err = g.cells(func(at [maxDims]int) error {
		g.gather(cell, src, at)
		finite = finite && c.encodeCell(&w, cell, &g)
		return nil
	})
	if err != nil || !finite {
		return 0, err
	}
	return w.close(), nil
}

func (c *Coder) encodeCell(w *bitWriter, cell []byte, g *grid) (finite bool) {
	s := c.scalar(g.typeSize)
	exp, finite := s.exponent(cell)
	if !finite {
		return false
	}
	planes := g.planes(exp)
	biased := exp + exponentBias(g.typeSize)
	used := 1
	if planes == 0 || biased == 0 {
		w.write(0, 1)
	} else {
		bits := exponentBits(g.typeSize)
		w.write(uint64(biased)<<1|1, 1+bits)
		coef := c.coef[:1<<(2*g.dims)]
		s.encode(coef, cell, g.dims, exp)
		used += bits + encodePlanes(w, coef, &c.bits, 8*g.typeSize, planes, g.maxBits-1-bits)
	}
	w.pad(max(0, g.minBits-used))
	return true
}
