package ranges

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
)

// A Range is an offset in a source, and memory for the bytes there.
type Range struct {
	Off  int64
	Data []byte
}

// A ReaderAt is a source that reads many ranges concurrently. Its methods are
// safe for use by several goroutines.
type ReaderAt interface {
	io.ReaderAt
	// ReadRanges fills the Data of every range. It returns when all are full, or
	// with the first error, after which the contents of Data are undefined. Ranges
	// may overlap and may be in any order. The source decides how many it reads at
	// a time. A range beyond the end of the source results in
	// io.ErrUnexpectedEOF. After ctx is cancelled ReadRanges returns its cause.
	// The source keeps neither rs nor Data after it returns.
	ReadRanges(ctx context.Context, rs []Range) error
}

// Of returns r as a ReaderAt. ok is false unless r is a ReaderAt, or a section of a
// ReaderAt with a method Outer, such as an io.SectionReader.
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

// A section is n bytes of a source, starting at off.
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

// A Span is a range of bytes in a source: Len bytes starting at Off.
type Span struct{ Off, Len int64 }

// End returns the offset after the span.
func (s Span) End() int64 {
	if s.Len > math.MaxInt64-s.Off {
		return math.MaxInt64
	}
	return s.Off + s.Len
}

// These limits for Merge suit most stores. Reading a gap of that size costs less than
// another request, in time and in money. With larger requests there would be too few to
// use all connections.
const (
	Gap  = 32 << 10
	Most = 4 << 20
)

// Merge sorts spans and merges adjacent ones with at most gap bytes between them,
// if the result has at most most bytes. It modifies spans, and drops empty ones.
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

// A Cost is the cost of a source's requests.
type Cost struct {
	AtOnce  int   // number of ranges that take as long as one if they are read at the same time
	Request int64 // number of bytes that take as long as one request more
}

// DefaultCost returns the cost that is assumed for a source that is not Priced: ten
// requests at a time, each of which takes 20 ms, and a link of 1 Gbit/s, which carries
// 256 KiB in 2 ms.
func DefaultCost() Cost { return Cost{AtOnce: 10, Request: 256 << 10} }

// A Priced is a ReaderAt that reports the cost of its requests, which may change.
type Priced interface {
	ReaderAt
	Cost() Cost
}

// CostOf returns the cost of a source's requests.
func CostOf(r ReaderAt) Cost {
	if p, ok := r.(Priced); ok {
		return p.Cost()
	}
	return DefaultCost()
}

// Merge merges adjacent spans: see the function Merge. If more than AtOnce remain,
// it also merges over wider gaps, of up to c.Request bytes, the smallest first,
// until AtOnce remain.
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
