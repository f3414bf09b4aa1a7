package header_test

import (
	"fmt"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A new header is written, and read back.
func Example() {
	h := header.Header{
		TypeSize: 4, ChunkSize: 1 << 20, Codec: blosc2.CodecZstd, Level: 5, Filters: filters.Default(),
		Layers: []meta.Layer{{Name: "unit", Value: []byte("\xa1V")}},
	}
	b, err := h.Append(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, _ := header.Size(b[:header.MinPrefix])
	read, err := header.Parse(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	unit, _ := read.Layer("unit")
	fmt.Println(n, read.Generation, read.Version, read.Codec, read.Filters, meta.Text(unit))
	// Output: 114 current 2 zstd shuffle "V"
}

// The header is in the layout of August 2019, for 10,000 bytes in chunks of 4,000, as the
// specification of that month describes it.
func ExampleParse_oldest() {
	b := []byte("\x9b\xa8b2frame\x00\xd2\x00\x00\x00\x40\xcf\x00\x00\x00\x00\x00\x00\x02\x2a\xa4\x24\x00\x51\x00" +
		"\xd3\x00\x00\x00\x00\x00\x00\x27\x10\xd3\x00\x00\x00\x00\x00\x00\x01\xb2" +
		"\xd2\x00\x00\x00\x04\xd2\x00\x00\x0f\xa0\xd1\x00\x01\xd1\x00\x00\xc2")
	h, err := header.Parse(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(h.Generation, h.FrameLen, h.NBytes, h.ChunkSize, h.Codec, h.Level, 8*h.OffsetWidth, h.Generation.HasTrailer())
	// Output: 2019-08 554 10000 4000 lz4 5 64 false
}
