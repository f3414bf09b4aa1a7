package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// A Stream is a Search that continues with the chunks of a stream: a pick holds until
// the data look different, and is remembered in case they look the same again. Beyond
// the first 6 to 75 ms, depending on the aim, or 150 for Archive, searches take no more than
// 2 % of the estimated time of compressing. It is for one goroutine.
type Stream struct {
	search Search
	pick   Pick
	looked look // the look at the chunk of the current pick
	size   int  // size of the chunk of the current pick; 0 if the next chunk must be searched
	passed int  // bytes of chunks since the last look
	wait   int  // chunks before the next search
	pause  int  // chunks from one search to the next while searches find the same pick
	vain   int  // consecutive searches that found the same pick
	seen   []memory

	spent  int64 // units of cost that searches took
	looks  int64 // units of cost that looks and comparisons of picks took
	worked int64 // estimated units of cost of compressing

	sampled bool  // the pick is from pieces of the stream, and no chunk has been seen yet
	alike   bool  // Begin found data of one kind, or there is no time for searches in others
	known   bool  // the size of the stream is known
	left    int64 // the remaining bytes of it
	since   int64 // bytes from the last search to the end of the current chunk
	goal    int64 // bytes for which the last search was made
}

// A memory is the pick for a chunk.
type memory struct {
	look look
	pick Pick
}

// memories is the number of searched chunks to remember.
const memories = 16

// Searches take the time that measures allows and, in addition, at most 1/part of the
// time of compressing.
const part = 50

// If the size of the stream is known, a search takes no more than 1/leftPart of the time
// of compressing and moving the rest, because it rarely gains more, and 1/otherPart if data
// of another kind begin. Otherwise a search that muchDifference does not ask for takes no more
// than 1/soFarPart of the time of what came since the last one: about as much may follow, but
// the stream may also end at any time.
const leftPart, otherPart, soFarPart = 10, 3, 30

// A look costs lookPrice units, 20 µs. Beyond freeLooks, looks take no more than
// 1/lookPart of the time of compressing.
const (
	lookPrice = 20e3 * cost.Unit
	lookPart  = 100
	freeLooks = 64 * lookPrice
)

// While searches find the same pick, the pause between them grows to at most maxPause
// chunks. maxRest chunks after a pause a Stream searches even if nothing seems to change.
const (
	maxPause = 64
	maxRest  = 512
	maxVain  = 4
)

// If data without a change are this many times as long as the last search assumed, a
// closer search is made.
const longer = 16

// waitAfterBegin is the number of chunks that must differ much before a search after
// Begin, which has sampled all of them and found them alike. It was chosen by trial: see
// docs/search.md.
const waitAfterBegin = 16

// worth is the length of the shortest chunk, or of as many shorter ones, for which a second search
// pays.
const worth = 128 << 10

// A chunk that is muchLonger times as long as the one of the current pick is searched, because
// that one was too short for a good choice.
const muchLonger = 8

// NewStream returns a Stream that begins with s.
func NewStream(s Search) *Stream {
	s.Item = max(s.Item, 0)
	return &Stream{search: s, pause: 1}
}

// Begin picks from a sample of a stream of size bytes, before there is a chunk, and
// keeps the item width that it finds. The sample is pieces of the same length from the
// given offsets; Begin may change it. Later searches are made if enough of the stream
// remains for them to pay.
func (s *Stream) Begin(sample []byte, offsets []int64, size int64) error {
	s.left, s.known, s.sampled = size, true, true
	s.search.pieces = true
	defer func() { s.search.pieces = false }()
	if s.search.Records && s.search.Keep&KeepTypeSize == 0 && len(offsets) > 0 {
		if s.search.record = recordOf([][]byte{sample}, s.search.Item); s.search.record > 0 {
			sample = align(sample, offsets, s.search.unit())
		}
	}
	if s.shorter() {
		if kinds := s.kinds(sample, len(offsets), s.search.unit()); len(kinds) > 1 {
			if done, err := s.beginKinds(sample, kinds); done || err != nil {
				return err
			}
		}
	}
	err := s.find(sample)
	s.search.record = 0
	if err != nil || !s.Decided() {
		return err
	}
	kinds := s.kinds(sample, len(offsets), s.pick.Params.TypeSize)
	if err := s.suitWidth(kinds); err != nil {
		return err
	}
	s.seen[0].pick = s.pick
	s.alike = len(kinds) < 2 || !s.affords(leftPart)
	s.wait, s.vain = waitAfterBegin, 1 // every chunk differs somewhat from the sample of the whole stream
	if s.search.Aim == Archive {
		return nil
	}
	if 2*s.pick.Ratio > tiny {
		s.size = 0 // short pieces say little about such data, and a search in a chunk takes little time
	}
	if !s.alike {
		s.wait, s.vain, s.size = 0, 0, 0
	}
	return nil
}

