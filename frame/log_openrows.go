package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// The open slab of an array that grows row by row is an open chunk in which the
// slots count rows, and the bytes are those of stored chunks, one after the other,
// each of full size from the start. For a reader of these chunks, rows that no
// commit or Flush has recorded yet are beyond the array's shape. A digest covers
// the rows in their order, as in rowLayout. In the record at its head, bit 62 of
// the chunk number, which is that of the first chunk, is set. A flush slot of
// rowsDone says that the finished chunks of the slab are in place.
const (
	rowsMark = 1 << 62
	rowsDone = 1<<32 - 1
)

// mark returns the record at the head of the open chunk or slab.
func (o *openChunk) mark() record { return openMark(o.at, o.number(), o.gen) }

// number returns the chunk number in the record at its head.
func (o *openChunk) number() int64 {
	if o.rows != nil {
		return o.n | rowsMark
	}
	return o.n
}

// units returns the number of bytes or rows that a slot records for the given bytes.
func (o *openChunk) units() int { return o.size / o.unit() }

// unit returns the number of bytes of what slots count, a byte or a row.
func (o *openChunk) unit() int {
	if o.rows != nil {
		return int(o.rows.row())
	}
	return 1
}

// span returns the current size of the open chunk, or the full size of the open slab.
func (o *openChunk) span() span64 {
	if o.rows != nil {
		return span64{o.at, o.at + o.rows.openRoom()}
	}
	return span64{o.at, o.at + openData + int64(o.size)}
}

// part returns the number, in the slab, of the chunk at an offset.
func (o *openChunk) part(place int64) (k int64, ok bool) {
	off := place - o.at - openHeader
	if o.rows == nil || off <= 0 {
		return 0, off == 0
	}
	k = off / o.rows.stored()
	return k, k < o.rows.chunks && off%o.rows.stored() == 0
}

// digest returns the digest of the first rows. parts holds the decoded bytes of the slab's
// chunks.
func (y *rowLayout) digest(parts [][]byte, rows int64) *hasher {
	h := newDigest(nil)
	y.runsInOrder(0, rows, func(k, off int64) { h.Write(parts[k][off : off+y.seg]) })
	return h
}

// sums returns the digests of the decoded bytes of the chunks that hold the first
// rows. It clears the bytes after these rows.
func (y *rowLayout) sums(parts [][]byte, rows int64) []uint64 {
	var sums []uint64
	for _, b := range parts {
		b = b[:y.live(rows)]
		y.wipe(b, 0, rows)
		sums = append(sums, framing.Digest(b))
	}
	return sums
}

// measure reads the whole slab to compute the digests of its chunks. It returns nil if
// the rows no longer match o.digest.
func (o *openChunk) measure(f *Reader) []uint64 {
	rows := int64(o.units())
	parts, err := o.readParts(f, rows)
	if err != nil || rows == 0 || o.rows.digest(parts, rows).Sum64() != o.digest.Sum64() {
		return nil
	}
	return o.rows.sums(parts, rows)
}

// runsInOrder calls do for each segment of the rows [from, to), in the order of the
// digest.
func (y *rowLayout) runsInOrder(from, to int64, do func(k, off int64)) {
	for r := from; r < to; r++ {
		for s := range y.chunks * y.across {
			do(s/y.across, y.inChunk(r, s%y.across))
		}
	}
}

