package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// A way is a layout of bytes for a codec.
type way struct {
	width   int
	filters filters.Pipeline
}

// MaxWidth is the widest item that is tried if the width of items is unknown, except
// for records that are found in the data. The widths are powers of two.
const MaxWidth = 16

// These are the pipelines that are tried. Delta is not, because C-Blosc2 misreads
// parts of its output.
var (
	plain     = filters.Pipeline{}
	byteDelta = pipeline("bytedelta:1")
	shuffled  = pipeline("shuffle")
	bitwise   = pipeline("bitshuffle")
	smooth    = pipeline("shuffle,bytedelta")
)

func pipeline(text string) filters.Pipeline {
	p, err := filters.Parse(text)
	if err != nil {
		panic(err) // the name is in the list above, so it is valid
	}
	return p
}

// widths lists the widths of items that are tried.
func (s *Search) widths() []int {
	if s.Keep&KeepTypeSize != 0 {
		return []int{max(s.Params.TypeSize, 1)}
	}
	list := []int{1, 2, 4, 8, MaxWidth}
	switch {
	case s.Item > 0:
		list = []int{s.Item}
	case s.text:
		list = list[:1]
	}
	if s.record > 0 {
		list = append(list, s.record)
	}
	return list
}

// unit returns a number of bytes that holds whole items of each width that is tried.
func (s *Search) unit() int {
	if s.Keep&KeepTypeSize != 0 {
		return max(s.Params.TypeSize, 1)
	}
	item := cmp.Or(s.Item, MaxWidth)
	unit := item
	for s.record > 0 && unit%s.record != 0 {
		unit += item
	}
	return unit
}

// ways lists the ways for items of a width. If several widths are tried, the way without
// filters is listed only for the known size of an item, or widths 1 and 8.
func (s *Search) ways(width int, only bool) (list []way) {
	if s.Keep&KeepFilters != 0 {
		return []way{{width, s.Params.Filters.Explicit(width)}}
	}
	if only || width == s.Item || s.Item == 0 && (width == 1 || width == 8) { // unfiltered: codecs look for whole values of 8 bytes
		list = append(list, way{width, plain})
	}
	if width == 1 {
		list = append(list, way{width, byteDelta})
	}
	if width == 1 || width > 255 {
		return append(list, way{width, bitwise})
	}
	return append(list, way{width, shuffled}, way{width, bitwise}, way{width, smooth.Explicit(width)})
}

// splits reports whether a way can be split into the planes of its items.
func (w *way) splits() bool {
	return w.width > 1 && w.width <= MaxWidth && (w.filters.Has(blosc2.FilterShuffle) || w.filters.Has(blosc2.FilterBitShuffle))
}

// An effort is a codec at a level.
type effort struct {
	codec blosc2.CodecID
	level int
}

// efforts holds the codecs and levels that are best for some data, and the range of
// links that they suit, in bytes per second: as measured, and widened twofold.
// Filters are compared with the first two.
var efforts = []struct {
	effort
	from, to Aim
}{
	{effort{blosc2.CodecLZ4, 5}, 0, math.MaxFloat64}, {effort{blosc2.CodecZstd, 1}, 0, math.MaxFloat64},
	{effort{blosc2.CodecLZ4, 1}, 150e6, math.MaxFloat64}, {effort{blosc2.CodecLZ4, 9}, 150e6, math.MaxFloat64}, {effort{blosc2.CodecZstd, 2}, 0, 600e6}, {effort{blosc2.CodecLZ4HC, 1}, 300e6, 2e9},
	{effort{blosc2.CodecZstd, 3}, 0, 60e6}, {effort{blosc2.CodecZstd, 5}, 0, 40e6}, {effort{blosc2.CodecZstd, 6}, 0, 40e6}, {effort{blosc2.CodecZstd, 7}, 0, 40e6},
	{effort{blosc2.CodecZstd, 8}, 0, 20e6}, {effort{blosc2.CodecZstd, 9}, 0, 1e6},
}

// planeEffort is for planes of bytes on links of planesFrom bytes per second and more. It
// leaves planes in which it finds little as they are, where LZ4 skips through them and takes
// three times as long.
var planeEffort = effort{blosc2.CodecBloscLZ, 5}

