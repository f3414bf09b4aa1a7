package zstd

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// Words that repeat are found whatever their distance, alignment and length, and few words of
// noise seem to repeat.
func TestEchoes(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 11))
	const n = maxBlock
	pool := noiseOf(r, 1000*24)
	from := func(record, every, repeated int) []byte {
		b := noiseOf(r, n)
		for at := 0; at+record <= n; at += every {
			copy(b[at:at+repeated], pool[r.IntN(1000)*24:])
		}
		return b
	}
	zeros := noiseOf(r, n)
	for at := 0; at < n-64; at += 1 << 12 {
		clear(zeros[at : at+64])
	}
	once := noiseOf(r, n)
	for _, c := range []struct {
		name string
		src  []byte
		want bool
	}{
		{"noise", once, false},
		{"records of 16 bytes", from(16, 16, 16), true},
		{"8 of 16 bytes", from(16, 16, 8), true},
		{"8 of 24 bytes", from(24, 24, 8), true},
		{"8 of 27 bytes", from(27, 27, 8), true},
		{"16 of 1024 bytes", from(1024, 1024, 16), false},
		{"short runs", zeros, false},
		{"a copy of 8 KiB", append(once[:n-8<<10:n-8<<10], once[40_001:40_001+8<<10]...), true},
	} {
		var e echoes
		e.reset()
		if got := e.repeat(c.src, 0, n, 0); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	// The second block repeats the first, whether or not that was examined.
	twice := append(once[:n:n], once...)
	for _, first := range []bool{true, false} {
		var e echoes
		e.reset()
		if first && e.repeat(twice, 0, n, 0) {
			t.Error("the first block repeats")
		}
		if !e.repeat(twice, n, 2*n, 0) {
			t.Errorf("first block examined %v: the second does not repeat", first)
		}
	}
	if e := (&echoes{look: -1}); e.repeat(twice, n, 2*n, n) {
		t.Error("words repeat that known matches cover")
	}
}

// What noise precedes is searched as if the noise had been, and may repeat it.
func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 12))
	random := noiseOf(r, maxBlock)
	text := bytes.Repeat([]byte("no two lines of these are equal, said line "), 3*maxBlock/43)
	for i := range text {
		if i%43 == 0 {
			text[i+r.IntN(43)%(len(text)-i)] = byte(r.Uint32())
		}
	}
	text = text[:maxBlock]
	pieces := func(n int) (b []byte) { // n bytes of the first n, in pieces of 12
		for len(b) < n {
			at := r.IntN(n - 12)
			b = append(b, random[at:at+12]...)
		}
		return b[:n]
	}
	shuffled := pieces(maxBlock)
	records := noiseOf(r, maxBlock) // of 24 bytes, of which 8 are in the first half, too
	for at := maxBlock / 2; at < maxBlock-24; at += 24 {
		copy(records[at:at+8], records[r.IntN(maxBlock/2-8):])
	}
	for _, c := range []struct {
		name string
		src  []byte
		most int // bytes of the frame
	}{
		{"noise", random, maxBlock + 20},
		{"noise, its pieces", append(random[:maxBlock:maxBlock], shuffled...), maxBlock + maxBlock/2},
		{"noise, records", records, maxBlock - maxBlock/40},
		{"noise, text", append(random[:maxBlock:maxBlock], text...), maxBlock + maxBlock/10},
		{"noise, text, the pieces", append(append(random[:maxBlock:maxBlock], text...), shuffled...), maxBlock + maxBlock*2/3},
	} {
		for _, survey := range []bool{false, true} {
			var e Encoder
			frame := e.frame(c.src, lz77.Effort{Depth: 8, Nice: 64, Weigh: 1, Survey: survey})
			if len(frame) > c.most {
				t.Errorf("%s, survey %v: %d bytes, want at most %d", c.name, survey, len(frame), c.most)
			}
			var d Decoder
			if got, err := both(t, &d, frame, len(c.src)); err != nil || !bytes.Equal(got, c.src) {
				t.Errorf("%s, survey %v: decoded to other bytes, error %v", c.name, survey, err)
			}
		}
	}
	var e Encoder
	e.frame(random, lz77.Effort{Depth: 8, Nice: 64, Weigh: 1})
	if !e.optimizer.omitted {
		t.Error("noise was searched")
	}
}

// A block of literals is cut where their statistics change, and matches between its parts
// still decode.
func TestSplitLiterals(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 13))
	src := make([]byte, maxBlock)
	for i := range src {
		src[i] = byte(r.Uint32()) & 15
		if i >= maxBlock/2 {
			src[i] |= 0xa0
		}
	}
	prepare()
	var e Encoder
	whole := part{from: 0, to: len(src)}
	parts := e.split(nil, src, whole, e.bits(src, whole), 1700)
	if len(parts) != 2 || parts[0].to != maxBlock/2 {
		t.Errorf("%d parts, the first up to %d; want 2, %d", len(parts), parts[0].to, maxBlock/2)
	}

	// Few matches: in the middle of the literals of one, in the middle of one, and before it.
	for _, at := range []int{maxBlock/2 + 100, maxBlock/2 - 100, maxBlock / 2} {
		with := bytes.Clone(src)
		copy(with[at:at+300], with[at-1000:])
		seqs := []lz77.Seq{{Literals: uint32(at), Length: 300, Off: 1000 + lz77.RepeatCodes}, {Literals: 50, Length: 4, Off: 1}}
		copy(with[at+350:at+354], with[at-650:])
		before := append([]lz77.Seq(nil), seqs...)
		a, b := part{seqs, 0, len(with)}.halve()
		if a.to != b.from || b.to != len(with) || len(a.seqs)+len(b.seqs) != 2 {
			t.Fatalf("match at %d: parts up to %d and from %d to %d with %d and %d sequences", at, a.to, b.from, b.to, len(a.seqs), len(b.seqs))
		}
		dst := make([]byte, 0, 2*maxBlock)
		e.state = newState()
		frame, _ := e.appendParts(appendHeader(dst, len(with)), with, []part{a, b}, newState(), true)
		var d Decoder
		if got, err := both(t, &d, frame, len(with)); err != nil || !bytes.Equal(got, with) {
			t.Errorf("match at %d: decoded to other bytes, error %v", at, err)
		}
		a, b = part{before, 0, len(with)}.halve()
		a.join(b)
		if before[0] != (lz77.Seq{Literals: uint32(at), Length: 300, Off: 1000 + lz77.RepeatCodes}) {
			t.Errorf("match at %d: joined to %v", at, before[0])
		}
	}
}

// Noise whose bytes differ between the halves of a block is split, although all values are
// about equally frequent in the whole.
func TestDriftingNoise(t *testing.T) {
	b := noiseOf(rand.New(rand.NewPCG(30, 11)), maxBlock)
	for i := range b {
		b[i] = b[i]&127 | byte(i/(maxBlock/2))<<7
	}
	for _, effort := range []lz77.Effort{
		{Depth: 8, Nice: 64, Weigh: 1, Saving: 32}, {Depth: 8, Nice: 64, Weigh: 1, Survey: true}, {Depth: 32, Nice: 1024, Weigh: 2},
	} {
		var e Encoder
		if n := len(e.frame(b, effort)); n > maxBlock*9/10 {
			t.Errorf("%+v: %d bytes of %d", effort, n, maxBlock)
		}
	}
}
