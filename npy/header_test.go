package npy

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestExactHeader compares with the header of np.save(np.zeros((3, 4), '<f4')).
func TestExactHeader(t *testing.T) {
	want := file("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" + strings.Repeat(" ", 58) + "\n")
	h := Header{DType: "float32", Shape: []int64{3, 4}}
	got, err := h.Append([]byte("before"))
	if err != nil || string(got) != "before"+want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if len(want)%64 != 0 {
		t.Errorf("%d bytes", len(want))
	}
}

func TestOtherSpellings(t *testing.T) {
	for _, c := range []struct {
		text  string
		dtype string
		shape []int64
		order bool
	}{
		{`{'shape': (3L, 4L), 'fortran_order': True, 'descr': '<f4'}`, "<f4", []int64{3, 4}, true}, // a header as Python 2 wrote it
		{`{"descr":"|u1","fortran_order":False,"shape":()}`, "|u1", []int64{}, false},
		{" {'descr' : 'float64' , 'fortran_order' : False , 'shape' : ( 5 , ) , } \n", "<f8", []int64{5}, false},
		{`{'descr': [('a, b: {', '<i4'), ('\'', '<i4', (2,))], 'fortran_order': False, 'shape': (0, 9)}`, `[('a, b: {', '<i4'), ("'", '<i4', (2,))]`, []int64{0, 9}, false},
		{`{'descr': [('x', '|u1'), ('', '|V3'), ('y', '<i4'), ('', '|V8')], 'fortran_order': False, 'shape': (1,)}`,
			"{'names': ['x', 'y'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 16}", []int64{1}, false},
	} {
		h, err := ReadHeader(strings.NewReader(file(c.text)))
		if err != nil || h.DType != c.dtype || h.Fortran != c.order || !slices.Equal(h.Shape, c.shape) || h.Version != 1 {
			t.Errorf("%s: %+v, %v", c.text, h, err)
		}
	}
}

