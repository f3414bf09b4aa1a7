package blosc_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/mrjoshuak/go-blosc"
	"github.com/seed03b80dae/blosc2"
)

// Compress returns a chunk of Blosc 1 with the requested codec and filter, and
// Decompress returns the original bytes.
func TestRoundTrip(t *testing.T) {
	var data []byte
	for i := range uint64(5000) {
		data = binary.LittleEndian.AppendUint64(data, i*i)
	}
	formats := []byte{0, 1, 1, 2, 3, 4} // LZ4 and LZ4HC share a format
	for codec := blosc.BloscLZ; codec <= blosc.ZSTD; codec++ {
		for shuffle, flag := range []byte{blosc.NoShuffle: 0, blosc.Shuffle1: 1, blosc.BitShuffle: 4} {
			c, err := blosc.Compress(data, codec, 5, blosc.Shuffle(shuffle), 8)
			if err != nil {
				t.Fatal(err)
			}
			if c[0] != 2 || c[2]>>5 != formats[codec] || c[2]&5 != flag || c[3] != 8 || shuffle != 0 && len(c) >= len(data) {
				t.Errorf("codec %d, shuffle %d: header % x, %d bytes", codec, shuffle, c[:16], len(c))
			}
			back, err := blosc.Decompress(c)
			if err != nil || !bytes.Equal(back, data) {
				t.Errorf("codec %d, shuffle %d: %d bytes, %v", codec, shuffle, len(back), err)
			}
		}
	}
}

// Invalid arguments and chunks return typed errors.
func TestErrors(t *testing.T) {
	var option *blosc2.OptionError
	if _, err := blosc.Compress(nil, 6, 5, blosc.NoShuffle, 8); !errors.As(err, &option) {
		t.Error(err)
	}
	if _, err := blosc.Compress(nil, blosc.LZ4, 5, 3, 8); !errors.As(err, &option) {
		t.Error(err)
	}
	c, err := blosc.Compress(make([]byte, 1000), blosc.ZSTD, 5, blosc.Shuffle1, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := blosc.Decompress(c[:len(c)-1]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
