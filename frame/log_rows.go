package frame

import (
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/meta"
)

// GrowRows prepares the log for an array that grows row by row. Chunks are put in whole
// slabs, and each commit records the number of rows in the metalayer b2nd. GrowRows must
// be called between two slabs. Further calls do nothing.
func (l *chunkLog) GrowRows() error {
	if l.rows == nil {
		y := rowsOf(&l.b.h)
		if y == nil || l.b.NumChunks()%y.chunks != 0 || l.open != nil || l.short != nil {
			return errNotInRows()
		}
		l.rows = y
	}
	return nil
}

func errNotInRows() error {
	return blosc2.Errorf(blosc2.PartMeta, blosc2.ErrUnsupported, "the frame does not hold a growing array with all of its chunks")
}

// Rows reports whether the frame holds an array that grows row by row.
func (l *chunkLog) Rows() bool { return l.rows != nil }

// FlushRows makes the first n rows of the current slab survive the death of the process.
// rows(r) returns the rows that begin with row r, each in the order of rowLayout: the
// segments of its blocks, chunk by chunk, with their padding. If last is true no more
// rows follow: the chunks of the slab, which are put next, are the last ones and hold n
// rows.
func (l *chunkLog) FlushRows(n int64, rows func(from int64) []byte, last bool) error {
	y := l.rows
	have := int64(l.Pending()) / y.row()
	if l.dirty && !l.Empty() { // in an open frame readers also find whole slabs
		if err := l.begin(); err != nil {
			return err
		}
	}
	if n > have || last && l.open == nil && n > 0 {
		if err := l.begin(); err != nil {
			return err
		}
		if l.open == nil {
			have = 0
			if err := l.openSlab(); err != nil { // openSlab may commit
				return err
			}
		}
		l.dirty = true
		if err := l.growSlab(have, n, rows(have)); err != nil {
			return err
		}
		if !l.marked() {
			if err := l.commit(false, nil, false); err != nil {
				return err
			}
		}
	}
	if last && n > 0 {
		return l.endRows(n)
	}
	return nil
}

// endRows records that the chunks of the current slab will hold n rows. The chunks
// themselves do not record it. Until they exist, the header refers to the open slab.
func (l *chunkLog) endRows(n int64) error {
	if l.dirty {
		if err := l.commit(l.durable, nil, false); err != nil {
			return err
		}
	}
	l.lastRows = n
	return nil
}

// openSlab begins an open slab without rows.
func (l *chunkLog) openSlab() error {
	y := l.rows
	at := y.place(l.b.pos, l.sealedTail())
	// A slab is large, so moving the tail by a commit costs less than leaving a gap.
	if c := l.committed; c != nil && (at != y.place(l.b.pos, span64{}) || c.last.meets(span64{at, at + y.openRoom()})) && l.since > 0 {
		if err := l.commit(true, nil, false); err != nil {
			return err
		}
		at = y.place(l.b.pos, l.sealedTail())
	}
	if c := l.committed; c != nil && c.last.meets(span64{at, at + y.openRoom()}) {
		return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "the open rows would overwrite the last commit, at %d", at)
	}
	o := &openChunk{at: at, n: l.b.NumChunks(), gen: generation(l.Pending()), rows: y, digest: *newDigest(nil), flush: 1}
	h := storedHeader(int(y.size), int(l.b.h.TypeSize), int(l.b.h.BlockSize))
	for k := y.chunks - 1; k > 0; k-- {
		if err := l.write(h[:], at+openHeader+k*y.stored()); err != nil {
			return err
		}
	}
	// Write the mark last, because no slot covers the bytes after it yet.
	head := append(make([]byte, openHeader, openData), h[:]...)
	if err := l.write(head, at); err != nil {
		return err
	}
	if err := l.write(o.mark().append(nil), at); err != nil {
		return err
	}
	l.open = o
	return nil
}

// growSlab writes the rows [have, n), which are in data, to the open slab, and
// records them.
func (l *chunkLog) growSlab(have, n int64, data []byte) error {
	y, o := l.rows, l.open
	if err := l.writeRows(have, n, data); err != nil {
		return err
	}
	o.digest.Write(data)
	o.size = int(n * y.row())
	return l.writeFlushSlot()
}

// writeRows writes rows to the chunks of the open slab.
func (l *chunkLog) writeRows(from, to int64, data []byte) error {
	y, o := l.rows, l.open
	if y.flat() {
		return l.write(data, o.at+openData+from*y.seg)
	}
	return y.runs(from, to, func(r, end, s int64) error {
		buf := l.buf[:0]
		for i := r; i < end; i++ {
			at := (i-from)*y.row() + s*y.seg
			buf = append(buf, data[at:at+y.seg]...)
		}
		l.buf = buf[:0]
		return l.write(buf, o.at+openData+s/y.across*y.stored()+y.inChunk(r, s%y.across))
	})
}

