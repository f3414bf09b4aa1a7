package arrow_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/arrow"
	"github.com/seed03b80dae/blosc2/b2nd"
)

// An Arrow array survives a round trip through a Blosc2 array, and so does a slice of
// an Arrow array.
func TestArray(t *testing.T) {
	b := array.NewFloat32Builder(memory.DefaultAllocator)
	defer b.Release()
	for i := range 100000 {
		b.Append(float32(i) / 4)
	}
	whole := b.NewFloat32Array()
	defer whole.Release()
	part := array.NewSlice(whole, 10, 5000).(*array.Float32)
	defer part.Release()
	for _, want := range []*array.Float32{whole, part} {
		var buf bytes.Buffer
		if err := arrow.WriteArray(&buf, want); err != nil {
			t.Fatal(err)
		}
		a, err := b2nd.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := arrow.FromArray(a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !array.Equal(want, got) {
			t.Error("other values")
		}
		got.Release()
		some, err := arrow.FromArray(a, b2nd.Window{{Start: 100, Stop: 200, Step: 10}})
		if err != nil {
			t.Fatal(err)
		}
		if f := some.(*array.Float32); f.Len() != 10 || f.Value(3) != want.Value(130) {
			t.Error(f)
		}
		some.Release()
	}
	b.AppendNull()
	nulls := b.NewFloat32Array()
	defer nulls.Release()
	if err := arrow.WriteArray(new(bytes.Buffer), nulls); !errors.Is(err, blosc2.ErrUnsupported) {
		t.Error(err)
	}
}
