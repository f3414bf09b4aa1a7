package b2nd

import (
	"io"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A nil argument is an error wherever an array is opened or created.
func TestNil(t *testing.T) {
	spec := Spec{Shape: []int64{3}, DType: "<f4"}
	b2test.Refuses(t, map[string]func() error{
		"Append":              func() error { return b2test.Fail(Append(nil, 100)) },
		"Edit":                func() error { return b2test.Fail(Edit(nil, 100)) },
		"Finish":              func() error { return b2test.Fail(Finish(nil, 100)) },
		"FromFrame":           func() error { return b2test.Fail(FromFrame(nil)) },
		"Full":                func() error { return Full(nil, spec, make([]byte, 4)) },
		"NaNs":                func() error { return NaNs(nil, spec) },
		"NewReader":           func() error { return b2test.Fail(NewReader(nil)) },
		"NewWriter":           func() error { return b2test.Fail(NewWriter(nil, spec)) },
		"NewWriter, no shape": func() error { return b2test.Fail(NewWriter(io.Discard, Spec{DType: "<f4", Shape: []int64{-3}})) },
		"NewCut":              func() error { return b2test.Fail(NewCut(nil, 4)) },
		"Open":                func() error { return b2test.Fail(Open(nil, 0)) },
		"Uninit":              func() error { return Uninit(nil, spec) },
		"Zeros":               func() error { return Zeros(nil, spec) },
	})
}

// An error about a type says which type it is and what is valid.
func TestItemTypeErrors(t *testing.T) {
	w, err := NewWriter(io.Discard, Spec{Shape: []int64{Unknown, 2}, DType: "<i8"})
	if err != nil {
		t.Fatal(err)
	}
	for want, write := range map[string]func() (int, error){
		"blosc2: item type [2]int64: must be a number, a bool, a [N]byte or a struct: the items of arrays are written one after the other, as a []int64": func() (int, error) {
			return WriteSlice(w, [][2]int64{{1, 2}})
		},
		"blosc2: item type [2]int32: must be <i8, the array's type":      func() (int, error) { return WriteSlice(w, [][2]int32{{1, 2}}) },
		"blosc2: item type float32 (<f4): must be <i8, the array's type": func() (int, error) { return WriteSlice(w, []float32{1}) },
		"blosc2: item type []int64: must be an integer or float of a fixed size, a complex number, a bool, a struct, or an array of these": func() (int, error) {
			return WriteSlice(w, [][]int64{{1, 2}})
		},
	} {
		if n, err := write(); n != 0 || err == nil || err.Error() != want {
			t.Errorf("%d, %v\nwant %s", n, err, want)
		}
	}
}
