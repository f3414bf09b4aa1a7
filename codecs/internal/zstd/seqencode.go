package zstd

import (
	"math"
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/bitio"
	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// codes holds the symbols of each sequence of a block: literal length, offset and
// match length, 8 bits each, the first in the lowest bits.
type codes struct {
	packed []uint32
	counts [3][64]uint32 // maxSymbols are used; 64 avoids bounds checks
}

func (c *codes) set(seqs []lz77.Seq) {
	c.packed = room.Resize(c.packed, max(len(seqs), maxBlock/8))[:len(seqs)]
	clear(c.counts[:])
	for i := range seqs {
		s := &seqs[i]
		l, o, m := literalCode(s.Literals), uint8(bits.Len32(s.Off)-1), matchCode(s.Length-3)
		c.counts[literalLength][l&63]++
		c.counts[offset][o&63]++
		c.counts[matchLength][m&63]++
		c.packed[i] = uint32(l) | uint32(o)<<8 | uint32(m)<<16
	}
}

// room returns the maximum number of bytes of the sequences.
func (c *codes) room(tables *[3]*fseTable) int {
	sum := 0
	for i, k := range kinds {
		for s, n := range c.counts[i][:k.symbols] {
			sum += int(n) * (int(k.values[s].extra()) + int(tables[i].log))
		}
	}
	return sum/8 + 2
}

// single returns the table of a single symbol, which takes no bits.
var single fseTable

// appendSequences codes the sequences. It returns nil if that is impossible, or
// takes more than most bytes.
func (e *Encoder) appendSequences(dst []byte, seqs []lz77.Seq, most int) []byte {
	dst = e.grow(dst, 512) // for their number and the tables
	// Number_of_Sequences (RFC 8878, 3.1.1.3.2.1).
	switch n := len(seqs); {
	case n == 0:
		return append(dst, 0)
	case n < 128:
		dst = append(dst, byte(n))
	case n < 0x7f00:
		dst = append(dst, byte(n>>8)+128, byte(n))
	default:
		dst = append(dst, 255, byte(n-0x7f00), byte((n-0x7f00)>>8))
	}
	c := &e.codes
	c.set(seqs)
	at := len(dst)
	dst = append(dst, 0)
	var tables [3]*fseTable
	modes := byte(0)
	for i, k := range kinds {
		var mode byte
		most := k.maxLog
		if e.smallTables {
			most = smallLog
		}
		if dst, tables[i], mode = k.choose(dst, &e.own[i], &c.counts[i], len(seqs), most); tables[i] == nil {
			return nil
		}
		modes |= mode << (6 - 2*i)
	}
	dst[at] = modes
	need := c.room(&tables)
	if need > 2*most+64 {
		return nil // the sequences are short matches that cost more than they save
	}
	dst = e.grow(dst, need)
	w := &e.writer
	*w = sequenceWriter{tables: tables, out: len(dst)}
	encodeSequences(w, dst[:cap(dst)], seqs, c.packed)
	return dst[:w.out]
}

// A sequenceWriter is the state of the loop over the sequences. The assembly
// depends on its layout.
type sequenceWriter struct {
	tables [3]*fseTable
	out    int // position in the destination
}

// encodeSequences writes all sequences, the last one first, so that the decoder
// goes forwards. There must be at least one, and space for 8 bytes more than they
// take.
var encodeSequences = encodeSequencesGeneric

func encodeSequencesGeneric(w *sequenceWriter, dst []byte, seqs []lz77.Seq, packed []uint32) {
	lt, ot, mt := w.tables[0], w.tables[1], w.tables[2]
	b := bitio.Writer{Out: dst, At: w.out}
	i := len(seqs) - 1
	c := packed[i]
	ls, os, ms := lt.first(uint8(c)), ot.first(uint8(c>>8)), mt.first(uint8(c>>16))
	for {
		l, o, m := uint8(c), uint8(c>>8), uint8(c>>16)
		s := &seqs[i]
		b.Add(low(s.Literals, uint(literalBits[l&63])), uint(literalBits[l&63]))
		b.Flush()
		b.Add(low(s.Length-3, uint(matchBits[m&63])), uint(matchBits[m&63]))
		b.Add(low(s.Off, uint(o)), uint(o))
		b.Flush()
		if i == 0 {
			break
		}
		i--
		c = packed[i]
		os = ot.next(&b, os, uint8(c>>8))
		ms = mt.next(&b, ms, uint8(c>>16))
		ls = lt.next(&b, ls, uint8(c))
	}
	b.Add(low(ms, mt.log), mt.log)
	b.Add(low(os, ot.log), ot.log)
	b.Add(low(ls, lt.log), lt.log)
	w.out = endMark(&b)
}

// low returns the n lowest bits of v.
func low[T uint32 | uint64](v T, n uint) uint64 { return uint64(v) & (1<<(n&63) - 1) }

// endMark adds the bit that marks the end of bits, from which they are read (RFC
// 8878, 4.1), and returns the position after them.
func endMark(b *bitio.Writer) int {
	b.Add(1, 1)
	b.Align()
	return b.At
}

// These are the ways to describe a table: Symbol_Compression_Modes (RFC 8878,
// 3.1.1.3.2.1).
const (
	modePredefined = 0
	modeRLE        = 1
	modeCompressed = 2
)

// smallLog is the log of small tables.
const smallLog = 7

// choose picks how to code the total symbols that were counted. It builds the
// table, of at most the given log, if it is a new one, and appends its description.
// It returns no table if the symbols cannot be coded.
func (k *kind) choose(dst []byte, own *fseTable, counts *[64]uint32, total int, most uint) (out []byte, t *fseTable, mode byte) {
	last := uint8(len(counts) - 1)
	for counts[last] == 0 {
		last--
	}
	if int(counts[last]) == total && total > 2 {
		return append(dst, last), &single, modeRLE
	}
	standard := uint64(math.MaxUint64)
	if int(last) < len(k.predefined) {
		standard = price(counts[:last+1], k.predefined, k.log)
	}
	// A table of fewer states is faster to build, for the decoder too.
	log := min(uint(max(bits.Len(uint(total-1))-3, 5, bits.Len8(last)+1)), most)
	var space [maxSymbols]int16
	norm := space[:last+1]
	if total > 16 && int(counts[last]) < total {
		normalize(norm, counts[:last+1], total, log)
		header := len(dst)
		dst = appendCounts(dst, norm, log)
		if price(counts[:last+1], norm, log)+uint64(len(dst)-header)*8*256 < standard {
			own.build(norm, log)
			return dst, own, modeCompressed
		}
		dst = dst[:header]
	}
	if standard == math.MaxUint64 {
		return dst, nil, modePredefined // the symbols cannot be coded
	}
	return dst, &k.table, modePredefined
}

// price estimates the cost of symbols with these counts by a table, in 256ths of a
// bit.
func price(counts []uint32, norm []int16, log uint) uint64 {
	sum := uint64(0)
	for s, c := range counts {
		if c > 0 {
			sum += uint64(c) * uint64(uint32(log)<<8-log2[max(norm[s], 1)])
		}
	}
	return sum
}
