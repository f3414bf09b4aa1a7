package frame

import (
	"errors"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// An Editor changes a frame in its file. Chunk numbers are those after all earlier
// changes. New bytes are written after the frame, and nothing is overwritten until Commit
// rewrites the header. So a crash before or during a Commit leaves the frame either as
// before or as after it. An Editor belongs to one goroutine. Readers that have the frame
// open are not affected.
//
// After an error of the file every later change fails: open the frame again.
type Editor struct {
	file  File
	f     *Reader
	b     *Builder
	enc   *chunk.Encoder
	sizes []int64 // decoded bytes of each chunk
	end   int64   // end of the frame as committed
	dirty bool
	wall  bool // write zeros before the next bytes, which could otherwise be mistaken for appended chunks
	heads bool // writing a header has begun: the file may hold the new frame
	err   error
	buf   []byte
}

// Edit opens the frame at the start of a file of size bytes for changing. It
// completes an interrupted commit, and cuts off uncommitted data.
func Edit(file File, size int64, opts ...Option) (*Editor, error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return nil, err
	}
	f, b, err := reopen(file, size, opts...)
	if err != nil {
		return nil, err
	}
	e := &Editor{file: file, f: f, b: b, end: f.frameLen}
	if e.sizes, err = f.chunkSizes(nil); err != nil {
		return nil, err
	}
	e.enc, err = chunk.NewEncoder(encoderParams(b))
	return e, err
}

// encoderParams returns the parameters in the header.
func encoderParams(b *Builder) chunk.Params {
	h := b.Header()
	return chunk.Params{Codec: h.Codec, CodecMeta: h.CodecMeta, Level: int(h.Level), TypeSize: int(h.TypeSize),
		BlockSize: int(h.BlockSize), Split: h.Split, Filters: h.Filters, Dict: h.Dict, BlockShape: framing.BlockShape(h), PlainZeros: true}
}

// Reader returns a Reader of the frame as it was opened.
func (e *Editor) Reader() *Reader { return e.f }

// NumChunks returns the number of chunks including all changes.
func (e *Editor) NumChunks() int64 { return int64(len(e.sizes)) }

// Size returns the number of decoded bytes including all changes.
func (e *Editor) Size() int64 { return e.b.nbytes }

// Len returns the number of bytes of the frame as last committed.
func (e *Editor) Len() int64 { return e.end }

// Append adds data at the end. It first fills up a short last chunk and writes that
// again; if the frame's filters or codec are lossy, that returns blosc2.ErrUnsupported.
// The rest of the data becomes chunks of the frame's chunk size. In a frame of variable
// chunk size data becomes one chunk.
func (e *Editor) Append(data []byte) error {
	if e.err != nil || len(data) == 0 {
		return e.err
	}
	if e.b.h.VariableChunks {
		return e.add(data)
	}
	size := e.b.decideChunkSize(len(data))
	if n := len(e.sizes); n > 0 && e.sizes[n-1] < int64(size) {
		k := min(len(data), size-int(e.sizes[n-1]))
		if err := e.grow(data[:k]); err != nil {
			return err
		}
		data = data[k:]
	}
	for len(data) > 0 {
		k := min(len(data), size)
		if err := e.add(data[:k]); err != nil {
			return err
		}
		data = data[k:]
	}
	return nil
}

// add appends a chunk.
func (e *Editor) add(data []byte) error {
	c, err := e.encode(e.buf[:0], data)
	if err != nil {
		return err
	}
	if err := e.write(c); err != nil {
		return err
	}
	if err := e.b.AddChunk(len(data), e.cbytes(c)); err != nil {
		return e.fail(err)
	}
	e.sizes = append(e.sizes, int64(len(data)))
	return nil
}

