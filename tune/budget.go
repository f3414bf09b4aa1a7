package tune

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// gains holds for each level of zstd a size, in percent of the size at level 1, that one
// in five of the settings in the grid of bench reaches.
var gains = [...]int64{100, 100, 97, 90, 84, 83, 82, 76, 75, 66}

// farGains holds the same for settings that leave items in place, where more differ much: what
// one in twenty reaches at level 2, and one in ten at the others.
var farGains = [...]int64{100, 100, 85, 78, 76, 76, 76, 72, 71, 63}

// promising reports whether a trial with effort e could be better than the best one so far, if e
// makes the sample as much smaller than base does as gains allows for.
func (r *run) promising(base *trial, e effort) bool {
	w := base.work
	if base.effort.codec == blosc2.CodecZstd && isNoise(&w) {
		return false
	}
	at := min(max(e.level, 0), len(gains)-1)
	least := gains[at]
	if base.way.far() {
		least = farGains[at]
	}
	switch {
	case e.codec == blosc2.CodecLZ4:
		least = 92
	case base.effort.codec == blosc2.CodecLZ4:
		least = 50
	case e.codec != blosc2.CodecZstd:
		least = 78
	}
	w.Stored, w.Literals = int(int64(w.Stored)*least/100), int(int64(w.Literals)*least/100)
	p := r.with(base.way, e, base.split, 0)
	score, best := r.grown(&trial{way: base.way, effort: e}, base.sample.whole(r.scoreOf(&w, cost.For(&w, &p), &p)))*51/50, r.best().score
	deeper := base.effort.codec == blosc2.CodecZstd && e.codec == blosc2.CodecZstd // the gain of zstd over LZ4 is only estimated
	return score < best && (!deeper || r.pays(best-score, r.priceOf(base, e)))
}

// isNoise reports whether zstd has found nothing in a sample.
func isNoise(w *cost.Work) bool { return 100*w.Stored > 98*w.Bytes }

// pays reports whether a trial takes no longer than it may gain on all the data, if
// their size is known. gain is a difference of scores.
func (r *run) pays(gain, price int64) bool {
	if !r.whole || r.Aim == Archive {
		return true
	}
	return price+newTables < gain*r.size/scoreParts
}

// newTables is the approximate cost of starting a level whose tables are in no cache.
const newTables = 1e5 * cost.Unit

// priceOf returns the likely cost, against the budget, of a trial with another
// effort.
func (r *run) priceOf(base *trial, e effort) int64 {
	p := r.with(base.way, e, base.split, 0)
	return r.price(&base.work, &p)
}

// priceOn returns the same for another sample.
func (r *run) priceOn(s sample, base *trial, e effort) int64 {
	return r.priceOf(base, e) * int64(len(s.bytes)) / int64(base.work.Bytes)
}

// deep is the least cost per byte, in units, that the budget assumes for zstd at
// level 3 and above: how long these levels follow chains cannot be estimated from
// what they find.
var deep = [...]int64{10 * cost.Unit, 16 * cost.Unit, 20 * cost.Unit, 27 * cost.Unit, 40 * cost.Unit, 44 * cost.Unit, 150 * cost.Unit}

// price returns the cost of compressing against the budget.
func (r *run) price(w *cost.Work, p *chunk.Params) int64 {
	price := cost.For(w, p).Compress
	if p.Codec == blosc2.CodecZstd && p.Level >= 3 {
		least := deep[min(p.Level-3, len(deep)-1)]
		if r.enlarged { // matches are long
			least /= 2
		}
		price = max(price, least*int64(w.Bytes))
	}
	return price
}

// slowest is the largest estimated cost of a byte for Archive, unless a level is
// given: 5 MB/s with a reserve of a tenth.
const slowest = 180 * cost.Unit

// slow reports whether compressing takes longer than Archive allows.
func (r *run) slow(w *cost.Work, t cost.Time) bool {
	return r.Keep&KeepLevel == 0 && t.Compress > slowest*int64(w.Bytes)
}
