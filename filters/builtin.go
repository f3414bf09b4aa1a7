package filters

import "github.com/seed03b80dae/blosc2"

// A builtin holds the id of a filter of the format, and whether it is lossy.
type builtin struct {
	id    blosc2.FilterID
	lossy bool
}

// ID implements Filter.
func (b builtin) ID() blosc2.FilterID { return b.id }

// Name implements Filter.
func (b builtin) Name() string { return b.id.String() }

// Check implements Filter, for filters that support all parameters.
func (builtin) Check(Params) error { return nil }

// Lossy implements Filter.
func (b builtin) Lossy() bool { return b.lossy }

func init() {
	for _, f := range []Filter{
		shuffleFilter{builtin{id: blosc2.FilterShuffle}},
		bitShuffleFilter{builtin{id: blosc2.FilterBitShuffle}},
		deltaFilter{builtin{id: blosc2.FilterDelta}},
		truncFilter{builtin{blosc2.FilterTruncPrec, true}, mantissa},
		ndcellFilter{builtin{id: blosc2.FilterNDCell}},
		ndmeanFilter{builtin{blosc2.FilterNDMean, true}},
		oldByteDeltaFilter{builtin{id: blosc2.FilterByteDeltaOld}},
		byteDeltaFilter{builtin{id: blosc2.FilterByteDelta}},
		truncFilter{builtin{blosc2.FilterIntTrunc, true}, integer},
	} {
		if err := Register(f); err != nil {
			panic(err)
		}
	}
}
