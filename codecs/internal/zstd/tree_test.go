package zstd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2/codecs/internal/lz77"
)

// Each match of a tree is longer than the previous one and exactly as long as its bytes
// repeat. With a large depth, the last match is the longest in the input.
func TestTree(t *testing.T) {
	var tr tree
	seeds := uint64(200)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 12))
		src := make([]byte, 50+r.IntN(3000))
		for i := range src {
			if d := 1 + r.IntN(200); i >= d && r.IntN(8) > 0 {
				src[i] = src[i-d]
			} else {
				src[i] = byte(r.IntN(4))
			}
		}
		tr.begun = false
		inserted := make([]bool, len(src)) // the last bytes of a block are not inserted
		for from := 0; from < len(src)-16; {
			to := min(len(src), from+16+r.IntN(1000))
			tr.begin(src, from, to, len(src))
			for ip := from; ip < to-lastMatch; ip++ {
				found := tr.at(src, ip, to)
				var last uint32
				for _, m := range found {
					ref := ip - int(m.distance)
					if m.length <= last || m.distance == 0 || ref < 0 || lz77.CommonPrefix(src, ip, ref, to) != int(m.length) {
						t.Fatal(seed, ip, m, last)
					}
					last = m.length
				}
				if err := missed(src, inserted, ip, to, int(last)); err != nil {
					t.Fatal(seed, err)
				}
				inserted[ip] = true
				if second := tr.at(src, ip, to); len(second) != len(found) {
					t.Fatal(seed, ip, "the matches of a place changed")
				}
			}
			from = to
		}
	}
}

// missed returns an error if an inserted position has a match at ip of at least four
// bytes that is longer than longest. Above treeLimit bytes any match is accepted.
func missed(src []byte, inserted []bool, ip, to, longest int) error {
	for ref := range ip {
		if !inserted[ref] {
			continue
		}
		if n := lz77.CommonPrefix(src, ip, ref, to); n > max(longest, lz77.MinMatch-1) && longest <= treeLimit {
			return fmt.Errorf("at %d, a match of %d bytes at %d, not %d", ip, n, ref, longest)
		}
	}
	return nil
}

// BenchmarkTree inserts the blocks of 1 MiB of bytes that are nearly random.
func BenchmarkTree(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	src := make([]byte, 8*maxBlock)
	for i := range src {
		src[i] = byte(r.IntN(100) + r.IntN(100))
	}
	b.SetBytes(int64(len(src)))
	var t tree
	for b.Loop() {
		t.begun = false
		for from := 0; from < len(src); from += maxBlock {
			t.begin(src, from, from+maxBlock, 32)
			for ip := from; ip < from+maxBlock-lastMatch; ip++ {
				t.at(src, ip, from+maxBlock)
			}
		}
	}
}

// A new input has no matches in the previous one.
func TestTreeReset(t *testing.T) {
	var tr tree
	a := []byte("abcdefghabcdefghabcdefgh........")
	tr.begin(a, 0, len(a), 8)
	if m := tr.at(a, 8, len(a)); len(m) == 0 {
		t.Fatal("no match")
	}
	tr.begun = false
	b := []byte("xbcdefghijklmnopqrstuvwxyz......")
	tr.begin(b, 0, len(b), 8)
	for ip := range 20 {
		if m := tr.at(b, ip, len(b)); len(m) != 0 {
			t.Fatal(ip, m)
		}
	}
}

// TestTreeAfterNoise encodes a block of noise, which is not weighed, and then nearly the
// same block again. Level 9 once stored the second block, because it did not find the
// matches that lower levels found. Its size must be similar to theirs.
func TestTreeAfterNoise(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	src := make([]byte, 2*maxBlock)
	for i := range maxBlock {
		src[i] = byte(rnd.Uint32())
		src[maxBlock+i] = src[i]
		if i%16 == 0 {
			src[maxBlock+i]++
		}
	}
	var e Encoder
	chain := len(e.frame(src, lz77.Effort{Depth: 16, Nice: 128, Weigh: 1}))
	if tree := len(e.frame(src, lz77.Effort{Depth: 64, Nice: 128, Weigh: 2})); tree > chain {
		t.Errorf("%d bytes with the tree, %d with chains", tree, chain)
	}
}

// TestTreeRuns encodes two copies of runs that grow. Where a run begins, the tree compares only
// parts of the last runs, and finds none that is as long.
func TestTreeRuns(t *testing.T) {
	var runs []byte
	for n := 100; n < 400; n++ {
		runs = append(runs, bytes.Repeat([]byte{byte(n % 3)}, n)...)
	}
	var e Encoder
	once, twice := len(e.frame(runs[:maxBlock/2], deepest)), len(e.frame(slices.Concat(runs[:maxBlock/2], runs[:maxBlock/2]), deepest))
	if twice > once+64 {
		t.Errorf("%d bytes, %d for two copies", once, twice)
	}
}

// deepest is the effort of level 9.
var deepest = lz77.Effort{Depth: 32, Nice: 1024, Weigh: 2, Survey: true, Lone: true}

// TestLone encodes items of which the first byte is noise, and the others are some of a few
// words: nearly all matches follow one literal. A parser that keeps only the cheapest path
// to each position misses some of them.
func TestLone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	src := make([]byte, 2*maxBlock)
	for i := 0; i < len(src); i += 4 {
		word := uint32(rnd.ExpFloat64()*100) * 2654435761
		binary.LittleEndian.PutUint32(src[i:], word<<8|rnd.Uint32()&0xff)
	}
	var e Encoder
	lone := deepest
	lone.Lone = false
	without := len(e.frame(src, lone))
	if with := len(e.frame(src, deepest)); with*100 > without*99 {
		t.Errorf("%d bytes with paths that end after one literal, %d without", with, without)
	}
}

// TestLongMatches encodes runs of two bytes, of which matches of several hundred bytes are
// made. Where such matches begin and end determines the size.
func TestLongMatches(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	src := make([]byte, 0, 4*maxBlock)
	for v := byte(0); len(src) < 4*maxBlock; v ^= 1 {
		src = append(src, bytes.Repeat([]byte{v}, 1+rnd.IntN(40)*rnd.IntN(40))...)
	}
	var e Encoder
	short := deepest
	short.Nice = 128
	once := len(e.frame(src, short))
	if weighed := len(e.frame(src, deepest)); weighed*100 > once*95 {
		t.Errorf("%d bytes with all matches weighed, %d with long ones taken at once", weighed, once)
	}
}

// A counter that alternates with noise repeats three bytes at a time, which only the tree
// finds. Noise alone is not searched.
func TestThreeBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	src := noiseOf(r, maxBlock)
	var e Encoder
	effort := lz77.Effort{Depth: 32, Nice: 1024, Weigh: 2}
	if e.repeatsThree(src) {
		t.Error("noise seems to repeat")
	}
	for i := 0; i < len(src); i += 2 {
		src[i] = byte(i / 2)
	}
	if !e.repeatsThree(src) {
		t.Error("the counter does not seem to repeat")
	}
	if n := len(e.frame(src, effort)); n > len(src)*97/100 {
		t.Errorf("%d bytes of %d, want 3 %% fewer", n, len(src))
	}
}
