package lizard

import (
	"fmt"
	"testing"
)

// An event is a literal run or a match as the genuine decoder meets it.
type event struct {
	run       bool
	n         int // bytes
	offset    int // of a match; 0 for one that copies nothing
	far       bool
	repeated  bool // a match with the offset of the one before
	outEnd    int  // where it ends in the output
	litBefore int  // bytes of the literals stream before a run is copied
	litAfter  int  // and after it
}

// A subBlock is what one sub-block holds.
type subBlock struct {
	raw      bool
	flags    byte
	from, to int // in the output
	lengths  int
	literals int
	events   []event
	tail     int // literals after the last match
}

// walk takes a block apart without decoding it, by the format's description
// and apart from the package's own decoder.
func walk(t *testing.T, block []byte) (subs []subBlock) {
	t.Helper()
	level := int(block[0])
	out := 0
	for in := block[1:]; len(in) > 0; {
		sub := subBlock{raw: in[0] == 0x80, flags: in[0], from: out}
		if sub.raw {
			n := u24(in[1:])
			in, out = in[4+n:], out+n
			sub.to = out
			subs = append(subs, sub)
			continue
		}
		var huff huffReader
		var streams [5][]byte // lengths, off16, off24, tokens, literals
		rest := in[1:]
		for i, flag := range []byte{0, 0x04, 0x08, 0x02, 0x01} {
			var err error
			if streams[i], rest, err = huff.stream(rest, sub.flags&flag != 0); err != nil {
				t.Fatal(err)
			}
		}
		in = rest
		sub.lengths, sub.literals = len(streams[0]), len(streams[4])
		if level/10 == 1 || level/10 == 3 {
			sub.walkLZ4(streams[3], streams[4])
		} else {
			sub.walkLIZ(streams[1], streams[2], streams[3], streams[4])
		}
		out = sub.to
		subs = append(subs, sub)
	}
	return subs
}

func longer(lit *[]byte, n, full int) int {
	if n < full {
		return n
	}
	b := *lit
	switch b[0] {
	case 254:
		*lit = b[3:]
		return full + u16(b[1:])
	case 255:
		*lit = b[4:]
		return full + u24(b[1:])
	}
	*lit = b[1:]
	return full + int(b[0])
}

func (s *subBlock) run(lit *[]byte, n int) {
	s.to += n
	s.events = append(s.events, event{run: true, n: n, outEnd: s.to, litBefore: len(*lit), litAfter: len(*lit) - n})
	*lit = (*lit)[n:]
}

func (s *subBlock) match(e event) {
	s.to += e.n
	e.outEnd = s.to
	s.events = append(s.events, e)
}

func (s *subBlock) end(lit []byte) {
	s.tail = len(lit)
	s.to += s.tail
}

func (s *subBlock) walkLZ4(tokens, lit []byte) {
	s.to = s.from
	for _, t := range tokens {
		s.run(&lit, longer(&lit, int(t&15), 15))
		offset := u16(lit)
		lit = lit[2:]
		s.match(event{n: 4 + longer(&lit, int(t>>4), 15), offset: offset})
	}
	s.end(lit)
}

func (s *subBlock) walkLIZ(off16, off24, tokens, lit []byte) {
	s.to = s.from
	last := 0
	for _, t := range tokens {
		if t < 32 {
			last, off24 = u24(off24), off24[3:]
			s.match(event{n: 16 + longer(&lit, int(t), 31), offset: last, far: true})
			continue
		}
		s.run(&lit, longer(&lit, int(t&7), 7))
		if t < 128 {
			last, off16 = u16(off16), off16[2:]
		}
		s.match(event{n: longer(&lit, int(t>>3&15), 15), offset: last, repeated: t >= 128})
	}
	s.end(lit)
}

// A restriction is something that the genuine decoder wants of a block beyond
// what the codewords mean (docs/format/codecs.md §3). seen counts how often it
// was tried.
type restriction struct {
	name  string
	check func(level, size int, s subBlock) (seen int, err error)
}

func each(s subBlock, which func(event) bool, bad func(event) bool) (seen int, err error) {
	for _, e := range s.events {
		if which(e) {
			seen++
			if bad(e) {
				return seen, fmt.Errorf("%+v", e)
			}
		}
	}
	return seen, nil
}

func isLZ4(level int) bool { return level < 20 || level >= 30 && level < 40 }
func isRun(e event) bool   { return e.run }
func isMatch(e event) bool { return !e.run && e.n > 0 }
func isFar(e event) bool   { return e.far }
func isNear(e event) bool  { return isMatch(e) && !e.far && !e.repeated }

