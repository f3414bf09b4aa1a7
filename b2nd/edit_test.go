package b2nd

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A model is an array in memory, changed item by item.
type model struct {
	shape []int64
	item  int64
	data  []byte
}

func (m *model) resize(shape []int64) {
	data := make([]byte, product(shape)*m.item)
	keep := All(shape)
	for d := range keep {
		keep[d].Stop = min(shape[d], m.shape[d])
	}
	if product(keep.lens()) > 0 {
		new(mover).copy(keep.lens(), strides(shape, m.item), strides(m.shape, m.item), m.item, data, 0, m.data, 0)
	}
	m.shape, m.data = append([]int64{}, shape...), data
}

func (m *model) set(src []byte, w Window) {
	if len(src) == 0 {
		return
	}
	at, step := int64(0), make([]int64, len(w))
	for d, s := range strides(m.shape, m.item) {
		at += w[d].Start * s
		step[d] = s * w[d].Step
	}
	new(mover).copy(w.lens(), step, strides(w.lens(), m.item), m.item, m.data, at, src, 0)
}

// Random changes, committed at random, have the same result as in memory, for this
// library and for both genuine libraries.
func TestEdit(t *testing.T) {
	libs := b2test.Oracles(t)
	r := rand.New(rand.NewPCG(9, 10))
	changes := 0
	for i := range rounds() / 3 {
		n := 1 + r.IntN(4)
		spec := Spec{ItemSize: 1 + r.IntN(9), Shape: make([]int64, n), ChunkShape: make([]int64, n), BlockShape: make([]int64, n)}
		for d := range n {
			spec.Shape[d] = 1 + r.Int64N(9)
			spec.ChunkShape[d] = 1 + r.Int64N(6)
			spec.BlockShape[d] = 1 + r.Int64N(spec.ChunkShape[d])
		}
		path := filepath.Join(t.TempDir(), "a.b2nd")
		m := &model{shape: spec.Shape, item: int64(spec.ItemSize), data: make([]byte, product(spec.Shape)*int64(spec.ItemSize))}
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			err = Zeros(file, spec)
		} else {
			m.data = randomBytes(r, int64(len(m.data)))
			var w *Writer
			if w, err = NewWriter(file, spec); err == nil {
				writeIn(t, r, w, m.data)
				err = w.Close()
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		file.Close()

		e, err := EditFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			changes++
			switch r.IntN(4) {
			case 0:
				shape := make([]int64, n)
				for d := range shape {
					shape[d] = 1 + r.Int64N(12)
				}
				if err := e.Resize(shape); err != nil {
					t.Fatalf("%+v: Resize(%v): %v", spec, shape, err)
				}
				m.resize(shape)
			case 1:
				axis := r.IntN(n)
				shape := append([]int64{}, m.shape...)
				shape[axis] = 1 + r.Int64N(3)
				src := randomBytes(r, product(shape)*m.item)
				if err := e.Append(axis, src); err != nil {
					t.Fatalf("%+v: Append(%d): %v", spec, axis, err)
				}
				w := All(m.shape)
				w[axis] = Span{Start: m.shape[axis], Stop: m.shape[axis] + shape[axis], Step: 1}
				shape = append(shape[:0], m.shape...)
				shape[axis] = w[axis].Stop
				m.resize(shape)
				m.set(src, w)
			default:
				w := All(m.shape)
				for d, n := range m.shape {
					w[d].Start = r.Int64N(n)
					w[d].Stop = w[d].Start + 1 + r.Int64N(n-w[d].Start)
					w[d].Step = 1 + r.Int64N(2)
				}
				src := randomBytes(r, product(w.lens())*m.item)
				if err := e.SetWindow(src, w); err != nil {
					t.Fatalf("%+v: SetWindow(%v): %v", spec, w, err)
				}
				m.set(src, w)
			}
			if r.IntN(2) == 0 {
				if err := e.Commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := e.Commit(); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := OpenFile(path)
		if err != nil {
			t.Fatalf("%+v: %v", spec, err)
		}
		got, err := a.ReadAll()
		if err != nil || !bytes.Equal(got, m.data) {
			t.Fatalf("%+v to %v: other items after changes, %v", spec, m.shape, err)
		}
		a.Close()
		last := trial{spec: Spec{Shape: m.shape, ChunkShape: spec.ChunkShape, BlockShape: spec.BlockShape, DType: fmt.Sprintf("|S%d", m.item)}, data: m.data}
		if last.grid, _, err = last.spec.plan(); err != nil {
			t.Fatal(err)
		}
		for _, lib := range libs {
			got, err := lib.Decode(t, "read-b2nd", path)
			if err != nil {
				t.Fatalf("%+v to %v: %v", spec, m.shape, err)
			}
			if !bytes.Equal(got, m.data) && !last.misplaced(t, lib, t.TempDir()) {
				t.Fatalf("%+v to %v: C-Blosc2 %d reads other items after changes", spec, m.shape, lib.Major)
			}
		}
	}
	t.Logf("cases: %d changes", changes)
}

// Values that C-Blosc2 leaves in the padding do not become items when the array grows.
func TestResizeOfC(t *testing.T) {
	lib := b2test.Oracle(t, 3)
	dir := t.TempDir()
	in, path := filepath.Join(dir, "in"), filepath.Join(dir, "a.b2nd")
	data := bytes.Repeat([]byte{7}, 100)
	if err := os.WriteFile(in, data, 0o644); err != nil {
		t.Fatal(err)
	}
	lib.Run(t, "write-b2nd", "--shape", "10,10", "--chunkshape", "8,8", "--blockshape", "4,4", "--dtype", "|u1", in, path)
	lib.Run(t, "edit-frame", "--resize", "3,9", path) // this does not change the padding of its chunks
	e, err := EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Resize([]int64{5, 10}); err != nil {
		t.Fatal(err)
	}
	if err := e.Commit(); err != nil {
		t.Fatal(err)
	}
	e.Close()
	want := make([]byte, 50)
	for i := range want {
		if i/10 < 3 && i%10 < 9 {
			want[i] = 7
		}
	}
	got, err := lib.Decode(t, "read-b2nd", path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("C-Blosc2 reads %v, %v", got, err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, _ := f.Stat()
	if r, err := frame.Verify(f, info.Size()); err != nil || len(r.Faults) > 0 {
		t.Errorf("verify: %+v, %v", r, err)
	}
}
