package codecs_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/shuffle"
)

// planes returns the streams of shuffled blocks of real measurements, without the
// constant ones, which are not passed to codecs.
func planes(b *testing.B) (streams [][]byte, size int64) {
	for _, f := range []struct {
		name     string
		typesize int
	}{{"era-geopotential.f4", 4}, {"era-wind-u.f8", 8}, {"era-wind-u.i2", 2}, {"era5-t2m.f4", 4}, {"nab-value.f8", 8}} {
		data := b2test.Real(b, f.name)
		block := make([]byte, streamSize*f.typesize)
		for ; len(data) >= len(block); data = data[len(block):] {
			shuffle.Shuffle(block, data[:len(block)], f.typesize)
			for i := 0; i < len(block); i += streamSize {
				if s := block[i:][:streamSize]; !run(s) {
					streams = append(streams, append([]byte(nil), s...))
					size += streamSize
				}
			}
		}
	}
	return streams, size
}

// general lists the codecs for streams of any length and kind.
var general = []blosc2.CodecID{
	blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecSnappy, blosc2.CodecZlib, blosc2.CodecZstd,
}

func maker(t testing.TB, id blosc2.CodecID) func() codecs.Codec {
	t.Helper()
	return func() codecs.Codec {
		c, err := codecs.New(id)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func fuzz(f *testing.F, id blosc2.CodecID) { codectest.Fuzz(f, maker(f, id), codectest.Options{}) }

const chunkHeader = 32

// genuineStreams compresses blocks of equal length with the library. A block that
// it stores raw, or as a run, is nil.
func genuineStreams(t *testing.T, lib b2test.Library, id blosc2.CodecID, level int, blocks [][]byte) [][]byte {
	t.Helper()
	n := len(blocks[0])
	// Begin with zeros, which take no space, so that every other block may use its full
	// size.
	in := make([]byte, n*len(blocks))
	for _, b := range blocks {
		in = append(in, b...)
	}
	dir := t.TempDir()
	file, chunk := filepath.Join(dir, "in"), filepath.Join(dir, "chunk")
	if err := os.WriteFile(file, in, 0o600); err != nil {
		t.Fatal(err)
	}
	lib.Run(t, "compress-chunk", "--codec", id.String(), "--clevel", strconv.Itoa(level), "--filters", "none",
		"--splitmode", "never", "--typesize", "1", "--blocksize", strconv.Itoa(n), file, chunk)
	c, err := os.ReadFile(chunk)
	if err != nil {
		t.Fatal(err)
	}
	if got := int(binary.LittleEndian.Uint32(c[8:])); got != n {
		t.Fatalf("blocks of %d bytes, asked for %d", got, n)
	}
	if c[2]&0x02 != 0 {
		t.Fatalf("a chunk stored raw")
	}
	streams := make([][]byte, len(blocks))
	for i := range blocks {
		start := binary.LittleEndian.Uint32(c[chunkHeader+4*(len(blocks)+i):])
		size := int(int32(binary.LittleEndian.Uint32(c[start:])))
		if size > 0 && size < n {
			streams[i] = c[start+4:][:size]
		}
	}
	return streams
}

// genuineDecode decodes a chunk of streams of n bytes each, and a dictionary if there is
// one, with the library, and returns the data.
func genuineDecode(t *testing.T, lib b2test.Library, id blosc2.CodecID, n int, streams [][]byte, dict []byte) []byte {
	t.Helper()
	c := make([]byte, chunkHeader+4*len(streams))
	copy(c, []byte{5, 1, 0x05 | 0x10 | formats[id]<<5, 1})
	binary.LittleEndian.PutUint32(c[4:], uint32(n*len(streams)))
	binary.LittleEndian.PutUint32(c[8:], uint32(n))
	c[22] = byte(id)
	if dict != nil {
		c[31] = 1
		c = binary.LittleEndian.AppendUint32(c, uint32(len(dict)))
		c = append(c, dict...)
	}
	for i, s := range streams {
		binary.LittleEndian.PutUint32(c[chunkHeader+4*i:], uint32(len(c)))
		c = binary.LittleEndian.AppendUint32(c, uint32(len(s)))
		c = append(c, s...)
	}
	binary.LittleEndian.PutUint32(c[12:], uint32(len(c)))
	file := filepath.Join(t.TempDir(), "chunk")
	if err := os.WriteFile(file, c, 0o600); err != nil {
		t.Fatal(err)
	}
	back, err := lib.Decode(t, "decompress-chunk", file)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func run(b []byte) bool { return len(b) > 0 && bytes.Count(b, b[:1]) == len(b) }

var update = flag.Bool("update", false, "write the golden files anew")

// streamSize is the size of the streams of C-Blosc2's automatic blocks at levels 4
// to 6.
const streamSize = 64 << 10

// formats holds the codec numbers in the flags of a chunk.
var formats = map[blosc2.CodecID]byte{
	blosc2.CodecBloscLZ: 0, blosc2.CodecLZ4: 1, blosc2.CodecLZ4HC: 1, blosc2.CodecZlib: 3, blosc2.CodecZstd: 4,
}
