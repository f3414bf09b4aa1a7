package filter

import (
	"bytes"
	"encoding/binary"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A framing reads and writes frames of one chunk. The frames of a dataset differ only in
// their sizes, so the parsed header is kept for the next frame.
type framing struct {
	raw  []byte // the last header that was read, with sizes of 0
	same []byte // the header of the current frame, with sizes of 0
	h    *header.Header
	desc *meta.B2ND // descriptor of the array; nil if the frame does not hold one
	item int        // bytes of an item of the array

	out   header.Header // header of frames to be written
	layer [1]meta.Layer
	index []byte
}

// These are the offsets of the sizes in the header (docs/format/frame.md §1.1).
// Only the sizes change from chunk to chunk.
const (
	frameLenAt = 16
	nbytesAt   = 30
	cbytesAt   = 39
	sizesEnd   = 47
)

// parse reads the header of the frame in src, and returns its sizes.
func (f *framing) parse(src []byte) (headerLen, frameLen, nbytes, cbytes int64, err error) {
	n, err := header.Size(src)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	if n < header.MinLen || n > len(src) {
		return 0, 0, 0, 0, corrupt(blosc2.PartHeader, "invalid header length %d in %d bytes", n, len(src))
	}
	f.same = append(f.same[:0], src[:n]...)
	clear(f.same[frameLenAt : frameLenAt+8])
	clear(f.same[nbytesAt : nbytesAt+8])
	clear(f.same[cbytesAt:sizesEnd])
	if f.h == nil || !bytes.Equal(f.same, f.raw) {
		f.h = nil
		h, err := header.Parse(src[:n])
		if err != nil {
			return 0, 0, 0, 0, err
		}
		f.desc, f.item = nil, 0
		if b, ok := h.Layer(meta.B2NDName); ok {
			if f.desc, err = meta.ParseB2ND(b); err != nil {
				return 0, 0, 0, 0, err
			}
			f.item = int(h.TypeSize)
		}
		f.raw, f.h = append(f.raw[:0], f.same...), h
	}
	be := binary.BigEndian
	return int64(n), int64(be.Uint64(src[frameLenAt:])), int64(be.Uint64(src[nbytesAt:])), int64(be.Uint64(src[cbytesAt:])), nil
}

// one returns the only chunk of the frame in src. If that chunk is only an entry of the
// index, it returns the kind of special chunk and its number of bytes. ok is false for
// any other frame: of several chunks, unsealed, or of an older layout.
func (c *coder) one(src []byte) (stored []byte, s chunk.Special, nbytes int64, ok bool, err error) {
	f := &c.frame
	headerLen, frameLen, nbytes, cbytes, err := f.parse(src)
	if err != nil {
		return nil, 0, 0, false, err
	}
	end := headerLen + cbytes
	switch {
	case f.h.Generation != header.Current || f.h.Type != header.Contiguous || f.h.OffsetWidth != 8 || f.h.VLBlocks:
		return nil, 0, 0, false, nil
	case nbytes <= 0 || !f.h.VariableChunks && nbytes > int64(f.h.ChunkSize):
		return nil, 0, 0, false, nil
	case cbytes < 0 || frameLen < 0 || frameLen > int64(len(src)) || end < headerLen || end+chunk.HeaderLen > frameLen:
		return nil, 0, 0, false, nil // package frame will return the error
	}
	index := src[end:frameLen]
	h, err := chunk.ParseHeader(index)
	if err != nil || h.NBytes != 8 {
		return nil, 0, 0, false, nil
	}
	if f.index, err = c.decode(f.index[:0], index, 8); err != nil {
		return nil, 0, 0, false, nil
	}
	offset := int64(binary.LittleEndian.Uint64(f.index))
	switch {
	case offset < 0:
		for _, is := range [...]struct {
			bit int64
			s   chunk.Special
		}{{1, chunk.Zeros}, {4, chunk.Uninit}, {2, chunk.NaN}} {
			if offset>>56&is.bit != 0 {
				return nil, is.s, nbytes, true, nil
			}
		}
		return nil, 0, 0, false, nil
	case offset > cbytes-chunk.MinHeaderLen:
		return nil, 0, 0, false, nil
	}
	stored = src[headerLen+offset : end]
	if h, err = chunk.ParseHeader(stored); err != nil || int64(h.NBytes) != nbytes || h.CBytes > len(stored) {
		return nil, 0, 0, false, nil
	}
	return stored, chunk.NotSpecial, nbytes, true, nil
}

// setUp prepares the decoder for the chunk of the frame. It does what framing.SetUp does,
// without allocating.
func (c *coder) setUp(limit int) {
	c.dec.MaxBytes, c.dec.TypeSize, c.dec.BlockShape, c.dec.Age = limit, int(c.frame.h.TypeSize), nil, chunk.AgeNew
	if c.frame.desc != nil {
		c.dec.BlockShape = c.frame.desc.BlockShape
	}
}

// append appends a sealed frame with one chunk of nbytes bytes. put appends the chunk.
func (f *framing) append(dst []byte, nbytes int, put func(dst []byte) ([]byte, error)) ([]byte, error) {
	start := len(dst)
	f.out.NBytes, f.out.ChunkSize = int64(nbytes), int32(nbytes)
	f.out.FrameLen, f.out.CBytes = 0, 0
	out, err := f.out.Append(dst)
	if err != nil {
		return dst, err
	}
	headerLen := len(out) - start
	if out, err = put(out); err != nil {
		return dst, err
	}
	f.out.CBytes = int64(len(out) - start - headerLen)
	out = append(out, storedIndex[:]...)
	if out, err = (&header.Trailer{}).Append(out); err != nil {
		return dst, err
	}
	f.out.FrameLen = uint64(len(out) - start)
	if _, err = f.out.Append(out[:start]); err != nil { // overwrite the header with one of the same length
		return dst, err
	}
	return out, nil
}

// storedIndex is the index of a frame with one chunk, which follows the header. It is a
// stored chunk that holds one offset, 0.
var storedIndex = [chunk.HeaderLen + 8]byte{
	0: chunk.Version, 1: 1, 2: 7, 3: 8, 4: 8, 8: 8, 12: chunk.HeaderLen + 8, 21: byte(blosc2.FilterShuffle),
}
