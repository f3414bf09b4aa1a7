package stream_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/stream"
)

type celsius float32

// A number is a Go type of numbers that are items.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64 | ~complex64 | ~complex128
}

// roundTrip writes items in slices of many lengths and reads them back.
func roundTrip[T number](t *testing.T, dtype string, items []T) {
	t.Helper()
	var buf bytes.Buffer
	w := newWriter(t, &buf, stream.ChunkSize(100))
	for rest, k := items, 0; len(rest) > 0; k = (k + 7) % 23 {
		k = min(k, len(rest))
		if n, err := stream.WriteSlice(w, rest[:k]); n != k || err != nil {
			t.Fatalf("%s: %d of %d, %v", dtype, n, k, err)
		}
		rest = rest[k:]
	}
	must(t, w.Close())
	r, err := stream.NewReader(&buf)
	must(t, err)
	h, err := r.Header()
	must(t, err)
	if v, _ := r.Metalayer(meta.DTypeName); string(v[1:]) != dtype || v[0] != 0xa0+byte(len(dtype)) || int(h.TypeSize) != int(reflect.TypeFor[T]().Size()) {
		t.Errorf("metalayer %q, typesize %d for %s", v, h.TypeSize, dtype)
	}
	got := make([]T, len(items)+5)
	n, err := stream.ReadSlice(r, got[:3])
	if n != 3 || err != nil {
		t.Fatalf("%s: %d, %v", dtype, n, err)
	}
	n, err = stream.ReadSlice(r, got[3:])
	if n != len(items)-3 || err != nil || !reflect.DeepEqual(got[:len(items)], items) {
		t.Errorf("%s: %d of %d items, %v", dtype, n+3, len(items), err)
	}
	if n, err := stream.ReadSlice(r, got); n != 0 || err != io.EOF {
		t.Errorf("%s: at the end %d, %v", dtype, n, err)
	}
}

func sequence[T number](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = s[max(i-1, 0)] + T(1) + T(1)
	}
	return s
}

func TestTyped(t *testing.T) {
	roundTrip(t, "|i1", sequence[int8](100))
	roundTrip(t, "|u1", sequence[uint8](100))
	roundTrip(t, "<i2", sequence[int16](1000))
	roundTrip(t, "<u2", sequence[uint16](1000))
	roundTrip(t, "<i4", sequence[int32](1000))
	roundTrip(t, "<u4", sequence[uint32](1000))
	roundTrip(t, "<i8", sequence[int64](1000))
	roundTrip(t, "<u8", sequence[uint64](1000))
	roundTrip(t, "<f4", sequence[float32](1000))
	roundTrip(t, "<f8", sequence[float64](1000))
	roundTrip(t, "<f4", sequence[celsius](1000))
	roundTrip(t, "<c8", sequence[complex64](1000))
	roundTrip(t, "<c16", sequence[complex128](1000))
}

// Items of another type cause errors wherever the type is known.
func TestTypedMismatch(t *testing.T) {
	refused := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var buf bytes.Buffer
	w := newWriter(t, &buf)
	_, err := stream.WriteSlice(w, []float32{1, 2, 3})
	must(t, err)
	_, err = stream.WriteSlice(w, []float64{1})
	refused("float64 after float32", err)
	_, err = stream.WriteSlice(w, []int32{1})
	refused("int32 after float32", err)
	must(t, w.Close())
	r, err := stream.NewReader(&buf)
	must(t, err)
	_, err = stream.ReadSlice(r, make([]int32, 1))
	refused("reading float32 as int32", err)
	items := make([]float32, 3)
	if n, err := stream.ReadSlice(r, items); n != 3 || err != nil || items[2] != 3 {
		t.Errorf("%d, %v, %v", n, items, err)
	}
	must(t, r.Close())

	w = newWriter(t, &buf, stream.TypeSize(2))
	_, err = stream.WriteSlice(w, []float32{1})
	refused("float32 where TypeSize says 2", err)
	must(t, w.Close())
	w = newWriter(t, &buf, stream.Items[uint16]())
	_, err = stream.WriteSlice(w, []int16{1})
	refused("int16 where Items says uint16", err)
	_, err = stream.WriteSlice(w, []uint16{1})
	must(t, err)
	must(t, w.Close())

	// Without a metalayer any type is accepted.
	buf.Reset()
	w = newWriter(t, &buf, stream.TypeSize(2))
	_, err = w.Write([]byte{1, 0, 2, 0, 3})
	must(t, err)
	must(t, w.Close())
	r, err = stream.NewReader(&buf)
	must(t, err)
	short := make([]uint16, 9)
	if n, err := stream.ReadSlice(r, short); n != 2 || short[1] != 2 || err != io.ErrUnexpectedEOF {
		t.Errorf("two and a half items: %d, %v", n, err)
	}
}

func TestTypedConn(t *testing.T) {
	a, b, _, _ := talk(t, stream.Items[float64]())
	_, err := stream.WriteSlice(a, []float64{1.5, 2.5})
	must(t, err)
	got := make([]float64, 2)
	if n, err := stream.ReadSlice(b, got); n != 2 || err != nil || got[1] != 2.5 {
		t.Errorf("%d, %v, %v", n, got, err)
	}
	must(t, a.Close())
	b.Close() // may return an error, because a is closed
}
