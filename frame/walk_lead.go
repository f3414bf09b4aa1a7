package frame

import (
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// lead fills b like full, but returns without an error as soon as valid rejects the bytes
// so far. So it rejects another protocol by its first byte, and does not wait for len(b)
// bytes.
func (s *source) lead(part blosc2.Part, b []byte, valid func(arrived []byte) bool) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = io.ReadAtLeast(s.r, b[n:], 1)
		n += k
		if k > 0 && !valid(b[:n]) {
			err = nil
			break
		}
	}
	s.pos += int64(n)
	if errors.Is(err, io.EOF) {
		err = s.short(part, int64(n), int64(len(b)))
	}
	return n, err
}

// beginsFrame reports whether a frame of some layout may begin with b.
func beginsFrame(b []byte) bool {
	n := min(len(b), len(Magic))
	return n == 0 || b[0] >= 0x9b && b[0] <= 0x9e && string(b[1:n]) == Magic[1:n]
}

// beginsPart reports whether a chunk, an end mark or a record may begin with b.
func beginsPart(b []byte) bool {
	return b[0] >= 1 && b[0] <= chunk.VersionVL || b[0] == framing.RecordMagic[0]
}
