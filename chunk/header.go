package chunk

import (
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

// These are the lengths of the two kinds of header, and the limits of the format
// (docs/format/chunk.md §1 and §9).
const (
	MinHeaderLen = 16 // header of Blosc1, with which every header begins
	HeaderLen    = 32 // header of Blosc2
	Overhead     = HeaderLen

	MaxBytes     = 1<<31 - 1 - Overhead // largest number of bytes that one chunk can hold
	MaxBlockSize = 536866816            // bytes in the largest block
	MaxTypeSize  = 255                  // the largest typesize that a header holds
	MaxDict      = 32768                // bytes in the longest dictionary
)

// These are the chunk format versions (byte 0) that matter to a reader.
const (
	VersionBlosc1 = 2 // all releases of Blosc1
	VersionAlpha  = 3 // C-Blosc2 alphas: five filter slots
	VersionBeta   = 4 // C-Blosc2 2.0.0 betas to 2.0.2
	Version       = 5 // C-Blosc2 since 2.0.3
	VersionVL     = 6 // blocks of variable length, C-Blosc2 since 3.0.0
)

// These are the bits of byte 2.
const (
	flagShuffle    = 0x01
	flagMemcpyed   = 0x02
	flagBitShuffle = 0x04
	flagDelta      = 0x08
	flagNotSplit   = 0x10
	flagExtended   = flagShuffle | flagBitShuffle
	formatShift    = 5
)

// These are the bits of byte 31 (blosc2_flags) and of byte 30 (blosc2_flags2).
const (
	flagDict         = 0x01
	flagLazy         = 0x08
	flagInstrumented = 0x80
	specialShift     = 4

	flagVLBlocks = 0x01
)

// A Special is the kind of a special chunk, which holds a single value.
type Special uint8

// These are the kinds of special chunks (docs/format/chunk.md §6).
const (
	NotSpecial Special = iota
	Zeros
	NaN    // quiet NaNs of 4 or 8 bytes
	Repeat // a value that follows the header
	Uninit // unspecified bytes; decoded as zeros
)

var specialNames = [...]string{"none", "zeros", "nan", "value", "uninit"}

// String returns the name of the kind.
func (s Special) String() string {
	if int(s) < len(specialNames) {
		return specialNames[s]
	}
	return "reserved"
}

// A Header is the header of a chunk: its first 16 or 32 bytes.
type Header struct {
	Version      uint8
	CodecVersion uint8 // version of the codec's format, which is ignored
	Flags        uint8 // byte 2 as stored
	Flags2       uint8 // byte 31 (blosc2_flags); 0 in Blosc1 chunks
	VLFlags      uint8 // byte 30 (blosc2_flags2); 0 in Blosc1 chunks
	TypeSize     int   // 1 to 255; 1 is also stored for any larger typesize
	NBytes       int   // length of the decoded buffer
	BlockSize    int   // as stored; with VL-blocks the number of blocks. Layout has the true size
	CBytes       int   // length of the chunk, header included

	Filters   filters.Pipeline // filters that the decoder undoes
	Codec     blosc2.CodecID   // codec that decodes the streams
	CodecMeta uint8

	stored blosc2.CodecID // byte 22
}

// Len returns the length of the header: 16 or 32 bytes.
func (h *Header) Len() int {
	if h.Extended() {
		return HeaderLen
	}
	return MinHeaderLen
}

// Extended reports whether this is the header of Blosc2, of 32 bytes.
func (h *Header) Extended() bool { return h.Flags&flagExtended == flagExtended }

// Memcpyed reports whether the payload is the buffer itself, neither filtered
// nor compressed.
func (h *Header) Memcpyed() bool { return h.Flags&flagMemcpyed != 0 }

// Special returns the kind of a special chunk, and 0 for any other chunk.
func (h *Header) Special() Special { return Special(h.Flags2 >> specialShift & 7) }

// VLBlocks reports whether the blocks may differ in size.
func (h *Header) VLBlocks() bool { return h.VLFlags&flagVLBlocks != 0 }

// HasDict reports whether a dictionary follows the block starts. C-Blosc2 also
// sets the flag in memcpyed chunks, which have no dictionary
// (docs/format/chunk.md T3).
func (h *Header) HasDict() bool { return h.Flags2&flagDict != 0 && !h.Memcpyed() }

// Split reports whether full blocks are cut into TypeSize streams.
func (h *Header) Split() bool {
	if h.Flags&flagNotSplit != 0 || h.VLBlocks() {
		return false
	}
	if h.Version == VersionBlosc1 {
		return splitInBlosc1(min(h.BlockSize, h.NBytes), h.TypeSize)
	}
	return true
}

// An Age says when a chunk was written. The filter bitshuffle depends on it in chunks of
// version 4 that do not show their age.
type Age uint8

const (
	AgeUnknown Age = iota
	AgeOld         // before 21 February 2020
	AgeNew         // since 21 February 2020
)

// filterVersion returns the version that determines how filters treat the bytes at the
// end of a block, and whether that is ambiguous. It is ambiguous for version 4 before 29
// April 2021, when byte 22 got its meaning, and for version 3 with a header of Blosc1,
// which Blosc 1.18.0 also wrote.
func (h *Header) filterVersion(age Age) (version uint8, undated bool) {
	open := h.Version == VersionBeta && h.stored == 0 || h.Version == VersionAlpha && !h.Extended()
	switch {
	case open && age == AgeOld:
		return VersionAlpha, false
	case open:
		return VersionBeta, age == AgeUnknown
	}
	return h.Version, false
}

// regular reports whether the payload consists of block starts and blocks.
func (h *Header) regular() bool {
	return h.NBytes > 0 && !h.Memcpyed() && h.Special() == NotSpecial
}

// ParseHeader reads the header of a chunk from its first bytes. There must be 32 of them;
// 16 are enough for a header of Blosc1. It checks all that the header alone shows. Errors
// are a *blosc2.FormatError that wraps blosc2.ErrCorrupt, blosc2.ErrUnsupported or
// io.ErrUnexpectedEOF.
func ParseHeader(b []byte) (Header, error) {
	var h Header
	if err := h.parse(b); err != nil {
		return Header{}, err
	}
	return h, nil
}

func (h *Header) parse(b []byte) error {
	if len(b) < MinHeaderLen {
		return fault(0, io.ErrUnexpectedEOF, "truncated header: has %[2]d of %[1]d bytes", MinHeaderLen, len(b))
	}
	*h = Header{
		Version:      b[0],
		CodecVersion: b[1],
		Flags:        b[2],
		TypeSize:     int(b[3]),
		NBytes:       i32(b[4:]),
		BlockSize:    i32(b[8:]),
		CBytes:       i32(b[12:]),
	}
	if h.Extended() {
		if len(b) < HeaderLen {
			return fault(MinHeaderLen, io.ErrUnexpectedEOF, "truncated header: has %[2]d of %[1]d bytes", HeaderLen, len(b))
		}
		h.VLFlags, h.Flags2 = b[30], b[31]
		h.Filters = storedFilters(b)
		h.CodecMeta = b[23]
	} else {
		h.Filters = flagFilters(h.Flags)
	}
	if err := h.check(); err != nil {
		return err
	}
	return h.findCodec(b)
}

// storedFilters returns the pipeline of an extended header. Alphas had only five
// slots; their sixth byte has no meaning.
func storedFilters(b []byte) (p filters.Pipeline) {
	for i := range p.IDs {
		p.IDs[i] = blosc2.FilterID(b[16+i])
		p.Metas[i] = b[24+i]
	}
	if b[0] == VersionAlpha {
		p.IDs[5], p.Metas[5] = blosc2.FilterNone, 0
	}
	return p
}

// flagFilters returns the pipeline that the flags of a 16-byte header mean
// (docs/format/filters.md §1).
func flagFilters(flags uint8) (p filters.Pipeline) {
	switch {
	case flags&flagShuffle != 0:
		p.IDs[5] = blosc2.FilterShuffle
	case flags&flagBitShuffle != 0:
		p.IDs[5] = blosc2.FilterBitShuffle
	}
	if flags&flagDelta != 0 {
		p.IDs[4] = blosc2.FilterDelta
	}
	return p
}

// check returns an error if the header is invalid by itself (docs/format/chunk.md §11).
func (h *Header) check() error {
	switch {
	case h.Version == 0: // never used; a byte of zeros, or of other data
		return fault(0, blosc2.ErrCorrupt, "chunk format version 0 does not exist")
	case h.Version < VersionBlosc1:
		return fault(0, blosc2.ErrUnsupported, "chunk format version %d is too old", h.Version)
	case h.Version > VersionVL && h.VLFlags&^flagVLBlocks != 0:
		return fault(30, blosc2.ErrUnsupported, "chunk format version %d has unknown flags %#x", h.Version, h.VLFlags)
	case h.TypeSize == 0:
		return fault(3, blosc2.ErrCorrupt, "typesize 0 must be positive")
	case h.NBytes < 0 || h.NBytes > 1<<31-1-h.Len():
		return fault(4, blosc2.ErrCorrupt, "nbytes %d: must be 0 to %d", h.NBytes, 1<<31-1-h.Len())
	case h.BlockSize <= 0 || h.BlockSize > MaxBlockSize && h.Extended():
		return fault(8, blosc2.ErrCorrupt, "blocksize %d: must be 1 to %d", h.BlockSize, MaxBlockSize)
	case h.CBytes < h.Len():
		return fault(12, blosc2.ErrCorrupt, "cbytes %d is less than the length of the header", h.CBytes)
	case h.Flags2&flagLazy != 0:
		return fault(31, blosc2.ErrCorrupt, "lazy chunk, which is valid only in memory")
	case h.Flags2&flagInstrumented != 0:
		return fault(31, blosc2.ErrUnsupported, "instrumented chunk, which holds timings instead of data")
	case h.Memcpyed() && h.CBytes != h.NBytes+h.Len():
		return fault(12, blosc2.ErrCorrupt, "cbytes %d: a memcpyed chunk of %d bytes must have %d", h.CBytes, h.NBytes, h.NBytes+h.Len())
	case h.VLBlocks() && (h.Memcpyed() || h.Special() != NotSpecial):
		return fault(30, blosc2.ErrCorrupt, "a special or memcpyed chunk must not have blocks of variable length")
	case h.NBytes == 0 && (h.VLBlocks() || h.Special() == NotSpecial && h.CBytes != h.Len()):
		return fault(12, blosc2.ErrCorrupt, "cbytes %d: an empty chunk must be a header without blocks", h.CBytes)
	}
	return h.checkSpecial()
}

// checkSpecial returns an error for special chunks that do not fit their value.
func (h *Header) checkSpecial() error {
	switch s := h.Special(); s {
	case NotSpecial:
		return nil
	case Zeros, NaN, Uninit:
		if h.CBytes != h.Len() {
			return fault(12, blosc2.ErrCorrupt, "cbytes %d: a special chunk without a value must have %d", h.CBytes, h.Len())
		}
		if s == NaN && h.TypeSize != 4 && h.TypeSize != 8 {
			return fault(3, blosc2.ErrCorrupt, "typesize %d: a chunk of NaNs must have 4 or 8", h.TypeSize)
		}
		if s != Zeros && h.NBytes%h.TypeSize != 0 {
			return fault(4, blosc2.ErrCorrupt, "nbytes %d is not a multiple of the typesize %d", h.NBytes, h.TypeSize)
		}
	case Repeat:
		size := h.CBytes - h.Len()
		if size <= 0 || size > MaxBlockSize || size > h.NBytes || h.NBytes%size != 0 {
			return fault(12, blosc2.ErrCorrupt, "length %d of the repeated value must divide the chunk's %d bytes", size, h.NBytes)
		}
	default:
		return fault(31, blosc2.ErrCorrupt, "unknown special value %d", s)
	}
	return nil
}
