package codecs_test

import (
	"bytes"
	"hash/adler32"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// A stream begins like zlib's at the same level, and ends with the same checksum.
func TestZlibFrame(t *testing.T) {
	block := bytes.Repeat([]byte("planes of bytes, "), 300)
	want := adler32.Checksum(block)
	for _, lib := range b2test.Oracles(t) {
		for level := 1; level <= 9; level++ {
			theirs := genuineStreams(t, lib, blosc2.CodecZlib, level, [][]byte{block})[0]
			ours := make([]byte, len(block))
			n, err := maker(t, blosc2.CodecZlib)().Encode(ours, block, codecs.Params{Level: level, TypeSize: 1})
			if err != nil || n < 6 || len(theirs) < 6 {
				t.Fatalf("level %d: %d and %d bytes, error %v", level, n, len(theirs), err)
			}
			if !bytes.Equal(ours[:2], theirs[:2]) || !bytes.Equal(ours[n-4:n], theirs[len(theirs)-4:]) {
				t.Errorf("level %d: % x … % x, C-Blosc2 %d.x has % x … % x, checksum %08x", level,
					ours[:2], ours[n-4:n], lib.Major, theirs[:2], theirs[len(theirs)-4:], want)
			}
		}
	}
}

// Items of one byte are searched as bytes, whether or not a filter was asked for.
func TestZlibBytes(t *testing.T) {
	text := bytes.Repeat([]byte("In the beginning there was a pipe, and its bytes had no types. "), 300)
	for i := range text {
		text[i] ^= byte(i*i>>11) & 1
	}
	for level := 1; level <= 9; level++ {
		var streams [2][]byte
		for i := range streams {
			dst := make([]byte, len(text))
			n, err := maker(t, blosc2.CodecZlib)().Encode(dst, text, codecs.Params{Level: level, TypeSize: 1, Values: i > 0})
			if err != nil || n == 0 {
				t.Fatalf("level %d: %d bytes, error %v", level, n, err)
			}
			streams[i] = dst[:n]
		}
		if !bytes.Equal(streams[0], streams[1]) {
			t.Errorf("level %d: %d bytes, as unfiltered items %d", level, len(streams[0]), len(streams[1]))
		}
	}
}
