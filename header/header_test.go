package header_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

func made(t *testing.T, h header.Header) []byte {
	t.Helper()
	b, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A value that does not fit a layout returns an error that names the option.
func TestAppendRefuses(t *testing.T) {
	for _, c := range []struct {
		option string
		h      header.Header
	}{
		{"typesize", header.Header{}},
		{"typesize", header.Header{TypeSize: -1}},
		{"level", header.Header{TypeSize: 1, Level: 16}},
		{"codec", header.Header{TypeSize: 1, Generation: header.Layout2019, Codec: 32}},
		{"split mode", header.Header{TypeSize: 1, Split: 5}},
		{"filters", header.Header{TypeSize: 1, Generation: header.Layout2019, Filters: filters.Default()}},
		{"offset width", header.Header{TypeSize: 1, OffsetWidth: 2}},
		{"offset width", header.Header{TypeSize: 1, OffsetWidth: 3, Generation: header.Layout2019}},
		{"frame version", header.Header{TypeSize: 1, Version: 4}},
		{"little-endian", header.Header{TypeSize: 1, LittleEndian: true}},
		{"number of metalayers", header.Header{TypeSize: 1, Layers: make([]meta.Layer, 17)}},
		{"metalayer name", header.Header{TypeSize: 1, Layers: make([]meta.Layer, 1)}},
	} {
		_, err := c.h.Append(nil)
		var oe *blosc2.OptionError
		if !errors.As(err, &oe) || oe.Option != c.option {
			t.Errorf("%+v: %v, want an error about the %s", c.h, err, c.option)
		}
	}
	if _, err := (&header.Trailer{Kind: header.TrailerUserMeta, Layers: make([]meta.Layer, 2)}).Append(nil); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
	if _, err := (&header.Trailer{Layers: make([]meta.Layer, 1)}).Append(nil); !errors.Is(err, blosc2.ErrOption) {
		t.Error(err)
	}
}

// Version 0 selects the lowest version that suffices.
func TestVersion(t *testing.T) {
	for _, c := range []struct {
		h    header.Header
		want uint8
	}{
		{header.Header{TypeSize: 1}, 2},
		{header.Header{TypeSize: 1, VariableChunks: true}, 3},
		{header.Header{TypeSize: 1, VLBlocks: true}, 3},
		{header.Header{TypeSize: 1, Version: 3}, 3},
		{header.Header{TypeSize: 1, Generation: header.LayoutBeta}, 1},
		{header.Header{TypeSize: 1, Generation: header.Layout2019}, 0},
	} {
		c.h.Layers, c.h.FrameLen = []meta.Layer{{Name: "some", Value: []byte("value")}}, 1000
		if h, err := header.Parse(made(t, c.h)); err != nil || h.Version != c.want {
			t.Errorf("%+v: %+v, want version %d: %v", c.h, h, c.want, err)
		}
	}
}

// Offsets have the widths that the document of 2019 allows.
func TestOffsetWidth(t *testing.T) {
	for width, flags := range map[int]byte{2: 0x04, 4: 0x14, 8: 0x24, 0: 0x24} {
		b := made(t, header.Header{Generation: header.Layout2019, TypeSize: 4, OffsetWidth: width, FrameLen: 64})
		h, err := header.Parse(b)
		want := width
		if width == 0 {
			want = 8
		}
		if err != nil || b[25] != flags || h.OffsetWidth != want {
			t.Errorf("width %d: flags %#02x, read as %d: %v", width, b[25], h.OffsetWidth, err)
		}
	}
	for _, c := range []struct {
		g     header.Generation
		flags byte
		width int
	}{
		{header.Layout2019, 0x34, 0}, {header.Current, 0x02, 4}, {header.Current, 0x12, 8}, {header.Current, 0x22, 0}, {header.Current, 0x32, 0},
		{header.LayoutBeta, 0x21, 8}, {header.LayoutBeta, 0x11, 8}, {header.LayoutBeta, 0x31, 0},
	} {
		b := made(t, header.Header{Generation: c.g, TypeSize: 4, FrameLen: 1000})
		b[25] = c.flags
		h, err := header.Parse(b)
		if c.width == 0 {
			if !errors.Is(err, blosc2.ErrUnsupported) {
				t.Errorf("%v, flags %#02x: %v", c.g, c.flags, err)
			}
		} else if err != nil || h.OffsetWidth != c.width {
			t.Errorf("%v, flags %#02x: %v, want width %d", c.g, c.flags, err, c.width)
		}
	}
}

// The header of a frame that is being written has three sizes of 0. A header with only
// some sizes of 0 is invalid.
func TestUnsealed(t *testing.T) {
	if h, err := header.Parse(made(t, header.Header{TypeSize: 4, ChunkSize: 1 << 20})); err != nil || h.FrameLen != 0 {
		t.Errorf("%+v: %v", h, err)
	}
	for _, h := range []header.Header{{TypeSize: 4, NBytes: 1}, {TypeSize: 4, CBytes: 1}} {
		if _, err := header.Parse(made(t, h)); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%+v: %v", h, err)
		}
	}
	old := made(t, header.Header{Generation: header.Layout2019, TypeSize: 4})
	if _, err := header.Parse(old); !errors.Is(err, blosc2.ErrCorrupt) {
		t.Errorf("a frame of 2019 without a length: %v", err)
	}
}

