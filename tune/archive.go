package tune

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// deepen is refine for Archive. It begins with zlib, which takes little of the budget and
// whose results cannot be guessed from other codecs: its fastest level is tried on all
// ways that were compared. Then come the deepest level of zstd but one, or if that is too
// slow the next.
func (r *run) deepen(efforts []effort) error {
	var levels []effort // of zstd, the deepest first
	for _, e := range efforts {
		if e.codec == blosc2.CodecZstd {
			levels = slices.Insert(levels, 0, e)
		}
	}
	if len(levels) > 1 && r.shrinks(tiny) && r.enlarge() {
		return r.deepenChunk(levels[1], efforts)
	}
	for _, e := range efforts {
		if e.codec == blosc2.CodecZstd {
			continue
		}
		n := refined
		if e.level == 1 || r.Keep&KeepLevel != 0 {
			n = compared
		}
		if err := r.tryOn(r.bestWays(n), e); err != nil {
			return err
		}
	}
	first := max(min(1, len(levels)-1), 0)
	for _, w := range r.bestWays(deepened) {
		for _, e := range levels[min(first, len(levels)):] {
			before := len(r.trials)
			if err := r.tryOn([]way{w}, e); err != nil {
				return err
			}
			if len(r.trials) > before && !r.excluded(r.trials[before]) {
				break // otherwise try the next level, which is faster
			}
		}
	}
	if first < len(levels) {
		return r.deepenUnfiltered(levels[first])
	}
	return nil
}

// deepenUnfiltered tries a deep level without filters, if at the first level that is not much
// larger than the best way. What the first levels find says little about what a deep one
// finds there: of 155 inputs that were up to 1.5 times as large without filters at level 1, at
// level 8 every seventh was smaller, by up to a third.
func (r *run) deepenUnfiltered(deep effort) error {
	first := effort{blosc2.CodecZstd, 1}
	var plain, best *trial
	for i := range r.trials {
		t := &r.trials[i]
		switch {
		case t.way.filters.Empty() && t.effort.codec == deep.codec && t.effort.level >= lastLazy:
			return nil
		case t.effort != first:
			continue
		case t.way.filters.Empty():
			plain = t
		}
		if best == nil || t.remains() < best.remains() {
			best = t
		}
	}
	if plain == nil || isNoise(&plain.work) || plain.remains()*10 > best.remains()*hopefulUnfiltered || r.priceOf(plain, deep) > r.budget-r.spent {
		return nil
	}
	return r.try([]trial{{way: plain.way, effort: deep, split: plain.split}})
}

// hopefulUnfiltered is how many tenths of the best size a chunk without filters may have at
// level 1 if it is to be tried at a deep level. Of those inputs the largest had 13.
const hopefulUnfiltered = 13

// setLevel changes the level of a trial. A trial that stores the data keeps its codec, which will
// find nothing.
func (r *run) setLevel(t *trial, level int) {
	t.effort.level = level
	p := r.params(t)
	t.time = cost.For(&t.work, &p)
}

// enlarge makes a whole chunk the sample, and reports whether that is longer.
func (r *run) enlarge() bool {
	chunk := r.chunk()
	r.enlarged = len(chunk.bytes) > len(r.sample.bytes)
	if r.enlarged {
		r.sample, r.long = chunk, chunk
	}
	return r.enlarged
}

// deepenChunk is deepen for data of which hardly anything remains: there a few bytes
// decide, and trials take little time. It tries the best ways, and no filters, on a whole
// chunk with a deep level of zstd, the first level and zlib, and forgets the trials of
// samples, which say little about a chunk.
func (r *run) deepenChunk(deep effort, efforts []effort) error {
	tried := []effort{deep, {blosc2.CodecZstd, 1}}
	for _, e := range efforts {
		if e.codec == blosc2.CodecZlib {
			tried = append(tried, e)
		}
	}
	ways := r.bestWays(deepened)
	if i := slices.IndexFunc(r.trials, func(t trial) bool { return t.way.filters.Empty() }); i >= 0 && !slices.Contains(ways, r.trials[i].way) {
		ways = append(ways, r.trials[i].way)
	}
	var list []trial
	left, best := (r.budget-r.spent)*3/4, r.best().score // the rest is for splitting and the deepest level
	for _, e := range tried {
		for _, w := range ways {
			t := r.find(w)
			if r.hopeless(t.score, best) {
				continue
			}
			if left -= r.priceOn(r.sample, t, e); left >= 0 || len(list) == 0 {
				list = append(list, trial{way: w, effort: e, split: t.split})
			}
		}
	}
	r.trials = nil
	return r.try(list)
}

// deepened is the number of ways that are tried with the deepest level but one.
const deepened = 3

// lastLazy is the last level of zstd without an optimal parser.
const lastLazy = 6

// deepest tries the deepest level of zstd in place of the level before it, if that is the
// best or nearly so, and fast enough. It takes a third of the sample, and compares both levels
// there, because it takes ten times as long as other trials.
func (r *run) deepest(efforts []effort) error {
	n := len(efforts)
	if n < 2 || efforts[n-1].codec != blosc2.CodecZstd || efforts[n-2].codec != blosc2.CodecZstd {
		return nil
	}
	deepest, before := efforts[n-1], efforts[n-2]
	i := slices.IndexFunc(r.ranked(), func(t trial) bool { return t.effort == before })
	if i < 0 {
		return nil
	}
	t := r.trials[i]
	if t.score*gains[deepest.level]/gains[before.level] >= r.best().score || r.slow(&t.work, cost.Time{Compress: t.time.Compress * deepestTime / 2}) {
		return nil
	}
	size := min(len(t.sample.bytes), r.Search.measure().sample) / 3
	size -= size % r.unit()
	if (r.priceOf(&t, deepest)+r.priceOf(&t, before))*int64(size)/int64(len(t.sample.bytes)) > r.budget-r.spent {
		return nil
	}
	deep, shallow := t, t
	deep.effort = deepest
	for _, u := range []*trial{&deep, &shallow} {
		u.sample = sample{t.sample.bytes[:size], t.sample.rest}
		u.params = r.with(u.way, u.effort, u.split, size)
	}
	if err := r.measure([]*trial{&deep, &shallow}); err != nil {
		return err
	}
	score := t.score * int64(deep.share()) / int64(max(shallow.share(), 1))
	score -= score / moreInChunks
	if r.excluded(deep) {
		score *= tooSlow
	}
	deep.score = score
	r.trials = append(r.trials, deep)
	return nil
}

// In whole chunks, a deeper level saves 1/moreInChunks more than in samples, because there
// is more to find.
const moreInChunks = 64

// deepestTime is how many halves of the time of the level before it the deepest level of zstd
// takes, at least in most data.
const deepestTime = 5
