package frame

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
	"github.com/seed03b80dae/blosc2/ranges"
)

// A Reader reads one frame at any offset. Its methods may be called by several
// goroutines if the source's methods may.
type Reader struct {
	origin    io.ReaderAt // the argument of Open
	src       io.ReaderAt // the frame, or the index file of a sparse one
	chunks    store
	size      int64 // number of bytes in src
	cfg       config
	h         *header.Header
	raw       []byte // the header as it was read
	rest      []byte // bytes after the header that the same read returned, so that both are consistent
	mark      marking
	trailerAt int64
	frameLen  int64
	tailAt    int64        // offset of the tail's record; 0 if there is no valid one
	tailSum   uint64       // digest in that record
	vlmeta    []meta.Layer // compressed
	index     []int64      // offsets of the chunks from the header's end; those of special chunks are negative
	rec1      bool         // a record follows the header
	cbytes    int64        // number of bytes from the header's end to the index
	end       error        // the error after the last chunk: io.EOF, unless the frame is torn
	whole     int64        // offset after the last chunk that scan found
	progress  *progress    // progress of the writer of an open frame; nil for any other frame
	lost      *loss        // loss of flushed data; nil if no loss is known

	ending  sync.Once
	openEnd int64 // end of an open frame
	watch   watched

	rows  *rowLayout // layout of the rows in an open frame, if the last slab of its array is incomplete
	nrows int64      // number of rows in that array

	nbytes    int64
	irregular bool    // a chunk that is not the last one is shorter than it should be
	starts    []int64 // decoded offset of each chunk, and the end of the last; nil if all have one size
	measure   sync.Once
	bad       error // the error of measure
	states    sync.Pool
	mem       memory
	resets    int // number of times that Reset was called, for a cache

	ahead   *ranges.Ahead // src if that is remote, otherwise nil
	memory  []byte        // the bytes of src, if they are in memory: see framing.InMemory
	ends    []int32       // where the blocks of the first chunk end, if known: see learn
	atOnce  atomic.Bool   // read the first chunk with one request: see framing.FirstChunk
	sorting sync.Once
	places  []int64 // the offsets in the index, sorted; for stretch

	slabs     sync.Once
	shortSlab int64 // first chunk of an incomplete last slab; see inShortSlab
}

// Open reads the header, index and trailer of the frame that begins at offset 0 of r,
// which holds size bytes. It does not read bytes after the frame: see Follows. For a
// frame elsewhere in a file, use an io.SectionReader. If r has a Stat method, as a file
// has, and the frame has grown beyond size, Open reads its current state.
//
// Errors are a *blosc2.FormatError that wraps blosc2.ErrCorrupt, blosc2.ErrChecksum,
// blosc2.ErrUnsupported, blosc2.ErrTooLarge or io.ErrUnexpectedEOF, or are errors of r. A
// source that is not a frame returns blosc2.ErrNotBlosc2.
func Open(r io.ReaderAt, size int64, opts ...Option) (*Reader, error) {
	f := NewReader(opts...)
	if err := f.Reset(r, size); err != nil {
		return nil, err
	}
	return f, nil
}

// NewReader returns a Reader that has no frame yet. Reset opens one.
func NewReader(opts ...Option) *Reader {
	f := &Reader{cfg: newConfig(opts)}
	f.cfg.limits = f.cfg.limits.orDefault()
	return f
}

// Reset opens another frame, as Open does, and reuses the memory. Nothing of the last
// frame may be in use, except its Header and metalayers. After an error no other method
// may be called.
func (f *Reader) Reset(r io.ReaderAt, size int64) error {
	if r == nil || size < 0 {
		return &blosc2.OptionError{Option: "source of a frame", Value: size, Range: "an io.ReaderAt and its size"}
	}
	*f = Reader{origin: r, src: r, size: size, end: io.EOF, cfg: f.cfg, index: f.index[:0], mem: f.mem, resets: f.resets + 1}
	f.setSource(r)
	err := f.open()
	f.mem.trim()
	return err
}

