package lz77

import (
	"math/bits"

	"github.com/seed03b80dae/blosc2/codecs/internal/mem"
)

// Where all distances cost the same, a match is worth its length, and the question
// after one is whether a longer match begins within it. findWide answers it as LZ4's
// HC encoder does (LZ4HC_compress_hashChain): it searches once, close to the end of
// the match, for a longer one that also extends backwards, instead of at each of the
// following positions.

// optimalLength is the longest match whose length LZ4 writes without another byte.
// Of two matches that overlap, the first gets no more if that shortens the second.
const optimalLength = 18

// A chain is a Chain with the effort of a search in it.
type chain[P position] struct {
	Chain[P]
	depth  int // number of candidates to compare
	window int // largest distance, less than chainWindow
	ahead  P
}

// chainWindow is the number of previous positions that a chain holds.
const chainWindow = 1 << 16

// Steps grow by one byte after 256 bytes without a match. After 32 steps they begin at one
// again, because long ones pass over what repeats. Until 30 November 2026 they grew without
// end, and lz4hc 9 stored a MB of sounds of 16 bits of which LZ4 HC saves a seventh.
// chainLinked is the largest step at which all skipped positions are linked. Where steps
// are larger, data repeat too little for it to pay.
const (
	chainSteps  = 31 // mask of the steps
	chainLinked = 8
)

// findWide finds sequences for codecs with the same cost for all distances.
func findWide[P position](f *Finder, c *chain[P], src []byte, from, to int, e Effort) {
	if !f.begun {
		c.reset(f.size)
	}
	c.depth, c.window = e.Depth, min(e.Window, chainWindow-1)
	limit := to - tail
	anchor, ip := f.anchor, max(from, 1)
	for {
		one := c.seek(src, ip, anchor, limit, to)
		if one.length == 0 {
			return
		}
		for one.start > anchor && one.start > one.off && src[one.start-1] == src[one.start-1-one.off] {
			one.start--
			one.length++
		}
		anchor = wide(f, c, src, one, anchor, limit, to)
		ip = anchor
	}
}

// reset begins an input of n bytes.
func (c *chain[P]) reset(n int) {
	// There are twice as many heads as positions: comparing words that only share a
	// hash takes longer than clearing the table.
	c.Reset(n, chainWindow, KeyOf(4), min(max(uint(bits.Len(uint(n-1)))+1, 14), 17))
}

// seek returns the first match at or after ip, or one of length 0 if none begins before limit.
func (c *chain[P]) seek(src []byte, ip, anchor, limit, to int) match {
	for ip < limit {
		if m := c.longest(src, ip, to); m.length > 0 {
			return m
		}
		step := 1 + (ip-anchor)>>8&chainSteps
		ip += step
		if step > chainLinked {
			c.Next = ip
		}
	}
	return match{}
}

// longest returns the longest match at ip, and the nearest if there are several. The length
// is 0 if there is none.
func (c *chain[P]) longest(src []byte, ip, to int) match {
	c.linkInside(src, ip)
	for i := c.Next; i < ip; i++ { // not by Link: with the call, lz4hc 3 takes 3 to 5 % longer
		c.Enter(mem.Load64(src, i), i)
	}
	c.Next = ip + 1
	x := mem.Load64(src, ip)
	place := int(c.Enter(x, ip))
	c.ahead = c.Last(x >> 8) // load the entry of the next position, so that the next search need not wait for memory
	before, mask := c.Before()
	longest, distance := MinMatch-1, 0
	end := uint32(x) // the last bytes of a longer match
	oldest := max(0, ip-c.window)
	for n := c.depth; n > 0 && place > oldest; n-- {
		ref := place - 1
		place = int(mem.Index(before, place&mask))
		if mem.Load32(src, ref+longest-3) != end {
			continue
		}
		diff := mem.Load64(src, ref) ^ x
		l := bits.TrailingZeros64(diff) >> 3
		if diff == 0 {
			l += CommonPrefix(src, ip+8, ref+8, to)
		}
		if l > longest {
			longest, distance = l, ip-ref
			if ip+l >= to {
				break
			}
			end = mem.Load32(src, ip+l-3)
		}
	}
	if distance == 0 {
		return match{}
	}
	return match{ip, longest, distance}
}

// linkInside links the first and last positions of a long match that ends at ip, or none of a
// short one.
func (c *chain[P]) linkInside(src []byte, ip int) {
	if c.Next < ip-longSkip {
		c.Link(src, c.Next+skipFirst)
		c.Next = ip - skipLast
	}
}

