package frame

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/meta"
)

// RepairOptions says how Repair works.
type RepairOptions struct {
	Limits Limits
	// Fill puts zeros where a chunk is lost. Otherwise a chunk stands there
	// that cannot be decoded, so that nobody takes it for data.
	Fill bool
	// Tail also takes the whole chunks behind a sealed frame, which were
	// written but not committed.
	Tail bool
	// Guess looks for chunks front to back where nothing says that they stand
	// in order.
	Guess bool
}

// Repaired tells what Repair did.
type Repaired struct {
	Frames int    // frames that stood behind each other, as they do in the new file
	Found  string // what told where the chunks are; of the last frame
	Mended bool   // a flipped bit of a header was put right
	Chunks int64  // chunks in the new file
	NBytes int64  // their decoded bytes, lost ones included
	Tail   int64  // chunks that were not committed
	Lost   []Lost
}

// A Lost chunk could not be recovered.
type Lost struct {
	Frame      int   // number of the frame in the file
	N          int64 // number of the chunk in it
	Start, End int64 // the bytes of the frame that it held
	Err        error // what was wrong with it
}

// Repair makes a sound frame, in dst, of what is whole of the one in src, which
// has size bytes. Every chunk that is whole keeps its place. Where the chunks
// are is told by the frame's index, else, if the frame is marked as ordered, by
// walking over its chunks, past those that are damaged, else by the newest
// index that is whole; otherwise the error is blosc2.ErrCorrupt, unless
// guessing is allowed. dst must not be src.
func Repair(dst File, src io.ReaderAt, size int64, o RepairOptions) (*Repaired, error) {
	o.Limits = o.Limits.orDefault()
	rep := new(Repaired)
	for from, to := int64(0), int64(0); ; rep.Frames++ {
		r := &repairer{o: o, src: io.NewSectionReader(src, from, size-from), size: size - from, rep: rep}
		if err := r.readHeader(); err != nil {
			return nil, err
		}
		if err := r.findChunks(); err != nil {
			return nil, err
		}
		n, err := r.write(part{dst, to})
		if err != nil {
			return nil, err
		}
		next := r.next()
		if next == 0 {
			rep.Frames++
			return rep, nil
		}
		from, to = from+next, to+n
	}
}

// part is a file from some place on.
type part struct {
	File
	base int64
}

func (p part) ReadAt(b []byte, off int64) (int, error)  { return p.File.ReadAt(b, p.base+off) }
func (p part) WriteAt(b []byte, off int64) (int, error) { return p.File.WriteAt(b, p.base+off) }
func (p part) Truncate(size int64) error                { return p.File.Truncate(p.base + size) }

// repairer is a repair under way.
type repairer struct {
	guess  guessing
	o      RepairOptions
	src    io.ReaderAt
	size   int64
	rep    *Repaired
	h      *header.Header
	raw    []byte
	order  bool // chunks stand in order
	checks bool // records stand behind them
	found  []found
	vlmeta []meta.Layer
	whole  *Reader // the frame, where it could be opened

	filled     []byte // the chunk for those that are lost
	filledSize int    // the decoded bytes of it; there are many lost ones of one size
}

// found is a place where a chunk is or was.
type found struct {
	at     int64 // -1: an entry of the index alone
	nbytes int64 // 0: unknown
	again  bool  // it stands for the one before
	index  bool  // the index of a frame that could be opened names it
	err    error // why there is none
}

// readHeader reads the header, and if its digest is wrong tries whether one
// flipped bit was the reason.
func (r *repairer) readHeader() error {
	b := make([]byte, min(r.size, r.o.Limits.Header))
	n, err := r.src.ReadAt(b[:min(int64(len(b)), firstRead)], 0)
	if err != nil && err != io.EOF {
		return err
	}
	b = b[:n]
	if head := findCopy(r.src, b, r.size, r.o.Limits.Header, make([]byte, RecordLen)); head != nil {
		r.src = overlay{head, r.src}
		copy(b, head)
	}
	if h, raw, ok := checkedHeader(b); ok {
		r.h, r.raw = h, raw
		return r.flags()
	}
	for bit := range 8 * len(b) {
		b[bit/8] ^= 1 << (bit % 8)
		if h, raw, ok := checkedHeader(b); ok {
			r.h, r.raw, r.rep.Mended = h, append([]byte(nil), raw...), true
			r.src = overlay{append([]byte(nil), b[:len(raw)+RecordLen]...), r.src}
			return r.flags()
		}
		b[bit/8] ^= 1 << (bit % 8)
	}
	return r.uncheckedHeader()
}

