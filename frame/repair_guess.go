package frame

import (
	"encoding/binary"

	"github.com/seed03b80dae/blosc2/chunk"
)

// isIndex tells whether what was found is no chunk of data but the index of
// those before it. C-Blosc2 makes a chunk of it, which stands where the next one
// could, and which guessing would take for data.
func (r *repairer) isIndex(c found) bool {
	n := c.nbytes / 8
	if !r.o.Guess || c.nbytes%8 != 0 || n == 0 || n > 2*int64(len(r.found))+1000 {
		return false
	}
	it, err := r.read(nil, c)
	if err != nil || it.Checked {
		return false
	}
	d := chunk.Decoder{MaxBytes: int(r.o.Limits.Index)}
	b, err := d.Decode(nil, it.Chunk)
	if err != nil {
		return false
	}
	places := make(map[int64]bool, len(r.found))
	for _, f := range r.found {
		places[f.at-int64(len(r.raw))] = true
	}
	named := false
	for ; len(b) > 0; b = b[8:] {
		switch at := int64(binary.LittleEndian.Uint64(b)); {
		case at < 0: // a chunk that is an entry alone
		case !places[at]:
			return false
		default:
			named = true
		}
	}
	return named
}