func whole(bad bool, what any) (int, error) {
	if bad {
		return 1, fmt.Errorf("%v", what)
	}
	return 1, nil
}

var restrictions = []restriction{
	{"literal runs end 16 bytes before the output does", func(_, size int, s subBlock) (int, error) {
		return each(s, isRun, func(e event) bool { return e.outEnd > size-16 })
	}},
	{"matches end 16 bytes before the output does", func(_, size int, s subBlock) (int, error) {
		return each(s, isMatch, func(e event) bool { return e.outEnd > size-16 })
	}},
	{"sub-blocks end with 16 literals", func(_, _ int, s subBlock) (int, error) {
		return whole(!s.raw && s.tail < 16, s.tail)
	}},
	{"16 bytes of literals are left where a run begins", func(_, _ int, s subBlock) (int, error) {
		return each(s, isRun, func(e event) bool { return e.litBefore < 16 })
	}},
	{"LZ4 family: 18 bytes of literals are left after a run", func(level, _ int, s subBlock) (int, error) {
		return each(s, func(e event) bool { return e.run && isLZ4(level) }, func(e event) bool { return e.litAfter < 18 })
	}},
	{"matches have 4 bytes", func(_, _ int, s subBlock) (int, error) {
		return each(s, isMatch, func(e event) bool { return e.n < 4 })
	}},
	{"offsets are 8 or more, and not before the output", func(_, _ int, s subBlock) (int, error) {
		return each(s, isMatch, func(e event) bool { return e.offset < 8 || e.offset > e.outEnd-e.n })
	}},
	{"near offsets are below 65536", func(_, _ int, s subBlock) (int, error) {
		return each(s, isNear, func(e event) bool { return e.offset > 65535 })
	}},
	{"far offsets are 65536 up to 2^22-1", func(_, _ int, s subBlock) (int, error) {
		return each(s, isFar, func(e event) bool { return e.offset < 65536 || e.offset >= 1<<22 })
	}},
	{"far matches have 16 bytes", func(_, _ int, s subBlock) (int, error) {
		return each(s, isFar, func(e event) bool { return e.n < 16 })
	}},
	{"a match of no bytes carries the literals of a far one", func(_, _ int, s subBlock) (int, error) {
		seen := 0
		for i, e := range s.events {
			if e.run || e.n > 0 {
				continue
			}
			seen++
			if !e.repeated || s.events[i-1].n == 0 || i+1 == len(s.events) || !s.events[i+1].far {
				return seen, fmt.Errorf("event %d: %+v", i, e)
			}
		}
		return seen, nil
	}},
	{"the lengths stream is empty", func(_, _ int, s subBlock) (int, error) {
		return whole(s.lengths != 0, s.lengths)
	}},
	{"only tokens and literals are Huffman coded, from level 30 on", func(level, _ int, s subBlock) (int, error) {
		allowed := byte(0)
		if level >= 30 {
			allowed = 0x03
		}
		return whole(!s.raw && s.flags&^allowed != 0, s.flags)
	}},
	{"sub-blocks have at most 128 KiB, all but the last exactly", func(_, size int, s subBlock) (int, error) {
		return whole(s.to-s.from != min(131072, size-s.from), s.to-s.from)
	}},
	{"sub-blocks of less than 21 bytes are raw", func(_, _ int, s subBlock) (int, error) {
		return whole(!s.raw && s.to-s.from < 21, s.to-s.from)
	}},
}

// TestRestrictions walks blocks of every level and checks that each
// restriction holds, and that the inputs put it to the test.
func TestRestrictions(t *testing.T) {
	seen := make([]int, len(restrictions))
	var e Encoder
	for name, src := range inputs() {
		for level := MinLevel; level <= MaxLevel; level++ {
			if level%10 > 5 && len(src) > 200_000 {
				continue // hundreds of candidates a place: slow, and nothing new
			}
			block := make([]byte, bound(len(src)))
			n := e.Encode(block, src, level)
			if n == 0 {
				t.Fatalf("%s, level %d: does not fit into %d bytes", name, level, len(block))
			}
			for _, sub := range walk(t, block[:n]) {
				for i, r := range restrictions {
					k, err := r.check(level, len(src), sub)
					if err != nil {
						t.Fatalf("%s, level %d, sub-block at %d: broken: %s: %v", name, level, sub.from, r.name, err)
					}
					seen[i] += k
				}
			}
		}
	}
	for i, r := range restrictions {
		if seen[i] == 0 {
			t.Errorf("never put to the test: %s", r.name)
		}
	}
}
