package meta_test

import (
	"bytes"
	"errors"
	"math"
	"path"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/meta"
)

func TestValidate(t *testing.T) {
	type shapes struct {
		s        []int64
		c, b     []int32
		typesize int
	}
	for _, v := range []shapes{
		{nil, nil, nil, 1},
		{[]int64{5, 7}, []int32{4, 4}, []int32{2, 3}, 8},
		{[]int64{5}, []int32{7}, []int32{9}, 8}, // C-Blosc2 accepts a chunk above the shape and a block above the chunk
		{[]int64{0, 7}, []int32{0, 4}, []int32{0, 4}, 8},
		{[]int64{0}, []int32{5}, []int32{5}, 8},
		{[]int64{1 << 40}, []int32{1 << 20}, []int32{1 << 10}, 8},
		{[]int64{math.MaxInt32}, []int32{536866816}, []int32{536866816}, 1},
		{[]int64{math.MaxInt64 / 2}, []int32{1}, []int32{1}, 1},
	} {
		a := meta.B2ND{Shape: v.s, ChunkShape: v.c, BlockShape: v.b}
		if err := a.Validate(v.typesize); err != nil {
			t.Errorf("%+v: %v", v, err)
		}
	}
	for _, v := range []shapes{
		{[]int64{5}, []int32{4, 4}, []int32{2}, 8},
		{[]int64{5}, []int32{4}, nil, 8},
		{[]int64{5}, []int32{4}, []int32{2}, 0},
		{[]int64{-1}, []int32{4}, []int32{2}, 8},
		{[]int64{5}, []int32{-4}, []int32{2}, 8},
		{[]int64{5}, []int32{4}, []int32{-2}, 8},
		{[]int64{5}, []int32{0}, []int32{2}, 8},
		{[]int64{5}, []int32{4}, []int32{0}, 8},
		{[]int64{5, 5}, []int32{1 << 16, 1 << 15}, []int32{1, 1}, 1},
		{[]int64{5}, []int32{math.MaxInt32}, []int32{1}, 1},
		{[]int64{5}, []int32{math.MaxInt32 - 32}, []int32{2}, 1},
		{[]int64{5}, []int32{1 << 20}, []int32{1}, 1 << 12},
		{[]int64{5}, []int32{536866817}, []int32{536866817}, 1},
		{[]int64{math.MaxInt64}, []int32{1}, []int32{1}, 2},
		{[]int64{1 << 32, 1 << 32}, []int32{1, 1}, []int32{1, 1}, 1},
		{[]int64{math.MaxInt64 - 1}, []int32{1 << 20}, []int32{1 << 20}, 1}, // whole chunks exceed an int64
		{make([]int64, 17), make([]int32, 17), make([]int32, 17), 1},
	} {
		a := meta.B2ND{Shape: v.s, ChunkShape: v.c, BlockShape: v.b}
		if err := a.Validate(v.typesize); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%+v: %v", v, err)
		}
	}
}

// A shorter descriptor that was written over a longer one leaves bytes after it. These
// bytes are kept, and so is a wrong number of parts.
func TestB2NDKeepsWhatItRead(t *testing.T) {
	a := &meta.B2ND{Shape: []int64{9}, ChunkShape: []int32{3}, BlockShape: []int32{3}, DType: "<f8"}
	b, err := a.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	b[0] = 0x96
	b = append(b, "rest"...)
	if a, err = meta.ParseB2ND(b); err != nil || a.Parts != 7 {
		t.Fatalf("%+v: %v", a, err)
	}
	a.Shape[0] = 12
	out, err := a.Append(nil)
	b[12] = 12 // the last byte of the array's only dimension
	if err != nil || !bytes.Equal(out, b) {
		t.Errorf("written as % x, want % x: %v", out, b, err)
	}
}

