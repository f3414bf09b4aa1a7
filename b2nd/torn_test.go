package b2nd

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
)

// A growing array has all flushed slabs after its Writer has died. It can be changed, and
// is then an array like any other.
func TestTorn(t *testing.T) {
	const columns, rows = 7, 30
	data := make([]byte, rows*columns*4)
	for i := range data {
		data[i] = byte(i * i >> 3)
	}
	for _, checkpoint := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewWriter(file, Spec{Shape: []int64{Unknown, columns}, DType: "<i4", ChunkShape: []int64{10, 4}, BlockShape: []int64{5, 2}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write(data[:len(data)/3])
		if checkpoint {
			err = errors.Join(err, w.Checkpoint())
		}
		_, werr := w.Write(data[len(data)/3 : len(data)-1])
		if err := errors.Join(err, werr, w.Flush()); err != nil {
			t.Fatal(err)
		}
		whole := data[:(rows-1)*columns*4]
		if !checkpoint {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			a, err := Open(bytes.NewReader(b), int64(len(b)), FrameOptions(frame.AllowTorn()))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, whole) {
				t.Errorf("torn: %d bytes, %v", len(got), err)
			}
			if _, err := frame.RepairFile(path, path+"2"); err != nil {
				t.Fatal(err)
			}
			path += "2"
		}
		e, err := EditFile(path, frame.RecoverTail())
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(whole)
		copy(changed, "abcd")
		if err := e.SetSlice([]byte("abcd"), []int64{0, 0}, []int64{1, 1}); err != nil {
			t.Fatal(err)
		}
		if err := e.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, changed) || a.Shape()[0] != rows-1 || a.Frame().Order() != frame.ByIndex {
			t.Errorf("checkpoint %v: changed: %d bytes, shape %v, %v", checkpoint, len(got), a.Shape(), err)
		}
		a.Close()
		file.Close()
	}
}
