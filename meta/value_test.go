package meta_test

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

func TestValues(t *testing.T) {
	for _, c := range []struct {
		v    any
		wire string
		text string
	}{
		{nil, "\xc0", "null"},
		{true, "\xc3", "true"},
		{int64(5), "\x05", "5"},
		{int64(-3), "\xfd", "-3"},
		{int64(300), "\xcd\x01\x2c", "300"},
		{int64(200), "\xcc\xc8", "200"},
		{int64(-200), "\xd1\xff\x38", "-200"},
		{uint64(math.MaxUint64), "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "18446744073709551615"},
		{1.5, "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", "1.5"},
		{float32(1.5), "\xca\x3f\xc0\x00\x00", "1.5"},
		{"abc", "\xa3abc", `"abc"`},
		{[]byte{1, 2}, "\xc4\x02\x01\x02", "0102"},
		{[]any{int64(1), "a"}, "\x92\x01\xa1a", `[1, "a"]`},
		{[]any{}, "\x90", "[]"},
		{meta.Map{{Key: "b", Value: int64(1)}, {Key: int64(2), Value: nil}}, "\x82\xa1b\x01\x02\xc0", `{"b": 1, 2: null}`},
		{meta.Ext{Type: 42, Data: []byte{7}}, "\xd4\x2a\x07", "ext 42: 07"},
		{meta.Ext{Type: -1, Data: []byte{1, 2, 3}}, "\xc7\x03\xff\x01\x02\x03", "ext -1: 010203"},
	} {
		b, err := meta.Encode([]byte("x"), c.v)
		if err != nil || string(b) != "x"+c.wire {
			t.Errorf("%#v: encoded as % x, want % x: %v", c.v, b[1:], c.wire, err)
		}
		v, err := meta.Decode([]byte(c.wire))
		if err != nil || !reflect.DeepEqual(v, c.v) {
			t.Errorf("% x: decoded as %#v, want %#v: %v", c.wire, v, c.v, err)
		}
		if got := meta.Text([]byte(c.wire)); got != c.text {
			t.Errorf("% x: written as %s, want %s", c.wire, got, c.text)
		}
	}
	if got := meta.Text([]byte("\xc1 no msgpack")); got != "c1206e6f206d73677061636b" {
		t.Error(got)
	}
	sorted, err := meta.Encode(nil, map[string]any{"b": 1, "a": int8(2), "c": uint16(3)})
	if err != nil || string(sorted) != "\x83\xa1a\x02\xa1b\x01\xa1c\x03" {
		t.Errorf("% x: %v", sorted, err)
	}
	m := meta.Map{{Key: "b", Value: 1}}
	if v, ok := m.Get("b"); v != 1 || !ok {
		t.Error(v, ok)
	}
	if v, ok := m.Get("c"); v != nil || ok {
		t.Error(v, ok)
	}
	if _, err := meta.Encode(nil, []any{make(chan int)}); err == nil {
		t.Error("a channel was encoded")
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, s := range []string{
		"", "\xc1", "\x05\x05", "\x91", "\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff\x00", "\xdf\x00\x00\x00\x01\x00", "\xc6\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff",
		"\xc9\xff\xff\xff\xff\x00", "\xc9\xff", "\xd8\x00", "\xcf\x00", "\xcb", strings.Repeat("\x91", 100) + "\x00",
		strings.Repeat("\xdd\x00\x00\x00\x40", 80), // large counts must not reserve memory
	} {
		if v, err := meta.Decode([]byte(s)); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("% x: %v, %v", s, v, err)
		}
	}
	deep := any(nil)
	for range 100 {
		deep = []any{deep}
	}
	if _, err := meta.Encode(nil, deep); err == nil {
		t.Error("encoded what cannot be decoded")
	}
}

func TestLayers(t *testing.T) {
	a := []meta.Layer{{Name: "a", Value: []byte("1")}}
	b := meta.Set(a, "b", []byte("2"))
	c := meta.Set(b, "a", []byte("3"))
	for _, w := range []struct {
		layers     []meta.Layer
		name, want string
		ok         bool
	}{{a, "a", "1", true}, {a, "b", "", false}, {b, "a", "1", true}, {b, "b", "2", true}, {c, "a", "3", true}, {c, "b", "2", true}} {
		if v, ok := meta.Find(w.layers, w.name); !bytes.Equal(v, []byte(w.want)) || ok != w.ok {
			t.Errorf("%q: %q, %v", w.name, v, ok)
		}
	}
}

// Layers that do not fit the format are rejected.
func TestSectionRefuses(t *testing.T) {
	many := make([]meta.Layer, 17)
	for i := range many {
		many[i].Name = strings.Repeat("n", i+1)
	}
	s := meta.Section{Layers: many[:16], At: 87}
	if b, err := s.MarshalMsg(nil); err != nil || s.Msgsize() != len(b) {
		t.Errorf("%d bytes, said to be %d: %v", len(b), s.Msgsize(), err)
	}
	for _, layers := range [][]meta.Layer{
		many, {{Name: ""}}, {{Name: strings.Repeat("n", 32)}}, {{Name: "a\x00"}}, {{Name: "a"}, {Name: "b"}, {Name: "a"}},
	} {
		if _, err := (meta.Section{Layers: layers}).MarshalMsg(nil); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%.3v: %v", layers, err)
		}
	}
}
