package frame

import (
	"bytes"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A progress describes how far the writer of a frame has got: the number of the next
// chunk, and its offset.
type progress struct {
	next   int64      // offset of the next chunk: the end of the previous one
	n      int64      // number of the next chunk
	short  *extent    // a finished form of the next chunk, which is not full or not at its final offset
	open   *openChunk // the bytes of the next chunk that were flushed, if any
	tail   span64     // the bytes from end mark to trailer, in a sealed frame
	last   span64     // the last chunk of the sealed frame, if it is short or open
	place  int64      // offset where last begins
	sealed int64      // number of chunks in the index of the sealed frame
}

// An extent is the position of a chunk with its record.
type extent struct {
	span64
	nbytes int64 // decoded bytes
}

// A span64 is a range of the bytes of a frame: [start, end).
type span64 struct{ start, end int64 }

func (s span64) len() int64 { return s.end - s.start }

// meets reports whether two spans overlap.
func (s span64) meets(t span64) bool { return s.start < t.end && t.start < s.end }

// openPlace returns the offset of the open chunk, if the next chunk belongs at next and
// has up to size bytes. The open chunk is after the space for the finished chunk, and not
// within the tail of the sealed frame. Writer and reader compute it in the same way.
func openPlace(next, size int64, tail span64) int64 {
	at := alignUp(next + chunkRoom(size))
	if (span64{at, at + openRoom(size)}).meets(tail) {
		at = alignUp(tail.end)
	}
	return at
}

// placeAfter returns the offset of the open chunk, as openPlace does. If y is not nil, it
// returns that of the open slab.
func placeAfter(next, size int64, y *rowLayout, tail span64) int64 {
	if y != nil {
		return y.place(next, tail)
	}
	return openPlace(next, size, tail)
}

// chunkRoom returns the largest number of bytes that a finished chunk of up to size
// decoded bytes takes, with its record, the zeros after it, and a record of kind 5.
func chunkRoom(size int64) int64 { return size + chunk.Overhead + 3*recordLen }

// openRoom returns the largest number of bytes that an open chunk takes.
func openRoom(size int64) int64 { return openData + size }

func alignUp(n int64) int64 { return (n + openAlign - 1) / openAlign * openAlign }

// findProgress determines the progress of the writer of f from its index.
func (f *Reader) findProgress() (*progress, error) {
	p := &progress{n: int64(len(f.index)), next: f.firstPlace()}
	if f.mark.order != Unsealed {
		p.tail = span64{int64(len(f.raw)) + f.h.CBytes - endMarkLen, f.frameLen}
		p.sealed = p.n
	}
	last := lastStored(f.index)
	switch {
	case p.n == 0 && f.mark.order == Unsealed:
		return p, nil
	case p.n == 0 || last < 0:
		p.next = f.frameLen
		return p, nil
	}
	size := int64(f.h.ChunkSize)
	at := f.placeOf(last)
	fixed := size > 0 && !f.h.VariableChunks
	if f.mark.open && fixed && int64(last) == p.n-1 && at >= openHeader {
		committed, limit := f.nbytes-(p.n-1)*size, size
		if f.cfg.drop {
			limit = committed
		}
		o, err := f.readOpen(nil, at-openHeader, p.n-1, committed, limit)
		if err != nil {
			return nil, err
		}
		if o != nil {
			p.n--
			p.open, p.place, p.last = o, at, span64{o.at, o.at + openData + committed}
			return p, f.endOfChunks(p)
		}
	}
	e, err := f.lastExtent(at)
	if err != nil {
		return nil, blosc2.At(err, int64(last), at)
	}
	displaced := f.displaced(at, p.n-1)
	if fixed && int64(last) == p.n-1 && (e.nbytes < size || displaced) {
		p.n--
		p.short, p.place, p.last = e, at, e.span64
		if displaced {
			p.last.start -= recordLen
			return p, f.endOfChunks(p)
		}
		p.next = at
		return p, nil
	}
	p.next = f.afterSkip(e.end)
	return p, nil
}

// endOfChunks returns the end of the chunks that are at their final offsets.
func (f *Reader) endOfChunks(p *progress) error {
	last := lastStored(f.index[:p.n])
	if last < 0 {
		return nil
	}
	e, err := f.lastExtent(f.placeOf(last))
	if err != nil {
		return blosc2.At(err, int64(last), f.placeOf(last))
	}
	p.next = f.afterSkip(e.end)
	return nil
}

// afterSkip returns the offset of the next chunk, if the previous one ends at offset at.
// A record of kind 5 there moves it.
func (f *Reader) afterSkip(at int64) int64 {
	rec, ok := readRecord(f.src, at)
	if !ok || at > f.size || rec.kind != kindSkip || rec.value < minChunk || rec.value > uint64(f.size-at) {
		return at
	}
	return at + int64(rec.value)
}

// placeOf returns the offset of a stored chunk.
func (f *Reader) placeOf(n int) int64 { return int64(len(f.raw)) + f.index[n] }

// displaced reports whether chunk n, at an offset, was displaced: see chunkLog.makeWay.
func (f *Reader) displaced(at, n int64) bool {
	if at < recordLen {
		return false
	}
	rec, ok := readRecord(f.src, at-recordLen)
	return ok && rec == displacedMark(at-recordLen, n)
}

// firstPlace returns the offset of the first chunk of an ordered frame.
func (f *Reader) firstPlace() int64 {
	at := int64(len(f.raw))
	if f.mark.checks || f.rec1 {
		at += recordLen
	}
	return at
}

// lastStored returns the number of the last chunk in the file, or -1 if none is
// stored.
func lastStored(index []int64) int {
	last := -1
	for i, o := range index {
		if o >= 0 && (last < 0 || o > index[last]) {
			last = i
		}
	}
	return last
}

// chunkExtent reads the extent of the chunk at an offset from its header.
func (f *Reader) chunkExtent(at int64) (*extent, error) {
	var head [minChunk]byte
	if err := f.readAt(blosc2.PartChunk, head[:], at); err != nil {
		return nil, err
	}
	nbytes, cbytes := chunkNBytes(head[:]), chunkCBytes(head[:])
	if nbytes <= 0 || cbytes < chunk.MinHeaderLen || cbytes > f.size-at {
		return nil, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "invalid sizes: nbytes %d, cbytes %d", nbytes, cbytes)
	}
	e := &extent{span64{at, at + cbytes}, nbytes}
	if f.mark.checks {
		e.end += recordLen
	}
	return e, nil
}

