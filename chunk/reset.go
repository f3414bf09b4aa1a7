package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
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

// settings are Params without the shape, so that they can be compared.
type settings struct {
	codec            blosc2.CodecID
	meta             uint8
	level            int
	typeSize, block  int
	split            blosc2.SplitMode
	filters          filters.Pipeline
	dict, plainZeros bool
	format           Format
}

// equal reports whether p and q make the same chunks. Parameters with a shape
// are taken to differ.
func (p *Params) equal(q *Params) bool {
	return p.BlockShape == nil && q.BlockShape == nil && p.settings() == q.settings()
}

func (p *Params) settings() settings {
	return settings{p.Codec, p.CodecMeta, p.Level, p.TypeSize, p.BlockSize, p.Split, p.Filters, p.Dict, p.PlainZeros, p.Format}
}
