package header

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/meta"
)

// A FrameType says where the chunks of a frame are.
type FrameType uint8

// A frame is of one of these types.
const (
	Contiguous FrameType = 0 // the chunks are in one file, with the header
	Directory  FrameType = 1 // each in a separate file
)

// A Header is the header of a frame. The zero value has the current layout; its
// typesize must be set before [Header.Append].
//
// A parsed Header remembers the bits that have no field here, so that it is
// written back unchanged.
type Header struct {
	Generation   Generation
	LittleEndian bool // numbers are little-endian: LayoutBeta of 2021 only

	// Version is the frame format version. Versions 2 and 3 are defined. For 0, Append
	// writes the lowest that suffices.
	Version        uint8
	OffsetWidth    int  // bytes of an offset in the index: 8, or in Layout2019 2, 4 or 8; 0 is 8
	VariableChunks bool // chunks may be of any size; ChunkSize is 0
	VLBlocks       bool // some chunks are of variable-length blocks
	Type           FrameType

	FrameLen uint64 // length of the whole frame in bytes; 0 in one that is still being written
	NBytes   int64  // uncompressed bytes of all chunks
	CBytes   int64  // bytes between header and index; in a Directory, bytes of all chunk files

	TypeSize  int32 // bytes of an item, at least 1; may exceed 255, the limit of a chunk
	BlockSize int32 // bytes of a block as configured, 0 automatic; 0 in layouts without it
	ChunkSize int32 // uncompressed bytes of each chunk but the last; 0 variable; -1 in some empty frames

	// These describe how the frame's writer compressed, for writers that append.
	// Each chunk holds its own parameters.
	Codec     blosc2.CodecID
	CodecMeta uint8
	Level     uint8            // 0 to 9
	Split     blosc2.SplitMode // SplitDefault in layouts without it, and written as SplitForward
	Filters   filters.Pipeline // none in layouts without filters; from slot 0 on in LayoutPipeline and LayoutBeta
	Dict      bool

	TComp, TDecomp int16 // threads of the writer, and for the reader; 0 if not recorded

	HasVLMeta bool         // the trailer holds vlmetalayers (before 2021: user metadata); some files set it wrongly
	Layers    []meta.Layer // the metalayers, at most 16

	read readAs
}

// A readAs holds what a parsed header needs to be written back unchanged.
type readAs struct {
	ok    bool          // the header was parsed
	fixed layoutCurrent // the fields as read, including bits that Header does not represent
	codec blosc2.CodecID
	// section is the part of the header that begins with the metalayers. It is kept only
	// if this package would encode those layers differently.
	section []byte
	layers  []meta.Layer
}

// codecAsRead reports whether to write the codec's number as it was read. A header holds
// it in two places, which may differ.
func (h *Header) codecAsRead() bool { return h.read.ok && h.Codec == h.read.codec }

// Layer returns the value of the metalayer with the given name.
func (h *Header) Layer(name string) ([]byte, bool) { return meta.Find(h.Layers, name) }

// fault returns an error about the byte of part at an offset.
func fault(part blosc2.Part, kind error, offset int, format string, args ...any) error {
	e := blosc2.Errorf(part, kind, format, args...)
	e.Offset = int64(offset)
	return e
}

// corrupt returns an error about the field at an offset of the header.
func corrupt(offset int, format string, args ...any) error {
	return fault(blosc2.PartHeader, blosc2.ErrCorrupt, offset, format, args...)
}

func unsupported(offset int, format string, args ...any) error {
	return fault(blosc2.PartHeader, blosc2.ErrUnsupported, offset, format, args...)
}
