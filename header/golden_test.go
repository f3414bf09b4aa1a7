package header_test

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/wire/wiretest"
	"github.com/seed03b80dae/blosc2/meta"
)

var (
	beforeSizes = []string{"parts", "magic", "header_len", "frame_len",
		"flags: general, type, codec and level, split", "nbytes", "cbytes", "typesize"}
	layersParts = []string{"section: 3 parts", "length of the index", "number of names", "name", "offset of its value",
		"number of values", "value"}
)

func meanings(parts ...any) (all []string) {
	for _, p := range parts {
		if s, ok := p.(string); ok {
			all = append(all, s)
		} else {
			all = append(all, p.([]string)...)
		}
	}
	return all
}

// Each layout is written as the golden bytes, and read back.
func TestGoldenHeaders(t *testing.T) {
	layers := []meta.Layer{{Name: "codecs", Value: []byte{0x93, 1, 2, 3}}}
	oldest := meanings(beforeSizes, "chunksize", "tcomp", "tdecomp")
	beta := meanings(oldest, "has user metadata", "pipeline: 8 filters, 8 metas", layersParts)
	current := meanings(beforeSizes, "blocksize", "chunksize", "tcomp", "tdecomp", "has vlmetalayers",
		"pipeline: 6 filters, codec, its meta, 6 metas, flags", layersParts)
	packed := filters.Pipeline{
		IDs:   [filters.Slots]blosc2.FilterID{blosc2.FilterTruncPrec, blosc2.FilterShuffle},
		Metas: [filters.Slots]uint8{12},
	}
	base := header.Header{
		FrameLen: 1000, NBytes: 32000, CBytes: 837, TypeSize: 8, ChunkSize: 16000,
		Codec: blosc2.CodecZstd, Level: 5, TComp: 1, TDecomp: 1,
	}
	of := func(change func(h *header.Header)) *header.Header {
		h := base
		change(&h)
		return &h
	}
	for _, c := range []struct {
		name     string
		meanings []string
		h        *header.Header
	}{
		{"header-2019", meanings(oldest, "has metalayers"), of(func(h *header.Header) {
			h.Generation, h.OffsetWidth = header.Layout2019, 8
		})},
		{"header-2019-metalayer-offsets16", meanings(oldest, "has metalayers", layersParts), of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Layers = header.Layout2019, 2, layers
		})},
		{"header-2019-trailer", meanings(oldest, "has user metadata", layersParts), of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Layers = header.Layout2019Trailer, 8, layers
		})},
		{"header-2019-pipeline", beta, of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Filters = header.LayoutPipeline, 8, packed
		})},
		{"header-beta", beta, of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Version, h.Filters, h.Layers = header.LayoutBeta, 8, 1, packed, layers
		})},
		{"header-beta-little-endian", beta, of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Version, h.Filters, h.Layers = header.LayoutBeta, 8, 2, packed, layers
			h.LittleEndian = true
		})},
		{"header-2021", current, of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Version, h.BlockSize = header.Layout2021, 8, 2, 16000
			h.Split, h.Filters = blosc2.SplitAlways, filters.Default()
		})},
		{"header-rc", current, of(func(h *header.Header) {
			h.Generation, h.OffsetWidth, h.Version, h.BlockSize = header.LayoutRC, 8, 2, 16000
			h.Split, h.Filters = blosc2.SplitAlways, filters.Default()
		})},
		{"header-current", current, of(func(h *header.Header) {
			h.OffsetWidth, h.Version, h.BlockSize = 8, 2, 16000
			h.Split, h.Filters, h.Layers, h.HasVLMeta = blosc2.SplitForward, filters.Default(), layers, true
		})},
		{"header-current-variable", current, of(func(h *header.Header) {
			h.OffsetWidth, h.Version, h.ChunkSize, h.VariableChunks, h.VLBlocks = 8, 3, 0, true, true
			h.Split, h.Codec, h.CodecMeta, h.Dict = blosc2.SplitForward, blosc2.CodecZFPRate, 37, true
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.h.Append([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			order := binary.ByteOrder(binary.BigEndian)
			if c.h.LittleEndian {
				order = binary.LittleEndian
			}
			want := wiretest.Golden(t, c.name, b[len("before"):], order, c.meanings...)
			h, err := header.Parse(want)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(fields(h), fields(c.h)) {
				t.Errorf("read as\n%+v, want\n%+v", fields(h), fields(c.h))
			}
			if h.Len() != len(want) {
				t.Errorf("length %d, want %d", h.Len(), len(want))
			}
			if again, err := h.Append(nil); err != nil || !bytes.Equal(again, want) {
				t.Errorf("written again as % x: %v", again, err)
			}
		})
	}
}

// fields are the exported fields of a header.
func fields(h *header.Header) (all []any) {
	for i, v := 0, reflect.ValueOf(h).Elem(); i < v.NumField(); i++ {
		switch f := v.Type().Field(i); {
		case !f.IsExported():
		case f.Name == "Layers" && v.Field(i).Len() == 0:
		default:
			all = append(all, v.Field(i).Interface())
		}
	}
	return all
}

func TestGoldenTrailers(t *testing.T) {
	end := []string{"trailer_len", "fingerprint: type and 16 bytes"}
	value := meta.Layer{Value: []byte("a chunk")}
	vlmeta := []meta.Layer{{Name: "v", Value: []byte("a chunk")}, {Name: "", Value: nil}}[:1]
	for _, c := range []struct {
		name     string
		meanings []string
		h        header.Header
		tr       header.Trailer
	}{
		{"trailer-empty", meanings("parts", "version", layersParts[:3], layersParts[5], end), header.Header{}, header.Trailer{}},
		{"trailer-vlmetalayer", meanings("parts", "version", layersParts, end), header.Header{}, header.Trailer{Layers: vlmeta}},
		{"trailer-usermeta", meanings("parts", "version", "user metadata", end), header.Header{Generation: header.LayoutBeta},
			header.Trailer{Kind: header.TrailerUserMeta, Layers: []meta.Layer{value}}},
		{"trailer-usermeta-little-endian", meanings("parts", "version", "user metadata", end),
			header.Header{Generation: header.LayoutBeta, LittleEndian: true},
			header.Trailer{Kind: header.TrailerUserMeta, LittleEndian: true, Layers: []meta.Layer{value}}},
		{"trailer-2019", meanings("not 94", "version", "user metadata", end), header.Header{Generation: header.Layout2019Trailer},
			header.Trailer{Kind: header.Trailer2019}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.tr.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			order := binary.ByteOrder(binary.BigEndian)
			if c.tr.LittleEndian {
				order = binary.LittleEndian
			}
			want := wiretest.Golden(t, c.name, b, order, c.meanings...)
			if c.tr.Len() != len(want) {
				t.Errorf("length %d, want %d", c.tr.Len(), len(want))
			}
			tr, err := c.h.ParseTrailer(want)
			if err != nil {
				t.Fatal(err)
			}
			if len(tr.Layers) == 0 {
				tr.Layers = nil
			}
			if !reflect.DeepEqual(tr, &c.tr) {
				t.Errorf("read as %+v, want %+v", tr, c.tr)
			}
		})
	}
}

// C-Blosc2 writes these bytes, header and trailer, for the frame of an empty super-chunk.
func TestEmptyFrame(t *testing.T) {
	h := header.Header{FrameLen: 132, TypeSize: 8, ChunkSize: -1, Level: 5, TComp: 1, TDecomp: 1, Filters: filters.Default()}
	got, err := h.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = (&header.Trailer{}).Append(got); err != nil {
		t.Fatal(err)
	}
	order := binary.BigEndian
	wiretest.Golden(t, "empty-frame", got, order, meanings(beforeSizes, "blocksize", "chunksize", "tcomp", "tdecomp",
		"has vlmetalayers", "pipeline: 6 filters, codec, its meta, 6 metas, flags", layersParts[:3], layersParts[5],
		"trailer: parts", "version", layersParts[:3], layersParts[5], "trailer_len", "fingerprint: type and 16 bytes")...)
}
