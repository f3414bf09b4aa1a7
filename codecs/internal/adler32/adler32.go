// Package adler32 computes the checksum of zlib's streams (RFC 1950, 2.2 and 8.2).
// It adds a kernel to the standard library's implementation, which takes one byte
// per clock cycle: that is too slow for planes of few values, which are decoded at
// gigabytes per second.
package adler32

import "hash/adler32"

const (
	modulus = 65521
	stride  = 64          // bytes that the kernel processes at a time
	most    = 86 * stride // most bytes of a call: about as many as the standard library adds before it divides
	least   = 2 * stride  // the kernel does not pay for shorter inputs
)

// kernel returns the sum of src, the sum of its values before each stride, and the sum
// of the bytes weighted by 64 to 1 in each stride. The length of src is a multiple of
// stride, and no more than most. It is nil if there is none.
var kernel func(src []byte) (sum, before, weighted uint64)

// Checksum returns the Adler-32 checksum of src.
func Checksum(src []byte) uint32 {
	if kernel == nil || len(src) < least {
		return adler32.Checksum(src)
	}
	a, b := uint64(1), uint64(0)
	for len(src) >= stride {
		n := min(len(src)/stride*stride, most)
		sum, before, weighted := kernel(src[:n])
		b = (b + uint64(n)*a + stride*before + weighted) % modulus
		a = (a + sum) % modulus
		src = src[n:]
	}
	for _, v := range src {
		a += uint64(v)
		b += a
	}
	return uint32(b%modulus<<16 | a%modulus)
}
