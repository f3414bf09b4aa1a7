package frame

import (
	"bytes"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// Magic begins every frame that can follow another one in a stream.
const Magic = "\x9e\xa8b2frame\x00"

// WalkerOptions says how a source is walked.
type WalkerOptions struct {
	Limits Limits
	// Single ends the walk behind the first frame. Otherwise a frame that
	// follows right behind it continues the stream.
	Single bool
}

// A Walker reads frames front to back, without an index and without ever
// looking ahead: a chunk that has arrived is given out before anything that
// follows it is read. It belongs to one goroutine and starts none.
//
// What the source may hold at each place is told in the package's description.
// Errors are sticky. A source that ends early is io.ErrUnexpectedEOF, also one of no
// bytes at all; a frame that can only be read by its index is
// blosc2.ErrNotSequential.
type Walker struct {
	src    source
	lim    Limits
	single bool
	place  place
	err    error

	// of the frame at hand
	start    int64 // where it begins in the source
	raw      []byte
	h        *header.Header
	mark     marking
	offsets  []int64 // of its chunks, from the header's end
	sum      int64   // their decoded bytes
	before   int64   // those of earlier frames
	last     int64   // those of the last one
	indexAt  int64   // where the last index began, or would have
	indexOK  bool    // it named exactly the chunks so far
	vlmeta   []meta.Layer
	trailing []byte
	scratch  [minChunk]byte
}

// place says what is to come next.
type place uint8

const (
	atHeader place = iota
	atChunk
	atEnd // behind a frame
)

// NewWalker walks r. It reads nothing yet.
func NewWalker(r io.Reader, o WalkerOptions) *Walker {
	return &Walker{src: source{r: r}, lim: o.Limits.orDefault(), single: o.Single}
}

// newScanner walks a source that is at hand as a whole, without reading the
// chunks: the items have the first 32 bytes of each alone.
func newScanner(r io.ReaderAt, size int64, lim Limits) *Walker {
	at := io.NewSectionReader(r, 0, size)
	return &Walker{src: source{r: at, at: at}, lim: lim.orDefault(), single: true}
}

// Header gives the header of the frame at hand, and reads the first one if
// need be. Where the frame can only be read by its index the header comes with
// an error that is blosc2.ErrNotSequential: the caller may then take the rest
// of the frame from the source itself, h.FrameLen bytes that begin with
// RawHeader, and go on with Resume.
func (w *Walker) Header() (*header.Header, error) {
	if w.err == nil && w.h == nil {
		w.err = w.readHeader(nil)
	}
	return w.h, w.err
}

// RawHeader is the header at hand as it was read.
func (w *Walker) RawHeader() []byte { return w.raw }

// Order says whether the frame at hand is sealed.
func (w *Walker) Order() Order { return w.mark.order }

// Pos is the number of bytes that were taken from the source.
func (w *Walker) Pos() int64 { return w.src.pos }

// VLMeta gives the vlmetalayers of the last frame whose end was reached,
// decompressed.
func (w *Walker) VLMeta() ([]meta.Layer, error) { return decodeVLMeta(w.vlmeta, w.lim) }

// Trailing gives the bytes behind the last frame, as far as they were read to
// see that they begin no frame; more may follow them in the source. Nil where
// the source ended with the frame.
func (w *Walker) Trailing() []byte { return w.trailing }

// Resume goes on behind a frame that was refused with blosc2.ErrNotSequential,
// and that the caller has meanwhile read to its end from the source.
func (w *Walker) Resume() {
	w.src.pos = w.start + int64(w.h.FrameLen)
	w.err, w.place = nil, atEnd
}

// Next gives the next chunk. Its bytes are read into buf where they fit with
// RecordLen bytes to spare, else into a new buffer. Behind the last frame the
// error is io.EOF.
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

// readHeader reads the header of the next frame, whose first bytes may be known.
func (w *Walker) readHeader(known []byte) error {
	w.start = w.src.pos - int64(len(known))
	raw, err := w.src.grow(blosc2.PartHeader, known, int64(header.MinPrefix-len(known)))
	if err != nil {
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
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrNotSequential, "no mark that holds")
	}
	if w.mark.order == Sealed && h.NBytes == 0 {
		return w.emptyFrame()
	}
	w.place = atChunk
	if w.mark.checks {
		rec, err := w.record(blosc2.PartHeader, kindHeader)
		if err == nil && rec.value != Digest(raw) {
			err = w.errorf(blosc2.PartHeader, blosc2.ErrChecksum, "the record behind it has another digest; if the frame was changed on purpose, seal --renew accepts it")
		}
		return err
	}
	return nil
}

// noFrame is the error for a source that ends before a header does: err, unless
// what there is begins no frame.
func noFrame(b []byte, err error) error {
	if len(b) == 0 || len(b) >= header.MinPrefix || !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	n := min(len(b), len(Magic))
	if b[0] >= 0x9b && b[0] <= 0x9e && string(b[1:n]) == Magic[1:n] {
		return err
	}
	return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "no frame begins with % x", b)
}

// emptyFrame reads the trailer of a sealed frame without data.
func (w *Walker) emptyFrame() error {
	w.indexAt, w.indexOK = w.src.pos, true
	if err := w.trailer(nil); err != nil {
		return err
	}
	return w.endOfSegment()
}

// record reads a record that must be there.
func (w *Walker) record(part blosc2.Part, k kind) (record, error) {
	b := w.scratch[:RecordLen]
	if _, err := w.src.full(blosc2.PartRecord, b); err != nil {
		return record{}, err
	}
	rec, ok := parseRecord(b)
	if !ok || rec.kind != k {
		return rec, w.errorf(part, blosc2.ErrChecksum, "its record is missing")
	}
	return rec, nil
}

// nextFrame looks at what stands behind a frame.
func (w *Walker) nextFrame() error {
	if w.single {
		return io.EOF
	}
	b := make([]byte, 0, header.MinPrefix)
	for len(b) < len(Magic) {
		n := len(Magic) - len(b)
		if len(b) == 0 {
			n = 1 // so that a single foreign byte ends the stream
		}
		got, err := io.ReadFull(w.src.r, b[len(b):len(b)+n])
		b = b[:len(b)+got]
		w.src.pos += int64(got)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		if err != nil || !bytes.HasPrefix([]byte(Magic), b) {
			if len(b) > 0 {
				w.trailing = b
			}
			return io.EOF
		}
	}
	return w.readHeader(b)
}

// errorf is an error at the present place.
func (w *Walker) errorf(part blosc2.Part, err error, format string, args ...any) error {
	fe := blosc2.Errorf(part, err, format, args...)
	fe.Offset = w.src.pos
	return fe
}
