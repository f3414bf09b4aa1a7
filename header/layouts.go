package header

import (
	"github.com/seed03b80dae/blosc2/internal/wire"
	"github.com/seed03b80dae/blosc2/meta"
)

// This file holds the headers and trailers as stored, up to the metalayers. The
// marshalers in layouts_gen.go are made from these structs.
//
// The byte before each is the length of the msgpack array. It counts the
// metalayers too, if any, and is wrong in frames of 2019-08-30, so it is
// written separately: see Generation.

//msgp:tuple layoutCurrent
//msgp:tuple trailerUserMeta
//msgp:tuple trailerCurrent

// layoutCurrent is the current header. Older layouts lack some of its fields: see
// convert.go.
type layoutCurrent struct {
	Magic     wire.Magic
	HeaderLen wire.Int32
	FrameLen  wire.Uint64
	Flags     wire.Flags
	NBytes    wire.Int64
	CBytes    wire.Int64
	TypeSize  wire.Int32
	BlockSize wire.Int32
	ChunkSize wire.Int32
	TComp     wire.Int16
	TDecomp   wire.Int16
	Has       bool
	Pipeline  wire.Ext16
}

// trailerUserMeta is the trailer before 2021-02-12.
type trailerUserMeta struct {
	Version     wire.Uint8
	UserMeta    wire.Bin32
	Len         wire.Uint32
	Fingerprint wire.Ext16
}

// trailerCurrent is the current trailer.
type trailerCurrent struct {
	Version     wire.Uint8
	Section     meta.Section
	Len         wire.Uint32
	Fingerprint wire.Ext16
}