// checkedHeader parses a header whose digest stands behind it and is right.
func checkedHeader(b []byte) (*header.Header, []byte, bool) {
	n, err := header.Size(b)
	if err != nil || n > len(b)-RecordLen {
		return nil, nil, false
	}
	rec, ok := parseRecord(b[n:])
	if !ok || rec.kind != kindHeader || rec.value != Digest(b[:n]) {
		return nil, nil, false
	}
	h, err := header.Parse(b[:n])
	return h, b[:n], err == nil
}

// uncheckedHeader reads a header that has no digest, or none that is right.
func (r *repairer) uncheckedHeader() error {
	f := &Reader{origin: r.src, src: r.src, size: r.size, cfg: config{limits: r.o.Limits}}
	if err := f.readHeader(); err != nil {
		return err
	}
	r.h, r.raw = f.h, f.raw
	return r.flags()
}

// flags takes what the mark says of how the frame was written. Where C-Blosc2
// has edited the frame since, its chunks need no longer stand in order, nor
// have records.
func (r *repairer) flags() error {
	if m, err := readMark(r.h); err == nil {
		r.order, r.checks = m.order != ByIndex, m.checks
	}
	if r.h.Generation != header.Current || r.h.Type != header.Contiguous {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "repairing a frame of the %s layout or of a directory", r.h.Generation)
	}
	return nil
}

// findChunks decides where the chunks are.
func (r *repairer) findChunks() error {
	f, err := Open(r.src, r.size, WithLimits(r.o.Limits))
	switch {
	case err == nil:
		r.rep.Found = "the index"
		r.whole, r.vlmeta = f, f.vlmeta
		r.fromIndex(f.index, int64(len(f.raw)))
		if r.o.Tail && r.order && f.frameLen < r.size && !f.mark.open {
			n := len(r.found)
			r.walk(f.frameLen)
			r.rep.Tail += int64(len(r.found) - n)
		}
	case r.order || r.o.Guess:
		r.rep.Found = "the chunks themselves, front to back"
		r.walk(r.firstChunk())
		r.preferTail()
		r.lastOpen()
	case r.lastTail() != nil:
		r.rep.Found = "an older index"
	default:
		return fmt.Errorf("blosc2: repair: no index is whole, and the chunks need not stand in order: %w", err)
	}
	return nil
}

// preferTail takes the newest index that is whole where it names more chunks
// than were found without it.
func (r *repairer) preferTail() {
	walked, vlmeta := r.found, r.vlmeta
	r.found = nil
	if len(r.lastTail()) > len(walked) {
		r.rep.Found = "an older index"
		return
	}
	r.found = walked
	if vlmeta != nil {
		r.vlmeta = vlmeta
	}
}

// firstChunk is where the first chunk stands in an ordered frame.
func (r *repairer) firstChunk() int64 {
	at := int64(len(r.raw))
	var b [RecordLen]byte
	if n, _ := r.src.ReadAt(b[:], at); n == len(b) {
		if rec, ok := parseRecord(b[:]); r.checks || ok && rec.kind == kindHeader {
			at += RecordLen
		}
	}
	return at
}

// fromIndex takes the chunks from the entries of an index.
func (r *repairer) fromIndex(index []int64, first int64) {
	for _, o := range index {
		at := int64(-1)
		if o >= 0 {
			at = first + o
		}
		r.found = append(r.found, found{at: at, index: r.whole != nil})
	}
}

// write makes the new frame.
func (r *repairer) write(dst File) (size int64, err error) {
	h := *r.h
	if r.whole != nil && r.whole.rows != nil {
		value, err := withRows(h.Layers, r.whole.nrows)
		if err != nil {
			return 0, err
		}
		h.Layers = slices.Clone(h.Layers)
		i := slices.IndexFunc(h.Layers, func(l meta.Layer) bool { return l.Name == meta.B2NDName })
		h.Layers[i].Value = value
	}
	special := slices.ContainsFunc(r.found, func(c found) bool { return c.at < 0 })
	w, err := newRewriter(dst, &h, BuilderOptions{Checks: true, Unordered: special && !h.VariableChunks}, r.o.Limits)
	if err != nil {
		return 0, err
	}
	var buf, out []byte
	for n, c := range r.found {
		it, err := r.take(buf, int64(n), c)
		if err == nil {
			buf = it.Chunk[:0]
			if it.Offset >= 0 {
				out, err = w.dec.Decode(out[:0], it.Chunk)
			}
			if err == nil {
				if err := w.add(it); err != nil {
					return 0, err
				}
				continue
			}
			err = blosc2.At(err, int64(n), it.Offset)
		}
		size, serr := r.lostSize(int64(n), c)
		if serr != nil {
			return 0, errors.Join(err, serr)
		}
		r.rep.Lost = append(r.rep.Lost, Lost{Frame: r.rep.Frames, N: int64(n), Start: w.b.Size(), End: w.b.Size() + size, Err: err})
		if err := r.fill(w, int(size)); err != nil {
			return 0, err
		}
	}
	if err := w.finish(r.vlmeta); err != nil {
		return 0, err
	}
	r.rep.Chunks += w.b.NumChunks()
	r.rep.NBytes += w.b.Size()
	return w.b.Pos(), nil
}

