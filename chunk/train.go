package chunk

import (
	"iter"

	"github.com/seed03b80dae/blosc2/codecs"
)

// These constants determine how a dictionary is made. The first three are C-Blosc2's
// (docs/format/chunk.md §7). The samples are our choice, an eighth of the data: see
// BenchmarkSizesDict in package codecs.
const (
	dictShare     = 20   // a dictionary has at most one byte for this many bytes of the chunk
	minDict       = 256  // least size of a dictionary; a shorter one saves too little
	minDictBlocks = 8    // least number of blocks, if they are of variable length
	sampleLen     = 512  // bytes of a sample
	sampleEvery   = 4096 // bytes of data for each sample
)

// train makes the dictionary for a chunk of n bytes, from samples of the streams of its
// filtered blocks. It makes none if the chunk is too short or the samples have too little
// in common. first begins with block 0.
func (e *Encoder) train(n int, first []byte, blocks iter.Seq[[]byte]) error {
	if n/dictShare < minDict {
		return nil
	}
	e.samples = e.samples[:0]
	i := 0
	for block := range blocks {
		filtered, err := e.filter(block, first, i)
		if err != nil {
			return err
		}
		size := len(filtered) / e.numStreams(block)
		for ; len(filtered) > 0; filtered = filtered[size:] {
			e.sample(filtered[:size])
		}
		i++
	}
	e.dict = codecs.TrainZstd([][]byte{e.samples}, min(n/dictShare, MaxDict))
	return nil
}

func (e *Encoder) sample(stream []byte) {
	for off := 0; off < len(stream); off += sampleEvery {
		e.samples = append(e.samples, stream[off:min(off+sampleLen, len(stream))]...)
	}
}

// putDict writes the dictionary to c, if there is one, and returns the number of bytes
// written.
func (e *Encoder) putDict(c []byte, pos int) int {
	if len(e.dict) == 0 || len(c)-pos < 4+len(e.dict) {
		e.dict = nil
		return 0
	}
	e.header.Flags2 |= flagDict
	e.header.put(c)
	putI32(c[pos:], len(e.dict))
	return 4 + copy(c[pos+4:], e.dict)
}
