package tune

import (
	"cmp"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// pick turns the best trial into parameters.
func (r *run) pick(t trial) Pick {
	n := float64(t.work.Bytes)
	speed := func(units int64) float64 { return n * 1e9 * cost.Unit / float64(max(units, 1)) }
	return Pick{
		Params:   r.params(&t),
		Ratio:    n / float64(t.work.Stored),
		Compress: speed(t.time.Compress),
		Expand:   speed(t.time.Expand),
	}
}

// params are those of a trial, with blocks for whole chunks.
func (r *run) params(t *trial) chunk.Params {
	ratio := t.work.Bytes / max(t.work.Stored, 1)
	return r.with(t.way, t.effort, t.split, r.blockFor(t.way, t.effort, t.split, ratio))
}

// final tries the best trials, no two of the same way and codec, once more on
// longer pieces and with the blocks that chunks will have.
func (r *run) final() (best trial, err error) {
	const finalists = 5
	var list []trial
	for _, t := range r.ranked() {
		same := slices.ContainsFunc(list, func(o trial) bool { return o.way == t.way && o.effort.codec == t.effort.codec })
		if !same && len(list) < finalists {
			list = append(list, t)
		}
	}
	best = list[0]
	if r.Aim != Archive && len(r.long) > len(r.sample) {
		for i := range list {
			if i > 0 && !r.affords(&list[i], list[i].effort) {
				list = list[:i]
				break
			}
			if err := r.measure(&list[i], r.params(&list[i]), r.long, nil); err != nil {
				return best, err
			}
		}
		best = slices.MinFunc(list, func(a, b trial) int { return cmp.Compare(a.score, b.score) })
	}
	return r.orStored(best), nil
}

// stores is how much of its size data must keep, in percent, to be stored as they
// are where that is faster.
const stores = 90

// orStored returns the trial, or storing where that is better and the trial gains
// next to nothing.
func (r *run) orStored(t trial) trial {
	if r.Keep&(KeepLevel|KeepCodec|KeepFilters) != 0 || 100*t.work.Stored < stores*t.work.Bytes {
		return t
	}
	s := trial{way: way{t.way.width, plain}, effort: effort{blosc2.CodecLZ4, 0}}
	s.work = cost.Work{Bytes: t.work.Bytes, Raw: t.work.Bytes, Stored: t.work.Bytes}
	p := r.params(&s)
	s.time = cost.For(&s.work, &p)
	s.score = r.scoreOf(&s.work, s.time)
	if s.score < t.score {
		return s
	}
	return t
}
