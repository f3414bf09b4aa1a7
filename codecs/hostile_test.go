package codecs_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
)

// Streams that claim to be large do not cause large allocations.
func TestHostileSizes(t *testing.T) {
	const zstdFrame = "\x28\xb5\x2f\xfd"
	huge := binary.LittleEndian.AppendUint64(nil, 1<<40)
	rle := []byte{0x02 | 0x01, 0xff, 0x0f, 0} // the last block: a run of 2 MiB of zeros
	streams := []struct {
		id   blosc2.CodecID
		what string
		b    []byte
	}{
		{blosc2.CodecZstd, "content of 1 TiB, one segment", bytes.Join([][]byte{[]byte(zstdFrame), {0xe0}, huge, rle}, nil)},
		{blosc2.CodecZstd, "window of 1 GiB, no content size", bytes.Join([][]byte{[]byte(zstdFrame), {0x00, 20 << 3}, rle}, nil)},
		{blosc2.CodecZstd, "window of 256 MiB, content of 1 TiB", bytes.Join([][]byte{[]byte(zstdFrame), {0xc0, 18 << 3}, huge, rle}, nil)},
		{blosc2.CodecZstd, "skippable frame of 4 GiB", []byte("\x50\x2a\x4d\x18\xff\xff\xff\xff\x00")},
		{blosc2.CodecSnappy, "4 GiB", []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0}},
		{blosc2.CodecLZ4, "match of 25 KiB", append([]byte{0x1f, 0, 1, 0}, bytes.Repeat([]byte{255}, 100)...)},
		{blosc2.CodecBloscLZ, "match of 25 KiB", append([]byte{0x20, 0, 0xe0}, bytes.Repeat([]byte{255}, 100)...)},
	}
	for _, s := range streams {
		c := maker(t, s.id)()
		dst := make([]byte, 1000)
		// The first call makes the tables of a codec, and is not counted.
		if _, err := c.Decode(dst, s.b[:1], codecs.Params{}); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%s, %s, first byte: error %v, want blosc2.ErrCorrupt", s.id, s.what, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.Decode(dst, s.b, codecs.Params{})
		runtime.ReadMemStats(&after)
		if !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%s, %s: error %v, want blosc2.ErrCorrupt", s.id, s.what, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Errorf("%s, %s: allocated %d bytes", s.id, s.what, took)
		}
	}
}

// A damaged checksum is an error; bytes after a stream are ignored.
func TestZlibEnd(t *testing.T) {
	c := maker(t, blosc2.CodecZlib)()
	src := bytes.Repeat([]byte("plane of bytes "), 20)
	stream := make([]byte, len(src))
	n, err := c.Encode(stream, src, codecs.Params{Level: 5})
	if err != nil || n == 0 {
		t.Fatal(n, err)
	}
	dst := make([]byte, len(src))
	if _, err := c.Decode(dst, append(bytes.Clone(stream[:n]), "after"...), codecs.Params{}); err != nil || !bytes.Equal(dst, src) {
		t.Errorf("with bytes after the stream: %v", err)
	}
	for i := n - 4; i < n; i++ {
		bad := bytes.Clone(stream[:n])
		bad[i] ^= 1
		if _, err := c.Decode(dst, bad, codecs.Params{}); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("checksum damaged at %d: error %v, want blosc2.ErrCorrupt", i, err)
		}
		if _, err := c.Decode(dst, stream[:i], codecs.Params{}); !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("cut off at %d: error %v, want blosc2.ErrCorrupt", i, err)
		}
	}
}
