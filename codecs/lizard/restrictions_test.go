package lizard

import (
	"fmt"
	"testing"
)

// An event is a literal run or a match, as the genuine decoder reads it.
type event struct {
	run       bool
	n         int // number of bytes
	offset    int // offset of a match; 0 for a match that copies nothing
	far       bool
	repeated  bool // a match with the offset of the previous one
	outEnd    int  // end of the event in the output
	litBefore int  // bytes of the literals stream before a run is copied
	litAfter  int  // bytes of the literals stream after a run is copied
}

// A subBlock holds the contents of a sub-block.
type subBlock struct {
	raw      bool
	flags    byte
	from, to int // range of the sub-block in the output
	lengths  int
	literals int
	events   []event
	tail     int // number of literals after the last match
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

// A restriction is a requirement of the genuine decoder beyond the meaning of the
// codewords (docs/format/codecs.md §3). seen counts how often the restriction was tested.
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

// TestRestrictions parses blocks of every level and checks that each restriction holds,
// and that some input tests it.
func TestRestrictions(t *testing.T) {
	seen := make([]int, len(restrictions))
	var e Encoder
	for name, src := range inputs() {
		for level := MinLevel; level <= MaxLevel; level++ {
			if level%10 > 5 && len(src) > 200_000 {
				continue // hundreds of candidates per position are slow, and test nothing new
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
