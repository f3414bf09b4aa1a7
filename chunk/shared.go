package chunk

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/bulk"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// A shared is the state of a chunk that several Encoders make together. The zero value is
// ready to use; its memory is reused.
type shared struct {
	src    []byte
	blocks int
	step   int           // number of blocks taken at a time
	taken  atomic.Uint64 // upper 32 bits: end of the blocks taken from the front; lower: start of those from the back
	parts  []part        // parts in the order in which they are taken from the back
}

// A part holds some encoded blocks of a chunk.
type part struct {
	from, to int
	starts   []byte // offsets of the blocks in data, four bytes each
	data     []byte
	err      error
}

// maxTakes is the largest number of times that blocks are taken from a chunk. With many,
// no goroutine waits long for the last one; with too many, taking them costs time. 8 and
// 512 are within 4 % in BenchmarkLargeChunk of package stream.
const maxTakes = 64

// EncodeShared returns what Encode returns. Encoders with the same Params may help in
// other goroutines. While there is work left, EncodeShared sometimes calls recruit, which
// may make another goroutine call Help. At the end it calls wait, which must return after
// all calls of Help have returned.
//
// Helpers begin at the end of the chunk and keep the blocks that they encode. e begins at
// the front and writes directly to dst, so that no time is lost if there are no helpers.
// If the blocks depend on each other, or there is only one, recruit is not called.
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
	s.taken.Store(0) // no blocks are left, also for helpers
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

// join copies the blocks of a part to c.
func (e *Encoder) join(c []byte, pos int, starts, src []byte, p *part) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	for i := p.from; i < p.to && pos > 0; i++ {
		block := e.block(src, i)
		if len(c)-pos >= len(block)+maxRunLen*e.numStreams(block) {
			putI32(starts[4*i:], pos)
			pos += bulk.Copy(c[pos:], p.block(i))
			continue
		}
		// Near the end of dst a codec may give up earlier, so encode the block again.
		var err error
		if pos, err = e.blocks(c, pos, starts[4*i:], src, i, i+1); err != nil {
			return 0, err
		}
	}
	return pos, nil
}

// Help encodes blocks of the chunk that other makes with EncodeShared, until none are
// left. It must be called by recruit or after it, and must return before wait does.
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

// begin prepares s for the n blocks of src.
func (s *shared) begin(src []byte, n int) {
	s.src, s.blocks = src, n
	s.step = (n + maxTakes - 1) / maxTakes
	if len(s.parts) < maxTakes {
		s.parts = make([]part, maxTakes)
	}
	s.taken.Store(uint64(n))
}

// front takes the next blocks for the goroutine that writes the chunk. from equals to if
// none are left.
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

// back takes the next blocks for a helper. from equals to if none are left.
func (s *shared) back() (from, to int) {
	for {
		taken := s.taken.Load()
		front, to := int(taken>>32), int(uint32(taken))
		// Every step but the last is of s.step blocks, counted from the end: partOf
		// relies on that.
		from := max(to-s.step, front)
		if s.taken.CompareAndSwap(taken, uint64(front)<<32|uint64(from)) {
			return from, to
		}
	}
}

// encoded returns the number of bytes in the parts that hold block from and later blocks.
func (s *shared) encoded(from int) int {
	n := 0
	for i := s.partOf(from); i >= 0; i-- {
		n += max(len(s.parts[i].data)-4, 0) // 4 bytes precede the first block
	}
	return n
}

// partOf returns the index of the part that begins with block from, or -1 if from is the
// number of blocks.
func (s *shared) partOf(from int) int { return (s.blocks-from+s.step-1)/s.step - 1 }
