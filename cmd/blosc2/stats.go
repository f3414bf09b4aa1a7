package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/meta"
)

// stats are the statistics of info --stats.
type stats struct {
	DType string  `json:"dtype"`
	Items int64   `json:"items"`
	NaNs  int64   `json:"nans"` // number of NaNs, which the fields below do not include
	Infs  int64   `json:"infs"`
	Zeros int64   `json:"zeros"`
	Min   extreme `json:"min"`
	Max   extreme `json:"max"`
	Mean  finite  `json:"mean"`
	Std   finite  `json:"std"` // standard deviation of a population, not of a sample

	dtype meta.DType
}

// A finite is null in JSON if it is NaN or infinite.
type finite float64

// MarshalJSON implements json.Marshaler.
func (f finite) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(f), 0) || math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// An extreme is a minimum or maximum. An integer of 64 bits is exact.
type extreme struct {
	f    float64
	text string // an integer in decimal; "" for other numbers
}

// MarshalJSON implements json.Marshaler.
func (x extreme) MarshalJSON() ([]byte, error) {
	if x.text != "" {
		return []byte(x.text), nil
	}
	return finite(x.f).MarshalJSON()
}

// statistics reads all items of a file.
func (e *env) statistics(name, dtype string) (*stats, error) {
	v, err := e.openAll(name, dtype, usualCheck.options(name)...)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	if _, ok := number(v.dtype, make([]byte, v.dtype.Size)); !ok {
		if v.dtype.Kind == meta.Struct {
			return nil, errors.New("items are records, not numbers")
		}
		return nil, fmt.Errorf("items of type %s are not numbers; --dtype sets another type", v.dtype)
	}
	bar := e.newBar(name, v.size64())
	defer bar.end()
	sum, err := v.summarize(bar)
	if err != nil {
		return nil, err
	}
	return sum.stats(v.dtype), nil
}

// size64 returns the size of all items in bytes.
func (v *view) size64() int64 {
	return item.Count(v.shape) * int64(v.dtype.Size)
}

// stats returns the statistics of all items that are not NaN, as NumPy does: with
// an infinity the mean is infinite and the deviation NaN.
func (s *sums) stats(d meta.DType) *stats {
	out := &stats{DType: d.String(), dtype: d, Items: s.items, NaNs: s.nans, Infs: s.above + s.below, Zeros: s.zeros}
	mean, std := s.mean, math.Sqrt(s.squares/s.n)
	low, high := s.low, s.high
	if s.above > 0 {
		mean, std, high = math.Inf(1), math.NaN(), math.Inf(1)
	}
	if s.below > 0 {
		mean, std, low = mean+math.Inf(-1), math.NaN(), math.Inf(-1)
		if s.above == 0 {
			mean = math.Inf(-1)
		}
	}
	if s.n == 0 && s.above+s.below == 0 {
		mean, std, low, high = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	if s.n == 0 && s.above > 0 && s.below == 0 {
		low = math.Inf(1)
	}
	if s.n == 0 && s.below > 0 && s.above == 0 {
		high = math.Inf(-1)
	}
	out.Min, out.Max = extreme{f: low}, extreme{f: high}
	if s.exact && s.n > 0 {
		out.Min.text, out.Max.text = s.intText(s.intLow), s.intText(s.intHigh)
	}
	out.Mean, out.Std = finite(mean), finite(std)
	return out
}

// intText formats an integer of 64 bits.
func (s *sums) intText(n int64) string {
	if s.unsigned {
		return strconv.FormatUint(uint64(n)^1<<63, 10)
	}
	return strconv.FormatInt(n, 10)
}

// print adds the statistics as rows of the description.
func (s *stats) print(row func(name, format string, args ...any)) {
	infs := ""
	if s.Infs > 0 {
		infs = ", " + commas(s.Infs) + " infinite"
	}
	row("items", "%s of %s: %s zero, %s NaN%s", commas(s.Items), s.DType, commas(s.Zeros), commas(s.NaNs), infs)
	row("minimum", "%s", s.Min.show(s.dtype))
	row("maximum", "%s", s.Max.show(s.dtype))
	row("mean", "%s ± %.3g", extreme{f: float64(s.Mean)}.show(s.dtype), s.Std)
}

// show formats a value as cat formats items. Dates, for example, are printed as dates.
func (x extreme) show(d meta.DType) string {
	if d.Kind == meta.DateTime && !math.IsNaN(x.f) {
		return item.Moment(int64(x.f), d.Unit)
	}
	if x.text != "" {
		return x.text
	}
	return strconv.FormatFloat(x.f, 'g', 9, 64)
}
