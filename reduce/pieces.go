package reduce

import (
	"context"
	"io"
	"runtime"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/internal/workpool"
)

// pieceGoal is the maximum number of bytes of items in a piece of more than one chunk.
const pieceGoal = 4 << 20

// A piece is the part of a window in some chunks that are consecutive along the
// reduced axes.
type piece struct {
	w      b2nd.Window
	items  []byte
	states interface {
		reduce(r *Reduction, w b2nd.Window, items []byte)
	}
}

type pool = workpool.Pool[piece]

// read reads the items of a piece and reduces them.
func (r *Reduction) read(_ int, p *piece) error {
	size := product(lens(p.w)) * int64(r.item.size)
	if int64(cap(p.items)) < size {
		p.items = make([]byte, size)
	}
	p.items = p.items[:size]
	if err := r.src.ReadWindow(p.items, p.w); err != nil {
		return err
	}
	if p.states == nil {
		switch r.kind() {
		case float:
			p.states = new(partStates[float64])
		case unsigned:
			p.states = new(partStates[uint64])
		default:
			p.states = new(partStates[int64])
		}
	}
	p.states.reduce(r, p.w, p.items)
	return nil
}

// each reads the pieces of a window of the array concurrently, and calls do
// with each in the C order of the chunks.
func (r *Reduction) each(w b2nd.Window, do func(*piece)) (err error) {
	if product(lens(w)) == 0 {
		return nil
	}
	if r.pieces == nil {
		workers := runtime.GOMAXPROCS(0)
		r.pieces = workpool.New(workers, workers+workpool.Spare, r.read)
		r.pieces.Blocking()
	}
	r.pieces.Start(context.Background(), func() error {
		return r.eachWindow(w, func(part b2nd.Window) error {
			j, err := r.pieces.Acquire()
			if err != nil {
				return err
			}
			j.Value.w = append(j.Value.w[:0], part...)
			r.pieces.Submit(j)
			return nil
		})
	})
	defer func() {
		r.pieces.Close()
		workpool.Raise(err)
	}()
	for {
		j, err := r.pieces.Next()
		if j == nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		if err != nil {
			return err
		}
		do(&j.Value)
		r.pieces.Release(j)
	}
}

// steps returns how many items of w a piece has along each dimension. They
// depend only on the array and w, and so does the result, bit for bit.
func (r *Reduction) steps(w b2nd.Window) []int64 {
	steps := r.src.ChunkShape()
	size := int64(r.item.size)
	for d, s := range w {
		size *= min(steps[d], s.Stop-s.Start)
	}
	for d := len(w) - 1; d >= 0; d-- {
		n := min(pieceGoal/max(size, 1), ceilDiv(w[d].Stop-w[d].Start, steps[d]))
		if r.reduced[d] && n > 1 {
			steps[d] *= n
			size *= n
		}
	}
	return steps
}

// eachWindow calls do with the pieces of w, in C order.
func (r *Reduction) eachWindow(w b2nd.Window, do func(b2nd.Window) error) error {
	chunk := r.steps(w)
	part := make(b2nd.Window, len(w))
	for d, s := range w {
		part[d] = next(s, s.Start, chunk[d])
	}
	for {
		if err := do(part); err != nil {
			return err
		}
		d := len(w) - 1
		for ; d >= 0; d-- {
			if part[d].Stop < w[d].Stop {
				part[d] = next(w[d], part[d].Stop, chunk[d])
				break
			}
			part[d] = next(w[d], w[d].Start, chunk[d])
		}
		if d < 0 {
			return nil
		}
	}
}

// next returns the part of s, beginning with item from, that is in one piece.
func next(s b2nd.Span, from, chunk int64) b2nd.Span {
	return b2nd.Span{Start: from, Stop: min(from/chunk*chunk+chunk, s.Stop), Step: 1}
}
