package chunk

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/bulk"
)

// Shorter buffers than these are not compressed.
const (
	minCompressed    = 32
	minCompressedOld = 128 // for Blosc1, and for C-Blosc2 before 2.3.1
)

// header returns the header of the chunk of n bytes, for a destination of room bytes.
// CBytes is 0 unless the chunk is memcpyed.
func (p *Params) header(n, room int) (h Header) {
	h = Header{
		Version:      Version,
		CodecVersion: codecVersion,
		Flags:        flagExtended,
		TypeSize:     p.typeSize(),
		NBytes:       n,
		BlockSize:    1,
		Filters:      p.Filters,
		Codec:        p.Codec,
		CodecMeta:    p.CodecMeta,
	}
	if n > 0 {
		h.BlockSize = p.blockSize(n)
	}
	shortest := minCompressedOld
	switch p.Format {
	case Current:
		shortest = minCompressed
	case Blosc1:
		h.Version, h.Flags = VersionBlosc1, 0
	case Beta:
		h.Version, h.Codec = VersionBeta, 0 // byte 22 had no meaning then
	}
	if p.Level == 0 || n < shortest || numBlocks(n, h.BlockSize) > (room-h.Len())/4 {
		h.Flags |= flagMemcpyed
		h.CBytes = h.Len() + n
	}
	if !h.Memcpyed() || p.Format == Beta {
		h.Flags |= p.codingFlags(&h)
	}
	return h
}

// codingFlags returns the bits of byte 2 that say how streams are made.
func (p *Params) codingFlags(h *Header) uint8 {
	flags := codecFormat(p.Codec) << formatShift
	if !p.split(h.BlockSize, h.TypeSize) || h.BlockSize%h.TypeSize != 0 {
		flags |= flagNotSplit
	}
	switch {
	case p.Format == Blosc1 && p.Filters.Has(blosc2.FilterShuffle) && h.TypeSize > 1:
		flags |= flagShuffle
	case p.Format == Blosc1 && p.Filters.Has(blosc2.FilterBitShuffle):
		flags |= flagBitShuffle
	case p.Filters.Has(blosc2.FilterDelta):
		flags |= flagDelta
	}
	return flags
}

// put writes the header to the start of c.
func (h *Header) put(c []byte) {
	c[0], c[1], c[2], c[3] = h.Version, h.CodecVersion, h.Flags, uint8(h.TypeSize)
	putI32(c[4:], h.NBytes)
	putI32(c[8:], h.BlockSize)
	putI32(c[12:], h.CBytes)
	if !h.Extended() {
		return
	}
	for i := range h.Filters.IDs {
		c[16+i] = uint8(h.Filters.IDs[i])
		c[24+i] = h.Filters.Metas[i]
	}
	c[22], c[23] = uint8(h.Codec), h.CodecMeta
	c[30], c[31] = h.VLFlags, h.Flags2
}

// store makes the chunk memcpyed and returns its length. The header is already in c. If
// compression was tried, the codec stays in the flags, as with C-Blosc2.
func (h *Header) store(c, src []byte) int {
	c[2] |= flagMemcpyed
	if h.Extended() {
		c[31] &^= flagDict
	}
	n := h.Len() + bulk.Copy(c[h.Len():], src)
	putI32(c[12:], n)
	return n
}
