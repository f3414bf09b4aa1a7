package header

// Settle determines whether the frame has a trailer, which a header of August
// 2019 does not show. indexEnd is where the frame's index ends, counted from
// the frame's start; a frame without data has no index, and then it is h.Len().
// If the frame ends there, h becomes one of Layout2019, else of
// Layout2019Trailer; if it ends before, or has too few bytes for a trailer, the
// frame is corrupt. For all other layouts Settle does nothing.
func (h *Header) Settle(indexEnd int64) error {
	if h.Generation != Layout2019 && h.Generation != Layout2019Trailer {
		return nil
	}
	switch left := int64(h.FrameLen) - indexEnd; {
	case left == 0 && h.Generation == Layout2019:
		return nil
	case left < minTrailer:
		return corrupt(offFrameLen, "frame of %d bytes, whose index ends at %d", h.FrameLen, indexEnd)
	}
	if h.Generation == Layout2019 {
		h.Generation = Layout2019Trailer
		h.HasVLMeta = h.read.fixed.Has
	}
	return nil
}