// grow writes the last chunk again with more data at its end.
func (e *Editor) grow(more []byte) error {
	n := len(e.sizes) - 1
	if !e.b.lossless() {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrUnsupported, "filling up a chunk with a lossy filter or codec")
	}
	data, err := e.Chunk(nil, int64(n))
	if err != nil {
		return err
	}
	var c []byte
	ordered := e.b.stream.Ordered && e.b.mark >= 0
	if ordered {
		c = record{kind: kindContinue, value: uint64(e.sizes[n])}.append(e.buf[:0])
	}
	start := len(c)
	data = append(data, more...)
	if c, err = e.encode(c, data); err != nil {
		return err
	}
	if err := e.write(c); err != nil {
		return err
	}
	if ordered {
		e.b.AppendContinue(nil)
	} else {
		e.b.regrow = true
	}
	if err := e.b.AddChunk(len(data), e.cbytes(c[start:])); err != nil {
		return e.fail(err)
	}
	e.sizes[n] = int64(len(data))
	return nil
}

// Insert inserts data as one chunk before chunk n. If the chunk size is fixed,
// data must have that size.
func (e *Editor) Insert(n int64, data []byte) error {
	if err := e.allow(n, int64(len(e.sizes))+1, int64(len(data)), n == int64(len(e.sizes))); err != nil {
		return err
	}
	if n == int64(len(e.sizes)) {
		return e.add(data)
	}
	offset, err := e.store(data)
	if err != nil {
		return err
	}
	e.b.offsets = slices.Insert(e.b.offsets, int(n), offset)
	e.sizes = slices.Insert(e.sizes, int(n), int64(len(data)))
	e.b.nbytes += int64(len(data))
	return nil
}

// Update replaces chunk n by data. If the chunk size is fixed, only the last
// chunk may change its size.
func (e *Editor) Update(n int64, data []byte) error {
	if err := e.allow(n, int64(len(e.sizes)), int64(len(data)), n == int64(len(e.sizes))-1); err != nil {
		return err
	}
	offset, err := e.store(data)
	if err != nil {
		return err
	}
	e.b.offsets[n] = offset
	e.b.nbytes += int64(len(data)) - e.sizes[n]
	e.sizes[n] = int64(len(data))
	e.b.last = e.sizes[len(e.sizes)-1]
	return nil
}

