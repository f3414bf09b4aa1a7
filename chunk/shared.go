package chunk

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// shared is the state of a chunk that several Encoders make together. The zero
// value is ready; its memory is reused.
type shared struct {
	src    []byte
	blocks int
	step   int           // blocks taken at a time
	taken  atomic.Uint64 // end of the blocks taken from the front, and start of those taken from the back: 32 bits each
	parts  []part        // from the back
}

// A part holds some of a chunk's blocks, encoded.
type part struct {
	from, to int
	starts   []byte // of the blocks in data, four bytes each
	data     []byte
	err      error
}

// maxTakes limits how often blocks are taken from a chunk: often enough that no
// goroutine waits long for the last one, but not so often that it costs time. 8 and
// 512 are within 4 % in BenchmarkLargeChunk of package stream.
const maxTakes = 64

// EncodeShared returns what Encode returns, while Encoders with the same Params may
// help in other goroutines. While there is work left it sometimes calls recruit,
// which may make another goroutine call Help. At the end it calls wait, which must
// return when all these calls have returned.
//
// Helpers begin at the end of the chunk and keep their blocks; e begins at the
// front and writes directly to dst, so no time is lost without helpers. If the
// blocks depend on each other, or there is only one, recruit is not called.
func (e *Encoder) EncodeShared(dst, src []byte, recruit, wait func()) ([]byte, error) {
	if len(src) > MaxBytes {
		return dst, fmt.Errorf("%w: chunk of %d bytes; must be at most %d", blosc2.ErrTooLarge, len(src), MaxBytes)
	}
	start := len(dst)
	grown := slices.Grow(dst, Bound(len(src)))
	c := grown[start : start+e.p.headerLen()+len(src)]
	e.begin(c, src)
	var length int
	var err error
	if recruit == nil || e.header.Memcpyed() || e.p.Dict || len(src) <= e.header.BlockSize {
		length, err = e.encode(c, src)
	} else {
		length, err = e.encodeShared(c, src, recruit, wait)
	}
	if err != nil {
		return dst, err
	}
	return grown[:start+length], nil
}

func (e *Encoder) encodeShared(c, src []byte, recruit, wait func()) (int, error) {
	if e.shared == nil {
		e.shared = new(shared)
	}
	s := e.shared
	s.begin(src, numBlocks(len(src), e.header.BlockSize))
	e.dict = nil
	starts := c[e.header.Len():]
	pos, err := e.header.Len()+4*s.blocks, error(nil)
	from, to := 0, 0
	for pos > 0 && err == nil {
		recruit()
		if from, to = s.front(); from == to {
			break
		}
		pos, err = e.blocks(c, pos, starts[4*from:], src, from, to)
	}
	s.taken.Store(0) // the end, for helpers too
	wait()
	if e.raw.begun && pos > 0 && err == nil {
		if pos+s.encoded(to) > len(c) {
			return e.finish(c, src, 0), nil
		}
		err = e.copyRaw(c, src, to)
	}
	e.raw = rawBlocks{}
	for i := s.partOf(to); i >= 0 && pos > 0 && err == nil; i-- {
		pos, err = e.join(c, pos, starts, src, &s.parts[i])
	}
	if err != nil {
		return 0, err
	}
	return e.finish(c, src, pos), nil
}

// join puts the blocks of a part into c.
func (e *Encoder) join(c []byte, pos int, starts, src []byte, p *part) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	for i := p.from; i < p.to && pos > 0; i++ {
		block := e.block(src, i)
		if len(c)-pos >= len(block)+maxRunLen*e.numStreams(block) {
			putI32(starts[4*i:], pos)
			pos += copy(c[pos:], p.block(i))
			continue
		}
		// This close to the end of dst, codecs may give up earlier.
		var err error
		if pos, err = e.blocks(c, pos, starts[4*i:], src, i, i+1); err != nil {
			return 0, err
		}
	}
	return pos, nil
}

// Help encodes blocks of the chunk that other makes with EncodeShared, until none
// are left. It must be called after recruit and before wait.
func (e *Encoder) Help(other *Encoder) {
	s := other.shared
	e.dict, e.raw = nil, rawBlocks{}
	e.header = other.header
	for from, to := s.back(); from < to; from, to = s.back() {
		p := &s.parts[s.partOf(from)]
		p.from, p.to = from, to
		p.err = e.encodePart(p, s.src)
	}
}

// encodePart encodes the blocks of a part, whose fields from and to are set.
func (e *Encoder) encodePart(p *part, src []byte) error {
	n := p.to - p.from
	p.starts = room.Resize(p.starts, 4*n)
	// Block offsets begin at 4, because 0 would mean that there is too little room.
	p.data = room.Resize(p.data, 4+n*(e.header.BlockSize+maxRunLen*e.numStreams(e.block(src, 0))))
	end, err := e.blocks(p.data, 4, p.starts, src, p.from, p.to)
	p.data = p.data[:end]
	return err
}

// block returns the encoded block i of the chunk.
func (p *part) block(i int) []byte {
	i -= p.from
	end := len(p.data)
	if i+1 < p.to-p.from {
		end = i32(p.starts[4*(i+1):])
	}
	return p.data[i32(p.starts[4*i:]):end]
}

// begin makes s ready for the n blocks of src.
func (s *shared) begin(src []byte, n int) {
	s.src, s.blocks = src, n
	s.step = (n + maxTakes - 1) / maxTakes
	if len(s.parts) < maxTakes {
		s.parts = make([]part, maxTakes)
	}
	s.taken.Store(uint64(n))
}

// front returns the next blocks for the goroutine that writes the chunk; from
// equals to if none are left.
func (s *shared) front() (from, to int) {
	for {
		taken := s.taken.Load()
		from, back := int(taken>>32), int(uint32(taken))
		to := min(from+s.step, back)
		if s.taken.CompareAndSwap(taken, uint64(to)<<32|uint64(back)) {
			return from, to
		}
	}
}

// back returns the next blocks for a helper; from equals to if none are left.
func (s *shared) back() (from, to int) {
	for {
		taken := s.taken.Load()
		front, to := int(taken>>32), int(uint32(taken))
		// Steps are whole, counted from the end, because partOf relies on it.
		from := max(to-s.step, front)
		if s.taken.CompareAndSwap(taken, uint64(front)<<32|uint64(from)) {
			return from, to
		}
	}
}

// encoded returns the number of bytes in the parts from block from on.
func (s *shared) encoded(from int) int {
	n := 0
	for i := s.partOf(from); i >= 0; i-- {
		n += max(len(s.parts[i].data)-4, 0) // without the first offset
	}
	return n
}

// partOf returns the index of the part that block from is the first of; -1
// after the last block.
func (s *shared) partOf(from int) int { return (s.blocks-from+s.step-1)/s.step - 1 }
