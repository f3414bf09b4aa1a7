package header

// Settle determines whether the frame has a trailer, which a header of August 2019
// does not show. indexEnd is the end of the frame's index, counted from the frame's
// start, or h.Len() for a frame without data, which has no index. If the frame ends
// there, h becomes a header of Layout2019, otherwise of Layout2019Trailer. If it
// ends earlier, or has too few bytes for a trailer, the frame is corrupt. For all
// other layouts Settle does nothing.
func (h *Header) Settle(indexEnd int64) error {
	if h.Generation != Layout2019 && h.Generation != Layout2019Trailer {
		return nil
	}
	switch left := int64(h.FrameLen) - indexEnd; {
	case left == 0 && h.Generation == Layout2019:
		return nil
	case left < minTrailer:
		return corrupt(offFrameLen, "frame of %d bytes has no room for a trailer after its index, which ends at %d", h.FrameLen, indexEnd)
	}
	if h.Generation == Layout2019 {
		h.Generation = Layout2019Trailer
		h.HasVLMeta = h.read.fixed.Has
	}
	return nil
}
