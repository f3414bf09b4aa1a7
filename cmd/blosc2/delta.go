package main

import (
	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// warnDelta notes, once, that C-Blosc2 will misread parts of the output name. In
// chunks filtered with delta it decodes only block 0 correctly, unless it reads
// whole chunks with one thread.
func (j *compression) warnDelta(e *env, name string) {
	switch {
	case j.cmd.warned || !j.enc.filters.Has(blosc2.FilterDelta):
		return
	case j.enc.level == 0: // the chunks are stored uncompressed
		return
	case j.cmd.Layout != layoutCurrent: // C-Blosc2 does not read this layout at all
		return
	case j.blocks() < 2:
		return
	}
	j.cmd.warned = true
	e.note("%s: C-Blosc2 reads parts of data filtered with delta wrongly, without an error: ranges, slices, and whole chunks with several threads", name)
}

// blocks returns the number of blocks in the largest chunk of the output.
func (j *compression) blocks() int {
	if j.array != nil {
		n, err := j.array.BlocksPerChunk()
		if err != nil {
			return 0
		}
		return n
	}
	n := j.done.Bytes
	if !j.cmd.ChunkOnly {
		n = min(n, int64(j.cmd.Chunk))
	}
	p := j.pick.Params
	if j.pick.Ratio == 0 {
		var err error
		if p, err = j.enc.params(nil); err != nil {
			return 0
		}
	}
	return p.NumBlocks(int(min(n, chunk.MaxBytes)))
}