// kinds returns pieces of the sample that differ much from each other, at most maxKinds: one
// for each kind of data in the stream. Pieces are as long as each other.
func (s *Stream) kinds(sample []byte, pieces, width int) (kinds [][]byte) {
	var looks []look
	n := len(sample) / max(pieces, 1)
	for i := 0; i < pieces && len(kinds) < maxKinds; i++ {
		piece := sample[i*n : (i+1)*n]
		if shuffle.Repeats(piece, s.search.unit()) {
			continue
		}
		l := lookAt(piece, width)
		if !slices.ContainsFunc(looks, func(o look) bool { return !l.differs(&o, otherKind) }) {
			looks, kinds = append(looks, l), append(kinds, piece)
		}
	}
	return kinds
}

// maxKinds is the number of kinds of data in a stream that are told apart.
const maxKinds = 3

// narrow is the widest width that another one is sought for if there are several kinds of data.
const narrow = 2

// suitWidth keeps the width of items, because all chunks must have the same. If it was not
// given and the pick is for narrow items or does not depend on it, it changes it before to one
// that suits a part of the stream.
func (s *Stream) suitWidth(kinds [][]byte) error {
	defer s.KeepTypeSize()
	if len(kinds) < 2 || s.search.Keep&KeepTypeSize != 0 || s.search.Item > 0 || s.pick.Params.TypeSize > narrow {
		return nil
	}
	search, width, filtered := s.search, 0, 0
	if search.Aim == Archive {
		search.Aim = WAN
	}
	for _, piece := range kinds {
		search.size = int64(len(piece))
		p, err := search.Pick(piece)
		if err != nil {
			return err
		}
		s.spent += searchPrice(&p)
		switch w := p.Params.TypeSize; {
		case !p.Params.Filters.Empty(): // planes of wider items suit narrower ones better than the reverse
			filtered = max(filtered, w)
		case w > 1 && width == 0:
			width = w
		}
	}
	if filtered > 1 {
		width = filtered
	}
	s.pick.Params.TypeSize = max(width, s.pick.Params.TypeSize)
	return nil
}

// Pick returns the current pick.
func (s *Stream) Pick() Pick {
	if s.pick.Ratio == 0 {
		return Pick{Params: s.search.Params}
	}
	return s.pick
}

// Decided reports whether anything was picked yet.
func (s *Stream) Decided() bool { return s.pick.Ratio > 0 }

// KeepPowers makes later searches try only powers of two as the width of items: see
// Search.Records.
func (s *Stream) KeepPowers() { s.search.Records = false }

// KeepTypeSize keeps the current width of items from now on, because all chunks of
// a frame must have the same.
func (s *Stream) KeepTypeSize() {
	s.search.Params.TypeSize = s.Pick().Params.TypeSize
	s.search.Keep |= KeepTypeSize
}

// Next returns the parameters for the next chunk, which it examines. If the chunk
// differs from the one of the current pick, it uses the pick for an earlier similar
// chunk, or searches again. A chunk of a single repeated item changes nothing.
func (s *Stream) Next(data []byte) (chunk.Params, error) {
	if s.search.settled() {
		return s.Pick().Params, nil
	}
	if shuffle.Repeats(data, s.search.unit()) {
		p := s.Pick().Params
		if s.search.Keep&KeepLevel == 0 {
			p.Level = max(p.Level, 1) // nothing remains of it unless it is stored
		}
		return p, nil
	}
	s.since += int64(len(data))
	err := s.look(data)
	s.worked += s.pick.rate * int64(len(data))
	s.left -= int64(len(data))
	return s.Pick().Params, err
}

func (s *Stream) look(data []byte) error {
	s.wait--
	first := s.sampled
	s.sampled = false
	if !s.Decided() {
		return s.find(data)
	}
	s.passed += len(data)
	short := s.passed < worth && len(data) < muchLonger*s.size
	if s.size == 0 && s.alike { // a short chunk shows less than the sample
		short = len(data) < worth
	}
	if short || s.looks > freeLooks+s.worked/lookPart { // a search or a look would cost more time than it saves
		return nil
	}
	s.passed = 0
	s.looks += lookPrice
	now := lookAt(data, s.Pick().Params.TypeSize)
	least := int64(leftPart)
	other := now.differs(&s.looked, s.otherKind())
	if other {
		least = otherPart
	}
	switch {
	case len(data) >= muchLonger*s.size: // the earlier chunk was too short for a good choice
	case s.since >= longer*s.goal && s.affords(leftPart):
	case first && s.search.Aim != Archive && recurPrice/max(s.pick.total, 1) <= s.left && s.spent+recurPrice <= s.free() && recurs(data): // the pieces do not show it
	case s.wait > -maxRest && !now.differs(&s.looked, usualDifference(s.wait > 0, s.vain)), s.recall(&now):
		return nil
	case !s.known && !s.shorter() && !now.differs(&s.looked, muchDifference) && !s.repays(s.since, soFarPart):
		return nil
	case s.affords(least):
	case !other && !s.shorter():
		return nil
	case s.shorter():
		return s.recallSmallest(data, now, other)
	default:
		s.recallNearest(&now)
		return nil
	}
	return s.find(data)
}

