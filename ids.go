package blosc2

import "strconv"

// A CodecID identifies a codec, in the frame header and in byte 22 of a chunk
// (C-Blosc2 calls it the compcode). 0–31 belong to Blosc, 32–159 are plugins
// registered with it, 160–255 are free for private codecs.
type CodecID uint8

// These are the codecs that have a number.
const (
	CodecBloscLZ     CodecID = 0
	CodecLZ4         CodecID = 1
	CodecLZ4HC       CodecID = 2
	CodecSnappy      CodecID = 3 // until April 2021
	CodecZlib        CodecID = 4
	CodecZstd        CodecID = 5
	CodecLizard      CodecID = 6 // from July 2017 to February 2021
	CodecNDLZ        CodecID = 32
	CodecZFPAcc      CodecID = 33
	CodecZFPPrec     CodecID = 34
	CodecZFPRate     CodecID = 35
	CodecOpenHTJ2K   CodecID = 36
	CodecGrok        CodecID = 37
	CodecOpenZL      CodecID = 38
	CodecJ2K         CodecID = 39
	CodecHTJ2K       CodecID = 40
	firstPlugin              = 32
	firstPrivatePlug         = 160
)

var codecNames = map[CodecID]string{
	CodecBloscLZ: "blosclz", CodecLZ4: "lz4", CodecLZ4HC: "lz4hc", CodecSnappy: "snappy",
	CodecZlib: "zlib", CodecZstd: "zstd", CodecLizard: "lizard", CodecNDLZ: "ndlz",
	CodecZFPAcc: "zfp_acc", CodecZFPPrec: "zfp_prec", CodecZFPRate: "zfp_rate",
	CodecOpenHTJ2K: "openhtj2k", CodecGrok: "grok", CodecOpenZL: "openzl",
	CodecJ2K: "j2k", CodecHTJ2K: "htj2k",
}

// String returns the codec's name, or "codec N" if it has none.
func (c CodecID) String() string {
	if s, ok := codecNames[c]; ok {
		return s
	}
	return "codec " + strconv.Itoa(int(c))
}

// Known reports whether c is a codec that has a name.
func (c CodecID) Known() bool {
	_, ok := codecNames[c]
	return ok
}

// A FilterID identifies a filter of the pipeline. The ranges are those of CodecID.
type FilterID uint8

// These are the filters that have a number.
const (
	FilterNone       FilterID = 0 // an empty slot
	FilterShuffle    FilterID = 1
	FilterBitShuffle FilterID = 2

	// FilterDelta stores differences from the previous item, or from block 0.
	// C-Blosc2 2.17.1 and 3.3.5 read parts of such data (ranges of items, slices of
	// arrays) wrongly and without an error if a chunk has more than one block. With
	// two threads they hang on slices of arrays and misread whole chunks that are
	// shuffled before the delta. With one thread they read whole chunks correctly.
	// This library reads all such data correctly. Use another filter for files that
	// C-Blosc2 will read.
	FilterDelta FilterID = 3

	FilterTruncPrec    FilterID = 4
	FilterNDCell       FilterID = 32
	FilterNDMean       FilterID = 33
	FilterByteDeltaOld FilterID = 34 // only for reading, because its writers disagreed on the format
	FilterByteDelta    FilterID = 35
	FilterIntTrunc     FilterID = 36
)

var filterNames = map[FilterID]string{
	FilterNone: "none", FilterShuffle: "shuffle", FilterBitShuffle: "bitshuffle",
	FilterDelta: "delta", FilterTruncPrec: "trunc_prec", FilterNDCell: "ndcell",
	FilterNDMean: "ndmean", FilterByteDeltaOld: "bytedelta_old", FilterByteDelta: "bytedelta",
	FilterIntTrunc: "int_trunc",
}

// String returns the filter's name, or "filter N" if it has none.
func (f FilterID) String() string {
	if s, ok := filterNames[f]; ok {
		return s
	}
	return "filter " + strconv.Itoa(int(f))
}

// A SplitMode says whether a block is cut into typesize streams, one for each byte
// of an item, before it is compressed. The values are those of C-Blosc2's
// interface; the frame header stores value-1.
type SplitMode uint8

const (
	// SplitDefault is SplitForward, except that shuffled blocks of zstd and
	// lz4hc of items above one byte are split at every level. At the levels of
	// zstd that SplitForward does not split, a trial on a part of each chunk
	// may prevent it.
	SplitDefault SplitMode = 0
	SplitAlways  SplitMode = 1
	SplitNever   SplitMode = 2
	SplitAuto    SplitMode = 3
	SplitForward SplitMode = 4 // C-Blosc2's default; the same rule as SplitAuto
)

var splitNames = [...]string{"default", "always", "never", "auto", "forward"}

// String returns the mode's name, as on the command line.
func (s SplitMode) String() string {
	if int(s) < len(splitNames) {
		return splitNames[s]
	}
	return "split mode " + strconv.Itoa(int(s))
}
