package main

import (
	"encoding/hex"
	"math"
	"testing"

	"github.com/seed03b80dae/blosc2/meta"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ dtype, item, want string }{
		{"?", "01", "true"},
		{"u1", "ff", "255"},
		{"i1", "ff", "-1"},
		{"<i2", "feff", "-2"},
		{">i2", "fffe", "-2"},
		{"<u4", "00000080", "2147483648"},
		{">i8", "8000000000000000", "-9223372036854775808"},
		{"<f2", "003c", "1"},
		{"<f2", "0100", "5.9604645e-08"},
		{"<f2", "00fc", "-Inf"},
		{"<f2", "017e", "NaN"},
		{"<f4", "cdcccc3d", "0.1"},
		{">f8", "3fb999999999999a", "0.1"},
		{"<f16", "000102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0f"},
		{"<c8", "0000803f000000c0", "(1-2i)"},
		{"S5", "6162630000", "abc"},
		{"S5", "610a1b5b32", `"a\n\x1b[2"`},
		{"S2", "ff61", `"\xffa"`},
		{"<U2", "bc00000000000000", "¼"},
		{"<M8[D]", "c94a000000000000", "2022-06-02"},
		{"<M8[s]", "0000000000000000", "1970-01-01T00:00:00"},
		{"<M8[ns]", "0100000000000000", "1970-01-01T00:00:00.000000001"},
		{"<M8[ns]", "0000000000000080", "NaT"},
		{"<M8[Y]", "0500000000000000", "1975"},
		{"<M8[M]", "ffffffffffffffff", "1969-12"},
		{"<M8[W]", "0100000000000000", "1970-01-08"},
		{"<M8[h]", "1900000000000000", "1970-01-02T01"},
		{"<M8[m]", "3d00000000000000", "1970-01-01T01:01"},
		{"<M8[us]", "0100000000000000", "1970-01-01T00:00:00.000001"},
		{"<M8[D]", "ffffffffffffff7f", "9223372036854775807"},
		{"<M8[25s]", "0200000000000000", "2"},
		{"<m8[s]", "ffffffffffffffff", "-1"},
		{"V3", "0a0b0c", "0a0b0c"},
		{"[('a', '<i2'), ('b', 'u1', (2,))]", "ffff0102", "(-1, [1 2])"},
		{"[('a', 'S4'), ('b', '<U2')]", "612c20292c00000028000000", "(b'a, )', ',(')"},
		{"[('a', 'S4', (2,)), ('b', '<U1')]", "27000000270a220027000000", `([b"'" b'\'\n"'], "'")`},
		{"[('a', 'S2'), ('b', '<U1'), ('c', '<U1')]", "5cff1b00000001000e00", `(b'\\\xff', '\x1b', '\U000e0001')`},
	} {
		d, err := meta.ParseDType(c.dtype)
		if err != nil {
			t.Errorf("%s: %v", c.dtype, err)
			continue
		}
		b, err := hex.DecodeString(c.item)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(d, b); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.dtype, c.item, got, c.want)
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		dtype, item string
		want        float64
		ok          bool
	}{
		{"?", "01", 1, true},
		{"<i4", "ffffffff", -1, true},
		{">f4", "3fc00000", 1.5, true},
		{"<f2", "0080", math.Copysign(0, -1), true},
		{"<M8[s]", "0200000000000000", 2, true},
		{"<m8[s]", "feffffffffffffff", -2, true},
		{"S2", "3132", 0, false},
		{"<f16", "000102030405060708090a0b0c0d0e0f", 0, false},
	} {
		d, err := meta.ParseDType(c.dtype)
		if err != nil {
			t.Fatal(err)
		}
		b, err := hex.DecodeString(c.item)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := number(d, b); got != c.want || ok != c.ok {
			t.Errorf("%s %s: %v, %v; want %v, %v", c.dtype, c.item, got, ok, c.want, c.ok)
		}
	}
}

func TestNoTime(t *testing.T) {
	d, err := meta.ParseDType(">M8[ns]")
	if err != nil {
		t.Fatal(err)
	}
	if f, ok := number(d, []byte{0x80, 0, 0, 0, 0, 0, 0, 0}); !math.IsNaN(f) || !ok {
		t.Errorf("not-a-time is %v, %v", f, ok)
	}
}
