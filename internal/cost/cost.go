package cost

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Unit is how many units of the table a nanosecond has.
const Unit = 1024

// A Row has the constants of one codec at one level, in units for each count of
// a feature: to compress and to decompress.
type Row struct {
	Codec              blosc2.CodecID
	Level              int
	Compress, Expand   [Features]int64
}

// A Kernel has those of filters, in units for each byte.
type Kernel struct {
	Filters          string
	Compress, Expand int64
}

// A Time is what a chunk costs, in units.
type Time struct{ Compress, Expand int64 }

// rowOf returns the row of a codec at a level, or of the nearest level; nil where
// the codec has none.
func rowOf(codec blosc2.CodecID, level int) *Row {
	var best *Row
	for i := range Rows {
		r := &Rows[i]
		if r.Codec == codec && (best == nil || distance(r.Level, level) < distance(best.Level, level)) {
			best = r
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }

// Known reports whether the table has constants for a codec.
func Known(codec blosc2.CodecID) bool { return rowOf(codec, 5) != nil }

// Name is the table's name of p's filters, without their metas: those that it
// has no constants for count as shuffle and bytedelta, which cost most.
func Name(p *chunk.Params) string {
	f := &p.Filters
	shuffled, delta := f.Has(blosc2.FilterShuffle), f.Has(blosc2.FilterByteDelta)
	switch {
	case f.Empty():
		return "none"
	case f.Has(blosc2.FilterBitShuffle):
		return "bitshuffle"
	case delta && !shuffled:
		return "bytedelta"
	case shuffled && !delta:
		return "shuffle"
	}
	return "shuffle,bytedelta"
}

// For returns what w costs with p.
func For(w *Work, p *chunk.Params) Time {
	var t Time
	r := rowOf(p.Codec, p.Level)
	if r == nil {
		r = rowOf(blosc2.CodecZstd, 5)
	}
	for i, n := range w.Vector() {
		t.Compress += r.Compress[i] * int64(n)
		t.Expand += r.Expand[i] * int64(n)
	}
	name := Name(p)
	for _, k := range Kernels {
		if k.Filters == name {
			t.Compress += k.Compress * int64(w.Bytes)
			t.Expand += k.Expand * int64(w.Bytes)
		}
	}
	return t
}
