package meta_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// Types are parsed as NumPy parses them: str and itemsize are the same.
func TestParseDType(t *testing.T) {
	for _, c := range []struct {
		in, out string
		size    int
	}{
		{"<f4", "<f4", 4}, {"float32", "<f4", 4}, {"f4", "<f4", 4}, {"=f4", "<f4", 4}, {"|f4", "<f4", 4}, {">f8", ">f8", 8},
		{"f", "<f4", 4}, {"d", "<f8", 8}, {"float", "<f8", 8}, {"double", "<f8", 8}, {"e", "<f2", 2}, {"float16", "<f2", 2},
		{"<f16", "<f16", 16}, {"float128", "<f16", 16},
		{"|u1", "|u1", 1}, {"uint8", "|u1", 1}, {"<u1", "|u1", 1}, {">i1", "|i1", 1}, {"B", "|u1", 1}, {"b", "|i1", 1},
		{"int16", "<i2", 2}, {"int32", "<i4", 4}, {"int", "<i8", 8}, {">i4", ">i4", 4}, {">h", ">i2", 2}, {"uint64", "<u8", 8},
		{"bool", "|b1", 1}, {"?", "|b1", 1}, {"|b1", "|b1", 1},
		{"complex64", "<c8", 8}, {"c16", "<c16", 16}, {"F", "<c8", 8},
		{"|S5", "|S5", 5}, {"S5", "|S5", 5}, {"bytes40", "|S5", 5},
		{"<U7", "<U7", 28}, {"U7", "<U7", 28}, {">U7", ">U7", 28}, {"str224", "<U7", 28},
		{"|V16", "|V16", 16}, {"V16", "|V16", 16}, {"void128", "|V16", 16},
		{"<M8[ns]", "<M8[ns]", 8}, {"datetime64[ns]", "<M8[ns]", 8}, {">M8[25s]", ">M8[25s]", 8}, {"<M8", "<M8", 8},
		{"timedelta64[D]", "<m8[D]", 8}, {"m8[us]", "<m8[us]", 8}, {"datetime64", "<M8", 8},
		{" <f4 ", "<f4", 4}, {"dtype('float64')", "<f8", 8}, {"'<f4'", "<f4", 4},
		{"[('a', '<i4')]", "[('a', '<i4')]", 4},
		{"[('a', '<i4'), ('b', '<f8', (2,))]", "[('a', '<i4'), ('b', '<f8', (2,))]", 20},
		{`[ ("a","i4") , ("b", "double", 3), ]`, "[('a', '<i4'), ('b', '<f8', (3,))]", 28},
		{"dtype([('x', '<f4'), ('y', '>f4')])", "[('x', '<f4'), ('y', '>f4')]", 8},
		{"[('p', [('x', '<i2'), ('y', '<i2')], (2, 3)), ('n', '<U4')]", "[('p', [('x', '<i2'), ('y', '<i2')], (2, 3)), ('n', '<U4')]", 40},
		{"[(('Title', 'a'), '|i1')]", "[(('Title', 'a'), '|i1')]", 1},
		{`[("it's", '<i4'), ('tab\t"', '<i4'), ('é', '|u1')]`, `[("it's", '<i4'), ('tab\t"', '<i4'), ('é', '|u1')]`, 9},
		{"{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 16}",
			"{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 16}", 16},
		{"{'names':['a','b'], 'formats':['<i4','<f8'], 'offsets':[0,8], 'itemsize':16, 'aligned':True}",
			"{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [0, 8], 'itemsize': 16}", 16},
		{"{'names': ['a', 'in'], 'formats': ['u1', [('c', 'u1'), ('d', '<i4')]], 'offsets': [0, 4], 'itemsize': 12, 'aligned': True}",
			"{'names': ['a', 'in'], 'formats': ['|u1', {'names': ['c', 'd'], 'formats': ['|u1', '<i4'], 'offsets': [0, 4], 'itemsize': 8}], 'offsets': [0, 4], 'itemsize': 12}", 12},
		{"{'names': ['a', 'b', 'c', 'd', 'e'], 'formats': ['u1', 'c16', 'U1', 'S3', ('<i2', (3,))], 'aligned': True}",
			"{'names': ['a', 'b', 'c', 'd', 'e'], 'formats': ['|u1', '<c16', '<U1', '|S3', ('<i2', (3,))], 'offsets': [0, 8, 24, 28, 32], 'itemsize': 40}", 40},
		{"{'names': ['a', 'b'], 'formats': ['<i4', ('<f8', (2,))], 'offsets': [16, 0], 'titles': [None, 'B'], 'itemsize': 24}",
			"{'names': ['a', 'b'], 'formats': ['<i4', ('<f8', (2,))], 'offsets': [16, 0], 'titles': [None, 'B'], 'itemsize': 24}", 24},
		{"[('a', '|i1'), ('', '|V3'), ('b', '<f4'), ('', 'V8')]",
			"{'names': ['a', 'b'], 'formats': ['|i1', '<f4'], 'offsets': [0, 4], 'itemsize': 16}", 16},
		{"{'names': [''], 'formats': ['V4']}", "{'names': [''], 'formats': ['|V4'], 'offsets': [0], 'itemsize': 4}", 4},
		{"{'names': ['a', 'b'], 'formats': ['<i4', '<f8']}", "[('a', '<i4'), ('b', '<f8')]", 12},
	} {
		d, err := meta.ParseDType(c.in)
		if err != nil || d.String() != c.out || d.Size != c.size {
			t.Errorf("%q: %q of %d bytes, want %q of %d: %v", c.in, d.String(), d.Size, c.out, c.size, err)
			continue
		}
		again, err := meta.ParseDType(d.String())
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%q: %+v, and %+v when read again: %v", c.in, d, again, err)
		}
	}
}

