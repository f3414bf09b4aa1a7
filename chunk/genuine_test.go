package chunk_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestBothWays decodes our chunks of every codec with both genuine libraries, and
// decodes theirs.
func TestBothWays(t *testing.T) {
	two, three := newGenuine(t, 2), newGenuine(t, 3)
	r := newRand(7)
	all := []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd}
	var d chunk.Decoder
	read, written := 0, 0
	for k := range 200 {
		p, n := randomParams(t, r)
		p.Codec = all[k%len(all)]
		p.Split = blosc2.SplitMode(r.IntN(5))
		p.PlainZeros = r.IntN(2) == 0
		list := losslessPipelines[r.IntN(len(losslessPipelines))]
		p.Filters = pipeline(t, list)
		if senseless(p, n) {
			continue
		}
		src := payload(n, p.TypeSize, uint64(k))
		what := fmt.Sprintf("case %d: %+v, %d bytes", k, p, n)
		ours := encode(t, p, src)
		if len(ours) > chunk.Bound(n) {
			t.Errorf("%s: %d bytes, more than the bound", what, len(ours))
		}
		if got, err := d.Decode(nil, ours); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: we decode %d bytes, %v", what, len(got), err)
		}
		for _, g := range []genuine{two, three} {
			if g.Major == 2 && unreadableBy2(p, list, ours) {
				continue
			}
			if got, err := g.decompress(t, ours); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%s: C-Blosc2 %d decodes %d bytes, %v", what, g.Major, len(got), err)
			}
			written++
		}
		if p.Split == blosc2.SplitDefault {
			p.Split = blosc2.SplitForward
		}
		if wrongInC(p, n) {
			continue
		}
		theirs, err := three.compress(t, p, src)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		if got, err := d.Decode(nil, theirs); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: from C-Blosc2 3 we decode %d bytes, %v", what, len(got), err)
		}
		read++
	}
	t.Logf("%d chunks written, %d read", written, read)
}

// unreadableBy2 reports whether C-Blosc2 2.17.1 cannot read a chunk. That version ignores
// the meta of shuffle, loses the bytes after the last group of four with bytedelta
// (docs/format/filters.md §2 and §7), and reads zeros only in whole items.
func unreadableBy2(p chunk.Params, list string, c []byte) bool {
	h, _ := chunk.ParseHeader(c)
	return list == "shuffle:2" ||
		strings.Contains(list, "bytedelta") && (p.TypeSize%4 != 0 || h.NBytes%4 != 0) ||
		h.Special() == chunk.Zeros && h.NBytes%h.TypeSize != 0
}

// wrongInC reports whether C-Blosc2 3.3.5 loses data. It does so in two cases: delta
// loses the bytes after the last whole item (docs/format/chunk.md T2), and with a
// typesize above 255 the header may state another block size than the blocks have (T1),
// which cannot be repaired.
func wrongInC(p chunk.Params, n int) bool {
	t := max(p.TypeSize, 1)
	odd := n%t != 0 || p.BlockSize%t != 0 || t > chunk.MaxTypeSize
	return p.Filters.Has(blosc2.FilterDelta) && odd || t > chunk.MaxTypeSize && p.BlockSize > 0
}

// TestRepairBlockSize reads chunks of C-Blosc2 3.3.5 with a wrong block size in the
// header (docs/format/chunk.md T1), which it cannot read itself.
func TestRepairBlockSize(t *testing.T) {
	g := newGenuine(t, 3)
	var d chunk.Decoder
	repaired := 0
	for k, size := range []int{1001, 1002, 1003, 501, 99, 4097, 2499, 2501} {
		for _, n := range []int{1001, 4000, 10003, 40000} {
			p := chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4 + 4*(k%2), BlockSize: size, Split: blosc2.SplitForward, Filters: pipeline(t, "shuffle")}
			src := payload(n, p.TypeSize, uint64(k*n))
			theirs, err := g.compress(t, p, src)
			if err != nil {
				t.Fatal(err)
			}
			h, err := chunk.ParseHeader(theirs)
			if err != nil {
				t.Fatal(err)
			}
			if h.BlockSize%h.TypeSize != 0 {
				repaired++
			}
			if got, err := d.Decode(nil, theirs); err != nil || !bytes.Equal(got, src) {
				t.Errorf("%+v, %d bytes: %d bytes, %v", p, n, len(got), err)
			}
		}
	}
	t.Logf("%d faulty chunks read", repaired)
	if repaired == 0 {
		t.Error("no chunk was faulty")
	}
}

