package frame

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// SingleFrame ends a walk after the first frame. Without it the next frame
// continues the stream.
func SingleFrame() Option { return func(c *config) { c.single = true } }

// A Walker reads frames front to back. It needs no index and does not read ahead: it
// returns a chunk before it reads the bytes after it. It belongs to one goroutine and
// starts none.
//
// docs/format/stream.md says what the source may hold at each position. After an error,
// every later call returns it again. A source that is empty or ends early returns
// io.ErrUnexpectedEOF, one that is not a frame returns blosc2.ErrNotBlosc2, and a frame
// that can only be read by its index returns blosc2.ErrNotSequential. Bytes after the
// last frame are not an error of Next: see After.
type Walker struct {
	src    source
	lim    Limits
	single bool
	buffer func(n int) []byte
	place  place
	err    error

	// These fields describe the current frame.
	start    int64 // offset of the frame in the source
	raw      []byte
	h        *header.Header
	mark     marking
	offsets  []int64 // offsets of its chunks, from the header's end
	sum      int64   // decoded bytes of its chunks
	before   int64   // decoded bytes of earlier frames
	last     int64   // decoded bytes of the last chunk
	indexAt  int64   // offset of the last index, or where the index would be
	indexOK  bool    // the last index matched the chunks that precede it
	vlmeta   []meta.Layer
	trailing []byte
	after    error // error about trailing
	scratch  [minChunk]byte
	part     [512]byte // part of an index, or a short index
	end      []byte    // memory for a trailer
}

// A place says which part of the source comes next.
type place uint8

const (
	atHeader place = iota
	atChunk
	atEnd // after a frame
)

// NewWalker returns a Walker that reads r. It does not read yet. The options
// are SingleFrame and WithLimits. For a nil r, Header and Next return a
// *blosc2.OptionError.
func NewWalker(r io.Reader, opts ...Option) *Walker {
	c := newConfig(opts)
	w := &Walker{lim: c.limits.orDefault(), single: c.single}
	w.Reset(r)
	return w
}

// Reset makes w read r from the start, with the options of NewWalker. It reuses
// memory, except that of headers and vlmetalayers, which remain valid.
func (w *Walker) Reset(r io.Reader) {
	*w = Walker{src: source{r: r}, lim: w.lim, single: w.single, buffer: w.buffer, raw: w.raw[:0], offsets: w.offsets[:0], end: w.end[:0]}
	w.err = framing.Need(r != nil, "source", "an io.Reader")
}

// newScanner returns a Walker of a random-access source that skips chunks: an
// item has only the first 32 bytes of its chunk.
func newScanner(r io.ReaderAt, size int64, lim Limits) *Walker {
	at := io.NewSectionReader(r, 0, size)
	return &Walker{src: source{r: at, at: at}, lim: lim.orDefault(), single: true}
}

// Header returns the header of the current frame, reading the first one if
// necessary. If the frame can only be read by its index, Header also returns
// the error blosc2.ErrNotSequential: the caller may then read the rest of the
// frame from the source, h.FrameLen bytes that begin with RawHeader, and
// continue with Resume.
func (w *Walker) Header() (*header.Header, error) {
	if w.err == nil && w.h == nil {
		w.err = w.readHeader(nil)
	}
	return w.h, w.err
}

// RawHeader returns the stored header of the current frame.
func (w *Walker) RawHeader() []byte { return w.raw }

// Order returns how the chunks of the current frame can be found.
func (w *Walker) Order() Order { return w.mark.order }

// Open reports whether the writer of the current frame has not closed it. Such a frame is
// read by its index, and extends to the end of the source.
func (w *Walker) Open() bool { return w.mark.open }

// Pos returns the number of bytes read from the source.
func (w *Walker) Pos() int64 { return w.src.pos }

// VLMeta returns the vlmetalayers of the last frame whose end was reached,
// decompressed.
func (w *Walker) VLMeta() ([]meta.Layer, error) { return decodeVLMeta(w.vlmeta, w.lim) }

// Trailing returns the bytes that were read after the last frame and do not begin a
// frame. More bytes may follow in the source. It returns nil if the source ended with the
// frame.
func (w *Walker) Trailing() []byte { return w.trailing }

// After returns an error that wraps blosc2.ErrTrailing if the bytes of Trailing are not
// uncommitted data of a writer. It returns nil if there are no such bytes, and before
// Next has returned io.EOF.
func (w *Walker) After() error { return w.after }

