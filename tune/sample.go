package tune

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2/internal/cost"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// places is the number of places from which a sample is taken. For this constant and
// the other ones of the package, docs/search.md has the results of other values.
const places = 6

// measures holds, by the speed of the link, how much of the data is examined and how long
// trials may take on the machine of the cost table. Trials should not take longer than
// they gain.
var measures = []measure{
	{2e9, 48 << 10, 192 << 10, 3e6, 6e6, 16},
	{300e6, 64 << 10, 256 << 10, 5e6, 10e6, 32},
	{50e6, 96 << 10, 256 << 10, 7e6, 15e6, 80},
	{2e6, 96 << 10, 256 << 10, 12e6, 20e6, 80},
	{0, 96 << 10, 256 << 10, 60e6, 75e6, 80},
	{Archive, 256 << 10, 256 << 10, 120e6, 150e6, 16},
}

type measure struct {
	from   Aim   // lower bound of the link, in bytes per second
	sample int   // bytes of the sample, which is from several places
	long   int   // bytes of the longer sample, for repetitions at large distances
	budget int64 // most nanoseconds of a search
	free   int64 // nanoseconds of the searches in a stream, in addition to a fraction of its time
	margin int64 // a trial worse than the best by more than 1/margin is not repeated on the longer sample
}

// If the size of the data is known, a sample is at most 1/samplePart of the data and a
// longer one at most 1/longPart, to bound the time of the search, but they may have
// leastSample and leastLong bytes, or leastWhole if they are from all the data, and leastPlane
// bytes for each byte of a record, up to 1/recordPart of the data.
const (
	samplePart, leastSample = 128, 24 << 10
	leastPlane              = 6 << 10
	longPart, leastLong     = 32, 96 << 10
	recordPart              = 8
	leastWhole              = 64 << 10
)

// measure returns the measures for the aim and for the size of the data.
func (s *Search) measure() measure {
	m := s.allows()
	if s.recurs {
		m.budget *= 2 // a trial takes ten times as long, but there are few
		return m
	}
	if s.size > 0 && s.Aim != Archive {
		least, long := leastSample, leastLong
		// A sample of wide items needs more bytes, because its planes are short.
		if s.whole {
			least, long = max(least, min(leastPlane*s.wide(), int(s.size/longPart))), leastWhole
		}
		least = max(least, min(leastPlane*s.record, int(s.size/recordPart)))
		m.sample = min(m.sample, max(int(s.size/samplePart), least))
		m.long = min(m.long, max(int(s.size/longPart), long))
	}
	return m
}

// allows returns the measures for the aim. If Archive is given a level that is asked for to be
// fast, they are those of WAN: a longer search would take longer than compressing.
func (s *Search) allows() measure {
	if s.Aim == Archive && s.Keep&KeepLevel != 0 && s.Params.Level <= fastLevel {
		return WAN.measure()
	}
	return s.Aim.measure()
}

// known reports whether the size of an item is known.
func (s *Search) known() bool { return s.Item > 0 || s.Keep&KeepTypeSize != 0 }

// wide returns the width of items if it is given or was found, or 0.
func (s *Search) wide() int {
	if s.Keep&KeepTypeSize != 0 {
		return s.Params.TypeSize
	}
	return max(s.record, s.Item)
}

// measure returns the measures for the aim.
func (a Aim) measure() (m measure) {
	for _, m = range measures {
		if a.link() >= float64(m.from) {
			break
		}
	}
	return m
}

// minItems is the smallest number of items from which anything can be learned.
const minItems = 64

// newRun prepares a search in samples. It returns nil if they are too short or all
// the same item.
func newRun(s Search, samples [][]byte) (*run, error) {
	r := &run{Search: s, scratch: scratches.Get().(*scratch), parts: samples}
	if s.Keep&KeepTypeSize == 0 {
		r.text = s.Item == 0 && (s.whole || !s.pieces && totalOf(samples) < mostBlock) && isText(samples)
		if s.Records && s.record == 0 {
			r.record = recordOf(samples, s.Item)
		}
	}
	r.twins = haveTwins(samples)
	unit, widest := r.unit(), slices.Max(r.widths())
	m := r.Search.measure()
	if s.recurs {
		n := min(len(samples[0]), mostBlock)
		r.sample = sample{samples[0][:n-n%unit], 1 << 16}
		r.long = r.sample
	} else {
		r.sample = r.gather(0, samples, m.sample, unit, widest)
		r.long = r.gather(1, samples, m.long, unit, widest)
	}
	r.budget = m.budget * cost.Unit
	if s.most > 0 {
		r.budget = min(r.budget, s.most)
	}
	if s.Aim != Archive {
		r.link = max(1, int64(math.Round(2e9*cost.Unit/s.Aim.link())))
	}
	if len(r.sample.bytes) < minItems*widest || len(r.long.bytes) < minItems*widest {
		scratches.Put(r.scratch)
		return nil, nil
	}
	return r, nil
}

// A sample is pieces of the data.
type sample struct {
	bytes []byte
	rest  int64 // the share of places that are not a single repeated item, which are omitted, in 1/65536
}

// whole returns a score for all the data, of which hardly anything remains where an item
// repeats, from the score of the sample.
func (s *sample) whole(score int64) int64 { return score * s.rest >> 16 }

