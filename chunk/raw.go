package chunk

import "github.com/seed03b80dae/blosc2/internal/bulk"

// A rawBlocks records blocks that were not copied to the chunk yet. A stream that the
// codec does not make shorter is copied to the chunk. If that happens to all streams, the
// chunk is stored uncompressed, and the copies were wasted. So, if block 0 does not
// become shorter, the copying of the following blocks is delayed until a block becomes
// shorter or the last one is reached.
type rawBlocks struct {
	allowed bool // block 0 may begin the delayed blocks
	begun   bool
	from    int // the first block that is not in the chunk yet
	pos     int // offset of that block in the chunk
}

// copyRaw copies the filtered blocks of src before block to that were delayed.
func (e *Encoder) copyRaw(c, src []byte, to int) error {
	if !e.raw.begun {
		return nil
	}
	e.raw.begun = false
	pos := e.raw.pos
	for i := e.raw.from; i < to; i++ {
		block := e.block(src, i)
		filtered, err := e.filter(block, src[:e.header.BlockSize], i)
		if err != nil {
			return err
		}
		for size := len(block) / e.numStreams(block); len(filtered) > 0; filtered = filtered[size:] {
			pos += 4 // the length is already there
			pos += bulk.Copy(c[pos:], filtered[:size])
		}
	}
	return nil
}
