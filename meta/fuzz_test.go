package meta_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/wire/wiretest"
	"github.com/seed03b80dae/blosc2/meta"
)

// seeds adds the golden files with matching names to the corpus of the fuzz target.
func seeds(f *testing.F, pattern string) {
	f.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		f.Fatal(names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(wiretest.Parse(f, string(text)))
	}
}

// Every valid descriptor is written with the bytes from which it was read.
func FuzzB2ND(f *testing.F) {
	seeds(f, "b2nd*.golden")
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		a, err := meta.ParseB2ND(b)
		if err != nil {
			typed(t, err)
			return
		}
		if out, err := a.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%+v: written as % x, read as % x: %v", a, out, b, err)
		}
		for _, typesize := range []int{1, 8, 1 << 30} {
			if err := a.Validate(typesize); err != nil {
				typed(t, err)
			} else if n := a.ChunkBytes(typesize); n < 0 || a.BlockBytes(typesize) < 0 {
				t.Errorf("%+v: chunks of %d bytes, blocks of %d", a, n, a.BlockBytes(typesize))
			}
			a.ItemType(typesize)
		}
	})
}

func FuzzCaterva(f *testing.F) {
	seeds(f, "caterva*.golden")
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		c, err := meta.ParseCaterva(b)
		if err != nil {
			typed(t, err)
			return
		}
		a, plain := c.B2ND(8, 64)
		if err := a.Validate(8); err == nil && !plain && a.BlockBytes(8) != 64 {
			t.Errorf("%+v: blocks of %d bytes", c, a.BlockBytes(8))
		}
		out, err := c.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := meta.ParseCaterva(out); err != nil || !reflect.DeepEqual(again, c) {
			t.Errorf("%+v: %+v when read again: %v", c, again, err)
		}
	})
}

func FuzzStream(f *testing.F) {
	seeds(f, "b2stream.golden")
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		s, err := meta.ParseStream(b)
		if err != nil {
			typed(t, err)
			return
		}
		if out, err := s.Append(nil); err != nil || !bytes.Equal(out, b) {
			t.Errorf("%+v: written as % x, read as % x: %v", s, out, b, err)
		}
	})
}

// Every valid type is written in a form that parses to the same type.
func FuzzDType(f *testing.F) {
	for _, s := range []string{
		"<f4", "float32", "|S5", "<U7", "<M8[ns]", "timedelta64[25s]", "dtype('i4')", "[('a', '<i4'), ('b', '<f8', (2,))]",
		"{'names': ['a', 'b'], 'formats': ['<i4', ('<f8', (2, 1))], 'offsets': [0, 8], 'titles': [None, 'x'], 'itemsize': 24}",
		`[(("t", 'it\'s "\x41\n\u00e9'), [('x', '?')], ())]`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		defer b2test.Cost(t)()
		d, err := meta.ParseDType(s)
		if err != nil {
			typed(t, err)
			return
		}
		if d.Size < 1 {
			t.Errorf("%q: %d bytes", s, d.Size)
		}
		again, err := meta.ParseDType(d.String())
		if err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("%q: %+v, written as %s, read as %+v: %v", s, d, d, again, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\xc0", "\x93\x01\xa1a\xc4\x01\x00", "\x82\xa1b\x01\x02\xc0", "\xd4\x2a\x07", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		v, err := meta.Decode(b)
		if err != nil {
			typed(t, err)
			return
		}
		out, err := meta.Encode(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := meta.Decode(out)
		if err != nil || meta.Text(out) != meta.Text(b) {
			t.Errorf("% x: %#v, and %#v when read again: %v", b, v, again, err)
		}
	})
}
