package frame

import (
	"io"
	"slices"

	"github.com/seed03b80dae/blosc2/header"
)

// lastOpen looks for the last chunk of an open frame with a damaged index, which a
// walk over the chunks does not reach.
func (r *repairer) lastOpen() {
	m, err := readMark(r.h)
	size := int64(r.h.ChunkSize)
	if err != nil || !m.open || size <= 0 || r.h.VariableChunks || r.h.Type != header.Contiguous {
		return
	}
	f := r.view()
	n, next, have := int64(len(r.found)), r.firstChunk(), int64(0)
	if n > 0 {
		last := r.found[n-1]
		if last.at < 0 {
			return
		}
		e, err := f.chunkExtent(last.at)
		if err != nil {
			return
		}
		if next = f.afterSkip(e.end); e.nbytes < size {
			n, next, have = n-1, last.at, e.nbytes
		}
	}
	// The open chunk is after the space for the finished chunk or, if a tail is there,
	// after that tail.
	from := alignUp(next + chunkRoom(size))
	to := min(r.size, max(from, int64(r.h.FrameLen))+openRoom(size)+openAlign)
	for at := from; at < to; at += openAlign {
		c := found{at: at + openHeader, index: true}
		if f.displaced(at+recordLen, n) {
			e, err := f.chunkExtent(at + recordLen)
			if err != nil || e.nbytes <= have || e.nbytes > size {
				continue
			}
			c, have = found{at: e.start, nbytes: e.nbytes}, e.nbytes
		} else if o, err := f.readOpen(nil, at, n, 0, size); err == nil && o != nil && int64(o.size) > have {
			have = int64(o.size)
			f.index = make([]int64, n+1)
			f.index[n], f.nbytes, f.progress = c.at-int64(len(r.raw)), n*size+have, &progress{next: next, open: o}
			r.whole = f
		} else {
			continue
		}
		r.found = append(r.found[:n], c)
	}
}

// view returns a Reader of chunks that are in no index.
func (r *repairer) view() *Reader {
	return &Reader{src: r.src, size: r.size, cfg: config{limits: r.o.limits, damagedMarks: true}, h: r.h, raw: r.raw,
		mark: marking{order: Unsealed, checks: r.checks}, chunks: contiguous{r.src, int64(len(r.raw)), r.size}}
}

// pastLoss finds the chunks of an open frame that is damaged after its last commit. It
// finds the chunks before the damage by the index, those after it front to back, and then
// the open chunk.
func (r *repairer) pastLoss() {
	f, p := r.whole, r.whole.progress
	first := int64(len(f.raw))
	if f.lost.committed {
		r.fromIndex(f.index, first)
		return
	}
	if !f.lost.chunk && (p.open != nil && !p.open.done || p.short != nil) { // add the damaged chunk
		r.fromIndex(f.index, first)
		r.rep.Cut = true
		return
	}
	r.fromIndex(f.index[:p.n], first)
	if !r.wall(p.next) {
		r.walk(p.next)
	}
	for i := range r.found { // chunks that are in the index are read by the frame's Reader
		r.found[i].index = false
	}
	before, y := len(r.found), f.growingRows()
	if y != nil {
		r.lastOpenRows(y)
	} else {
		r.lastOpen()
	}
	if r.whole == f {
		r.farOpen(y)
	}
	if p.open != nil && p.open.rows == nil && int(p.n) < len(r.found) {
		prefix := make([]byte, p.open.size)
		if n, _ := r.src.ReadAt(prefix, p.open.at+openData); n == len(prefix) {
			r.found[p.n].prefix = prefix
		}
	}
	if r.whole == f && before == int(p.n) { // the walk found nothing after the damage
		r.rep.Cut = true
	}
}

// farOpen finds an open chunk or slab whose offset does not follow from the chunks that
// were found, because earlier chunks with damaged headers are missing.
func (r *repairer) farOpen(y *rowLayout) {
	n, p := int64(len(r.found)), r.whole.progress
	step := int64(1)
	if y != nil {
		step = y.chunks
	}
	at, number := r.whole.openAfter(n-n%step-step, max(p.next, r.end), y)
	if at == 0 || number > n+spareChunks {
		return
	}
	f, size := r.view(), int64(r.h.ChunkSize)
	limit := size
	if y != nil {
		limit = y.rows
	}
	o, err := f.readOpen(y, at, number, 0, limit)
	if err != nil || o == nil || o.size == 0 {
		return
	}
	for n := n; n < number; n++ {
		r.found = append(r.found, found{at: -1, err: errMissing})
	}
	if y != nil {
		r.takeOpenRows(y, at, number)
		return
	}
	f.index = make([]int64, number+1)
	f.index[number], f.nbytes, f.progress = at+openHeader-int64(len(r.raw)), number*size+int64(o.size), &progress{next: at, open: o}
	r.whole = f
	r.found = append(r.found[:number], found{at: at + openHeader, index: true})
}

// lastOpenRows adds the open slab of an array, after the complete slabs that were found.
func (r *repairer) lastOpenRows(y *rowLayout) {
	f, n := r.whole, int64(len(r.found))
	n -= n % y.chunks
	r.found = r.found[:n]
	f.nrows = n / y.chunks * y.rows
	next := r.firstChunk()
	if n > 0 {
		e, err := f.chunkExtent(r.found[n-1].at)
		if err != nil {
			return
		}
		next = f.afterSkip(e.end)
	}
	r.takeOpenRows(y, y.place(next, f.progress.tail), n)
}

// takeOpenRows adds the open slab at an offset, after the first n chunks.
func (r *repairer) takeOpenRows(y *rowLayout, at, n int64) {
	f, view := r.whole, r.view()
	f.nrows = n / y.chunks * y.rows
	r.found = r.found[:n]
	o, err := view.readOpen(y, at, n, 0, y.rows)
	if err != nil || o == nil || o.size == 0 {
		return
	}
	view.index = append(slices.Grow(slices.Clone(f.index[:min(n, int64(len(f.index)))]), int(y.chunks)), make([]int64, max(n-int64(len(f.index)), 0))...)
	for k := range y.chunks {
		at := o.at + openHeader + k*y.stored()
		view.index = append(view.index, at-int64(len(r.raw)))
		r.found = append(r.found, found{at: at, index: true})
	}
	view.nbytes, view.progress = int64(len(view.index))*y.size, &progress{next: at, open: o}
	view.rows, view.nrows, view.mark.open = y, f.nrows+int64(o.units()), true
	r.whole = view
}

// maxCorrections is the largest number of headers and records that are corrected. Each
// correction requires another search.
const maxCorrections = 16

// A patched is a source in which the bytes at an offset are replaced by others.
type patched struct {
	io.ReaderAt
	b  []byte
	at int64
}

func (p patched) ReadAt(b []byte, off int64) (int, error) {
	n, err := p.ReaderAt.ReadAt(b, off)
	if from := max(p.at, off); from < min(p.at+int64(len(p.b)), off+int64(n)) {
		copy(b[from-off:n], p.b[from-p.at:])
	}
	return n, err
}
