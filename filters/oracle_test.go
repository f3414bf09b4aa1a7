package filters_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// numbers returns n bytes of items that usually change little from one to the next, and
// occasionally a lot.
func numbers(rnd *rand.Rand, n, size int) []byte {
	b := make([]byte, n+size)
	for i := size; i < n+size; i++ {
		b[i] = b[i-size]
		if i%size == 0 || rnd.IntN(20) == 0 {
			b[i] += byte(rnd.IntN(7))
		}
	}
	return b[size:]
}

// tails returns the number of bytes at the end of a block that C-Blosc2 leaves undefined.
func tails(spec string, n, typesize int) int {
	if strings.Contains(spec, "trunc") {
		return n % typesize
	}
	return 0
}

// TestOracleBlocks compares single blocks of random lengths with C-Blosc2, which
// filters the blocks of a variable-length chunk one by one, and decodes ours with
// it.
func TestOracleBlocks(t *testing.T) {
	lib := b2test.Oracle(t, 3)
	const perCall = 180
	for _, name := range []string{"shuffle", "bitshuffle", "bytedelta", "trunc_prec", "int_trunc"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(1, uint64(len(name))))
			cases := 0
			for call := 0; cases < enough(); call++ {
				size := 1 + call%32
				spec := name
				switch name {
				case "shuffle":
					if call%2 == 1 {
						spec += fmt.Sprintf(":%d", 1+rnd.IntN(40))
					}
				case "bytedelta":
					spec += fmt.Sprintf(":%d", 1+rnd.IntN(40)) // C-Blosc2 would take 0 from a frame
				case "trunc_prec":
					size = 4 + call%2*4
					spec += fmt.Sprintf(":%d", []int{1, 9, 20, 23, -1, -9, -22}[call%7])
				case "int_trunc":
					size = 1 << (call % 4)
					spec += fmt.Sprintf(":%d", []int{1, 3, 8, -1, -5, -7}[call%6])
				}
				p := mustParse(t, spec)
				sizes, list, total := make([]int, perCall), make([]string, perCall), 0
				for i := range sizes {
					sizes[i] = 1 + rnd.IntN(1<<(3+rnd.IntN(10)))
					list[i], total = fmt.Sprint(sizes[i]), total+sizes[i]
				}
				data := numbers(rnd, total, size)
				coded := filepath.Join(t.TempDir(), "coded")
				lib.Run(t, "compress-chunk", "--codec", "zlib", "--clevel", "1", "--filters", spec, "--typesize", fmt.Sprint(size),
					"--chunks", "vl:"+strings.Join(list, "+"), write(t, "in", data), coded)
				theirs, err := os.ReadFile(coded)
				if err != nil {
					t.Fatal(err)
				}
				c := parseChunk(t, theirs)
				if c.pipeline != p || len(c.blocks) != perCall {
					t.Fatalf("%s: C-Blosc2 made a chunk of %s and %d blocks", spec, c.pipeline, len(c.blocks))
				}
				prm := filters.Params{TypeSize: size, Version: 6}
				ours := wireChunk{pipeline: p, typesize: size}
				at := 0
				var want []byte // the expected data of our chunk
				for i, n := range sizes {
					src := data[at : at+n]
					at += n
					got, err := p.Forward(make([]byte, n), nil, src, prm)
					if err != nil {
						t.Fatal(err)
					}
					same := n - tails(spec, n, size)
					if !bytes.Equal(got[:same], c.blocks[i][:same]) {
						t.Fatalf("%s, typesize %d, %x: %x, but C-Blosc2 has %x", spec, size, src, got, c.blocks[i])
					}
					ours.blocks = append(ours.blocks, got)
					back := make([]byte, n)
					if err := p.Backward(back, nil, c.blocks[i], prm); err != nil {
						t.Fatal(err)
					}
					if p.Lossy() {
						src = got
					}
					if !bytes.Equal(back[:same], src[:same]) {
						t.Fatalf("%s, typesize %d: C-Blosc2's block decodes to %x, not %x", spec, size, back, src)
					}
					want = append(want, src...)
				}
				back, err := lib.Decode(t, "decompress-chunk", write(t, "ours", ours.bytes()))
				if err != nil || !bytes.Equal(back, want) {
					t.Fatalf("%s, typesize %d: C-Blosc2 decodes ours to something else: %v", spec, size, err)
				}
				cases += perCall
			}
			t.Logf("%d blocks each way", cases)
		})
	}
}

