package frame

import (
	"bytes"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// appendLog opens the frame at the start of a file of size bytes to continue it. The
// frame may be sealed, unsealed, open or torn, or have an uncommitted tail. Every byte
// that was flushed is kept, unless DropTail is given and the frame was committed before.
// appendLog completes an interrupted commit.
//
// f is the frame as opened. Its last chunk may not be full: Pending returns how many
// bytes of it the log continues. The caller must pass these to Flush or Put again,
// followed by new bytes.
func appendLog(file File, size int64, opts ...Option) (*chunkLog, *Reader, error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return nil, nil, err
	}
	w := watch(file)
	l, f, err := openLog(w, size, opts...)
	if err = w.end(err); err != nil {
		return nil, nil, err
	}
	l.file = file
	return l, f, nil
}

func openLog(file File, size int64, opts ...Option) (l *chunkLog, f *Reader, err error) {
	if size, err = finish(file, size); err != nil {
		return nil, nil, err
	}
	if f, err = Open(file, size, append(opts[:len(opts):len(opts)], AllowTorn())...); err != nil {
		return nil, nil, err
	}
	if err := f.refuseLoss(); err != nil {
		return nil, nil, err
	}
	lost, committed := f.Lost(), max(f.h.NBytes, 0)
	if f.mark.order != Unsealed && !f.mark.open {
		if !f.cfg.drop {
			opts = append(opts[:len(opts):len(opts)], RecoverTail())
		}
		if f, _, err = reopen(file, size, opts...); err != nil {
			return nil, nil, err
		}
		size = f.frameLen
	}
	if err := f.writable(); err != nil {
		return nil, nil, err
	}
	if f.mark.open && f.FrameLen() < size {
		return nil, nil, blosc2.Errorf(blosc2.PartHeader, blosc2.ErrUnsupported, "writing after a frame that another one follows")
	}
	if f.mark.order == Sealed && f.nbytes == 0 {
		if l, err = emptyLog(file, f); err == nil && f.cfg.rows {
			err = l.GrowRows()
		}
	} else {
		l, err = resumeLog(file, size, f)
	}
	if err != nil {
		return nil, nil, err
	}
	if lost != nil {
		if err := l.dropDue(); err != nil {
			return nil, nil, err
		}
	}
	l.recovered, l.lost = f.nbytes-committed, lost
	return l, f, nil
}

// Recovered returns the number of bytes found by appendLog that had been flushed
// but not committed.
func (l *chunkLog) Recovered() int64 { return l.recovered }

// Lost returns what Reader.Lost returned when the file was opened.
func (l *chunkLog) Lost() error { return l.lost }

// emptyLog rewrites a frame without data from its beginning, with its header,
// metalayers and vlmetalayers.
func emptyLog(file framing.LogFile, f *Reader) (*chunkLog, error) {
	b, err := newBuilder(f.h, building{checks: f.mark.checks || !f.mark.holds})
	if err != nil {
		return nil, err
	}
	head, err := b.AppendHeader(nil)
	if err != nil {
		return nil, err
	}
	b.vlmeta = f.vlmeta
	return &chunkLog{b: b, file: file, end: f.frameLen, head: head}, nil
}

// resumeLog continues a frame that has data.
func resumeLog(file File, size int64, f *Reader) (*chunkLog, error) {
	b, err := f.resume()
	if err != nil {
		return nil, err
	}
	l := &chunkLog{b: b, file: file, end: size, begun: f.mark.open, unsure: true}
	if l.begun {
		l.found = size
	}
	b.stream.Open = l.begun
	switch {
	case f.rows != nil || f.cfg.rows:
		err = l.resumeRows(f)
	case f.progress == nil:
		f.progress, err = f.findProgress()
	}
	if err != nil {
		return nil, err
	}
	p := f.progress
	if f.mark.order != Unsealed {
		c := &committed{tail: p.tail, last: p.last, place: p.place, chunks: p.sealed}
		l.committed, l.durable = c, true
	} else if f.torn() && !f.mark.open {
		l.end = p.next
		if p.short != nil {
			l.end = p.short.end
		}
		if err := file.Truncate(l.end); err != nil {
			return nil, err
		}
	}
	if l.rows != nil {
		l.takeRows(f)
	} else {
		l.takeChunks(f)
	}
	if err := l.findStale(f); err != nil {
		return nil, err
	}
	if f.cfg.drop {
		if err := l.drop(); err != nil {
			return nil, err
		}
	}
	return l, l.completeCommit(f)
}

// takeChunks prepares the log to continue the chunks of f.
func (l *chunkLog) takeChunks(f *Reader) {
	b, p := l.b, f.progress
	b.pos, b.regrow = p.next, false
	if p.short != nil && b.h.VariableChunks {
		b.pos = p.short.end
	}
	if size := int64(b.h.ChunkSize); size > 0 && !b.h.VariableChunks {
		b.offsets, b.nbytes, b.last = b.offsets[:p.n], p.n*size, size
		l.open, l.short = p.open, p.short
		if short := f.nbytes - (p.n-1)*size; p.n == int64(len(f.index)) && p.n > 0 && short < size { // the last chunk is not the last one in the file, or not in it
			l.entry = &lastChunk{nbytes: short, offsets: slices.Clone(f.index[p.n-1:])}
			b.offsets, b.nbytes = b.offsets[:p.n-1], b.nbytes-size
		}
	}
	l.dirty = f.mark.order == Unsealed || f.nbytes != f.h.NBytes
}

