package tune

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// A trial is a way with an effort, and its result on the sample.
type trial struct {
	way    way
	effort effort
	split  bool
	blocks blocks
	work   cost.Work
	time   cost.Time
	score  int64 // the value to minimize, from scoreOf
	likely int   // likely size with zstd in bytes, known after a trial of LZ4
	price  int64 // cost of the trial in units, which counts against the budget

	params chunk.Params
	sample sample
}

// A scratch holds memory that is reused by later searches.
type scratch struct {
	enc     chunk.Encoder
	buffers [3][]byte // buffers for samples
}

var (
	scratches = sync.Pool{New: func() any { return new(scratch) }}
	outputs   = sync.Pool{New: func() any { return new([]byte) }} // buffers for the output of trials
)

// A run is the state of a search.
type run struct {
	Search
	*scratch
	sample sample
	long   sample   // longer pieces, for repetitions at large distances
	parts  [][]byte // the samples from which sample and long were taken
	link   int64    // units of cost per stored byte, for both crossings; 0 for Archive
	spent  int64    // units that trials have cost so far
	budget int64
	trials []trial

	confirmed bool // the previous pick was confirmed

	// These are for Archive.
	growth    []growth // of the ways that were compared
	recurring bool     // much repeats, but only at distances beyond the window of zlib
	enlarged  bool     // the sample is a whole chunk, of which hardly anything remains
}

// run searches: it tries all ways with a fast effort, some of them with the first
// level of zstd, and the best of these with slower efforts, as long as these can
// gain.
func (r *run) run() (trial, error) {
	efforts := r.efforts()
	if err := r.compare(efforts); err != nil || r.confirmed {
		return trial{}, err
	}
	if r.Aim == Archive {
		if err := r.grow(); err != nil {
			return trial{}, err
		}
	}
	if err := r.refine(efforts); err != nil {
		return trial{}, err
	}
	if err := r.splitting(); err != nil {
		return trial{}, err
	}
	if r.Aim == Archive {
		if err := r.deepest(efforts); err != nil {
			return trial{}, err
		}
	}
	return r.final()
}

// compared is the number of ways that are tried with more than the first effort,
// and refined the number that are tried with all efforts.
const (
	compared = 4
	refined  = 2
)

// compare tries the first effort on all ways, and the second on the most promising
// ones.
func (r *run) compare(efforts []effort) error {
	var ways []way
	var list []trial
	widths := r.widths()
	for _, width := range widths {
		for _, w := range r.ways(width, len(widths) == 1) {
			ways = append(ways, w)
			list = append(list, r.firstTrials(w, efforts[0])...)
		}
	}
	if err := r.try(list); err != nil || len(efforts) < 2 {
		return err
	}
	type promise struct {
		*trial
		score, guess int64
	}
	var promises []promise
	for _, w := range ways {
		t := r.find(w)
		guess := r.guess(t, efforts[1])
		promises = append(promises, promise{t, min(t.score, guess), guess})
	}
	slices.SortStableFunc(promises, func(a, b promise) int { return cmp.Compare(a.score, b.score) })
	if p := promises[0]; r.confirms(p.way, p.guess < p.trial.score) && (len(promises) == 1 || 10*promises[1].score > 11*p.score) {
		r.confirmed = true
		return nil
	}
	list = nil
	left, best := r.budget-r.spent, r.trials[0].score
	for i := range r.trials {
		best = min(best, r.trials[i].score)
	}
	for i, p := range promises {
		if i >= compared && (p.way.filters != plain || !r.known() || r.Aim == Archive) { // zstd finds more than LZ4 in items that stay in place
			continue
		}
		price := r.priceOf(p.trial, efforts[1])
		if price > left || !r.recurs && r.hopeless(p.guess, best) { // the guess knows nothing of what recurs
			continue
		}
		left -= price
		list = append(list, trial{way: p.way, effort: efforts[1], split: p.split})
	}
	return r.try(list)
}

