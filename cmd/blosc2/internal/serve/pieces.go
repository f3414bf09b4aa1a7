package serve

import (
	"context"
	"iter"
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
)

// These are the sizes of the pieces in which a window is read, in bytes.
const (
	pieceTarget = 4 << 20
	pieceMost   = 32 << 20 // limit for pieces of whole blocks
)

// A plan describes how a window is divided into pieces. In order, the pieces are the
// window in C order. Each has a single index in the dimensions before dim. Along dim it
// ends at a multiple of align items, or at the end of the window. In later dimensions
// it is as long as the window.
type plan struct {
	dim   int
	align int64
	each  int64 // multiples of align in a piece
	bytes int64 // size of the largest piece, in bytes
}

// plan returns how to read the window.
func (q *query) plan() plan {
	// row[d] is the size in bytes of the part of the window along dimensions d and later.
	row := make([]int64, len(q.window)+1)
	row[len(q.window)] = q.itemBytes()
	for d := len(q.window) - 1; d >= 0; d-- {
		row[d] = mul(row[d+1], q.window[d].Len())
	}
	for d, s := range q.window {
		step := max(s.Step, 1)
		for _, try := range []struct{ align, most int64 }{{q.chunks[d], pieceTarget}, {q.blocks[d], pieceMost}} {
			// The most items of the window between two multiples of align.
			per := min((try.align+step-1)/step, s.Len())
			if n := mul(row[d+1], per); n > 0 && n <= try.most {
				each := max(pieceTarget/n, 1)
				return plan{d, try.align, each, min(mul(n, each), row[d])}
			}
		}
		if n := row[d+1]; n <= pieceTarget {
			rows := max(pieceTarget/max(n, 1), 1)
			return plan{d, step, rows, min(mul(n, rows), row[d])}
		}
	}
	return plan{dim: len(q.window), bytes: q.itemBytes()}
}

// pieces yields the window of each piece.
func (p plan) pieces(w b2nd.Window) iter.Seq[b2nd.Window] {
	return func(yield func(b2nd.Window) bool) {
		if slices.ContainsFunc(w, func(s b2nd.Span) bool { return s.Len() == 0 }) {
			return
		}
		p.below(slices.Clone(w), w, 0, yield)
	}
}

func (p plan) below(part, w b2nd.Window, d int, yield func(b2nd.Window) bool) bool {
	if d == len(w) {
		return yield(part)
	}
	s := w[d]
	step := max(s.Step, 1)
	if d < p.dim {
		for i := range s.Len() {
			at := s.Start + i*step
			part[d] = b2nd.Span{Start: at, Stop: at + 1, Step: 1, Drop: s.Drop}
			if !p.below(part, w, d+1, yield) {
				return false
			}
		}
		return true
	}
	last := s.Start + (s.Len()-1)*step
	for at := s.Start; at <= last; {
		stop := min((at/p.align+p.each)*p.align, last+1)
		stop = max(stop, at+1)
		part[d] = b2nd.Span{Start: at, Stop: stop, Step: step, Drop: s.Drop}
		if !yield(part) {
			return false
		}
		at += (stop - at + step - 1) / step * step
	}
	return true
}

// memory returns the bytes needed to read the window: a piece, and the memory
// to decode a chunk.
func (q *query) memory(p plan) int64 {
	n := min(q.chunkBytes(), pieceMost)
	if q.zarr != nil { // the stored chunk, the decoded chunk, and its items in C order
		n = mul(q.chunkBytes(), 3)
	}
	return p.bytes + n + 256<<10
}

// each calls f with the items of every piece, reduced to the selected field. The
// next piece overwrites b.
func (q *query) each(ctx context.Context, p plan, f func(b []byte) error) error {
	b, release := buffer(p.bytes)
	defer release()
	read := q.reader()
	for w := range p.pieces(q.window) {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := item.Count(w.Shape()) * q.itemBytes()
		if int64(len(b)) < n {
			b = make([]byte, n)
		}
		if err := read(b[:n], w); err != nil {
			return err
		}
		if err := f(q.arrange(b[:n])); err != nil {
			return err
		}
	}
	return nil
}

// arrange moves the selected field of the items to the beginning of b, and returns it.
func (q *query) arrange(b []byte) []byte {
	item, size := int(q.itemBytes()), q.field.Size
	for _, n := range q.inner {
		size *= n
	}
	if size == item {
		return b
	}
	n := len(b) / item
	for i := range n {
		copy(b[i*size:(i+1)*size], b[i*item+q.offset:])
	}
	return b[:n*size]
}
