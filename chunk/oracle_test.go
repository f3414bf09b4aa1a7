package chunk_test

import (
	"fmt"
	"testing"

	"github.com/seed03b80dae/blosc2/chunk"
)

// TestSameChunks compares our chunks of LZ4 and blosclz with those of C-Blosc2 3.3.5, for
// random combinations of parameters. They must be the same byte for byte.
func TestSameChunks(t *testing.T) {
	g := newGenuine(t, 3)
	r := newRand(3)
	compared := 0
	for k := range 600 {
		p, n := randomParams(t, r)
		if senseless(p, n) {
			continue
		}
		src := payload(n, p.TypeSize, uint64(k))
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		theirs, err := g.compress(t, p, src)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		ours, err := e.EncodeRoom(src, roomOfOracle(n))
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		same(t, what, p, ours, theirs)
		compared++
	}
	t.Logf("%d chunks compared", compared)
}

// TestSameFrames compares the chunks of frames. C-Blosc2's buffer for these is as large
// as the uncompressed chunk, so the test also covers data that hardly compress.
func TestSameFrames(t *testing.T) {
	g := newGenuine(t, 3)
	r := newRand(5)
	compared, stored := 0, 0
	for k := range 250 {
		p, n := randomParams(t, r)
		if n == 0 || senseless(p, n) {
			continue
		}
		if p.TypeSize > 1 {
			n += p.TypeSize - n%p.TypeSize
		}
		src := mixed(n, p.TypeSize, 5, r)
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		theirs, err := g.frame(t, p, src, n)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for ; len(src) > 0; src = src[n:] {
			ours, err := e.Encode(nil, src[:n])
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			h, err := chunk.ParseHeader(ours)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if h.Special() != chunk.NotSpecial {
				continue
			}
			if len(theirs) == 0 {
				t.Errorf("%s: they have less chunks", what)
				break
			}
			same(t, what, p, ours, theirs[0])
			theirs = theirs[1:]
			compared++
			if h.Memcpyed() {
				stored++
			}
		}
		if len(theirs) != 0 {
			t.Errorf("%s: they have %d chunks more", what, len(theirs))
		}
	}
	if stored < compared/20 || stored > compared*19/20 {
		t.Errorf("%d of %d chunks stored: not what this test is about", stored, compared)
	}
	t.Logf("%d chunks compared, %d of them stored", compared, stored)
}