// TestVLBlocks writes blocks of variable length for C-Blosc2 3, and reads those that it
// wrote.
func TestVLBlocks(t *testing.T) {
	g := newGenuine(t, 3)
	r := newRand(9)
	all := []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd}
	lists := []string{"", "shuffle", "bitshuffle", "shuffle,bytedelta:4"}
	var d chunk.Decoder
	for k := range 60 {
		p := chunk.Params{Codec: all[k%len(all)], Level: r.IntN(10), TypeSize: 1 + r.IntN(9), Filters: pipeline(t, lists[r.IntN(len(lists))])}
		blocks := make([][]byte, 1+r.IntN(20))
		var src []byte
		var lengths []string
		for i := range blocks {
			n := 1 + r.IntN(1<<r.IntN(14))
			blocks[i] = payload(n, p.TypeSize, uint64(100*k+i))
			src = append(src, blocks[i]...)
			lengths = append(lengths, strconv.Itoa(n))
		}
		p.Split = blosc2.SplitNever
		what := fmt.Sprintf("case %d: %+v, blocks %v", k, p, lengths)
		e, err := chunk.NewEncoder(p)
		if err != nil {
			t.Fatal(err)
		}
		ours, err := e.EncodeBlocks(nil, blocks)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if len(ours) > chunk.BlocksBound(blocks) {
			t.Errorf("%s: %d bytes, more than the bound", what, len(ours))
		}
		checkBlocks(t, what, &d, ours, blocks)
		if got, err := g.decompress(t, ours); err != nil || !bytes.Equal(got, src) {
			t.Errorf("%s: C-Blosc2 decodes %d bytes, %v", what, len(got), err)
		}

		if err := os.WriteFile(g.in, src, 0o666); err != nil {
			t.Fatal(err)
		}
		g.Run(t, append(append([]string{"compress-chunk", "--chunks", "vl:" + strings.Join(lengths, "+")}, options(p)...), g.in, g.out)...)
		theirs, err := os.ReadFile(g.out)
		if err != nil {
			t.Fatal(err)
		}
		checkBlocks(t, what, &d, theirs, blocks)
		if p.Codec == blosc2.CodecLZ4 && p.Level > 0 && !bytes.Equal(ours, theirs) {
			t.Errorf("%s: %d bytes that are not C-Blosc2's %d", what, len(ours), len(theirs))
		}
	}
}

// TestSpecials compares the constructors with C-Blosc2's.
func TestSpecials(t *testing.T) {
	g := newGenuine(t, 3)
	var d chunk.Decoder
	for _, typesize := range []int{1, 2, 4, 7, 8, 16, 255, 256, 1000} {
		value := payload(typesize, 1, 77)
		value[0] |= 1
		for _, items := range []int{1, 3, 1000, 20000} {
			n := items * typesize
			ours := map[string]func() ([]byte, error){
				"zero":                         func() ([]byte, error) { return chunk.AppendZeros(nil, n, typesize) },
				"uninit":                       func() ([]byte, error) { return chunk.AppendUninit(nil, n, typesize) },
				fmt.Sprintf("value:%x", value): func() ([]byte, error) { return chunk.AppendRepeat(nil, n, value) },
			}
			if typesize == 4 || typesize == 8 {
				ours["nan"] = func() ([]byte, error) { return chunk.AppendNaN(nil, n, typesize) }
			}
			for kind, make := range ours {
				c, err := make()
				if err != nil {
					t.Errorf("%s, %d items of %d bytes: %v", kind, items, typesize, err)
					continue
				}
				g.Run(t, "compress-chunk", "--typesize", strconv.Itoa(typesize), "--chunks", fmt.Sprintf("%s:%d", kind, n), os.DevNull, g.out)
				theirs, err := os.ReadFile(g.out)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(c, theirs) {
					t.Errorf("%s, %d items of %d bytes:\n% x, theirs\n% x", kind, items, typesize, c, theirs)
				}
				want, err := g.Decode(t, "decompress-chunk", g.out)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := d.Decode(nil, c); err != nil || kind != "uninit" && !bytes.Equal(got, want) {
					t.Errorf("%s, %d items of %d bytes: decoded to %d bytes, %v", kind, items, typesize, len(got), err)
				}
			}
		}
	}
}

// TestConstant reads constant chunks in ordinary form with both genuine libraries.
func TestConstant(t *testing.T) {
	var d chunk.Decoder
	for _, lib := range b2test.Oracles(t) {
		for _, typesize := range []int{1, 2, 4, 8, 17, 255} {
			for _, value := range [][]byte{make([]byte, typesize), payload(typesize, 1, 5), bytes.Repeat([]byte{9}, typesize)} {
				for _, items := range []int{1, 2, 5000} {
					want := bytes.Repeat(value, items)
					c, err := chunk.AppendConstant(nil, len(want), value)
					if err != nil {
						t.Fatal(err)
					}
					if len(c) > 36+5*typesize {
						t.Errorf("%d items of %d bytes make %d", items, typesize, len(c))
					}
					file := filepath.Join(t.TempDir(), "chunk")
					if err := os.WriteFile(file, c, 0o666); err != nil {
						t.Fatal(err)
					}
					if got, err := lib.Decode(t, "decompress-chunk", file); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%d items of %d bytes: C-Blosc2 %d decodes %d bytes, %v", items, typesize, lib.Major, len(got), err)
					}
					if got, err := d.Decode(nil, c); err != nil || !bytes.Equal(got, want) {
						t.Errorf("%d items of %d bytes: decoded to %d bytes, %v", items, typesize, len(got), err)
					}
				}
			}
		}
	}
}
