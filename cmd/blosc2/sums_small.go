package main

import (
	"math"

	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/smallints"
	"github.com/seed03b80dae/blosc2/meta"
)

// addBytes adds the items of b, which are integers of one byte.
func (s *sums) addBytes(d meta.DType, b []byte) {
	if d.Kind == meta.Int || d.Kind == meta.Uint {
		for len(b) > 0 {
			n := min(len(b), smallints.MostBytes)
			s.addSmall(smallints.Bytes(b[:n], d.Kind == meta.Int))
			b = b[n:]
		}
		return
	}
	s.items += int64(len(b))
	counts := smallints.Counts(b)
	s.counted(d, counts[:])
}

// addShorts adds the items of b, which are 16-bit integers.
func (s *sums) addShorts(d meta.DType, b []byte) {
	var swapped []byte
	if d.Order == '>' {
		swapped = make([]byte, min(len(b), smallints.MostShorts))
	}
	for b = b[:len(b)&^1]; len(b) > 0; {
		block := b[:min(len(b), smallints.MostShorts)]
		b = b[len(block):]
		if d.Order == '>' {
			for i := 0; i < len(block); i += 2 {
				swapped[i], swapped[i+1] = block[i+1], block[i]
			}
			block = swapped[:len(block)]
		}
		s.addSmall(smallints.Shorts(block, d.Kind == meta.Int))
	}
}

// addSmall adds the sums of small integers. around is the sum of the squared
// differences from the mean, times the number of items. It is exact, because its terms
// fit in 64 bits.
func (s *sums) addSmall(t smallints.Sums) {
	s.items += t.Items
	s.zeros += t.Zeros
	n := float64(t.Items)
	around := uint64(t.Items)*t.Squares - uint64(t.Sum*t.Sum)
	s.merge(n, float64(t.Sum)/n, float64(around)/n, float64(t.Low), float64(t.High))
}

// counted adds the values of one byte, each as often as its count.
func (s *sums) counted(d meta.DType, counts []int64) {
	value := func(i int) float64 {
		f, _ := number(d, []byte{byte(i)})
		return f
	}
	t := total{low: math.Inf(1), high: math.Inf(-1)}
	n := 0.0
	for i, c := range counts {
		if c > 0 {
			f := value(i)
			n += float64(c)
			t.sum += float64(c) * f
			t.low, t.high = min(t.low, f), max(t.high, f)
			if f == 0 {
				s.zeros += c
			}
		}
	}
	if n == 0 {
		return
	}
	mean, squares := t.sum/n, 0.0
	for i, c := range counts {
		if c > 0 {
			f := value(i) - mean
			squares += float64(c) * f * f
		}
	}
	s.merge(n, mean, squares, t.low, t.high)
}
