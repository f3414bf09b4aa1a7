package room_test

import (
	"testing"

	"github.com/seed03b80dae/blosc2/internal/room"
)

// Slices hold what is written to them, whatever memory Make returns.
func TestSlice(t *testing.T) {
	defer func(f func(int) []byte) { room.Make = f }(room.Make)
	for _, skip := range []int{0, 1, 8} {
		room.Make = func(n int) []byte { return make([]byte, n+skip)[skip:] }
		for _, n := range []int{0, 1, 1000} {
			type triple struct{ a, b, c uint32 }
			s := room.Slice[triple](n)
			if len(s) != n {
				t.Fatalf("%d values, not %d", len(s), n)
			}
			for i := range s {
				if s[i] != (triple{}) {
					t.Fatalf("%d: not zero", i)
				}
				s[i] = triple{uint32(i), 1, 2}
			}
			for i := range s {
				if s[i].a != uint32(i) || s[i].c != 2 {
					t.Fatalf("value %d of %d was overwritten", i, n)
				}
			}
		}
	}
}
