package b2io

import (
	"fmt"
	"math"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn1x3[Window, int, Stats, error](&statsFn{})
	register.DoFn1x3[Window, int, Counts, error](&countsFn{})
	register.Function2x1(mergeStats)
	register.Function2x1(mergeCounts)
	register.Function1x1(sumOf)
	register.Function1x1(meanOf)
	register.Function1x1(minOf)
	register.Function1x1(maxOf)
	register.Function1x1(stdOf)
	beam.RegisterType(reflect.TypeFor[Stats]())
	beam.RegisterType(reflect.TypeFor[Counts]())
}

// fanout is the number of keys over which the windows are spread before the final
// merge, so that no worker receives all of them.
const fanout = 64

// Stats are the statistics of the items of windows. They do not depend on the
// order of the windows, except for the last bits of M2.
type Stats struct {
	Count    int64   // number of items that are not NaN
	NaN      int64   // items that are NaN, which the other fields ignore
	Min, Max float64 // 0 if there are no items
	Sum      float64
	Low      float64 // approximate rounding error of Sum
	Mean     float64
	M2       float64 // sum of squared differences from the mean
}

// Std returns the standard deviation of all items, as NumPy does.
func (s Stats) Std() float64 {
	if n := s.Count - s.NaN; n > 0 {
		return math.Sqrt(s.M2 / float64(n))
	}
	return math.NaN()
}

// Describe returns a PCollection<Stats> of one element for all items of a
// PCollection<Window>; it is empty without items. The items must be numbers: integers,
// or float32 or float64. Integers are converted to float64; their sums are exact up to
// 2⁵³.
func Describe(s beam.Scope, windows beam.PCollection) beam.PCollection {
	s = s.Scope("b2io.Describe")
	parts := beam.CombinePerKey(s, mergeStats, beam.ParDo(s, &statsFn{}, windows))
	return beam.Combine(s, mergeStats, beam.DropKey(s, parts))
}

// Sum returns a PCollection<float64> of the sum of all items that are not NaN.
func Sum(s beam.Scope, windows beam.PCollection) beam.PCollection {
	return beam.ParDo(s, sumOf, Describe(s, windows))
}

// Mean returns a PCollection<float64> of the mean of all items that are not NaN.
func Mean(s beam.Scope, windows beam.PCollection) beam.PCollection {
	return beam.ParDo(s, meanOf, Describe(s, windows))
}

// Min returns a PCollection<float64> of the least item that is not NaN.
func Min(s beam.Scope, windows beam.PCollection) beam.PCollection {
	return beam.ParDo(s, minOf, Describe(s, windows))
}

// Max returns a PCollection<float64> of the greatest item that is not NaN.
func Max(s beam.Scope, windows beam.PCollection) beam.PCollection {
	return beam.ParDo(s, maxOf, Describe(s, windows))
}

// Std returns a PCollection<float64> of the standard deviation of all items that
// are not NaN.
func Std(s beam.Scope, windows beam.PCollection) beam.PCollection {
	return beam.ParDo(s, stdOf, Describe(s, windows))
}

func sumOf(s Stats) float64  { return s.Sum }
func meanOf(s Stats) float64 { return s.Mean }
func minOf(s Stats) float64  { return s.Min }
func maxOf(s Stats) float64  { return s.Max }
func stdOf(s Stats) float64  { return s.Std() }

// statsFn computes the statistics of a window.
type statsFn struct{}

// ProcessElement returns the figures of one window.
func (*statsFn) ProcessElement(w Window) (int, Stats, error) {
	items, err := w.Floats(nil)
	return w.spread(), statsOf(items), err
}

// spread returns the key of the fan-out to which a window belongs.
func (w *Window) spread() int {
	h := uint64(14695981039346656037)
	for _, s := range w.Start {
		h = (h ^ uint64(s)) * 1099511628211
	}
	return int((h ^ h>>32) % fanout)
}

