// Package xxh3 computes XXH3-64 with seed 0, the digest of the records in a frame,
// as the xxHash project specifies it (doc/xxhash_spec.md of
// github.com/Cyan4973/xxHash). It does not query the processor when a program
// starts: in a virtual machine that took another library longer than compressing a
// megabyte.
package xxh3

import (
	"encoding/binary"
	"math/bits"
)

// These are the primes of xxHash.
const (
	prime32x1 = 0x9e3779b1
	prime32x2 = 0x85ebca77
	prime32x3 = 0xc2b2ae3d
	prime64x1 = 0x9e3779b185ebca87
	prime64x2 = 0xc2b2ae3d27d4eb4f
	prime64x3 = 0x165667b19e3779f9
	prime64x4 = 0x85ebca77c2b2ae63
	prime64x5 = 0x27d4eb2f165667c5
	primeMx1  = 0x165667919e3779f9
	primeMx2  = 0x9fb21c651e98df25
)

// secret is mixed with the input.
var secret = [192]byte{
	0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
	0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
	0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
	0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
	0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
	0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
	0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
	0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
	0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
	0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
	0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
	0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
}

func u64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
func u32(b []byte, i int) uint64 { return uint64(binary.LittleEndian.Uint32(b[i:])) }
func key(i int) uint64           { return u64(secret[:], i) }

// Sum64 returns the digest of b.
func Sum64(b []byte) uint64 {
	switch n := len(b); {
	case n > maxShort:
		var s state
		s.begin()
		full := (n - 1) / blockLen * blockLen
		s.blocks(b[:full])
		return s.end(b[full:], b[n-stripeLen:], n)
	case n > 128:
		return sum240(b)
	case n > 16:
		return sum128(b)
	case n > 8:
		lo := u64(b, 0) ^ key(24) ^ key(32)
		hi := u64(b, n-8) ^ key(40) ^ key(48)
		return avalanche(uint64(n) + bits.ReverseBytes64(lo) + hi + fold(lo, hi))
	case n > 3:
		h := u32(b, n-4) + u32(b, 0)<<32 ^ key(8) ^ key(16)
		h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
		h *= primeMx2
		h ^= h>>35 + uint64(n)
		h *= primeMx2
		return h ^ h>>28
	case n > 0:
		c := uint64(b[0])<<16 | uint64(b[n>>1])<<24 | uint64(b[n-1]) | uint64(n)<<8
		return avalanche64(c ^ u32(secret[:], 0) ^ u32(secret[:], 4))
	}
	return avalanche64(key(56) ^ key(64))
}

// maxShort is the largest number of bytes mixed without a state.
const maxShort = 240

// sum128 returns the digest of 17 to 128 bytes, mixed from both ends.
func sum128(b []byte) uint64 {
	n := len(b)
	h := uint64(n) * prime64x1
	for i := (n - 1) / 32; i >= 0; i-- {
		h += mix(b, 16*i, 32*i) + mix(b, n-16*i-16, 32*i+16)
	}
	return avalanche(h)
}

// sum240 returns the digest of 129 to 240 bytes.
func sum240(b []byte) uint64 {
	n := len(b)
	h := uint64(n) * prime64x1
	for i := range 8 {
		h += mix(b, 16*i, 16*i)
	}
	h = avalanche(h)
	for i := 8; i < n/16; i++ {
		h += mix(b, 16*i, 16*(i-8)+3)
	}
	return avalanche(h + mix(b, n-16, 136-17))
}

// mix mixes the 16 bytes at i with those of the secret at k.
func mix(b []byte, i, k int) uint64 { return fold(u64(b, i)^key(k), u64(b, i+8)^key(k+8)) }

// fold multiplies two words and combines the halves of the product.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func avalanche(h uint64) uint64 {
	h ^= h >> 37
	h *= primeMx1
	return h ^ h>>32
}

// avalanche64 is the final mix of XXH64.
func avalanche64(h uint64) uint64 {
	h ^= h >> 33
	h *= prime64x2
	h ^= h >> 29
	h *= prime64x3
	return h ^ h>>32
}