func TestParseRefuses(t *testing.T) {
	shapes := "\x91\xd3\x00\x00\x00\x00\x00\x00\x00\x09\x91\xd2\x00\x00\x00\x03\x91\xd2\x00\x00\x00\x03"
	two := "\x92\xd2\x00\x00\x00\x03\xd2\x00\x00\x00\x03"
	for _, c := range []struct {
		name, wire string
		offset     int64
		err        error
	}{
		{"b2nd", "", 0, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x00", 2, blosc2.ErrCorrupt},
		{"b2nd", "\x98\x00\x01" + shapes + "\x00\xdb\x00\x00\x00\x00", 0, blosc2.ErrCorrupt},
		{"b2nd", "\x93\x01" + shapes[:16], 0, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x01\x01" + shapes + "\x00\xdb\x00\x00\x00\x00", 1, blosc2.ErrUnsupported},
		{"b2nd", "\x97\x00\x01" + shapes[:16] + two + "\x00\xdb\x00\x00\x00\x00", 2, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x00\x01" + shapes + "\x00\xda\x00\x00", 26, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x00\x01" + shapes + "\x80\xdb\x00\x00\x00\x00", 25, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x00\x01" + shapes + "\x00\xdb\xff\xff\xff\xff", 26, blosc2.ErrCorrupt},
		{"b2nd", "\x97\x00\x11\xa1", 3, blosc2.ErrCorrupt},
		{"caterva", "", 0, blosc2.ErrCorrupt},
		{"caterva", "\x93\x02" + shapes[:16], 1, blosc2.ErrCorrupt},
		{"caterva", "\x93\x01" + shapes[:16] + "\x00", 18, blosc2.ErrCorrupt},
		{"caterva", "\x93\x01\x91\xcf\x09", 3, blosc2.ErrCorrupt},
		{"caterva", "\x94\x01" + shapes[:16], 0, blosc2.ErrCorrupt},
		{"b2stream", "\x95\x01\x03\xcf", 3, blosc2.ErrCorrupt},
		{"b2stream", "\x94\x01\x03\xcf", 0, blosc2.ErrCorrupt},
		{"b2stream", "\x95\x01\x03\xcf\x00\x00\x00\x00\x00\x00\x00\x00\xd3\x00\x00\x00\x00\x00\x00\x00\x00\xd3\x00\x00\x00\x00\x00\x00\x00\x00\x00", 30, blosc2.ErrCorrupt},
	} {
		var err error
		switch b := []byte(c.wire); c.name {
		case meta.B2NDName:
			_, err = meta.ParseB2ND(b)
		case meta.CatervaName:
			_, err = meta.ParseCaterva(b)
		case meta.StreamName:
			_, err = meta.ParseStream(b)
		}
		var fe *blosc2.FormatError
		if !errors.As(err, &fe) || fe.Part != blosc2.PartMeta || fe.Offset != c.offset || !errors.Is(err, c.err) {
			t.Errorf("%s % x: %v; want %v at %d", c.name, c.wire, err, c.err, c.offset)
		}
	}
}

func TestB2NDRefusesToWrite(t *testing.T) {
	for _, a := range []meta.B2ND{
		{Shape: []int64{1}},
		{Shape: make([]int64, 17), ChunkShape: make([]int32, 17), BlockShape: make([]int32, 17)},
		{Parts: 4},
	} {
		if _, err := a.Append(nil); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

// An invalid array of the corpus is rejected, either when its descriptor is parsed or
// when that is compared with the frame.
func TestCorpusRejectedArrays(t *testing.T) {
	refused := 0
	for _, e := range b2test.Corpus(t) {
		name := path.Base(e.Path)
		if e.Reject == "" || !strings.HasPrefix(name, "b2nd-") || name == "b2nd-shape-more.b2nd" || name == "b2nd-no-metalayer.b2nd" {
			continue // these two have a descriptor that is valid by itself, or none
		}
		h, err := header.Parse(e.Bytes(t))
		if err != nil {
			t.Fatal(err)
		}
		b, ok := h.Layer(meta.B2NDName)
		if !ok {
			t.Fatalf("%s: no b2nd", e.Path)
		}
		a, err := meta.ParseB2ND(b)
		if err == nil {
			err = a.Validate(int(h.TypeSize))
		}
		var fe *blosc2.FormatError
		if errors.As(err, &fe) && fe.Part == blosc2.PartMeta && errors.Is(err, blosc2.ErrCorrupt) {
			refused++
		} else if err != nil || a.ChunkBytes(int(h.TypeSize)) == int(h.ChunkSize) {
			t.Errorf("%s: %v; %s", e.Path, err, e.Reject)
		}
	}
	if refused < 11 {
		t.Errorf("%d arrays refused", refused)
	}
}