// Delete removes chunk n. Its bytes stay in the file until Compact.
func (e *Editor) Delete(n int64) error {
	if e.err != nil {
		return e.err
	}
	if n < 0 || n >= int64(len(e.sizes)) {
		return &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	e.disorder()
	e.b.nbytes -= e.sizes[n]
	e.b.offsets = slices.Delete(e.b.offsets, int(n), int(n)+1)
	e.sizes = slices.Delete(e.sizes, int(n), int(n)+1)
	e.b.last = 0
	if k := len(e.sizes); k > 0 {
		e.b.last = e.sizes[k-1]
	}
	return nil
}

// allow returns an error if chunk n, of the given number of chunks, may not have size
// bytes.
func (e *Editor) allow(n, chunks, size int64, last bool) error {
	fixed := int64(e.b.h.ChunkSize)
	switch {
	case e.err != nil:
		return e.err
	case n < 0 || n >= chunks:
		return &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	case size < 1 || size > chunk.MaxBytes:
		return &blosc2.OptionError{Option: "chunk size", Value: size, Range: "1 to 2147483615"}
	case e.b.h.VariableChunks || fixed <= 0:
		return nil
	case !last && size != fixed || size > fixed:
		return &blosc2.OptionError{Option: "chunk size", Value: size, Range: "that of the frame; only the last may be shorter"}
	case last && chunks > int64(len(e.sizes)) && len(e.sizes) > 0 && e.b.last != fixed:
		return &blosc2.OptionError{Option: "chunk", Value: n, Range: "before the short last chunk, which Append fills up"}
	}
	return nil
}

// SetVLMeta sets a vlmetalayer to raw bytes, which it copies; nil deletes it.
// Python-blosc2 reads only msgpack, which SetVLMetaValue writes, and raises an
// error on other bytes.
func (e *Editor) SetVLMeta(name string, value []byte) error {
	if e.err != nil {
		return e.err
	}
	if value != nil {
		value = slices.Clone(value)
	}
	err := e.b.SetVLMeta(name, value)
	e.dirty = e.dirty || err == nil
	return err
}

// SetMetalayer replaces the value of a metalayer. The new value must have the same
// length.
func (e *Editor) SetMetalayer(name string, value []byte) error {
	if e.err != nil {
		return e.err
	}
	err := e.b.SetMetalayer(name, value)
	e.dirty = e.dirty || err == nil
	return err
}

// disorder records that the chunks are no longer stored in logical order.
func (e *Editor) disorder() {
	e.dirty = true
	e.wall = e.wall || e.b.stream.Ordered
	e.b.stream.Ordered = false
}

// store writes a chunk; the caller adds it to the index.
func (e *Editor) store(data []byte) (offset int64, err error) {
	c, err := e.encode(e.buf[:0], data)
	if err != nil {
		return 0, err
	}
	e.disorder()
	if err := e.write(c); err != nil {
		return 0, err
	}
	offset = e.b.pos - e.b.headerLen
	e.b.pos += int64(len(c))
	return offset, nil
}

// encode appends the chunk that holds data, with its record.
func (e *Editor) encode(dst, data []byte) ([]byte, error) {
	start := len(dst)
	c, err := e.enc.Encode(dst, data)
	if err == nil && e.b.checks {
		c = framing.AppendChunkRecord(c, c[start:])
	}
	e.buf = c[:0]
	return c, err
}

// cbytes returns the length of a chunk from encode, without its record.
func (e *Editor) cbytes(c []byte) int {
	if e.b.checks {
		return len(c) - recordLen
	}
	return len(c)
}

// write writes the next bytes of the frame. If the chunks are no longer in order, it
// first writes a few zeros, with which no chunk begins. If the changes are never
// committed, a recovery of appended chunks stops at these zeros.
func (e *Editor) write(b []byte) error {
	e.dirty = true
	if e.wall {
		if _, err := e.file.WriteAt(make([]byte, recordLen), e.b.pos); err != nil {
			return e.fail(err)
		}
		e.b.pos += recordLen
		e.wall = false
	}
	_, err := e.file.WriteAt(b, e.b.pos)
	return e.fail(err)
}

// fail records err as the error of all later calls.
func (e *Editor) fail(err error) error {
	if err != nil && e.err == nil {
		e.err = err
	}
	return err
}

// Commit durably makes all changes so far part of the frame: when it returns nil, they
// survive a power failure. If it returns an error, the frame is unchanged, unless only
// the last step failed.
//
// If no chunks remain, header and trailer must take at most 512 bytes together, because
// they are written at once: C-Blosc2 expects such a trailer at the header's end.
func (e *Editor) Commit() error {
	if e.err != nil || !e.dirty {
		return e.err
	}
	if len(e.sizes) == 0 {
		return e.commitEmpty()
	}
	head, err := e.b.endSegment(e.file)
	if err != nil {
		return e.fail(err)
	}
	e.heads = true
	if err := e.fail(writeHeader(e.file, e.file.Sync, 0, head, e.b.pos)); err != nil {
		return err
	}
	e.end, e.dirty, e.heads = e.b.pos, false, false
	return nil
}

// commitEmpty makes the frame one of only a header and a trailer.
func (e *Editor) commitEmpty() error {
	e.b.stream.Ordered, e.b.stream.Checks = true, false
	all, err := e.b.AppendEmpty(nil)
	if err != nil {
		return e.fail(err)
	}
	if len(all) > sector {
		return e.fail(blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "emptying a frame whose header and trailer have %d bytes, more than %d", len(all), sector))
	}
	e.heads = true
	if err := e.fail(writeHeader(e.file, e.file.Sync, 0, all, int64(len(all)))); err != nil {
		return err
	}
	e.heads = false
	e.b.checks, e.b.rec1, e.b.stream.Ordered = false, false, false
	e.end, e.dirty = e.b.pos, false
	return e.fail(e.file.Truncate(e.end))
}

// Close drops uncommitted changes. If a Commit failed in its last step, the next opening
// of the frame completes it or not. Close does not close the file. Methods called
// afterwards return blosc2.ErrClosed.
func (e *Editor) Close() error {
	if errors.Is(e.err, blosc2.ErrClosed) {
		return nil
	}
	var err error
	if e.dirty && !e.heads {
		err = e.file.Truncate(e.end)
	}
	e.err = blosc2.ErrClosed
	return err
}
