package frame

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// fetch reads the stored chunk n into buf, with its record. If the chunk is only an entry
// of the index, fetch makes a special chunk of it.
func (f *Reader) fetch(buf []byte, n int64) (Item, error) {
	if n < 0 || n >= int64(len(f.index)) {
		return Item{}, &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	entry := f.index[n]
	it := Item{Header: f.h, N: n, Offset: -1}
	if entry < 0 {
		var err error
		if it.Chunk, err = f.special(buf[:0], n); err != nil {
			return it, blosc2.At(err, n, -1)
		}
		it.NBytes = int(chunkNBytes(it.Chunk))
		return it, nil
	}
	it.Offset = f.chunks.place(entry)
	held := f.hold(framing.Want{Chunk: n})
	defer held.Release()
	if o, k := f.openAt(entry); o != nil {
		err := f.fetchOpen(&it, o, k, buf)
		return it, blosc2.At(err, n, it.Offset)
	}
	buf, err := f.stored(buf[:0], n)
	if err == nil {
		err = f.unchanged(n, buf)
	}
	if err != nil && !errors.Is(err, fs.ErrClosed) && f.outgrown(it.Offset) {
		err = errChanged()
	}
	if err != nil {
		return it, blosc2.At(f.changedOr(err), n, it.Offset)
	}
	cbytes := chunkCBytes(buf)
	it.Chunk, it.NBytes = buf[:cbytes], int(chunkNBytes(buf))
	rec, ok := parseRecord(buf[cbytes:])
	switch {
	case ok && rec.isOf(cbytes):
		it.Checked, it.Digest = true, rec.value
	case f.mark.checks:
		err = f.changedOr(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "its record is missing"))
	}
	return it, blosc2.At(err, n, it.Offset)
}

// fetchOpen reads the open chunk. If its writer has finished it meanwhile, the bytes may
// have changed, and it returns an error.
func (f *Reader) fetchOpen(it *Item, o *openChunk, k int64, buf []byte) error {
	b, err := f.stored(buf[:0], it.N)
	if err != nil {
		return f.changedOr(err)
	}
	it.Chunk, it.NBytes = b[:chunkCBytes(b)], int(chunkNBytes(b))
	if o.intact(k, it.Chunk) {
		it.Checked, it.Digest = true, framing.Digest(it.Chunk)
		return nil
	}
	if _, finished := f.flushedChunk(f.afterSkip(f.progress.next)); finished {
		return errChanged()
	}
	return f.changedOr(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChecksum, "the digest of the open chunk does not match"))
}

// unchanged checks that the bytes that were read of chunk n are still those of the chunk
// in the index. They begin with head. A writer replaces a short last chunk by a longer
// one at the same offset, and reuses the space of a displaced one. It does not overwrite
// the bytes that the sealed frame needs before another commit.
func (f *Reader) unchanged(n int64, head []byte) error {
	if f.h.Type != header.Contiguous || f.index[n] < 0 {
		return nil
	}
	slab, last := f.inShortSlab(n), n == int64(len(f.index))-1
	displaced := last && f.progress != nil && f.progress.short != nil && f.progress.short.start == f.placeOf(int(n))
	if short := last && f.expected(n) != int64(f.h.ChunkSize); !slab && !short && !displaced {
		return nil
	}
	var now [chunk.MinHeaderLen]byte
	got, err := f.readChunk(now[:], f.index[n], 0)
	if err == nil && !bytes.HasPrefix(head, now[:got]) {
		err = errChanged()
	}
	// The header of a chunk may have been read before a change, and the bytes after it
	// later.
	_, copied := f.src.(overlay)
	if err == nil && f.ahead == nil && !copied && f.headerChanged() && (slab || !f.mark.checks || !f.intact(f.placeOf(int(n)))) {
		err = errChanged()
	}
	return err
}

// outgrown reports whether a writer has begun to overwrite the chunk at an offset with a
// longer one. That can happen to a short chunk that was the last one when f was opened.
func (f *Reader) outgrown(at int64) bool {
	if f.progress == nil || f.progress.short == nil || f.progress.short.start != at {
		return false
	}
	e, ok := f.flushedChunk(at)
	return !ok || *e != *f.progress.short
}

