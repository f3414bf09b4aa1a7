package filter

import (
	"bytes"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// blosc2Params reads the values of filter 32026. BlockSize in the result is for chunks of
// one dimension.
func blosc2Params(values []uint32) (chunk.Params, error) {
	p, err := params(values)
	if err != nil {
		return p, err
	}
	p.PlainZeros = true
	if len(values) > valueRank {
		_, err = rank(values)
	} else if n := values[valueBlockSize]; n > chunk.MaxBlockSize {
		err = &blosc2.OptionError{Option: "blocksize", Value: n, Range: "0 (automatic) to 536866816"}
	} else {
		p.BlockSize = int(n)
	}
	if err == nil {
		err = p.Validate()
	}
	return p, err
}

// rank returns the shape of a chunk with two or more dimensions, according to the values.
func rank(values []uint32) (shape []uint32, err error) {
	n := values[valueRank]
	if n < 2 || n > meta.MaxDims || len(values) < valueRank+1+int(n) {
		return nil, &blosc2.OptionError{Option: "rank of a chunk", Value: n, Range: "2 to 16, followed by as many values"}
	}
	shape = values[valueRank+1:][:n]
	items := int64(values[valueTypeSize])
	for _, d := range shape {
		if d == 0 || int64(d) > chunk.MaxBytes/items {
			return nil, &blosc2.OptionError{Option: "shape of a chunk", Value: append([]uint32(nil), shape...), Range: "positive, and at most 2147483615 bytes in all"}
		}
		items *= int64(d)
	}
	return shape, nil
}

// EncodeBlosc2 appends src to dst as HDF5's filter 32026 stores it: as a frame of one
// chunk. If values state a rank of 2 or more, the frame is an array, and src must have as
// many bytes as the array. values are the auxiliary values of the filter.
func EncodeBlosc2(dst, src []byte, values []uint32) ([]byte, error) {
	p, err := blosc2Params(values)
	if err != nil {
		return dst, err
	}
	c := coders.Get().(*coder)
	defer coders.Put(c)
	c.frame.out = header.Header{
		TypeSize: int32(p.TypeSize), BlockSize: int32(p.BlockSize),
		Codec: p.Codec, Level: uint8(p.Level), Filters: p.Filters,
	}
	if len(values) > valueRank {
		return c.encodeArray(dst, src, p, values)
	}
	if len(src) == 0 {
		return dst, &blosc2.OptionError{Option: "length of a chunk", Value: 0, Range: "1 byte or more"}
	}
	return c.encodeFrame(dst, src, p)
}

// encodeFrame appends a frame with src as its only chunk.
func (c *coder) encodeFrame(dst, src []byte, p chunk.Params) ([]byte, error) {
	return c.frame.append(dst, len(src), func(dst []byte) ([]byte, error) { return c.encode(dst, src, p) })
}

// encodeArray appends a frame with src as its array.
func (c *coder) encodeArray(dst, src []byte, p chunk.Params, values []uint32) ([]byte, error) {
	shape, err := rank(values)
	if err != nil {
		return dst, err
	}
	if err := c.describe(shape, p.TypeSize); err != nil {
		return dst, err
	}
	b := &c.box
	if len(src) != b.bytes() {
		return dst, &blosc2.OptionError{Option: "length of a chunk", Value: len(src), Range: "the product of its shape and typesize"}
	}
	p.BlockSize = b.blockBytes
	p.BlockShape = c.desc.BlockShape
	c.frame.out.BlockSize = int32(b.blockBytes)
	if b.whole() {
		return c.encodeFrame(dst, src, p)
	}
	c.whole = resize(c.whole, b.count*b.blockBytes)
	clear(c.whole)
	for i := range b.count {
		b.copy(src, c.whole[i*b.blockBytes:][:b.blockBytes], i, true)
	}
	return c.encodeFrame(dst, c.whole, p)
}

// describe makes the metalayer b2nd of the array and its box, unless the last array had
// the same.
func (c *coder) describe(shape []uint32, item int) error {
	if c.descFor(shape, item) {
		c.frame.out.Layers = c.frame.layer[:]
		return nil
	}
	blockShape(c.shape[:], shape, item)
	d := meta.B2ND{DType: opaque(item), BlockShape: append([]int32(nil), c.shape[:len(shape)]...)}
	for _, n := range shape {
		d.Shape, d.ChunkShape = append(d.Shape, int64(n)), append(d.ChunkShape, int32(n))
	}
	c.desc = nil
	if err := d.Validate(item); err != nil {
		return &blosc2.OptionError{Option: "shape of a chunk", Value: shape, Range: "small enough for a chunk with its padding: " + err.Error()}
	}
	value, err := d.Append(nil)
	if err != nil {
		return err
	}
	c.box.set(d.Shape, d.ChunkShape, d.BlockShape, item)
	c.desc, c.descItem = &d, item
	c.frame.layer[0] = meta.Layer{Name: meta.B2NDName, Value: value}
	c.frame.out.Layers = c.frame.layer[:]
	return nil
}

func (c *coder) descFor(shape []uint32, item int) bool {
	if c.desc == nil || c.descItem != item || len(c.desc.ChunkShape) != len(shape) {
		return false
	}
	for i, n := range shape {
		if c.desc.ChunkShape[i] != int32(n) {
			return false
		}
	}
	return true
}

// DecodeBlosc2 appends the decoded bytes of the frame in src to dst, as HDF5's filter
// 32026 returns them: the whole chunk of the dataset in C order, with the padding at its
// edges. values are the auxiliary values of the filter, or nil if they are unknown: see
// DecodeBlosc. It also reads a frame of several chunks, which a program may have stored
// in the file itself, but allocates then. Errors are those of frame.Open, b2nd.Open and
// chunk.Decoder.
func DecodeBlosc2(dst, src []byte, values []uint32) ([]byte, error) {
	limit := maxDecoded(values)
	c := coders.Get().(*coder)
	defer coders.Put(c)
	stored, special, nbytes, ok, err := c.one(src)
	switch {
	case err != nil:
		return dst, err
	case !ok || c.frame.desc != nil && !c.frame.fits(nbytes):
		return decodeAny(dst, src, limit)
	case c.frame.desc != nil:
		return c.decodeArray(dst, stored, special, limit)
	case nbytes > int64(limit):
		return dst, tooLarge(nbytes, limit)
	case stored == nil:
		return c.decodeSpecial(dst, special, int(nbytes), int(c.frame.h.TypeSize))
	}
	c.setUp(limit)
	return c.dec.Decode(dst, stored)
}

func tooLarge(n int64, limit int) error {
	return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrTooLarge, "decodes to %d bytes; must be at most %d", n, limit)
}