// gather returns about size bytes of the samples: evenly spread pieces of whole units,
// without pieces of a single repeated unit, of which nothing remains with any setting. Each
// piece has minItems of the widest items, or is a whole sample. The result is in the
// scratch's buffer of that number, or is itself a sample.
func (s *scratch) gather(buffer int, samples [][]byte, size, unit, widest int) sample {
	total := totalOf(samples)
	piece := max(size/places, minItems*widest, unit)
	piece -= piece % unit
	pieces, looked := spread(samples, piece, unit)
	share := int64(1 << 16) // of the samples in which the pieces are spread
	if len(pieces)*fewPlaces < looked {
		inner := slices.Clone(samples)
		for i := range inner {
			inner[i] = withoutEnds(inner[i], unit)
		}
		if n := totalOf(inner); n > 0 {
			pieces, looked = spread(inner, piece, unit)
			share = int64(n) << 16 / int64(total)
		}
	}
	keep := min(max(1, size/piece), len(pieces))
	if len(samples) == 1 && keep == len(pieces) && keep*piece == total {
		return sample{samples[0], 1 << 16}
	}
	if cap(s.buffers[buffer]) < keep*piece {
		s.buffers[buffer] = make([]byte, keep*piece)
	}
	b := s.buffers[buffer][:0]
	for i := range keep {
		b = append(b, pieces[i*len(pieces)/keep]...)
	}
	return sample{b, share * int64(len(pieces)) / int64(max(looked, 1))}
}

// spread returns evenly spread pieces of samples, without those of a single repeated unit, and
// the number of places at which it looked.
func spread(samples [][]byte, piece, unit int) (pieces [][]byte, looked int) {
	total := totalOf(samples)
	count := max(1, min(4*places, total/piece))
	for _, s := range samples {
		// The number of pieces of a sample is proportional to its length.
		n := max(1, count*len(s)/max(total, 1))
		for i := range n {
			at := 0
			if n > 1 {
				at = (len(s) - min(piece, len(s))) / (n - 1) * i
			}
			at -= at % unit
			b := s[at:min(at+piece, len(s))]
			b = b[:len(b)-len(b)%unit]
			looked++
			if len(b) > 0 && !shuffle.Repeats(b, unit) {
				pieces = append(pieces, b)
			}
		}
	}
	return pieces, looked
}

// If fewer than one of fewPlaces places has other data than a repeated unit, zeros at the ends of
// the samples are left out: the first chunk of an array that grows by rows is mostly padding, and
// beside it a single piece would decide. 256 KiB of nab-value.f8 with 8 MB of zeros became 1.20
// times as large as with the settings that were chosen without the zeros.
const fewPlaces = 4

// withoutEnds returns b without the parts of endLen bytes at both ends that are zeros.
func withoutEnds(b []byte, unit int) []byte {
	step := endLen - endLen%unit
	if step == 0 {
		return b
	}
	for len(b) >= step && b[len(b)-1] == 0 && shuffle.Repeats(b[len(b)-step:], 1) {
		b = b[:len(b)-step]
	}
	for len(b) >= step && b[0] == 0 && shuffle.Repeats(b[:step], 1) {
		b = b[step:]
	}
	return b
}

// endLen is the approximate length of the parts that withoutEnds examines.
const endLen = 4 << 10

// A histogram counts bytes.
type histogram struct {
	counts [256]int32
	n      int
}

// literals counts the literals of a stream. The counts of three of four bytes are in more,
// because increments of the same counter wait for each other.
type literals struct {
	counts [256]int32
	more   [3][256]int32
	n      int
}

func (h *literals) add(b []byte) {
	h.n += len(b)
	for ; len(b) >= 8; b = b[8:] {
		w := binary.LittleEndian.Uint64(b)
		h.counts[byte(w)]++
		h.more[0][byte(w>>8)]++
		h.more[1][byte(w>>16)]++
		h.more[2][byte(w>>24)]++
		h.counts[byte(w>>32)]++
		h.more[0][byte(w>>40)]++
		h.more[1][byte(w>>48)]++
		h.more[2][byte(w>>56)]++
	}
	for _, v := range b {
		h.counts[v]++
	}
}

// end returns the entropy of the added bytes, in bytes, and begins again.
func (h *literals) end() int {
	if h.n == 0 {
		return 0
	}
	sum := 0
	for v, c := range h.counts {
		if c += h.more[0][v] + h.more[1][v] + h.more[2][v]; c > 0 {
			sum += int(c) * (log2(h.n) - log2(int(c)))
		}
	}
	*h = literals{}
	return sum >> (logBits + 3)
}

// logBits is the number of fractional bits of log2.
const logBits = 8

// log2 returns the logarithm of n > 0, the same on every machine.
func log2(n int) int {
	whole := 0
	for n >= 1<<9 {
		n >>= 1
		whole++
	}
	return whole<<logBits + logs[n]
}

// logs holds the logarithms of 1 to 511. Rounding hides differences between
// machines in the last bits of a logarithm.
var logs = func() (t [1 << 9]int) {
	for i := 1; i < len(t); i++ {
		t[i] = int(math.Round(math.Log2(float64(i)) * (1 << logBits)))
	}
	return t
}()
