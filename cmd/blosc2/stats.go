package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/meta"
)

// stats is what info --stats tells of the items.
type stats struct {
	DType string `json:"dtype"`
	Items int64  `json:"items"`
	NaNs  int64  `json:"nans"` // counted nowhere below
	Zeros int64  `json:"zeros"`
	Min   finite `json:"min"`
	Max   finite `json:"max"`
	Mean  finite `json:"mean"`
	Std   finite `json:"std"` // of the whole, not of a sample

	dtype meta.DType
}

// A finite number is null in JSON where it is none.
type finite float64

// MarshalJSON implements json.Marshaler.
func (f finite) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// statistics reads all items of a file.
func statistics(name, dtype string) (*stats, error) {
	v, err := openView(name, dtype)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	s := &stats{DType: v.dtype.String(), dtype: v.dtype}
	sum := welford{}
	size := v.dtype.Size
	err = v.pieces(b2nd.All(v.shape), func(b []byte) error {
		for ; len(b) > 0; b = b[size:] {
			f, ok := number(v.dtype, b[:size])
			if !ok {
				return fmt.Errorf("items of type %s are no numbers; --dtype can say what they are", v.dtype)
			}
			s.add(f, &sum)
		}
		return nil
	})
	if sum.n == 0 {
		s.Min, s.Max, sum.mean = finite(math.NaN()), finite(math.NaN()), math.NaN()
	}
	s.Mean, s.Std = finite(sum.mean), finite(sum.std())
	return s, err
}

func (s *stats) add(f float64, sum *welford) {
	s.Items++
	if math.IsNaN(f) {
		s.NaNs++
		return
	}
	if f == 0 {
		s.Zeros++
	}
	if sum.n == 0 {
		s.Min, s.Max = finite(f), finite(f)
	}
	s.Min, s.Max = min(s.Min, finite(f)), max(s.Max, finite(f))
	sum.add(f)
}

// print adds the rows of the table.
func (s *stats) print(row func(name, format string, args ...any)) {
	row("items", "%s of %s: %s zero, %s NaN", commas(s.Items), s.DType, commas(s.Zeros), commas(s.NaNs))
	row("least", "%s", s.show(s.Min))
	row("greatest", "%s", s.show(s.Max))
	row("mean", "%s ± %.3g", s.show(s.Mean), s.Std)
}

// show writes a value as items are written: dates as such.
func (s *stats) show(f finite) string {
	if d := s.dtype; d.Kind == meta.DateTime && !math.IsNaN(float64(f)) {
		return moment(int64(f), d.Unit)
	}
	return strconv.FormatFloat(float64(f), 'g', 9, 64)
}

// welford sums up numbers without losing their small differences.
type welford struct {
	n, mean, squares float64
}

func (w *welford) add(f float64) {
	w.n++
	d := f - w.mean
	w.mean += d / w.n
	w.squares += d * (f - w.mean)
}

func (w *welford) std() float64 {
	return math.Sqrt(w.squares / w.n) // NaN of no numbers
}
