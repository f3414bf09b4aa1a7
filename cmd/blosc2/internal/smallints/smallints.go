// Package smallints computes sums and extremes of small integers, faster than they are
// decompressed.
package smallints

import (
	"encoding/binary"
	"math"
)

// Sums holds the results of one pass over integers.
type Sums struct {
	Items, Zeros int64
	Sum          int64
	Squares      uint64 // sum of the squares
	Low, High    int64  // valid only if Items > 0
}

// MostBytes and MostShorts are the largest numbers of bytes, with items of 8 and 16
// bits, for which Items * Squares fits in 64 bits.
const (
	MostBytes  = 1 << 20
	MostShorts = 1 << 16
)

// A kernel sums whole vectors. It accepts at most mostVector bytes, because its
// intermediate results have 32 bits. It is nil if there is no kernel for the processor.
const (
	vector     = 32
	mostVector = 8 << 10
)

var (
	bytesKernel  func(b []byte, signed bool) Sums
	shortsKernel func(b []byte, signed bool) Sums
)

// Bytes returns the sums of 8-bit integers.
func Bytes(b []byte, signed bool) Sums { return sum(b, signed, bytesKernel, bytesGeneric) }

// Shorts returns the sums of 16-bit little-endian integers. It ignores an odd last byte.
func Shorts(b []byte, signed bool) Sums { return sum(b, signed, shortsKernel, shortsGeneric) }

func sum(b []byte, signed bool, kernel, generic func([]byte, bool) Sums) Sums {
	s := Sums{Low: math.MaxInt64, High: math.MinInt64}
	for kernel != nil && len(b) >= vector {
		n := min(len(b), mostVector) &^ (vector - 1)
		s.join(kernel(b[:n], signed))
		b = b[n:]
	}
	if len(b) > 0 {
		s.join(generic(b, signed))
	}
	return s
}

// join adds the sums of other integers.
func (s *Sums) join(t Sums) {
	s.Items += t.Items
	s.Zeros += t.Zeros
	s.Sum += t.Sum
	s.Squares += t.Squares
	s.Low, s.High = min(s.Low, t.Low), max(s.High, t.High)
}

// shift returns the sums of the same integers with d added to each.
func (s Sums) shift(d int64) Sums {
	s.Squares += uint64(2*d*s.Sum + d*d*s.Items)
	s.Sum += d * s.Items
	s.Low += d
	s.High += d
	return s
}

func bytesGeneric(b []byte, signed bool) Sums {
	s := Sums{Items: int64(len(b)), Low: math.MaxInt64, High: math.MinInt64}
	for i, n := range Counts(b) {
		if n == 0 {
			continue
		}
		v := int64(i)
		if signed {
			v = int64(int8(i))
		}
		if v == 0 {
			s.Zeros = n
		}
		s.Sum += n * v
		s.Squares += uint64(n * v * v)
		s.Low, s.High = min(s.Low, v), max(s.High, v)
	}
	return s
}

// Counts returns how often each value occurs. It uses four tables; with one, counting
// consecutive equal bytes would wait for the previous store.
func Counts(b []byte) [256]int64 {
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
	return tables[0]
}

// shortsGeneric reads four integers at a time. It inverts the highest bit of signed
// ones, which then compare like unsigned ones.
func shortsGeneric(b []byte, signed bool) Sums {
	const lanes = 0x0001_0001_0001_0001
	turn, zero := uint64(0), int64(0)
	if signed {
		turn, zero = lanes<<15, 1<<15
	}
	s := Sums{Items: int64(len(b) / 2)}
	var squares, squares2, total, total2 uint64
	low, high := uint64(math.MaxUint16), uint64(0)
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		if (x-lanes)&^x&(lanes<<15) != 0 { // at least one integer is 0
			for y := range 4 {
				if uint16(x>>(16*y)) == 0 {
					s.Zeros++
				}
			}
		}
		x ^= turn
		i, j, k, l := x&0xffff, x>>16&0xffff, x>>32&0xffff, x>>48
		total += i + j
		total2 += k + l
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
	for ; len(b) >= 2; b = b[2:] {
		x := uint64(binary.LittleEndian.Uint16(b))
		if x == 0 {
			s.Zeros++
		}
		x ^= turn & 0xffff
		total += x
		squares += x * x
		low, high = min(low, x), max(high, x)
	}
	s.Sum, s.Squares = int64(total+total2), squares+squares2
	s.Low, s.High = int64(low), int64(high)
	return s.shift(-zero)
}
