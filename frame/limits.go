package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Limits bounds the memory that a reader allocates for its input. A field of 0 means the
// default. For anything larger, the error wraps blosc2.ErrTooLarge, and no memory is
// allocated.
type Limits struct {
	Chunk   int64 // bytes of a decoded chunk; default 256 MiB
	Header  int64 // bytes of a frame header with its metalayers; default 16 MiB
	Index   int64 // bytes of a decoded index, 8 for each chunk; default 256 MiB. Opening briefly takes twice that
	Trailer int64 // bytes of a trailer with its vlmetalayers, and of a decoded vlmetalayer; default 256 MiB
	Total   int64 // decoded bytes of all chunks that are read, of all frames together; default: no limit
}

// defaultLimits holds the limits used if none are given.
var defaultLimits = Limits{
	Chunk:   256 << 20,
	Header:  16 << 20,
	Index:   256 << 20,
	Trailer: 256 << 20,
}

// orDefault returns the limits, with defaults for fields of 0.
func (l Limits) orDefault() Limits {
	for _, f := range []struct{ v, d *int64 }{
		{&l.Chunk, &defaultLimits.Chunk}, {&l.Header, &defaultLimits.Header},
		{&l.Index, &defaultLimits.Index}, {&l.Trailer, &defaultLimits.Trailer},
	} {
		if *f.v <= 0 {
			*f.v = *f.d
		}
	}
	l.Chunk = min(l.Chunk, chunk.MaxBytes)
	return l
}

// checkTotal returns an error if size, in decoded bytes, exceeds the limit.
func (l Limits) checkTotal(size int64) error {
	if l.Total <= 0 {
		return nil
	}
	return check(blosc2.PartHeader, "data", size, l.Total)
}

// check returns an error if a size exceeds its limit.
func check(part blosc2.Part, what string, size, limit int64) error {
	if size > limit {
		return blosc2.Errorf(part, blosc2.ErrTooLarge, "%s of %d bytes; the limit is %d", what, size, limit)
	}
	return nil
}

// errorAt returns the error of blosc2.Errorf, about the byte at an offset.
func errorAt(off int64, part blosc2.Part, err error, format string, args ...any) *blosc2.FormatError {
	fe := blosc2.Errorf(part, err, format, args...)
	fe.Offset = off
	return fe
}

// setUp prepares a decoder for the chunks of a frame.
func setUp(d *chunk.Decoder, h *header.Header, l Limits) {
	framing.SetUp(d, h, l.orDefault().Chunk)
}
