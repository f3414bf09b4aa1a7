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

// findWide finds sequences for codecs with the same cost for all distances.
func findWide[P position](f *Finder, c *chain[P], src []byte, from, to int, e Effort) {
	limit := to - tail
	c.rep, c.depth, c.greedy = 0, e.Depth, true
	anchor := f.anchor
	for c.seek(src, max(anchor, 1), anchor, limit, to) {
		one := match{c.ip, c.length, c.distance}
		for one.start > anchor && one.start > one.off && src[one.start-1] == src[one.start-1-one.off] {
			one.start--
			one.length++
		}
		anchor = wide(f, c, src, one, anchor, limit, to)
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
func (c *chain[P]) wider(src []byte, at int, old match, limit, to int) (m match) {
	if old.end() >= limit {
		return m
	}
	if c.Next < at-longSkip {
		c.skipInside(src, at)
	}
	c.Link(src, at)
	c.Next = at + 1
	x := mem.Load64(src, at)
	word, place := uint32(x), int(c.Enter(x, at))
	before, _ := c.Before()
	longest, back := old.length, at-old.start
	end := mem.Load16(src, old.start+longest-1) // the last two bytes of every longer match
	oldest := max(0, at-c.effort.Window)
	for n := c.depth; n > 0 && place > oldest; n-- {
		ref := place - 1
		if mem.Load16(src, ref-back+longest-1) == end && mem.Load32(src, ref) == word {
			l := 4 + CommonPrefix(src, at+4, ref+4, to)
			b := commonSuffix(src, at, ref, back)
			if l+b > longest {
				longest = l + b
				m = match{at - b, longest, at - ref}
				if old.start+longest >= to {
					break
				}
				end = mem.Load16(src, old.start+longest-1)
			}
		}
		place = int(mem.Index(before, place))
	}
	return m
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