func statsOf(items []float64) Stats {
	s := Stats{Count: int64(len(items))}
	for _, v := range items {
		if v != v {
			s.NaN++
			continue
		}
		s.Sum, s.Low = addExact(s.Sum, s.Low, v)
	}
	n := s.Count - s.NaN
	if n == 0 {
		return s
	}
	s.Mean = (s.Sum + s.Low) / float64(n)
	s.Min, s.Max = math.Inf(1), math.Inf(-1)
	for _, v := range items {
		if v != v {
			continue
		}
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
		d := v - s.Mean
		s.M2 += d * d
	}
	s.Sum, s.Low = addExact(s.Sum, 0, s.Low)
	return s
}

// addExact adds v to the sum of hi and lo. It returns the result as the nearest float64
// and most of the remainder.
func addExact(hi, lo, v float64) (float64, float64) {
	s := hi + v
	if math.IsInf(s, 0) || s != s {
		return s, 0
	}
	b := s - hi
	lo += (hi - (s - b)) + (v - b)
	t := s + lo
	return t, lo - (t - s)
}

func mergeStats(a, b Stats) Stats {
	n, m := float64(a.Count-a.NaN), float64(b.Count-b.NaN)
	c := Stats{Count: a.Count + b.Count, NaN: a.NaN + b.NaN}
	switch {
	case n == 0:
		c.Min, c.Max, c.Sum, c.Low, c.Mean, c.M2 = b.Min, b.Max, b.Sum, b.Low, b.Mean, b.M2
		return c
	case m == 0:
		c.Min, c.Max, c.Sum, c.Low, c.Mean, c.M2 = a.Min, a.Max, a.Sum, a.Low, a.Mean, a.M2
		return c
	}
	c.Min, c.Max = min(a.Min, b.Min), max(a.Max, b.Max)
	c.Sum, c.Low = addExact(a.Sum, a.Low+b.Low, b.Sum)
	c.Mean = (c.Sum + c.Low) / (n + m)
	d := b.Mean - a.Mean
	c.M2 = a.M2 + b.M2 + d*d*n*m/(n+m)
	return c
}

// Counts are the counts of a histogram.
type Counts struct {
	Low, High    float64 // range of all bins
	Bins         []int64 // counts of bins of equal width; the last bin includes High
	Below, Above int64   // number of items outside the range
	NaN          int64
}

// Histogram returns a PCollection<Counts> of one element: how many items of a
// PCollection<Window> are in each of some bins of equal width from low up to high.
// It panics unless low is less than high and there is at least one bin.
func Histogram(s beam.Scope, low, high float64, bins int, windows beam.PCollection) beam.PCollection {
	if !(low < high) || bins < 1 {
		panic(fmt.Sprintf("b2io: invalid histogram of %d bins from %v to %v", bins, low, high))
	}
	s = s.Scope("b2io.Histogram")
	parts := beam.CombinePerKey(s, mergeCounts, beam.ParDo(s, &countsFn{low, high, bins}, windows))
	return beam.Combine(s, mergeCounts, beam.DropKey(s, parts))
}

// countsFn counts the items of a window.
type countsFn struct {
	Low, High float64
	Bins      int
}

// ProcessElement counts the items of one window.
func (f *countsFn) ProcessElement(w Window) (int, Counts, error) {
	c := Counts{Low: f.Low, High: f.High, Bins: make([]int64, f.Bins)}
	items, err := w.Floats(nil)
	scale := float64(f.Bins) / (f.High - f.Low)
	for _, v := range items {
		switch {
		case v != v:
			c.NaN++
		case v < f.Low:
			c.Below++
		case v > f.High:
			c.Above++
		default:
			c.Bins[min(int((v-f.Low)*scale), f.Bins-1)]++
		}
	}
	return w.spread(), c, err
}

func mergeCounts(a, b Counts) Counts {
	c := Counts{Low: a.Low, High: a.High, Bins: make([]int64, len(a.Bins)), Below: a.Below + b.Below, Above: a.Above + b.Above, NaN: a.NaN + b.NaN}
	for i := range c.Bins {
		c.Bins[i] = a.Bins[i] + b.Bins[i]
	}
	return c
}