// open reads everything except the chunks. If the writer of an open frame commits
// meanwhile, it reads again. A header that is read while it is written may be partly old
// and partly new. It looks damaged, or changed by C-Blosc2, but soon changes again.
func (f *Reader) open() error {
	for try := 0; ; try++ {
		err := f.openOnce()
		if settled := err == nil || err == ErrUnsealed; try == openTries || settled && !f.mark.open && !f.mark.edited {
			return err
		}
		if f.mark.edited && f.mark.opened && try == 0 && !f.headerChanged() {
			time.Sleep(headerPause)
		}
		if !f.headerChanged() && !f.resized(err) {
			return err
		}
		f.rows, f.index, f.starts, f.progress, f.lost, f.vlmeta, f.irregular, f.rec1, f.end, f.src = nil, nil, nil, nil, nil, nil, false, false, io.EOF, f.origin
		f.setSource(f.origin)
		f.tailAt, f.tailSum = 0, 0
	}
}

// openTries is the number of times that an open frame which changes during Open is read
// again. Each try fails only if the writer commits during it, so a few suffice.
const openTries = 20

// headerPause is the time to wait for a change of a header that may be half written. In
// such a header the sizes differ from those of the mark, and the mark says that the frame
// is open.
const headerPause = time.Millisecond

// resized reports whether err means that the source ends too early, and its size is not what
// it was when it was determined: a writer has extended the file, or cut it off after the end
// of its frame. If so, resized sets the new size.
func (f *Reader) resized(err error) bool {
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	was := f.size
	if now, ok := fsio.Size(f.origin); ok {
		f.size = now
	}
	return f.size != was
}

// sizeNow returns the current size of the source.
func (f *Reader) sizeNow() int64 {
	size, _ := fsio.Size(f.origin)
	return max(size, f.size)
}

// headers holds buffers for headers that are read again.
var headers = sync.Pool{New: func() any { return new([]byte) }}

// headerChanged reports whether the header or its record has changed.
func (f *Reader) headerChanged() bool {
	if f.origin == nil { // a view of a frame that this process is changing
		return false
	}
	n := len(f.raw)
	buf := headers.Get().(*[]byte)
	defer headers.Put(buf)
	*buf = slices.Grow((*buf)[:0], n+recordLen)
	now := (*buf)[:n+recordLen]
	got, err := f.origin.ReadAt(now, 0)
	if err != nil && err != io.EOF || got < n || !bytes.Equal(now[:n], f.raw) {
		return true
	}
	was, ok := parseRecord(f.rest)
	rec, still := parseRecord(now[n:got])
	return ok && (!still || rec != was)
}

// openOnce reads the frame once.
func (f *Reader) openOnce() error {
	f.watch = watched{ReaderAt: f.src}
	f.src = &f.watch
	return f.watch.end(f.openParts())
}

// openParts reads the parts of the frame, but not the chunks.
func (f *Reader) openParts() error {
	front, err := f.holdFront()
	if err != nil {
		return err
	}
	defer front.Release()
	if err := f.readHeader(); err != nil {
		return err
	}
	if f.h.Type != header.Contiguous {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "this is the index of a sparse frame; open its directory")
	}
	f.mem.store = contiguous{f.src, int64(len(f.raw)), int64(len(f.raw)) + f.h.CBytes}
	f.chunks = &f.mem.store
	if f.mark.order == Unsealed && !f.mark.open {
		return f.scan()
	}
	if f.mark.order != Unsealed {
		tail, err := f.holdTail()
		if err != nil {
			return err
		}
		defer tail.Release()
		if err := f.readEnds(); err != nil {
			return err
		}
		f.findIrregular()
		f.learn()
	}
	if !f.mark.open {
		return nil
	}
	if f.mark.order == Unsealed {
		if err := f.checkHeader(); err != nil {
			return err
		}
		f.end = blosc2.Errorf(blosc2.PartHeader, io.ErrUnexpectedEOF, "the frame is not finished: its writer is active or has died")
	}
	return f.catchUp()
}

// firstRead is the size of the first read of a frame, which usually includes the
// whole header.
const firstRead = 1 << 10

