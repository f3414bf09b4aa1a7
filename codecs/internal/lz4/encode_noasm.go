//go:build purego || !amd64

package lz4

// An Encoder holds the hash table, which every call begins anew. The zero
// value is ready. It belongs to one goroutine at a time.
//
// Its Encode compresses src into dst as LZ4_compress_fast does, with the same
// bytes, and returns their number, or 0 where they do not fit. It keeps neither
// slice.
type Encoder struct{ portableEncoder }
