package ranges

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
)

// A Range is a place in a source, and memory for the bytes that are there.
type Range struct {
	Off  int64
	Data []byte
}

// A ReaderAt is a source that reads many ranges at once. Its methods are safe
// for use by several goroutines.
type ReaderAt interface {
	io.ReaderAt
	// ReadRanges fills the Data of every range, and returns when all are full,
	// or with the first error; what is in Data is undefined then. Ranges may
	// overlap and come in any order. How many are read at the same time is for
	// the source to decide, not for the caller. A range that is not within the
	// source is io.ErrUnexpectedEOF. After ctx is cancelled ReadRanges returns
	// its cause. The source keeps neither rs nor Data after it returns.
	ReadRanges(ctx context.Context, rs []Range) error
}

// Of returns the ReaderAt that r is, or that r is a part of, as an io.SectionReader
// says by its method Outer.
func Of(r io.ReaderAt) (ReaderAt, bool) {
	switch r := r.(type) {
	case ReaderAt:
		return r, true
	case interface {
		io.ReaderAt
		Outer() (r io.ReaderAt, off, n int64)
	}:
		outer, off, n := r.Outer()
		if src, ok := Of(outer); ok {
			return &section{r, src, off, n}, true
		}
	}
	return nil, false
}

// A section is a part of a source, n bytes from off on.
type section struct {
	io.ReaderAt
	src    ReaderAt
	off, n int64
}

func (s *section) ReadRanges(ctx context.Context, rs []Range) error {
	moved := make([]Range, len(rs))
	for i, r := range rs {
		if r.Off < 0 || int64(len(r.Data)) > s.n-r.Off {
			return io.ErrUnexpectedEOF
		}
		moved[i] = Range{s.off + r.Off, r.Data}
	}
	return s.src.ReadRanges(ctx, moved)
}

func (s *section) Cost() Cost { return CostOf(s.src) }

// A Span is a place in a source: Len bytes from Off on.
type Span struct{ Off, Len int64 }

// End returns the offset after the span.
func (s Span) End() int64 {
	if s.Len > math.MaxInt64-s.Off {
		return math.MaxInt64
	}
	return s.Off + s.Len
}

// Limits of Merge that suit most stores. A gap costs less than a request of its
// own, in time and in money. A larger request would leave connections unused.
const (
	Gap  = 32 << 10
	Most = 4 << 20
)

// Merge sorts spans, and makes one of neighbours with at most gap bytes between
// them, as long as that has at most the given number of bytes. It changes spans,
// and drops empty ones.
func Merge(spans []Span, gap, most int64) []Span {
	slices.SortFunc(spans, func(a, b Span) int { return cmp.Compare(a.Off, b.Off) })
	merged := spans[:0]
	for _, s := range spans {
		if s.Len <= 0 {
			continue
		}
		if n := len(merged) - 1; n >= 0 {
			last := &merged[n]
			end := max(last.End(), s.End())
			if s.End() <= last.End() || s.Off-last.End() <= gap && end-last.Off <= most {
				last.Len = end - last.Off
				continue
			}
		}
		merged = append(merged, s)
	}
	return merged
}

// Cost is what the requests of a source cost.
type Cost struct {
	AtOnce  int   // requests that are under way at a time
	Request int64 // bytes that take as long as a request, where AtOnce are under way
}

// DefaultCost is that of sources which do not state theirs: ten requests at a time
// that wait 20 ms for their answers, and a line of 1 Gbit/s, which brings 256 KiB in
// a tenth of 20 ms.
var DefaultCost = Cost{AtOnce: 10, Request: 256 << 10}

// A Priced is a ReaderAt that states what its requests cost. What it states may
// change.
type Priced interface {
	ReaderAt
	Cost() Cost
}

// CostOf returns what the requests of a source cost.
func CostOf(r ReaderAt) Cost {
	if p, ok := r.(Priced); ok {
		return p.Cost()
	}
	return DefaultCost
}

// Merge makes one span of neighbours: see the function Merge. Up to AtOnce requests
// take no longer than one. Where there are more it merges over wider gaps, of up to
// c.Request bytes and the smallest first, until there are no more than AtOnce.
func (c Cost) Merge(spans []Span) []Span {
	spans = Merge(spans, Gap, Most)
	excess := len(spans) - c.AtOnce
	if excess <= 0 {
		return spans
	}
	var gaps []int64
	for i := 1; i < len(spans); i++ {
		if gap := spans[i].Off - spans[i-1].End(); gap <= c.Request && spans[i].End()-spans[i-1].Off <= Most {
			gaps = append(gaps, gap)
		}
	}
	if len(gaps) == 0 {
		return spans
	}
	slices.Sort(gaps)
	return Merge(spans, gaps[min(excess, len(gaps))-1], Most)
}
