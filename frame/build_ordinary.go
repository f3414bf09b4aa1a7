package frame

import (
	"bytes"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// bare reports whether a special chunk is only a header. C-Blosc2 reads such a
// chunk from memory and from the index, but not among the chunks of a file, where
// it reads only those with a value.
func bare(s chunk.Special) bool { return s != chunk.NotSpecial && s != chunk.Repeat }

// An ordinary converts special chunks to ordinary ones: chunks of about a hundred
// bytes with run-length streams only.
type ordinary struct {
	h   *header.Header
	lim Limits
	enc *chunk.Encoder
	of  []byte // the last special chunk that was converted
	is  []byte // the ordinary form of that chunk
}

// chunk returns c unless it is a bare special chunk. For that it returns an ordinary
// chunk of the same data, with the block size of the frame. The result is valid until the
// next call.
func (o *ordinary) chunk(c []byte) ([]byte, error) {
	h, err := chunk.ParseHeader(c)
	switch {
	case err != nil:
		return nil, err
	case !bare(h.Special()):
		return c, nil
	case o.of != nil && bytes.Equal(c, o.of): // an array may have millions of equal ones
		return o.is, nil
	}
	if o.enc == nil {
		p := chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: chunkTypeSize(o.h), BlockSize: int(o.h.BlockSize),
			Filters: filters.Default(), PlainZeros: true}
		if o.enc, err = chunk.NewEncoder(p); err != nil {
			return nil, err
		}
	}
	d := chunk.Decoder{MaxBytes: int(o.lim.orDefault().Chunk)}
	data, err := d.Decode(nil, c)
	if err != nil {
		return nil, err
	}
	if o.is, err = o.enc.Encode(o.is[:0], data); err != nil {
		return nil, err
	}
	o.of = append(o.of[:0], c...)
	return o.is, nil
}

// chunkTypeSize returns the typesize for the chunks of a frame. A damaged header may have a
// larger one than chunks can have; they have 1 then, as for any typesize above 255.
func chunkTypeSize(h *header.Header) int {
	if h.TypeSize > chunk.MaxBlockSize {
		return 1
	}
	return int(h.TypeSize)
}

// AppendChunk appends the whole chunk c, as RawChunk returns it, with its record if
// Checks is set. It also counts the chunk: do not call AddChunk for it. C-Blosc2 does not
// read a special chunk that is only a header from a file. AppendChunk writes an ordinary
// chunk of the same data instead.
func (b *Builder) AppendChunk(dst, c []byte) ([]byte, error) {
	h, err := chunk.ParseHeader(c)
	switch {
	case err != nil:
		return dst, err
	case h.NBytes == 0 || h.CBytes != len(c):
		return dst, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "chunk whose header says %d bytes, decoding to %d, has %d bytes", h.CBytes, h.NBytes, len(c))
	}
	o := ordinary{h: &b.h, lim: Limits{Chunk: chunk.MaxBytes}}
	if c, err = o.chunk(c); err != nil {
		return dst, err
	}
	if err := b.note(h.NBytes, len(c)); err != nil {
		return dst, err
	}
	dst = append(dst, c...)
	if b.checks {
		dst = framing.AppendChunkRecord(dst, c)
	}
	return dst, nil
}
