package frame

import (
	"math"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
	"github.com/seed03b80dae/blosc2/meta"
)

// Rows returns the number of rows of the frame's array along its first dimension,
// including flushed rows that are not committed. ok is false if that number follows from
// the metalayer b2nd and the number of chunks.
func (f *Reader) Rows() (n int64, ok bool) { return f.nrows, f.rows != nil }

// layersNow returns the metalayers of the frame. That of an array counts all rows,
// including those that were flushed but not committed.
func (f *Reader) layersNow() ([]meta.Layer, error) {
	if f.rows == nil {
		return f.h.Layers, nil
	}
	value, err := withRows(f.h.Layers, f.nrows)
	if err != nil {
		return nil, err
	}
	layers := slices.Clone(f.h.Layers)
	for i := range layers {
		if layers[i].Name == meta.B2NDName {
			layers[i].Value = value
		}
	}
	return layers, nil
}

// inOpenChunk reports whether chunk n is an open chunk. Its writer has not finished it.
func (f *Reader) inOpenChunk(n int64) bool {
	return f.mark.open && f.progress != nil && f.progress.open != nil && n >= f.progress.open.n
}

// inRows reports whether the frame matches its header and the layout. Then the array may
// have grown since the header was written.
func (f *Reader) inRows(y *rowLayout) bool {
	switch {
	case y == nil || f.mark.order == ByIndex || f.irregular:
		return false
	case f.mark.order == Unsealed:
		return y.stated == 0
	}
	return f.fixed() && int64(len(f.index)) == y.slabs(y.stated)*y.chunks && f.nbytes == int64(len(f.index))*y.size
}

// inShortSlab reports whether chunk n belongs to an incomplete last slab, which its
// writer may replace.
func (f *Reader) inShortSlab(n int64) bool {
	if y := f.rows; y != nil {
		return f.nrows%y.rows != 0 && n >= f.nrows/y.rows*y.chunks
	}
	f.slabs.Do(func() {
		f.shortSlab = math.MaxInt64
		if y := rowsOf(f.h); y != nil && f.mark.order != Unsealed && f.inRows(y) && y.stated%y.rows != 0 {
			f.shortSlab = y.stated / y.rows * y.chunks
		}
	})
	return n >= f.shortSlab
}

// findRows is like findProgress, for an array that grows row by row.
func (f *Reader) findRows(y *rowLayout) (*progress, error) {
	p := &progress{n: int64(len(f.index)), next: f.firstPlace()}
	if f.mark.order == Unsealed {
		p.n -= p.n % y.chunks
		return p, f.endOfChunks(p)
	}
	p.tail = span64{int64(len(f.raw)) + f.h.CBytes - endMarkLen, f.frameLen}
	p.sealed = p.n
	if p.n == 0 {
		p.next = f.frameLen
		return p, nil
	}
	first := p.n - y.chunks
	at, rows := f.placeOf(int(first)), y.stated-first/y.chunks*y.rows
	if f.mark.open && at >= openHeader {
		limit := y.rows
		if f.cfg.drop {
			limit = rows
		}
		o, err := f.readOpen(y, at-openHeader, first, rows, limit)
		if err != nil {
			return nil, err
		}
		if o != nil {
			p.n, p.open, p.place, p.last = first, o, at, span64{o.at, o.at + y.openRoom()}
			return p, f.endOfChunks(p)
		}
	}
	e, err := f.chunkExtent(f.placeOf(int(p.n) - 1))
	if err != nil {
		return nil, blosc2.At(err, p.n-1, f.placeOf(int(p.n)-1))
	}
	if rows == y.rows {
		p.next = f.afterSkip(e.end)
		return p, nil
	}
	slab := span64{at, e.end}
	if slab.len() <= 0 {
		return nil, blosc2.At(blosc2.Errorf(blosc2.PartIndex, blosc2.ErrUnsupported, "the chunks of the last rows are not in order"), first, at)
	}
	p.n, p.next, p.place, p.last = first, at, at, slab
	p.short = &extent{slab, rows * y.row()}
	return p, nil
}

