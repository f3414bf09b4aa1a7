// Package deflate makes deflate streams (RFC 1951) of inputs that are wholly in
// memory: shuffled blocks, whose planes of bytes have long runs and small
// alphabets that change from plane to plane.
package deflate

// An Encoder keeps tables and buffers. The zero value is ready. It belongs to
// one goroutine at a time.
type Encoder struct {
	finder  finder
	emitter emitter
	seqs    []seq
	pieces  []piece
}

// A piece is as much of a plane as is looked at at once.
type piece struct {
	block
	first, end int // of its sequences
	cost       int
}

const (
	largestPiece  = 16 << 10
	smallestPiece = 1 << 10
	batch         = 64 << 10 // pieces whose sequences are kept, at least
)

// Encode writes the stream of src to dst and gives its length, or 0 where it
// does not fit. src is taken for so many planes of equal length, which is but a
// hint. It keeps neither slice.
func (e *Encoder) Encode(dst, src []byte, planes int, effort Effort) int {
	makeTables()
	w := &e.emitter
	w.bitWriter = bitWriter{out: dst}
	defer func() { w.out = nil }()

	plane := max(len(src)/max(planes, 1), 1)
	plane *= (smallestPiece + plane - 1) / plane
	size := plane
	if size > largestPiece {
		n := (plane + largestPiece - 1) / largestPiece
		size = (plane + n - 1) / n
	}
	e.finder.reset(len(src), plane, effort)
	for from := 0; ; {
		e.pieces, e.seqs = e.pieces[:0], e.seqs[:0]
		at := from
		for at < len(src) && at-from < batch {
			to := min(at+size, at-at%plane+plane, len(src))
			e.take(src, at, to)
			at = to
		}
		if !e.put(src, from, at) {
			return 0
		}
		if from = at; from == len(src) {
			break
		}
	}
	w.align()
	return w.at
}

// take makes a piece of src[from:to].
func (e *Encoder) take(src []byte, from, to int) {
	if len(e.pieces) == cap(e.pieces) {
		e.pieces = append(e.pieces, piece{})
	} else {
		e.pieces = e.pieces[:len(e.pieces)+1]
	}
	p := &e.pieces[len(e.pieces)-1]
	p.from, p.to, p.first = from, to, len(e.seqs)
	e.seqs = e.finder.find(e.seqs, src, from, to, literalCost(src[from:to]))
	p.end = len(e.seqs)
	p.count(src, e.seqs[p.first:])
	p.cost = p.counts.cost()
}

// put writes the pieces as blocks: neighbours share their codes where that
// saves bits.
func (e *Encoder) put(src []byte, from, to int) bool {
	if len(e.pieces) == 0 {
		return e.emitter.put(src, &block{from: from, to: to}, true)
	}
	cur := &e.pieces[0]
	for i := 1; ; i++ {
		if i < len(e.pieces) {
			next := &e.pieces[i]
			both := cur.counts
			both.add(&next.counts)
			if c := both.cost(); c <= cur.cost+next.cost {
				cur.counts, cur.cost = both, c
				cur.to, cur.end = next.to, next.end
				continue
			}
		}
		cur.seqs = e.seqs[cur.first:cur.end]
		if !e.emitter.put(src, &cur.block, cur.to == len(src)) {
			return false
		}
		if i == len(e.pieces) {
			return true
		}
		cur = &e.pieces[i]
	}
}
