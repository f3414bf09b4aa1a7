package frame

import "github.com/seed03b80dae/blosc2/chunk"

// memory is what a Reader needs to open a frame, and Reset uses again.
type memory struct {
	first   []byte // the first bytes of the frame, of which the header is a part
	index   []byte // the index as it is stored,
	entries []byte // and decoded
	trailer []byte
	dec     chunk.Decoder // of the index
	store   contiguous
	scratch [endMarkLen]byte
}

// memoryMax is the size from which on memory is not kept.
const memoryMax = 4 << 10

// trim lets large memory go after a frame is open.
func (m *memory) trim() {
	for _, b := range []*[]byte{&m.index, &m.entries, &m.trailer} {
		if cap(*b) > memoryMax {
			*b = nil
		}
	}
}
