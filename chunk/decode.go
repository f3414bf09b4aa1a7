package chunk

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/bulk"
	"github.com/seed03b80dae/blosc2/internal/plain"
	"github.com/seed03b80dae/blosc2/internal/room"
)

// DefaultMaxBytes is the size of the largest chunk that a Decoder decodes
// unless MaxBytes says otherwise.
const DefaultMaxBytes = 256 << 20

// A Decoder decodes chunks. The zero value is ready to use. It keeps scratch memory of
// up to four blocks and the tables of the codecs used so far, and is for one goroutine
// at a time.
type Decoder struct {
	MaxBytes   int     // chunks that decode to more return blosc2.ErrTooLarge; 0 is DefaultMaxBytes
	TypeSize   int     // bytes of an item according to the frame; 0 means the typesize of the chunk
	BlockShape []int32 // shape of a block in items, nil if the data are not an array
	Age        Age     // when the chunk was written, if the frame shows it

	plain    bool // set in a Verifier: use codecs of other libraries, and plain filters
	codecs   codecCache
	codec    codecs.Codec // codec of the current chunk
	layout   Layout
	filtered []byte // a block before its filters are undone
	between  []byte // the block between two filters
	partial  []byte // the whole block when only a part of it is requested
	ref      []byte // block 0, if it is needed but not requested
}

// Decode appends the decoded bytes of the chunk c to dst, which must not
// overlap c. It ignores bytes after the chunk's end. An error is a
// *blosc2.FormatError with the block and the offset in c, if known; dst is then
// returned unchanged.
func (d *Decoder) Decode(dst, c []byte) ([]byte, error) {
	l := &d.layout
	if err := d.open(l, c); err != nil {
		return dst, err
	}
	start := len(dst)
	grown := slices.Grow(dst, l.Header.NBytes)[:start+l.Header.NBytes]
	if err := d.decode(grown[start:], c, l, 0); err != nil {
		return dst, err
	}
	return grown, nil
}

// open parses the layout of the whole chunk c and checks it against the limit.
func (d *Decoder) open(l *Layout, c []byte) error {
	if err := l.parse(c); err != nil {
		return err
	}
	if n := l.Header.CBytes; n > len(c) {
		return fault(12, io.ErrUnexpectedEOF, "truncated: has %[2]d of %[1]d bytes", n, len(c))
	}
	limit := d.MaxBytes
	if limit == 0 {
		limit = DefaultMaxBytes
	}
	if l.Header.NBytes > limit {
		return fault(4, blosc2.ErrTooLarge, "decodes to %d bytes; the limit is %d", l.Header.NBytes, limit)
	}
	return d.prepare(&l.Header)
}

// prepare sets d.codec to the codec of the chunk. It returns an error if the codec or a
// filter is not registered.
func (d *Decoder) prepare(h *Header) error {
	if !h.regular() {
		return nil
	}
	var err error
	if d.codec, err = d.codecs.get(h.Codec, d.plain); err != nil {
		if !h.Codec.Known() {
			return fault(2, blosc2.ErrUnsupported, "%s", h.Codec)
		}
		return fault(2, blosc2.ErrUnsupported, "codec %d (%s)", uint8(h.Codec), h.Codec)
	}
	for i, id := range h.Filters.IDs {
		if id == blosc2.FilterNone {
			continue
		}
		if _, err := filters.ByID(id); err != nil {
			return fault(MinHeaderLen+i, blosc2.ErrUnsupported, "%s", id) // id is a number
		}
	}
	return nil
}

// decode fills dst with the decoded bytes of c that begin at offset off.
func (d *Decoder) decode(dst, c []byte, l *Layout, off int) error {
	h := &l.Header
	c = c[:h.CBytes]
	switch {
	case len(dst) == 0:
		return nil
	case h.Memcpyed():
		bulk.Copy(dst, c[h.Len()+off:])
		return nil
	case h.Special() != NotSpecial:
		fillSpecial(dst, l, off)
		return nil
	}
	err := d.decodeBlocks(dst, c, l, off)
	if err != nil && l.takeStated() && d.decodeBlocks(dst, c, l, off) == nil {
		return nil
	}
	return err
}

// decodeBlocks fills dst with the decoded bytes that begin at offset off, block by block.
// It decodes a block directly into dst if all of it is requested.
func (d *Decoder) decodeBlocks(dst, c []byte, l *Layout, off int) error {
	if err := l.checkVL(c); err != nil {
		return err
	}
	first := 0
	if !l.Header.VLBlocks() {
		first = off / l.BlockSize
	}
	if l.NeedsRef() && off > 0 {
		if err := d.decodeRef(c, l); err != nil {
			return err
		}
	}
	lo := first*l.BlockSize - off // offset of the block in dst
	for i := first; i < l.NumBlocks && lo < len(dst); i++ {
		src, n, err := l.source(c, i)
		if err != nil {
			return err
		}
		switch {
		case lo+n <= 0: // only blocks of variable length can end before the range
		case lo >= 0 && lo+n <= len(dst):
			err = d.block(dst[lo:lo+n], src, l, i, l.start(i))
			if i == 0 && l.NeedsRef() {
				l.Ref = dst[:n]
			}
		default:
			d.partial = room.Resize(d.partial, n)
			if err = d.block(d.partial, src, l, i, l.start(i)); err == nil {
				copy(dst[max(lo, 0):], d.partial[max(-lo, 0):])
			}
		}
		if err != nil {
			return err
		}
		lo += n
	}
	return nil
}

