package b2nd

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// The part of package stream that is for packages that write arrays.
var (
	paramsOf   = framing.ParamsOf.(func(...stream.WriterOption) (chunk.Params, error))
	blockShape = framing.BlockShapeOption.(func([]int32) stream.WriterOption)
	growRows   = framing.GrowRowsOption.(stream.WriterOption)
)
