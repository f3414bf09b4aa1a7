package b2io

import (
	"math/bits"
	"slices"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
)

// A layout describes which items of an array each shard of a plan holds. A frame
// without an array counts as an array of bytes.
type layout struct {
	plan *shard.Plan
	cut  *b2nd.Cut // nil for a frame that holds no array
	item int64     // bytes of an item
}

func newLayout(p *shard.Plan) (*layout, error) {
	l := &layout{plan: p, item: 1}
	if d := p.Descriptor(); d != nil {
		l.item = int64(p.Header().TypeSize)
		var err error
		if l.cut, err = b2nd.NewCut(d, int(l.item)); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// boxes returns windows that together hold the items of shard k, each once.
func (l *layout) boxes(k int) []b2nd.Window {
	first, end := l.plan.Chunks(k)
	if l.cut == nil {
		size := int64(l.plan.Header().ChunkSize)
		return []b2nd.Window{{{Start: first * size, Stop: min(end*size, l.plan.Size()), Step: 1}}}
	}
	var all []b2nd.Window
	counts, chunk, shape := l.cut.ChunkCounts(), l.cut.ChunkShape(), l.cut.Shape()
	for n := first; n < end; {
		w := l.cut.Window(n)
		// Take as many whole dimensions as possible, and then as much as possible
		// of the next outer one.
		inner, d := int64(1), len(counts)
		for d > 0 && n%(inner*counts[d-1]) == 0 && inner*counts[d-1] <= end-n {
			d--
			inner *= counts[d]
			w[d] = b2nd.Span{Stop: shape[d], Step: 1}
		}
		run := int64(1)
		if d > 0 {
			at := n / inner % counts[d-1]
			run = max(min(counts[d-1]-at, (end-n)/inner), 1)
			w[d-1].Stop = min((at+run)*chunk[d-1], shape[d-1])
		}
		all = append(all, w)
		n += run * inner
	}
	return all
}

// intersect returns the items that two windows have in common; ok is false if there
// are none.
func intersect(a, b b2nd.Window) (w b2nd.Window, ok bool) {
	w = make(b2nd.Window, len(a))
	for d := range a {
		w[d] = b2nd.Span{Start: max(a[d].Start, b[d].Start), Stop: min(a[d].Stop, b[d].Stop), Step: 1}
		if w[d].Start >= w[d].Stop {
			return nil, false
		}
	}
	return w, true
}

// A box is memory for the items of a window, in C order.
type box struct {
	window b2nd.Window
	item   int64
	items  []byte
	seen   []uint64 // a bit for each item
	have   int64    // number of items that were put
}

func newBox(w b2nd.Window, item int64) *box {
	n := volume(w)
	return &box{window: w, item: item, items: make([]byte, n*item), seen: make([]uint64, (n+63)/64)}
}

func volume(w b2nd.Window) int64 {
	n := int64(1)
	for _, s := range w {
		n *= s.Stop - s.Start
	}
	return n
}

// put copies the items of part, which lies within the box, from src. It reports whether
// all of them are new.
func (b *box) put(part b2nd.Window, src []byte) bool {
	fresh := true
	eachRun(b.window, part, func(at, from, n int64) {
		copy(b.items[at*b.item:(at+n)*b.item], src[from*b.item:])
		fresh = mark(b.seen, at, n) && fresh
	})
	b.have += volume(part)
	return fresh
}

// get returns the items of part, which lies within the box, in C order.
func (b *box) get(part b2nd.Window) []byte { return b.appendTo(nil, part) }

// appendTo appends the items of part, which lies within the box, to dst.
func (b *box) appendTo(dst []byte, part b2nd.Window) []byte {
	dst = slices.Grow(dst, int(volume(part)*b.item))
	eachRun(b.window, part, func(at, _, n int64) {
		dst = append(dst, b.items[at*b.item:(at+n)*b.item]...)
	})
	return dst
}

// eachRun calls do for each contiguous run of items of part, with its offset in whole,
// which contains part, its offset in part, and its length.
func eachRun(whole, part b2nd.Window, do func(at, from, n int64)) {
	run, inner := int64(1), len(part)
	for inner > 0 {
		inner--
		run *= part[inner].Stop - part[inner].Start
		if part[inner].Stop-part[inner].Start != whole[inner].Stop-whole[inner].Start {
			break
		}
	}
	if volume(part) == 0 {
		return
	}
	idx := make([]int64, inner)
	for from := int64(0); ; from += run {
		at := int64(0)
		for d := range part {
			i := part[d].Start - whole[d].Start
			if d < inner {
				i += idx[d]
			}
			at = at*(whole[d].Stop-whole[d].Start) + i
		}
		do(at, from, run)
		d := inner - 1
		for ; d >= 0; d-- {
			if idx[d]++; idx[d] < part[d].Stop-part[d].Start {
				break
			}
			idx[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// mark sets n bits, starting at bit at, and reports whether none of them was set.
func mark(set []uint64, at, n int64) bool {
	fresh := true
	for n > 0 {
		k := min(64-at%64, n)
		m := (^uint64(0) >> (64 - k)) << (at % 64)
		fresh = fresh && set[at/64]&m == 0
		set[at/64] |= m
		at, n = at+k, n-k
	}
	return fresh
}

// firstMissing returns the place of the first item that was not put.
func (b *box) firstMissing() []int64 {
	i := int64(0)
	for i/64 < int64(len(b.seen)) && b.seen[i/64] == ^uint64(0) {
		i += 64
	}
	i += int64(bits.TrailingZeros64(^b.seen[i/64]))
	at := make([]int64, len(b.window))
	for d := len(at) - 1; d >= 0; d-- {
		n := b.window[d].Stop - b.window[d].Start
		at[d], i = b.window[d].Start+i%n, i/n
	}
	return at
}
