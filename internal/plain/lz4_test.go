package plain

import (
	"bytes"
	"errors"
	"testing"

	"github.com/pierrec/lz4/v4"
)

// block returns a block with n bytes, a match of 4 of them, and the literals after it.
func block(n, after int) []byte {
	b := append([]byte{byte(n << 4)}, bytes.Repeat([]byte{'a'}, n)...)
	b = append(b, byte(n), 0)
	return append(append(b, byte(after<<4)), bytes.Repeat([]byte{'b'}, after)...)
}

func TestCheckEnd(t *testing.T) {
	for after := range 15 {
		b := block(8, after)
		dst := make([]byte, 8+4+after)
		var want error
		if after < 8 { // the match has 4 bytes
			want = errEnd
		}
		got, err := decodeLZ4(dst, b, nil)
		if !errors.Is(err, want) || len(got) != len(dst) {
			t.Errorf("%d literals after a match: %d bytes, %v, want %v", after, len(got), err, want)
		}
	}
	for _, n := range []int{0, 1, 14, 15, 16, 269, 270, 271, 100_000} {
		data := append(bytes.Repeat([]byte("a match "), n), "the end, literals"...)
		b := make([]byte, lz4.CompressBlockBound(len(data)))
		size, err := (&lz4.CompressorHC{}).CompressBlock(data, b)
		if err != nil {
			t.Fatal(err)
		}
		if size == 0 {
			continue // it does not shrink
		}
		if err := checkEnd(b[:size]); err != nil {
			t.Errorf("%d matches: %v", n, err)
		}
		if err := checkEnd(b[:size-1]); err != errTruncated {
			t.Errorf("%d matches, without the last byte: %v", n, err)
		}
	}
}

// FuzzCheckEnd checks that no input causes a panic, and that an accepted block has its last
// literals: without its last byte it is truncated.
func FuzzCheckEnd(f *testing.F) {
	f.Add(block(8, 8))
	f.Add([]byte{0xff, 255, 255, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if checkEnd(b) != nil {
			return
		}
		if err := checkEnd(b[:len(b)-1]); err != errTruncated {
			t.Fatalf("%x is a block, and without its last byte %v", b, err)
		}
	})
}
