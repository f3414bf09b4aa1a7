package frame

import (
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// SetUp prepares a decoder for the chunks of a frame: its limit, the frame's
// typesize, the shape of a block where the frame holds an array, and when it was
// written.
func SetUp(d *chunk.Decoder, h *header.Header, l Limits) {
	d.MaxBytes = int(l.orDefault().Chunk)
	d.TypeSize = int(h.TypeSize)
	d.BlockShape = blockShape(h)
	d.Age = ageOf(h.Generation)
}

// ageOf derives from the frame's layout when its chunks were written: that of the
// betas was in use on both sides of the day in question.
func ageOf(g header.Generation) chunk.Age {
	switch g {
	case header.Layout2019, header.Layout2019Trailer, header.LayoutPipeline:
		return chunk.AgeOld
	case header.LayoutBeta:
		return chunk.AgeUnknown
	}
	return chunk.AgeNew
}

// blockShape returns the shape of a block in items where the frame holds an
// array, else nil. Some filters and codecs need it.
func blockShape(h *header.Header) []int32 {
	if b, ok := h.Layer(meta.B2NDName); ok {
		if a, err := meta.ParseB2ND(b); err == nil {
			return a.BlockShape
		}
	}
	if b, ok := h.Layer("caterva"); ok {
		if c, err := meta.ParseCaterva(b); err == nil {
			if a, _ := c.B2ND(int(h.TypeSize), int(h.BlockSize)); a != nil {
				return a.BlockShape
			}
		}
	}
	return nil
}
