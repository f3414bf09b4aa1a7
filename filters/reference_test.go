package filters

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

// TestAgainstReference compares every filter with its description, item by
// item, at all lengths up to 300 and typesizes up to 16.
func TestAgainstReference(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{2})
	for _, c := range []struct {
		id  blosc2.FilterID
		ref func(src []byte, p Params) []byte
	}{
		{blosc2.FilterShuffle, refShuffle},
		{blosc2.FilterBitShuffle, refBitShuffle},
		{blosc2.FilterDelta, refDelta},
		{blosc2.FilterByteDelta, refByteDelta},
		{blosc2.FilterTruncPrec, func(src []byte, p Params) []byte {
			return refTrunc(src, p, truncBits(blosc2.FilterTruncPrec, p.TypeSize))
		}},
		{blosc2.FilterIntTrunc, func(src []byte, p Params) []byte {
			return refTrunc(src, p, truncBits(blosc2.FilterIntTrunc, p.TypeSize))
		}},
	} {
		f, err := ByID(c.id)
		if err != nil {
			t.Fatal(err)
		}
		cases := 0
		for size := 1; size <= 16; size++ {
			for n := range 301 {
				ref, src := make([]byte, 300), make([]byte, n)
				rnd.Read(ref)
				rnd.Read(src)
				p := Params{TypeSize: size, Block: n % 2, Ref: ref, Meta: uint8(n)}
				if bits := truncBits(c.id, size); f.Lossy() && bits > 0 {
					p.Meta = uint8(1 + n%bits) // number of bits to keep
					if n%2 == 1 && bits > 1 {
						p.Meta = uint8(-1 - n%(bits-1)) // number of bits to clear
					}
				} else if f.Lossy() {
					continue // there is no number type of that size
				}
				if err := f.Check(p); err != nil {
					t.Fatal(err)
				}
				cases++
				got, intact := guarded(n)
				want := c.ref(src, p)
				if err := f.Forward(got, src, p); err != nil || !bytes.Equal(got, want) || !intact() {
					t.Fatalf("%s, typesize %d, meta %d, block %d, %x: %x, %v; want %x", f.Name(), size, p.Meta, p.Block, src, got, err, want)
				}
				if f.Lossy() {
					src = want
				}
				if err := f.Backward(got, want, p); err != nil || !bytes.Equal(got, src) || !intact() {
					t.Fatalf("%s, typesize %d, meta %d, block %d, back: %x, %v; want %x", f.Name(), size, p.Meta, p.Block, got, err, src)
				}
			}
		}
		t.Logf("%s: %d cases", f.Name(), cases)
	}
}

// truncBits returns how many bits a filter can clear in a number of size bytes, or 0 if
// it does not support the size.
func truncBits(id blosc2.FilterID, size int) int {
	if id == blosc2.FilterTruncPrec {
		return map[int]int{4: 23, 8: 52}[size] // bits of the mantissa
	}
	return map[int]int{1: 8, 2: 16, 4: 32, 8: 64}[size]
}

// TestCellsAgainstReference compares ndcell with its description, for blocks of up
// to 300 items in one to four dimensions.
func TestCellsAgainstReference(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{3})
	f, err := ByID(blosc2.FilterNDCell)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for size := 1; size <= 16; size++ {
		for n := 1; n <= 300; n++ {
			shape := factors(n, 1+(n+size)%4)
			p := Params{TypeSize: size, Meta: uint8(1 + (n+size)%int(slices.Min(shape))), BlockShape: shape}
			if err := f.Check(p); err != nil {
				t.Fatal(err)
			}
			src := make([]byte, n*size)
			rnd.Read(src)
			got, intact := guarded(len(src))
			want := refCells(src, p)
			if err := f.Forward(got, src, p); err != nil || !bytes.Equal(got, want) || !intact() {
				t.Fatalf("blocks %v, side %d, typesize %d, %x: %x, %v; want %x", shape, p.Meta, size, src, got, err, want)
			}
			if err := f.Backward(got, want, p); err != nil || !bytes.Equal(got, src) || !intact() {
				t.Fatalf("blocks %v, side %d, typesize %d, back: %x, %v; want %x", shape, p.Meta, size, got, err, src)
			}
			cases++
		}
	}
	t.Logf("%d cases", cases)
}

// factors returns the given number of factors of n.
func factors(n, count int) []int32 {
	shape := make([]int32, count)
	for i := range shape {
		shape[i] = 1
	}
	i := 0
	for f := 2; n > 1; {
		if n%f != 0 {
			f++
			continue
		}
		n /= f
		shape[i%count] *= int32(f)
		i++
	}
	return shape
}

// refCells sorts the items by their cells, and within a cell by their positions.
func refCells(src []byte, p Params) []byte {
	ndim := len(p.BlockShape)
	type item struct {
		key []int32 // coordinates of the cell, then those of the item within it
		at  int
	}
	items := make([]item, len(src)/p.TypeSize)
	for i := range items {
		key := make([]int32, 2*ndim)
		rest := int32(i)
		for d := ndim - 1; d >= 0; d-- {
			x := rest % p.BlockShape[d]
			rest /= p.BlockShape[d]
			key[d], key[ndim+d] = x/int32(p.Meta), x%int32(p.Meta)
		}
		items[i] = item{key, i}
	}
	slices.SortFunc(items, func(a, b item) int { return slices.Compare(a.key, b.key) })
	var out []byte
	for _, it := range items {
		out = append(out, src[it.at*p.TypeSize:][:p.TypeSize]...)
	}
	return out
}

func refShuffle(src []byte, p Params) []byte {
	g := p.TypeSize
	if p.Meta != 0 {
		g = int(p.Meta)
	}
	n := len(src) / g
	out := bytes.Clone(src)
	for i := range n {
		for j := range g {
			out[j*n+i] = src[i*g+j]
		}
	}
	return out
}

func refBitShuffle(src []byte, p Params) []byte {
	n := len(src) / p.TypeSize / 8 * 8
	out := bytes.Clone(src)
	clear(out[:n*p.TypeSize])
	for i := range n {
		for bit := range 8 * p.TypeSize {
			if src[i*p.TypeSize+bit/8]&(1<<(bit%8)) != 0 {
				out[bit*n/8+i/8] |= 1 << (i % 8)
			}
		}
	}
	return out
}

func refDelta(src []byte, p Params) []byte {
	u := 1
	switch {
	case p.TypeSize == 2 || p.TypeSize == 4:
		u = p.TypeSize
	case p.TypeSize%8 == 0:
		u = 8
	}
	out := bytes.Clone(src)
	for i := range len(src) / u * u {
		switch {
		case p.Block > 0:
			out[i] ^= p.Ref[i]
		case i >= u:
			out[i] ^= src[i-u]
		}
	}
	return out
}

func refByteDelta(src []byte, p Params) []byte {
	streams := p.TypeSize
	if p.Meta != 0 {
		streams = int(p.Meta)
	}
	n := len(src) / streams
	out := bytes.Clone(src)
	for i := range n * streams {
		if i%n > 0 {
			out[i] -= src[i-1]
		}
	}
	return out
}

func refTrunc(src []byte, p Params, bits int) []byte {
	clear := -int(int8(p.Meta))
	if clear < 0 {
		clear += bits
	}
	out := bytes.Clone(src)
	for i := range len(src) / p.TypeSize * p.TypeSize * 8 {
		if i%(8*p.TypeSize) < clear {
			out[i/8] &^= 1 << (i % 8)
		}
	}
	return out
}
