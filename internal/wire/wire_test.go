package wire

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tinylib/msgp/msgp"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A leaf is a value of this package that can be encoded and decoded.
type leaf interface {
	msgp.Marshaler
	msgp.Unmarshaler
	msgp.Sizer
}

func ptr[T any](v T) *T { return &v }

// Every leaf has one stored form. Any shorter input, and any other lead byte, results
// in an error.
func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		v    leaf
		wire string
	}{
		{ptr(Uint8(0x7f)), "\x7f"},
		{ptr(Uint16(1)), "\xcd\x00\x01"},
		{ptr(Int16(-2)), "\xd1\xff\xfe"},
		{ptr(Uint32(1)), "\xce\x00\x00\x00\x01"},
		{ptr(Int32(math.MinInt32)), "\xd2\x80\x00\x00\x00"},
		{ptr(Uint64(1)), "\xcf\x00\x00\x00\x00\x00\x00\x00\x01"},
		{ptr(Int64(-1)), "\xd3\xff\xff\xff\xff\xff\xff\xff\xff"},
		{&Magic{}, "\xa8b2frame\x00"},
		{&Flags{1, 2, 3, 4}, "\xa4\x01\x02\x03\x04"},
		{&Ext16{Type: 6, Data: [16]byte{0: 1, 15: 2}}, "\xd8\x06\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"},
		{ptr(Str32("ab")), "\xdb\x00\x00\x00\x02ab"},
		{ptr(Str32("")), "\xdb\x00\x00\x00\x00"},
		{ptr(Bin32("ab")), "\xc6\x00\x00\x00\x02ab"},
		{ptr(Dims32{1, 2}), "\x92\xd2\x00\x00\x00\x01\xd2\x00\x00\x00\x02"},
		{ptr(Dims64{}), "\x90"},
		{ptr(make(Dims32, 16)), "\xa0" + strings.Repeat("\xd2\x00\x00\x00\x00", 16)},
		{&Section{IndexLen: 8, Index: Index{{"n", 5}}, Values: Values{[]byte("v")}},
			"\x93\xcd\x00\x08\xde\x00\x01\xa1n\xd2\x00\x00\x00\x05\xdc\x00\x01\xc6\x00\x00\x00\x01v"},
	} {
		b, err := c.v.MarshalMsg([]byte("x"))
		if err != nil || string(b) != "x"+c.wire || c.v.Msgsize() < len(c.wire) {
			t.Errorf("%#v: % x of at most %d bytes, want % x: %v", c.v, b[1:], c.v.Msgsize(), c.wire, err)
		}
		v := reflect.New(reflect.TypeOf(c.v).Elem()).Interface().(leaf)
		rest, err := v.UnmarshalMsg([]byte(c.wire + "rest"))
		if err != nil || string(rest) != "rest" || !reflect.DeepEqual(v, c.v) {
			t.Errorf("% x: %#v, rest %q: %v", c.wire, v, rest, err)
		}
		for n := range len(c.wire) {
			if _, err := v.UnmarshalMsg([]byte(c.wire[:n])); err == nil {
				t.Errorf("%T took % x of % x", v, c.wire[:n], c.wire)
			}
		}
		if _, err := v.UnmarshalMsg([]byte("\xc1" + c.wire[1:])); err == nil {
			t.Errorf("%T took the lead byte c1", v)
		}
	}
}

func TestMarshalRefuses(t *testing.T) {
	for _, v := range []msgp.Marshaler{Uint8(0x80), make(Dims32, 17), Index{{strings.Repeat("n", 32), 0}}} {
		if b, err := v.MarshalMsg(nil); err == nil {
			t.Errorf("%v was written as % x", v, b)
		}
	}
}