// wide appends the sequences of the match one and of the matches that it leads to. It
// returns the end of the last one.
func wide[P position](f *Finder, c *chain[P], src []byte, one match, anchor, limit, to int) int {
	dropped := one // the match that the current one has replaced
	for {
		two := c.wider(src, one.end()-2, one, limit, to)
		if two.length <= one.length {
			return f.add(one, anchor)
		}
		if dropped.start < one.start && two.start < one.start+dropped.length {
			one = dropped // the dropped match fits before two
		}
		if two.start-one.start < MinMatch-1 {
			one = two
			continue
		}
		for {
			if two.start-one.start < optimalLength {
				one.share(&two)
			}
			three := c.wider(src, two.end()-3, two, limit, to)
			if three.length <= two.length {
				one.length = min(one.length, two.start-one.start)
				return f.add(two, f.add(one, anchor))
			}
			if three.start >= one.end()+MinMatch-1 {
				if two.start-one.start < optimalLength && two.start < one.end() {
					one.length = one.share(&two)
				}
				one.length = min(one.length, two.start-one.start)
				anchor = f.add(one, anchor)
				one, two = two, three
				continue
			}
			if three.start >= one.end() { // there is no room for two between one and three
				two.shorten(one.end() - two.start)
				if two.length < MinMatch {
					two = three
				}
				anchor = f.add(one, anchor)
				one, dropped = three, two
				break
			}
			two = three
		}
	}
}

// add appends the sequence of m, and returns its end.
func (f *Finder) add(m match, anchor int) int {
	f.seqs = append(f.seqs, Seq{uint32(m.start - anchor), uint32(m.length), uint32(m.off + RepeatCodes)})
	return m.end()
}

func (m match) end() int { return m.start + m.length }

// shorten removes the first n bytes of a match, if n is positive.
func (m *match) shorten(n int) {
	if n > 0 {
		m.start += n
		m.length -= n
	}
}

// share shortens the match two so that m, which begins earlier, can have up to
// optimalLength bytes, and returns their number.
func (m match) share(two *match) int {
	n := min(m.length, optimalLength, two.end()-MinMatch-m.start)
	two.shorten(n - (two.start - m.start))
	return n
}

// wider returns the longest match that is longer than old, does not begin before it, and
// covers the position at; the nearest if there are several. The length is 0 if there is
// none, and if old ends in the tail: the longer match may lose all the bytes that it
// shares with old, and must not begin there.
func (c *chain[P]) wider(src []byte, at int, old match, limit, to int) match {
	if old.end() >= limit {
		return match{}
	}
	c.linkInside(src, at)
	c.Link(src, at)
	c.Next = at + 1
	x := mem.Load64(src, at)
	place := int(c.Enter(x, at))
	before, mask := c.Before()
	longest, back := old.length, at-old.start
	distance, start := 0, 0
	end := mem.Load16(src, old.start+longest-1) // the last two bytes of every longer match
	oldest := max(0, at-c.window)
	var preceding uint64
	if at >= 8 {
		preceding = mem.Load64(src, at-8)
	}
	for n := c.depth; n > 0 && place > oldest; n-- {
		ref := place - 1
		place = int(mem.Index(before, place&mask))
		if mem.Load16(src, ref-back+longest-1) != end {
			continue
		}
		diff := mem.Load64(src, ref) ^ x
		if uint32(diff) != 0 {
			continue
		}
		l := bits.TrailingZeros64(diff) >> 3
		if diff == 0 {
			l += CommonPrefix(src, at+8, ref+8, to)
		}
		if l+back <= longest {
			continue
		}
		b := 0
		if ref < 8 {
			b = commonSuffix(src, at, ref, back)
		} else if diff := mem.Load64(src, ref-8) ^ preceding; diff != 0 {
			b = min(bits.LeadingZeros64(diff)>>3, back)
		} else {
			b = min(8+commonSuffix(src, at-8, ref-8, back-8), back)
		}
		if l+b > longest {
			longest, distance, start = l+b, at-ref, at-b
			if old.start+longest >= to {
				break
			}
			end = mem.Load16(src, old.start+longest-1)
		}
	}
	if distance == 0 {
		return match{}
	}
	return match{start, longest, distance}
}

// commonSuffix returns how many bytes before ip equal those before ref, which is before
// ip, up to a limit.
func commonSuffix(src []byte, ip, ref, limit int) int {
	n := 0
	for ; n+8 <= ref && n < limit; n += 8 {
		if x := mem.Load64(src, ip-n-8) ^ mem.Load64(src, ref-n-8); x != 0 {
			return min(n+bits.LeadingZeros64(x)>>3, limit)
		}
	}
	for n < ref && n < limit && src[ip-n-1] == src[ref-n-1] {
		n++
	}
	return min(n, limit)
}