// firstTrials returns the trials of a way with the first effort: also without splitting, if the
// results may differ much. With bitshuffle they do, and of twin planes, one costs nothing without.
func (r *run) firstTrials(w way, e effort) []trial {
	list := []trial{{way: w, effort: e, split: w.splits()}}
	if r.Keep&KeepSplit == 0 && w.splits() && (r.twins || w.filters.Has(blosc2.FilterBitShuffle)) {
		list = append(list, trial{way: w, effort: e})
	}
	return list
}

// confirms reports whether the previous pick is the way w, with zstd or with LZ4.
func (r *run) confirms(w way, zstd bool) bool {
	if r.before == nil {
		return false
	}
	p := &r.before.Params
	codec := blosc2.CodecLZ4
	if zstd {
		codec = blosc2.CodecZstd
	}
	return p.Codec == codec && p.Level > 0 && p.TypeSize == w.width && p.Filters == w.filters
}

// hopeless reports whether a guess is so far from the best that a trial can be
// omitted.
func (r *run) hopeless(guess, best int64) bool {
	if r.shrinks(little) {
		return guess/3 > best
	}
	return guess-guess/8 > best
}

// shrinks reports whether some trial made the sample the given number of times smaller
// or more. In that case trials take little time, and guesses and short samples say little
// about whole chunks.
func (r *run) shrinks(ratio int) bool {
	return slices.ContainsFunc(r.trials, func(t trial) bool { return t.share() < 1<<16/ratio })
}

// These are the ratios from which little remains of a sample, and hardly anything.
const (
	little = 8
	tiny   = 32
)

// guess returns the likely score of the way of t with effort e: that of t, unless t is a trial
// of LZ4 and e is zstd.
func (r *run) guess(t *trial, e effort) int64 {
	if e.codec != blosc2.CodecZstd || t.effort.codec != blosc2.CodecLZ4 {
		return t.score
	}
	w := t.work
	w.Stored = t.likely
	w.Coded, w.Literals, w.Raw = w.Stored, w.Literals+w.Raw, 0
	p := r.with(t.way, e, t.split, 0)
	time := cost.For(&w, &p)
	return t.sample.whole(r.scoreOf(&w, time, &p))
}

// refine tries the other efforts on the best ways.
func (r *run) refine(efforts []effort) error {
	if r.recurs && r.link > shortFrom { // a trial takes long, and the ways differ more than the efforts
		return nil
	}
	more := efforts[min(2, len(efforts)):]
	if r.Aim == Archive {
		return r.deepen(more)
	}
	for i, e := range more {
		ways := r.bestWays(refined)
		if i == 0 {
			ways = append(ways, r.items()...)
		}
		if err := r.tryOn(ways, e); err != nil {
			return err
		}
	}
	return r.tryPlanes()
}

// tryPlanes tries planeEffort on the two best ways that make planes of bytes, if it suits
// the link and the budget allows. What it finds cannot be estimated from other trials. Trials
// that are not the best are forgotten, as otherwise they would be among the few that are
// repeated.
func (r *run) tryPlanes() error {
	if r.Aim.link() < planesFrom || r.Keep&(KeepCodec|KeepLevel) != 0 {
		return nil
	}
	var list []trial
	left := r.budget - r.spent
	for _, w := range r.bestWays(len(r.trials)) {
		if len(list) == refined || !w.filters.Has(blosc2.FilterShuffle) || !w.splits() {
			continue
		}
		if left -= r.priceOf(r.find(w), planeEffort); left >= 0 {
			list = append(list, trial{way: w, effort: planeEffort, split: true})
		}
	}
	if err := r.try(list); err != nil {
		return err
	}
	best := *r.best()
	r.trials = slices.DeleteFunc(r.trials, func(t trial) bool {
		return t.effort == planeEffort && (best.effort != planeEffort || t.way != best.way)
	})
	return nil
}

