package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
)

// index2019 holds the parameters with which the libraries of August 2019 compressed the
// index.
var index2019 = chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, Filters: filters.Default(), Format: chunk.Beta}

// is2019 reports whether the frame holds only chunks and an index. Such a frame has no
// mark, records or trailer.
func (b *Builder) is2019() bool { return b.h.Generation == header.Layout2019 }

// appendTail2019 appends the end of a frame of the layout of 2019.
func (b *Builder) appendTail2019(dst []byte) ([]byte, error) {
	s := sizes{nbytes: b.nbytes, cbytes: b.pos - b.headerLen}
	if len(b.offsets) > 0 {
		index, err := b.index2019()
		if err != nil {
			return dst, err
		}
		dst = append(dst, index...)
		b.pos += int64(len(index))
	}
	s.frame = b.pos
	b.sealedAt = s
	return dst, nil
}

// index2019 returns the index, with offsets of the width that the header states.
func (b *Builder) index2019() ([]byte, error) {
	p := index2019
	p.TypeSize = b.h.OffsetWidth
	if p.TypeSize == 0 {
		p.TypeSize = 8
	}
	var raw []byte
	for _, o := range b.offsets {
		if p.TypeSize < 8 && o>>(8*p.TypeSize) != 0 {
			return nil, blosc2.Errorf(blosc2.PartIndex, blosc2.ErrTooLarge, "offset %d does not fit into %d bytes", o, p.TypeSize)
		}
		switch p.TypeSize {
		case 2:
			raw = binary.LittleEndian.AppendUint16(raw, uint16(o))
		case 4:
			raw = binary.LittleEndian.AppendUint32(raw, uint32(o))
		default:
			raw = binary.LittleEndian.AppendUint64(raw, uint64(o))
		}
	}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		return nil, err
	}
	return enc.Encode(nil, raw)
}
