package serve

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// A curve holds the range of the numbers in each column of a chart.
type curve struct {
	Start   int64     `json:"start"` // position of the first item, along its dimension
	First   int64     `json:"first"` // position of the first item of the second column
	Step    int64     `json:"step"`  // distance between the first items of later columns
	Stop    int64     `json:"stop"`  // the position after the last item
	Missing int64     `json:"missing"`
	Min     []float64 `json:"-"` // NaN in a column without finite numbers
	Max     []float64 `json:"-"`
}

// newCurve returns a curve of at most n columns, which begin at multiples of align.
func newCurve(s b2nd.Span, n int, align int64) *curve {
	step := max(s.Step, 1)
	c := &curve{Start: s.Start, Stop: s.Stop}
	per := max((s.Len()+int64(n)-1)/int64(n), 1) // items per column
	c.Step = per * step
	c.First = s.Start + c.Step
	if align > 1 {
		c.Step = max((c.Step+align-1)/align*align, align)
		// There is one more column, because the first is incomplete.
		if (c.Stop-1)/c.Step-c.Start/c.Step >= int64(n) {
			c.Step += align
		}
		c.First = (s.Start/c.Step + 1) * c.Step
	}
	k := int64(0)
	if s.Len() > 0 {
		k = 1
		if last := s.Start + (s.Len()-1)*step; last >= c.First {
			k = 2 + (last-c.First)/c.Step
		}
	}
	c.Min = slices.Repeat([]float64{math.NaN()}, int(k))
	c.Max = slices.Clone(c.Min)
	return c
}

// add extends the range of a column by the numbers from lo to hi.
func (c *curve) add(col int64, lo, hi float64) {
	if lo != lo {
		return
	}
	if m := &c.Min[col]; !(*m <= lo) {
		*m = lo
	}
	if m := &c.Max[col]; !(*m >= hi) {
		*m = hi
	}
}

// column returns the column of a position.
func (c *curve) column(at int64) int64 {
	if at < c.First {
		return 0
	}
	return 1 + (at-c.First)/c.Step
}

// end returns the position after the last item of a column.
func (c *curve) end(col int64) int64 { return c.First + col*c.Step }

// rangeOf returns the least and the greatest finite number, or NaN if there is none,
// and how many numbers are not finite.
func rangeOf(values []float64) (lo, hi float64, missing int64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if v-v != 0 {
			missing++
			continue
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	if lo > hi {
		return math.NaN(), math.NaN(), missing
	}
	return lo, hi, missing
}

// fill adds items of the answer's window to c: those of the span s along dimension dim.
func (a *answer) fill(ctx context.Context, c *curve, dim int, s b2nd.Span) error {
	q := *a.query
	q.window = slices.Clone(q.window)
	q.window[dim] = s
	at, step := s.Start, max(s.Step, 1)
	var values []float64
	return q.each(ctx, q.plan(), func(b []byte) error {
		values = a.conv(values[:0], b)
		for rest := values; len(rest) > 0; {
			col := c.column(at)
			n := min((c.end(col)-at+step-1)/step, int64(len(rest)))
			lo, hi, missing := rangeOf(rest[:n])
			c.add(col, lo, hi)
			c.Missing += missing
			rest, at = rest[n:], at+n*step
		}
		return nil
	})
}

// A base is the curve of a whole dimension in narrow columns, called buckets. Curves
// with wider columns are made from it without reading the items again.
type base struct {
	id      string
	bucket  int64
	min     []float64
	max     []float64
	missing []int32
}

// These are the limits of the sizes of bases.
const (
	baseItems  = 1 << 22 // a dimension with fewer items is read each time
	baseBucket = 1 << 10
	baseMost   = 1 << 18 // most buckets of a base
	basesKept  = 4
)

// envelopes keeps the bases used last. It is safe for use by several goroutines.
type envelopes struct {
	mu   sync.Mutex
	kept list.List
}

func (e *envelopes) get(id string) *base {
	e.mu.Lock()
	defer e.mu.Unlock()
	for at := e.kept.Front(); at != nil; at = at.Next() {
		if b := at.Value.(*base); b.id == id {
			e.kept.MoveToFront(at)
			return b
		}
	}
	return nil
}

func (e *envelopes) put(b *base) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kept.PushFront(b)
	for e.kept.Len() > basesKept {
		e.kept.Remove(e.kept.Back())
	}
}