// lastExtent is like chunkExtent, for a chunk whose end determines the offset of the next
// one. It accepts a header with one damaged bit, so that the next chunk is found.
func (f *Reader) lastExtent(at int64) (*extent, error) {
	e, err := f.chunkExtent(at)
	if err == nil && !f.mark.checks {
		return e, nil
	}
	if err == nil {
		if _, ok := readChunkRecord(f.src, e.end-recordLen, e.len()-recordLen); ok {
			return e, nil
		}
	}
	if right := f.correctedHeader(at); right != nil {
		return &extent{span64{at, at + chunkCBytes(right) + recordLen}, chunkNBytes(right)}, nil
	}
	return e, err
}

// catchUp adds the data that were flushed since the frame was last sealed, or since its
// beginning if it never was: whole chunks, and the bytes of an open one.
func (f *Reader) catchUp() error {
	index, nbytes := f.index, f.nbytes
	for try := 0; ; try++ {
		f.lost = nil
		if err := f.catchUpOnce(); err != nil {
			return err
		}
		f.loseOpen()
		if f.cfg.drop {
			return nil
		}
		// The open chunk may just have become a finished one.
		p := f.progress
		e, ok := f.flushedChunk(p.next)
		if !ok || f.fixed() && e.nbytes > int64(f.h.ChunkSize) || try == openTries || p.open != nil || p.short != nil || f.lost != nil {
			f.findLost()
			return nil
		}
		f.index, f.nbytes = index, nbytes
	}
}

// catchUpOnce makes one attempt at what catchUp does.
func (f *Reader) catchUpOnce() error {
	if f.irregular || f.mark.order == Unsealed && (f.h.ChunkSize <= 0 || f.h.VariableChunks) {
		return blosc2.Errorf(blosc2.PartHeader, blosc2.ErrCorrupt, "an open frame must have a fixed chunk size")
	}
	f.rows = nil
	if y := rowsOf(f.h); f.inRows(y) {
		if ok, err := f.catchUpRows(y); ok || err != nil {
			return err
		}
	}
	p, err := f.findProgress()
	if err != nil {
		return err
	}
	f.progress = p
	if f.cfg.drop && f.mark.order != Unsealed {
		return nil
	}
	return f.takeUp(p, nil)
}

// takeUp adds the chunks that were flushed after p to the index, and advances p. known is
// the short chunk in its place, if it was verified before.
func (f *Reader) takeUp(p *progress, known *extent) (err error) {
	index, nbytes := f.index[:p.n:p.n], f.nbytes
	var added []step
	for p.n < MaxChunks {
		e, ok := f.flushedChunk(p.next)
		if !ok || known != nil && *e == *known || f.fixed() && e.nbytes > int64(f.h.ChunkSize) || p.short != nil && e.nbytes < p.short.nbytes || !f.agrees(p, e) {
			break
		}
		added = append(added, step{*p, []*extent{e}})
		if f.fixed() && e.nbytes < int64(f.h.ChunkSize) {
			p.next, p.short = e.start, e
			break
		}
		index = append(index, e.start-int64(len(f.raw)))
		nbytes += e.nbytes
		p.n, p.next, p.open, p.short = p.n+1, f.afterSkip(e.end), nil, nil
	}
	torn, later := f.firstTorn(added), false
	if torn < len(added) {
		later = f.anyIntact(added[torn+1:]) || p.short == nil && f.fixed() && f.hasNextOpen(p)
		for _, s := range added[torn:] {
			nbytes -= s.chunks[0].nbytes
		}
		*p = added[torn].before
		index = index[:p.n]
	}
	if !f.fixed() {
		f.index, f.nbytes = slices.Clip(index), nbytes
	} else if f.index, f.nbytes, err = f.lastChunk(index); err != nil {
		return err
	}
	if torn < len(added) && (later || p.open == nil) {
		f.loseChunk(p, added[torn].chunks[0].start, later)
	}
	f.chunks = contiguous{f.src, int64(len(f.raw)), f.size}
	return f.cfg.limits.checkTotal(f.nbytes)
}

