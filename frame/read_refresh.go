package frame

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// Refresh returns a Reader of the current frame, which its writer may have extended or
// changed, in a source that now has size bytes. If size is -1 the source must have a Stat
// method, as a file has. Refresh returns f if nothing has changed. f remains usable and
// keeps its state, but returns blosc2.ErrChanged for a chunk that was replaced since.
//
// While the header of an open frame stays the same, Refresh reads only the newly flushed
// bytes, at most twice, and about 500 bytes more, however long the frame and the open
// chunk are. After a commit, and for an array after a completed slab of rows, it opens
// the frame again. That reads the index: 8 bytes for each chunk.
//
// A header that is read while it is written may look damaged. After an error, try again.
func (f *Reader) Refresh(size int64) (*Reader, error) {
	if f.origin == nil {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "a sparse frame cannot be refreshed; open it again")
	}
	if size < 0 {
		var ok bool
		if size, ok = fsio.Size(f.origin); !ok {
			return nil, &blosc2.OptionError{Option: "size", Value: size, Range: "the size of the source, which has no method Stat"}
		}
	}
	if now, ok := f.advance(size); ok {
		return now, nil
	}
	now := &Reader{origin: f.origin, src: f.origin, size: size, cfg: f.cfg, end: io.EOF}
	now.setSource(f.origin)
	if err := now.open(); err != nil {
		return nil, err
	}
	if string(now.raw) == string(f.raw) && now.tailSum == f.tailSum && now.frameLen == f.frameLen && now.sameData(f) {
		return f, nil
	}
	return now, nil
}

// sameData reports whether f and g have the same chunks. They have the same header.
func (f *Reader) sameData(g *Reader) bool {
	n := len(f.index)
	if f.nbytes != g.nbytes || f.nrows != g.nrows || n != len(g.index) || (f.end == io.EOF) != (g.end == io.EOF) || (f.lost == nil) != (g.lost == nil) {
		return false
	}
	return f.sameOpen(g) && (n == 0 || f.index[n-1] == g.index[n-1])
}

// sameOpen reports whether f and g have the same open chunk: its generation
// changes when bytes of it are dropped.
func (f *Reader) sameOpen(g *Reader) bool {
	var a, b *openChunk
	if f.progress != nil {
		a = f.progress.open
	}
	if g.progress != nil {
		b = g.progress.open
	}
	return (a == nil) == (b == nil) && (a == nil || a.at == b.at && a.n == b.n && a.gen == b.gen)
}

// advance returns the Reader of the current frame if it can be derived from f, for which
// the header must be unchanged.
func (f *Reader) advance(size int64) (*Reader, bool) {
	if _, array := f.Metalayer(meta.B2NDName); array && !f.growsRows() {
		return nil, false
	}
	if _, copied := f.src.(overlay); copied || f.cfg.drop || size < f.size || !f.mark.holds || f.h.Type != header.Contiguous || f.headerChanged() || !f.sameTail() {
		return nil, false
	}
	now := &Reader{origin: f.origin, src: f.src, size: size, cfg: f.cfg, h: f.h, raw: f.raw, rest: f.rest, mark: f.mark,
		trailerAt: f.trailerAt, frameLen: f.frameLen, tailAt: f.tailAt, tailSum: f.tailSum, vlmeta: f.vlmeta, index: f.index,
		rec1: f.rec1, cbytes: f.cbytes, end: f.end, nbytes: f.nbytes, rows: f.rows, nrows: f.nrows, ahead: f.ahead}
	switch {
	case f.rows != nil:
		if !now.proceedRows(f) || f.headerChanged() {
			return nil, false
		}
	case f.mark.open:
		if f.progress == nil || !now.proceed(f) || f.headerChanged() {
			return nil, false
		}
	case f.mark.order == Unsealed && f.torn():
		now.end = io.EOF
		if err := now.scanFrom(f); err != nil || f.headerChanged() {
			return nil, false
		}
	default:
		return f, f.mark.checks
	}
	if now.sameData(f) {
		return f, true
	}
	return now, true
}

// sameTail reports whether the record of the header's tail is the same as in f. Two
// successive tails may have the same offset.
func (f *Reader) sameTail() bool {
	if f.tailAt == 0 {
		return true
	}
	rec, ok := readRecord(f.src, f.tailAt)
	return ok && rec.value == f.tailSum
}

// proceed adds the data that were flushed since was was read. f has the same header as
// was. proceed returns false if the frame must be opened again.
func (f *Reader) proceed(was *Reader) bool {
	if !f.fixed() {
		if was.measure.Do(func() { was.bad = was.measureChunks() }); was.bad != nil {
			return false
		}
	}
	p := *was.progress
	f.progress = &p
	for range openTries {
		lost := false
		if p.open != nil {
			grown, err := f.growOpen(p.open)
			if err != nil {
				return false
			}
			if lost = grown == nil; !lost {
				p.open = grown
			}
		}
		n := p.n
		if f.takeUp(&p, p.short) != nil || lost && p.n == n {
			return false
		}
		if p.open != nil || p.short != nil {
			break
		}
		// The open chunk may have been finished just now.
		if _, ok := f.flushedChunk(p.next); !ok {
			break
		}
	}
	f.loseOpen()
	f.findLost()
	if !f.fixed() {
		return f.extendStarts(was)
	}
	return true
}

// growsRows reports whether f has an open slab of rows.
func (f *Reader) growsRows() bool {
	return f.mark.open && f.rows != nil && f.progress != nil && f.progress.open != nil && !f.progress.open.done
}

// proceedRows is like proceed, for an array: it adds rows to the open slab. It returns
// false if the slab was finished.
func (f *Reader) proceedRows(was *Reader) bool {
	p := *was.progress
	grown, err := f.growOpen(p.open)
	if err != nil || grown == nil {
		return false
	}
	f.nrows += int64(grown.units() - p.open.units())
	p.open = grown
	f.progress = &p
	f.loseOpen()
	f.chunks = contiguous{f.src, int64(len(f.raw)), f.size}
	return true
}

// extendStarts adds the chunks of f that was lacks to the starts, if chunk sizes differ.
func (f *Reader) extendStarts(was *Reader) bool {
	starts := slices.Clip(was.starts)
	for i := len(starts) - 1; i < len(f.index); i++ {
		e, err := f.chunkExtent(f.placeOf(i))
		if err != nil {
			return false
		}
		starts = append(starts, starts[i]+e.nbytes)
	}
	f.starts = starts
	return starts[len(starts)-1] == f.nbytes
}
