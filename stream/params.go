package stream

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// paramsOf returns how a Writer with these options compresses its chunks. The
// header of a frame does not hold all of it. Auto, and options that are invalid for
// NewWriter, return a *blosc2.OptionError.
func paramsOf(opts ...WriterOption) (chunk.Params, error) {
	cfg := writerOptions(opts)
	if err := cfg.check(); err != nil {
		return chunk.Params{}, err
	}
	if cfg.aim != 0 {
		return chunk.Params{}, &blosc2.OptionError{Option: "aim", Value: cfg.aim, Range: "omitted, because there are no data yet to choose from"}
	}
	return cfg.chunk, nil
}