// Lengths beyond the input result in errors before anything of their size is allocated.
func TestLengthsAreBounded(t *testing.T) {
	huge := "\xff\xff\xff\xff"
	for _, c := range []struct {
		v    msgp.Unmarshaler
		wire string
	}{
		{new(Str32), "\xdb" + huge}, {new(Bin32), "\xc6" + huge}, {new(Index), "\xde\xff\xff"}, {new(Values), "\xdc\xff\xff"},
	} {
		if n := testing.AllocsPerRun(10, func() {
			if _, err := c.v.UnmarshalMsg([]byte(c.wire)); err == nil {
				t.Errorf("%T took % x", c.v, c.wire)
			}
		}); n > 10 {
			t.Errorf("%T: %v allocations", c.v, n)
		}
	}
}

func TestMagicIsChecked(t *testing.T) {
	if _, err := new(Magic).UnmarshalMsg([]byte("\xa8b2framE\x00")); err == nil {
		t.Error("another magic was taken")
	}
}

func TestCorrupt(t *testing.T) {
	b := []byte("\x93\xcd\x00\x08\xde\x00\x00\xdd\x00\x00")
	_, err := new(Section).UnmarshalMsg(b)
	err = Corrupt(blosc2.PartMeta, 0, len(b), err)
	var fe *blosc2.FormatError
	if !errors.As(err, &fe) || fe.Offset != 7 || fe.Msg != "Values: found byte 0xdd; must be 0xdc" || !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("%+v", err)
	}
	_, err = new(Section).UnmarshalMsg([]byte("\x92"))
	if err = Corrupt(blosc2.PartMeta, 0, 1, err); !errors.As(err, &fe) || fe.Offset != 0 {
		t.Errorf("%+v", err)
	}
}

func TestFlip(t *testing.T) {
	big := []byte("\x9e\xa4\x01\x02\x03\x04\xcd\x01\x02\xd2\x01\x02\x03\x04\xcf\x01\x02\x03\x04\x05\x06\x07\x08\xc2\x05" +
		"\xd8\x01\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xc6\x00\x00\x00\x02\xd2\xd2\xdb\x00\x00\x00\x01\xcd")
	little := []byte("\x9e\xa4\x01\x02\x03\x04\xcd\x02\x01\xd2\x04\x03\x02\x01\xcf\x08\x07\x06\x05\x04\x03\x02\x01\xc2\x05" +
		"\xd8\x01\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xd2\xc6\x02\x00\x00\x00\xd2\xd2\xdb\x01\x00\x00\x00\xcd")
	b := bytes.Clone(big)
	if err := Flip(b, false); err != nil || !bytes.Equal(b, little) {
		t.Errorf("% x, want % x: %v", b, little, err)
	}
	if err := Flip(b, true); err != nil || !bytes.Equal(b, big) {
		t.Errorf("% x, want % x: %v", b, big, err)
	}
}

// Flipping valid values twice restores them.
func FuzzFlip(f *testing.F) {
	f.Add([]byte("\xcd\x01\x02\xc6\x02\x00\x00\x00ab"), true)
	f.Add([]byte("\xd2\x01\x02\x03\x04\xdb\x00\x00\x00\x01a"), false)
	f.Fuzz(func(t *testing.T, b []byte, le bool) {
		defer b2test.Cost(t)()
		got := bytes.Clone(b)
		if Flip(got, le) != nil {
			return
		}
		if err := Flip(got, !le); err != nil || !bytes.Equal(got, b) {
			t.Errorf("% x became % x: %v", b, got, err)
		}
	})
}

// A valid section is written as it was read.
func FuzzSection(f *testing.F) {
	f.Add([]byte("\x93\xcd\x00\x08\xde\x00\x01\xa1n\xd2\x00\x00\x00\x05\xdc\x00\x01\xc6\x00\x00\x00\x01v"))
	f.Fuzz(func(t *testing.T, b []byte) {
		defer b2test.Cost(t)()
		var s Section
		rest, err := s.UnmarshalMsg(b)
		if err != nil {
			return
		}
		if out, err := s.MarshalMsg(nil); err != nil || !bytes.Equal(out, b[:len(b)-len(rest)]) {
			t.Errorf("% x was written as % x: %v", b, out, err)
		}
	})
}
