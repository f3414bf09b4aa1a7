package tune

import (
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// A growth is the size of a whole chunk, relative to the size of a sample, with a way and a
// codec.
type growth struct {
	way   way
	codec blosc2.CodecID
	by    int64 // in units of 1/growthUnit
}

const growthUnit = 1 << 12

// grow compares the sample with the whole chunk for the most promising ways, because
// items may repeat at distances beyond the sample. It compresses both with zstd: at level
// 1, or at level 3, which remembers more, or a lower one that is given, for ways that
// leave items in place. For these it uses zlib, too, whose window is shorter. If little
// remains of the sample, the results of one level say nothing about others. The way without
// filters is among those compared, as everything in it may repeat beyond the sample.
func (r *run) grow() error {
	chunk := r.chunk()
	if len(chunk.bytes) <= len(r.sample.bytes) || r.Keep&KeepCodec != 0 || r.shrinks(little) {
		return nil
	}
	var list []trial
	left := (r.budget - r.spent) / 4
	if r.Keep&KeepLevel != 0 { // nothing but the ways is left to try
		left *= 2
	}
	add := func(w way, e effort) {
		t := trial{way: w, effort: e, split: r.find(w).split}
		if left -= r.priceOf(r.find(w), e) * int64(len(chunk.bytes)+len(r.sample.bytes)) / int64(len(r.sample.bytes)); left < 0 {
			return
		}
		short, long := t, t
		short.sample, long.sample = r.sample, chunk
		list = append(list, short, long)
	}
	r.recurring = recurs(chunk.bytes)
	best := r.bestWays(compared)
	ways := best
	if unfiltered := func(w way) bool { return w.filters.Empty() }; !slices.ContainsFunc(best, unfiltered) {
		if i := slices.IndexFunc(r.trials, func(t trial) bool { return unfiltered(t.way) }); i >= 0 {
			ways = slices.Insert(slices.Clone(best), 0, r.trials[i].way)
		}
	}
	for _, w := range ways {
		e := effort{blosc2.CodecZstd, 1}
		if w.far() {
			e.level = 3
			if r.Keep&KeepLevel != 0 {
				e.level = max(1, min(3, r.Params.Level))
			}
		}
		add(w, e)
	}
	for _, w := range best {
		if w.far() {
			add(w, effort{blosc2.CodecZlib, 1})
		}
	}
	var all []*trial
	for i := range list {
		t := &list[i]
		t.params = r.with(t.way, t.effort, t.split, mostBlock)
		all = append(all, t)
	}
	if err := r.measure(all); err != nil {
		return err
	}
	var found []trial
	for i := 0; i < len(list); i += 2 {
		short, long := &list[i], &list[i+1]
		was := max(short.remains(), 1)
		r.growth = append(r.growth, growth{short.way, short.effort.codec, (growthUnit*long.remains() + was/2) / was})
		if short.effort.level > 1 { // LZ4 and zstd 1 hide what it finds
			found = append(found, *short)
		}
	}
	for i := range r.trials {
		t := &r.trials[i]
		t.score = r.grown(t, t.score)
	}
	for _, t := range found {
		if r.Keep&KeepLevel != 0 { // a deeper level makes it no larger
			t.effort.level = r.Params.Level
			p := r.with(t.way, t.effort, t.split, mostBlock)
			t.time = cost.For(&t.work, &p)
		}
		t.score = r.grown(&t, t.score)
		r.trials = append(r.trials, t)
	}
	return nil
}

// finalInChunk is final for Archive. With a given level that is not fast, it repeats the best
// trials on a whole chunk, as far as the time suffices, if their growths are unknown or differ:
// these were measured with a fast level, or are those of another codec.
func (r *run) finalInChunk(list []trial) (trial, error) {
	if r.Keep&KeepLevel == 0 || r.Params.Level <= fastLevel || r.enlarged || !r.growsUnevenly(list) {
		return r.orStored(list[0]), nil
	}
	chunk, left := r.chunk(), r.budget-r.spent
	if len(chunk.bytes) <= len(r.sample.bytes) {
		return r.orStored(list[0]), nil
	}
	var again []*trial
	for i := range list {
		t := &list[i]
		if left -= r.priceOn(chunk, t, t.effort); left < 0 {
			break
		}
		again = append(again, t)
	}
	if len(again) < 2 {
		return r.orStored(list[0]), nil
	}
	err := r.repeat(again, chunk)
	return r.orStored(slices.MinFunc(list[:len(again)], byScore)), err
}

// growsUnevenly reports whether the growths of trials are unknown, or differ by more than a share
// of 1/uneven.
func (r *run) growsUnevenly(list []trial) bool {
	least, most := int64(math.MaxInt64), int64(0)
	for i := range list {
		by := r.grown(&list[i], growthUnit)
		least, most = min(least, by), max(most, by)
	}
	return len(r.growth) == 0 || most-least > most/uneven
}

// uneven was chosen from 210 files: with all trials repeated, -6 takes 1.16 of the time instead of
// 1.07, and output is as large.
const uneven = 32

// chunk returns bytes as long as a chunk, or all there are.
func (r *run) chunk() sample {
	return r.gather(2, r.parts, mostBlock, r.unit(), slices.Max(r.widths()))
}

// grown returns the score of a trial for a whole chunk.
func (r *run) grown(t *trial, score int64) int64 {
	if len(t.sample.bytes) > len(r.sample.bytes) { // it is for a whole chunk already
		return score
	}
	by := func(codec blosc2.CodecID) int64 {
		i := slices.IndexFunc(r.growth, func(g growth) bool { return g.way == t.way && g.codec == codec })
		if i < 0 {
			return 0
		}
		return r.growth[i].by
	}
	if t.effort.codec == blosc2.CodecZlib {
		switch n := by(blosc2.CodecZlib); {
		case t.way.far() && n > 0:
			return score * n / growthUnit
		case t.way.far() && r.Aim == Archive:
			return score + score/nearer
		case r.recurring: // zstd's growth is by what is outside zlib's window
			return score
		}
	}
	if n := by(blosc2.CodecZstd); n > 0 && (r.Keep&KeepLevel == 0 || !t.way.far() || t.effort.codec == blosc2.CodecZstd) { // with a given level there are no trials of zstd to compare the others with
		score = score * n / growthUnit
	}
	return score
}

// nearer is the inverse of the fraction by which zlib's result for a whole chunk exceeds that for
// a sample, relative to zstd's, if the growth with zlib was not measured: in unfiltered items
// repetitions are at distances beyond its window.
const nearer = 16
