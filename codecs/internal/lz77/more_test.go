package lz77

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// searchParts searches data in parts, as actions says: each byte is the length of a part,
// and whether its search is undone and done again for long matches, or that is restored.
// It executes the sequences.
func searchParts(t *testing.T, f *Finder, data, actions []byte, e Effort) {
	t.Helper()
	f.Reset(len(data))
	f.Begin(0)
	var seqs []Seq
	for end := 0; end < len(data); {
		to, action := len(data), byte(0)
		if len(actions) > 0 {
			action, actions = actions[0], actions[1:]
			to = min(len(data), end+1+int(action>>2)<<8)
		}
		seqs = f.FindMore(data, to, e)
		least := 8 + int(action>>2&31)
		switch action & 3 {
		case 1:
			f.Undo()
			seqs = f.FindLong(data, to, least)
		case 2:
			f.Save()
			f.Undo()
			f.FindLong(data, to, least)
			seqs = f.Restore()
		case 3:
			f.Undo()
			to = min(len(data), to+300)
			seqs = f.FindLong(data, to, least)
		}
		end = to
	}
	rep := [2]int{1, 4}
	if back := expand(t, nil, data, 0, len(data), seqs, &rep, e); !bytes.Equal(back, data) {
		t.Fatalf("%d bytes, %+v: another input", len(data), e)
	}
	if len(data) > 0 && !e.Flat && rep != f.Repeats() {
		t.Fatalf("%d bytes, %+v: repeated distances are %v, want %v", len(data), e, f.Repeats(), rep)
	}
}

// inParts holds efforts for FindMore.
var inParts = []Effort{{Rows: 8}, {Rows: 16, Lazy: 2}, {Rows: 32, Far: true, Lazy: 2}}

// A search in several calls, some of which are undone, finds sequences of the whole.
func TestFindMore(t *testing.T) {
	var f Finder
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 12))
		data := repetitive(r, r.IntN(1<<(3+seed%15)))
		actions := make([]byte, r.IntN(40))
		for i := range actions {
			actions[i] = byte(r.Uint32())
		}
		for _, e := range inParts {
			searchParts(t, &f, data, actions, e)
		}
	}
}

// FuzzFindMore executes the sequences of searches in parts.
func FuzzFindMore(f *testing.F) {
	for i := range inParts {
		f.Add(bytes.Repeat([]byte("abcdefgh"), 300), []byte{4, 9, 6, 255}, uint8(i))
		f.Add(repetitive(rand.New(rand.NewPCG(uint64(i), 13)), 70000), []byte{240, 249, 255, 7, 1, 0, 128}, uint8(i))
	}
	var finder Finder
	f.Fuzz(func(t *testing.T, data, actions []byte, which uint8) {
		defer b2test.Cost(t)()
		searchParts(t, &finder, data, actions, inParts[int(which)%len(inParts)])
	})
}

// A match that reaches the end of a part goes on in the next one.
func TestFindMoreExtends(t *testing.T) {
	var f Finder
	data := bytes.Repeat([]byte("0123456789abcdefg"), 1000)
	for _, e := range []Effort{{Rows: 8}, {Depth: 4, Flat: true}} {
		f.Reset(len(data))
		f.Begin(0)
		f.FindMore(data, 5000, e)
		if seqs := f.FindMore(data, len(data), e); len(seqs) != 1 || int(seqs[0].Literals+seqs[0].Length) != len(data) {
			t.Errorf("%+v: %d sequences, the first %v; want one match up to the end", e, len(seqs), seqs[0])
		}
	}
}

// FindLong finds what repeats at length, and nothing shorter than the given length.
func TestFindLong(t *testing.T) {
	var f Finder
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 13))
		data := make([]byte, 20000)
		for i := range data {
			data[i] = byte(r.IntN(3))
		}
		from, to := r.IntN(9000), 10000+r.IntN(9000)
		length := 5*sparseRun + r.IntN(800) // long enough for several words, one of which another may replace
		copy(data[to:], data[from:from+length])
		f.Reset(len(data))
		f.Begin(0)
		longest := 0
		for _, s := range f.FindLong(data, len(data), 24) {
			if s.Length < 24 {
				t.Fatalf("seed %d: match of %d bytes", seed, s.Length)
			}
			longest = max(longest, int(s.Length))
		}
		if to+length <= len(data)-24 && longest < length {
			t.Errorf("seed %d: the longest match has %d bytes, want %d", seed, longest, length)
		}
	}
}