// recall restores the pick for an earlier chunk that looked similar, and reports whether
// there was one.
func (s *Stream) recall(now *look) bool {
	for i := range s.seen {
		if m := &s.seen[i]; !now.differs(&m.look, usualDifference(false, 0)) {
			s.looked, s.pick = m.look, m.pick
			return true
		}
	}
	return false
}

// recallNearest restores the pick for the chunk that looked most similar, where data of
// another kind begin and there is no time for a search.
func (s *Stream) recallNearest(now *look) {
	least := now.distance(&s.looked)
	for i := range s.seen {
		m := &s.seen[i]
		if d := now.distance(&m.look); d < least && !now.differs(&m.look, s.otherKind()) {
			least, s.looked, s.pick = d, m.look, m.pick
		}
	}
}

// affords reports whether there is time for a search like the last one, and enough
// left: so much that the search takes 1/least of it or less.
func (s *Stream) affords(least int64) bool {
	if s.shorter() && least == otherPart { // a shorter search is better than a pick for data of another kind
		return s.spent+s.least() <= s.free()
	}
	if s.known && !s.repays(s.left, least) {
		return false
	}
	return s.spent+searchPrice(&s.pick) <= s.free()
}

// repays reports whether a search like the last one takes at most 1/least of the time to
// compress and move n bytes.
func (s *Stream) repays(n, least int64) bool { return searchPrice(&s.pick) <= s.pick.total*n/least }

// free returns the units of cost that all searches may take so far.
func (s *Stream) free() int64 { return s.search.allows().free*cost.Unit + s.worked/part }

// searchPrice returns the cost of the search for p: its trials, and what these do not
// count, gathering the samples and starting with cold tables.
func searchPrice(p *Pick) int64 { return p.search + p.search/4 + 4e5*cost.Unit }

// find searches, and keeps the previous pick if the data are not decisive.
func (s *Stream) find(data []byte) error {
	again := s.search
	again.size, again.whole = s.lasts(data), s.known && s.begins()
	if s.Decided() && len(data) < muchLonger*s.size && s.since < longer*s.goal {
		again.before = &s.pick
	}
	switch {
	case s.size == 0:
	case s.shorter():
		again.most = min(s.most(), cmp.Or(again.most, math.MaxInt64))
	default: // limit it to the time that is left, as it may need more than the last one
		again.most = max(s.free()-s.spent, searchPrice(&s.pick))
	}
	p, err := again.Pick(data)
	if err != nil {
		return err
	}
	if s.pause, s.vain = min(2*s.pause, maxPause), min(s.vain+1, maxVain); !same(&p, &s.pick) {
		s.pause, s.vain = 1, 0
	}
	s.spent += searchPrice(&p)
	if s.shorter() && s.size > 0 && p.Ratio > 0 {
		if p, err = s.smaller(p, data); err != nil {
			return err
		}
	}
	if p.Ratio > 0 {
		if s.leavesOpen(&p, data) {
			p.Params.TypeSize = openWidth
		}
		s.pick = p
	}
	s.wait, s.size, s.since, s.goal = s.pause, len(data), 0, again.size
	s.looked = lookAt(data, s.Pick().Params.TypeSize)
	if len(s.seen) == memories {
		s.seen = slices.Delete(s.seen, 0, 1)
	}
	s.seen = append(s.seen, memory{s.looked, s.Pick()})
	return nil
}

// openWidth is the width of items after a search that does not depend on it: numbers of all
// sizes can be shuffled with it.
const openWidth = 8

// leavesOpen reports whether the first pick for data, without filters or with differences of
// bytes, does not depend on the width of items, and other data may follow in which it counts.
func (s *Stream) leavesOpen(p *Pick, data []byte) bool {
	return !s.known && !s.Decided() && s.search.Keep&KeepTypeSize == 0 && s.search.Item == 0 && len(data) >= mostBlock && p.Params.TypeSize == 1 && (&way{filters: p.Params.Filters}).far()
}

// begins reports whether no chunk was searched yet with success.
func (s *Stream) begins() bool { return !s.Decided() || s.size == 0 }

// lasts returns the number of bytes for which a search is made: the whole stream if
// its size is known and it is at the beginning, otherwise as many as since the last
// search.
func (s *Stream) lasts(data []byte) int64 {
	if s.known && s.begins() {
		return s.left
	}
	n := s.since
	if s.known {
		n = min(n, s.left)
	}
	return max(n, int64(len(data)))
}

// same reports whether two picks are about the same.
func same(a, b *Pick) bool {
	return a.Params.Codec == b.Params.Codec && a.Params.Filters == b.Params.Filters
}
