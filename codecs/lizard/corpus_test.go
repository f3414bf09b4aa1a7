package lizard

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2/internal/b2test"
)

// streamsOf returns the compressed streams of a chunk, and the length that each decodes
// to (docs/format/chunk.md §3, §5).
func streamsOf(t *testing.T, chunk []byte) (streams [][]byte, size []int) {
	t.Helper()
	u32 := func(at int) int { return int(int32(binary.LittleEndian.Uint32(chunk[at:]))) }
	flags, nbytes, blockSize := chunk[2], u32(4), u32(8)
	if flags&2 != 0 { // the chunk is stored uncompressed
		return nil, nil
	}
	head := 16
	if flags&5 == 5 {
		head = 32
	}
	for block := 0; block*blockSize < nbytes; block++ {
		n, parts := min(blockSize, nbytes-block*blockSize), 1
		if flags&0x10 == 0 && n == blockSize {
			parts = int(chunk[3])
		}
		at := u32(head + 4*block)
		for range parts {
			csize := u32(at)
			at += 4
			switch {
			case csize < 0:
				at++
			case csize < n/parts:
				if csize > 0 {
					streams, size = append(streams, chunk[at:at+csize]), append(size, n/parts)
				}
				at += csize
			default:
				at += csize
			}
		}
	}
	return streams, size
}

// chunksOf finds the chunks of a frame: they follow its header.
func chunksOf(frame []byte) (chunks [][]byte) {
	at := int(binary.BigEndian.Uint32(frame[11:]))
	if at > len(frame) { // chunks of January and February 2021
		at = int(binary.LittleEndian.Uint32(frame[11:]))
	}
	for at+16 <= len(frame) && frame[at+2]>>5 == 5 {
		n := int(binary.LittleEndian.Uint32(frame[at+12:]))
		if n < 32 || n > len(frame)-at {
			break
		}
		chunks = append(chunks, frame[at:at+n])
		at += n
	}
	return chunks
}

// TestCorpus decodes the streams that C-Blosc2 of 2018 to 2021 wrote. It only checks that
// they can be decoded; the tests of chunks and frames, which apply filters, check the
// payloads.
func TestCorpus(t *testing.T) {
	var d Decoder
	files, levels := 0, map[byte]int{}
	for _, e := range b2test.Corpus(t) {
		if e.Reject != "" || !strings.Contains(e.Path, "lizard") {
			continue
		}
		files++
		chunks := [][]byte{e.Bytes(t)}
		if e.Kind == "frame" {
			chunks = chunksOf(chunks[0])
		}
		if len(chunks) == 0 {
			t.Errorf("%s: no chunks found", e.Path)
		}
		for i, chunk := range chunks {
			streams, size := streamsOf(t, chunk)
			for j, s := range streams {
				levels[s[0]]++
				dst := make([]byte, size[j])
				if n, err := d.Decode(dst, s); err != nil || n != size[j] {
					t.Errorf("%s, chunk %d, stream %d: %d of %d bytes, %v", e.Path, i, j, n, size[j], err)
				}
			}
		}
	}
	t.Logf("%d files, streams by level: %v", files, levels)
	if files < 16 || levels[10] == 0 || levels[20] == 0 || levels[41] == 0 {
		t.Errorf("%d files, streams by level: %v", files, levels)
	}
}
