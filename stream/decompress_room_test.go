package stream

import (
	"math"
	"testing"
)

// A header cannot request unbounded memory, or more than fits in an int of 32 bits.
func TestFirstRoom(t *testing.T) {
	for _, c := range []struct {
		nbytes, size, limit int64
		want                int
	}{
		{1000, 100, 0, 1000},
		{math.MaxInt64, 100, 0, 100 * plausible},
		{math.MaxInt64, 1 << 40, 0, atOnce},
		{math.MaxInt64, math.MaxInt64, 0, atOnce},
		{math.MaxInt64, 1 << 40, 5000, 5000},
		{-1, 100, 0, 0},
		{0, 100, 10, 0},
	} {
		if got := firstRoom(c.nbytes, c.size, c.limit); got != c.want {
			t.Errorf("firstRoom(%d, %d, %d) = %d, expected %d", c.nbytes, c.size, c.limit, got, c.want)
		}
	}
}