func TestBadHeaders(t *testing.T) {
	dict := func(descr, order, shape string) string {
		return file("{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }\n")
	}
	good := dict("'<f4'", "False", "(3, 4)")
	if _, err := ReadHeader(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for n := range len(good) {
		if _, err := ReadHeader(strings.NewReader(good[:n])); err != io.ErrUnexpectedEOF {
			t.Errorf("%d of %d bytes: %v", n, len(good), err)
		}
	}
	for name, c := range map[string]struct {
		file string
		want error
	}{
		"magic":               {"\x93NUMPZ" + good[6:], blosc2.ErrCorrupt},
		"version 0":           {good[:6] + "\x00\x00" + good[8:], blosc2.ErrUnsupported},
		"version 4":           {good[:6] + "\x04\x00" + good[8:], blosc2.ErrUnsupported},
		"version 1.1":         {good[:6] + "\x01\x01" + good[8:], blosc2.ErrUnsupported},
		"huge":                {good[:6] + "\x02\x00\x00\x00\x00\x7f", blosc2.ErrTooLarge},
		"not UTF-8":           {good[:6] + "\x03\x00\x02\x00\x00\x00\xff\xff", blosc2.ErrCorrupt},
		"empty":               {file(""), blosc2.ErrCorrupt},
		"no dict":             {file("(1, 2)"), blosc2.ErrCorrupt},
		"open dict":           {file("{'descr': '<f4', "), blosc2.ErrCorrupt},
		"open string":         {file("{'descr': '<f4"), blosc2.ErrCorrupt},
		"key no string":       {file("{descr: '<f4'}"), blosc2.ErrCorrupt},
		"no comma":            {file("{'descr': '<f4' 'shape': ()}"), blosc2.ErrCorrupt},
		"two":                 {file("{'descr': '<f4', 'descr': '<f4', 'shape': ()}"), blosc2.ErrCorrupt},
		"after":               {file("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x"), blosc2.ErrCorrupt},
		"no shape":            {file("{'descr': '<f4', 'fortran_order': False}"), blosc2.ErrCorrupt},
		"another key":         {file("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}"), blosc2.ErrCorrupt},
		"one of another name": {file("{'descr': '<f4', 'fortran_order': False, 'shapes': ()}"), blosc2.ErrCorrupt},
		"no value":            {file("{'descr': , 'fortran_order': False, 'shape': ()}"), blosc2.ErrCorrupt},
		"order 0":             {dict("'<f4'", "0", "()"), blosc2.ErrCorrupt},
		"shape is a list":     {dict("'<f4'", "False", "[3]"), blosc2.ErrCorrupt},
		"shape is a number":   {dict("'<f4'", "False", "(3)"), blosc2.ErrCorrupt},
		"shape is negative":   {dict("'<f4'", "False", "(-3,)"), blosc2.ErrCorrupt},
		"shape of text":       {dict("'<f4'", "False", "('3',)"), blosc2.ErrCorrupt},
		"shape beyond int64":  {dict("'<f4'", "False", "(9223372036854775808,)"), blosc2.ErrCorrupt},
		"too many dimensions": {dict("'<f4'", "False", "("+strings.Repeat("1, ", 65)+")"), blosc2.ErrCorrupt},
		"size beyond int64":   {dict("'<f4'", "False", "(4294967296, 2147483648)"), blosc2.ErrTooLarge},
		"bare descr":          {dict("float32", "False", "(3,)"), blosc2.ErrCorrupt},
		"objects":             {dict("'|O'", "False", "(3,)"), blosc2.ErrUnsupported},
		"no type":             {dict("'<q4'", "False", "(3,)"), blosc2.ErrUnsupported},
	} {
		if h, err := ReadHeader(strings.NewReader(c.file)); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
}

// The error names the dtype, and no property that a NumPy file does not have.
func TestBadTypeIsNamed(t *testing.T) {
	for descr, want := range map[string]string{
		"'|O'":                       `blosc2: header: npy: dtype "|O" of Python objects: unsupported`,
		"'<q4'":                      `blosc2: header: npy: dtype "<q4": unsupported`,
		"[('a', '<i4'), ('b', 'O')]": `blosc2: header: npy: dtype "[('a', '<i4'), ('b', 'O')]": unsupported`,
	} {
		if _, err := ReadHeader(strings.NewReader(file("{'descr': " + descr + ", 'fortran_order': False, 'shape': (3,)}"))); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", descr, err, want)
		}
	}
}

func TestBadAppend(t *testing.T) {
	for _, c := range []struct {
		h    Header
		want error
	}{
		{Header{DType: "O"}, blosc2.ErrUnsupported},
		{Header{DType: "<f4", Shape: []int64{-2}}, blosc2.ErrOption},
		{Header{DType: "<f4", Shape: []int64{2, Unknown}}, blosc2.ErrOption},
		{Header{DType: "<f4", Shape: []int64{Unknown, 2}, Fortran: true}, blosc2.ErrOption},
		{Header{DType: "<f4", Shape: make([]int64, 65)}, blosc2.ErrOption},
		{Header{DType: "<f4", Version: 4}, blosc2.ErrOption},
		{Header{DType: "[('π', '<f4')]", Version: 1}, blosc2.ErrOption},
		{Header{DType: "{'names': ['a', 'b'], 'formats': ['<i4', '<i4'], 'offsets': [0, 2]}"}, blosc2.ErrUnsupported},
	} {
		if b, err := c.h.Append(nil); !errors.Is(err, c.want) {
			t.Errorf("%+v: %q, %v", c.h, b, err)
		}
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		shape []int64
		want  int64
	}{
		{nil, 8}, {[]int64{3, 4}, 96}, {[]int64{0}, 0}, {[]int64{1 << 40, 0, 1 << 10}, 0}, {[]int64{math.MaxInt64 / 8}, math.MaxInt64 - 7},
	} {
		h := Header{DType: "<f8", Shape: c.shape}
		if n, err := h.Size(); n != c.want || err != nil {
			t.Errorf("%v: %d, %v", c.shape, n, err)
		}
	}
}

// FuzzReadHeader reads damaged headers; a header that can be read is the same after it is
// written and read again.
func FuzzReadHeader(f *testing.F) {
	for _, h := range []Header{
		{DType: "<f4", Shape: []int64{3, 4}},
		{DType: "[('a', '<i4'), ('b', '<f8', (2, 3))]", Shape: []int64{5}, Fortran: true},
		{DType: "[('π', '|S3')]"},
		{DType: "{'names': ['x', 'y'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 16}", Version: 2},
	} {
		b, err := h.Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		h, err := ReadHeader(bytes.NewReader(b))
		if err != nil {
			for _, known := range []error{io.ErrUnexpectedEOF, blosc2.ErrCorrupt, blosc2.ErrUnsupported, blosc2.ErrTooLarge} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("error of another kind: %v", err)
		}
		h.Version = 0
		again, err := h.Append(nil)
		if errors.Is(err, blosc2.ErrUnsupported) { // the fields can only be described by a dict
			return
		}
		if err != nil {
			t.Fatalf("%+v: %v", h, err)
		}
		h2, err := ReadHeader(bytes.NewReader(again))
		if err != nil || h2.DType != h.DType || h2.Fortran != h.Fortran || !slices.Equal(h2.Shape, h.Shape) {
			t.Fatalf("%+v became %+v, %v", h, h2, err)
		}
	})
}
