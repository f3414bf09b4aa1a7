package meta_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/wire/wiretest"
	"github.com/seed03b80dae/blosc2/meta"
)

// shapeMeanings returns the meanings of the bytes of shapes with ndim dimensions.
func shapeMeanings(ndim int, names ...string) (all []string) {
	for _, name := range names {
		all = append(all, fmt.Sprintf("%s: %d dimensions", name, ndim))
		for range ndim {
			all = append(all, name)
		}
	}
	return all
}

func TestGoldenB2ND(t *testing.T) {
	shapes := shapeMeanings(2, "shape", "chunkshape", "blockshape")
	shape, chunks, blocks := []int64{5, 7}, []int32{4, 4}, []int32{2, 3}
	many := func(n int) (s []int64, c, b []int32) {
		for i := range n {
			s, c, b = append(s, int64(i+2)), append(c, 2), append(b, 1)
		}
		return s, c, b
	}
	s16, c16, b16 := many(16)
	for _, c := range []struct {
		name     string
		meanings []string
		a        meta.B2ND
	}{
		{"b2nd", slices.Concat([]string{"parts", "version", "ndim"}, shapes, []string{"format of the dtype", "dtype"}),
			meta.B2ND{Parts: 7, Shape: shape, ChunkShape: chunks, BlockShape: blocks, DType: "|u1"}},
		{"b2nd-scalar", []string{"parts", "version", "ndim", "shape", "chunkshape", "blockshape", "format of the dtype", "dtype"},
			meta.B2ND{Parts: 7, Shape: []int64{}, ChunkShape: []int32{}, BlockShape: []int32{}, DType: "|u1"}},
		{"b2nd-16d", slices.Concat([]string{"parts", "version", "ndim"}, shapeMeanings(16, "shape", "chunkshape", "blockshape"), []string{"format of the dtype", "dtype"}),
			meta.B2ND{Parts: 7, Shape: s16, ChunkShape: c16, BlockShape: b16, DType: "<f8"}},
		{"b2nd-6", slices.Concat([]string{"parts", "version", "ndim"}, shapes, []string{"dtype"}),
			meta.B2ND{Parts: 6, Shape: shape, ChunkShape: chunks, BlockShape: blocks, DType: "int32"}},
		{"b2nd-5", slices.Concat([]string{"parts", "version", "ndim"}, shapes),
			meta.B2ND{Parts: 5, Shape: shape, ChunkShape: chunks, BlockShape: blocks}},
	} {
		b, err := c.a.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		b = wiretest.Golden(t, c.name, b, binary.BigEndian, c.meanings...)
		a, err := meta.ParseB2ND(b)
		if err != nil || !reflect.DeepEqual(publicB2ND(a), publicB2ND(&c.a)) {
			t.Errorf("%s: read as %+v, want %+v: %v", c.name, a, c.a, err)
		}
	}
}

// publicB2ND returns a with its exported fields only.
func publicB2ND(a *meta.B2ND) meta.B2ND {
	return meta.B2ND{
		Parts: a.Parts, Version: a.Version, Shape: a.Shape, ChunkShape: a.ChunkShape, BlockShape: a.BlockShape,
		DTypeFormat: a.DTypeFormat, DType: a.DType,
	}
}

func TestGoldenCaterva(t *testing.T) {
	shapes := shapeMeanings(2, "shape", "chunkshape", "blockshape")
	for _, c := range []struct {
		name     string
		order    binary.ByteOrder
		meanings []string
		c        meta.Caterva
	}{
		{"caterva", binary.BigEndian, slices.Concat([]string{"parts", "version", "ndim"}, shapes),
			meta.Caterva{Shape: []int64{5, 7}, ChunkShape: []int32{4, 4}, BlockShape: []int32{2, 3}}},
		{"caterva-3", binary.BigEndian, slices.Concat([]string{"parts", "ndim"}, shapes),
			meta.Caterva{Form: meta.CatervaChunks, Shape: []int64{5, 7}, ChunkShape: []int32{4, 4}}},
		{"caterva-3-little-endian", binary.LittleEndian, slices.Concat([]string{"parts", "ndim"}, shapes),
			meta.Caterva{Form: meta.CatervaLittleEndian, Shape: []int64{5, 7}, ChunkShape: []int32{4, 4}}},
	} {
		b, err := c.c.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		b = wiretest.Golden(t, c.name, b, c.order, c.meanings...)
		if got, err := meta.ParseCaterva(b); err != nil || !reflect.DeepEqual(got, &c.c) {
			t.Errorf("%s: read as %+v, want %+v: %v", c.name, got, c.c, err)
		}
	}
}

func TestGoldenStream(t *testing.T) {
	s := *meta.NewStream(true, true)
	if !s.Holds(0, 0, 0) {
		t.Error("a new mark is not that of an unsealed frame")
	}
	s.FrameLen, s.NBytes, s.CBytes = 1000, 32000, 837
	b, err := s.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	b = wiretest.Golden(t, "b2stream", b, binary.BigEndian, "parts", "version", "flags: 1 ordered, 2 checks", "frame_len", "nbytes", "cbytes")
	if len(b) != meta.StreamLen {
		t.Errorf("%d bytes", len(b))
	}
	got, err := meta.ParseStream(b)
	if err != nil || *got != s {
		t.Errorf("read as %+v: %v", got, err)
	}
	if !got.Holds(1000, 32000, 837) || got.Holds(1001, 32000, 837) || got.Holds(1000, 32001, 837) || got.Holds(1000, 32000, 838) {
		t.Error("does not hold when it should")
	}
	got.Version = 2
	if got.Holds(1000, 32000, 837) {
		t.Error("a later version holds")
	}
}
