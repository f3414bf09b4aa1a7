package zfp

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs/internal/arraytest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

func (p Params) array() arraytest.Array {
	a := arraytest.Array{Meta: p.Meta, DType: fmt.Sprintf("<f%d", p.TypeSize), TypeSize: p.TypeSize, BlockShape: p.Shape}
	switch p.Mode {
	case Accuracy:
		a.Codec, a.ID = "zfp-accuracy", blosc2.CodecZFPAcc
	case Precision:
		a.Codec, a.ID = "zfp-precision", blosc2.CodecZFPPrec
	case Rate:
		a.Codec, a.ID = "zfp-rate", blosc2.CodecZFPRate
	}
	return a
}

var metas = map[Mode][]uint8{
	Accuracy:  {0, 1, 3, 20, 256 - 1, 256 - 3, 256 - 6, 256 - 12, 256 - 40, 127, 128},
	Precision: {0, 1, 5, 11, 20, 30, 50, 60, 255},
	Rate:      {0, 1, 3, 10, 17, 25, 50, 77, 90},
}

// eachSetting iterates over all modes and parameters, each with some of the shapes.
func eachSetting(f func(p Params)) {
	next := 0
	for _, mode := range []Mode{Accuracy, Precision, Rate} {
		for _, meta := range metas[mode] {
			for _, typeSize := range []int{4, 8} {
				for range 3 {
					f(Params{mode, meta, typeSize, shapes[next%len(shapes)]})
					next++
				}
			}
		}
	}
}

// TestOracle codes blocks with this package and with C-Blosc2. The streams must be
// identical, except that Debian's zfp of C-Blosc2 3 ends them with a byte and not
// with a word of 8 bytes. The blocks that C-Blosc2 decodes from ours, and we decode
// from both, must be identical too.
func TestOracle(t *testing.T) {
	for _, lib := range b2test.Oracles(t) {
		rng := rand.New(rand.NewSource(1))
		compared := 0
		var c Coder
		eachSetting(func(p Params) {
			a := p.array()
			size := a.BlockSize()
			var payload []byte
			for i := range blocks {
				payload = append(payload, field(rng, i%kinds, p)...)
			}
			ours := make([][]byte, blocks)
			want := bytes.Clone(payload)
			for i, theirs := range a.Encode(t, lib, payload) {
				block := payload[i*size:][:size]
				stream := make([]byte, size+16)
				n, err := c.Encode(stream, block, p)
				if err != nil {
					t.Fatal(err)
				}
				if theirs == nil || n >= size {
					ours[i] = block // the block is stored
					continue
				}
				if n < len(theirs) || n > len(theirs)+7 || !bytes.Equal(stream[:n], append(bytes.Clone(theirs), make([]byte, n-len(theirs))...)) {
					t.Errorf("library %d, %+v, block %d: encoded to %d other bytes, %d by C-Blosc2", lib.Major, p, i, n, len(theirs))
				}
				ours[i] = stream[:n]
				compared++
				got := make([]byte, size)
				for _, s := range [][]byte{theirs, ours[i]} {
					if err := c.Decode(got, s, p); err != nil {
						t.Errorf("library %d, %+v, block %d: %v", lib.Major, p, i, err)
					}
				}
				copy(want[i*size:], got)
			}
			if got, err := a.Decode(t, lib, ours); err != nil || !bytes.Equal(got, want) {
				t.Errorf("library %d, %+v: C-Blosc2 decodes something else, %v", lib.Major, p, err)
			}
		})
		t.Logf("library %d: %d blocks", lib.Major, compared)
		if compared < 1000 {
			t.Errorf("library %d: only %d blocks", lib.Major, compared)
		}
	}
}

// TestSmallBlocks decodes blocks of less than a cell, which C-Blosc2 does not
// encode, with C-Blosc2.
func TestSmallBlocks(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	var c Coder
	for _, lib := range b2test.Oracles(t) {
		for _, shape := range [][]int32{{3}, {2, 30}, {9, 3, 7}, {1, 5, 2, 40}} {
			p := Params{Rate, 5, 8, shape}
			src := field(rng, 0, p)
			stream, want := make([]byte, len(src)), make([]byte, len(src))
			n, err := c.Encode(stream, src, p)
			if err != nil || n == 0 {
				t.Fatal(n, err)
			}
			if err := c.Decode(want, stream[:n], p); err != nil {
				t.Fatal(err)
			}
			if got, err := p.array().Decode(t, lib, [][]byte{stream[:n]}); err != nil || !bytes.Equal(got, want) {
				t.Errorf("library %d, %v: decodes something else, %v", lib.Major, shape, err)
			}
		}
	}
}
