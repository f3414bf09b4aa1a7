package filters_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/filters"
)

func mustParse(t testing.TB, spec string) filters.Pipeline {
	t.Helper()
	p, err := filters.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// parseChunk parses a chunk that C-Blosc2 made.
func parseChunk(t testing.TB, b []byte) wireChunk {
	t.Helper()
	if len(b) < 32 || b[2]&5 != 5 || b[2]&2 != 0 || b[2]&0x10 == 0 || b[31] != 0 {
		t.Fatalf("not a regular, unsplit chunk of the extended format: % x", b[:min(len(b), 32)])
	}
	c := wireChunk{typesize: int(b[3]), blocksize: int(le.Uint32(b[8:]))}
	for i := range c.pipeline.IDs {
		c.pipeline.IDs[i], c.pipeline.Metas[i] = filterID(b[16+i]), b[24+i]
	}
	nbytes, count := int(le.Uint32(b[4:])), c.blocksize
	variable := b[30] == 1
	if variable {
		c.blocksize = 0
	} else {
		count = (nbytes + c.blocksize - 1) / c.blocksize
	}
	for i := range count {
		at := int(le.Uint32(b[32+4*i:]))
		size := min(c.blocksize, nbytes-i*c.blocksize)
		stored := int(int32(le.Uint32(b[at:])))
		data := b[at+4:]
		if variable {
			size = stored
			stored = len(data)
			if i+1 < count {
				stored = int(le.Uint32(b[36+4*i:])) - at - 4
			}
		}
		c.blocks = append(c.blocks, readStream(t, data, stored, size))
	}
	return c
}

func filterID(b byte) blosc2.FilterID { return blosc2.FilterID(b) }

// enough is the number of blocks of each kind to compare.
func enough() int {
	if testing.Short() {
		return 1000
	}
	return 2700
}

func write(t testing.TB, name string, b []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
