package zstd

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// In planes that are random but for their small alphabets, such as the digits of
// identifiers, the searches of levels 3 to 6 find many short matches, and each takes
// more space than its bytes do as literals. So a block is searched in stretches, each of
// which begins with a trial: if its bytes take less space with long matches only, the whole
// stretch is searched for these. docs/codecs.md 4.5 has the effect, and section 6 that of
// other constants.
const (
	trialSize    = 8 << 10
	stretchSize  = 32 << 10
	leastStretch = 16 << 10 // shorter stretches have no trial
	leastTrial   = 16       // fewer sequences cannot lose much, and the search skips through their data
	lossShare    = 64       // a trial loses if its sequences take a share of this more than the long ones do

	// An estimate shows at once that most trials do not lose: their matches save a third
	// more than they cost, where a sequence costs the bits of its offset and a few more.
	sequenceBits = 6
	sampleSize   = 512 // bytes from which the entropy of literals is estimated

	// A trial is valid for a block whose bytes are like its own, as all literals have one
	// code. Samples are compared at regular distances.
	likeEvery = 4 << 10
	likeSize  = 256
	likeShare = 6 // samples may take this share more or less than expected

	mostLeast = 32 // a match of this length saves space in any data
)

// findBytes returns the sequences of the block src[from:to].
func (e *Encoder) findBytes(src []byte, from, to int, effort lz77.Effort) []lz77.Seq {
	f := &e.finder
	if !effort.Trials || to-from < leastStretch {
		return f.FindBytes(src, from, to, effort)
	}
	f.Begin(from)
	return e.findMore(src, from, to, effort, src[from:to])
}

// findMore continues a search with trials from one position to another. The trials are for a
// block.
func (e *Encoder) findMore(src []byte, from, to int, effort lz77.Effort, block []byte) []lz77.Seq {
	f, trial := &e.finder, effort
	trial.Literal = 0 // a search that leaves out costly matches would not show that long ones are better
	for {
		end := to
		if to-from >= stretchSize+leastStretch {
			end = from + stretchSize
		}
		seqs := f.FindMore(src, from+trialSize, trial)
		if least := e.try(src, seqs, from+trialSize, block); least > 0 {
			seqs = f.FindLong(src, end, least)
		} else {
			seqs = f.FindMore(src, end, effort)
		}
		if from = end; from == to {
			return seqs
		}
	}
}

// try repeats the last search of the finder, up to to, for long matches only, if most of
// its sequences save little. If that takes less space, and the block is like these bytes,
// it returns the least length of such matches, otherwise 0 and the finder as it was.
func (e *Encoder) try(src []byte, seqs []lz77.Seq, to int, block []byte) (least int) {
	f := &e.finder
	known, _, start := f.Last()
	b := src[start:to]
	if seqs = seqs[known:]; len(seqs) < leastTrial || saves(b, seqs) {
		return 0
	}
	e.huffman.count(b)
	literals := e.prices.set(&e.huffman.counts[0])
	if !e.prices.like(block) {
		return 0
	}
	short := e.bitsOfLast(src, seqs, to)
	f.Save()
	f.Undo()
	least = min(int(matchCost*uint64(len(b))/max(literals, 1))+1, mostLeast)
	seqs = f.FindLong(src, to, least)
	known, _, _ = f.Last()
	if long := e.bitsOfLast(src, seqs[known:], to); long+long/lossShare < short {
		return least
	}
	f.Restore()
	return 0
}

// bitsOfLast estimates the bits that the last sequences of the finder, up to to, take with
// the bytes between them. Bytes before the last search do not count.
func (e *Encoder) bitsOfLast(src []byte, seqs []lz77.Seq, to int) uint64 {
	_, covered, start := e.finder.Last()
	from, sum := covered, uint64(0)
	if len(seqs) == 0 {
		from = start
	} else {
		before := min(uint32(start-covered), seqs[0].Literals)
		seqs[0].Literals -= before
		defer func() { seqs[0].Literals += before }()
		from += int(before)
		sum = e.sequenceBits(seqs)
	}
	e.huffman.count(e.gather(src[from:to], seqs))
	return sum + e.prices.set(&e.huffman.counts[0])
}

// saves reports whether sequences clearly save space, by an estimate.
func saves(b []byte, seqs []lz77.Seq) bool {
	literal := max(literalCost(b, sampleSize), 256)
	length, cost := 0, 0
	for i := range seqs {
		length += int(seqs[i].Length)
		cost += bits.Len32(seqs[i].Off) + sequenceBits
	}
	return length*literal*3 >= cost*256*4
}

// sequenceBits estimates the bits that sequences take, without those of the tables.
func (e *Encoder) sequenceBits(seqs []lz77.Seq) uint64 {
	c, sum := &e.codes, uint64(0)
	c.set(seqs)
	for i, k := range [3]*kind{&literalLengths, &offsets, &matchLengths} {
		all := log2x256(uint32(len(seqs)))
		for s, n := range c.counts[i][:k.symbols] {
			if n > 0 {
				sum += uint64(n) * uint64(all-logOf(n)+uint32(k.values[s].extra())*256)
			}
		}
	}
	return sum / 256
}

// literalPrices holds the prices of bytes in 256ths of a bit, and their mean.
type literalPrices struct {
	price [256]uint32
	mean  uint64
}

// set computes the prices of bytes that occur as often as counts says. It returns the
// number of bits that all of them take.
func (l *literalPrices) set(counts *[256]uint32) uint64 {
	total := uint32(0)
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		return 0
	}
	sum, all := uint64(0), log2x256(total)
	for v, n := range counts {
		// A Huffman code has at least one bit. A byte that did not occur may do so once.
		l.price[v] = max(all-logOf(max(n, 1)), 256)
		sum += uint64(n) * uint64(l.price[v])
	}
	l.mean = sum / uint64(total)
	return min(sum/256, uint64(total)*8)
}

// like reports whether the bytes of samples of b take about as many bits as those that
// were counted.
func (l *literalPrices) like(b []byte) bool {
	least, most := l.mean*likeSize*(likeShare-1)/likeShare, l.mean*likeSize*(likeShare+1)/likeShare
	for ; len(b) >= likeSize; b = b[min(likeEvery, len(b)):] {
		sum := uint64(0)
		for _, v := range b[:likeSize] {
			sum += uint64(l.price[v])
		}
		if sum < least || sum > most {
			return false
		}
	}
	return true
}
