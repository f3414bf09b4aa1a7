// Package tune chooses codec, level, filters, splitting, the size of blocks and
// the width of items by the data and by an Aim: what the data will go through.
// What it picks depends on these alone, never on the speed of the machine, so
// that the same input makes the same file everywhere.
//
// It compresses small slices of the data in the ways that come into question,
// reckons from what the codecs made of them what each way costs, and takes the
// one that is done first: compressed, moved there and back, and decompressed.
// The constants of that reckoning are a table that the benchmarks make, in
// internal/cost. Balanced is the aim for data whose link is not known.
package tune

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
)

// Keep says which parameters of a Search are orders, which the pick keeps.
type Keep uint8

// The parameters that can be kept.
const (
	KeepCodec Keep = 1 << iota
	KeepLevel
	KeepFilters
	KeepSplit
	KeepBlockSize
	KeepTypeSize
)

// A Search says what is looked for.
type Search struct {
	Aim    Aim
	Params chunk.Params // those that are kept; the others count where nothing can be learnt
	Keep   Keep

	// Each calls task(i, enc) once for every i below n, and returns after the last
	// call. Calls may be made by several goroutines, each with an Encoder of its
	// own, which keeps the parameters of its last call. If Each is nil, the calls are
	// made one after another. The pick is the same.
	Each func(n int, task func(i int, enc *chunk.Encoder))

	before *Pick // what is to be confirmed, where a short search can; or nil
}

// A Pick is what a Search found, and what is expected of it.
type Pick struct {
	Params   chunk.Params
	Ratio    float64 // of the samples; 0 if nothing could be learnt, and Params are those of the Search
	Compress float64 // bytes a second on one thread of the machine that the table was made on
	Expand   float64 // likewise

	search int64 // units of cost that the search took
	rate   int64 // and those that compressing a byte takes
}

// Choose returns p with codec, level, filters, splitting and, if it is 0, the
// size of blocks that suit the aim for data like sample, usually the first
// chunk. The typesize stays. Samples of a few items, and those that are all the
// same byte, leave p as it is.
func Choose(sample []byte, p chunk.Params, aim Aim) (chunk.Params, error) {
	s := Search{Aim: aim, Params: p, Keep: KeepTypeSize}
	if p.BlockSize != 0 {
		s.Keep |= KeepBlockSize
	}
	pick, err := s.Pick(sample)
	return pick.Params, err
}

// Pick looks at samples, which together are one part of the data or several:
// the first chunk, and later ones where there is a way to see them. It keeps none
// of them. A *blosc2.OptionError says that there is no such Aim; other errors are
// those of chunk.NewEncoder for parameters that are kept.
func (s Search) Pick(samples ...[]byte) (Pick, error) {
	none := Pick{Params: s.Params}
	if err := s.Aim.Check(); err != nil {
		return none, err
	}
	if s.settled() {
		return none, nil
	}
	r, err := newRun(s, samples)
	if err != nil || r == nil {
		return none, err
	}
	defer scratches.Put(r.scratch)
	best, err := r.run()
	if err != nil {
		return none, err
	}
	if r.confirmed {
		p := *s.before
		p.search = r.spent
		return p, nil
	}
	return r.pick(best), nil
}

// settled reports whether nothing is left to be found: all is ordered, or what
// is ordered has settings that no search knows.
func (s *Search) settled() bool {
	const all = KeepCodec | KeepLevel | KeepFilters | KeepSplit | KeepBlockSize | KeepTypeSize
	if s.Keep&all == all || s.Params.Format != chunk.Current || s.Params.Dict {
		return true
	}
	if s.Keep&KeepFilters != 0 && s.Params.Filters.Lossy() {
		return true
	}
	if s.Keep&KeepCodec == 0 {
		return false
	}
	c := s.Params.Codec
	return !codecs.Registered(c) || c >= blosc2.CodecNDLZ
}
