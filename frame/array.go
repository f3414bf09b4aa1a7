package frame

import (
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// BlockShape gives the shape of a block in items where the frame holds an array
// (metalayer b2nd or caterva), else nil. Some filters and codecs need it.
func BlockShape(h *header.Header) []int32 {
	if b, ok := h.Layer("b2nd"); ok {
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
