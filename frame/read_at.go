package frame

import (
	"errors"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A state holds the buffers of one goroutine that reads chunks. States are kept in
// the reader's pool.
type state struct {
	dec    chunk.Decoder
	stored []byte // a chunk as it is stored
	head   []byte // the beginning of a stored chunk
	packed []byte // some stored blocks of a chunk
	ref    []byte // block 0, for the delta filter

	block      []byte // the last block that was decoded
	start, end int64  // the range of the frame's decoded bytes in block; 0 and 0 if unknown
}

func (f *Reader) state() *state {
	if s, ok := f.states.Get().(*state); ok {
		return s
	}
	s := new(state)
	setUp(&s.dec, f.h, f.cfg.limits)
	return s
}

// ReadAt implements io.ReaderAt for the decoded bytes. It fetches only the
// blocks that hold them. Only chunks that are read as a whole are checked
// against their digests, unless CheckWhole is set.
func (f *Reader) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, &blosc2.OptionError{Option: "offset", Value: off, Range: "not negative"}
	}
	if len(p) == 0 {
		return 0, nil
	}
	s := f.state()
	defer f.states.Put(s)
	ahead, err := f.aheadOf(off, int64(len(p)))
	if err != nil {
		return 0, err
	}
	defer ahead.Close()
	for n < len(p) && off < f.nbytes {
		if err := ahead.step(off); err != nil {
			return n, err
		}
		k, err := f.readSome(s, p[n:], off)
		if err != nil {
			return n, err
		}
		n += k
		off += int64(k)
	}
	if n < len(p) {
		return n, f.ended()
	}
	return n, nil
}

// readSome reads the bytes from off that are in one chunk.
func (f *Reader) readSome(s *state, p []byte, off int64) (int, error) {
	if off >= s.start && off < s.end {
		return copy(p, s.block[off-s.start:s.end-s.start]), nil
	}
	n, err := f.find(off)
	if err != nil {
		return 0, err
	}
	start, end, err := f.extent(n)
	if err != nil {
		return 0, err
	}
	p = p[:min(int64(len(p)), end-off)]
	if o, _ := f.openAt(f.index[n]); o != nil && o.rows == nil { // the open chunk was verified when it was found
		_, err := o.read(f, p, chunk.HeaderLen+off-start)
		return len(p), err
	}
	if int64(len(p)) == end-start || f.cfg.whole {
		return len(p), f.readRange(s, p, n, int(off-start))
	}
	return len(p), f.readPart(s, p, n, off-start)
}

// readRange reads a whole chunk and decodes the requested range.
func (f *Reader) readRange(s *state, p []byte, n int64, off int) error {
	it, err := f.verified(s, n)
	if err != nil {
		return err
	}
	if err := s.dec.DecodeRange(p, it.Chunk, off); err != nil {
		return blosc2.At(f.changedOr(err), n, it.Offset)
	}
	return nil
}

// readPart reads the blocks of chunk n that hold its bytes from offset lo on.
func (f *Reader) readPart(s *state, p []byte, n, lo int64) error {
	if f.cfg.cache.readAt(f, p, n, lo) {
		return nil
	}
	held := f.hold(framing.Want{Chunk: n, From: lo, To: lo + int64(len(p))})
	defer held.Release()
	l, err := f.layout(s, n, false)
	if err != nil {
		return err
	}
	h := &l.Header
	if h.VLBlocks() || l.BlockSize == 0 {
		return f.readRange(s, p, n, int(lo))
	}
	start, _, err := f.extent(n)
	if err != nil {
		return err
	}
	s.start, s.end = 0, 0
	size := int64(l.BlockSize)
	blocks := make([]int, 0, 8)
	for b := lo / size; b*size < lo+int64(len(p)); b++ {
		blocks = append(blocks, int(b))
	}
	cache := f.cfg.cache
	if cache != nil && !cache.keeps(f, len(blocks)) {
		cache = nil
	}
	err = f.readBlocks(s, l, n, blocks, func(b int, data []byte) error {
		at := int64(b)*size - lo // offset of the block in p
		copy(p[max(at, 0):], data[max(-at, 0):])
		if cache != nil {
			s.block = cache.put(blockKey{f, f.resets, n, b}, data, l.BlockSize, false)
			return nil
		}
		s.start, s.end = start+int64(b)*size, start+int64(b)*size+int64(len(data))
		return nil
	})
	if err == nil {
		return nil
	}
	s.start, s.end = 0, 0 // the cached block is no longer valid
	if errors.Is(err, blosc2.ErrCorrupt) && h.BlockSize%h.TypeSize != 0 {
		// C-Blosc2 may state a block size that it did not use. Only decoding the whole
		// chunk shows that (docs/format/chunk.md T1).
		return f.readRange(s, p, n, int(lo))
	}
	return err
}
