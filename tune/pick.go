package tune

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// pick turns the best trial into parameters.
func (r *run) pick(t trial) Pick {
	p := r.with(t.way, t.effort, t.split, r.blockFor(&t))
	n := float64(t.work.Bytes)
	speed := func(units int64) float64 { return n * 1e9 * cost.Unit / float64(max(units, 1)) }
	return Pick{
		Params:   p,
		Ratio:    n / float64(t.work.Stored),
		Compress: speed(t.time.Compress),
		Expand:   speed(t.time.Expand),
	}
}

// blockFor returns the size of blocks. Where filters have brought like bytes
// together, codecs find little more in larger ones, and reading an item means
// reading a block.
func (r *run) blockFor(t *trial) int {
	shuffled := t.way.filters.Has(blosc2.FilterShuffle) || t.way.filters.Has(blosc2.FilterBitShuffle)
	if shuffled && r.Aim != Archive {
		return 256 << 10
	}
	return 1 << 20
}