// readParts reads the decoded bytes of the chunks that hold the first rows. Missing
// bytes are zeros.
func (o *openChunk) readParts(f *Reader, rows int64) ([][]byte, error) {
	y := o.rows
	if rows == 0 {
		return make([][]byte, y.chunks), nil
	}
	// Check this before allocating memory: if the last chunk began after the file's end,
	// the last row would be missing.
	if last := o.at + openHeader + (y.chunks-1)*y.stored(); last > f.size {
		return nil, blosc2.At(blosc2.Errorf(blosc2.PartChunk, io.ErrUnexpectedEOF, "truncated open rows of %d chunks", y.chunks), o.n, o.at)
	}
	if err := check(blosc2.PartChunk, "open rows", y.live(rows), f.cfg.limits.Chunk); err != nil {
		return nil, blosc2.At(err, o.n, o.at)
	}
	parts := make([][]byte, y.chunks)
	for k := range parts {
		parts[k] = make([]byte, y.live(rows))
		if _, err := f.src.ReadAt(parts[k], o.at+openHeader+int64(k)*y.stored()+chunk.HeaderLen); err != nil && err != io.EOF {
			return nil, err
		}
	}
	return parts, nil
}

// readMoreRows reads the rows [from, to), in the order of the digest. Missing bytes
// are zeros. It returns nil if the last chunk begins after the file's end.
func (o *openChunk) readMoreRows(f *Reader, from, to int64) ([]byte, error) {
	y := o.rows
	if o.at+openHeader+(y.chunks-1)*y.stored() > f.size {
		return nil, nil
	}
	if err := check(blosc2.PartChunk, "open rows", y.live(to), f.cfg.limits.Chunk); err != nil {
		return nil, blosc2.At(err, o.n, o.at)
	}
	more := make([]byte, (to-from)*y.row())
	var run []byte
	return more, y.runs(from, to, func(r, end, s int64) error {
		run = append(run[:0], make([]byte, (end-r)*y.seg)...)
		at := o.at + openData + s/y.across*y.stored() + y.inChunk(r, s%y.across)
		if _, err := f.src.ReadAt(run, at); err != nil && err != io.EOF {
			return err
		}
		for i := r; i < end; i++ {
			copy(more[(i-from)*y.row()+s*y.seg:], run[(i-r)*y.seg:][:y.seg])
		}
		return nil
	})
}

// readRows is like read, for chunk k of an open slab.
func (o *openChunk) readRows(f *Reader, k int64, b []byte, off int64) (n int, err error) {
	if o.damaged {
		return 0, o.mismatch()
	}
	y := o.rows
	b = b[:min(int64(len(b)), max(y.stored()-off, 0))]
	clear(b)
	rows := int64(o.units())
	if live := chunk.HeaderLen + y.live(rows) - off; live > 0 {
		if _, err := f.src.ReadAt(b[:min(int64(len(b)), live)], o.at+openHeader+k*y.stored()+off); err != nil && err != io.EOF {
			return 0, err
		}
	}
	body, at := b, off-chunk.HeaderLen
	if at < 0 {
		h := storedHeader(int(y.size), int(f.h.TypeSize), int(f.h.BlockSize))
		body, at = b[copy(b, h[off:]):], 0
	}
	y.wipe(body, at, rows)
	return len(b), o.checkUnchanged(f)
}

// checkUnchanged returns an error unless the bytes are still those of the open chunk.
func (o *openChunk) checkUnchanged(f *Reader) error {
	var mark [recordLen]byte
	got, err := f.src.ReadAt(mark[:], o.at)
	if err != nil && err != io.EOF {
		return err
	}
	if gen, ok := parseOpenMark(mark[:got], o.at, o.number()); (!ok || gen != o.gen) && !f.cfg.damagedMarks {
		return o.changed()
	}
	return nil
}

func (o *openChunk) changed() error {
	return blosc2.At(blosc2.Errorf(blosc2.PartChunk, blosc2.ErrChanged, "its writer has finished it since the frame was opened; call Refresh"), o.n, o.at)
}

// intact reports whether c, chunk k of the slab, matches its digest.
func (o *openChunk) intact(k int64, c []byte) bool {
	if o.rows == nil || o.rows.flat() {
		return framing.Digest(c[chunk.HeaderLen:][:o.size]) == o.digest.Sum64()
	}
	sums := o.sums()
	return sums != nil && framing.Digest(c[chunk.HeaderLen:][:o.rows.live(int64(o.units()))]) == sums[k]
}
