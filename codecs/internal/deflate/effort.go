package deflate

import "github.com/seed03b80dae/blosc2/codecs/internal/lz77"

// Effort determines how hard to search for matches, and describes the input.
type Effort struct {
	Skip  uint // positions are skipped after 1<<Skip of them without a match
	Nice  int  // length of a match that is taken immediately
	Lazy  int  // number of following positions that are tried before a match is taken
	Depth int  // number of candidates along a chain; 0 for no chains
	More  int  // number of further candidates after each that is longer than those before

	ChainLazy int  // like Lazy, for chains
	Thorough  bool // use chains even if little repeats, and find matches of three bytes

	// These fields are for input that does not consist of planes.
	Item    int  // size of the items in bytes, 0 if unknown
	Optimal bool // choose the cheapest cover of the input by matches
}

// values reports whether items are of 8 bytes, or of a multiple of that.
func (e *Effort) values() bool { return e.Item > 0 && e.Item%lz77.ValueSize == 0 }

// Level returns the effort of zlib's level n, 1 to 9, for that many planes.
//
// Blocks of a chunk are small at the low levels, and share no window. On them zlib's
// search gains less than zlib loses because it changes its codes only every 16 Ki
// symbols, while the planes change every 4 KiB. So with less searching our streams are
// smaller.
//
// Without planes codes gain less, so more searching is needed. From level 3 matches are
// weighed by their cost (items.go). A single plane is bytes as they are, such as text, a
// program or a picture: these too are searched by cost, because chains without prices
// made them up to 4.5 % larger than zlib's.
func Level(n, planes int) Effort {
	return efforts[min(planes, 2)][min(max(n, 1), 9)]
}

// efforts holds the efforts of each level: for items, for bytes, and for planes.
var efforts = [3][10]Effort{
	{
		1: {Skip: 6, Nice: 32},
		2: {Skip: 6, Nice: 32},
		3: {Skip: 6, Nice: 32, Depth: 4},
		4: {Skip: 6, Nice: 32, Depth: 4, ChainLazy: 1},
		5: {Skip: 6, Nice: 32, Depth: 12, ChainLazy: 1},
		6: {Skip: 6, Nice: 128, Depth: 16, ChainLazy: 1},
		7: {Skip: 7, Nice: 258, Depth: 24, ChainLazy: 1},
		8: {Skip: 7, Nice: 258, Depth: 48, ChainLazy: 1},
		9: {Skip: 7, Nice: 258, Depth: 12, More: 16, Optimal: true},
	},
	{
		1: {Skip: 8, Nice: 32},
		2: {Skip: 8, Nice: 32},
		3: {Skip: 7, Nice: 32, Depth: 4},
		4: {Skip: 7, Nice: 64, Depth: 12},
		5: {Skip: 6, Nice: 128, Depth: 8, ChainLazy: 1},
		6: {Skip: 6, Nice: 128, Depth: 24, ChainLazy: 1},
		7: {Skip: 7, Nice: 258, Depth: 32, ChainLazy: 1},
		8: {Skip: 7, Nice: 258, Depth: 48, ChainLazy: 1},
		9: {Skip: 7, Nice: 258, Depth: 24, More: 16, Optimal: true},
	},
	{
		1: {Skip: 5, Nice: 32},
		2: {Skip: 5, Nice: 32},
		3: {Skip: 5, Nice: 32},
		4: {Skip: 6, Nice: 64, Depth: 8},
		5: {Skip: 7, Nice: 128, Depth: 16},
		6: {Skip: 7, Nice: 128, Depth: 24, ChainLazy: 1},
		7: {Skip: 8, Nice: 258, Lazy: 1, Depth: 32, ChainLazy: 1},
		8: {Skip: 8, Nice: 258, Lazy: 1, Depth: 40, ChainLazy: 1},
		9: {Skip: 8, Nice: 258, Lazy: 1, Depth: 48, ChainLazy: 1, Thorough: true},
	},
}