func TestParseDTypeFields(t *testing.T) {
	d, err := meta.ParseDType("[('a', '<i4'), ('b', '>f8', (2, 3)), ('c', [('d', '|u1')])]")
	want := meta.DType{Kind: meta.Struct, Order: '|', Size: 53, Fields: []meta.Field{
		{Name: "a", Offset: 0, Type: meta.DType{Kind: meta.Int, Order: '<', Size: 4}},
		{Name: "b", Offset: 4, Type: meta.DType{Kind: meta.Float, Order: '>', Size: 8}, Shape: []int{2, 3}},
		{Name: "c", Offset: 52, Type: meta.DType{Kind: meta.Struct, Order: '|', Size: 1, Fields: []meta.Field{
			{Name: "d", Type: meta.DType{Kind: meta.Uint, Order: '|', Size: 1}},
		}}},
	}}
	if err != nil || !reflect.DeepEqual(d, want) {
		t.Errorf("%+v, want %+v: %v", d, want, err)
	}
	if n := d.Fields[1].Len(); n != 48 {
		t.Errorf("field of %d bytes, want 48", n)
	}
}

func TestParseDTypeRefuses(t *testing.T) {
	for _, s := range []string{
		"", " ", "<", "x", "xyz", "<f3", "<f0", "i16", "<i99999999999", "|S", "|S0", "<U0", "<U536870912", "|V-1", "O", "|O8", "object",
		"<M8[", "<M8[ns", "<M8[xs]", "<M8[12345678901s]", "<M4", "bytes7", "str33", "4f", "f4,f4", "(2,)f4",
		"[", "[]", "[(]", "[('a')]", "[('a',)]", "[('a', )]", "[('a' '<i4')]", "[('a', '<i4') ('b', '<i4')]", "[('a', '<i4'), ('a', '<i4')]",
		"[('a', 'zz')]", "[(1, '<i4')]", "[('a', '<i4', 'x')]", "[('a', '<i4', (-1,))]", "[('a', '<i4', (65536, 65536))]", "[('a', '<i4')] x",
		"[('a', '<i4', (4611686018427387904, 4))]", "[('a', '<i4'", "['a', '<i4']", "{'a': ('<i4', 0)}", "{'names': ['a']}",
		"{'names': ['a'], 'formats': ['<i4'], 'offsets': [-1]}", "{'names': ['a'], 'formats': ['<i4'], 'offsets': [8], 'itemsize': 8}",
		"{'names': ['a'], 'formats': ['<i4'], 'offsets': [9223372036854775807]}", "{'names': 'a', 'formats': ['<i4']}", "{'names'}", "{1: 2}",
		"'<f4", "'\\", "'a\nb'", "[('a\\q', '<i4')]", "dtype(", "dtype()", "((((", "[('a', None)]",
		strings.Repeat("[('a', ", 40) + "'<i4'" + strings.Repeat(")]", 40), strings.Repeat("(", 1<<20), strings.Repeat("x", 300),
	} {
		if d, err := meta.ParseDType(s); err == nil {
			t.Errorf("%.40q: taken for %v", s, d)
		} else if err != nil && !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("%.40q: %v", s, err)
		}
	}
}

func TestItemType(t *testing.T) {
	for _, c := range []struct {
		a        meta.B2ND
		typesize int
		want     string
		kind     meta.Kind
	}{
		{meta.B2ND{Parts: 7, DType: "<f4"}, 4, "<f4", meta.Float},
		{meta.B2ND{DType: "<f4"}, 4, "<f4", meta.Float},
		{meta.B2ND{Parts: 6, DType: "int32"}, 4, "<i4", meta.Int},
		{meta.B2ND{Parts: 7, DType: "<f4"}, 8, "<f4", meta.Opaque},
		{meta.B2ND{Parts: 7, DType: "something"}, 8, "something", meta.Opaque},
		{meta.B2ND{Parts: 7, DTypeFormat: 1, DType: "<f4"}, 4, "<f4", meta.Opaque},
		{meta.B2ND{Parts: 7}, 300, "|S300", meta.Bytes},
		{meta.B2ND{Parts: 5}, 3, "|S3", meta.Bytes},
	} {
		if d := c.a.ItemType(c.typesize); d.String() != c.want || d.Kind != c.kind || d.Size != c.typesize {
			t.Errorf("%+v: %v of kind %q and %d bytes", c.a, d, d.Kind, d.Size)
		}
	}
}