// Errors about old layouts name the layout.
func TestErrorsNameTheLayout(t *testing.T) {
	b := made(t, header.Header{Generation: header.Layout2019, TypeSize: 4, FrameLen: 64})
	b[51] = 0 // typesize
	if _, err := header.Parse(b); err == nil || err.Error() != "blosc2: header, offset 47: layout 2019-08: typesize 0 must be positive: corrupt data" {
		t.Error(err)
	}
}

// A section that another program encoded differently is read, and written unchanged
// until a layer changes.
func TestForeignSection(t *testing.T) {
	layers := []meta.Layer{{Name: "a", Value: []byte("first")}, {Name: "b", Value: []byte("other")}}
	b := made(t, header.Header{TypeSize: 4, Layers: layers, FrameLen: 1000})
	at := bytes.Index(b, []byte("\xa1a\xd2")) + 3
	bt := bytes.Index(b, []byte("\xa1b\xd2")) + 3
	for i := range 4 {
		b[at+i], b[bt+i] = b[bt+i], b[at+i]
	}
	b = append(b, "slack"...)
	b[14] = byte(len(b))
	h, err := header.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := h.Layer("a"); string(a) != "other" {
		t.Errorf("found %q by the order, not by the offset", a)
	}
	if out := made(t, *h); !bytes.Equal(out, b) || h.Len() != len(b) {
		t.Errorf("written as % x, read as % x", out, b)
	}
	h.Layers = meta.Set(h.Layers, "a", []byte("changed"))
	again, err := header.Parse(made(t, *h))
	if err != nil || again.Len() != len(b)-len("slack")+len("changed")-len("first") {
		t.Errorf("%+v: %v", again, err)
	}
	if a, _ := again.Layer("a"); string(a) != "changed" {
		t.Errorf("layer is %q", a)
	}
}

// Settle determines from the index whether a frame of August 2019 has a trailer.
func TestSettle(t *testing.T) {
	parse := func(g header.Generation, layers []meta.Layer, frameLen uint64) *header.Header {
		h, err := header.Parse(made(t, header.Header{Generation: g, TypeSize: 4, FrameLen: frameLen, NBytes: 100, CBytes: 100, Layers: layers}))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	layers := []meta.Layer{{Name: "a", Value: []byte("1")}}
	for _, c := range []struct {
		h    *header.Header
		end  int64
		want header.Generation
		ok   bool
	}{
		{parse(header.Layout2019, nil, 500), 500, header.Layout2019, true},
		{parse(header.Layout2019, nil, 500), 470, header.Layout2019Trailer, true},
		{parse(header.Layout2019, nil, 500), 471, 0, false},
		{parse(header.Layout2019, nil, 500), 501, 0, false},
		{parse(header.Layout2019, layers, 500), 500, header.Layout2019, true},
		{parse(header.Layout2019, layers, 500), 470, header.Layout2019Trailer, true},
		{parse(header.Layout2019Trailer, layers, 500), 470, header.Layout2019Trailer, true}, // the flag shows that there is a trailer
		{parse(header.Layout2019Trailer, layers, 500), 500, 0, false},
		{parse(header.Current, nil, 500), 7, header.Current, true},
	} {
		err := c.h.Settle(c.end)
		if !c.ok && !errors.Is(err, blosc2.ErrCorrupt) || c.ok && (err != nil || c.h.Generation != c.want) {
			t.Errorf("%v, index to %d: %v", c.h.Generation, c.end, err)
		}
	}
}

// Trailers with one invalid byte each are errors.
func TestParseTrailerRefuses(t *testing.T) {
	h := &header.Header{FrameLen: 1000}
	good, err := (&header.Trailer{Layers: []meta.Layer{{Name: "v", Value: []byte("chunk")}}}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range map[int]string{0: "parts", 1: "version", 2: "section", 3: "index", 6: "names", 9: "name", 16: "values", 19: "value", 29: "length", 34: "fingerprint"} {
		b := slices.Clone(good)
		b[i] ^= 0x40
		if _, err := h.ParseTrailer(b); !errors.Is(err, blosc2.ErrCorrupt) && !errors.Is(err, blosc2.ErrUnsupported) {
			t.Errorf("%s at %d: %v", name, i, err)
		}
		if i > 19 {
			continue
		}
		n, whole := 0, false
		for err = nil; !whole && err == nil && n <= len(b); {
			n, whole, err = h.TrailerExtent(b[:n])
		}
		if whole && n == len(b) && i != 9 {
			t.Errorf("%s at %d: taken for a trailer of %d bytes", name, i, n)
		}
	}
	for _, b := range [][]byte{nil, good[:29], good[:len(good)-1], append(slices.Clone(good), 0)} {
		if _, err := h.ParseTrailer(b); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
}

func TestNames(t *testing.T) {
	if s := header.Generation(99).String(); !strings.Contains(s, "99") {
		t.Error(s)
	}
	if header.Layout2019.HasTrailer() || !header.Current.HasTrailer() {
		t.Error("wrong about trailers")
	}
}
