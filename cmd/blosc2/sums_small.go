package main

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2/meta"
)

// addBytes counts how often each value of a type of one byte occurs.
func (s *sums) addBytes(d meta.DType, b []byte) {
	s.items += int64(len(b))
	s.counted(d, countBytes(b))
}

// shortBlock is the number of 16-bit integers whose sums are exact: their number times
// the sum of their squares fits in 64 bits.
const shortBlock = 4096

// addShorts adds 16-bit integers.
func (s *sums) addShorts(d meta.DType, b []byte) {
	var zero uint16
	if d.Kind == meta.Int { // all are turned so that they compare like unsigned ones
		zero = 1 << 15
	}
	for b = b[:len(b)&^1]; len(b) > 0; {
		block := b[:min(len(b), 2*shortBlock)]
		b = b[len(block):]
		t := sumShorts(block, zero, d.Order == '>')
		n := uint64(len(block) / 2)
		s.items += int64(n)
		s.zeros += t.zeros
		at := func(x float64) float64 { return x - float64(zero) }
		s.merge(float64(n), at(float64(t.sum)/float64(n)), float64(n*t.squares-t.sum*t.sum)/float64(n), at(float64(t.low)), at(float64(t.high)))
	}
}

// shortSums are the results of one pass over 16-bit integers.
type shortSums struct {
	sum, squares, low, high uint64
	zeros                   int64
}

// sumShorts reads four integers at a time. zero is what stands for 0.
func sumShorts(b []byte, zero uint16, big bool) shortSums {
	const (
		lanes = 0x0001_0001_0001_0001
		bytes = 0x00ff_00ff_00ff_00ff
	)
	turn := uint64(zero) * lanes
	t := shortSums{low: math.MaxUint16}
	var squares, squares2, sum, sum2 uint64
	low, high := t.low, t.high
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		if big {
			x = x>>8&bytes | x&bytes<<8
		}
		if (x-lanes)&^x&(lanes<<15) != 0 { // one is 0
			for y := range 4 {
				if uint16(x>>(16*y)) == 0 {
					t.zeros++
				}
			}
		}
		x ^= turn
		i, j, k, l := x&0xffff, x>>16&0xffff, x>>32&0xffff, x>>48
		sum += i + j
		sum2 += k + l
		squares += i*i + j*j
		squares2 += k*k + l*l
		if i < low {
			low = i
		}
		if j < low {
			low = j
		}
		if k < low {
			low = k
		}
		if l < low {
			low = l
		}
		if i > high {
			high = i
		}
		if j > high {
			high = j
		}
		if k > high {
			high = k
		}
		if l > high {
			high = l
		}
	}
	t.sum, t.squares, t.low, t.high = sum+sum2, squares+squares2, low, high
	for ; len(b) >= 2; b = b[2:] {
		i := binary.LittleEndian.Uint16(b)
		if big {
			i = i>>8 | i<<8
		}
		if i == 0 {
			t.zeros++
		}
		v := uint64(i ^ zero)
		t.sum += v
		t.squares += v * v
		t.low, t.high = min(t.low, v), max(t.high, v)
	}
	return t
}

// countBytes uses four tables, so that counting consecutive equal bytes does not wait
// for the previous store.
func countBytes(b []byte) []int64 {
	var tables [4][256]int64
	for ; len(b) >= 4; b = b[4:] {
		tables[0][b[0]]++
		tables[1][b[1]]++
		tables[2][b[2]]++
		tables[3][b[3]]++
	}
	for _, v := range b {
		tables[0][v]++
	}
	for i := range tables[0] {
		tables[0][i] += tables[1][i] + tables[2][i] + tables[3][i]
	}
	return tables[0][:]
}

// counted adds values of one byte with their counts.
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
