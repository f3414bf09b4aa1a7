package filters

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// TestFused compares pipelines in which one step replaces two filters with pipelines that
// apply the two in turn.
func TestFused(t *testing.T) {
	defer shuffle.Use(shuffle.Tier())
	rnd := rand.NewChaCha8([32]byte{3})
	for _, tier := range shuffle.Tiers() {
		if err := shuffle.Use(tier); err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= 17; size++ {
			for _, group := range []int{0, 2, 4, 8, size} {
				for _, count := range []int{0, 3, 4, 8, size} {
					n := int(rnd.Uint64() % 3000)
					src := make([]byte, n)
					rnd.Read(src)
					prm := Params{TypeSize: size}
					var p Pipeline
					p.IDs[2], p.Metas[2] = blosc2.FilterShuffle, uint8(group)
					p.IDs[4], p.Metas[4] = blosc2.FilterByteDelta, uint8(count)
					got, err := p.Forward(make([]byte, n), make([]byte, n), src, prm)
					if err != nil {
						t.Fatal(err)
					}
					planes, want := make([]byte, n), make([]byte, n)
					prm.Meta = uint8(group)
					shuffleFilter{}.Forward(planes, src, prm)
					prm.Meta = uint8(count)
					byteDeltaFilter{}.Forward(want, planes, prm)
					if !bytes.Equal(got, want) {
						t.Fatalf("%s: %d bytes, typesize %d, metas %d and %d: other bytes than of two filters", tier, n, size, group, count)
					}
					back := make([]byte, n)
					if err := p.Backward(back, make([]byte, n), got, prm); err != nil || !bytes.Equal(back, src) {
						t.Fatalf("%s: %d bytes, typesize %d, metas %d and %d: came back as others, %v", tier, n, size, group, count, err)
					}
				}
			}
		}
	}
}

// TestRoundTrip tests all lengths up to 300 and all typesizes up to 16 with
// pipelines of one to six filters.
func TestRoundTrip(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	for _, spec := range lossless {
		p, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= 16; size++ {
			for n := range 301 {
				if testing.Short() && n%7 != size%7 {
					continue
				}
				for block := range 2 {
					ref, src := make([]byte, 300), make([]byte, n)
					rnd.Read(ref)
					rnd.Read(src)
					keep := bytes.Clone(src)
					prm := Params{TypeSize: size, Block: block, Ref: ref}
					dst, dstOK := guarded(n)
					tmp, tmpOK := guarded(n)
					coded, err := p.Forward(dst, tmp, src, prm)
					if err != nil {
						t.Fatal(err)
					}
					if n > 0 && &coded[0] == &tmp[0] {
						t.Fatalf("%s: the result is in tmp", spec)
					}
					coded = bytes.Clone(coded)
					back, backOK := guarded(n)
					if err := p.Backward(back, tmp, coded, prm); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(back, keep) || !bytes.Equal(src, keep) {
						t.Fatalf("%s, typesize %d, %d bytes, block %d: %x becomes %x, and back %x", spec, size, n, block, keep, coded, back)
					}
					if !dstOK() || !tmpOK() || !backOK() {
						t.Fatalf("%s, typesize %d, %d bytes: wrote after the end", spec, size, n)
					}
				}
			}
		}
	}
}

func TestPipelineFacts(t *testing.T) {
	for spec, want := range map[string][2]bool{
		"none": {true, false}, "shuffle": {false, false}, "delta,bytedelta": {false, false},
		"trunc_prec:9,shuffle": {false, true}, "int_trunc:1": {false, true}, "ndmean:2": {false, true},
	} {
		p, _ := Parse(spec)
		if got := [2]bool{p.Empty(), p.Lossy()}; got != want {
			t.Errorf("%s: empty, lossy %v, want %v", spec, got, want)
		}
	}
	p, _ := Parse("shuffle,bytedelta")
	for typesize, want := range map[int]uint8{4: 4, 255: 255, 256: 1} {
		if got := p.Explicit(typesize).Metas[5]; got != want {
			t.Errorf("bytedelta at typesize %d: meta %d, want %d", typesize, got, want)
		}
	}
}

// TestDeltaWithoutReference checks that a chunk with a block longer than its first one
// returns an error.
func TestDeltaWithoutReference(t *testing.T) {
	p, _ := Parse("delta")
	err := p.Backward(make([]byte, 8), nil, make([]byte, 8), Params{TypeSize: 4, Block: 1, Ref: make([]byte, 7)})
	if !errors.Is(err, blosc2.ErrCorrupt) {
		t.Error(err)
	}
}

func TestNoAllocations(t *testing.T) {
	p, _ := Parse("delta,shuffle,bytedelta")
	src, dst, tmp := make([]byte, 4096), make([]byte, 4096), make([]byte, 4096)
	prm := Params{TypeSize: 4}
	if n := testing.AllocsPerRun(100, func() {
		out, err := p.Forward(dst, tmp, src, prm)
		if err == nil {
			err = p.Backward(src, tmp, out, prm)
		}
		if err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
