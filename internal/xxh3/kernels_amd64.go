//go:build !purego

package xxh3

import "github.com/seed03b80dae/blosc2/internal/kernels"

// stripesAVX2 and the following add n stripes, or n blocks, to the lanes.

//go:noescape
func stripesAVX2(s *state, b, key *byte, n int)

//go:noescape
func blocksAVX2(s *state, b *byte, n int, secret *[192]byte)

//go:noescape
func stripesAVX512(s *state, b, key *byte, n int)

//go:noescape
func blocksAVX512(s *state, b *byte, n int, secret *[192]byte)

// current is the tier that runs. The kernels are called by name, not through
// variables, so that a state stays on the stack.
var current kernels.Tier

func init() {
	kernels.Register(func(t kernels.Tier) { current = t })
}

func (s *state) stripes(b []byte, k int) {
	n := len(b) / stripeLen
	switch {
	case n == 0:
	case current >= kernels.AVX512:
		stripesAVX512(s, &b[0], &secret[k], n)
	case current >= kernels.AVX2:
		stripesAVX2(s, &b[0], &secret[k], n)
	default:
		s.stripesGeneric(b, k)
	}
}

func (s *state) blocks(b []byte) {
	n := len(b) / blockLen
	switch {
	case n == 0:
	case current >= kernels.AVX512:
		blocksAVX512(s, &b[0], n, &secret)
	case current >= kernels.AVX2:
		blocksAVX2(s, &b[0], n, &secret)
	default:
		s.blocksGeneric(b)
	}
}
