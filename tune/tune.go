// Package tune chooses codec, level, filters, splitting, block size and item
// width from the data and an Aim, the link that the data will cross. The choice
// depends only on these, not on the speed of the machine, so that the same
// input makes the same file everywhere.
//
// It compresses small samples of the data with candidate settings, estimates
// the cost of each from the codecs' output, and picks the one with the least
// total time to compress, transfer twice and decompress. The constants of the
// estimate are a table that the benchmarks generate, in internal/cost. Balanced
// is the aim for data whose link is unknown.
package tune

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
)

// A Keep says which parameters of a Search are given, so that the pick keeps them.
type Keep uint8

// These are the parameters that can be kept.
const (
	KeepCodec Keep = 1 << iota
	KeepLevel
	KeepFilters
	KeepSplit
	KeepBlockSize
	KeepTypeSize
)

// A Search holds the parameters of a search.
type Search struct {
	Aim    Aim
	Params chunk.Params // parameters that are kept; the others apply if nothing can be learnt from the data
	Keep   Keep

	// Item is the size of an item in bytes, if it is known but items need not be compressed
	// with it: the width is Item or, with Records, the length of records of several items.
	// It is 0 if the size is unknown, and does not matter with KeepTypeSize.
	Item int

	// Records says that the width of items may be the length of records that the data
	// seem to consist of, up to 255 bytes, and not only a power of two up to MaxWidth.
	// The caller then makes chunks that are multiples of it.
	Records bool

	// Each calls task(i, enc) once for every i below n, and returns after the
	// last call. Several goroutines may make the calls, each with a separate
	// Encoder, which keeps the parameters of its last call. If Each is nil, the
	// calls are made one after another. The pick is the same.
	Each func(n int, task func(i int, enc *chunk.Encoder))

	size   int64 // size of the data in bytes, 0 if unknown
	whole  bool  // the samples are all the data
	record int   // length of the records that were found, 0 if none or not searched
	text   bool  // the data are text, and all of them or less than a chunk, so only bytes and records are tried
	twins  bool  // the planes of two bytes are about the same: see haveTwins
	most   int64 // the most units of cost that trials may take, 0 for what the aim allows
	pieces bool  // the samples are pieces of a stream
	recurs bool  // the sample is the first mostBlock bytes of the data, because pieces would hide what recurs at large distances, or columns
	before *Pick // the pick to confirm, if a short search can; or nil
}

// A Pick is the result of a Search, with its expected ratio and speed.
type Pick struct {
	Params   chunk.Params
	Ratio    float64 // compression ratio of the samples; 0 if nothing could be learnt, and then Params are those of the Search
	Compress float64 // bytes per second on one thread of the machine of the table
	Expand   float64 // bytes per second of decompressing, on the same machine

	item   int   // Item of the Search
	search int64 // cost of the search, in units
	rate   int64 // cost of compressing a byte, in units
	total  int64 // the same, and of moving what remains of it, except for Archive
}

// Choose returns p with codec, level, filters, splitting and, if it is 0, the
// size of blocks that suit the aim for data like sample, usually the first
// chunk. It does not change the typesize. For samples of a few items, or of a
// single repeated item, it returns p unchanged.
func Choose(sample []byte, p chunk.Params, aim Aim) (chunk.Params, error) {
	s := Search{Aim: aim, Params: p, Keep: KeepTypeSize}
	if p.BlockSize != 0 {
		s.Keep |= KeepBlockSize
	}
	pick, err := s.Pick(sample)
	return pick.Params, err
}

// Pick picks settings for samples, one or several parts of the data: the first chunk, and
// later ones if available. It does not retain them. An invalid Aim returns a
// *blosc2.OptionError; other errors are those of chunk.NewEncoder for given parameters.
func (s Search) Pick(samples ...[]byte) (Pick, error) {
	none := Pick{Params: s.Params}
	s.Item = max(s.Item, 0)
	if err := s.Aim.Check(); err != nil {
		return none, err
	}
	if s.settled() {
		return none, nil
	}
	p, err := s.search(samples)
	if err != nil || p.Ratio == 0 || len(samples) > 1 {
		return p, err
	}
	return s.again(p, samples[0])
}

// search searches once.
func (s Search) search(samples [][]byte) (Pick, error) {
	level := s.deepLevel()
	if level > 0 {
		s.Keep &^= KeepLevel
	}
	r, err := newRun(s, samples)
	if err != nil || r == nil {
		return Pick{Params: s.Params}, err
	}
	defer scratches.Put(r.scratch)
	best, err := r.run()
	if err != nil {
		return Pick{Params: s.Params}, err
	}
	if r.confirmed {
		p := *s.before
		p.search = r.spent
		return p, nil
	}
	if level > 0 {
		r.setLevel(&best, level)
	}
	return r.pick(best), nil
}

// deepLevel returns the level that is given for Archive if it is a deep one, or 0. Trials of it
// take so long that few ways could be compared, so the search is free to use other levels, and
// the level is set in its result.
func (s *Search) deepLevel() int {
	if s.Aim != Archive || s.Keep&(KeepCodec|KeepLevel) != KeepLevel || s.Params.Level < deepest {
		return 0
	}
	return s.Params.Level
}

// settled reports whether there is nothing to search: all settings are given,
// or those given are unknown to the search.
func (s *Search) settled() bool {
	const all = KeepCodec | KeepLevel | KeepFilters | KeepSplit | KeepBlockSize | KeepTypeSize
	if s.Keep&all == all || s.Params.Format != chunk.Current || s.Params.Dict {
		return true
	}
	if s.Keep&KeepCodec == 0 {
		return false
	}
	c := s.Params.Codec
	return !codecs.Registered(c) || c >= blosc2.CodecNDLZ
}
