package b2nd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/stream"
)

const sampleDType = "[('flag', '|b1'), ('time', '<M8[ns]'), ('site', '|S5'), ('pair', '<f4', (2,)), ('where', [('Row', '<u2'), ('At', '<c8')])]"

func makeSample(i int) (s sample) {
	s.Flag, s.Time, s.Pair = i%3 == 0, int64(i)*1e9, [2]float32{float32(i), -1}
	copy(s.Site[:], fmt.Sprint("s", i))
	s.Where.Row, s.Where.At = uint16(i), complex(float32(i), 2)
	return s
}

// A kindOfItem is a Go type with its stored form.
type kindOfItem struct {
	name  string
	trial func(t *testing.T, lib b2test.Library, r *rand.Rand, dims int) (ok bool)
}

func kindsOfItems() []kindOfItem {
	return []kindOfItem{
		{"int8", typedTrial("|i1", func(i int) int8 { return int8(i) })},
		{"bool", typedTrial("|b1", func(i int) bool { return i%3 == 0 })},
		{"uint16", typedTrial("<u2", func(i int) uint16 { return uint16(i * 7) })},
		{"big int32", typedTrial(">i4", func(i int) int32 { return int32(i * 70001) })},
		{"float32", typedTrial("<f4", func(i int) float32 { return float32(i) / 3 })},
		{"big float64", typedTrial(">f8", func(i int) float64 { return float64(i) / 7 })},
		{"complex128", typedTrial("<c16", func(i int) complex128 { return complex(float64(i), 1) })},
		{"datetime", typedTrial("<M8[ns]", func(i int) int64 { return int64(i) << 33 })},
		{"characters", typedTrial("<U3", func(i int) [3]rune { return [3]rune{'é', rune(i), 0} })},
		{"bytes", typedTrial("|S7", func(i int) (b [7]byte) { copy(b[:], fmt.Sprint(i)); return b })},
		{"struct", typedTrial(sampleDType, makeSample)},
	}
}

