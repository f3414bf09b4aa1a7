package frame

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/seed03b80dae/blosc2/chunk"
)

// isIndex reports whether the found chunk is not data but the index of the previous
// chunks. C-Blosc2 stores the index as a chunk where the next chunk would be, so that
// guessing would treat it as data.
func (r *repairer) isIndex(c found) bool {
	n := c.nbytes / 8
	if !r.o.guess || c.nbytes%8 != 0 || n == 0 || n > 2*int64(len(r.found))+1000 {
		return false
	}
	g := &r.guess
	it, err := r.read(g.in, c)
	if err != nil || it.Checked {
		return false
	}
	g.in = it.Chunk[:0]
	g.dec.MaxBytes = int(r.o.limits.Index)
	if g.out, err = g.dec.Decode(g.out[:0], it.Chunk); err != nil {
		return false
	}
	named := false
	for b := g.out; len(b) > 0; b = b[8:] {
		at := int64(binary.LittleEndian.Uint64(b))
		if at < 0 {
			continue // this chunk is only an entry
		}
		if _, named = slices.BinarySearchFunc(r.found, at+int64(len(r.raw)), func(f found, at int64) int { return cmp.Compare(f.at, at) }); !named {
			return false
		}
	}
	return named
}

// A guessing holds the state of isIndex between chunks.
type guessing struct {
	dec     chunk.Decoder
	in, out []byte
}
