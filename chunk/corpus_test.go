package chunk_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// TestCorpus decodes every chunk of the corpus whole, block by block and in ranges,
// and checks that those which a reader must reject are rejected.
func TestCorpus(t *testing.T) {
	counts, versions := map[string]int{}, map[byte]int{}
	var d chunk.Decoder
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "chunk" {
			continue
		}
		counts[e.Category]++
		c := e.Bytes(t)
		got, err := d.Decode(nil, c)
		if e.Reject != "" {
			if err == nil {
				t.Errorf("%s: decoded to %d bytes; must be refused: %s", e.Path, len(got), e.Reject)
			}
			var fe *blosc2.FormatError
			if err != nil && (!errors.As(err, &fe) || fe.Offset < 0) {
				t.Errorf("%s: error without a place: %v", e.Path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", e.Path, err)
			continue
		}
		e.Check(t, got)
		versions[c[0]]++
		testRanges(t, &d, e, c, got)
		testBlocks(t, &d, e, c, got)
	}
	for _, category := range []string{"chunks", "specials", "vlblocks", "blosc1", "generation-chunks", "history", "reject"} {
		if counts[category] == 0 {
			t.Errorf("no chunk in category %s", category)
		}
	}
	for _, category := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%s: %d chunks", category, counts[category])
	}
	for version := byte(2); version <= chunk.VersionVL; version++ {
		if versions[version] == 0 {
			t.Errorf("no chunk of version %d", version)
		}
	}
	t.Logf("decoded, by version: %v", versions)
}

// testRanges decodes the ranges that the manifest lists, and some more.
func testRanges(t *testing.T, d *chunk.Decoder, e b2test.Entry, c, payload []byte) {
	n := len(payload)
	for _, r := range e.Ranges {
		dst := make([]byte, (r.Stop-r.Start)*r.ItemBytes)
		if err := d.DecodeRange(dst, c, int(r.Start*r.ItemBytes)); err != nil {
			t.Errorf("%s: items %d to %d: %v", e.Path, r.Start, r.Stop, err)
		} else if b2test.Digest(dst) != r.SHA256 {
			t.Errorf("%s: items %d to %d are wrong", e.Path, r.Start, r.Stop)
		}
	}
	for _, r := range [][2]int{{0, 0}, {0, 1}, {n / 2, n/2 + 3}, {n / 3, n - n/4}, {n - 1, n}, {n, n}, {0, n}} {
		if r[0] < 0 || r[1] > n {
			continue
		}
		dst := make([]byte, r[1]-r[0])
		if err := d.DecodeRange(dst, c, r[0]); err != nil {
			t.Errorf("%s: bytes %d to %d: %v", e.Path, r[0], r[1], err)
		} else if !bytes.Equal(dst, payload[r[0]:r[1]]) {
			t.Errorf("%s: bytes %d to %d are wrong", e.Path, r[0], r[1])
		}
	}
	for _, r := range [][2]int{{-1, 0}, {0, n + 1}, {n, n + 1}, {n + 1, n + 1}} {
		if err := d.DecodeRange(make([]byte, r[1]-r[0]), c, r[0]); !errors.Is(err, blosc2.ErrOption) {
			t.Errorf("%s: bytes %d to %d of %d: %v", e.Path, r[0], r[1], n, err)
		}
	}
}

// testBlocks decodes each block from its own bytes alone, and compares blocks of
// variable length with the manifest.
func testBlocks(t *testing.T, d *chunk.Decoder, e b2test.Entry, c, payload []byte) {
	t.Helper()
	testBlocksOf(t, e.Path, d, c, payload)
	h, err := chunk.ParseHeader(c)
	if err != nil || !h.VLBlocks() {
		return
	}
	for i := range h.BlockSize {
		got, err := d.DecodeVLBlock(nil, c, i)
		want, known := vlDigest(e, i, h.BlockSize)
		if err != nil || known && b2test.Digest(got) != want {
			t.Errorf("%s: block %d alone: %d bytes, %v", e.Path, i, len(got), err)
		}
	}
}

// vlDigest returns the manifest's digest of block i of n. If there are many blocks,
// the manifest lists only the first and the last ones.
func vlDigest(e b2test.Entry, i, n int) (digest string, known bool) {
	listed := len(e.Blocks)
	switch {
	case listed == n, i < listed/2:
		return e.Blocks[i].SHA256, true
	case i >= n-listed/2:
		return e.Blocks[listed-(n-i)].SHA256, true
	}
	return "", false
}

// TestTruncated truncates chunks at every byte. No part decodes, and the errors say that
// the chunk ends early or is corrupt.
func TestTruncated(t *testing.T) {
	var d chunk.Decoder
	cuts := 0
	for _, e := range b2test.Corpus(t) {
		if e.Kind != "chunk" || e.Reject != "" || e.Size > 3000 {
			continue
		}
		c := e.Bytes(t)
		for n := range c {
			_, err := d.Decode(nil, c[:n])
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s: cut to %d of %d bytes: %v", e.Path, n, len(c), err)
				break
			}
			cuts++
		}
	}
	if cuts == 0 {
		t.Error("nothing was cut")
	}
	t.Logf("%d cuts", cuts)
}

// TestDamaged changes single bytes. Decoding must not panic, and a chunk that decodes
// must have the length in its header.
func TestDamaged(t *testing.T) {
	var d chunk.Decoder
	d.MaxBytes = 1 << 20
	refused, decoded := 0, 0
	for k, e := range b2test.Corpus(t) {
		if e.Kind != "chunk" || e.Reject != "" || e.Size > 1500 || k%5 != 0 {
			continue
		}
		c := e.Bytes(t)
		for i := range c {
			for _, x := range []byte{1, 0x80, 0xff} {
				c[i] ^= x
				h, _ := chunk.ParseHeader(c)
				if got, err := d.Decode(nil, c); err != nil {
					refused++
				} else if decoded++; len(got) != h.NBytes {
					t.Fatal(fmt.Errorf("%s: byte %d: %d bytes, header says %d", e.Path, i, len(got), h.NBytes))
				}
				c[i] ^= x
			}
		}
	}
	if refused == 0 || decoded == 0 {
		t.Errorf("%d refused, %d decoded", refused, decoded)
	}
	t.Logf("%d refused, %d decoded", refused, decoded)
}