// makeWayForRows is like makeWay, for the chunks of a slab.
func (l *chunkLog) makeWayForRows() error {
	needs := span64{l.b.pos, l.b.pos + l.rows.room()}
	if !l.pinned(needs) {
		return nil
	}
	if needs.meets(l.committed.last) {
		if l.open == nil && l.short != nil {
			return blosc2.Errorf(blosc2.PartChunk, blosc2.ErrOption, "rows that were committed must be flushed before their slab is put")
		}
		if err := l.commit(true, nil, false); err != nil {
			return err
		}
	}
	return l.freeTail(needs)
}

// slabPut records that all chunks of a slab were put.
func (l *chunkLog) slabPut() error {
	o := l.open
	l.open, l.short, l.shortOffsets = nil, nil, nil
	if o == nil || l.lastRows > 0 {
		return nil // rows that do not fill their chunks remain in the open slab until Close
	}
	o.flush = 1 - o.flush
	var slot [flushSlotLen]byte
	appendFlushSlot(slot[:0], -1, o.mark().value) // -1 is read as rowsDone
	if err := l.write(slot[:], o.at+openFlush+int64(o.flush)*flushSlotLen); err != nil {
		return err
	}
	l.stale = append(l.stale, o.at)
	return l.destroyStale()
}

// slabChunks is like lastChunk, for a slab that is open or short.
func (l *chunkLog) slabChunks() *lastChunk {
	y := l.rows
	c := &lastChunk{nbytes: y.chunks * y.size}
	if o := l.open; o != nil {
		c.span64 = span64{o.at + openHeader, o.at + y.openRoom()}
		for k := range y.chunks {
			c.offsets = append(c.offsets, c.start+k*y.stored()-l.b.headerLen)
		}
		return c
	}
	c.span64, c.offsets = l.short.span64, l.shortOffsets
	return c
}

// stateRows writes the number of rows to the header.
func (l *chunkLog) stateRows() error {
	y := l.rows
	if y == nil {
		return nil
	}
	n, _ := l.NumRows()
	value, err := withRows(l.b.h.Layers, n)
	if err != nil {
		return err
	}
	return l.b.SetMetalayer(meta.B2NDName, value)
}

// withRows returns the metalayer b2nd with the given number of rows.
func withRows(layers []meta.Layer, n int64) ([]byte, error) {
	value, _ := meta.Find(layers, meta.B2NDName)
	a, err := meta.ParseB2ND(value)
	if err != nil {
		return nil, err
	}
	a.Shape[0] = n
	return a.Append(nil)
}

// resumeRows sets the layout of the array that f holds and that grows row by row, and
// determines the progress of its writer.
func (l *chunkLog) resumeRows(f *Reader) (err error) {
	if l.rows = f.rows; l.rows != nil {
		return nil
	}
	y, p := rowsOf(f.h), f.progress
	if y == nil || p != nil && p.open != nil || f.mark.order == ByIndex {
		return errNotInRows()
	}
	l.rows = y
	switch {
	case p != nil: // an open frame of whole slabs and some chunks of an incomplete one
		whole := *p
		whole.n, whole.short = min(whole.n, int64(len(l.b.offsets))), nil
		whole.n -= whole.n % y.chunks
		whole.next = f.firstPlace()
		f.progress, err = &whole, f.endOfChunks(&whole)
	case !f.inRows(y):
		err = errNotInRows()
	default:
		f.progress, err = f.findRows(y)
	}
	return err
}

// takeRows is like takeChunks, for an array that grows row by row.
func (l *chunkLog) takeRows(f *Reader) {
	y, b, p := l.rows, l.b, f.progress
	b.offsets, b.nbytes, b.last = b.offsets[:p.n:p.n], p.n*y.size, y.size
	b.pos = p.next
	l.open, l.short = p.open, p.short
	if l.short != nil && l.open == nil { // otherwise the index refers to the chunks of the open slab
		l.shortOffsets = slices.Clone(f.index[p.n : p.n+y.chunks])
	}
	n, _ := l.NumRows()
	l.dirty = f.mark.order == Unsealed || n != y.stated
}

// NumRows returns the number of rows in the array, including those that were flushed but
// not committed, and the number of rows in the current slab. It returns 0 and 0 for a
// frame that does not grow row by row.
func (l *chunkLog) NumRows() (n, pending int64) {
	y := l.rows
	if y == nil {
		return 0, 0
	}
	n = l.b.NumChunks() / y.chunks * y.rows
	switch {
	case l.open != nil || l.short != nil:
		pending = int64(l.Pending()) / y.row()
	case l.lastRows > 0:
		n += l.lastRows - y.rows
	}
	return n + pending, pending
}

// End returns the end of the data written to the file so far, as an offset from the
// frame's start.
func (l *chunkLog) End() int64 { return l.end }