// curve computes the envelope of the answer's window.
func (a *answer) curve(s *Server) (*curve, error) {
	dim := slices.IndexFunc(a.window, func(s b2nd.Span) bool { return !s.Drop })
	span, whole := a.window[dim], a.dataset.shape[dim]
	bucket := int64(baseBucket)
	for whole/bucket > baseMost {
		bucket *= 2
	}
	ctx := a.r.Context()
	if span.Step > 1 || span.Len() < baseItems || span.Len()/int64(a.envelope) < bucket {
		c := newCurve(span, a.envelope, 0)
		return c, a.fill(ctx, c, dim, span)
	}
	b, err := a.base(ctx, s, dim, bucket)
	if err != nil {
		return nil, err
	}
	c := newCurve(span, a.envelope, bucket)
	from, to := (span.Start+bucket-1)/bucket, span.Stop/bucket // whole buckets: [from, to)
	if span.Stop == whole {
		to = int64(len(b.min))
	}
	for i := from; i < to; i++ {
		c.add(c.column(i*bucket), b.min[i], b.max[i])
		c.Missing += int64(b.missing[i])
	}
	for _, edge := range []b2nd.Span{{Start: span.Start, Stop: from * bucket, Step: 1}, {Start: min(to*bucket, span.Stop), Stop: span.Stop, Step: 1}} {
		if err := a.fill(ctx, c, dim, edge); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// base returns the base of a dimension.
func (a *answer) base(ctx context.Context, s *Server, dim int, bucket int64) (*base, error) {
	at := slices.Clone(a.window)
	at[dim] = b2nd.Span{Stop: a.dataset.shape[dim], Step: 1}
	id := fmt.Sprint(a.r.PathValue("path"), a.stamp, at, a.dataset.dtype, a.offset, a.part)
	// Chunks of a Zarr array may change while its stamp does not.
	if b := s.curves.get(id); b != nil && a.zarr == nil {
		return b, nil
	}
	q := *a.query
	q.window = at
	if q.work() > s.MaxWork {
		return nil, statusf(413, "%d bytes would have to be decoded; the limit is %d: ask for a smaller window or a stride", q.work(), s.MaxWork)
	}
	c := &curve{First: bucket, Step: bucket, Stop: at[dim].Stop}
	n := (c.Stop + bucket - 1) / bucket
	b := &base{id: id, bucket: bucket, missing: make([]int32, n)}
	c.Min = slices.Repeat([]float64{math.NaN()}, int(n))
	c.Max = slices.Clone(c.Min)
	item := int64(0)
	var values []float64
	err := q.each(ctx, q.plan(), func(raw []byte) error {
		values = a.conv(values[:0], raw)
		for rest := values; len(rest) > 0; {
			col := item / bucket
			k := min((col+1)*bucket-item, int64(len(rest)))
			lo, hi, missing := rangeOf(rest[:k])
			c.add(col, lo, hi)
			b.missing[col] += int32(missing)
			rest, item = rest[k:], item+k
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.min, b.max = c.Min, c.Max
	s.curves.put(b)
	return b, nil
}

// writeEnvelope writes an envelope.
func (a *answer) writeEnvelope(s *Server) error {
	c, err := a.curve(s)
	if err != nil {
		return err
	}
	h := a.w.Header()
	h.Set("X-Blosc2-Shape", fmt.Sprintf("%d,2", len(c.Min)))
	if a.format != "json" {
		var out []byte
		if a.format == "npy" {
			if out, err = npyHead("<f8", []int64{int64(len(c.Min)), 2}); err != nil {
				return err
			}
		}
		for i := range c.Min {
			out = appendFloats(out, []float64{c.Min[i], c.Max[i]}, "f8")
		}
		h.Set("Content-Length", strconv.Itoa(len(out)))
		_, err := a.Write(out)
		return err
	}
	out, end := a.textWriter()
	fmt.Fprintf(out, `{"start":%d,"first":%d,"step":%d,"stop":%d,"missing":%d`, c.Start, c.First, c.Step, c.Stop, c.Missing)
	for _, side := range []struct {
		name   string
		values []float64
	}{{"min", c.Min}, {"max", c.Max}} {
		fmt.Fprintf(out, `,%q:[`, side.name)
		var b []byte
		for i, v := range side.values {
			if i > 0 {
				b = append(b, ',')
			}
			if v != v {
				b = append(b, "null"...)
			} else {
				b = strconv.AppendFloat(b, v, 'g', -1, 64)
			}
		}
		out.Write(append(b, ']'))
	}
	out.WriteString("}\n")
	return end()
}
