package cost

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// Unit is the number of units of the table in a nanosecond.
const Unit = 1024

// A Kind is the arrangement of the bytes that a codec receives: how well a
// processor predicts branches depends on it.
type Kind uint8

// These are the kinds of bytes.
const (
	Planes Kind = iota // bytes or bits of the same significance, from all items, follow one another
	Bytes              // bytes that are not filtered, or differences of bytes
	Values             // items of 8 bytes that are not filtered; some codecs match them as a whole
)

// KindOf returns the kind of bytes that parameters produce.
func KindOf(p *chunk.Params) Kind {
	f := &p.Filters
	switch {
	case f.Has(blosc2.FilterShuffle) || f.Has(blosc2.FilterBitShuffle):
		return Planes
	case f.Empty() && p.TypeSize%8 == 0 && p.TypeSize > 0:
		return Values
	}
	return Bytes
}

// A Row holds the constants of one codec at one level for one kind of bytes, in
// units for each count of a feature, to compress and to decompress.
type Row struct {
	Codec            blosc2.CodecID
	Level            int
	Kind             Kind
	Compress, Expand [Features]int64
}

// A Kernel holds the constants of filters, in units per byte of data.
type Kernel struct {
	Filters          string
	Compress, Expand int64
}

// A Time is the cost of a chunk, in units.
type Time struct{ Compress, Expand int64 }

// rowOf returns the row of a codec at a level, or at the nearest level that has
// one, or nil if the codec has none.
func rowOf(codec blosc2.CodecID, level int, kind Kind) *Row {
	var best *Row
	for i := range Rows {
		r := &Rows[i]
		if r.Codec == codec && (best == nil || r.distance(level, kind) < best.distance(level, kind)) {
			best = r
		}
	}
	return best
}

func (r *Row) distance(level int, kind Kind) int {
	d := 2 * max(r.Level-level, level-r.Level)
	if r.Kind != kind {
		d++
	}
	return d
}

// Name returns the table's name for p's filters, without their metas. Filters
// without constants count as shuffle and bytedelta, the most expensive.
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

// Data that become a hundred times smaller are compressed and decompressed at the speed of
// memory. The fit yields half of that time, because few files are such. LZ4 then seems faster
// than zstd even where most of the time is that to transfer its chunks, which are three times
// as large. The constants are units per byte, for 26 and 37 GB/s.
const (
	leastCompress = 40
	leastExpand   = 28
)

// For returns the cost of w with p.
func For(w *Work, p *chunk.Params) Time {
	var t Time
	r := rowOf(p.Codec, p.Level, KindOf(p))
	if r == nil {
		r = rowOf(blosc2.CodecZstd, 5, KindOf(p))
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
	t.Compress = max(t.Compress, leastCompress*int64(w.Bytes))
	t.Expand = max(t.Expand, leastExpand*int64(w.Bytes))
	return t
}