// A step is a flushed chunk, or the chunks of a flushed slab, and the progress before it.
type step struct {
	before progress
	chunks []*extent
}

// size returns the number of bytes from the first chunk to the end of the last.
func (s step) size() int64 { return s.chunks[len(s.chunks)-1].end - s.chunks[0].start }

// checkFlushed is the number of bytes of flushed but uncommitted chunks that are compared
// with their digests when a frame is opened. If there are more, only the last chunk is
// compared, because the death of a process may have left it incomplete. A crash of the
// machine may damage any of these chunks; reading a damaged one returns an error.
const checkFlushed = 64 << 20

// firstTorn returns the number of the first step with an incomplete chunk, or
// len(added) if there is none.
func (f *Reader) firstTorn(added []step) int {
	first, sum := len(added), int64(0)
	for first > 0 && (first == len(added) || sum+added[first-1].size() <= checkFlushed) {
		first--
		sum += added[first].size()
	}
	for i := first; i < len(added); i++ {
		if !f.allIntact(added[i].chunks) {
			return i
		}
	}
	return len(added)
}

// lastChunk adds the short or open last chunk to an index, if there is one. It returns
// the total number of decoded bytes.
func (f *Reader) lastChunk(full []int64) (index []int64, nbytes int64, err error) {
	p, size := f.progress, int64(f.h.ChunkSize)
	if p.open == nil {
		o, err := f.readOpen(nil, openPlace(p.next, size, p.tail), p.n, 0, size)
		if err != nil {
			return nil, 0, err
		}
		if o != nil && o.size > 0 {
			p.open = o
		}
	}
	if p.open != nil && p.short != nil && p.short.nbytes >= int64(p.open.size) {
		p.open = nil
	}
	index, nbytes = slices.Clip(full), p.n*size
	switch {
	case p.open != nil:
		index = append(index, p.open.at+openHeader-int64(len(f.raw)))
		nbytes += int64(p.open.size)
	case p.short != nil:
		index = append(index, p.short.start-int64(len(f.raw)))
		nbytes += p.short.nbytes
	}
	return index, nbytes, nil
}

// flushedChunk returns the finished chunk at offset at, if there is one. It reads only
// its header and the beginning of its record.
func (f *Reader) flushedChunk(at int64) (*extent, bool) {
	var head [minChunk]byte
	if n, _ := f.src.ReadAt(head[:], at); n < len(head) || head[0] < 1 || head[0] > chunk.VersionVL {
		return nil, false
	}
	nbytes, cbytes := chunkNBytes(head[:]), chunkCBytes(head[:])
	if nbytes <= 0 || nbytes > f.cfg.limits.Chunk || cbytes < minChunk || cbytes > f.cfg.limits.Chunk+chunk.Overhead {
		return nil, false
	}
	e := &extent{span64{at, at + cbytes}, nbytes}
	if f.mark.checks {
		if _, ok := readChunkRecord(f.src, e.end, cbytes); !ok {
			return nil, false
		}
		e.end += recordLen
	}
	return e, e.end <= f.size
}

// agrees reports whether a chunk without a digest begins with the bytes that are known of
// it. After a power failure it may not. A lossy chunk cannot be compared.
func (f *Reader) agrees(p *progress, e *extent) bool {
	if f.mark.checks || p.open == nil && p.short == nil || f.h.Filters.Lossy() || framing.LossyCodec(f.h.Codec) {
		return true
	}
	data, err := f.view(e.start).Chunk(nil, 0)
	if err != nil {
		return false
	}
	if o := p.open; o != nil && o.damaged {
		return true
	} else if o != nil { // the bytes of o may have been overwritten
		return len(data) >= o.size && framing.Digest(data[:o.size]) == o.digest.Sum64()
	}
	known, err := f.view(p.short.start).Chunk(nil, 0)
	return err == nil && bytes.HasPrefix(data, known)
}

// view returns a Reader of the single chunk at an offset.
func (f *Reader) view(at int64) *Reader {
	return &Reader{src: f.src, size: f.size, cfg: f.cfg, h: f.h, raw: f.raw, index: []int64{at - int64(len(f.raw))},
		mark: marking{order: Unsealed, checks: f.mark.checks}, chunks: contiguous{f.src, int64(len(f.raw)), f.size}}
}

// intact reports whether the chunk at an offset matches its digest or, without
// digests, can be decoded.
func (f *Reader) intact(at int64) bool {
	view := f.view(at)
	it, err := view.fetch(nil, 0)
	if err == nil {
		err = it.Verify()
	}
	if err != nil || it.Checked {
		return err == nil
	}
	s := view.state()
	_, err = s.dec.Decode(nil, it.Chunk)
	return err == nil
}
