package frame

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A heldChunk is a chunk that was read as a whole. s holds its stored bytes.
type heldChunk struct {
	f *Reader
	s *state
	n int64
}

// holdChunk reads chunk n and compares it with its digest.
func (f *Reader) holdChunk(n int64) (framing.HeldChunk, error) {
	s := f.state()
	it, err := f.verified(s, n)
	if err != nil {
		f.states.Put(s)
		return nil, err
	}
	s.stored = it.Chunk
	return &heldChunk{f, s, n}, nil
}

// ReadBlocks implements framing.HeldChunk.
func (h *heldChunk) ReadBlocks(blocks []int, each func(block int, data []byte) error) error {
	s := h.f.state()
	defer h.f.states.Put(s)
	s.start, s.end = 0, 0
	head := s.head
	s.head = h.s.stored
	defer func() { s.head = head }()
	l, err := chunk.ParseLayout(s.head)
	if err != nil {
		return blosc2.At(h.f.changedOr(err), h.n, h.f.offset(h.n))
	}
	return h.f.readBlocks(s, l, h.n, blocks, each)
}

// Release implements framing.HeldChunk.
func (h *heldChunk) Release() { h.f.states.Put(h.s) }
