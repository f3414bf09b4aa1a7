package main

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/internal/items"
	"github.com/seed03b80dae/blosc2/meta"
)

// sums holds the intermediate results of statistics. The sums of parts can be
// joined to those of the whole.
type sums struct {
	items, nans  int64
	above, below int64 // numbers of positive and negative infinities
	zeros        int64

	n, mean, squares float64 // count, mean, and sum of squared differences from the mean, of finite items
	low, high        float64

	exact           bool  // the items are integers of 64 bits, whose extremes are exact
	unsigned        bool  // the highest bit of intLow and intHigh is inverted
	intLow, intHigh int64 // the extremes, inverted if unsigned so that they compare like signed integers
}

// sumBlock is the number of items processed at a time. They are still in the L1 cache
// in the second pass.
const sumBlock = 1024

// add adds the items of b.
func (s *sums) add(d meta.DType, b []byte) {
	if s.exact = d.Size == 8 && (d.Kind == meta.Int || d.Kind == meta.Uint); s.exact {
		s.unsigned = d.Kind == meta.Uint
		s.addInts(d, b)
	}
	switch {
	case d.Size == 1:
		s.addBytes(d, b)
		return
	case d.Size == 2 && (d.Kind == meta.Int || d.Kind == meta.Uint):
		s.addShorts(d, b)
		return
	}
	var buf [sumBlock]float64
	for size := d.Size; len(b) >= size; {
		k := min(sumBlock, len(b)/size)
		x := buf[:k]
		s.block(x, read(x, d, b[:k*size]))
		b = b[k*size:]
	}
}

// read converts items to numbers, and returns their total.
func read(dst []float64, d meta.DType, b []byte) total {
	if native := d.Order != '>' && items.LittleEndian; native {
		switch {
		case d.Kind == meta.Float && d.Size == 4:
			return readAs[float32](dst, b)
		case d.Kind == meta.Float && d.Size == 8:
			return readAs[float64](dst, b)
		case d.Kind == meta.Int && d.Size == 4:
			return readAs[int32](dst, b)
		case d.Kind == meta.Uint && d.Size == 4:
			return readAs[uint32](dst, b)
		case d.Kind == meta.Int && d.Size == 8:
			return readAs[int64](dst, b)
		case d.Kind == meta.Uint && d.Size == 8:
			return readAs[uint64](dst, b)
		}
	}
	for i := range dst {
		dst[i], _ = number(d, b[i*d.Size:(i+1)*d.Size])
	}
	return totalOf(dst)
}

// A total is the result of one pass over numbers.
type total struct{ sum, low, high float64 }

// readAs is like read, for items of type T in the machine's byte order. It copies
// several items at a time to memory that is aligned for T.
func readAs[T float32 | float64 | int32 | uint32 | int64 | uint64](dst []float64, b []byte) total {
	var some [64]T
	var t total
	var p, q, r, u float64
	size := len(b) / len(dst)
	t.low, t.high = math.Inf(1), math.Inf(-1)
	low, high := t.low, t.high
	for len(dst) >= len(some) {
		copy(items.Bytes(some[:]), b)
		b = b[len(some)*size:]
		out := (*[len(some)]float64)(dst)
		for i := 0; i < len(some); i += 4 {
			f, g, h, k := float64(some[i]), float64(some[i+1]), float64(some[i+2]), float64(some[i+3])
			out[i], out[i+1], out[i+2], out[i+3] = f, g, h, k
			p += f
			q += g
			r += h
			u += k
			if f < low {
				low = f
			}
			if g < low {
				low = g
			}
			if h < low {
				low = h
			}
			if k < low {
				low = k
			}
			if f > high {
				high = f
			}
			if g > high {
				high = g
			}
			if h > high {
				high = h
			}
			if k > high {
				high = k
			}
		}
		dst = dst[len(some):]
	}
	copy(items.Bytes(some[:]), b)
	for i := range dst {
		dst[i] = float64(some[i])
	}
	t = totalOf(dst)
	return total{(p + q) + (r + u) + t.sum, min(low, t.low), max(high, t.high)}
}