// findStale finds the heads of open chunks that are finished. These may be the head that
// the sealed frame needs, and that of the last chunk if its writer died before destroying
// it.
func (l *chunkLog) findStale(f *Reader) error {
	p, last := f.progress, int64(len(l.b.offsets))-1
	if (l.open == nil || l.open.at != p.last.start) && p.place-openHeader == p.last.start && p.last.len() > 0 {
		l.stale = append(l.stale, p.last.start)
	}
	if last < 0 || !l.begun || l.b.h.VariableChunks {
		return nil
	}
	at, number := openPlace(l.b.headerLen+l.b.offsets[last], int64(l.b.h.ChunkSize), p.tail), last
	if y := l.rows; y != nil {
		last -= y.chunks - 1
		at, number = y.place(l.b.headerLen+l.b.offsets[last], p.tail), last|rowsMark
	}
	if _, ok := readOpenMark(f.src, at, number); ok && (l.open == nil || l.open.at != at) {
		l.stale = append(l.stale, at)
	}
	return l.destroyStale()
}

// completeCommit completes a commit that was interrupted between its last two writes: it
// updates the header of the open chunk from the frame's.
func (l *chunkLog) completeCommit(f *Reader) error {
	o := l.open
	if o == nil || o.rows != nil || l.committed == nil || l.committed.last.start != o.at {
		return nil
	}
	size := int(l.committed.last.end - o.at - openData)
	want := storedHeader(size, int(f.h.TypeSize), int(f.h.BlockSize))
	var have [chunk.HeaderLen]byte
	if err := f.readAt("", have[:], o.at+openHeader); err != nil {
		return err
	}
	if bytes.Equal(have[:], want[:]) {
		return nil
	}
	return l.write(want[:], o.at+openHeader)
}

// drop destroys the references to dropped bytes. Then no reader finds them again, and
// readers that have seen them return an error.
func (l *chunkLog) drop() error {
	if o := l.open; o != nil {
		o.gen++
		head := o.mark().append(make([]byte, 0, openCommit))
		for range 2 {
			head = appendFlushSlot(head, o.units(), o.digest.Sum64())
		}
		if err := l.write(head, o.at); err != nil {
			return err
		}
	}
	if err := l.dropDue(); err != nil {
		return err
	}
	if l.committed == nil || l.Empty() {
		return nil
	}
	// Write a different header, so that no reader continues from dropped bytes.
	return l.commit(true, nil, true)
}

// Pending returns how many decoded bytes of the next chunk the file already holds,
// or 0 if the next chunk is a new one.
func (l *chunkLog) Pending() int {
	switch {
	case l.open != nil:
		return l.open.size
	case l.short != nil:
		return int(l.short.nbytes)
	case l.entry != nil:
		return int(l.entry.nbytes)
	}
	return 0
}

// Unfinished reports whether the bytes of Pending must be written before Close.
// Otherwise they are in a chunk, perhaps a short one, that may remain.
func (l *chunkLog) Unfinished() bool {
	return l.open != nil || l.short != nil && l.short.start != l.b.pos
}

// finishLog closes an open frame whose writer has died, in its file. It returns the new
// size of the file.
func finishLog(file File, size int64, opts ...Option) (int64, error) {
	l, f, err := appendLog(file, size, append(opts[:len(opts):len(opts)], func(c *config) { c.noLoss = true })...)
	if err != nil {
		return size, err
	}
	if l.Unfinished() {
		if err := l.putPending(f); err != nil {
			return size, err
		}
	}
	if err := l.Close(); err != nil {
		return size, err
	}
	return l.end, file.Sync()
}

// putPending puts the next chunk or slab with the data that f holds of it.
func (l *chunkLog) putPending(f *Reader) error {
	first := f.NumChunks() - 1
	if y := l.rows; y != nil {
		first = l.b.NumChunks()
		if n := int64(l.Pending()) / y.row(); n < y.rows {
			if err := l.endRows(n); err != nil {
				return err
			}
		}
	}
	e, err := chunk.NewEncoder(encoderParams(l.b))
	if err != nil {
		return err
	}
	for i := first; i < f.NumChunks(); i++ {
		data, err := f.Chunk(nil, i)
		if err != nil {
			return err
		}
		c, err := e.Encode(nil, data)
		if err != nil {
			return err
		}
		n := len(c)
		if l.b.Checks() {
			c = framing.AppendChunkRecord(c, c)
		}
		if err := l.Put(c, n, len(data)); err != nil {
			return err
		}
	}
	return nil
}