// take reads a chunk and compares it with its digest.
func (r *repairer) take(buf []byte, n int64, c found) (Item, error) {
	if c.err != nil {
		return Item{}, c.err
	}
	if c.index {
		it, err := r.whole.fetch(buf, n)
		if err == nil {
			err = it.Verify()
		}
		return it, err
	}
	it, err := r.read(buf, c)
	it.N = n
	if err == nil {
		err = it.Verify()
	}
	return it, err
}

// read reads a chunk that no index need name.
func (r *repairer) read(buf []byte, c found) (Item, error) {
	view := &Reader{src: r.src, size: r.size, cfg: config{limits: r.o.Limits}, h: r.h, raw: r.raw, index: []int64{c.at - int64(len(r.raw))},
		mark: marking{order: Unsealed, checks: r.checks}, chunks: contiguous{r.src, int64(len(r.raw)), r.size}}
	return view.fetch(buf, 0)
}

// lostSize is the number of decoded bytes that a lost chunk had. The chunk's own
// header is asked last, because that may be what is damaged.
func (r *repairer) lostSize(n int64, c found) (int64, error) {
	if f := r.whole; c.index && f.mark.order == Unsealed && f.starts != nil { // it was walked
		c.nbytes = f.starts[n+1] - f.starts[n]
	} else if c.index {
		if start, end, err := f.extent(n); err == nil {
			return end - start, nil
		}
	}
	size, last := int64(r.h.ChunkSize), n == int64(len(r.found))-1
	switch rest := r.h.NBytes - n*size; {
	case size > 0 && !last:
		return size, nil
	case size > 0 && rest > 0:
		return min(size, rest), nil
	case size > 0 && c.nbytes > 0:
		return min(size, c.nbytes), nil
	case size > 0:
		return size, nil
	case c.nbytes > 0:
		return c.nbytes, nil
	}
	return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "nothing tells how long chunk %d was", n)
}

// fill puts a chunk in the place of a lost one.
func (r *repairer) fill(w *rewriter, size int) error {
	if !r.o.Fill {
		return w.write(undecodable(size, int(r.h.TypeSize)), size)
	}
	if err := check(blosc2.PartChunk, "lost chunk", int64(size), r.o.Limits.Chunk); err != nil {
		return err
	}
	if r.filledSize != size {
		c, err := zeros(w, size)
		if err != nil {
			return err
		}
		r.filled, r.filledSize = c, size
	}
	return w.write(r.filled, size)
}

// zeros makes a chunk of zeros. In a frame of one chunk size it has the frame's
// blocks, which arrays need; elsewhere every chunk may have another size, as
// large as the limit and at next to no cost to who made the input, so that
// zeros must cost little too.
func zeros(w *rewriter, size int) ([]byte, error) {
	if w.b.h.VariableChunks && size <= chunk.MaxBlockSize {
		return chunk.AppendConstant(nil, size, []byte{0})
	}
	return w.enc.Encode(nil, make([]byte, size))
}

// undecodable makes a chunk of size bytes that no decoder accepts: its only
// block begins outside it.
func undecodable(size, typesize int) []byte {
	if typesize > 255 {
		typesize = 1
	}
	c := make([]byte, chunk.HeaderLen+4)
	c[0], c[1], c[2], c[3] = chunk.Version, 1, 0x15, byte(typesize)
	putU32 := func(at, v int) { c[at], c[at+1], c[at+2], c[at+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24) }
	putU32(4, size)
	putU32(8, min(size, chunk.MaxBlockSize))
	putU32(12, len(c))
	putU32(chunk.HeaderLen, -1)
	return c
}
