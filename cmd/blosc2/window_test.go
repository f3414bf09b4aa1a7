package main

import (
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
)

// A span selects the same items as Python's range over slice.indices.
func TestSpanOf(t *testing.T) {
	values := []int64{-9, -4, -3, -2, -1, 0, 1, 2, 3, 4, 9}
	for n := int64(0); n < 5; n++ {
		for _, start := range values {
			for _, stop := range values {
				for _, step := range []int64{-5, -2, -1, 1, 2, 5} {
					for has := range 4 {
						hasStart, hasStop := has&1 != 0, has&2 != 0
						want := pythonSlice(start, hasStart, stop, hasStop, step, n)
						s, backward := spanOf(start, hasStart, stop, hasStop, step, n)
						var got []int64
						for i := range s.Len() {
							got = append(got, s.Start+i*s.Step)
						}
						if backward {
							slices.Reverse(got)
						}
						if !slices.Equal(got, want) || s.Stop > n || s.Start < 0 || s.Step < 1 {
							t.Fatalf("%d:%d:%d (%v, %v) of %d: %v as %v, want %v", start, stop, step, hasStart, hasStop, n, got, s, want)
						}
					}
				}
			}
		}
	}
}

// pythonSlice adjusts the indices as PySlice_AdjustIndices does, and then loops over
// them.
func pythonSlice(start int64, hasStart bool, stop int64, hasStop bool, step, n int64) (all []int64) {
	if !hasStart {
		start = 0
		if step < 0 {
			start = n - 1
		}
	} else if start < 0 {
		if start += n; start < 0 {
			start = 0
			if step < 0 {
				start = -1
			}
		}
	} else if start >= n {
		start = n
		if step < 0 {
			start = n - 1
		}
	}
	if !hasStop {
		stop = n
		if step < 0 {
			stop = -1
		}
	} else if stop < 0 {
		if stop += n; stop < 0 {
			stop = 0
			if step < 0 {
				stop = -1
			}
		}
	} else if stop >= n {
		stop = n
		if step < 0 {
			stop = n - 1
		}
	}
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		all = append(all, i)
	}
	return all
}

// For any text, the selected items are within the array.
func FuzzSelection(f *testing.F) {
	for _, s := range []string{"", "1,2", "[...,::-1]['a']", "a", "['b'][::2]", "…,-1", "0:5:0", "[[1]]", "]", "['"} {
		f.Add(s)
	}
	d, err := meta.ParseDType("[('a', '<i4'), ('b', [('c', '<f8', (2,))])]")
	if err != nil {
		f.Fatal(err)
	}
	shape := []int64{5, 0, 7}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSelection(text, shape, d)
		if err != nil {
			return
		}
		if len(s.Window) != len(shape) || s.offset+s.taken() > d.Size {
			t.Fatalf("%q: %+v", text, s)
		}
		for i, span := range s.Window {
			if span.Start < 0 || span.Step < 1 || span.Stop < span.Start || span.Stop > shape[i] {
				t.Fatalf("%q: %+v", text, span)
			}
		}
	})
}
