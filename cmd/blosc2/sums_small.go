package main

import (
	"encoding/binary"
	"math"

	"github.com/seed03b80dae/blosc2/meta"
)

// addSmall counts how often each value of a small integer type occurs.
func (s *sums) addSmall(d meta.DType, b []byte) {
	if len(b) < 1<<13 && d.Size == 2 { // fewer items than values
		var buf [1 << 12]float64
		x := buf[:len(b)/2]
		s.block(x, read(x, d, b))
		return
	}
	n := len(b) / d.Size
	var counts []int64
	if d.Size == 1 {
		counts = countBytes(b)
	} else {
		counts = make([]int64, 1<<16)
		if o := order(d); o == binary.LittleEndian {
			for ; len(b) >= 2; b = b[2:] {
				counts[binary.LittleEndian.Uint16(b)]++
			}
		} else {
			for ; len(b) >= 2; b = b[2:] {
				counts[binary.BigEndian.Uint16(b)]++
			}
		}
	}
	s.items += int64(n)
	s.counted(d, counts)
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

// counted adds values with their counts.
func (s *sums) counted(d meta.DType, counts []int64) {
	little := d
	little.Order = '<'
	var item [2]byte
	value := func(i int) float64 {
		binary.LittleEndian.PutUint16(item[:], uint16(i))
		f, _ := number(little, item[:d.Size])
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
