package items

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/seed03b80dae/blosc2/meta"
)

// typeOf returns the dtype of T, which has one.
func typeOf[T any]() meta.DType {
	t, err := Of[T]()
	if err != nil {
		panic(err)
	}
	return t.dtype
}

func TestTypeOf(t *testing.T) {
	type celsius float32
	for _, c := range []struct {
		got  meta.DType
		want string
	}{
		{typeOf[int8](), "|i1"}, {typeOf[int16](), "<i2"}, {typeOf[int32](), "<i4"}, {typeOf[int64](), "<i8"},
		{typeOf[uint8](), "|u1"}, {typeOf[uint16](), "<u2"}, {typeOf[uint32](), "<u4"}, {typeOf[uint64](), "<u8"},
		{typeOf[float32](), "<f4"}, {typeOf[float64](), "<f8"}, {typeOf[complex64](), "<c8"}, {typeOf[complex128](), "<c16"},
		{typeOf[celsius](), "<f4"}, {typeOf[time.Duration](), "<i8"},
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
		{typeOf[int64](), "<M8[ns]", true}, {typeOf[int64](), ">m8", true}, {typeOf[uint8](), "|b1", true}, {typeOf[float64](), ">f8", true},
		{typeOf[int8](), "|b1", false}, {typeOf[uint64](), "<M8[ns]", false}, {typeOf[float32](), "<f8", false},
		{typeOf[int32](), "<f4", false}, {typeOf[uint8](), "|S1", false}, {typeOf[complex64](), "<f8", false},
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
