package header

import (
	"errors"
	"strconv"

	"github.com/seed03b80dae/blosc2"
)

// A Generation is a layout of the header. Two layouts that cannot be distinguished have
// the same value.
type Generation uint8

// These are the layouts, the current one first. docs/format/generations.md
// describes them under the names F0 to F7.
const (
	// Current is the layout since C-Blosc2 2.0.0 (F6 and, with frame version 3,
	// F7). Frames of the two layouts before it count as Current if they hold
	// nothing that differs, such as those of codec 0.
	Current Generation = iota

	// Layout2019 is the layout of August 2019 (F0), which the frame format
	// document of that month describes: no block size, no pipeline and no
	// trailer. Where that document and the files differ, this package follows
	// the files:
	//
	//   - the codec nibble holds zstd as 5 and lizard as 6, not as 4 and 5;
	//   - the general flags are 0x24, not 0x28: bits 2 and 3 say 1, not 2;
	//   - the filter flags are a constant, 0x06 or 0x00;
	//   - offsets in the index count from the header's end.
	//
	// It can also be written, with offsets of 16, 32 or 64 bits, as the
	// document allows; other libraries wrote only 64.
	Layout2019

	// Layout2019Trailer is Layout2019 with a trailer (F1), 2019-08-26 to 08-30.
	// The header alone does not always show it: see [Header.Settle].
	Layout2019Trailer

	// LayoutPipeline adds the pipeline of filters (F2), 2019-08-30.
	LayoutPipeline

	// LayoutBeta is LayoutPipeline with the number of parts corrected (F3),
	// 2019-08-30 to 2021-02-19.
	LayoutBeta

	// Layout2021 adds the block size (F4), 2021-02-19 to 05-06.
	Layout2021

	// LayoutRC is the layout of the release candidates of May 2021 (F5), which
	// stored the codec's number and meta one byte too late.
	LayoutRC
)

var generationNames = [...]string{
	"current", "2019-08", "2019-08 with trailer", "2019-08 with pipeline", "beta", "2021-02", "2.0.0rc",
}

// String returns the name of the generation: its date.
func (g Generation) String() string {
	if int(g) < len(generationNames) {
		return generationNames[g]
	}
	return "generation " + strconv.Itoa(int(g))
}

// in returns err with the name of the layout added, unless that is the current one. err
// is an error about a field.
func (g Generation) in(err error) error {
	fe, ok := errors.AsType[*blosc2.FormatError](err)
	if g == Current || !ok {
		return err
	}
	named := *fe
	named.Msg = "layout " + g.String() + ": " + fe.Msg
	return &named
}

// HasTrailer reports whether frames of the generation end with a trailer.
func (g Generation) HasTrailer() bool { return g != Layout2019 }

// hasPipeline reports whether the header holds the filters.
func (g Generation) hasPipeline() bool {
	return g != Layout2019 && g != Layout2019Trailer
}

// hasBlockSize reports whether the header holds the block size.
func (g Generation) hasBlockSize() bool {
	return g == Current || g == Layout2021 || g == LayoutRC
}

// alwaysLayers reports whether the section of metalayers is present even if
// empty.
func (g Generation) alwaysLayers() bool {
	return g.hasPipeline() && g != LayoutPipeline
}

// fixedLen returns the length in bytes of the header up to the metalayers.
func (g Generation) fixedLen() int {
	switch {
	case g.hasBlockSize():
		return 87
	case g.hasPipeline():
		return 82
	}
	return 64
}

// lead returns the first byte of a header: 0x90 plus the number of parts.
// LayoutPipeline does not count its pipeline.
func (g Generation) lead(layers bool) byte {
	switch {
	case g.hasBlockSize():
		return 0x9e
	case g == LayoutBeta:
		return 0x9d
	case layers:
		return 0x9c
	}
	return 0x9b
}

// generationOf returns the layout that the first 65 bytes show.
func generationOf(b []byte) Generation {
	switch b[0] {
	case 0x9e:
		return Current
	case 0x9d:
		return LayoutBeta
	}
	if len(b) > 64 && b[64] == leadPipeline {
		return LayoutPipeline
	}
	return Layout2019
}

// leadPipeline is the first byte of the filter pipeline.
const leadPipeline = 0xd8