// TestOracleDelta compares pipelines with delta, in which blocks depend on the first one
// of the chunk. C-Blosc2 loses the bytes after the last whole item, and 3.3.5 misreads
// its own chunks if a block is not a multiple of the typesize. So the lengths are
// multiples here. TestOracleDeltaTail covers other lengths.
func TestOracleDelta(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		t.Run(fmt.Sprintf("C-Blosc2 %d", lib.Major), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(2, uint64(lib.Major)))
			specs := []string{"delta", "delta,shuffle", "delta,bitshuffle"}
			if lib.Major == 3 { // 2.17.1 takes the predecessors for delta from the unfiltered data
				specs = append(specs, "shuffle,delta")
			}
			cases := 0
			for call := 0; cases < enough(); call++ {
				size, spec := 1+call%32, specs[call/32%len(specs)]
				p := mustParse(t, spec)
				blocksize := size * (32 + rnd.IntN(100))
				data := numbers(rnd, blocksize*180-size*rnd.IntN(blocksize/size), size)
				coded := filepath.Join(t.TempDir(), "coded")
				lib.Run(t, "compress-chunk", "--codec", "zlib", "--clevel", "1", "--splitmode", "never", "--filters", spec,
					"--typesize", fmt.Sprint(size), "--blocksize", fmt.Sprint(blocksize), write(t, "in", data), coded)
				theirs, err := os.ReadFile(coded)
				if err != nil {
					t.Fatal(err)
				}
				c := parseChunk(t, theirs)
				if c.blocksize != blocksize || c.pipeline != p {
					t.Fatalf("%s: C-Blosc2 made blocks of %d bytes with %s, not of %d", spec, c.blocksize, c.pipeline, blocksize)
				}
				for i, theirs := range c.blocks {
					src := data[i*blocksize : min((i+1)*blocksize, len(data))]
					prm := filters.Params{TypeSize: size, Block: i, Ref: data[:blocksize], Version: 5}
					tmp := make([]byte, len(src))
					got, err := p.Forward(make([]byte, len(src)), tmp, src, prm)
					if err != nil || !bytes.Equal(got, theirs) {
						t.Fatalf("%s, typesize %d, block %d: %x, %v; C-Blosc2 has %x", spec, size, i, got, err, theirs)
					}
					back := make([]byte, len(src))
					if err := p.Backward(back, tmp, theirs, prm); err != nil || !bytes.Equal(back, src) {
						t.Fatalf("%s, typesize %d, block %d: C-Blosc2's decodes to %x, %v; not %x", spec, size, i, back, err, src)
					}
				}
				back, err := lib.Decode(t, "decompress-chunk", write(t, "ours", c.bytes()))
				if err != nil || !bytes.Equal(back, data) {
					t.Fatalf("%s, typesize %d: C-Blosc2 decodes ours to something else: %v", spec, size, err)
				}
				cases += len(c.blocks)
			}
			t.Logf("%d blocks each way", cases)
		})
	}
}

// TestOracleDeltaTail checks that C-Blosc2 reads the bytes after the last whole item in
// our chunks.
func TestOracleDeltaTail(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		rnd := rand.New(rand.NewPCG(3, uint64(lib.Major)))
		for size := 1; size <= 32; size++ {
			p := mustParse(t, "delta")
			data := numbers(rnd, 500+size, size)
			got, err := p.Forward(make([]byte, len(data)), nil, data, filters.Params{TypeSize: size})
			if err != nil {
				t.Fatal(err)
			}
			c := wireChunk{p, size, len(data), [][]byte{got}}
			if len(data)%size != 0 {
				// 3.3.5 would shorten a full block that is not a multiple of the
				// typesize.
				c.blocksize = len(data) - len(data)%size
				head, _ := p.Forward(make([]byte, c.blocksize), nil, data[:c.blocksize], filters.Params{TypeSize: size})
				tail := data[c.blocksize:]
				last, err := p.Forward(make([]byte, len(tail)), nil, tail, filters.Params{TypeSize: size, Block: 1, Ref: data[:c.blocksize]})
				if err != nil {
					t.Fatal(err)
				}
				c.blocks = [][]byte{head, last}
			}
			back, err := lib.Decode(t, "decompress-chunk", write(t, "ours", c.bytes()))
			if err != nil || !bytes.Equal(back, data) {
				t.Errorf("C-Blosc2 %d, typesize %d: decodes ours to something else: %v", lib.Major, size, err)
			}
		}
	}
}
