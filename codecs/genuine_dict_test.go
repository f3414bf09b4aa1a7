package codecs_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/codecs/codectest"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// C-Blosc2 reads our streams that were encoded with a dictionary.
func TestGenuineReadsDictionary(t *testing.T) {
	const n = 2000
	c := maker(t, blosc2.CodecZstd)()
	for _, lib := range b2test.Oracles(t) {
		for _, shape := range []string{"phrases", "patchwork", "small alphabet", "plane"} {
			blocks := shapeBlocks(shape, n, 80)
			dict := codecs.TrainZstd(blocks, 6000)
			if dict == nil {
				t.Fatalf("%s: no dictionary", shape)
			}
			for _, level := range []int{1, 5, 9} {
				streams := make([][]byte, len(blocks))
				for i, b := range blocks {
					dst := make([]byte, n)
					m, err := c.Encode(dst, b, codecs.Params{Level: level, Dict: dict})
					if err != nil {
						t.Fatal(err)
					}
					if streams[i] = dst[:m]; m == 0 || m == n {
						streams[i] = b
					}
				}
				if !bytes.Equal(genuineDecode(t, lib, blosc2.CodecZstd, n, streams, dict), bytes.Join(blocks, nil)) {
					t.Errorf("%s level %d: C-Blosc2 %d.x reads something else", shape, level, lib.Major)
				}
			}
		}
	}
}

func shapeBlocks(name string, n, count int) [][]byte {
	var blocks [][]byte
	for _, s := range codectest.Shapes() {
		for seed := range count {
			if s.Name == name {
				blocks = append(blocks, s.Seeded(n, uint64(seed)))
			}
		}
	}
	return blocks
}

// This package reads streams that C-Blosc2 encoded with a dictionary.
func TestGenuineDictionary(t *testing.T) {
	const n = 2000
	lib := b2test.Oracle(t, 3) // C-Blosc2 3 is the first with dictionaries for lz4
	dir := t.TempDir()
	file, chunk := filepath.Join(dir, "in"), filepath.Join(dir, "chunk")
	for _, id := range []blosc2.CodecID{blosc2.CodecZstd, blosc2.CodecLZ4, blosc2.CodecLZ4HC} {
		for _, shape := range []string{"phrases", "patchwork", "small alphabet", "plane"} {
			blocks := shapeBlocks(shape, n, 80)
			if err := os.WriteFile(file, bytes.Join(blocks, nil), 0o600); err != nil {
				t.Fatal(err)
			}
			lib.Run(t, "compress-chunk", "--codec", id.String(), "--clevel", "5", "--filters", "none", "--dict",
				"--splitmode", "never", "--typesize", "1", "--blocksize", strconv.Itoa(n), file, chunk)
			b, err := os.ReadFile(chunk)
			if err != nil {
				t.Fatal(err)
			}
			if b[31]&1 == 0 || b[2]&2 != 0 {
				t.Fatalf("%s, %s: no dictionary", id, shape)
			}
			at := chunkHeader + 4*len(blocks)
			dict := b[at+4:][:binary.LittleEndian.Uint32(b[at:])]
			c, read := maker(t, id)(), 0
			for i, want := range blocks {
				start := binary.LittleEndian.Uint32(b[chunkHeader+4*i:])
				size := int(int32(binary.LittleEndian.Uint32(b[start:])))
				if size <= 0 || size == n {
					continue
				}
				back := make([]byte, n)
				if _, err := c.Decode(back, b[start+4:][:size], codecs.Params{Dict: dict}); err != nil || !bytes.Equal(back, want) {
					t.Errorf("%s, %s, block %d: wrong bytes or error %v", id, shape, i, err)
				}
				read++
			}
			if read < len(blocks)/2 {
				t.Errorf("%s, %s: %d streams read, too few", id, shape, read)
			}
		}
	}
}
