package table

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// live returns the same as a list of places, whichever rows are deleted.
func TestLive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 63, 64, 65, pieceLen - 1, pieceLen, pieceLen + 1, 3*pieceLen + 100} {
		for _, kept := range []float64{0, 0.01, 0.5, 0.99, 1} {
			valid := make([]byte, n)
			var places []int64
			for i := range valid {
				if r.Float64() < kept || i/pieceLen == 1 { // one piece has no deleted row
					valid[i] = 1
					places = append(places, int64(i))
				}
			}
			l := live{places: int64(n)}
			for b := range slices.Chunk(valid, pieceLen) {
				l.add(b)
			}
			if l.total != int64(len(places)) {
				t.Fatalf("%d of %d: %d rows", len(places), n, l.total)
			}
			for range 50 {
				from := r.IntN(n)
				to := from + r.IntN(n-from+1)
				var want, all []int64
				for i := from; i < to; i++ {
					if all = append(all, int64(i)); valid[i] != 0 {
						want = append(want, int64(i))
					}
				}
				if got := l.count(int64(from), int64(to)); got != int64(len(want)) {
					t.Fatalf("%d of %d: %d rows in %d to %d, want %d", len(places), n, got, from, to, len(want))
				}
				if got := compact(&l, all, int64(from)); !slices.Equal(got, want) {
					t.Fatalf("%d of %d: other rows in %d to %d", len(places), n, from, to)
				}
				if i := r.IntN(n); l.is(int64(i)) != (valid[i] != 0) {
					t.Fatalf("%d of %d: place %d", len(places), n, i)
				}
			}
			for k, place := range places {
				if k%97 == 0 && l.place(int64(k)) != place {
					t.Fatalf("%d of %d: row %d", len(places), n, k)
				}
			}
		}
	}
}
