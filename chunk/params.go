package chunk

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
)

// A Format is the generation of chunks that an Encoder writes.
type Format uint8

const (
	// Current is the format that C-Blosc2 reads since 2.0.3: version 5, and 6
	// for blocks of variable length.
	Current Format = iota
	// Blosc1 has the header of 16 bytes, version 2. It supports one filter, shuffle or
	// bitshuffle, in the last slot, and the codecs blosclz, lz4, lz4hc, snappy, zlib and
	// zstd.
	Blosc1
	// Beta is version 4 as C-Blosc2 wrote it in 2019. It has a header of 32 bytes, and
	// neither run-length streams nor special values.
	Beta
)

// Params are the parameters with which an Encoder makes chunks.
type Params struct {
	Codec     blosc2.CodecID   // C-Blosc2 since 2.0 supports neither snappy nor lizard
	CodecMeta uint8            // parameter of the codec
	Level     int              // 0 to 9; 0 stores the data uncompressed
	TypeSize  int              // bytes of an item; 0 means 1. Above 255 each byte is treated as an item
	BlockSize int              // bytes of a block, rounded down to whole items, and at most the chunk; 0 chooses as C-Blosc2 does
	Split     blosc2.SplitMode // whether blocks are cut into a stream for each byte of an item
	Filters   filters.Pipeline

	// Dict trains a dictionary for every chunk that is large enough, and compresses the
	// chunk's streams with it. It requires zstd.
	Dict bool

	// BlockShape is the shape of a block in items, for filters and codecs that
	// work on arrays; nil if the data are not an array.
	BlockShape []int32

	// PlainZeros makes a chunk of zeros an ordinary chunk, with streams in run-length
	// form, instead of a special chunk of 32 bytes. Special chunks cannot be among the
	// data of a frame, and C-Blosc2 2.x rejects them if there is a partial item.
	PlainZeros bool

	Format Format
}

// Default returns the default parameters of this library: lz4 at level 5 after
// a shuffle of items of 8 bytes.
func Default() Params {
	return Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 8, Filters: filters.Default()}
}

// Bound returns the largest length of a chunk of n bytes of data.
func Bound(n int) int { return n + Overhead }

func (p *Params) headerLen() int {
	if p.Format == Blosc1 {
		return MinHeaderLen
	}
	return HeaderLen
}

// typeSize returns the typesize to write to the header (docs/format/chunk.md §9).
func (p *Params) typeSize() int {
	if p.TypeSize < 1 || p.TypeSize > MaxTypeSize {
		return 1
	}
	return p.TypeSize
}

// leavesValues reports whether the filters keep the bytes of an item together.
func (p *Params) leavesValues() bool {
	for _, id := range p.Filters.IDs {
		switch id {
		case blosc2.FilterNone, blosc2.FilterDelta, blosc2.FilterTruncPrec:
		default:
			return false
		}
	}
	return true
}

// leavesPlanes reports whether the filters leave the bytes of items in planes: items of
// one byte are a plane.
func (p *Params) leavesPlanes() bool {
	planes := p.typeSize() == 1
	for _, id := range p.Filters.IDs {
		switch id {
		case blosc2.FilterShuffle:
			planes = true
		case blosc2.FilterBitShuffle:
			planes = false
		}
	}
	return planes
}

// Validate returns a *blosc2.OptionError if no chunks can be made with these
// parameters. If a codec or filter is not registered it also wraps
// blosc2.ErrUnsupported.
func (p *Params) Validate() error {
	switch {
	case p.Level < 0 || p.Level > 9:
		return &blosc2.OptionError{Option: "level", Value: p.Level, Range: "0 to 9"}
	case p.TypeSize < 0 || p.TypeSize > MaxBlockSize:
		return &blosc2.OptionError{Option: "typesize", Value: p.TypeSize, Range: fmt.Sprintf("1 to %d", MaxBlockSize)}
	case p.BlockSize < 0 || p.BlockSize > MaxBlockSize:
		return &blosc2.OptionError{Option: "blocksize", Value: p.BlockSize, Range: fmt.Sprintf("0 (automatic) to %d", MaxBlockSize)}
	case p.Split > blosc2.SplitForward:
		return &blosc2.OptionError{Option: "split mode", Value: uint8(p.Split), Range: "default, always, never, auto or forward"}
	case p.Dict && (p.Codec != blosc2.CodecZstd || p.Format != Current):
		return &blosc2.OptionError{Option: "dictionary", Value: p.Codec, Range: "used with zstd in the current format"}
	case p.Format > Beta:
		return &blosc2.OptionError{Option: "chunk format", Value: p.Format, Range: "Current, Blosc1 or Beta"}
	}
	if !codecs.Registered(p.Codec) {
		return errUnregistered(p.Codec)
	}
	if err := p.Filters.Check(filters.Params{TypeSize: p.typeSize(), LogicalTypeSize: max(p.TypeSize, 1), BlockShape: p.BlockShape}); err != nil {
		return err
	}
	return p.validateFormat()
}

// errUnregistered returns the error for a codec that is not registered, which names it
// if its number is known.
func errUnregistered(id blosc2.CodecID) error {
	value := fmt.Sprint(uint8(id))
	if id.Known() {
		value += fmt.Sprintf(" (%s)", id)
	}
	return &blosc2.OptionError{Option: "codec", Value: value, Range: "registered", Err: blosc2.ErrUnsupported}
}

// validateFormat returns an error for parameters that an old format does not
// support.
func (p *Params) validateFormat() error {
	if p.Format == Current {
		return nil
	}
	if p.Codec >= firstUserCodec {
		return &blosc2.OptionError{Option: "codec", Value: p.Codec, Range: "a built-in codec for an old chunk format"}
	}
	if p.Format == Blosc1 {
		only := filters.Pipeline{}
		only.IDs[5] = p.Filters.IDs[5]
		id := only.IDs[5]
		if p.Filters != only || id != blosc2.FilterNone && id != blosc2.FilterShuffle && id != blosc2.FilterBitShuffle {
			return &blosc2.OptionError{Option: "filters", Value: p.Filters, Range: "none, shuffle or bitshuffle for a Blosc1 chunk"}
		}
		if p.Codec == blosc2.CodecLizard {
			return &blosc2.OptionError{Option: "codec", Value: p.Codec, Range: "a codec other than lizard for a Blosc1 chunk"}
		}
	}
	return nil
}
