package items

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

type inner struct {
	A int8
	B float64 `blosc2:"b"`
}

type Base struct {
	ID   uint16 `blosc2:"id"`
	When time.Duration
}

type record struct {
	Base
	Flag  bool       `blosc2:"flag"`
	Pair  [2]float32 `blosc2:"pair"`
	In    [2][3]inner
	Name  [5]byte    `blosc2:"name,S5"`
	Tags  [2][3]byte `blosc2:",V3"`
	Runes [4]rune    `blosc2:",U4"`
	Day   int64      `blosc2:"day,M8[D]"`
	Big   uint32     `blosc2:"big,>u4"`
	Half  uint16     `blosc2:"half,f2"`
	Z     complex64
	Bytes [3]byte
	Note  string `blosc2:"-"`
	_     *int   `blosc2:"-"`
}

type aligned struct {
	_ struct{} `blosc2:",align"`
	A uint8
	B float64
	C uint16
	D complex128
	E [3]uint8
	_ uint8
}

type padded struct {
	A uint8
	_ [3]byte
	B uint32
	_ [4]byte
}

func TestDTypes(t *testing.T) {
	in := "[('A', '|i1'), ('b', '<f8')]"
	for _, c := range []struct {
		t    *Type
		want string
		size int
	}{
		{mustOf[bool](t), "|b1", 1},
		{mustOf[[7]byte](t), "|V7", 7},
		{mustOf[inner](t), in, 9},
		{mustOf[struct{ X, Y float32 }](t), "[('X', '<f4'), ('Y', '<f4')]", 8},
		{mustOf[record](t), "[('id', '<u2'), ('When', '<i8'), ('flag', '|b1'), ('pair', '<f4', (2,)), ('In', " + in + ", (2, 3)), ('name', '|S5'), " +
			"('Tags', '|V3', (2,)), ('Runes', '<U4'), ('day', '<M8[D]'), ('big', '>u4'), ('half', '<f2'), ('Z', '<c8'), ('Bytes', '|u1', (3,))]", 2 + 8 + 1 + 8 + 54 + 5 + 6 + 16 + 8 + 4 + 2 + 8 + 3},
		{mustOf[aligned](t), "{'names': ['A', 'B', 'C', 'D', 'E'], 'formats': ['|u1', '<f8', '<u2', '<c16', ('|u1', (3,))], 'offsets': [0, 8, 16, 24, 40], 'itemsize': 48}", 48},
		{mustOf[padded](t), "{'names': ['A', 'B'], 'formats': ['|u1', '<u4'], 'offsets': [0, 4], 'itemsize': 12}", 12},
	} {
		if c.t.text != c.want || c.t.dtype.Size != c.size {
			t.Errorf("%s of %d bytes\nwant %s of %d", c.t.text, c.t.dtype.Size, c.want, c.size)
		}
	}
}

func mustOf[T any](t testing.TB) *Type {
	t.Helper()
	it, err := Of[T]()
	if err != nil {
		t.Fatal(err)
	}
	return it
}

func errOf[T any]() error { _, err := Of[T](); return err }