const planesFrom = 1e9

// smallEfforts holds the efforts for Archive. The time of zlib cannot be estimated
// from its output, but it is always fast enough for Archive.
var smallEfforts = []effort{
	{blosc2.CodecLZ4, 5}, {blosc2.CodecZstd, 1},
	{blosc2.CodecZlib, 1}, {blosc2.CodecZlib, 5}, {blosc2.CodecZstd, 5}, {blosc2.CodecZstd, 6}, {blosc2.CodecZstd, 7},
	{blosc2.CodecZstd, 8}, {blosc2.CodecZstd, 9},
}

// fastLevel is the last level that is asked for to be fast. Its codec is LZ4 or zstd: zlib 1
// takes twice as long as zstd 1.
const fastLevel = 2

// efforts returns the codecs and levels that the Search allows.
func (s *Search) efforts() (list []effort) {
	all := smallEfforts
	if s.Aim != Archive {
		all = nil
		for _, e := range efforts {
			if link := s.Aim.link(); s.Keep&KeepCodec != 0 || float64(e.from) <= link && link <= float64(e.to) {
				all = append(all, e.effort)
			}
		}
	}
	for _, e := range all {
		if s.Keep&KeepLevel != 0 {
			e.level = s.Params.Level
			if s.Keep&KeepCodec == 0 && e.codec == blosc2.CodecZlib && e.level <= fastLevel {
				continue
			}
		}
		if (s.Keep&KeepCodec == 0 || s.Params.Codec == e.codec) && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	if s.Aim == Archive && s.Keep&KeepCodec != 0 && s.Keep&KeepLevel == 0 && s.Params.Codec != blosc2.CodecZstd {
		list = nil // the codec has no level that is too slow
	}
	if list != nil {
		return list
	}
	// The given codec is one that no aim would choose.
	levels := []int{1, 5, 9}
	if s.Keep&KeepLevel != 0 {
		levels = []int{s.Params.Level}
	}
	for _, level := range levels {
		list = append(list, effort{s.Params.Codec, level})
	}
	return list
}

// with returns the parameters of a way with an effort and a block size.
func (s *Search) with(w way, e effort, split bool, block int) chunk.Params {
	p := s.Params
	p.Codec, p.Level, p.TypeSize, p.Filters = e.codec, e.level, w.width, w.filters
	if s.Keep&KeepCodec == 0 {
		p.CodecMeta = 0
	}
	if s.Keep&KeepSplit == 0 {
		if p.Split = blosc2.SplitNever; split {
			p.Split = blosc2.SplitAlways
		}
	}
	if s.Keep&KeepBlockSize == 0 {
		p.BlockSize = block
	}
	return p
}

// far reports whether a way leaves items in place, so that codecs find those that
// repeat at large distances.
func (w *way) far() bool {
	return !w.filters.Has(blosc2.FilterShuffle) && !w.filters.Has(blosc2.FilterBitShuffle)
}

// blocks is a rule for the size of blocks.
type blocks uint8

const (
	usual blocks = iota // as large as pays
	short               // as C-Blosc2 chooses, which is shorter for LZ4
	whole               // the whole chunk
)

// mostBlock is the size of the largest blocks, which is that of chunks.
const mostBlock = 1 << 20

// blockFor returns the size of blocks for a trial's way and effort. Reading an item
// means reading a block, so usual blocks are no larger than what pays: LZ4's window in
// each plane, or the whole chunk if the codec has a larger window and items repeat.
func (s *Search) blockFor(t *trial) int {
	const least = 256 << 10
	switch {
	case t.blocks == short:
		return 0
	case t.blocks == whole || t.way.far() || s.recurs || s.Aim == Archive:
		return mostBlock
	case s.twins && !t.split && t.effort.codec == blosc2.CodecLZ4:
		return min(32<<10*t.way.width, mostBlock) // LZ4's window holds the twin of a plane
	case t.way.filters.Has(blosc2.FilterBitShuffle):
		if t.effort.codec == blosc2.CodecLZ4 && !t.split {
			return least / 2
		}
		return least
	case t.split:
		return min(max(64<<10*t.way.width, least), mostBlock)
	}
	return 2 * least
}
