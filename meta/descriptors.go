package meta

import "github.com/seed03b80dae/blosc2/internal/wire"

// This file holds the descriptors as stored. The marshalers in descriptors_gen.go
// are made from these structs.

//msgp:tuple streamWire
//msgp:tuple array3
//msgp:tuple array7

// streamWire is the mark of a stream.
type streamWire struct {
	Version  wire.Uint8
	Flags    wire.Uint8
	FrameLen wire.Uint64
	NBytes   wire.Int64
	CBytes   wire.Int64
}

// array3 is caterva's descriptor to 0.1.1.
type array3 struct {
	NDim       wire.Uint8
	Shape      wire.Dims64
	ChunkShape wire.Dims32
}

// array7 is b2nd's current descriptor. Those of January 2023 lack DTypeFormat; older ones,
// and caterva's since 0.2.0, end after BlockShape.
type array7 struct {
	Version     wire.Uint8
	NDim        wire.Uint8
	Shape       wire.Dims64
	ChunkShape  wire.Dims32
	BlockShape  wire.Dims32
	DTypeFormat wire.Uint8
	DType       wire.Str32
}
