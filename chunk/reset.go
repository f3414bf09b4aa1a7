package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/plain"
)

// Reset changes the parameters. It keeps scratch memory, and the tables of every codec
// used so far. The error is that of p.Validate; after an error the Encoder is unchanged.
// Reset also prepares the zero Encoder.
func (e *Encoder) Reset(p Params) error {
	if e.codec != nil && p.equal(&e.p) {
		return nil
	}
	if err := p.Validate(); err != nil {
		return err
	}
	codec, err := e.codecs.get(p.Codec, false)
	if err != nil {
		return err
	}
	e.p, e.codec = p, codec
	return nil
}

// A codecCache holds the instances of codecs used so far.
type codecCache map[blosc2.CodecID]codecs.Codec

// get returns the instance of a codec. If independent is true, that is another library's
// codec for the same streams, if there is one.
func (m *codecCache) get(id blosc2.CodecID, independent bool) (codecs.Codec, error) {
	if c, ok := (*m)[id]; ok {
		return c, nil
	}
	c, err := codecs.New(id)
	if err != nil {
		return nil, err
	}
	if independent {
		c = plain.Wrap(c)
	}
	if *m == nil {
		*m = make(codecCache)
	}
	(*m)[id] = c
	return c, nil
}

// equal reports whether p and q make the same chunks. It returns false if either has a
// block shape.
func (p *Params) equal(q *Params) bool {
	return p.BlockShape == nil && q.BlockShape == nil && p.Codec == q.Codec && p.CodecMeta == q.CodecMeta &&
		p.Level == q.Level && p.TypeSize == q.TypeSize && p.BlockSize == q.BlockSize && p.Split == q.Split &&
		p.Filters == q.Filters && p.Dict == q.Dict && p.PlainZeros == q.PlainZeros && p.Format == q.Format
}