// readHeader reads the header and checks it.
func (f *Reader) readHeader() error {
	if f.size == 0 {
		return blosc2.Errorf(blosc2.PartHeader, io.ErrUnexpectedEOF, "the source is empty: nothing was written, or flushed")
	}
	b, err := f.intoAt(&f.mem.first, blosc2.PartHeader, 0, min(firstRead, f.size))
	if err != nil {
		return err
	}
	if head := findCopy(f.src, b, f.size, f.cfg.limits.Header, f.mem.scratch[:]); head != nil {
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
	if n > len(b)-recordLen && int64(len(b)) < f.size {
		if b, err = f.intoAt(&f.mem.first, blosc2.PartHeader, 0, min(int64(n)+recordLen, f.size)); err != nil {
			return err
		}
	}
	if n > len(b) {
		return blosc2.Errorf(blosc2.PartHeader, io.ErrUnexpectedEOF, "truncated: has %d of %d bytes", len(b), n)
	}
	f.raw, f.rest = b[:n:n], b[n:]
	if f.h, err = header.Parse(f.raw); err != nil {
		return err
	}
	if f.mark, err = readMark(f.h); err != nil {
		return err
	}
	if f.cfg.sealed && !f.mark.open && (f.mark.order == Unsealed || f.mark.order == Sealed && f.h.FrameLen > uint64(f.size)) {
		return ErrUnsealed
	}
	f.nbytes, f.cbytes, f.frameLen = f.h.NBytes, f.h.CBytes, int64(f.h.FrameLen)
	return f.cfg.limits.checkTotal(f.nbytes)
}

// readAt fills b from offset off of the source.
func (f *Reader) readAt(part blosc2.Part, b []byte, off int64) error {
	if off < 0 || int64(len(b)) > f.size-off {
		return errorAt(off, part, io.ErrUnexpectedEOF, "%d bytes at offset %d are not within the source's %d bytes", len(b), off, f.size)
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

// bytesAt reads n bytes at off. The caller has checked n against a limit;
// bytesAt checks the source's size before it allocates memory.
func (f *Reader) bytesAt(part blosc2.Part, off, n int64) (b []byte, err error) {
	return f.intoAt(&b, part, off, n)
}

// intoAt is like bytesAt, but reuses the memory of buf if it is large enough.
func (f *Reader) intoAt(mem *[]byte, part blosc2.Part, off, n int64) ([]byte, error) {
	if n < 0 || n > f.size-off {
		return nil, f.readAt(part, nil, f.size+1)
	}
	if int64(cap(*mem)) < n {
		*mem = make([]byte, n)
	}
	*mem = (*mem)[:n]
	return *mem, f.readAt(part, *mem, off)
}

// torn reports whether the frame is truncated.
func (f *Reader) torn() bool { return f.end != io.EOF }

// Header returns the frame's header, which must not be changed.
func (f *Reader) Header() *header.Header { return f.h }

// RawHeader returns the stored header.
func (f *Reader) RawHeader() []byte { return slices.Clone(f.raw) }

// Order returns how the chunks of the frame can be found.
func (f *Reader) Order() Order { return f.mark.order }

// Checked reports whether every chunk must have a digest, and the digests of header
// and index were valid.
func (f *Reader) Checked() bool { return f.mark.checks }

// Size returns the number of decoded bytes in all chunks.
func (f *Reader) Size() int64 { return f.nbytes }

// NumChunks returns the number of chunks in the frame.
func (f *Reader) NumChunks() int64 { return int64(len(f.index)) }

// FrameLen returns the length of the frame in bytes. The length of a sparse frame is that
// of its index file. An open frame extends to the end of the source, or to the next
// frame.
func (f *Reader) FrameLen() int64 {
	if f.mark.open {
		f.ending.Do(func() { f.openEnd = f.endOfOpen() })
		return f.openEnd
	}
	return f.frameLen
}

// Open reports whether the writer of the frame has not closed it, because it is still
// writing or has died. Such a frame is read up to its last flush. The next writer that
// continues the frame closes it, and so does Seal.
func (f *Reader) Open() bool { return f.mark.open }

// Metalayers returns the metalayers, whose values must not be changed.
func (f *Reader) Metalayers() []meta.Layer { return f.h.Layers }

// Metalayer returns the value of a metalayer, which must not be changed.
func (f *Reader) Metalayer(name string) ([]byte, bool) { return meta.Find(f.h.Layers, name) }

// VLMetalayers returns the vlmetalayers, decompressed.
func (f *Reader) VLMetalayers() ([]meta.Layer, error) { return decodeVLMeta(f.vlmeta, f.cfg.limits) }

// VLMeta returns the value of one vlmetalayer, decompressed.
func (f *Reader) VLMeta(name string) (value []byte, ok bool, err error) {
	packed, ok := meta.Find(f.vlmeta, name)
	if !ok {
		return nil, false, nil
	}
	layers, err := decodeVLMeta([]meta.Layer{{Name: name, Value: packed}}, f.cfg.limits)
	if err != nil {
		return nil, true, err
	}
	return layers[0].Value, true, nil
}