// Types that are not items are rejected, and the error names the field.
func TestNoItems(t *testing.T) {
	type deep struct{ In struct{ Name string } }
	for field, err := range map[string]error{
		"int": errOf[int](), "uintptr": errOf[uintptr](), "string": errOf[string](), "[]uint8": errOf[[]byte](), "*int8": errOf[*int8](),
		"map": errOf[map[int]int](), "func": errOf[func()](), "interface": errOf[any](), "chan": errOf[chan int](),
		"[3]float32": errOf[[3]float32](), "[0]uint8": errOf[[0]byte](), "struct {}": errOf[struct{}](),
		".X": errOf[struct{ X int }](), ".In.Name": errOf[deep](), ".T": errOf[struct{ T time.Time }](),
		".x": errOf[struct{ x int32 }](), ".E": errOf[struct{ E [0]int32 }](),
		".Twice": errOf[struct {
			A     int8 `blosc2:"Twice"`
			Twice int8
		}](),
		".Wrong": errOf[struct {
			Wrong int32 `blosc2:",f4"`
		}](),
		".Bad": errOf[struct {
			Bad int32 `blosc2:",nothing"`
		}](),
		".Long": errOf[struct {
			Long [4]byte `blosc2:",S5"`
		}](),
	} {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// refuses reports why values of type t are not items of a dtype.
func refuses(t testing.TB, it *Type, dtype string, write bool) error {
	t.Helper()
	_, err := it.PlanText(dtype, write, "as a test says")
	if err != nil {
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || !strings.Contains(err.Error(), it.text) || !strings.Contains(err.Error(), dtype) {
			t.Errorf("%v on %s: %v", it, dtype, err)
		}
	}
	return err
}

func TestPlans(t *testing.T) {
	type xy struct {
		X float32 `blosc2:"x"`
		Y int64   `blosc2:"y"`
	}
	type ns struct {
		T int64 `blosc2:"t,M8[ns]"`
	}
	for _, c := range []struct {
		t           *Type
		dtype       string
		read, write bool
	}{
		{mustOf[float64](t), ">f8", true, true},
		{mustOf[float64](t), "<f4", false, false},
		{mustOf[int64](t), "<M8[ns]", true, true},
		{mustOf[bool](t), "|b1", true, true},
		{mustOf[bool](t), "|u1", false, false},
		{mustOf[uint8](t), "|b1", true, true},
		{mustOf[[4]byte](t), "|S4", true, true},
		{mustOf[[4]byte](t), "|V4", true, true},
		{mustOf[[4]byte](t), "<U1", false, false},
		{mustOf[[4]rune](t), ">U4", true, true},
		{mustOf[[4]uint32](t), "<U4", true, true},
		{mustOf[[4]rune](t), "<i4", false, false},
		{mustOf[[4]byte](t), "<f4", false, false},
		{mustOf[xy](t), "<f8", false, false},
		{mustOf[float32](t), "[('x', '<f4')]", false, false},
		{mustOf[xy](t), "[('x', '<f4'), ('y', '<i8')]", true, true},
		{mustOf[xy](t), "[('y', '>i8'), ('x', '>f4')]", true, true},
		{mustOf[xy](t), "[('y', '<i8'), ('z', '|u1'), ('x', '<f4')]", true, false},
		{mustOf[xy](t), "[('x', '<f4')]", false, false},
		{mustOf[xy](t), "[('x', '<f4'), ('y', '<i4')]", false, false},
		{mustOf[xy](t), "[('x', '<f4', (2,)), ('y', '<i8')]", false, false},
		{mustOf[ns](t), "[('t', '>M8[ns]')]", true, true},
		{mustOf[ns](t), "[('t', '<M8[us]')]", false, false},
		{mustOf[ns](t), "[('t', '<i8')]", false, false},
	} {
		if err := refuses(t, c.t, c.dtype, false); (err == nil) != c.read {
			t.Errorf("%v from %s: %v", c.t, c.dtype, err)
		}
		if err := refuses(t, c.t, c.dtype, true); (err == nil) != c.write {
			t.Errorf("%v to %s: %v", c.t, c.dtype, err)
		}
	}
	if _, err := mustOf[xy](t).PlanText("[('x', '<f4'), ('y', '<i4')]", false, "as a test says"); !strings.Contains(err.Error(), "Y: <i8 is not <i4") {
		t.Errorf("does not name the field: %v", err)
	}
}

// Values survive a round trip through every layout and byte order, with each field
// in place.
func TestRecords(t *testing.T) {
	values := make([]record, 1000)
	for i := range values {
		v := &values[i]
		v.ID, v.When, v.Flag, v.Pair = uint16(i), time.Duration(-i), i%3 == 0, [2]float32{float32(i), -1}
		for j := range 6 {
			v.In[j/3][j%3] = inner{int8(j), float64(i * j)}
		}
		copy(v.Name[:], "name"+string(rune('a'+i%20)))
		v.Tags[1][2], v.Runes, v.Day, v.Big, v.Half = byte(i), [4]rune{'é', rune(i)}, int64(i)<<40, uint32(i)<<16, uint16(i)
		v.Z, v.Bytes = complex(float32(i), 1), [3]byte{1, byte(i), 3}
	}
	it := mustOf[record](t)
	flip := strings.NewReplacer("<", ">", ">", "<")
	for _, dtype := range []string{
		it.text, flip.Replace(it.text), "{'names': ['Bytes', 'Z', 'half', 'big', 'day', 'Runes', 'Tags', 'name', 'In', 'pair', 'flag', 'When', 'id'], 'formats': [('u1', 3), '>c8', 'f2', 'u4', '>M8[D]', '>U4', ('V3', 2), 'S5'," +
			" ([('b', '>f8'), ('A', 'i1')], (2, 3)), ('f4', 2), '?', '>i8', 'u2'], 'aligned': True, 'itemsize': 200}",
	} {
		write, err := it.PlanText(dtype, true, "")
		if err != nil {
			t.Fatal(err)
		}
		read, err := it.PlanText(dtype, false, "")
		if err != nil {
			t.Fatal(err)
		}
		var buf bytes.Buffer
		if n, err := write.Write(&buf, Bytes(values)); n != len(values) || err != nil || buf.Len() != n*write.ItemSize() {
			t.Fatalf("%d values in %d bytes, %v", n, buf.Len(), err)
		}
		got := make([]record, len(values)+7)
		if n, err := read.Read(iotest.HalfReader(&buf), Bytes(got)); n != len(values) || err != nil {
			t.Fatalf("%d values, %v", n, err)
		}
		if !reflect.DeepEqual(got[:len(values)], values) {
			t.Errorf("%s: other values", dtype)
		}
		if n, err := read.Read(&buf, Bytes(got)); n != 0 || err != io.EOF {
			t.Errorf("at the end: %d, %v", n, err)
		}
		if n, err := read.Read(bytes.NewReader(make([]byte, write.ItemSize()+1)), Bytes(got)); n != 1 || err != io.ErrUnexpectedEOF {
			t.Errorf("an item and a byte: %d, %v", n, err)
		}
	}
}

// The stored form is that of the dtype, byte by byte, and gaps are zeros.
func TestStored(t *testing.T) {
	it := mustOf[padded](t)
	p, err := it.PlanText("{'names': ['A', 'B'], 'formats': ['u1', '>u4'], 'offsets': [1, 4], 'itemsize': 10}", true, "")
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.Repeat([]byte{0xff}, 20)
	p.Store(out, Bytes([]padded{{A: 1, B: 0x01020304}, {A: 2, B: 5}}))
	if want := []byte{0, 1, 0, 0, 1, 2, 3, 4, 0, 0, 0, 2, 0, 0, 0, 0, 0, 5, 0, 0}; !bytes.Equal(out, want) {
		t.Errorf("% x", out)
	}
}

// A bool that is read is true or false, whatever byte was stored.
func TestBools(t *testing.T) {
	p, err := mustOf[bool](t).PlanText("|b1", false, "")
	if err != nil {
		t.Fatal(err)
	}
	got := make([]bool, 4)
	if n, err := p.Read(bytes.NewReader([]byte{0, 1, 2, 255}), Bytes(got)); n != 4 || err != nil || !reflect.DeepEqual(got, []bool{false, true, true, true}) || Bytes(got)[3] != 1 {
		t.Errorf("%d, %v, %v", n, err, got)
	}
}

// Plain numbers are moved unchanged, or have their bytes reversed in place.
func TestDirect(t *testing.T) {
	for _, c := range []struct {
		dtype string
		order binary.ByteOrder
	}{{"<f8", binary.LittleEndian}, {">f8", binary.BigEndian}} {
		p, err := mustOf[float64](t).PlanText(c.dtype, false, "")
		if err != nil {
			t.Fatal(err)
		}
		if !p.Direct() || p.Plain() != (c.dtype[0] == '<' == LittleEndian) {
			t.Errorf("%s: direct %v, plain %v", c.dtype, p.Direct(), p.Plain())
		}
		b := make([]byte, 8)
		c.order.PutUint64(b, math.Float64bits(1.5))
		got := make([]float64, 1)
		if _, err := p.Read(bytes.NewReader(b), Bytes(got)); err != nil || got[0] != 1.5 {
			t.Errorf("%s: %v, %v", c.dtype, got, err)
		}
	}
	z, err := mustOf[complex128](t).PlanText(">c16", false, "")
	if err != nil {
		t.Fatal(err)
	}
	b := binary.BigEndian.AppendUint64(nil, math.Float64bits(1))
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(2))
	got := make([]complex128, 1)
	if _, err := z.Read(bytes.NewReader(b), Bytes(got)); err != nil || got[0] != 1+2i {
		t.Errorf("%v, %v", got, err)
	}
}

// Any dtype either results in an error or fits the struct; values then survive a round
// trip.
func FuzzPlan(f *testing.F) {
	it := mustOf[record](f)
	f.Add(it.text, []byte("seed"))
	f.Add(strings.ReplaceAll(it.text, "<", ">"), []byte{1, 2, 3})
	f.Add("{'names': ['X', 'Y'], 'formats': ['f4', 'f4'], 'offsets': [0, 2], 'itemsize': 9}", []byte{1})
	f.Add("[('X', '<f4'), ('Y', '>f4'), ('Z', 'V7')]", []byte{1})
	type xy struct{ X, Y float32 }
	f.Fuzz(func(t *testing.T, dtype string, data []byte) {
		for _, it := range []*Type{it, mustOf[xy](t), mustOf[[4]byte](t), mustOf[bool](t), mustOf[int16](t)} {
			read, err := it.PlanText(dtype, false, "")
			if err != nil || read.ItemSize() > 1<<20 {
				continue
			}
			stored := make([]byte, 3*read.ItemSize())
			for i := range stored {
				if len(data) > 0 {
					stored[i] = data[i%len(data)]
				}
			}
			mem, again := make([]byte, 3*read.MemSize()), make([]byte, 3*read.MemSize())
			read.Load(mem, stored)
			write, err := it.PlanText(dtype, true, "")
			if err != nil || overlapping(t, dtype) {
				continue
			}
			write.Store(stored, mem)
			read.Load(again, stored)
			if !bytes.Equal(mem, again) {
				t.Fatalf("%s: other values after writing", dtype)
			}
		}
	})
}

// overlapping reports whether fields of the dtype share bytes.
func overlapping(t *testing.T, dtype string) bool {
	t.Helper()
	d, err := meta.ParseDType(dtype)
	if err != nil {
		t.Fatal(err)
	}
	return overlaps(d)
}

func overlaps(d meta.DType) bool {
	used := make([]bool, d.Size)
	for _, f := range d.Fields {
		if overlaps(f.Type) {
			return true
		}
		for i := range f.Len() {
			if used[f.Offset+i] {
				return true
			}
			used[f.Offset+i] = true
		}
	}
	return false
}
