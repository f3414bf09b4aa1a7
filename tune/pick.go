package tune

import (
	"cmp"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// pick converts the best trial to parameters.
func (r *run) pick(t trial) Pick {
	n := float64(t.work.Bytes)
	speed := func(units int64) float64 { return n * 1e9 * cost.Unit / float64(max(units, 1)) }
	return Pick{
		Params:   r.params(&t),
		Ratio:    n / float64(t.work.Stored),
		Compress: speed(t.time.Compress),
		Expand:   speed(t.time.Expand),
		item:     r.Item,
		search:   r.spent,
		rate:     t.time.Compress / int64(t.work.Bytes),
		total:    (t.time.Compress + r.link*int64(t.work.Stored)) / int64(t.work.Bytes),
	}
}

// params returns the parameters of a trial, with blocks for whole chunks.
func (r *run) params(t *trial) chunk.Params {
	return r.with(t.way, t.effort, t.split, r.blockFor(t))
}

// repeat makes trials again on a sample, with the blocks that chunks will have.
func (r *run) repeat(list []*trial, on sample) error {
	for _, t := range list {
		t.sample, t.params = on, r.params(t)
	}
	return r.measure(list)
}

// shortFrom is the largest cost of a stored byte for which shorter blocks, as
// C-Blosc2 chooses them, are tried: that of a link of 2 GB/s. If LZ4 finds less in
// shorter blocks, it is also faster.
const shortFrom = cost.Unit

// final repeats the best trials, which all differ in way or codec, on longer pieces and
// with the blocks that chunks will have.
func (r *run) final() (best trial, err error) {
	list := r.finalists()
	if r.Aim == Archive {
		return r.finalInChunk(list)
	}
	tried := len(list)
	if r.link <= shortFrom && r.Keep&(KeepBlockSize|KeepSplit) == 0 {
		for _, t := range list {
			if t.effort.codec == blosc2.CodecLZ4 {
				t.split, t.blocks = false, short
				if r.Keep&KeepLevel == 0 {
					t.effort.level = 1
				}
				list = append(list, t)
			}
		}
	}
	limit := r.limit(list)
	longer := r.shrinks(little) && !r.recurs
	if len(list) == 1 && limit == nil && !longer {
		return r.orStored(list[0]), nil // there is nothing to compare it with
	}
	if longer {
		r.lengthen()
		list = append(list, r.inWholeChunks(list[:tried])...)
		if r.shrinks(tiny) || r.Aim.link() <= itemsLink {
			list = append(list, r.deeper(list[:tried])...)
		}
	}
	var again []*trial
	left := r.budget - r.spent
	for i := range list {
		t := &list[i]
		if i < tried && (len(r.long.bytes) <= len(r.sample.bytes) || t.way.far() && !longer) { // it was tried on as many bytes already
			continue
		}
		if left -= r.priceOn(r.long, t, t.effort); i > 0 && left < 0 && (limit == nil || r.Aim != Balanced) {
			list = list[:i]
			break
		}
		again = append(again, t)
	}
	if limit != nil && (longer || limit.work.Bytes == 0) {
		again = append(again, limit)
	}
	if err := r.repeat(again, r.long); err != nil {
		return best, err
	}
	best = slices.MinFunc(list, byScore)
	switch {
	case limit == nil:
	case r.Aim == Balanced:
		best, err = r.limited(list, limit)
	default:
		best, err = r.orLimit(best, limit)
	}
	if err != nil {
		return best, err
	}
	return r.orStored(best), nil
}

// limited returns the best trial that is no larger than limit.
func (r *run) limited(list []trial, limit *trial) (best trial, err error) {
	best = within(limit, list)
	if r.unsure(&best, limit) {
		if best, err = r.onChunk(best, limit); err != nil {
			return best, err
		}
		best = within(limit, []trial{best})
	}
	if best.like(limit) {
		return r.underLimit(list, limit)
	}
	return best, nil
}

// orLimit returns the better one of the best trial and limit, on a whole chunk if the pieces leave
// that open. A slow link gains most from zstd 2 where values repeat at large distances.
func (r *run) orLimit(best trial, limit *trial) (_ trial, err error) {
	if r.unsure(&best, limit) {
		if best, err = r.onChunk(best, limit); err != nil {
			return best, err
		}
	}
	return slices.MinFunc([]trial{best, *limit}, byScore), nil
}

// like reports whether two trials have the same way and effort.
func (t *trial) like(o *trial) bool { return t.way == o.way && t.effort == o.effort }

// underLimit returns limit, or a better trial that is no larger, if limit is best only because
// those that were compared are larger: of the trials that were left out as worse than the larger
// ones, and, if no other level is given, of zstd 1 for ways that were tried with LZ4 only.
func (r *run) underLimit(list []trial, limit *trial) (trial, error) {
	var again []trial
	left := r.budget - r.spent
	consider := func(t trial, score, remains int64) {
		same := func(o trial) bool { return o.way == t.way && o.effort.codec == t.effort.codec }
		if len(again) == refined || score >= limit.score || remains > limit.remains() || slices.ContainsFunc(list, same) || slices.ContainsFunc(again, same) {
			return
		}
		if left -= r.priceOn(limit.sample, &t, t.effort); left >= 0 {
			again = append(again, t)
		}
	}
	ranked := r.ranked()
	for _, t := range ranked {
		consider(t, t.score, t.remains())
	}
	first := effort{blosc2.CodecZstd, 1}
	for _, t := range ranked {
		known := slices.ContainsFunc(r.trials, func(o trial) bool { return o.way == t.way && o.effort.codec == first.codec })
		if t.likely > 0 && !known && slices.Contains(r.efforts(), first) {
			score, likely := r.guess(&t, first), t.sample.whole(int64(t.likely<<16/t.work.Bytes))
			t.effort = first
			consider(t, score+score/guessed, likely)
		}
	}
	var todo []*trial
	for i := range again {
		todo = append(todo, &again[i])
	}
	err := r.repeat(todo, limit.sample)
	return within(limit, again), err
}

// guessed is the inverse of the fraction by which a guess of what zstd makes of a way must be
// better than limit.
const guessed = 8

func byScore(a, b trial) int { return cmp.Compare(a.score, b.score) }

// within returns the best trial of the list that is no larger than limit, or limit.
func within(limit *trial, list []trial) trial {
	best := *limit
	for _, t := range list {
		if t.remains() <= limit.remains() && t.score < best.score {
			best = t
		}
	}
	return best
}

// unsure reports whether limit is hardly larger than best, and may be smaller in a whole chunk,
// where values may repeat at distances beyond the pieces. Filters hide such values from every
// codec. It is so for records, such as the rows of a table, and where limit has many matches
// in the pieces already. It is not if both would take too long.
func (r *run) unsure(best, limit *trial) bool {
	if r.recurs || best.way.far() || len(r.long.bytes) >= mostBlock || r.Keep&KeepBlockSize != 0 ||
		limit.remains() > best.remains()+best.remains()/hardly {
		return false
	}
	if w := &limit.work; !r.ofRecords(best) && (w.Literals+w.Raw)*manyMatches > w.Bytes*(manyMatches-1) {
		return false
	}
	times := int64(mostBlock / len(r.long.bytes))
	most := slowChunk * r.budget
	if r.Aim != Balanced {
		most = r.budget
	}
	return times*(r.priceOf(limit, limit.effort)+r.priceOf(best, best.effort)) <= most
}

// hardly is the inverse of the fraction by which a trial must be smaller than the limit of
// Balanced to be sure to remain so on all the data.
const hardly = 8

// slowChunk is how many times as long as the other trials two on a whole chunk may take for
// Balanced; for slow links they may take as long as the others. A given level of zstd 3 is
// within it, without which three searches in each of 79 chunks made them 0.8 % larger in the mean, one 1.65 times,
// and zstd 9, for which they take 300 ms, is not.
const slowChunk = 4

// manyMatches is the inverse of the fraction of the bytes that many matches cover.
const manyMatches = 4

// ofRecords reports whether the way of a trial is for records of items.
func (r *run) ofRecords(t *trial) bool { return t.way.width > MaxWidth || t.way.width == r.record }

// onChunk repeats a trial, and limit for comparison, on a whole chunk. Records get blocks as large
// as chunks.
func (r *run) onChunk(t trial, limit *trial) (trial, error) {
	if long := r.gather(1, r.parts, mostBlock, r.unit(), slices.Max(r.widths())); len(long.bytes) > len(r.long.bytes) {
		r.long = long
	}
	if r.ofRecords(&t) {
		t.blocks = whole
	}
	err := r.repeat([]*trial{limit, &t}, r.long)
	return t, err
}

// lengthen gathers longer pieces: four times as long, or the whole chunk if hardly
// anything remains. They are in the memory of r.long, whose bytes are not needed any more.
func (r *run) lengthen() {
	size := 4 * len(r.long.bytes)
	if r.shrinks(tiny) {
		size = max(size, mostBlock)
	}
	if long := r.gather(1, r.parts, size, r.unit(), slices.Max(r.widths())); len(long.bytes) > len(r.long.bytes) {
		r.long = long
	}
}

// share returns the compressed size of a trial as a fraction of the sample, in units
// of 1/65536.
func (t *trial) share() int { return t.work.Stored << 16 / max(t.work.Bytes, 1) }

// remains returns the same as a fraction of all the data.
func (t *trial) remains() int64 { return t.sample.whole(int64(t.share())) }

// finalists returns the trials that may be the best. They all differ in way or codec.
func (r *run) finalists() (list []trial) {
	most := 3
	if r.shrinks(tiny) {
		most = 4
	}
	for _, t := range r.ranked() {
		same := slices.ContainsFunc(list, func(o trial) bool { return o.way == t.way && o.effort.codec == t.effort.codec })
		if !same && len(list) < most && !r.beaten(&t, r.best()) {
			list = append(list, t)
		}
	}
	return list
}

// leastMargin is the margin for a trial of other pieces than the best one's.
const leastMargin = 16

// beaten reports whether a trial is so far from the best that longer pieces will not make it
// the best. docs/search.md has the results of other margins.
func (r *run) beaten(t, best *trial) bool {
	if r.shrinks(little) {
		return r.hopeless(t.score, best.score)
	}
	margin := int64(leastMargin)
	if len(t.sample.bytes) == len(best.sample.bytes) {
		margin = r.allows().margin
	}
	return t.score-t.score/margin > best.score
}

// inWholeChunks returns the trials of the list that are worth repeating with blocks as
// large as chunks: those of pipelines that do not have such blocks anyway. There are none
// if the pieces are too short to show what such blocks do.
func (r *run) inWholeChunks(list []trial) (more []trial) {
	for _, t := range list {
		if !t.way.far() && len(r.long.bytes) > mostBlock/2 {
			t.blocks = whole
			more = append(more, t)
		}
	}
	return more
}

// deepest is the level of zstd from which long matches cost time, too.
const deepest = 7

// deeper returns trials with the other efforts of zstd for the trials of zstd in the
// list. It is for samples of which hardly anything remains, and for slow links also if little
// does: there the gains on a sample say little, and if matches are long, the other efforts take
// about as long as the first level. nab-time.i8 and times.i8, whose samples become 30 times smaller
// with LZ4, are 0.57 and 0.76 times as large for wan with it.
func (r *run) deeper(list []trial) (more []trial) {
	for _, e := range r.efforts() {
		for _, t := range list {
			if t.effort.codec != blosc2.CodecZstd || e.codec != t.effort.codec || e == t.effort || e.level >= deepest {
				continue
			}
			t.effort = e
			if len(r.long.bytes) > mostBlock/2 {
				t.blocks = whole
			}
			more = append(more, t)
		}
	}
	return more
}

// limit returns the trial whose size Balanced must not exceed, and that slow links compare
// with: zstd at level 2 without filters, or the given codec or level instead, which may still
// have to be run. It is nil for other aims, if filters are given, for slow links also if a codec
// or a level is given, and if that trial is unlikely to be small.
func (r *run) limit(list []trial) *trial {
	slow := r.Aim.link() <= itemsLink && r.Keep&(KeepCodec|KeepLevel) == 0
	if r.Aim != Balanced && !slow || r.Keep&KeepFilters != 0 {
		return nil
	}
	ranked := r.ranked()
	given := r.Keep&KeepCodec != 0
	at := slices.IndexFunc(ranked, func(t trial) bool { return t.way.filters.Empty() && (given || t.likely > 0) })
	if at < 0 {
		return nil
	}
	t := ranked[at]
	switch {
	case given && (t.effort.codec != blosc2.CodecZstd || r.Keep&KeepLevel != 0):
		return &t
	case !given && !r.recurs: // zstd finds more matches than LZ4 in unfiltered bytes
		likely := t.sample.whole(int64(t.likely << 16 / t.work.Bytes))
		if smallest := slices.MinFunc(list, func(a, b trial) int { return cmp.Compare(a.remains(), b.remains()) }); 5*likely > 8*smallest.remains() {
			return nil
		}
	}
	first := effort{blosc2.CodecZstd, 2}
	if r.Keep&KeepLevel != 0 {
		first.level = r.Params.Level
	}
	for _, o := range ranked {
		if o.way == t.way && o.effort == first {
			return &o
		}
	}
	return &trial{way: t.way, effort: first, split: t.split}
}

// stores returns the least compressed size, in percent, for which data are stored
// uncompressed if that is faster. For Balanced it is nearly 100. For the fastest links
// it is less, because there time matters more than space.
func (r *run) stores() int {
	switch {
	case r.Aim == Balanced:
		return 98
	case r.Aim != Archive && r.link <= shortFrom:
		return 60
	}
	return 90
}

// orStored returns the trial, or one that stores the data if that is better and the trial
// gains hardly anything or, for the fastest links, takes a tenth longer. Storing takes as
// much time for the runs that samples omit as for other data; compressing them takes hardly
// any.
func (r *run) orStored(t trial) trial {
	if r.Keep&(KeepLevel|KeepCodec|KeepFilters) != 0 {
		return t
	}
	gains := t.sample.whole(int64(100*t.work.Stored)) < int64(r.stores()*t.work.Bytes)
	if gains && (r.Aim == Archive || r.link > shortFrom) {
		return t
	}
	s := trial{way: way{t.way.width, plain}, effort: effort{blosc2.CodecLZ4, 0}}
	s.work = cost.Work{Bytes: t.work.Bytes, Raw: t.work.Bytes, Stored: t.work.Bytes}
	p := r.params(&s)
	s.time = cost.For(&s.work, &p)
	s.score = r.scoreOf(&s.work, s.time, &p)
	if s.score < t.score && !gains || s.score*11/10 < t.score {
		return s
	}
	return t
}
