package lz77

import (
	"bytes"
	"testing"
)

func TestPeriod(t *testing.T) {
	var other [MostPeriod + 1]byte
	for i := range other {
		other[i] = byte(i*i + i)
	}
	for size := leastPeriod - 1; size <= leastPeriod+8; size++ {
		for _, item := range []int{2, MostPeriod, MostPeriod + 1} {
			data := bytes.Repeat(other[:item], size/item+1)[:size]
			want := item
			if size < leastPeriod || item > MostPeriod {
				want = 0
			}
			if got := Period(data); got != want {
				t.Errorf("%d bytes, items of %d: %d, not %d", size, item, got, want)
			}
			data[size-1]++
			if got := Period(data); got != 0 {
				t.Errorf("%d bytes, the last differs: %d", size, got)
			}
		}
	}
}
