package shuffle

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

var all = []kernel{
	{"Shuffle", Shuffle, refShuffle, sizesTo(64)},
	{"Unshuffle", Unshuffle, refUnshuffle, sizesTo(64)},
	{"BitShuffle", BitShuffle, refBitShuffle, sizesTo(64)},
	{"BitUnshuffle", BitUnshuffle, refBitUnshuffle, sizesTo(64)},
	{"ShuffleDelta", ShuffleDelta, refShuffleDelta, sizesTo(17)},
	{"UnshuffleDelta", UnshuffleDelta, refUnshuffleDelta, sizesTo(17)},
	{"Delta", Delta, refDelta, sizesTo(16)},
	{"Undelta", Undelta, refUndelta, sizesTo(16)},
	{"ByteDelta", func(dst, src []byte, _ int) { ByteDelta(dst, src) }, refByteDelta, []int{1}},
	{"UnByteDelta", func(dst, src []byte, _ int) { UnByteDelta(dst, src) }, refUnByteDelta, []int{1}},
}

const guard = 64

func random(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}

// A kernel is a kernel of the package and its reference. A kernel without an item size
// ignores size.
type kernel struct {
	name     string
	run, ref func(dst, src []byte, size int)
	sizes    []int
}

// check runs a kernel at the given alignments of source and destination, and compares the
// result with want. It also checks that the source and the bytes around the destination
// did not change.
func (k kernel) check(t *testing.T, buf, src, want []byte, size, align int) {
	t.Helper()
	n := len(src)
	fill := []byte{byte(0xa5 ^ n)}
	Fill(buf, fill)
	before, dst, after := buf[:guard+align], buf[guard+align:][:n], buf[guard+align+n:]
	k.run(dst, src, size)
	if !bytes.Equal(dst, want) {
		i := 0
		for dst[i] == want[i] {
			i++
		}
		t.Fatalf("%s on %s, %d bytes, size %d, destination at %d: byte %d is %#x, want %#x", k.name, Tier(), n, size, align, i, dst[i], want[i])
	}
	if bytes.Count(before, fill) != len(before) || bytes.Count(after, fill) != len(after) {
		t.Fatalf("%s on %s, %d bytes, size %d, destination at %d: wrote outside of it", k.name, Tier(), n, size, align)
	}
}

// checkTiers checks a kernel of every tier against its reference.
func (k kernel) checkTiers(t *testing.T, buf, want, src []byte, size, align int) {
	t.Helper()
	want = want[:len(src)]
	k.ref(want, src, size)
	for _, tier := range Tiers() {
		if err := Use(tier); err != nil {
			t.Fatal(err)
		}
		k.check(t, buf, src, want, size, align)
	}
}

func sizesTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i + 1
	}
	return s
}