// totalOf returns the total of x.
func totalOf(x []float64) total {
	t := total{low: math.Inf(1), high: math.Inf(-1)}
	for _, f := range x {
		t.sum += f
		if f < t.low {
			t.low = f
		}
		if f > t.high {
			t.high = f
		}
	}
	return t
}

// block adds numbers; it may reorder them.
func (s *sums) block(x []float64, t total) {
	s.items += int64(len(x))
	if t.sum-t.sum != 0 { // x has a NaN or an infinity, or the sum overflows
		x = s.drop(x)
		t = totalOf(x)
	}
	if len(x) == 0 {
		return
	}
	n := float64(len(x))
	mean := t.sum / n
	if mean-mean != 0 { // the sum overflows, although no item is infinite
		mean = 0
		for _, v := range x {
			mean += v / n
		}
	}
	if t.low <= 0 && t.high >= 0 {
		for _, f := range x {
			if f == 0 {
				s.zeros++
			}
		}
	}
	squares := 0.0
	if t.low != t.high {
		squares = deviation(x, mean)
	}
	s.merge(n, mean, squares, t.low, t.high)
}

// deviation returns the sum of the squared differences from the mean.
func deviation(x []float64, mean float64) float64 {
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		v := x[i : i+4 : i+4]
		p, q, r, t := v[0]-mean, v[1]-mean, v[2]-mean, v[3]-mean
		a += p * p
		b += q * q
		c += r * r
		d += t * t
	}
	for _, f := range x[i:] {
		a += (f - mean) * (f - mean)
	}
	return (a + b) + (c + d)
}

// drop counts NaNs and infinities, and returns the remaining numbers.
func (s *sums) drop(x []float64) []float64 {
	kept := x[:0]
	for _, v := range x {
		switch {
		case v != v:
			s.nans++
		case v > math.MaxFloat64:
			s.above++
		case v < -math.MaxFloat64:
			s.below++
		default:
			kept = append(kept, v)
		}
	}
	return kept
}

// merge adds the sums of other finite numbers to s.
func (s *sums) merge(n, mean, squares, low, high float64) {
	if n == 0 {
		return
	}
	if s.n == 0 {
		s.n, s.mean, s.squares, s.low, s.high = n, mean, squares, low, high
		return
	}
	all := s.n + n
	d := mean - s.mean
	s.squares += squares + d*d*(s.n/all)*n
	s.mean += d * (n / all)
	s.n = all
	s.low, s.high = min(s.low, low), max(s.high, high)
}

// join adds to s the sums of the items that follow.
func (s *sums) join(t *sums) {
	if s.items == 0 {
		s.exact, s.unsigned, s.intLow, s.intHigh = t.exact, t.unsigned, t.intLow, t.intHigh
	} else if t.items > 0 {
		s.intLow, s.intHigh = min(s.intLow, t.intLow), max(s.intHigh, t.intHigh)
	}
	s.items += t.items
	s.nans += t.nans
	s.above += t.above
	s.below += t.below
	s.zeros += t.zeros
	s.merge(t.n, t.mean, t.squares, t.low, t.high)
}

// addInts updates the extremes of 64-bit integers.
func (s *sums) addInts(d meta.DType, b []byte) {
	turned := uint64(0)
	if s.unsigned {
		turned = 1 << 63
	}
	if s.items == 0 && len(b) >= 8 {
		first := int64(item.Order(d).Uint64(b) ^ turned)
		s.intLow, s.intHigh = first, first
	}
	big := d.Order == '>'
	for ; len(b) >= 8; b = b[8:] {
		n := binary.LittleEndian.Uint64(b)
		if big {
			n = binary.BigEndian.Uint64(b)
		}
		v := int64(n ^ turned)
		if v < s.intLow {
			s.intLow = v
		}
		if v > s.intHigh {
			s.intHigh = v
		}
	}
}