// catchUpRows is like catchUp, for an array that grows row by row. ok is false if it
// finds no rows after the whole slabs.
func (f *Reader) catchUpRows(y *rowLayout) (ok bool, err error) {
	p, err := f.findRows(y)
	if err != nil {
		return false, err
	}
	if f.cfg.drop && f.mark.order != Unsealed {
		if f.progress = p; p.open != nil || p.short != nil {
			f.rows, f.nrows = y, y.stated
			f.chunks = contiguous{f.src, int64(len(f.raw)), f.size}
		}
		return f.rows != nil, nil
	}
	sealed := f.index
	index := f.index[:p.n:p.n]
	var added []step
	for p.short == nil && p.n <= MaxChunks-y.chunks {
		if p.open == nil {
			o, err := f.readOpen(y, y.place(p.next, p.tail), p.n, 0, y.rows)
			if err != nil {
				return false, err
			}
			if o != nil && !o.done {
				if o.size > 0 {
					p.open = o
				}
				break
			}
		}
		if p.open != nil && !p.open.done {
			break
		}
		chunks := f.flushedSlab(y, p)
		if chunks == nil {
			break
		}
		added = append(added, step{*p, chunks})
		for _, e := range chunks {
			index = append(index, e.start-int64(len(f.raw)))
		}
		p.n, p.next, p.open = p.n+y.chunks, f.afterSkip(chunks[len(chunks)-1].end), nil
	}
	torn, later := f.firstTorn(added), false
	if torn < len(added) {
		later = f.anyIntact(added[torn+1:]) || p.open != nil && !p.open.done
		*p = added[torn].before
		index = index[:p.n]
	}
	if p.short != nil && p.open == nil {
		o, err := f.readOpen(y, y.place(p.next, p.tail), p.n, 0, y.rows)
		if err != nil {
			return false, err
		}
		if o != nil && int64(o.size) > p.short.nbytes {
			p.open = o
		}
	}
	f.rows = y
	if torn < len(added) && (later || p.open == nil) {
		f.loseChunk(p, added[torn].chunks[0].start, later)
	}
	if f.progress = p; f.lost == nil {
		f.findLost()
	}
	if p.open == nil && p.short == nil && p.place == 0 && f.lost == nil {
		f.rows, f.progress = nil, nil
		return false, nil
	}
	f.nrows = p.n / y.chunks * y.rows
	switch {
	case p.open != nil:
		f.nrows += int64(p.open.units())
		for k := range y.chunks {
			index = append(index, p.open.at+openHeader+k*y.stored()-int64(len(f.raw)))
		}
	case p.short != nil:
		f.nrows += p.short.nbytes / y.row()
		index = append(index, sealed[p.n:p.n+y.chunks]...)
	}
	f.index, f.nbytes = index, int64(len(index))*y.size
	f.chunks = contiguous{f.src, int64(len(f.raw)), f.size}
	return true, f.cfg.limits.checkTotal(f.nbytes)
}

// flushedSlab returns the finished chunks of the next slab, or nil if some are
// missing.
func (f *Reader) flushedSlab(y *rowLayout, p *progress) []*extent {
	var chunks []*extent
	for at := p.next; int64(len(chunks)) < y.chunks; {
		e, ok := f.flushedChunk(at)
		if !ok || e.nbytes != y.size || p.open != nil && !f.agreesWith(p.open, int64(len(chunks)), e) {
			return nil
		}
		chunks = append(chunks, e)
		at = e.end
	}
	return chunks
}

// agreesWith is like agrees, for chunk k of a slab.
func (f *Reader) agreesWith(o *openChunk, k int64, e *extent) bool {
	if f.mark.checks || f.h.Filters.Lossy() || framing.LossyCodec(f.h.Codec) || o.sums == nil {
		return true
	}
	data, err := f.view(e.start).Chunk(nil, 0)
	if err != nil || int64(len(data)) != o.rows.size {
		return false
	}
	rows := int64(o.units())
	o.rows.wipe(data, 0, rows)
	sums := o.sums()
	return sums != nil && framing.Digest(data[:o.rows.live(rows)]) == sums[k]
}
