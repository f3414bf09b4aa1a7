package frame_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
)

// Uncommitted changes are not mistaken for appended chunks. Chunks that were appended
// before them are recovered.
func TestRecoverTailOfEdits(t *testing.T) {
	m := newMaker(t, 1000, building{Checks: true})
	for _, c := range cut(ramp(3000), 1000) {
		m.chunk(c)
	}
	m.tail()
	whole := m.sealed()
	for name, change := range map[string]func(e *frame.Editor) error{
		"updated":  func(e *frame.Editor) error { return e.Update(0, make([]byte, 1000)) },
		"inserted": func(e *frame.Editor) error { return e.Insert(1, make([]byte, 1000)) },
		"deleted":  func(e *frame.Editor) error { return errors.Join(e.Delete(1), e.Append(make([]byte, 1000))) },
		"rearranged": func(e *frame.Editor) error {
			return errors.Join(e.Rearrange([]int64{2, 0}), e.Append(make([]byte, 1000)))
		},
	} {
		for _, before := range []int{0, 1000} {
			d := newDisk(whole, -1)
			e, err := frame.Edit(d, int64(len(whole)))
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(e.Append(ramp(3000 + before)[3000:]), change(e)); err != nil {
				t.Fatal(err)
			}
			if _, err := frame.Edit(d, int64(len(d.now)), frame.RecoverTail()); err != nil {
				t.Fatal(err)
			}
			if got, _, err := readAll(d.now); err != nil || !bytes.Equal(got, ramp(3000+before)) {
				t.Errorf("%s after %d bytes: %d bytes, %v", name, before, len(got), err)
			}
		}
	}
}
