package zstd

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// A part that does not shrink is stored, and sets no distances to repeat: the codes of
// the sequences after it change until the distances are the same again.
func TestPartsStored(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 11))
	var src []byte
	noise := func(n int) {
		for range n {
			src = append(src, byte(r.Uint32()))
		}
	}
	repeat := func(n, distance int) {
		for range n {
			src = append(src, src[len(src)-distance])
		}
	}
	noise(400)
	repeat(300, 200)
	first := part{[]lz77.Seq{{Literals: 400, Length: 300, Off: 200 + lz77.RepeatCodes}}, 0, len(src)}
	noise(900)
	repeat(8, 350)
	noise(92)
	second := part{[]lz77.Seq{{Literals: 900, Length: 8, Off: 350 + lz77.RepeatCodes}}, first.to, len(src)}
	noise(10)
	repeat(500, 350) // the last distance of the part before
	noise(5)
	repeat(300, 200) // the distance before the last one
	repeat(100, 350) // no literals before the match
	noise(20)
	third := part{[]lz77.Seq{{Literals: 10, Length: 500, Off: 1}, {Literals: 5, Length: 300, Off: 2}, {Length: 100, Off: 1}}, second.to, len(src)}

	prepare()
	var e Encoder
	dst := make([]byte, 0, 1<<16)
	frame, after := e.appendParts(appendHeader(dst, len(src)), src, []part{first, second, third}, newState(), true)
	if want := [2]int{350, 200}; after.repeats() != want {
		t.Errorf("distances to repeat are %v, want %v", after.repeats(), want)
	}
	if !bytes.Contains(frame, src[second.from:second.to]) {
		t.Error("the second part is not stored")
	}
	library := newLibrary(t)
	if back, err := library.DecodeAll(frame, nil); err != nil || !bytes.Equal(back, src) {
		t.Errorf("decoded to other bytes, error %v", err)
	}
}

// A state must repeat the distances that the decoder repeats.
func TestState(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	s, d := newState(), sequenceState{rep: [3]uint64{1, 4, 8}}
	for range 10_000 {
		s.literals = r.Uint32N(2)
		off := 1 + r.Uint32N(6)
		if s.distance(off) == 0 {
			continue
		}
		if again := s.off(s.distance(off)); s.distance(again) != s.distance(off) || again > off {
			t.Fatalf("%v: code %d for that of distance %d, %d", s, again, s.distance(off), off)
		}
		want := d.repeat(uint64(off), s.literals == 0)
		got := s.distance(off)
		if s.match(off); uint64(got) != want || uint64(s.rep[0]) != d.rep[0] || uint64(s.rep[1]) != d.rep[1] || uint64(s.rep[2]) != d.rep[2] {
			t.Fatalf("code %d: distance %d and state %v, want %d and %v", off, got, s, want, d.rep)
		}
	}
}

// Where bytes differ little, only long repetitions are searched for.
func TestWorthwhile(t *testing.T) {
	for _, c := range []struct{ values, want int }{{256, 4}, {32, 4}, {16, 5}, {8, 7}, {2, 8}, {1, 8}} {
		var counts [256]uint32
		for i := range c.values {
			counts[i] = uint32(1 << 16 / c.values)
		}
		if got := worthwhile(&counts); got != c.want {
			t.Errorf("%d values: %d bytes, want %d", c.values, got, c.want)
		}
	}
}

// After a match as long as the optimizer remembers places, or a multiple of that, the distances
// before it are still known: it repeats one of them, and so does the next match.
func TestLongRepeats(t *testing.T) {
	library := newLibrary(t)
	var e Encoder
	var lengths []int
	for n := 2*longEnough - 2; n <= 2*longEnough+2; n++ {
		lengths = append(lengths, n)
	}
	for n := 2*longEnough + 100; n <= 3*longEnough; n += 97 {
		lengths = append(lengths, n)
	}
	for _, length := range lengths {
		for _, n := range []int{length, 2 * length} {
			r := rand.New(rand.NewPCG(uint64(n), 9))
			known := noiseOf(r, n+300)
			src := slices.Concat(known, known[100:n+300], noiseOf(r, 20))
			for _, at := range []int{150, 151 + n} { // matches end before these bytes of the copy
				src[len(known)-100+at]++
			}
			for _, effort := range efforts {
				if effort.Weigh == 0 {
					continue
				}
				back, err := library.DecodeAll(e.frame(src, effort), nil)
				if err != nil || !bytes.Equal(back, src) {
					t.Fatalf("%d bytes, %+v: another input, or %v", n, effort, err)
				}
			}
		}
	}
}

// The shortest matches depend on the bytes that cost most, wherever these are.
func TestKeyLength(t *testing.T) {
	prepare()
	r := rand.New(rand.NewPCG(7, 8))
	random := func(n, values int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(values))
		}
		return b
	}
	picture := random(256<<10, 256)
	for i := range picture {
		if i%512 < 32 || i%512 >= 480 {
			picture[i] = 0 // margins
		}
	}
	for name, c := range map[string]struct {
		src  []byte
		want int
	}{
		"empty":           {nil, 4},
		"short":           {random(4000, 2), 4},
		"256 values":      {random(64<<10, 256), 4},
		"14 values":       {random(64<<10, 14), 5},
		"8 values":        {random(64<<10, 8), 6},
		"4 values":        {random(5000, 4), 8},
		"one value":       {make([]byte, 64<<10), 4},
		"planes":          {append(make([]byte, 96<<10), random(32<<10, 256)...), 4},
		"planes of 14":    {append(make([]byte, 96<<10), random(32<<10, 14)...), 5},
		"picture":         {picture, 4},
		"a part of noise": {append(random(96<<10, 2), random(32<<10, 256)...), 4},
	} {
		if got := keyLength(c.src); got != c.want {
			t.Errorf("%s: %d bytes, want %d", name, got, c.want)
		}
	}
}

// With prices learnt during the search and from the previous block, a second round must
// gain little.
func TestLearning(t *testing.T) {
	text := bytes.Repeat([]byte("temperature 21.5 pressure 1013 "), 3)
	r := rand.New(rand.NewPCG(5, 6))
	var src []byte
	for len(src) < 2*maxBlock {
		at := r.IntN(len(text) - 12)
		src = append(src, text[at:at+4+r.IntN(8)]...)
		src = append(src, byte('0'+r.IntN(10)))
	}
	src = src[:2*maxBlock]
	var e Encoder
	once := len(e.frame(src, lz77.Effort{Depth: 12, Nice: 64, Weigh: 1}))
	lazy := len(e.frame(src, lz77.Effort{Rows: 16, Lazy: 2}))
	if once > lazy-lazy/50 {
		t.Errorf("%d bytes, no more than 2 %% less than the %d of a lazy search", once, lazy)
	}
}