// typedTrial compares typed writing, in one of three ways, with what C-Blosc2
// reads, and reads C-Blosc2's arrays as Ts. It returns false for an array that
// C-Blosc2 misplaces.
func typedTrial[T any](dtype string, item func(i int) T) func(*testing.T, b2test.Library, *rand.Rand, int) bool {
	return func(t *testing.T, lib b2test.Library, r *rand.Rand, dims int) bool {
		tr := randomTrial(t, r, dims)
		tr.spec.DType = dtype
		for d, n := range tr.spec.Shape {
			if n == 0 {
				tr.spec.Shape[d] = 1
			}
		}
		var err error
		if tr.grid, _, err = tr.spec.plan(); err != nil {
			t.Fatal(err)
		}
		all := make([]T, tr.grid.items())
		for i := range all {
			all[i] = item(i)
		}
		var order binary.AppendByteOrder = binary.LittleEndian
		if dtype[0] == '>' {
			order = binary.BigEndian
		}
		if tr.data, err = binary.Append(nil, order.(binary.ByteOrder), all); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if tr.misplaced(t, lib, dir) {
			return false
		}
		path := filepath.Join(dir, "a.b2nd")
		how := writeTyped(t, r, path, &tr, all)
		if got, err := lib.Decode(t, "read-b2nd", path); err != nil || !bytes.Equal(got, tr.data) {
			t.Fatalf("%v: %+v, %s: C reads other bytes, %v", lib, tr.spec, how, err)
		}
		if info := lib.Run(t, "info", path); !strings.Contains(strings.ReplaceAll(string(info), `\"`, `"`), dtype) {
			t.Fatalf("%v: C says %s, not %s", lib, info, dtype)
		}
		in := filepath.Join(dir, "in")
		if err := os.WriteFile(in, tr.data, 0o644); err != nil {
			t.Fatal(err)
		}
		tr.writeWith(t, lib, in, path)
		a, err := OpenFile(path)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		got, err := Read[T](a, nil)
		if err != nil || !reflect.DeepEqual(got, all) {
			t.Fatalf("%v: %+v: items of C read otherwise, %v", lib, tr.spec, err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		front, err := NewReader(plain{f})
		if err != nil {
			t.Fatal(err)
		}
		clear(got)
		if n, err := ReadSlice(front, got); n != len(all) || err != nil && len(all) > 0 || !reflect.DeepEqual(got, all) {
			t.Fatalf("%v: %+v: items of C come otherwise front to back: %d, %v", lib, tr.spec, n, err)
		}
		return true
	}
}

// writeTyped writes an array by WriteSlice, Set or Append.
func writeTyped[T any](t *testing.T, r *rand.Rand, path string, tr *trial, all []T) (how string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	spec := tr.spec
	grown := len(spec.Shape) > 0 && r.IntN(2) == 0
	row := 0
	if grown {
		row = int(product(spec.Shape[1:]))
		spec.Shape = append([]int64{(spec.Shape[0] + 1) / 2}, spec.Shape[1:]...)
	}
	first := all[:product(spec.Shape)]
	w, err := NewWriter(file, spec, stream.Codec(tr.codec), stream.Level(tr.level))
	if err != nil {
		t.Fatal(err)
	}
	for rest := first; len(rest) > 0; {
		k := min(1+r.IntN(len(first)), len(rest))
		if n, err := WriteSlice(w, rest[:k]); n != k || err != nil {
			t.Fatalf("WriteSlice: %d of %d, %v", n, k, err)
		}
		rest = rest[k:]
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	if len(spec.Shape) == 0 {
		return "written"
	}
	e, err := EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if grown {
		err = AppendSlice(e, 0, all[len(first):])
	}
	// Set some rows to other values, and then back.
	w2 := All(e.Shape())
	w2[0] = Span{Start: e.Shape()[0] / 2, Stop: e.Shape()[0]}
	part := all[int64(len(all))/e.Shape()[0]*w2[0].Start:]
	err = errors.Join(err, Set(e, w2, make([]T, len(part))), Set(e, w2, part), e.Commit(), e.Close())
	if err != nil {
		t.Fatalf("%v: rows of %d: %v", spec, row, err)
	}
	return fmt.Sprintf("appended %v, set %v", grown, w2)
}

// C-Blosc2 reads arrays that were written as typed items, and this package reads its
// arrays as typed items: numbers of both byte orders, booleans, dates, strings and
// structs, of up to four dimensions with every kind of edge.
func TestTypedAndC(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		r := rand.New(rand.NewPCG(21, 22))
		n := 0
		for _, k := range kindsOfItems() {
			for range max(rounds()/25, 4) {
				if k.trial(t, lib, r, 4) {
					n++
				}
			}
		}
		if n < 40 {
			t.Errorf("only %d arrays with %v", n, lib)
		}
		t.Logf("cases: %d arrays with %v", n, lib)
	}
}

// A type that does not fit returns an error that names both types, and changes nothing.
func TestTypedMismatch(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, Spec{Shape: []int64{4}, DType: "<f4"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = WriteSlice(w, []float64{1})
	refusedAs(t, "WriteSlice", err, "float64", "<f4")
	_, err = WriteSlice(w, []int{1})
	refusedAs(t, "WriteSlice of int", err, "int", "int64")
	_, err = WriteSlice(w, []sample{{}})
	refusedAs(t, "WriteSlice of structs", err, "b2nd.sample", "<f4")
	if n, err := WriteSlice(w, []float32{1, 2, 3, 4, 5}); n != 4 || !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("too many: %d, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteSlice(w, []float32{1}); !errors.Is(err, blosc2.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	path := filepath.Join(t.TempDir(), "a.b2nd")
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := EditFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	refusedAs(t, "Set", Set(e, nil, []int32{1, 2, 3, 4}), "int32", "<f4")
	refusedAs(t, "Append", AppendSlice(e, 0, []string{"a"}), "string", "integer")
	if err := Set(e, nil, []float32{1, 2, 3}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("too few: %v", err)
	}
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Read[float64](a, nil)
	refusedAs(t, "Read", err, "float64", "<f4")
	_, err = At[int32](a, 0)
	refusedAs(t, "At", err, "int32", "<f4")
	refusedAs(t, "ReadInto", ReadInto(a, make([]uint32, 4), nil), "uint32", "<f4")
	front, err := NewReader(&buf)
	if err != nil {
		t.Fatal(err)
	}
	_, err = ReadSlice(front, make([]uint32, 4))
	refusedAs(t, "ReadSlice", err, "uint32", "<f4")
	_, err = SpecOf[map[string]int](3)
	refusedAs(t, "SpecOf", err, "map[string]int", "struct")
}

func refusedAs(t *testing.T, what string, err error, names ...string) {
	t.Helper()
	var oe *blosc2.OptionError
	if !errors.As(err, &oe) {
		t.Errorf("%s: %v", what, err)
		return
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v does not name %s", what, err, name)
		}
	}
}

// A struct with some of the fields reads only these fields; At and ReadInto read structs
// too.
func TestTypedSubset(t *testing.T) {
	spec, err := SpecOf[sample](2, 3)
	if err != nil || spec.DType != sampleDType {
		t.Fatal(spec.DType, err)
	}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, spec)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if _, err := WriteSlice(w, []sample{makeSample(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Pair [2]float32 `blosc2:"pair"`
		Time int64      `blosc2:"time"`
	}
	got, err := Read[part](a, Window{{1, 2, 0, true}, {0, 3, 2, false}})
	if err != nil || len(got) != 2 || got[1] != (part{[2]float32{5, -1}, 5e9}) {
		t.Errorf("%v, %v", got, err)
	}
	if s, err := At[sample](a, 1, 1); err != nil || s != makeSample(4) {
		t.Errorf("%v, %v", s, err)
	}
	all := make([]sample, 6)
	if err := ReadInto(a, all, nil); err != nil || all[5] != makeSample(5) {
		t.Errorf("%v, %v", all, err)
	}
	if err := ReadInto(a, all[1:], nil); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("too short: %v", err)
	}
	for _, index := range [][]int64{{1}, {2, 0}, {0, -1}, make([]int64, 20)} {
		if _, err := At[sample](a, index...); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%v: %v", index, err)
		}
	}
}

// A step of 0 means 1 in every function with a window.
func TestStepZero(t *testing.T) {
	a := written(t, Spec{Shape: []int64{4, 5}, DType: "|u1"}, []byte("abcdefghijklmnopqrst"))
	w := Window{{Start: 1, Stop: 3}, {Start: 2, Stop: 4}}
	got := make([]byte, 4)
	if err := a.ReadWindow(got, w); err != nil || string(got) != "himn" || fmt.Sprint(w.Shape()) != "[2 2]" {
		t.Errorf("%s, %v, %v", got, w.Shape(), err)
	}
	if s, err := Read[byte](a, w); err != nil || string(s) != "himn" {
		t.Errorf("%s, %v", s, err)
	}
	for c, err := range a.Chunks(w) {
		if err != nil || string(c.Items) != "himn" || c.Window[0].Step != 1 {
			t.Errorf("%+v, %v", c, err)
		}
	}
	if w[0].Step != 0 {
		t.Error("the caller's window was changed")
	}
	if err := a.ReadWindow(got, Window{{1, 3, -1, false}, {2, 4, 1, false}}); !errors.Is(err, blosc2.ErrOption) {
		t.Errorf("a negative step: %v", err)
	}
}

// BenchmarkReadIntoStructs measures how fast structs are read and written, in
// stored bytes.
func BenchmarkReadIntoStructs(b *testing.B) {
	spec, err := SpecOf[sample](1 << 16)
	if err != nil {
		b.Fatal(err)
	}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, spec)
	if err != nil {
		b.Fatal(err)
	}
	all := make([]sample, 1<<16)
	for i := range all {
		all[i] = makeSample(i)
	}
	_, err = WriteSlice(w, all)
	if err := errors.Join(err, w.Close()); err != nil {
		b.Fatal(err)
	}
	b.Run("Reader", func(b *testing.B) {
		b.SetBytes(int64(len(all) * int(w.grid.item)))
		for b.Loop() {
			r, err := NewReader(bytes.NewReader(buf.Bytes()), Workers(1))
			if err != nil {
				b.Fatal(err)
			}
			if n, err := ReadSlice(r, all); n != len(all) || err != nil {
				b.Fatal(n, err)
			}
		}
	})
	a, err := Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()), Workers(1))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("ReadInto", func(b *testing.B) {
		b.SetBytes(int64(len(all) * int(w.grid.item)))
		for b.Loop() {
			if err := ReadInto(a, all, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("WriteSlice", func(b *testing.B) {
		b.SetBytes(int64(len(all) * int(w.grid.item)))
		for b.Loop() {
			w, err := NewWriter(io.Discard, spec, stream.Workers(1), stream.Level(0))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := WriteSlice(w, all); err != nil {
				b.Fatal(err)
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
