package lizard

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"
)

// bound returns a length that suffices for every block of n bytes.
func bound(n int) int { return 1 + n + 4*(n/maxSubBlock+1) }

// inputs returns data of every length near the limits, with random parts, runs, and
// copies from near and far.
func inputs() map[string][]byte {
	rng := rand.New(rand.NewSource(7))
	in := map[string][]byte{"empty": {}}
	for n := 1; n < 64; n++ {
		in["run "+string(rune('0'+n))] = bytes.Repeat([]byte{'a'}, n)
	}
	noise := make([]byte, 70_000)
	rng.Read(noise)
	in["noise"] = noise[:5000]
	in["one run"] = make([]byte, 300_000)
	in["far"] = append(append(bytes.Clone(noise), noise[100:900]...), noise[300:]...)
	text := make([]byte, 140_000)
	for i := range text {
		text[i] = byte(rng.NormFloat64() * 6)
		if i > 200 && rng.Intn(40) == 0 {
			back := 1 + rng.Intn(min(i, 100_000))
			for n := rng.Intn(60); n > 0 && i < len(text); n-- {
				text[i] = text[i-back]
				i++
			}
		}
	}
	in["copies"] = text
	long := make([]byte, 131072+20) // the last sub-block is short
	for i := range long {
		long[i] = byte(i >> 4)
	}
	in["steps"] = long
	return in
}

// genuineInput returns the data of testdata/genuine.bin: skewed noise, which only Huffman
// coding compresses, with near and far copies and a run.
func genuineInput() []byte {
	b := make([]byte, 0, 150_000)
	x := uint32(1)
	noise := func(n int) {
		for range n {
			x = x*1664525 + 1013904223
			y := x >> 16
			b = append(b, byte(y&(y>>5)&31))
		}
	}
	noise(2500)
	for i := range 24 {
		at := (i * 37) % 2000
		b = append(b, b[at:at+30+i*9]...)
		noise(i % 9)
	}
	b = append(b, make([]byte, 140_000-len(b))...)
	b = append(b, b[17:1900]...)
	noise(40)
	return b
}

// walk parses a block without decoding it, by the format's description and
// independently of the package's decoder.
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
		var streams [5][]byte // in order: lengths, off16, off24, tokens, literals
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

func isFar(e event) bool { return e.far }

func isLZ4(level int) bool { return level < 20 || level >= 30 && level < 40 }

func isNear(e event) bool { return isMatch(e) && !e.far && !e.repeated }

func isRun(e event) bool { return e.run }

func whole(bad bool, what any) (int, error) {
	if bad {
		return 1, fmt.Errorf("%v", what)
	}
	return 1, nil
}

// A restriction is a requirement of the genuine decoder beyond the meaning of the
// codewords (docs/format/codecs.md §3). seen counts how often the restriction was tested.
type restriction struct {
	name  string
	check func(level, size int, s subBlock) (seen int, err error)
}

func isMatch(e event) bool { return !e.run && e.n > 0 }

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
