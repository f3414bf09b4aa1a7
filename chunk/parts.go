package chunk

import (
	"fmt"
	"slices"

	"github.com/seed03b80dae/blosc2"
)

// A Part holds some of a chunk's blocks, encoded. The zero value is ready for
// EncodePart, which uses its memory again.
type Part struct {
	from, to int
	starts   []byte // of the blocks in data, four bytes each
	data     []byte
}

// NumBlocks gives the number of blocks of the chunk of n bytes, if they can be
// encoded apart, by several Encoders of the same Params: each makes Parts with
// EncodePart, and one puts these together with Join, which gives the bytes of
// Encode. Where the blocks depend on each other, or there are none, it is 0.
func (e *Encoder) NumBlocks(n int) int {
	h := e.p.header(n, e.p.headerLen()+n)
	if h.Memcpyed() || e.p.Dict || n > MaxBytes {
		return 0
	}
	return numBlocks(n, h.BlockSize)
}

// EncodePart encodes the blocks of the chunk of src from one up to another,
// counted from 0 to NumBlocks(len(src)), into p.
func (e *Encoder) EncodePart(p *Part, src []byte, from, to int) error {
	if from < 0 || to > e.NumBlocks(len(src)) || from >= to {
		return &blosc2.OptionError{Option: "blocks", Value: [2]int{from, to}, Range: fmt.Sprintf("within the %d of the chunk", e.NumBlocks(len(src)))}
	}
	h := &e.header
	*h = e.p.header(len(src), e.p.headerLen()+len(src))
	e.dict = nil
	p.from, p.to = from, to
	p.starts = resize(p.starts, 4*(to-from))
	// Block offsets begin at 4, for 0 would mean that there is too little room.
	p.data = resize(p.data, 4+(to-from)*(h.BlockSize+maxRunLen*e.numStreams(e.block(src, 0))))
	n, err := e.blocks(p.data, 4, p.starts, src, from, to)
	p.data = p.data[:n]
	return err
}

// block gives the encoded block i of the chunk.
func (p *Part) block(i int) []byte {
	i -= p.from
	end := len(p.data)
	if i+1 < p.to-p.from {
		end = i32(p.starts[4*(i+1):])
	}
	return p.data[i32(p.starts[4*i:]):end]
}

// Join appends the chunk of src to dst, as Encode does, from parts that hold
// all its blocks in order.
func (e *Encoder) Join(dst, src []byte, parts []Part) ([]byte, error) {
	n := e.NumBlocks(len(src))
	next := 0
	for i := range parts {
		if parts[i].from != next || parts[i].to > n {
			break
		}
		next = parts[i].to
	}
	if n == 0 || next != n {
		return dst, &blosc2.OptionError{Option: "parts", Value: len(parts), Range: fmt.Sprintf("all %d blocks in order", n)}
	}
	start := len(dst)
	room := e.p.headerLen() + len(src)
	grown := slices.Grow(dst, room)
	length, err := e.join(grown[start:start+room], src, parts)
	if err != nil {
		return dst, err
	}
	return grown[:start+length], nil
}

func (e *Encoder) join(c, src []byte, parts []Part) (int, error) {
	h := &e.header
	*h = e.p.header(len(src), len(c))
	e.dict = nil
	h.put(c)
	starts := c[h.Len():]
	pos := h.Len() + 4*numBlocks(len(src), h.BlockSize)
	for k := range parts {
		p := &parts[k]
		for i := p.from; i < p.to && pos > 0; i++ {
			putI32(starts[4*i:], pos)
			block := e.block(src, i)
			if len(c)-pos >= len(block)+maxRunLen*e.numStreams(block) {
				pos += copy(c[pos:], p.block(i))
				continue
			}
			// So near to the end of the room codecs may give up earlier.
			var err error
			if pos, err = e.blocks(c, pos, starts[4*i:], src, i, i+1); err != nil {
				return 0, err
			}
		}
	}
	return e.finish(c, src, pos), nil
}
