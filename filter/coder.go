package filter

import (
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/meta"
)

// A coder holds what a call needs: an encoder and a decoder with their scratch
// memory, and the parameters of the last dataset.
type coder struct {
	enc    chunk.Encoder
	params chunk.Params // parameters that enc was last reset to
	ready  bool
	dec    chunk.Decoder

	frame framing
	box   box
	block []byte // one block of an array
	whole []byte // a whole chunk of an array, in the order of its blocks
	shape [meta.MaxDims]int32

	desc     *meta.B2ND // descriptor of the last array written, to which box belongs; nil for none
	descItem int        // bytes of an item of that array
}

var coders = sync.Pool{New: func() any { return new(coder) }}

// reset prepares the encoder, unless it is prepared already.
func (c *coder) reset(p chunk.Params) error {
	shape := p.BlockShape
	if c.ready && same(&c.params, &p) {
		return nil
	}
	c.ready = false
	if err := c.enc.Reset(p); err != nil {
		return err
	}
	c.params, c.ready = p, true
	c.params.BlockShape = append([]int32(nil), shape...)
	return nil
}

// same reports whether two parameters are equal in the fields that this package
// sets.
func same(a, b *chunk.Params) bool {
	if len(a.BlockShape) != len(b.BlockShape) {
		return false
	}
	for i, n := range a.BlockShape {
		if n != b.BlockShape[i] {
			return false
		}
	}
	return a.Codec == b.Codec && a.Level == b.Level && a.TypeSize == b.TypeSize && a.BlockSize == b.BlockSize &&
		a.Split == b.Split && a.Filters == b.Filters && a.Format == b.Format && a.PlainZeros == b.PlainZeros
}

// encode appends src as one chunk.
func (c *coder) encode(dst, src []byte, p chunk.Params) ([]byte, error) {
	if err := c.reset(p); err != nil {
		return dst, err
	}
	return c.enc.Encode(dst, src)
}

// decode appends the decoded bytes of one chunk. A chunk of more than limit bytes is an
// error.
func (c *coder) decode(dst, src []byte, limit int) ([]byte, error) {
	c.dec.MaxBytes, c.dec.TypeSize, c.dec.BlockShape, c.dec.Age = limit, 0, nil, chunk.AgeUnknown
	return c.dec.Decode(dst, src)
}

// resize returns a slice of length n. It reuses the memory of b if that is large enough.
func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func corrupt(part blosc2.Part, format string, args ...any) error {
	return blosc2.Errorf(part, blosc2.ErrCorrupt, format, args...)
}
