package filters

import (
	"bytes"
	"encoding/hex"
	"strings"
)

// guarded returns n bytes that other bytes follow, and a function that checks that these
// were not changed.
func guarded(n int) (b []byte, intact func() bool) {
	buf := bytes.Repeat([]byte{0xa5}, n+64)
	return buf[:n:n], func() bool {
		return bytes.Count(buf[n:], []byte{0xa5}) == 64
	}
}

// lossless lists pipelines without a lossy filter.
var lossless = []string{
	"none", "shuffle", "bitshuffle", "delta", "bytedelta", "shuffle:3", "delta,shuffle", "delta,bitshuffle", "shuffle,bytedelta",
	"shuffle,delta", "delta,shuffle,bytedelta", "bitshuffle,shuffle,bytedelta:5,delta,shuffle:7,bitshuffle",
}

func unhex(s string) []byte {
	b, err := hex.DecodeString(strings.Map(func(r rune) rune {
		if r == ' ' || r == '|' {
			return -1
		}
		return r
	}, s))
	if err != nil {
		panic(err)
	}
	return b
}
