package chunk

// A stream that the codec does not make shorter is copied to the chunk. If that is so
// for all streams, the chunk is stored instead, and the copies were in vain. So if the
// first block becomes no shorter, those after it are only copied once one of them does,
// or the chunk is complete nevertheless.
type rawBlocks struct {
	allowed bool // for block 0 to be the first of them
	begun   bool
	from    int // the first block that is not in the chunk
	pos     int // its position there
}

// copyRaw copies the filtered blocks of src before block to that are not in c yet.
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
			pos += 4 // the length is there
			pos += copy(c[pos:], filtered[:size])
		}
	}
	return nil
}