// changedOr returns blosc2.ErrChanged if the frame may have changed, and err otherwise.
// A remote source reports changes itself.
func (f *Reader) changedOr(err error) error {
	if errors.Is(err, fs.ErrClosed) && !errors.Is(err, blosc2.ErrClosed) { // the Reader was closed
		return fmt.Errorf("%w: %w", blosc2.ErrClosed, err)
	}
	if errors.Is(err, blosc2.ErrChanged) || errors.Is(err, blosc2.ErrClosed) || f.ahead != nil || f.h.Type != header.Contiguous || !f.headerChanged() {
		return err
	}
	return errChanged()
}

func errChanged() error {
	return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "a writer has continued the frame; call Refresh")
}

// stored reads the bytes of chunk n and its record, if it has one.
func (f *Reader) stored(buf []byte, n int64) ([]byte, error) {
	buf, err := f.more(buf, n, f.guess(n))
	if err != nil {
		return nil, err
	}
	cbytes, err := f.checkChunk(buf, n)
	if err != nil {
		return nil, err
	}
	if want := cbytes + recordLen; int64(len(buf)) < want {
		if buf, err = f.more(buf, n, want-int64(len(buf))); err != nil {
			return nil, err
		}
	}
	if int64(len(buf)) < cbytes {
		return nil, endsEarly(len(buf), cbytes)
	}
	return buf, nil
}

// more reads up to k more bytes of chunk n to the end of buf.
func (f *Reader) more(buf []byte, n, k int64) ([]byte, error) {
	have := len(buf)
	if b, ok := f.inMemory(n, int64(have)+k); ok {
		return b, nil
	}
	if int64(cap(buf)-have) < k {
		buf = enlarge(buf, k)
	}
	got, err := f.readChunk(buf[have:have+int(k)], f.index[n], int64(have))
	return buf[:have+got], err
}

// inMemory returns the first size bytes of chunk n. It returns nil unless they are in
// memory and the frame is not open.
func (f *Reader) inMemory(n, size int64) (b []byte, ok bool) {
	c, ok := f.chunks.(*contiguous)
	if !ok || f.memory == nil {
		return nil, false
	}
	at := c.place(f.index[n])
	end := at + size
	if end > min(c.end, int64(len(f.memory))) {
		return nil, false
	}
	return f.memory[at:end:end], true
}

// readChunk reads stored bytes of the chunk with the given index entry: see store.
func (f *Reader) readChunk(b []byte, entry, off int64) (int, error) {
	if o, k := f.openAt(entry); o != nil && o.rows != nil {
		return o.readRows(f, k, b, off)
	} else if o != nil {
		return o.read(f, b, off)
	}
	return f.chunks.readChunk(b, entry, off)
}

// openAt returns the open chunk if it has the given index entry. For an open slab it also
// returns the number of the chunk in the slab.
func (f *Reader) openAt(entry int64) (o *openChunk, k int64) {
	if p := f.progress; p != nil && p.open != nil {
		if k, ok := p.open.part(entry + int64(len(f.raw))); ok {
			return p.open, k
		}
	}
	return nil, 0
}

// guess returns the number of bytes of chunk n to read first. If the next chunk seems to
// follow it, that is the whole chunk, so that one read suffices.
func (f *Reader) guess(n int64) int64 {
	least := int64(chunk.HeaderLen)
	if n+1 >= int64(len(f.index)) || f.h.Type != header.Contiguous {
		return least
	}
	gap := f.index[n+1] - f.index[n]
	if f.index[n+1] < 0 || gap < least || gap > min(int64(f.h.ChunkSize), f.cfg.limits.Chunk)+chunk.Overhead+recordLen {
		return least
	}
	return gap
}

// checkChunk checks the sizes in the header of chunk n, at the start of b, and
// returns its stored size.
func (f *Reader) checkChunk(b []byte, n int64) (cbytes int64, err error) {
	if len(b) < chunk.MinHeaderLen {
		return 0, endsEarly(len(b), chunk.HeaderLen)
	}
	nbytes, cbytes := chunkNBytes(b), chunkCBytes(b)
	size := f.expected(n)
	switch {
	case nbytes <= 0 || cbytes < chunk.MinHeaderLen:
		return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "invalid sizes: nbytes %d, cbytes %d", nbytes, cbytes)
	case size >= 0 && nbytes != size:
		return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "has %d bytes; must have %d", nbytes, size)
	case f.h.Type == header.Contiguous && cbytes > f.indexAt()-f.chunks.place(f.index[n]) && f.mark.order != Unsealed && !f.mark.open:
		return 0, blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "its %d bytes overlap the index", cbytes)
	}
	if err := check(blosc2.PartChunk, "chunk", nbytes, f.cfg.limits.Chunk); err != nil {
		return 0, err
	}
	return cbytes, check(blosc2.PartChunk, "stored chunk", cbytes, f.cfg.limits.Chunk+chunk.Overhead)
}