// Resume continues after a frame for which Header returned blosc2.ErrNotSequential.
// The caller must have read it to its end from the source.
func (w *Walker) Resume() {
	w.src.pos = w.start + int64(w.h.FrameLen)
	w.err, w.place = nil, atEnd
}

// Next returns the next chunk. It reads the chunk into buf if it fits with 16 bytes
// to spare, otherwise into new memory. After the last frame the error is io.EOF.
func (w *Walker) Next(buf []byte) (Item, error) {
	for w.err == nil {
		switch w.place {
		case atHeader:
			w.err = w.readHeader(nil)
		case atEnd:
			w.err = w.nextFrame()
		case atChunk:
			var it Item
			var ok bool
			it, ok, w.err = w.step(buf[:0])
			if ok && w.err == nil {
				return it, nil
			}
		}
	}
	return Item{}, w.err
}

// readHeader reads the header of the next frame. Its first bytes may have been read
// already.
func (w *Walker) readHeader(known []byte) error {
	w.start = w.src.pos - int64(len(known))
	raw := append(slices.Grow(w.raw[:0], header.MinPrefix), known...)
	got, err := w.src.lead(blosc2.PartHeader, raw[len(raw):header.MinPrefix], func(b []byte) bool {
		return beginsFrame(raw[:len(raw)+len(b)])
	})
	raw = raw[:len(raw)+got]
	if err != nil || !beginsFrame(raw) {
		return noFrame(raw, err)
	}
	n, err := header.Size(raw)
	if err != nil {
		return err
	}
	if err := check(blosc2.PartHeader, "header", int64(n), w.lim.Header); err != nil {
		return err
	}
	if raw, err = w.src.grow(blosc2.PartHeader, raw, int64(n-len(raw))); err != nil {
		return err
	}
	h, err := header.Parse(raw)
	if err != nil {
		return err
	}
	w.raw, w.h = raw, h
	w.before += w.sum
	w.offsets, w.sum, w.last, w.vlmeta = w.offsets[:0], 0, 0, nil
	if w.mark, err = readMark(h); err != nil {
		return err
	}
	if w.mark.order == ByIndex {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrNotSequential, "no valid mark")
	}
	if w.mark.open {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrNotSequential, "its writer has not closed it")
	}
	if w.mark.order == Sealed && h.NBytes == 0 {
		return w.emptyFrame()
	}
	w.place = atChunk
	if w.mark.checks {
		rec, err := w.record(blosc2.PartHeader, kindHeader)
		if err == nil && rec.value != framing.Digest(raw) {
			err = w.errorf(blosc2.PartHeader, blosc2.ErrChecksum, "the digest in the record after it does not match; %s", renewHint)
		}
		return err
	}
	return nil
}

// noFrame returns the error for a source with an incomplete header. b holds the bytes
// that were read. The error is err if b can begin a frame, or if
// reading failed.
func noFrame(b []byte, err error) error {
	if beginsFrame(b) || err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return header.Foreign(b)
}

// emptyFrame reads the trailer of a sealed frame without data.
func (w *Walker) emptyFrame() error {
	w.indexAt, w.indexOK = w.src.pos, true
	if err := w.trailer(nil); err != nil {
		return err
	}
	return w.endOfSegment()
}

// record reads a mandatory record.
func (w *Walker) record(part blosc2.Part, k kind) (record, error) {
	b := w.scratch[:recordLen]
	if _, err := w.src.full(blosc2.PartRecord, b); err != nil {
		return record{}, err
	}
	rec, ok := parseRecord(b)
	if !ok || rec.kind != k {
		return rec, w.errorf(part, blosc2.ErrChecksum, "its record is missing")
	}
	return rec, nil
}

// nextFrame reads the bytes after a frame.
func (w *Walker) nextFrame() error {
	if w.single {
		return io.EOF
	}
	end := w.src.pos
	b, what, err := readAfter(w.src.r, end, w.scratch[:])
	w.src.pos += int64(len(b))
	switch {
	case err != nil:
		return err
	case what == another:
		return w.readHeader(b)
	case what == foreign && !leavesBytes(w.h):
		w.after = trailing(b, end)
	}
	if len(b) > 0 {
		w.trailing = bytes.Clone(b)
	}
	return io.EOF
}

// errorf returns an error at the current offset.
func (w *Walker) errorf(part blosc2.Part, err error, format string, args ...any) error {
	return errorAt(w.src.pos, part, err, format, args...)
}
