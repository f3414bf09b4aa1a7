package zfp

// A Coder decodes and encodes blocks. It keeps a few KiB of buffers, so it is for
// one goroutine at a time. The zero value is ready for use.
type Coder struct {
	f32  float32s
	f64  float64s
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
	l, err := p.limits()
	if err != nil {
		return err
	}
	r := bitReader{data: src}
	cell := c.cell[:p.TypeSize<<(2*g.dims)]
	return g.cells(func(at [maxDims]int) error {
		c.decodeCell(&r, cell, &l, &p)
		if r.over() {
			return corrupt("truncated stream of %d bytes", len(src))
		}
		g.scatter(dst, cell, at, p.TypeSize)
		return nil
	})
}

func (c *Coder) decodeCell(r *bitReader, cell []byte, l *limits, p *Params) {
	dims, start := len(p.Shape), r.pos
	if r.read(1) == 0 {
		clear(cell)
	} else {
		bits := exponentBits(p.TypeSize)
		exp := int(r.read(bits)) - exponentBias(p.TypeSize)
		coef := c.coef[:1<<(2*dims)]
		decodePlanes(r, coef, 8*p.TypeSize, l.planes(exp, dims), l.maxBits-1-bits)
		c.scalar(p.TypeSize).decode(cell, coef, dims, exp)
	}
	r.pos = max(r.pos, start+l.minBits)
}

// Encode encodes the block src into dst and returns the number of bytes written, or 0 if
// the stream does not fit into len(dst) or the block has numbers that are not finite,
// which zfp cannot code. It returns the same errors as Decode.
func (c *Coder) Encode(dst, src []byte, p Params) (n int, err error) {
	g, err := p.grid(len(src))
	if err != nil {
		return 0, err
	}
	l, err := p.limits()
	if err != nil {
		return 0, err
	}
	w := bitWriter{dst: dst}
	cell := c.cell[:p.TypeSize<<(2*g.dims)]
	finite := true
	err = g.cells(func(at [maxDims]int) error {
		g.gather(cell, src, at, p.TypeSize)
		finite = finite && c.encodeCell(&w, cell, &l, &p)
		return nil
	})
	if err != nil || !finite {
		return 0, err
	}
	return w.close(), nil
}

func (c *Coder) encodeCell(w *bitWriter, cell []byte, l *limits, p *Params) (finite bool) {
	s, dims := c.scalar(p.TypeSize), len(p.Shape)
	exp, finite := s.exponent(cell)
	if !finite {
		return false
	}
	planes := l.planes(exp, dims)
	biased := exp + exponentBias(p.TypeSize)
	used := 1
	if planes == 0 || biased == 0 {
		w.write(0, 1)
	} else {
		bits := exponentBits(p.TypeSize)
		w.write(uint64(biased)<<1|1, 1+bits)
		coef := c.coef[:1<<(2*dims)]
		s.encode(coef, cell, dims, exp)
		used += bits + encodePlanes(w, coef, &c.bits, 8*p.TypeSize, planes, l.maxBits-1-bits)
	}
	w.pad(max(0, l.minBits-used))
	return true
}
