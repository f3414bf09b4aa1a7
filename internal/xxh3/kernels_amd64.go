//go:build !purego

package xxh3

import "golang.org/x/sys/cpu"

// stripesAVX2 and its like add n stripes, or n blocks, to the lanes.

//go:noescape
func stripesAVX2(s *state, b, key *byte, n int)

//go:noescape
func blocksAVX2(s *state, b *byte, n int, secret *[192]byte)

//go:noescape
func stripesAVX512(s *state, b, key *byte, n int)

//go:noescape
func blocksAVX512(s *state, b *byte, n int, secret *[192]byte)

// A level is a set of kernels.
type level uint8

const (
	generic level = iota
	avx2
	avx512
)

var levelNames = []string{"generic", "avx2", "avx512"}

var available = func() level {
	switch x := &cpu.X86; {
	case x.HasAVX2 && x.HasAVX512F && x.HasAVX512BW:
		return avx512
	case x.HasAVX2:
		return avx2
	}
	return generic
}()

var current = available

// tiers gives the kernels that the processor has, slowest first.
func tiers() []string { return levelNames[:available+1] }

// use chooses one of tiers, for tests.
func use(tier string) {
	for i, name := range levelNames {
		if name == tier {
			current = level(i)
		}
	}
}

func (s *state) stripes(b []byte, k int) {
	n := len(b) / stripeLen
	switch {
	case n == 0:
	case current == avx512:
		stripesAVX512(s, &b[0], &secret[k], n)
	case current == avx2:
		stripesAVX2(s, &b[0], &secret[k], n)
	default:
		s.stripesGeneric(b, k)
	}
}

func (s *state) blocks(b []byte) {
	n := len(b) / blockLen
	switch {
	case n == 0:
	case current == avx512:
		blocksAVX512(s, &b[0], n, &secret)
	case current == avx2:
		blocksAVX2(s, &b[0], n, &secret)
	default:
		s.blocksGeneric(b)
	}
}
