package header

import "github.com/seed03b80dae/blosc2/internal/wire"

// This file holds the header as stored, up to the metalayers. The marshalers in
// layouts_gen.go are made from the struct.
//
// The byte before it is the length of the msgpack array. It counts the metalayers
// too, if any, and is wrong in frames of 2019-08-30, so it is written separately: see
// Generation.

//msgp:tuple layoutCurrent

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
