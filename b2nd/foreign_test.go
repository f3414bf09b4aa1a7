package b2nd_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Repair treats a chunk of another size, which cannot be the array's, as lost.
func TestRepairForeignChunk(t *testing.T) {
	shape, err := (&meta.B2ND{Shape: []int64{400}, ChunkShape: []int32{40}, BlockShape: []int32{20}, Parts: 7, DType: "<i4"}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, foreign := range []int{80, 320} {
		var data, wire []byte
		p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default(), PlainZeros: true, BlockSize: 80}
		b, err := frame.NewBuilder(&header.Header{TypeSize: 4, ChunkSize: 160, Codec: p.Codec, Level: 5, Filters: p.Filters,
			Layers: []meta.Layer{{Name: meta.B2NDName, Value: shape}}}, frame.Checks(true))
		if err != nil {
			t.Fatal(err)
		}
		enc, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		must := func(b []byte, err error) []byte {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		wire = must(b.AppendHeader(nil))
		for i := range 10 {
			n := 160
			if i == 5 {
				n = foreign
			}
			one := bytes.Repeat([]byte{byte(i), 1, 2, 3}, n/4)
			c := must(enc.Encode(nil, one))
			wire = framing.AppendChunkRecord(append(wire, c...), c)
			if err := b.AddChunk(n, len(c)); err != nil {
				t.Fatal(err)
			}
			if i == 5 {
				one = make([]byte, 160)
			}
			data = append(data, one...)
		}
		wire = must(b.AppendTail(wire))
		copy(wire, must(b.AppendSealed(nil)))
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		rep, err := frame.Repair(out, bytes.NewReader(wire), int64(len(wire)))
		if err != nil {
			t.Fatal(err)
		}
		if len(rep.Lost) != 1 || rep.Lost[0].N != 5 {
			t.Errorf("%d bytes: lost %+v", foreign, rep.Lost)
		}
		info, err := out.Stat()
		if err != nil {
			t.Fatal(err)
		}
		a, err := b2nd.Open(out, info.Size())
		if err != nil {
			t.Errorf("%d bytes: %v", foreign, err)
			continue
		}
		if got, err := a.ReadAll(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: other items, or %v", foreign, err)
		}
	}
}
