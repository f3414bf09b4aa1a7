package move

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// For windows of every length of run and all steps that fit, with every remainder
// at the end of a row, up to the ends of both slices, the bytes of the runs are
// copied and no others are changed.
func TestWindow(t *testing.T) {
	if windows == nil {
		t.Skip("these kernels have no moves by windows (they need AVX-512 VBMI)")
	}
	r := rand.New(rand.NewPCG(3, 3))
	planned := 0
	for run := 1; run <= 33; run++ {
		for dstStep := run; dstStep <= 65; dstStep += 1 + r.IntN(6) {
			for srcStep := run; srcStep <= 65; srcStep += 1 + r.IntN(6) {
				n, rows := least+r.IntN(70), 1+r.IntN(4)
				var w Window
				ok := w.Plan(run, dstStep, srcStep, n)
				if want := max(dstStep, srcStep)+run <= width; ok != want {
					t.Fatalf("planned %v: runs of %d, steps %d and %d", ok, run, dstStep, srcStep)
				}
				if !ok {
					continue
				}
				planned++
				dstRow, srcRow := n*dstStep+r.IntN(9), r.IntN(2*n*srcStep)
				do, so := r.IntN(3), r.IntN(3)
				var runs []place
				for row := range rows {
					for i := range n {
						runs = append(runs, place{uint32(row*dstRow + i*dstStep), uint32(row*srcRow + i*srcStep)})
					}
				}
				last := runs[len(runs)-1]
				src := noise(r, so+int(last.src)+run+r.IntN(2)*r.IntN(70))
				want := noise(r, do+int(last.dst)+run+r.IntN(2)*r.IntN(70))
				got := bytes.Clone(want)
				naive(want, src, runs, do, so, run)
				w.Copy(got, do, dstRow, src, so, srcRow, rows)
				if !bytes.Equal(got, want) {
					t.Fatalf("%d rows of %d runs of %d bytes, steps %d and %d", rows, n, run, dstStep, srcStep)
				}
				got[0]++
				w.Copy(got[:1], 0, 1, src[:1], 0, 1, 0) // this copies no rows
			}
		}
	}
	if planned < 1000 {
		t.Errorf("%d windows", planned)
	}
}

// Plan rejects runs for which a Window is slower or impossible.
func TestWindowNot(t *testing.T) {
	for _, c := range [][4]int{{0, 1, 1, 20}, {-1, 1, 1, 20}, {4, 3, 8, 20}, {4, 8, 3, 20}, {4, -8, 8, 20}, {4, 8, -8, 20}, {4, 61, 8, 20}, {4, 8, 61, 20}, {4, 8, 8, least - 1}, {4, 8, 8, -1}} {
		if new(Window).Plan(c[0], c[1], c[2], c[3]) {
			t.Errorf("planned %v", c)
		}
	}
}

// Windows outside of their slices panic before anything is written.
func TestWindowOutside(t *testing.T) {
	var w Window
	if !w.Plan(2, 2, 5, 10) { // each row reads 20 bytes, spread over 47
		t.Skip("these kernels have no moves by windows (they need AVX-512 VBMI)")
	}
	const most = int(^uint(0) >> 1)
	for i, c := range [][5]int{{-1, 20, 0, 50, 1}, {81, 20, 0, 50, 1}, {0, 20, -1, 50, 1}, {0, 20, 54, 50, 1}, {0, 81, 0, 0, 2}, {0, 0, 0, 54, 2},
		{0, -1, 0, 0, 2}, {0, 0, 0, -1, 2}, {0, most, 0, 0, 3}, {0, 0, 0, most, 3}, {0, 20, 0, 20, most}, {most, 20, 0, 20, 1}} {
		dst, src := make([]byte, 100), bytes.Repeat([]byte{1}, 100)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d did not panic", i)
				}
			}()
			w.Copy(dst, c[0], c[1], src, c[2], c[3], c[4])
		}()
		if !bytes.Equal(dst, make([]byte, 100)) {
			t.Errorf("case %d wrote something", i)
		}
	}
}

// A length of rows that overflows an int is also rejected as out of range.
func TestWindowOverflow(t *testing.T) {
	const n = 1<<(bits.UintSize-5) + 1 // 32(n-1) overflows to 0
	for i, c := range [][2]int{{32, 32}, {32, 1}, {1, 32}} {
		var w Window
		if !w.Plan(1, c[0], c[1], n) {
			t.Skip("these kernels have no moves by windows (they need AVX-512 VBMI)")
		}
		dst, src := make([]byte, 100), bytes.Repeat([]byte{1}, 100)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("case %d did not panic", i)
				}
			}()
			w.Copy(dst, 0, 0, src, 0, 0, 1)
		}()
		if !bytes.Equal(dst, make([]byte, 100)) {
			t.Errorf("case %d wrote something", i)
		}
	}
}