// decodeSpecial appends the bytes of a special chunk.
func (c *coder) decodeSpecial(dst []byte, s chunk.Special, nbytes, item int) ([]byte, error) {
	var err error
	switch s {
	case chunk.NaN:
		c.block, err = chunk.AppendNaN(c.block[:0], nbytes, item)
	default:
		c.block, err = chunk.AppendZeros(c.block[:0], nbytes, item)
	}
	if err != nil {
		return dst, corrupt(blosc2.PartIndex, "special chunk: %v", err)
	}
	return c.decode(dst, c.block, nbytes)
}

// fits reports whether the array is one chunk of nbytes bytes that is not mostly padding,
// and determines the size of an item. For items of more than 255 bytes the filter of
// PyTables writes a typesize of 1; then only the dtype and the sizes show the size of an
// item.
func (f *framing) fits(nbytes int64) bool {
	d := f.desc
	items, padded := int64(1), int64(1)
	for i, n := range d.Shape {
		c, b := int64(d.ChunkShape[i]), int64(d.BlockShape[i])
		if n < 1 || n > c || b < 1 {
			return false
		}
		along := (c + b - 1) / b * b
		if along > nbytes/padded {
			return false
		}
		items, padded = items*n, padded*along
	}
	if padded/16 > items+1<<16 {
		return false
	}
	f.item = int(nbytes / padded)
	item := f.item
	return padded*int64(item) == nbytes && (item == int(f.h.TypeSize) || f.h.TypeSize == 1 && d.ItemType(item).Kind != meta.Opaque && item > chunk.MaxTypeSize)
}

// decodeArray appends the items of an array of one chunk, block by block.
func (c *coder) decodeArray(dst, stored []byte, special chunk.Special, limit int) ([]byte, error) {
	d := c.frame.desc
	b := &c.box
	b.set(d.Shape, d.ChunkShape, d.BlockShape, c.frame.item)
	c.desc = nil // the box no longer belongs to c.desc
	n := b.bytes()
	switch {
	case n > limit:
		return dst, tooLarge(int64(n), limit)
	case b.blockBytes > max(limit, chunk.DefaultMaxBytes):
		return dst, tooLarge(int64(b.blockBytes), max(limit, chunk.DefaultMaxBytes))
	case stored == nil:
		return c.decodeSpecial(dst, special, n, c.frame.item)
	}
	c.setUp(chunk.MaxBytes) // the number of blocks and their total size were checked above
	if b.whole() {
		return c.dec.Decode(dst, stored)
	}
	start := len(dst)
	out := grow(dst, n)
	c.block = resize(c.block, b.blockBytes)
	for i := range b.count {
		if !b.inside(i) {
			continue
		}
		if err := c.dec.DecodeRange(c.block, stored, i*b.blockBytes); err != nil {
			return dst, err
		}
		b.copy(out[start:], c.block, i, false)
	}
	return out, nil
}

// grow returns b with n more bytes, whose values are undefined.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		b = append(make([]byte, 0, len(b)+n), b...)
	}
	return b[:len(b)+n]
}

// decodeAny appends the data of any frame.
func decodeAny(dst, src []byte, limit int) ([]byte, error) {
	f, err := frame.Open(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		return dst, err
	}
	_, array := f.Metalayer(meta.B2NDName)
	if !array {
		_, array = f.Metalayer(meta.CatervaName)
	}
	if array {
		a, err := b2nd.FromFrame(f, b2nd.Workers(1), b2nd.MaxAlloc(int64(limit)))
		if err != nil {
			return dst, err
		}
		if a.Size() > int64(limit) {
			return dst, tooLarge(a.Size(), limit)
		}
		b, err := a.ReadAll()
		if err != nil {
			return dst, err
		}
		return append(dst, b...), nil
	}
	if f.Size() > int64(limit) {
		return dst, tooLarge(f.Size(), limit)
	}
	out := dst
	for n := range f.NumChunks() {
		if out, err = f.Chunk(out, n); err != nil {
			return dst, err
		}
	}
	return out, nil
}
