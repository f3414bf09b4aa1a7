package frame

import "github.com/seed03b80dae/blosc2"

// zerosEntry is the index entry of a chunk of zeros that has no bytes.
const zerosEntry = -1<<63 | 1<<56

// Chunk appends the decoded bytes of chunk n, including all changes so far, to
// dst.
func (e *Editor) Chunk(dst []byte, n int64) ([]byte, error) {
	if e.err != nil {
		return dst, e.err
	}
	if n < 0 || n >= int64(len(e.sizes)) {
		return dst, &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	view := e.view()
	return view.Chunk(dst, n)
}

// view returns a Reader of the frame with all changes so far.
func (e *Editor) view() *Reader {
	now := *e.b
	view := &Reader{src: e.file, size: e.b.pos, cfg: e.f.cfg, h: &now.h, raw: e.f.raw, index: now.offsets, end: e.f.end,
		mark: marking{order: Unsealed}, chunks: contiguous{e.file, e.b.headerLen, e.b.pos}}
	view.setStarts(e.sizes)
	return view
}

// Rearrange replaces all chunks of the frame. Chunk i becomes the current chunk old[i]
// or, if old[i] is negative, a special chunk of zeros. No chunk may be used twice, and
// unused chunks are deleted. All chunks must have the frame's chunk size.
func (e *Editor) Rearrange(old []int64) error {
	if e.err != nil {
		return e.err
	}
	size := int64(e.b.h.ChunkSize)
	if e.b.h.VariableChunks || size <= 0 || e.b.nbytes != size*int64(len(e.sizes)) {
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrUnsupported, "rearranging chunks that are not all of one size")
	}
	if len(old) > MaxChunks {
		return blosc2.Errorf(blosc2.PartIndex, blosc2.ErrTooLarge, "%d chunks; the limit of the format is %d", len(old), MaxChunks)
	}
	taken := make([]bool, len(e.sizes))
	offsets, sizes := make([]int64, len(old)), make([]int64, len(old))
	for i, n := range old {
		sizes[i] = size
		switch {
		case n < 0:
			offsets[i] = zerosEntry
		case n >= int64(len(taken)) || taken[n]:
			return &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame, and listed once"}
		default:
			offsets[i] = e.b.offsets[n]
			taken[n] = true
		}
	}
	e.disorder()
	e.b.offsets, e.sizes = offsets, sizes
	e.b.nbytes, e.b.last = size*int64(len(old)), 0
	if len(old) > 0 {
		e.b.last = size
	}
	return nil
}