// expected returns the number of decoded bytes that chunk n must have, or -1 for
// any.
func (f *Reader) expected(n int64) int64 {
	if !f.fixed() {
		return -1
	}
	size := int64(f.h.ChunkSize)
	return min(size, f.nbytes-n*size)
}

// special returns the special chunk that the entry of chunk n encodes.
func (f *Reader) special(dst []byte, n int64) ([]byte, error) {
	size := f.expected(n)
	if size < 0 {
		start, end, err := f.extent(n)
		if err != nil {
			return dst, err
		}
		size = end - start
	}
	if err := check(blosc2.PartChunk, "special chunk", size, f.cfg.limits.Chunk); err != nil {
		return dst, err
	}
	typesize := int(f.h.TypeSize)
	s, _ := specialOf(f.index[n])
	var err error
	switch s {
	case chunk.NaN:
		dst, err = chunk.AppendNaN(dst, int(size), typesize)
	case chunk.Uninit:
		if size%int64(typesize) != 0 {
			typesize = 1 // the bytes of uninitialised chunks are undefined for any typesize
		}
		dst, err = chunk.AppendUninit(dst, int(size), typesize)
	default:
		dst, err = chunk.AppendZeros(dst, int(size), typesize)
	}
	if err != nil {
		err = blosc2.Errorf(blosc2.PartChunk, blosc2.ErrCorrupt, "%v", err)
	}
	return dst, err
}

// verified fetches chunk n into s, and checks its digest.
func (f *Reader) verified(s *state, n int64) (Item, error) {
	it, err := f.fetch(s.stored, n)
	if err != nil {
		return it, err
	}
	s.stored = it.Chunk[:0]
	if err := it.Verify(); err != nil {
		return it, blosc2.At(f.changedOr(err), n, it.Offset)
	}
	return it, nil
}

// RawChunk appends the stored chunk n to dst. A chunk that is only an entry of
// the index is returned as a special chunk, which C-Blosc2 reads from memory.
// It checks the digest, if there is one.
func (f *Reader) RawChunk(dst []byte, n int64) ([]byte, error) {
	s := f.state()
	defer f.states.Put(s)
	it, err := f.verified(s, n)
	if err != nil {
		return dst, err
	}
	return append(dst, it.Chunk...), nil
}

// Chunk appends the decoded bytes of chunk n to dst.
func (f *Reader) Chunk(dst []byte, n int64) ([]byte, error) {
	s := f.state()
	defer f.states.Put(s)
	it, err := f.verified(s, n)
	if err != nil {
		return dst, err
	}
	if dst, err = s.dec.Decode(dst, it.Chunk); err != nil {
		err = blosc2.At(f.changedOr(err), n, it.Offset)
	}
	return dst, err
}

// ChunkHeader reads the header of chunk n.
func (f *Reader) ChunkHeader(n int64) (chunk.Header, error) {
	if n < 0 || n >= int64(len(f.index)) {
		return chunk.Header{}, &blosc2.OptionError{Option: "chunk", Value: n, Range: "in the frame"}
	}
	var b []byte
	var err error
	if f.index[n] < 0 {
		b, err = f.special(nil, n)
	} else if b, err = f.more(nil, n, chunk.HeaderLen); err == nil {
		_, err = f.checkChunk(b, n)
	}
	var h chunk.Header
	if err == nil {
		h, err = chunk.ParseHeader(b)
	}
	return h, blosc2.At(err, n, f.offset(n))
}

// offset returns the offset of chunk n in the source, or -1 if it is only an entry
// of the index.
func (f *Reader) offset(n int64) int64 {
	if f.index[n] < 0 {
		return -1
	}
	return f.chunks.place(f.index[n])
}
