package draw

import (
	"math"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

func finite(v float64) bool { return v-v == 0 }

// A Scale maps the numbers from Lo to Hi to the interval from 0 to 1. The zero
// Scale is invalid; NewScale returns valid ones.
type Scale struct {
	Lo, Hi  float64 // Lo < Hi; positive if Log
	Log     bool
	Whole   bool    // ticks are whole numbers
	Seconds float64 // if positive, numbers are times since 1970 in this unit

	margin float64 // width of the parts at either end that have no ticks
	least  float64 // least distance of ticks
}

// NewScale returns a scale. If the range is empty or too small to be divided, it is
// widened; if it is not finite, or not positive on a logarithmic scale, the scale
// is that from 0 to 1 (1 to 10).
func NewScale(lo, hi float64, log bool) Scale {
	if !finite(lo) || !finite(hi) || lo > hi || log && lo <= 0 {
		if lo, hi = 0, 1; log {
			lo, hi = 1, 10
		}
	}
	if log {
		if lo, hi = max(lo, leastLog), max(hi, leastLog); hi/lo < 1+1e-9 {
			lo, hi = max(lo/2, leastLog), min(hi*2, math.MaxFloat64)
		}
		return Scale{Lo: lo, Hi: hi, Log: true}
	}
	if most := max(math.Abs(lo), math.Abs(hi)); hi/2-lo/2 <= most*1e-13 {
		pad := max(most/10, 0.5)
		if most > 0 && most < 0.5 {
			pad = max(most/10, 1e-300)
		}
		lo, hi = max(lo-pad, -math.MaxFloat64), min(hi+pad, math.MaxFloat64)
	}
	return Scale{Lo: lo, Hi: hi}
}

// leastLog is the smallest number of a logarithmic scale; smaller ones are drawn
// there. Numbers closer to 0 have too little precision for a logarithm.
const leastLog = 1e-300

// Widen returns the scale with a share of its length added at either end.
func (s Scale) Widen(share float64) Scale {
	if s.Log {
		f := math.Exp(math.Log(s.Hi/s.Lo) * share)
		if lo, hi := s.Lo/f, s.Hi*f; lo >= leastLog && finite(hi) {
			s.Lo, s.Hi = lo, hi
		}
		return s
	}
	if pad := (s.Hi/2 - s.Lo/2) * 2 * share; finite(s.Hi+pad) && finite(s.Lo-pad) {
		s.Lo, s.Hi = s.Lo-pad, s.Hi+pad
	}
	return s
}

// Place returns the position of v; from 0 to 1 if it is on the scale. Halving keeps
// the widest range from overflowing.
func (s Scale) Place(v float64) float64 {
	if s.Log {
		if v <= 0 {
			return math.Inf(-1)
		}
		return (math.Log(max(v, leastLog)) - math.Log(s.Lo)) / (math.Log(s.Hi) - math.Log(s.Lo))
	}
	all := s.Hi/2 - s.Lo/2
	if all == 0 {
		return 0.5 // the numbers are too small to be halved
	}
	return (v/2 - s.Lo/2) / all
}

// A Tick is a labelled position on a scale. Sub is a second line of the label.
type Tick struct {
	At         float64
	Label, Sub string
}

// Ticks are the ticks of a scale, lowest first. A label means the number Offset +
// label × 10^Exp.
type Ticks struct {
	List   []Tick
	Exp    int
	Offset float64
}

// Note returns the factor or offset that the labels omit, such as "×10⁶", or
// "".
func (t *Ticks) Note() string {
	text := ""
	if t.Exp != 0 {
		text = "×" + power(t.Exp)
	}
	if t.Offset != 0 {
		if text != "" {
			text += " "
		}
		if t.Offset > 0 {
			text += "+"
		}
		text += formatOffset(t.Offset)
	}
	return text
}

// Ticks returns ticks at round numbers or times: about n, at least one if
// possible, and at most 3·n + 3.
func (s Scale) Ticks(n int) Ticks {
	n = max(n, 1)
	switch {
	case s.Seconds > 0:
		if list := s.moments(n); len(list) > 0 {
			return Ticks{List: list}
		}
	case s.Log:
		list := s.decades(n)
		if narrow := s.Hi/s.Lo < 10; len(list) > 0 && (!narrow || len(list) > 3 || n < 4) {
			return Ticks{List: list}
		}
	}
	step := niceStep(s.Lo, s.Hi, n)
	if s.Whole {
		step = max(step, s.least, 1)
	}
	return s.multiples(step, 3*n+3)
}

// niceStep returns 1, 2 or 5 times a power of ten, so that about n steps cover lo
// to hi.
func niceStep(lo, hi float64, n int) float64 {
	want := max((hi/2-lo/2)/float64(n)*2, 1e-307)
	exp := math.Floor(math.Log10(want))
	for _, m := range []float64{1, 2, 5} {
		if v := decimal(m, int(exp)); v >= want*0.99 {
			return v
		}
	}
	return decimal(1, int(exp)+1)
}

// decimal returns m·10^exp, correctly rounded, or 1e308 if that is too large.
func decimal(m float64, exp int) float64 {
	v, err := strconv.ParseFloat(strconv.Itoa(int(m))+"e"+strconv.Itoa(exp), 64)
	if err != nil {
		return 1e308
	}
	return v
}

// multiples returns ticks at the multiples of step.
func (s Scale) multiples(step float64, most int) Ticks {
	var t Ticks
	largest := max(math.Abs(s.Lo), math.Abs(s.Hi))
	if span := s.Hi/2 - s.Lo/2; largest/step > 2e6 && largest > span*1e4 && !s.Whole {
		t.Offset = s.roundest(1000 * span)
		largest = max(math.Abs(s.Lo-t.Offset), math.Abs(s.Hi-t.Offset))
	}
	if plain := largest >= 1e-3 && largest < 1e5; !plain && !(s.Whole && largest < 1e9) && largest > 0 {
		t.Exp = int(math.Floor(math.Log10(largest)/3)) * 3
	}
	digits := max(0, t.Exp-int(math.Floor(math.Log10(step)+1e-9)))
	lo, hi := s.Lo+s.margin, s.Hi-s.margin
	first := math.Ceil((lo-t.Offset)/step - 1e-9)
	last := math.Inf(-1)
	for i := 0.0; int(i) < most; i++ {
		v := (first + i) * step
		at := v + t.Offset
		if !(at <= hi+step*1e-9) || !finite(at) {
			break
		}
		if at = clamp(at, lo, hi); at <= last || s.Log && v <= 0 {
			continue // the multiple is beyond the precision of a float64
		}
		last = at
		t.List = append(t.List, Tick{At: at, Label: formatTick(v, t.Exp, digits, s.Whole)})
	}
	if len(t.List) == 0 && s.margin > 0 { // no multiple is between the items
		t.List = []Tick{{At: lo, Label: formatTick(lo-t.Offset, t.Exp, t.Exp, s.Whole)}}
	}
	return t
}

// roundest returns the number with the fewest digits that is at most far from every
// number of the scale.
func (s Scale) roundest(far float64) float64 {
	most := max(math.Abs(s.Lo), math.Abs(s.Hi))
	for e := int(math.Ceil(math.Log10(most))); e > -300; e-- {
		unit := decimal(1, e)
		off := math.Round(s.Lo/unit) * unit
		if e < 0 {
			off = math.Round(s.Lo/unit) / decimal(1, -e) // the quotient is closer to the decimal number
		}
		if max(math.Abs(s.Lo-off), math.Abs(s.Hi-off)) <= far {
			return off
		}
	}
	return 0
}

// decades returns the ticks of a logarithmic scale: powers of ten, or also 2 and 5
// times those. There are two or more if the scale allows it.
func (s Scale) decades(n int) (list []Tick) {
	lo, hi := math.Log10(s.Lo), math.Log10(s.Hi)
	if float64(n) >= 2.5*(hi-lo) {
		return s.powers(1, n, 1, 2, 5)
	}
	for every := max(1, int(math.Ceil((hi-lo)/float64(n)))); every > 0 && len(list) < 2; every-- {
		list = s.powers(every, n, 1)
	}
	if len(list) < 2 {
		return s.powers(1, n, 1, 2, 5)
	}
	return list
}

// powers returns ticks at the factors times the powers of ten with exponents that
// are multiples of every.
func (s Scale) powers(every, n int, factors ...float64) (list []Tick) {
	for e := int(math.Floor(math.Log10(s.Lo))); e <= int(math.Ceil(math.Log10(s.Hi))) && len(list) < 3*n+3; e++ {
		if e%every != 0 {
			continue
		}
		for _, m := range factors {
			if v := decimal(m, e); v >= s.Lo*(1-1e-12) && v <= s.Hi*(1+1e-12) && v > 0 && finite(v) {
				list = append(list, Tick{At: min(max(v, s.Lo), s.Hi), Label: logLabel(m, e)})
			}
		}
	}
	return list
}

func logLabel(m float64, e int) string {
	if e >= -3 && e <= 4 {
		text := strconv.FormatFloat(decimal(m, e), 'f', -1, 64)
		if e == 4 {
			return thousands(text)
		}
		return text
	}
	if m == 1 {
		return power(e)
	}
	return strconv.Itoa(int(m)) + "×" + power(e)
}