// tryOn tries an effort on those of the ways on which it is promising, as far as the budget
// allows.
func (r *run) tryOn(ways []way, e effort) error {
	var list []trial
	left := r.budget - r.spent
	for _, w := range ways {
		base := *r.find(w)
		same := *r.base(w, e.codec)
		price := r.priceOf(&same, e)
		if price > left || !r.promising(&base, e) && !r.promising(&same, e) {
			continue
		}
		left -= price
		list = append(list, trial{way: w, effort: e, split: base.split})
	}
	return r.try(list)
}

// items returns the way without filters if it is worth trying with another effort, although others
// look better: for items of known size, where zstd finds more at each level if values recur, and
// for slow links. Otherwise it returns nil.
func (r *run) items() []way {
	if !r.known() || r.Aim.link() > itemsLink {
		return nil
	}
	tried := func(t trial) bool { return t.way.filters == plain && t.effort.codec == blosc2.CodecZstd }
	if i := slices.IndexFunc(r.trials, tried); i >= 0 && !slices.Contains(r.bestWays(refined), r.trials[i].way) {
		return []way{r.trials[i].way}
	}
	return nil
}

// itemsLink is the fastest of the slow links, for which another effort is tried on items without
// filters, the limit of Balanced is compared, and more efforts are tried where little remains. At
// 100 MB/s none of 132 files gained.
const itemsLink = 50e6

// bestWays returns the n most promising ways.
func (r *run) bestWays(n int) (ways []way) {
	for _, t := range r.ranked() {
		if len(ways) < n && !slices.Contains(ways, t.way) {
			ways = append(ways, t.way)
		}
	}
	return ways
}

// excluded reports whether a trial is too slow for Archive.
func (r *run) excluded(t trial) bool { return r.Aim == Archive && r.slow(&t.work, t.time) }

// splitting tries the best trials with the other split mode.
func (r *run) splitting() error {
	if r.Keep&KeepSplit != 0 {
		return nil
	}
	var list []trial
	left := r.budget - r.spent
	n := refined
	if r.Aim == Archive {
		n = 1 // the trials are long
	}
	for _, t := range r.ranked()[:min(len(r.trials), n)] {
		price := r.priceOf(&t, t.effort)
		if t.way.splits() && price <= left {
			left -= price
			list = append(list, trial{way: t.way, effort: t.effort, split: !t.split})
		}
	}
	return r.try(list)
}

// try makes the trials of the list: it compresses the sample with each, as one block if
// the block size is not given.
func (r *run) try(list []trial) error {
	var todo []*trial
	for i := range list {
		t := &list[i]
		t.sample = r.sample
		if t.way.far() {
			t.sample = r.long
		}
		t.params = r.with(t.way, t.effort, t.split, len(t.sample.bytes))
		todo = append(todo, t)
	}
	err := r.measure(todo)
	r.trials = append(r.trials, list...)
	return err
}

// measure compresses the samples of trials with their parameters, concurrently
// if the Search has an Each.
func (r *run) measure(list []*trial) error {
	errs := make([]error, len(list))
	task := func(i int, enc *chunk.Encoder) { errs[i] = r.compress(list[i], enc) }
	switch {
	case r.Each != nil:
		r.Each(len(list), task)
	default:
		for i := range list {
			task(i, &r.enc)
		}
	}
	for i := range list {
		r.spent += list[i].price
	}
	return cmp.Or(errs...)
}

// perTwo is the approximate number of bytes that two matches of zstd take.
const perTwo = 3

