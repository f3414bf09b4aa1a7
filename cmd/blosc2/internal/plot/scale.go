package plot

import (
	"math"
	"strconv"
	"time"
)

// A scale maps numbers to the interval from 0 to 1, and has labelled ticks.
type scale struct {
	lo, hi float64
	ticks  []tick
}

type tick struct {
	at    float64
	label string
}

// newScale returns a scale from lo to hi with about n ticks. If lo equals hi, it is
// a little wider.
func newScale(lo, hi float64, n int, seconds float64) scale {
	if lo == hi {
		pad := max(math.Abs(lo)/10, 0.5)
		lo, hi = max(lo-pad, -math.MaxFloat64), min(hi+pad, math.MaxFloat64)
	}
	s := scale{lo: lo, hi: hi}
	if seconds > 0 {
		s.moments(n, seconds)
	} else {
		s.numbers(niceStep(lo, hi, n))
	}
	return s
}

// itemScale returns a scale of the items of an axis, each of which has a width, with
// ticks at whole numbers.
func itemScale(a Axis, n int) scale {
	half := float64(a.Step) / 2
	first := float64(a.Start)
	s := scale{lo: first - half, hi: first + float64(a.N-1)*float64(a.Step) + half}
	s.numbers(max(niceStep(s.lo, s.hi, n), 1))
	return s
}

// part returns the position of v. Halving keeps the widest range from overflowing.
func (s *scale) part(v float64) float64 {
	all := s.hi/2 - s.lo/2
	if all == 0 {
		return 0.5 // numbers too small to be halved
	}
	return (v/2 - s.lo/2) / all
}

// niceStep returns 1, 2 or 5 times a power of ten, so that about n steps cover lo
// to hi.
func niceStep(lo, hi float64, n int) float64 {
	want := max((hi/2-lo/2)/float64(n)*2, 5e-300)
	unit := math.Pow(10, math.Floor(math.Log10(want)))
	for _, m := range []float64{1, 2, 5} {
		if m*unit >= want*0.99 {
			return m * unit
		}
	}
	return 10 * unit
}

// numbers sets ticks at the multiples of step.
func (s *scale) numbers(step float64) {
	most := max(math.Abs(s.lo), math.Abs(s.hi))
	format, digits := byte('f'), int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	if most >= 1e7 || most < 1e-3 {
		format, digits = 'e', int(max(0, math.Floor(math.Log10(most))-math.Floor(math.Log10(step)+1e-9)))
	}
	for i := math.Ceil(s.lo/step - 1e-9); len(s.ticks) < 100; i++ {
		v := i * step
		if !(v <= s.hi+step*1e-9) {
			break
		}
		if v == 0 {
			s.ticks = append(s.ticks, tick{0, "0"})
			continue
		}
		s.ticks = append(s.ticks, tick{v, strconv.FormatFloat(v, format, min(digits, 15), 64)})
	}
}

// steps are the intervals between ticks on a scale of moments, in seconds.
var steps = []float64{1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600,
	day, 2 * day, 7 * day, 14 * day, 30 * day, 90 * day, 365 * day, 2 * 365 * day, 5 * 365 * day, 10 * 365 * day}

const day = 86400

// moments sets ticks at round times, or at numbers if they would be less than a
// second or many years apart.
func (s *scale) moments(n int, seconds float64) {
	want := (s.hi - s.lo) * seconds / float64(n)
	for _, step := range steps {
		if want < 0.1 || step < want {
			continue
		}
		layout := "2006-01-02 15:04:05"
		switch {
		case step >= day:
			layout = time.DateOnly
		case step >= 60:
			layout = "2006-01-02 15:04"
		}
		for t := math.Ceil(s.lo * seconds / step); t*step <= s.hi*seconds; t++ {
			s.ticks = append(s.ticks, tick{t * step / seconds, time.Unix(int64(t*step), 0).UTC().Format(layout)})
		}
		return
	}
	s.numbers(niceStep(s.lo, s.hi, n))
}
