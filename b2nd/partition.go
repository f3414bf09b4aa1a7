package b2nd

// These are the largest sizes of chunks and blocks. They are a quarter of the cache sizes that are
// assumed, 32 MiB and 1 MiB. python-blosc2 queries the machine; here they are fixed, so
// that the partition is the same everywhere.
const (
	usualChunk = 32 << 20 / 4 // up to four operands of an expression should fit in the cache together
	usualBlock = 1 << 20 / 4
)

// autoPartition chooses chunkshape and blockshape for chunks and blocks of the given sizes, as
// python-blosc2 does, if they are nil. For an unknown first dimension the caller passes an
// estimate.
func autoPartition(shape []int64, item int64, chunkshape, blockshape []int64, chunkBytes, blockBytes int64) (chunks, blocks []int64) {
	if product(shape) == 0 && chunkshape == nil && blockshape == nil {
		return shape, shape
	}
	if chunkshape != nil && blockshape != nil {
		return chunkshape, blockshape
	}
	if blockshape != nil {
		blocks = blockshape
	} else {
		outer := shape
		if chunkshape != nil {
			outer = chunkshape
		}
		blocks = partition(min(max(blockBytes, item), maxBlockBytes)/item, outer, nil)
	}
	if chunkshape != nil {
		return chunkshape, blocks
	}
	b := product(blocks) * item
	c := max(chunkBytes, b)
	c -= c % b
	chunks = partition(c/item, shape, blocks)
	for d := range chunks {
		chunks[d] = min(ceilDiv(chunks[d], blocks[d])*blocks[d], shape[d])
	}
	// A block is never larger than its chunk.
	for d := range blocks {
		blocks[d] = min(blocks[d], chunks[d])
	}
	return chunks, blocks
}

// partition spreads nitems over the dimensions from the last to the first,
// preferring parts that divide a dimension. No part is smaller than that of
// minpart; nil means one.
func partition(nitems int64, maxshape, minpart []int64) []int64 {
	p := make([]int64, len(maxshape))
	for d := range p {
		p[d] = 1
	}
	left := nitems
	for d := len(maxshape) - 1; d >= 0 && left > 1; d-- {
		size, least := maxshape[d], int64(1)
		if minpart != nil {
			least = minpart[d]
		}
		r := max(size, least)
		if r <= left {
			if size%r != 0 {
				r = nearestDivisor(size, r)
			}
		} else {
			r = max(left, least)
			q := r
			if size%r != 0 {
				q = largestDivisor(size, r)
			}
			if r/2 < q && q < 2*r {
				r = q
			}
		}
		p[d] = r
		left /= r
	}
	return p
}

// nearestDivisor returns the divisor of a that is closest to b or, if a is large,
// the largest that is not above b.
func nearestDivisor(a, b int64) int64 {
	if a > 100000 {
		return largestDivisor(a, b)
	}
	best := int64(1)
	for d := int64(1); d <= a; d++ {
		if a%d == 0 && abs(d-b) < abs(best-b) {
			best = d
		}
	}
	return best
}

// largestDivisor returns the largest divisor of a that is not above b ≥ 1.
func largestDivisor(a, b int64) int64 {
	// Search the shorter list of candidates: those up to b, or those up to the square
	// root of a.
	if b < a/b {
		for a%b != 0 {
			b--
		}
		return b
	}
	best := int64(1)
	for d := int64(1); d <= a/d; d++ {
		if a%d != 0 {
			continue
		}
		if d <= b {
			best = max(best, d)
		}
		if e := a / d; e <= b {
			best = max(best, e)
		}
	}
	return best
}

func abs(a int64) int64 {
	if a < 0 {
		return -a
	}
	return a
}
