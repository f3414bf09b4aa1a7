package b2nd

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/stream"
)

// These functions of package stream are only for packages that write arrays.
var (
	paramsOf   = framing.ParamsOf.(func(...stream.WriterOption) (chunk.Params, error))
	blockShape = framing.BlockShapeOption.(func([]int32) stream.WriterOption)
	growRows   = framing.GrowRowsOption.(stream.WriterOption)
)
