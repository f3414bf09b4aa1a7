package room

import "testing"

func TestResize(t *testing.T) {
	s := []int{1, 2, 3}
	if r := Resize(s, 2); len(r) != 2 || &r[0] != &s[0] {
		t.Errorf("2 of 3 values: %v, not in the same memory", r)
	}
	if r := Resize(s, 4); len(r) != 4 {
		t.Errorf("%d values, not 4", len(r))
	}
	if r := Resize[int](nil, 0); len(r) != 0 {
		t.Errorf("%d values, not 0", len(r))
	}
}

func TestZeros(t *testing.T) {
	s := []int{1, 2, 3}
	for n := range 5 {
		r := Zeros(s, n)
		if len(r) != n {
			t.Errorf("%d values, not %d", len(r), n)
		}
		for i, v := range r {
			if v != 0 {
				t.Errorf("value %d of %d is %d", i, n, v)
			}
		}
		copy(s, []int{1, 2, 3})
	}
}
