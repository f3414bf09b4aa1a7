// Package deflate makes deflate streams (RFC 1951) of inputs that are wholly in
// memory: shuffled blocks, whose planes of bytes have long runs and small
// alphabets that change from plane to plane.
package deflate

import "github.com/seed03b80dae/blosc2/codecs/internal/bitio"

// An Encoder keeps tables and buffers. The zero value is ready. It is for one
// goroutine at a time.
type Encoder struct {
	finder  finder
	emitter emitter
	seqs    []seq // sequences of the current block and of the piece after it
	block   block
	piece   block
}

// A piece is a part of a plane that is searched in one step. A block consists of one or
// more pieces.
const (
	largestPiece  = 16 << 10
	smallestPiece = 1 << 10
	largestBlock  = 1 << 20
	mostSeqs      = 1 << 14 // most sequences of a block
)

// Encode writes the stream of src to dst and returns its length, or 0 if it does not fit.
// planes is a hint about src: that many planes of equal length, or single bytes if it is
// 1, or whole values if it is 0. Encode keeps neither slice.
func (e *Encoder) Encode(dst, src []byte, planes int, effort Effort) int {
	makeTables()
	w := &e.emitter
	w.Writer = bitio.Writer{Out: dst}
	defer func() { w.Out = nil }()

	plane := max(len(src)/max(planes, 1), 1)
	plane *= (smallestPiece + plane - 1) / plane
	size := plane
	period := plane
	if planes <= 1 {
		period = 0
	}
	e.finder.reset(len(src), period, effort)
	largest := largestPiece
	if e.finder.priced() {
		largest = itemPiece
	}
	if size > largest {
		n := (plane + largest - 1) / largest
		size = (plane + n - 1) / n
	}
	e.seqs = e.seqs[:0]
	e.block = block{}
	for at := 0; at < len(src); {
		to := at - at%plane + plane
		if to-at < smallestPiece {
			to += plane // a run extends nearly to the end of the plane, so include the next one
		}
		to = min(to, at+size, len(src))
		first := e.take(src, at, to)
		switch {
		case at == 0:
			e.block = e.piece
		case !e.block.join(&e.piece, len(e.seqs)):
			if !w.put(src, &e.block, e.seqs[:first], false) {
				return 0
			}
			e.seqs = e.seqs[:copy(e.seqs, e.seqs[first:])]
			e.block = e.piece
		}
		at = e.piece.to
	}
	if !w.put(src, &e.block, e.seqs, true) {
		return 0
	}
	w.Align()
	return w.At
}

// take makes a piece of src[from:to] and the run at its end, and returns the index
// of its sequences.
func (e *Encoder) take(src []byte, from, to int) (first int) {
	first = len(e.seqs)
	priced, literal := e.finder.priced(), 0
	switch {
	case !priced:
		literal = literalCost(src[from:to])
	case from == 0:
		e.seqs = e.finder.items.learn(src, to, &e.piece, e.seqs)
	}
	e.seqs, to = e.finder.find(e.seqs, src, from, to, literal)
	p := &e.piece
	p.from, p.to = from, to
	p.counts = counts{}
	p.cost = 8 * (to - from)
	p.noise = literal >= noiseCost && len(e.seqs)-first == 1 && e.seqs[first].length == 0
	if !p.noise {
		p.count(src, e.seqs[first:])
		cost := p.counts.cost() + p.extra()
		p.noise = cost >= p.cost && to-from >= smallestPiece
		p.cost = cost
	}
	if priced && !p.noise {
		e.finder.items.prices.learn(p, p.cost, e.seqs[first:])
	}
	return first
}

// join makes the following piece p a part of the block if sharing their codes saves bits.
func (b *block) join(p *block, seqs int) bool {
	if p.to-b.from > largestBlock || seqs > mostSeqs || b.noise != p.noise {
		return false
	}
	both := b.counts
	if !b.noise {
		both.add(&p.counts)
		cost := both.cost() + both.extra()
		if cost > b.cost+p.cost {
			return false
		}
		b.cost = cost
	}
	b.counts, b.to = both, p.to
	return true
}
