package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// Reset changes the parameters. It keeps scratch memory and the tables of every
// codec used so far. The error is that of p.Validate; the Encoder is then
// unchanged. The zero Encoder may be reset too.
func (e *Encoder) Reset(p Params) error {
	if e.codec != nil && p.equal(&e.p) {
		return nil
	}
	if err := p.Validate(); err != nil {
		return err
	}
	codec := e.codec
	if codec == nil || p.Codec != e.p.Codec {
		var err error
		if codec, err = e.codecFor(p.Codec); err != nil {
			return err
		}
	}
	e.p, e.codec = p, codec
	return nil
}

// codecFor returns the Encoder's instance of a codec that is not the present
// one.
func (e *Encoder) codecFor(id blosc2.CodecID) (codecs.Codec, error) {
	c, ok := e.others[id]
	if !ok {
		var err error
		if c, err = codecs.New(id); err != nil {
			return nil, err
		}
	}
	if e.others == nil {
		e.others = make(map[blosc2.CodecID]codecs.Codec)
	}
	if e.codec != nil {
		e.others[e.p.Codec] = e.codec
	}
	return c, nil
}

// equal reports whether p and q make the same chunks. Parameters with a shape
// are taken to differ.
func (p *Params) equal(q *Params) bool {
	return p.BlockShape == nil && q.BlockShape == nil && p.Codec == q.Codec && p.CodecMeta == q.CodecMeta &&
		p.Level == q.Level && p.TypeSize == q.TypeSize && p.BlockSize == q.BlockSize && p.Split == q.Split &&
		p.Filters == q.Filters && p.Dict == q.Dict && p.PlainZeros == q.PlainZeros && p.Format == q.Format
}
