package filters_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestOracleCells compares ndcell and ndmean with C-Blosc2, which applies them
// to the blocks of arrays.
func TestOracleCells(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		for _, name := range []string{"ndcell", "ndmean"} {
			t.Run(fmt.Sprintf("%s, C-Blosc2 %d", name, lib.Major), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(4, uint64(lib.Major)))
				cases := 0
				for call := 0; cases < enough(); call++ {
					cases += compareCells(t, lib, rnd, name, 1+call%4)
				}
				t.Logf("%d blocks each way", cases)
			})
		}
	}
}

// compareCells compares an array of one chunk with hundreds of blocks. It returns the
// number of blocks.
func compareCells(t *testing.T, lib b2test.Library, rnd *rand.Rand, name string, ndim int) int {
	shape, block, count := make([]string, ndim), make([]int32, ndim), 1
	smallest, items := int32(1<<30), 1
	perDim := []int{400, 20, 8, 4}[ndim-1] // blocks along each dimension
	for d := range block {
		block[d] = int32([]int{50, 7, 4, 3}[ndim-1] + rnd.IntN([]int{100, 7, 4, 3}[ndim-1]))
		shape[d], count = fmt.Sprint(perDim*int(block[d])), count*perDim
		smallest, items = min(smallest, block[d]), items*int(block[d])
	}
	side := 1 + rnd.IntN(int(smallest))
	size, dtype := 4, "<f4"
	if rnd.IntN(2) == 1 {
		size, dtype = 8, "<f8"
	}
	var data []byte
	v := 1.5
	for range count * items {
		if rnd.IntN(20) == 0 { // values repeat, so that C-Blosc2 compresses and filters them
			v = rnd.Float64()*10 - 5
		}
		if size == 4 {
			data = le.AppendUint32(data, math.Float32bits(float32(v)))
		} else {
			data = le.AppendUint64(data, math.Float64bits(v))
		}
	}
	spec := fmt.Sprintf("%s:%d", name, side)
	dims := strings.Join(shape, ",")
	frame, coded := filepath.Join(t.TempDir(), "a.b2nd"), filepath.Join(t.TempDir(), "chunk")
	lib.Run(t, "write-b2nd", "--codec", "zlib", "--clevel", "1", "--splitmode", "never", "--filters", spec, "--shape", dims, "--chunkshape", dims,
		"--blockshape", strings.Trim(strings.ReplaceAll(fmt.Sprint(block), " ", ","), "[]"), "--dtype", dtype, write(t, "in", data), frame)
	lib.Run(t, "read-chunk", "--chunk", "0", frame, coded)
	theirs, err := os.ReadFile(coded)
	if err != nil {
		t.Fatal(err)
	}
	c := parseChunk(t, theirs)
	p := mustParse(t, spec)
	prm := filters.Params{TypeSize: size, BlockShape: block}
	if err := p.Check(prm); err != nil {
		t.Fatal(err)
	}
	for i, theirs := range c.blocks {
		src := make([]byte, len(theirs))
		eachRow(size, block, i, perDim, func(inArray, inBlock, n int) {
			copy(src[inBlock:], data[inArray:inArray+n])
		})
		got, err := p.Forward(make([]byte, len(src)), nil, src, prm)
		if err != nil || !bytes.Equal(got, theirs) {
			t.Fatalf("%s, blocks %v, typesize %d, %x: %x, %v; C-Blosc2 has %x", spec, block, size, src, got, err, theirs)
		}
		back := make([]byte, len(src))
		if err := p.Backward(back, nil, theirs, prm); err != nil {
			t.Fatal(err)
		}
		if name == "ndcell" && !bytes.Equal(back, src) {
			t.Fatalf("%s, blocks %v, typesize %d: C-Blosc2's decodes to %x, not %x", spec, block, size, back, src)
		}
		eachRow(size, block, i, perDim, func(inArray, inBlock, n int) {
			copy(data[inArray:], back[inBlock:inBlock+n])
		})
	}
	// data now holds the decoded blocks. C-Blosc2 must decode the same from our chunk,
	// whose blocks are stored uncompressed.
	lib.Run(t, "edit-frame", "--update", "0=raw:"+write(t, "ours", c.bytes()), frame)
	back, err := lib.Decode(t, "read-b2nd", frame)
	if err != nil || !bytes.Equal(back, data) {
		t.Fatalf("%s, blocks %v, typesize %d: C-Blosc2 decodes ours to something else: %v", spec, block, size, err)
	}
	return count
}

// eachRow calls visit for every row of the i-th block of an array that has perDim blocks
// along each dimension. It passes the offsets of the row in the array and in the block,
// and its length, all in bytes.
func eachRow(size int, block []int32, i, perDim int, visit func(inArray, inBlock, n int)) {
	ndim := len(block)
	row := int(block[ndim-1]) * size
	rows := 1
	for _, n := range block[:ndim-1] {
		rows *= int(n)
	}
	for r := range rows {
		at, stride, b, q := 0, 1, i, r
		for d := ndim - 1; d >= 0; d-- {
			index := b % perDim * int(block[d])
			b /= perDim
			if d < ndim-1 {
				index += q % int(block[d])
				q /= int(block[d])
			}
			at += index * stride
			stride *= perDim * int(block[d])
		}
		visit(at*size, r*row, row)
	}
}
