package tune

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// This is for Archive and data of several kinds. One search takes nearly all the time that
// Archive allows for, so there are shorter ones where another kind begins, and the picks of
// earlier chunks are compared where there is no time at all.

// shorter reports whether there are shorter searches. With given filters there are not,
// because then the level decides, and a long search finds it.
func (s *Stream) shorter() bool { return s.search.Aim == Archive && s.search.Keep&KeepFilters == 0 }

// leastSearch is the cost of the shortest search for Archive that pays, where data of another
// kind begin.
const leastSearch = 45e6 * cost.Unit

// least returns leastSearch or, for a level that is asked for to be fast, the same part of the time
// that a search may take. That is for a stream of unknown length: where Begin has sampled all kinds
// of data, recallSmallest, which then tries the given level itself, finds as much.
func (s *Stream) least() int64 {
	if s.known {
		return leastSearch
	}
	return leastSearch * s.search.allows().budget / Archive.measure().budget
}

// comparedPart is the length in bytes of the part of a chunk that smaller compresses.
const comparedPart = 64 << 10

// beginKinds is Begin for Archive and a stream of several kinds of data. The sample shows
// only the width of items; a search in the first chunk, and one where another kind begins,
// share the time. It does nothing and returns false if hardly anything remains of the sample:
// then a long search decides more.
func (s *Stream) beginKinds(sample []byte, kinds [][]byte) (done bool, err error) {
	search := s.search
	search.Aim = WAN // takes less time
	p, err := search.Pick(sample)
	if err != nil || p.Ratio == 0 || 2*p.Ratio > tiny {
		return false, err
	}
	s.pick, s.search.record = p, 0
	s.spent += searchPrice(&p)
	if err := s.suitWidth(kinds); err != nil {
		return false, err
	}
	s.search.most = (s.free() - s.spent) * 3 / 4 / 2
	return true, nil
}

// otherKind returns a difference of looks that is worth a shorter search.
func (s *Stream) otherKind() int {
	if s.shorter() {
		return 2 << logBits
	}
	return otherKind
}

// most returns the units of cost that the trials of another search for Archive may take. The
// rest is for what they do not count and for smaller.
func (s *Stream) most() int64 { return max(s.free()-s.spent, s.least()) * 3 / 5 }

// smaller returns the pick with whose filters a part of a chunk becomes smaller, p or the
// current one, because a search that takes less time than the first may find less. Levels
// deeper than lastLazy would take too long.
func (s *Stream) smaller(p Pick, data []byte) (Pick, error) {
	if same(&p, &s.pick) {
		return p, nil
	}
	part := s.part(data)
	s.spent += 2 * int64(len(part)) * deep[lastLazy-3]
	old, new := s.pick.Params, p.Params
	old.Level, new.Level = min(old.Level, lastLazy), min(new.Level, lastLazy)
	before, err := sizeWith(part, old)
	if err != nil {
		return p, err
	}
	after, err := sizeWith(part, new)
	if before < after {
		p.Params = s.pick.Params
	}
	return p, err
}

// part returns a part of a chunk that shows which of a few settings makes it smaller.
func (s *Stream) part(data []byte) []byte {
	width := max(s.pick.Params.TypeSize, 1)
	at, n := len(data)/2, min(len(data)/2, comparedPart)
	at -= at % width
	return data[at : at+n-n%width]
}

// sizeWith returns the compressed size of data.
func sizeWith(data []byte, p chunk.Params) (int, error) {
	sc, out := scratches.Get().(*scratch), outputs.Get().(*[]byte)
	defer scratches.Put(sc)
	defer outputs.Put(out)
	err := sc.enc.Reset(p)
	if err == nil {
		*out, err = sc.enc.Encode((*out)[:0], data)
	}
	return len(*out), err
}

// recallSmallest is recallNearest for Archive: it takes the earlier pick whose filters make a
// part of the chunk smallest with a fast level, or the current one without filters or, if data
// of another kind begin, with other ones, if that saves a share of 1/clearly.
func (s *Stream) recallSmallest(data []byte, now look, other bool) error {
	picks := []Pick{s.pick}
	add := func(p Pick) {
		if !slices.ContainsFunc(picks, func(o Pick) bool { return same(&o, &p) }) {
			picks = append(picks, p)
		}
	}
	for _, m := range s.seen {
		if m.pick.Params.Level > 0 {
			add(m.pick)
		}
	}
	p := s.pick
	if p.Params.Level == 0 && s.search.Keep&(KeepCodec|KeepLevel) == 0 {
		p.Params.Codec, p.Params.Level = blosc2.CodecZstd, lastLazy
	}
	for _, w := range s.search.ways(max(p.Params.TypeSize, 1), true) {
		if !other && !w.filters.Empty() {
			continue
		}
		p.Params = s.search.with(w, effort{p.Params.Codec, p.Params.Level}, w.splits(), p.Params.BlockSize)
		add(p)
	}
	part, least, price := s.part(data), 0, int64(0)
	for _, p := range picks {
		_, each := fast(p.Params)
		price += int64(len(part)) * each
	}
	if s.spent+price > s.free() {
		return nil
	}
	s.spent += price
	for i, p := range picks {
		params, _ := fast(p.Params)
		n, err := sizeWith(part, params)
		if err != nil {
			return err
		}
		if i == 0 {
			least = n - n/clearly
		} else if n < least {
			least, s.pick = n, p
		}
	}
	s.looked, s.wait = now, s.pause
	return nil
}

// fast returns parameters with a fast level, and the cost of compressing a byte with it. Where
// items stay in place, it is level 3, because zstd 1 finds few that recur: with zstd 1, -9 made
// britmag_all.f8 1.52 times as large.
func fast(p chunk.Params) (chunk.Params, int64) {
	level, price := 1, 5*int64(cost.Unit)
	if (&way{filters: p.Filters}).far() {
		level, price = 3, deep[0]
	}
	p.Level = min(p.Level, level)
	return p, price
}

// Results with a fast level say little about those with a deep one: a saving that is not clear
// is ignored.
const clearly = 16
