package chunk

import "github.com/seed03b80dae/blosc2/codecs"

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

// trainBlocks makes the dictionary for the chunk of src, from samples of the streams of
// its filtered blocks. It makes none if src is too short.
func (e *Encoder) trainBlocks(src []byte) error {
	h := &e.header
	if len(src)/dictShare < minDict {
		return nil
	}
	e.samples = e.samples[:0]
	for i := range numBlocks(len(src), h.BlockSize) {
		block := e.block(src, i)
		filtered, err := e.filter(block, src[:h.BlockSize], i)
		if err != nil {
			return err
		}
		size := len(filtered) / e.numStreams(block)
		for ; len(filtered) > 0; filtered = filtered[size:] {
			e.sample(filtered[:size])
		}
	}
	e.train(len(src))
	return nil
}

// trainVL is like trainBlocks, for blocks of variable length.
func (e *Encoder) trainVL(blocks [][]byte) error {
	if e.header.NBytes/dictShare < minDict {
		return nil
	}
	e.samples = e.samples[:0]
	for i, b := range blocks {
		filtered, err := e.filter(b, nil, i)
		if err != nil {
			return err
		}
		e.sample(filtered)
	}
	e.train(e.header.NBytes)
	return nil
}

func (e *Encoder) sample(stream []byte) {
	for off := 0; off < len(stream); off += sampleEvery {
		e.samples = append(e.samples, stream[off:min(off+sampleLen, len(stream))]...)
	}
}

// train makes the dictionary of a chunk of n bytes from the samples. It returns nil
// if they have too little in common.
func (e *Encoder) train(n int) {
	e.dict = codecs.TrainZstd([][]byte{e.samples}, min(n/dictShare, MaxDict))
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
