package move

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// For every length of a run and every kind of step, up to the ends of both slices,
// the bytes of the runs are copied and no others are changed.
func TestStrided(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for run := range 150 {
		for _, gap := range []int{0, 1, 40} {
			for _, back := range []int{-1, 0, 1, 5} {
				for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 17, 70} {
					dstStep, srcStep := run+gap, back*(run+3)
					low, high := min(0, srcStep*max(n-1, 0)), max(0, srcStep*max(n-1, 0))
					do, so := r.IntN(3), r.IntN(3)-low
					var runs []place
					for i := range n {
						runs = append(runs, place{uint32(i * dstStep), uint32(so + i*srcStep)})
					}
					src := noise(r, so+high+run+r.IntN(2)*r.IntN(70))
					want := noise(r, do+max(n-1, 0)*dstStep+run+r.IntN(2)*r.IntN(70))
					got := bytes.Clone(want)
					naive(want, src, runs, do, 0, run)
					Strided(got, do, dstStep, src, so, srcStep, n, run)
					if !bytes.Equal(got, want) {
						t.Fatalf("%d runs of %d bytes, steps %d and %d", n, run, dstStep, srcStep)
					}
				}
			}
		}
	}
}

// A Table copies the bytes of its runs and changes no others, for runs that are
// consecutive, separate, or in any order.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	var table Table
	for run := range 100 {
		for range 60 {
			table.Reset(run)
			var runs []place
			at, srcEnd := 0, 0
			for range r.IntN(6) {
				at += r.IntN(2) * r.IntN(100)
				n, srcStep, src := r.IntN(12), r.IntN(80), r.IntN(500)
				step := run + r.IntN(2)*r.IntN(9)
				table.Add(at, step, src, srcStep, n)
				for i := range n {
					runs = append(runs, place{uint32(at + i*step), uint32(src + i*srcStep)})
					srcEnd = max(srcEnd, src+i*srcStep+run)
				}
				at += n * step
			}
			do, so := r.IntN(3), r.IntN(3)
			src := noise(r, so+srcEnd+r.IntN(2)*r.IntN(70))
			want := noise(r, do+at+r.IntN(2)*r.IntN(70))
			got := bytes.Clone(want)
			naive(want, src, runs, do, so, run)
			table.Copy(got, do, src, so)
			if !bytes.Equal(got, want) {
				t.Fatalf("runs of %d bytes at %v", run, runs)
			}
		}
	}
	// Add the runs from the last to the first.
	table.Reset(5)
	table.Add(10, 5, 0, 7, 1)
	table.Add(5, 5, 9, 7, 1)
	table.Add(0, 5, 20, 7, 1)
	got, src := make([]byte, 15), noise(r, 25)
	table.Copy(got, 0, src, 0)
	if want := append(append(bytes.Clone(src[20:25]), src[9:14]...), src[:5]...); !bytes.Equal(got, want) {
		t.Errorf("backwards: %v, want %v", got, want)
	}
}

// A run that is not within its slice panics before anything is written.
func TestOutside(t *testing.T) {
	const most = int(^uint(0) >> 1)
	strided := func(do, dstStep, so, srcStep, n, run int) func(dst, src []byte) {
		return func(dst, src []byte) { Strided(dst, do, dstStep, src, so, srcStep, n, run) }
	}
	table := func(do, at, so, from, run int) func(dst, src []byte) {
		return func(dst, src []byte) {
			var table Table
			table.Reset(run)
			table.Add(0, 1, 0, 1, 1)
			table.Add(at, run, from, run, 2)
			table.Copy(dst, do, src, so)
		}
	}
	for i, f := range []func(dst, src []byte){
		strided(-1, 4, 0, 4, 2, 4), strided(0, 4, -1, 4, 2, 4), strided(0, 4, 0, 33, 4, 4), strided(0, 33, 0, 4, 4, 4),
		strided(0, 4, 0, -1, 2, 4), strided(0, -1, 0, 4, 2, 4), strided(97, 4, 0, 4, 1, 4), strided(0, 4, 97, 4, 1, 4),
		strided(0, most/2, 0, 4, 4, 4), strided(0, 4, 0, most/2, 4, 4), strided(0, 4, 0, -most/2, 4, 4), strided(most, 4, 0, 4, 2, 4),
		strided(0, 4, 0, 4, most, 4), strided(0, 0, 0, 0, 1, 101), strided(0, 0, 0, 0, 1, most),
		table(0, 92, 0, 0, 5), table(0, 0, 0, 92, 5), table(90, 2, 0, 0, 5), table(0, 0, 90, 2, 5), table(-1, 5, 0, 0, 5),
		table(0, 5, -1, 0, 5), table(0, -1, 0, 0, 5), table(0, 5, 0, -1, 5), table(0, most, 0, 0, 5), table(0, 5, 0, most, 5),
	} {
		dst, src := make([]byte, 100), bytes.Repeat([]byte{1}, 100)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d did not panic", i)
				}
			}()
			f(dst, src)
		}()
		if !bytes.Equal(dst, make([]byte, 100)) {
			t.Errorf("case %d wrote something", i)
		}
	}
}
