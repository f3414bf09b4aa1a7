package frame

import "github.com/seed03b80dae/blosc2/chunk"

// A memory holds the buffers for opening a frame, which Reset reuses.
type memory struct {
	first   []byte // the first bytes of the frame, with the header
	index   []byte // the index as it is stored
	entries []byte // the decoded index
	trailer []byte
	dec     chunk.Decoder // decoder for the index
	store   contiguous
	scratch [endMarkLen]byte
}

// memoryMax is the size in bytes of the largest buffer that is kept: enough for small
// frames, for which allocating takes a large part of the time.
const memoryMax = 4 << 10

// trim drops the buffers that are larger than memoryMax. It is called when a frame is
// open.
func (m *memory) trim() {
	for _, b := range []*[]byte{&m.index, &m.entries, &m.trailer} {
		if cap(*b) > memoryMax {
			*b = nil
		}
	}
}
