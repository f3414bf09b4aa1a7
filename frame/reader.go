package frame

import (
	"io"
	"slices"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// A Reader reads one frame at any place. Its methods may be called from many
// goroutines at once, if those of the source may.
type Reader struct {
	origin    io.ReaderAt // what Open was given
	src       io.ReaderAt // the frame, or the index file of a sparse one
	chunks    store
	size      int64 // of src
	cfg       config
	h         *header.Header
	raw       []byte // the header as it was read
	behind    []byte // what was read behind it at once, so that both are of one time
	mark      marking
	trailerAt int64
	frameLen  int64
	vlmeta    []meta.Layer // compressed
	index     []int64      // offsets from the header's end; special ones are negative
	rec1      bool         // a record stands behind the header
	cbytes    int64        // from the header's end to the index
	end       error        // what stands behind the last chunk: io.EOF, unless the frame is torn

	nbytes    int64
	irregular bool    // a chunk before the last one is shorter than it should be
	starts    []int64 // first decoded byte of each chunk and the end of all; nil where all have one size
	measure   sync.Once
	bad       error // of measure
	states    sync.Pool
}

// Open reads the header, index and trailer of the frame that begins at offset
// 0 of r, which holds size bytes. Bytes behind the frame are not looked at; a
// frame elsewhere in a file is opened through an io.SectionReader.
//
// Errors are *blosc2.FormatError and wrap blosc2.ErrCorrupt,
// blosc2.ErrChecksum, blosc2.ErrUnsupported, blosc2.ErrTooLarge or
// io.ErrUnexpectedEOF, or come from r.
func Open(r io.ReaderAt, size int64, opts ...Option) (*Reader, error) {
	f := &Reader{origin: r, src: r, size: size, end: io.EOF}
	for _, o := range opts {
		o(&f.cfg)
	}
	f.cfg.limits = f.cfg.limits.orDefault()
	if err := f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// open reads all but the chunks.
func (f *Reader) open() error {
	if err := f.readHeader(); err != nil {
		return err
	}
	if f.h.Type != header.Contiguous {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "this is the index of a sparse frame; open its directory")
	}
	f.chunks = contiguous{f.src, int64(len(f.raw)), int64(len(f.raw)) + f.h.CBytes}
	if f.mark.order == Unsealed {
		return f.scan()
	}
	if err := f.readEnds(); err != nil {
		return err
	}
	f.findIrregular()
	return nil
}

// firstRead is how much is read of a frame at first: the whole header, in most.
const firstRead = 1 << 10

// readHeader reads and judges the header.
func (f *Reader) readHeader() error {
	b, err := f.bytesAt(blosc2.PartHeader, 0, min(firstRead, f.size))
	if err != nil {
		return err
	}
	if head := findCopy(f.src, b, f.size, f.cfg.limits.Header); head != nil {
		f.src = overlay{head, f.src}
		b = head
	}
	n, err := header.Size(b)
	if err != nil {
		return noFrame(b, err)
	}
	if err := check(blosc2.PartHeader, "header", int64(n), f.cfg.limits.Header); err != nil {
		return err
	}
	if n > len(b)-RecordLen && int64(len(b)) < f.size {
		if b, err = f.bytesAt(blosc2.PartHeader, 0, min(int64(n)+RecordLen, f.size)); err != nil {
			return err
		}
	}
	if n > len(b) {
		return f.readAt(blosc2.PartHeader, nil, int64(n))
	}
	f.raw, f.behind = b[:n:n], b[n:]
	if f.h, err = header.Parse(f.raw); err != nil {
		return err
	}
	if f.mark, err = readMark(f.h); err != nil {
		return err
	}
	f.nbytes, f.cbytes, f.frameLen = f.h.NBytes, f.h.CBytes, int64(f.h.FrameLen)
	return f.cfg.limits.checkTotal(f.nbytes)
}

// readAt fills b from offset off of the source.
func (f *Reader) readAt(part blosc2.Part, b []byte, off int64) error {
	if off < 0 || int64(len(b)) > f.size-off {
		fe := blosc2.Errorf(part, io.ErrUnexpectedEOF, "%d bytes at %d of %d", len(b), off, f.size)
		fe.Offset = off
		return fe
	}
	n, err := f.src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF || err == nil {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// bytesAt reads n bytes at off, which are known to be within a limit; that
// they are there is checked before they get memory.
func (f *Reader) bytesAt(part blosc2.Part, off, n int64) ([]byte, error) {
	if n < 0 || n > f.size-off {
		return nil, f.readAt(part, nil, f.size+1)
	}
	b := make([]byte, n)
	return b, f.readAt(part, b, off)
}

// torn tells whether the frame breaks off.
func (f *Reader) torn() bool { return f.end != io.EOF }

// Header is the frame's header, which must not be changed.
func (f *Reader) Header() *header.Header { return f.h }

// RawHeader is the header as it is stored.
func (f *Reader) RawHeader() []byte { return slices.Clone(f.raw) }

// Order says whether the frame is sealed, and whether its chunks also stand in
// order.
func (f *Reader) Order() Order { return f.mark.order }

// Checked tells whether every chunk is bound to have a digest, and header and
// index had one that was right.
func (f *Reader) Checked() bool { return f.mark.checks }

// Size is the number of decoded bytes in all chunks.
func (f *Reader) Size() int64 { return f.nbytes }

// NumChunks is the number of chunks.
func (f *Reader) NumChunks() int64 { return int64(len(f.index)) }

// FrameLen is the number of bytes that the frame takes; what follows them in
// the source is none of its business. Of a sparse frame it is that of the
// index file.
func (f *Reader) FrameLen() int64 { return f.frameLen }

// Metalayers lists the metalayers, whose values must not be changed.
func (f *Reader) Metalayers() []meta.Layer { return f.h.Layers }

// Metalayer gives the value of a metalayer, which must not be changed.
func (f *Reader) Metalayer(name string) ([]byte, bool) { return meta.Find(f.h.Layers, name) }

// VLMetalayers gives the vlmetalayers, decompressed.
func (f *Reader) VLMetalayers() ([]meta.Layer, error) { return decodeVLMeta(f.vlmeta, f.cfg.limits) }

// VLMeta gives the value of one vlmetalayer, decompressed.
func (f *Reader) VLMeta(name string) (value []byte, ok bool, err error) {
	for _, l := range f.vlmeta {
		if l.Name == name {
			layers, err := decodeVLMeta([]meta.Layer{l}, f.cfg.limits)
			if err != nil {
				return nil, true, err
			}
			return layers[0].Value, true, nil
		}
	}
	return nil, false, nil
}
