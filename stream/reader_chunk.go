package stream

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// ChunkHeader returns the header of the stored chunk from which the last bytes were
// decoded. It is valid until the next read. Without such a chunk the error is
// blosc2.ErrOption.
func (r *Reader) ChunkHeader() (chunk.Header, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &r.dec.single
	if r.dec.pool != nil {
		p = nil
		if r.dec.job != nil {
			p = &r.dec.job.Value
		}
	}
	if r.err != nil || p == nil || len(p.item.Chunk) == 0 {
		return chunk.Header{}, &blosc2.OptionError{Option: "chunk", Value: "none", Range: "read before its header is requested"}
	}
	return chunk.ParseHeader(p.item.Chunk)
}
