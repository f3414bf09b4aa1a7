// Package lz77 searches for repetitions in blocks of shuffled planes, for codecs
// that have Go libraries with weaker searches than C's. It uses rows and lazy matching,
// like the middle levels of zstd, a fast search, like its lowest levels, or chains and
// the parser of LZ4 HC.
package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// A Seq is a number of literals and the match that follows them. Off is 1 for the
// distance of the previous match (or, without literals, of the one before that),
// and the distance + RepeatCodes for any other, as in zstd.
type Seq struct{ Literals, Length, Off uint32 }

// RepeatCodes is added to the distances in Seq.Off.
const RepeatCodes = 3

// MinMatch is the length of the shortest match.
const MinMatch = 4

// Effort determines how hard to search.
type Effort struct {
	Window    int  // largest distance, 0 for any; it does not apply to the fast search unless Flat is set
	Depth     int  // with Flat or Weigh: number of candidates compared in a chain, 0 for none
	MinLength int  // least length of matches of the fast search, 4 to 8
	Double    bool // with MinLength: a second table finds matches of 8 bytes
	Rows      int  // number of candidates compared in a row, up to 32, and up to 16 in inputs of at most 64 KiB; 0 for none
	Far       bool // with Rows: a further table finds long matches that the rows no longer hold
	Lazy      int  // positions ahead that are tried before a match is taken, 0 to 2
	Weigh     int  // for zstd: how often it searches for the cheapest sequences, with Depth candidates; more than once means thoroughly
	Saving    int  // for zstd, with a Weigh of 1: the search for the cheapest sequences pays if it saves more than one in so many bits beyond a lazy one; 0 makes no trial
	Literal   int  // for zstd: the cost of a literal in 256ths of a bit, 0 if unknown; matches that cost more than their bytes do as literals are not taken
	Survey    bool // with Weigh: a lazy search of the first block shows what matches cost, and which are worthwhile; with Rows, also whether more than these pays
	Lone      bool // with Weigh above 1: sequences may be better that all follow one literal, see Lone
	Trials    bool // for zstd: where long matches alone take less space, only these are searched for
	Rough     bool // for zstd: the code of literals may be made from a part of them
	Nice      int  // with Weigh: a longer match is taken immediately
	Values    bool // words of 8 bytes at multiples of 8 may repeat as a whole

	ValueDepth int  // pairs of such words that are compared for each; 0 for a single lookup
	FastDecode bool // with a single lookup: sequences that decode faster and take a little more space

	Flat bool // all distances cost the same, and none is written as repeated; with Depth in a chain, without in two tables
}

// Every match begins at least tail bytes before the end of the input.
const tail = 8

// A Finder keeps tables. The zero value is ready after Reset.
type Finder struct {
	rep  [2]int
	seqs []Seq
	progress

	// rows16 and chain16 are for inputs of at most 64 KiB, the others for longer ones.
	rows16  rows16
	rows32  rows32
	wide    wideRows
	far     LongTable // of positions that were searched in rows
	chain16 chain[uint16]
	chain32 chain[uint32]
	valueSearch

	begun  bool // a part of the input was searched
	size   int  // size of the input
	key    int  // bytes of a key of rows
	fast16 []uint16
	fast32 []uint32
	saved  saved
	sparse []uint32 // the table of FindLong, empty if it has searched nothing of the input
}

// Reset begins a new input of n bytes.
func (f *Finder) Reset(n int) {
	f.size, f.key = n, MinMatch
	f.begun = false
	f.sparse = f.sparse[:0]
	f.ofValues = false // set here, because the first block may need no search
	f.rep = [2]int{1, 4}
}

// SetKey lets rows find matches of at least the given number of bytes, MinMatch to 8: where
// bytes differ little, short repetitions would hide the long ones. It must be called after
// Reset, which sets MinMatch, and before the first search.
func (f *Finder) SetKey(bytes int) { f.key = bytes }

// Repeats returns the distances that the next sequence may repeat, and SetRepeats
// restores them if the sequences found were not used.
func (f *Finder) Repeats() [2]int     { return f.rep }
func (f *Finder) SetRepeats(r [2]int) { f.rep = r }

// Find returns the sequences of src[from:to], which may refer to everything before them.
// All searches of an input must use the same table: rows, a chain, or neither.
// The bytes after the last sequence are literals. The sequences are valid until the next
// call.
func (f *Finder) Find(src []byte, from, to int, e Effort) []Seq {
	if seqs, ok := f.FindValues(src, from, to, e); ok {
		return seqs
	}
	return f.FindBytes(src, from, to, e)
}

// FindBytes is Find for all data but whole values that repeat.
func (f *Finder) FindBytes(src []byte, from, to int, e Effort) []Seq {
	f.Begin(from)
	return f.FindMore(src, to, e)
}

// findBytes appends the sequences of src[from:to].
func (f *Finder) findBytes(src []byte, from, to int, e Effort) {
	if e.Window == 0 {
		e.Window = len(src)
	}
	if e.Flat {
		f.rep = [2]int{}
	}
	switch small := len(src) <= 1<<16; {
	case e.Flat && e.Depth == 0:
		f.flatFind(src, from, to, e)
	case e.Flat && small:
		findWide(f, &f.chain16, src, from, to, e)
	case e.Flat:
		findWide(f, &f.chain32, src, from, to, e)
	case e.Rows == 0:
		f.fastFind(src, from, to, e)
	case small:
		findRows(f, &f.rows16, src, from, to, e)
	case e.Rows > 16:
		findRows(f, &f.wide, src, from, to, e)
	default:
		findRows(f, &f.rows32, src, from, to, e)
	}
	f.begun = true
}

// findRows finds sequences with rows, which it empties for a new input.
func findRows[P position, T tags, A places[P]](f *Finder, r *rows[P, T, A], src []byte, from, to int, e Effort) {
	if !f.begun {
		r.reset(f.size, f.key)
		if e.Far {
			f.far.Reset(uint(min(max(bits.Len(uint(f.size))-2, 10), farBits)))
		}
	}
	r.attempts = e.Rows
	f.findLazy(r, src, from, to, e)
}

// CommonPrefix returns how many bytes of src at ip equal those at ref, which is before
// ip, up to a limit.
func CommonPrefix(src []byte, ip, ref, to int) int {
	start := ip
	for ; ip <= to-8; ip, ref = ip+8, ref+8 {
		if x := mem.Load64(src, ip) ^ mem.Load64(src, ref); x != 0 {
			return ip - start + bits.TrailingZeros64(x)>>3
		}
	}
	for ip < to && src[ip] == src[ref] {
		ip, ref = ip+1, ref+1
	}
	return ip - start
}
