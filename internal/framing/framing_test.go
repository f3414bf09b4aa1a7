package framing

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A record has the layout of docs/format/stream.md.
func TestChunkRecord(t *testing.T) {
	c := bytes.Repeat([]byte{7}, 1<<16+5)
	got := AppendChunkRecord([]byte("x"), c)
	want := append([]byte("xB2CK\x00\x01\x05\x00"), binary.LittleEndian.AppendUint64(nil, Digest(c))...)
	if !bytes.Equal(got, want) || len(got) != 1+RecordLen {
		t.Errorf("% x, want % x", got, want)
	}
}

// Only an empty file, or one that ends within the header of an unsealed frame, is
// unborn.
func TestUnborn(t *testing.T) {
	h := header.Header{TypeSize: 4, ChunkSize: 1000, OffsetWidth: 8}
	unsealed, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	h.FrameLen = 1000
	sealed, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	record := AppendRecord(nil, 1, 0, Digest(unsealed))
	for what, c := range map[string]struct {
		b    []byte
		want bool
	}{
		"empty":              {nil, true},
		"a byte of magic":    {unsealed[:1], true},
		"half a header":      {unsealed[:len(unsealed)/2], true},
		"a header":           {unsealed, true},
		"with its record":    {append(bytes.Clone(unsealed), record...), true},
		"with data":          {append(append(bytes.Clone(unsealed), record...), 5), false},
		"a sealed header":    {sealed, false},
		"something else":     {[]byte("something else, long enough to be a header"), false},
		"another first byte": {[]byte("x"), false},
	} {
		if got, err := Unborn(bytes.NewReader(c.b), int64(len(c.b))); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", what, got, err)
		}
	}
}

// A decoder has the settings of the header, and always a limit.
func TestSetUp(t *testing.T) {
	array := meta.B2ND{Shape: []int64{6, 6}, ChunkShape: []int32{6, 6}, BlockShape: []int32{2, 3}}
	value, err := array.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	h := header.Header{TypeSize: 8, Layers: []meta.Layer{{Name: meta.B2NDName, Value: value}}, Generation: header.Layout2019}
	for limit, want := range map[int64]int{0: 0, -1: 0, 5: 5, 1 << 40: chunk.MaxBytes} {
		var d chunk.Decoder
		SetUp(&d, &h, limit)
		if d.MaxBytes != want || d.TypeSize != 8 || len(d.BlockShape) != 2 || d.BlockShape[1] != 3 || d.Age != chunk.AgeOld {
			t.Errorf("limit %d: %+v", limit, d)
		}
	}
}