// decodeRef decodes block 0, to which the delta filter refers.
func (d *Decoder) decodeRef(c []byte, l *Layout) error {
	src, n, err := l.source(c, 0)
	if err != nil {
		return err
	}
	d.ref = room.Resize(d.ref, n)
	l.Ref = d.ref
	return d.block(d.ref, src, l, 0, l.start(0))
}

// source returns the bytes of c from the start of block i to the end of c, and the number
// of decoded bytes in that block.
func (l *Layout) source(c []byte, i int) (src []byte, n int, err error) {
	if l.Header.VLBlocks() {
		return l.vlExtent(c, i)
	}
	return c[l.start(i):], l.BlockLen(i), nil
}

// block decodes block i into dst. src begins with the block, which is at offset at
// in the chunk.
func (d *Decoder) block(dst, src []byte, l *Layout, i, at int) error {
	h := &l.Header
	if h.VLBlocks() {
		return d.vlBlock(dst, src, l, i, at)
	}
	filtered := d.forStreams(dst, h)
	streams := 1
	if h.Split() && l.full(i) {
		streams = h.TypeSize
		if l.BlockSize%streams != 0 {
			return blockFault(i, at, blosc2.ErrCorrupt, "block of %d bytes cannot be split into %d streams of equal length", l.BlockSize, streams)
		}
	}
	if fillRuns(dst, src, h, streams) {
		return nil
	}
	if err := d.streams(filtered, src, l, i, streams, at); err != nil {
		return err
	}
	return d.unfilter(dst, filtered, l, i, at)
}

// forStreams returns the memory into which the streams of a block are decoded: dst itself
// if no filter has to be undone. Codecs may write after a stream, up to the slice's
// capacity. These bytes belong to streams that are decoded later, or are spare.
func (d *Decoder) forStreams(dst []byte, h *Header) []byte {
	if h.Filters.Empty() {
		return dst[:len(dst):len(dst)]
	}
	d.filtered = room.Resize(d.filtered, len(dst)+slack)
	return d.filtered[:len(dst)]
}

// slack is the number of spare bytes after a filtered block, which codecs may overwrite.
// It is the size of the largest register that a decoder stores at once, 64 bytes.
const slack = 64

// streams decodes the streams of block i, which together fill dst.
func (d *Decoder) streams(dst, src []byte, l *Layout, i, streams, at int) error {
	prm := d.codecParams(l, streams == 1 && l.full(i))
	size := len(dst) / streams
	pos := 0
	for range streams {
		out := dst[:size]
		dst = dst[size:]
		if len(src)-pos < 4 {
			return blockFault(i, at+pos, blosc2.ErrCorrupt, "ends before the length of a stream")
		}
		csize := i32(src[pos:])
		pos += 4
		switch {
		case csize > len(src)-pos:
			return blockFault(i, at+pos-4, blosc2.ErrCorrupt, "stream has %d bytes, but only %d are left", csize, len(src)-pos)
		case csize == size:
			bulk.Copy(out, src[pos:])
		case csize > 0:
			if err := d.stream(out, src[pos:pos+csize:pos+csize], prm, i, at+pos); err != nil {
				return err
			}
		default:
			n, err := run(out, src[pos:], csize)
			if err != nil {
				return blockFault(i, at+pos-4, blosc2.ErrCorrupt, "%v", err)
			}
			pos += n
			continue
		}
		pos += csize
	}
	return nil
}

// stream decodes a stream of block i, which is at offset at and must fill dst.
func (d *Decoder) stream(dst, src []byte, prm codecs.Params, i, at int) error {
	n, err := d.codec.Decode(dst, src, prm)
	if err != nil {
		return streamFault(i, at, err)
	}
	if n != len(dst) {
		return blockFault(i, at, blosc2.ErrCorrupt, "stream decodes to %d bytes, not %d", n, len(dst))
	}
	return nil
}

// unfilter undoes the filters of block i, which is at offset at.
func (d *Decoder) unfilter(dst, filtered []byte, l *Layout, i, at int) error {
	h := &l.Header
	if h.Filters.Empty() {
		return nil
	}
	prm := filters.Params{
		TypeSize:        h.TypeSize,
		LogicalTypeSize: d.TypeSize,
		Block:           i,
		BlockShape:      d.BlockShape,
	}
	prm.Version, prm.Undated = h.filterVersion(d.Age)
	if i > 0 {
		prm.Ref = l.Ref
	}
	if d.plain && plain.Backward(h.Filters, dst, filtered, prm) {
		return nil
	}
	if h.Filters.Several() {
		d.between = room.Resize(d.between, len(dst))
	}
	if err := h.Filters.Backward(dst, d.between, filtered, prm); err != nil {
		return streamFault(i, at, err)
	}
	return nil
}

func (d *Decoder) codecParams(l *Layout, whole bool) codecs.Params {
	t := d.TypeSize
	if t == 0 {
		t = l.Header.TypeSize
	}
	return codecs.Params{Meta: l.Header.CodecMeta, TypeSize: t, Dict: l.Dict, BlockShape: d.BlockShape, WholeBlock: whole}
}
