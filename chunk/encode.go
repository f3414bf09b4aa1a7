package chunk

import (
	"slices"

	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/bulk"
	"github.com/seed03b80dae/blosc2/internal/room"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// codecVersion is byte 1 of a chunk: the version of the codec's format.
const codecVersion = 1

// An Encoder makes chunks. It keeps scratch memory of two blocks and the
// tables of its codec, and belongs to one goroutine at a time. In steady state
// it allocates nothing, except to train dictionaries.
type Encoder struct {
	p        Params
	codec    codecs.Codec
	codecs   codecCache // codecs of the current and of earlier parameters
	header   Header     // header of the current chunk
	filtered []byte     // a block after its filters
	between  []byte     // the block between two filters
	dict     []byte     // dictionary of the current chunk, nil for none
	samples  []byte     // samples of the streams, to train dict
	raw      rawBlocks  // uncompressed blocks of the current chunk
	shared   *shared    // state of EncodeShared; nil before its first call
}

// NewEncoder returns an Encoder with the parameters p. If they are invalid it returns the
// error of p.Validate.
func NewEncoder(p Params) (*Encoder, error) {
	e := new(Encoder)
	if err := e.Reset(p); err != nil {
		return nil, err
	}
	return e, nil
}

// Params returns the parameters that NewEncoder or the last Reset set.
func (e *Encoder) Params() Params { return e.p }

// Encode appends the chunk of src to dst and returns the result. A chunk has at most
// Bound(len(src)) bytes, which depend only on src and the parameters. dst must not
// overlap src. If src is longer than MaxBytes the error is blosc2.ErrTooLarge. Other
// errors are those of codecs or filters that do not support the parameters. After an
// error dst is returned unchanged.
func (e *Encoder) Encode(dst, src []byte) ([]byte, error) {
	return e.EncodeShared(dst, src, nil, nil)
}

// begin decides how to make the chunk of src and writes its header to c. c must have room
// for the header and the uncompressed src; begin uses all of it as scratch.
func (e *Encoder) begin(c, src []byte) {
	h := &e.header
	*h = e.p.header(len(src), len(c))
	e.raw = rawBlocks{allowed: true}
	if e.triesWhole() && e.wholeIsSmaller(c, src) {
		h.Flags |= flagNotSplit
	}
	h.put(c)
}

// encode writes the chunk of src to c and returns the chunk's length. begin must have
// been called. encode may write anywhere in c before it decides to store src.
func (e *Encoder) encode(c, src []byte) (int, error) {
	h := &e.header
	if h.Memcpyed() {
		return h.store(c, src), nil
	}
	n := numBlocks(len(src), h.BlockSize)
	starts := c[h.Len():]
	pos := h.Len() + 4*n
	if e.dict = nil; e.p.Dict {
		if err := e.train(len(src), src, slices.Chunk(src, h.BlockSize)); err != nil {
			return 0, err
		}
		pos += e.putDict(c, pos)
	}
	end, err := e.blocks(c, pos, starts, src, 0, n)
	if err == nil && end > 0 {
		err = e.copyRaw(c, src, n)
	}
	if err != nil {
		return 0, err
	}
	return e.finish(c, src, end), nil
}

// finish completes the chunk of src and returns its length. The blocks end at pos, or pos
// is 0 if they did not fit.
func (e *Encoder) finish(c, src []byte, pos int) int {
	h := &e.header
	n := numBlocks(len(src), h.BlockSize)
	streams := (n-1)*e.numStreams(e.block(src, 0)) + e.numStreams(e.block(src, n-1))
	switch {
	case pos == 0: // compression saves nothing
		return h.store(c, src)
	case pos == h.Len()+4*n+4*streams && e.writesRuns() && !e.p.PlainZeros: // every stream consists of zeros
		c[31] |= uint8(Zeros) << specialShift
		pos = h.Len()
	}
	putI32(c[12:], pos)
	return pos
}

// blocks encodes the blocks of src from from up to to into c, starting at pos, and
// records their offsets in starts. It returns the position after the last block, or 0 if
// c is too short.
func (e *Encoder) blocks(c []byte, pos int, starts, src []byte, from, to int) (int, error) {
	h := &e.header
	item, uniform := e.constantItem(src[from*h.BlockSize : min(to*h.BlockSize, len(src))])
	for i := from; i < to && pos > 0; i++ {
		putI32(starts[4*(i-from):], pos)
		block := e.block(src, i)
		streams := e.numStreams(block)
		if item != nil && (uniform || streams == len(item)) && len(c)-pos >= maxRunLen*streams {
			if err := e.copyRaw(c, src, i); err != nil {
				return 0, err
			}
			for _, v := range item[:streams] {
				pos += putRun(c[pos:], v)
			}
			continue
		}
		filtered, err := e.filter(block, src[:h.BlockSize], i)
		if err != nil {
			return 0, err
		}
		end, err := e.streams(c, pos, filtered, streams)
		shorter := end-pos < len(block)+4*streams || len(block) == streams // a run of a single byte takes as much as a copy
		switch {
		case err != nil || end == 0:
			return 0, err
		case shorter && e.raw.begun:
			if err := e.copyRaw(c, src, i); err != nil {
				return 0, err
			}
			i-- // encode this block again, after the copies
			continue
		case !shorter && i == 0 && e.raw.allowed:
			e.raw.begun, e.raw.from, e.raw.pos = true, 1, end
		}
		pos = end
	}
	return pos, nil
}

// block returns block i of src.
func (e *Encoder) block(src []byte, i int) []byte {
	src = src[i*e.header.BlockSize:]
	return src[:min(len(src), e.header.BlockSize)]
}

// writesRuns reports whether streams of equal bytes get their short form.
func (e *Encoder) writesRuns() bool { return e.p.Format == Current }

// numStreams returns the number of streams in a block.
func (e *Encoder) numStreams(block []byte) int {
	h := &e.header
	if h.Flags&flagNotSplit == 0 && len(block) == h.BlockSize {
		return h.TypeSize
	}
	return 1
}

// filter applies the filters to block i. first is block 0, to which delta refers.
func (e *Encoder) filter(block, first []byte, i int) ([]byte, error) {
	if e.p.Filters.Empty() {
		return block, nil
	}
	e.filtered = room.Resize(e.filtered, len(block))
	if e.p.Filters.Several() {
		e.between = room.Resize(e.between, len(block))
	}
	prm := filters.Params{
		TypeSize:        e.header.TypeSize,
		LogicalTypeSize: e.p.TypeSize,
		Block:           i,
		Version:         e.header.Version,
		BlockShape:      e.p.BlockShape,
	}
	if e.p.Format == Beta {
		prm.Version = VersionAlpha // the rule of the alphas for bitshuffle applied until February 2020
	}
	if i > 0 {
		prm.Ref = first
	}
	return e.p.Filters.Forward(e.filtered, e.between, block, prm)
}

// streams compresses a filtered block as the given number of streams of equal length. It
// writes them to c from pos on and returns the position after them, or 0 if c is too
// short.
func (e *Encoder) streams(c []byte, pos int, block []byte, streams int) (int, error) {
	size := len(block) / streams
	prm := e.codecParams(streams == 1 && len(block) == e.header.BlockSize)
	prm.Values = streams == 1 && e.p.leavesValues()
	prm.Planes = e.p.leavesPlanes()
	runs := e.writesRuns()
	for ; len(block) > 0; block = block[size:] {
		stream := block[:size]
		if len(c)-pos < 4 {
			return 0, nil
		}
		head := c[pos : pos+4]
		pos += 4
		if v, ok := shuffle.IsRun(stream); runs && ok {
			if v != 0 && pos == len(c) {
				return 0, nil
			}
			pos += putRun(c[pos-4:], v) - 4
			continue
		}
		room := min(size, len(c)-pos)
		if room == 0 {
			return 0, nil
		}
		n, err := e.codec.Encode(c[pos:pos+room:pos+room], stream, prm)
		if err != nil {
			return 0, err
		}
		if n == 0 || n >= size {
			if len(c)-pos < size {
				return 0, nil
			}
			if n = size; !e.raw.begun {
				bulk.Copy(c[pos:], stream)
			}
		}
		putI32(head, n)
		pos += n
	}
	return pos, nil
}

func (e *Encoder) codecParams(whole bool) codecs.Params {
	return codecs.Params{
		Level:      e.p.Level,
		Meta:       e.p.CodecMeta,
		TypeSize:   max(e.p.TypeSize, 1),
		Dict:       e.dict,
		BlockShape: e.p.BlockShape,
		WholeBlock: whole,
	}
}
