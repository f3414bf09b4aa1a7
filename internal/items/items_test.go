package items

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/meta"
)

func TestTypeOf(t *testing.T) {
	type celsius float32
	for _, c := range []struct {
		got  meta.DType
		want string
	}{
		{TypeOf[int8](), "|i1"}, {TypeOf[int16](), "<i2"}, {TypeOf[int32](), "<i4"}, {TypeOf[int64](), "<i8"},
		{TypeOf[uint8](), "|u1"}, {TypeOf[uint16](), "<u2"}, {TypeOf[uint32](), "<u4"}, {TypeOf[uint64](), "<u8"},
		{TypeOf[float32](), "<f4"}, {TypeOf[float64](), "<f8"}, {TypeOf[complex64](), "<c8"}, {TypeOf[complex128](), "<c16"},
		{TypeOf[celsius](), "<f4"}, {TypeOf[time.Duration](), "<i8"},
	} {
		if c.got.String() != c.want {
			t.Errorf("%v, want %s", c.got, c.want)
		}
	}
}

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		t    meta.DType
		text string
		want bool
	}{
		{TypeOf[int64](), "<M8[ns]", true}, {TypeOf[int64](), ">m8", true}, {TypeOf[uint8](), "|b1", true}, {TypeOf[float64](), ">f8", true},
		{TypeOf[int8](), "|b1", false}, {TypeOf[uint64](), "<M8[ns]", false}, {TypeOf[float32](), "<f8", false},
		{TypeOf[int32](), "<f4", false}, {TypeOf[uint8](), "|S1", false}, {TypeOf[complex64](), "<f8", false},
	} {
		d, err := meta.ParseDType(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if Holds(c.t, d) != c.want {
			t.Errorf("%v holds %s: %v", c.t, c.text, !c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	if b := Bytes([]uint16(nil)); len(b) != 0 {
		t.Errorf("nothing has %d bytes", len(b))
	}
	s := []uint16{1, 0x203}
	if got, want := Bytes(s), binary.NativeEndian.AppendUint16([]byte{}, 1); !bytes.Equal(got[:2], want) || len(got) != 4 {
		t.Errorf("%x", got)
	}
	Bytes(s)[0] ^= 0xff
	if s[0] == 1 {
		t.Error("not the memory of the slice")
	}
}

func TestToNative(t *testing.T) {
	for _, c := range []struct {
		dtype string
		unit  int
	}{{"i1", 1}, {"i2", 2}, {"f4", 4}, {"f8", 8}, {"c8", 4}, {"c16", 8}, {"M8[s]", 8}} {
		for _, order := range []string{"<", ">"} {
			d, err := meta.ParseDType(order + c.dtype)
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, 5*d.Size)
			for i := range b {
				b[i] = byte(i)
			}
			want := bytes.Clone(b)
			if (order == "<") != LittleEndian {
				for u := range slices.Chunk(want, c.unit) {
					slices.Reverse(u)
				}
			}
			if ToNative(b, d); !bytes.Equal(b, want) {
				t.Errorf("%v: %x, want %x", d, b, want)
			}
		}
	}
}