// compress compresses the sample of a trial and estimates the cost. It changes only
// the trial.
func (r *run) compress(t *trial, enc *chunk.Encoder) error {
	p := t.params
	p.PlainZeros = true // encode zeros plainly, so that every chunk has streams to examine
	if err := enc.Reset(p); err != nil {
		return err
	}
	out := outputs.Get().(*[]byte)
	defer outputs.Put(out)
	if n := chunk.Bound(max(len(t.sample.bytes), len(r.long.bytes))); cap(*out) < n { // large enough for all trials
		*out = make([]byte, n)
	}
	var err error
	if *out, err = enc.Encode((*out)[:0], t.sample.bytes); err != nil {
		return err
	}
	if p.Codec == blosc2.CodecLZ4 && t.likely == 0 {
		var h literals
		entropy := 0
		t.work, err = cost.Each(*out, &p, h.add, func() { entropy += h.end() })
		t.likely = min(entropy+perTwo*t.work.Sequences/2, t.work.Stored)
	} else {
		t.work, err = cost.Of(*out, &p)
	}
	if err != nil {
		return err
	}
	t.time = cost.For(&t.work, &p)
	t.score = r.grown(t, t.sample.whole(r.scoreOf(&t.work, t.time, &p)))
	if r.Keep&KeepTypeSize == 0 {
		t.score += t.score / wider * int64(bits.Len(uint(t.way.width))-1)
	}
	if t.effort == planeEffort && r.Keep&KeepCodec == 0 {
		t.score += t.score / doubt
	}
	if t.way.filters.Has(blosc2.FilterByteDelta) && r.Aim.link() >= 2e9 {
		t.score += t.score / deltaDoubt
	}
	t.price = r.price(&t.work, &p)
	return nil
}

// deltaDoubt is the inverse of the fraction by which bytedelta must be better for links of 2 GB/s
// and more. What few matches cost there decides, and in longer blocks there are more than in the
// sample: sorted edges of a graph (fb_edges.i8) took 1.7 times the least time.
const deltaDoubt = 8

// doubt is the inverse of the fraction by which planeEffort must be better: its matches are
// not counted, so its time is known less well.
const doubt = 4

// wider is the inverse of the fraction by which items of twice the width must be
// better, if the width is unknown.
const wider = 64

// scoreOf returns the value to minimize, for each byte of the sample, in fractions
// of a unit.
func (r *run) scoreOf(w *cost.Work, t cost.Time, p *chunk.Params) int64 {
	if r.link == 0 {
		score := int64(w.Stored) * (1 << 20) / int64(w.Bytes)
		if r.slow(w, t) {
			score *= tooSlow
		}
		return score
	}
	return (t.Compress + t.Expand + r.link*int64(w.Stored)) * scoreParts / int64(w.Bytes)
}

// tooSlow is the factor for the score of what Archive excludes: larger than any ratio of
// sizes that matters, so that such a trial is best only if all are too slow.
const tooSlow = 1 << 10

// scoreParts is the number of fractions of a unit in which a score counts: a resolution.
const scoreParts = 16

// ranked returns the trials, the best first.
func (r *run) ranked() []trial {
	slices.SortStableFunc(r.trials, func(a, b trial) int { return cmp.Compare(a.score, b.score) })
	return r.trials
}

func (r *run) best() *trial { return &r.ranked()[0] }

// find returns the best trial of a way, preferring codecs other than LZ4.
func (r *run) find(w way) *trial {
	var found *trial
	for i := range r.trials {
		t := &r.trials[i]
		if t.way != w {
			continue
		}
		fast := t.effort.codec == blosc2.CodecLZ4
		if found == nil || !fast && found.effort.codec == blosc2.CodecLZ4 || t.score < found.score && fast == (found.effort.codec == blosc2.CodecLZ4) {
			found = t
		}
	}
	return found
}

// base returns the trial of a way from which the result of another effort is estimated:
// the best one with that codec, or else as find does.
func (r *run) base(w way, codec blosc2.CodecID) *trial {
	all := r.ranked()
	if i := slices.IndexFunc(all, func(t trial) bool { return t.way == w && t.effort.codec == codec && !r.excluded(t) }); i >= 0 {
		return &all[i]
	}
	return r.find(w)
}
