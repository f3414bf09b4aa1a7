//go:build purego || !(amd64 || arm64)

package mem

import "encoding/binary"

// Load32 returns the little-endian word at b[i:].
func Load32(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }

// Load64 returns the little-endian word at b[i:].
func Load64(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }

// Load16 returns the little-endian word at b[i:].
func Load16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[i:]) }

// Load8 returns b[i].
func Load8(b []byte, i int) byte { return b[i] }

// Store64 writes a little-endian word to b[i:].
func Store64(b []byte, i int, v uint64) { binary.LittleEndian.PutUint64(b[i:], v) }

// Copy16 copies 16 bytes, all loaded before any is stored.
func Copy16(dst []byte, i int, src []byte, j int) { copy(dst[i:i+16], src[j:j+16]) }

// Index returns s[i].
func Index[T uint16 | uint32](s []T, i int) T { return s[i] }
