package b2nd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// Arrays have vlmetalayers, set by a Writer and by an Editor.
func TestVLMetaValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.b2nd")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(file, Spec{Shape: []int64{4}, DType: "|u1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write([]byte("abcd"))
	if err := errors.Join(err, w.SetVLMetaValue("unit", "mV"), w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	e, err := EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(e.SetVLMetaValue("n", []int{1, 2}), e.SetVLMeta("raw", []byte{0xc1}), e.Commit()); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{e.SetVLMetaValue("b2nd", 1), e.SetVLMeta("b2nd", nil), e.SetVLMetaValue("x", struct{}{})} {
		if !errors.Is(err, blosc2.ErrOption) {
			t.Error(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if v, ok, err := a.VLMetaValue("unit"); v != "mV" || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if v, ok, err := a.VLMetaValue("n"); len(v.([]any)) != 2 || !ok || err != nil {
		t.Error(v, ok, err)
	}
	if b, ok, err := a.VLMeta("raw"); len(b) != 1 || !ok || err != nil {
		t.Error(b, ok, err)
	}
	if _, ok, err := a.VLMetaValue("raw"); !ok || !errors.Is(err, blosc2.ErrCorrupt) {
		t.Error(ok, err)
	}
}
