// Package arraytest checks codecs that code whole blocks of arrays against genuine
// C-Blosc2 libraries. It uses arrays of one chunk with many blocks, so that few
// calls suffice.
package arraytest

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
)

const (
	headLen     = 32   // length of a chunk's header
	noSplit     = 0x10 // flag of a chunk: a block is one stream
	userCodec   = 6    // format number of codecs named by byte 22
	memcpyed    = 0x02
	extended    = 0x05
	specialMask = 0x70
)

// An Array describes how blocks are coded.
type Array struct {
	Codec      string // the oracle's name of the codec
	ID         blosc2.CodecID
	Meta       uint8
	DType      string
	TypeSize   int
	BlockShape []int32
}

// BlockSize returns the bytes of a block.
func (a Array) BlockSize() int {
	n := a.TypeSize
	for _, d := range a.BlockShape {
		n *= int(d)
	}
	return n
}

// Encode encodes payload, which must be whole blocks, with the library. It returns
// the stream of each block, nil for a block that is stored in another form.
func (a Array) Encode(t testing.TB, lib b2test.Library, payload []byte) (streams [][]byte) {
	t.Helper()
	file := a.write(t, lib, payload)
	out := filepath.Join(t.TempDir(), "chunk")
	lib.Run(t, "read-chunk", "--chunk", "0", file, out)
	chunk, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return a.streams(t, chunk, len(payload)/a.BlockSize())
}

// Decode returns the data to which the library decodes an array of the streams.
func (a Array) Decode(t testing.TB, lib b2test.Library, streams [][]byte) ([]byte, error) {
	t.Helper()
	file := a.write(t, lib, make([]byte, len(streams)*a.BlockSize()))
	chunk := filepath.Join(t.TempDir(), "chunk")
	if err := os.WriteFile(chunk, a.chunk(streams), 0o644); err != nil {
		t.Fatal(err)
	}
	lib.Run(t, "edit-frame", "--update", "0=raw:"+chunk, file)
	return lib.Decode(t, "read-b2nd", file)
}

// write makes an array of the payload in a file.
func (a Array) write(t testing.TB, lib b2test.Library, payload []byte) (file string) {
	t.Helper()
	dir := t.TempDir()
	in, file := filepath.Join(dir, "in"), filepath.Join(dir, "array.b2nd")
	if err := os.WriteFile(in, payload, 0o644); err != nil {
		t.Fatal(err)
	}
	shape := append([]int32(nil), a.BlockShape...)
	shape[0] *= int32(len(payload) / a.BlockSize())
	lib.Run(t, "write-b2nd", "--shape", join(shape), "--chunkshape", join(shape), "--blockshape", join(a.BlockShape),
		"--dtype", a.DType, "--codec", a.Codec, "--codec-meta", strconv.Itoa(int(a.Meta)),
		"--filters", "none", "--splitmode", "never", in, file)
	return file
}

func join(shape []int32) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ","), "[]")
}

// chunk makes a chunk of streams, one for each block (docs/format/chunk.md §1, §3).
func (a Array) chunk(streams [][]byte) []byte {
	n := a.BlockSize()
	c := make([]byte, headLen+4*len(streams))
	c[0], c[1], c[2], c[3] = 5, 1, userCodec<<5|noSplit|extended, byte(a.TypeSize)
	binary.LittleEndian.PutUint32(c[4:], uint32(n*len(streams)))
	binary.LittleEndian.PutUint32(c[8:], uint32(n))
	c[22], c[23] = byte(a.ID), a.Meta
	for i, s := range streams {
		binary.LittleEndian.PutUint32(c[headLen+4*i:], uint32(len(c)))
		c = binary.LittleEndian.AppendUint32(c, uint32(len(s)))
		c = append(c, s...)
	}
	binary.LittleEndian.PutUint32(c[12:], uint32(len(c)))
	return c
}

// streams returns the streams of a chunk of blocks.
func (a Array) streams(t testing.TB, c []byte, blocks int) [][]byte {
	t.Helper()
	streams := make([][]byte, blocks)
	if c[2]&memcpyed != 0 || c[31]&specialMask != 0 {
		return streams
	}
	if c[2] != userCodec<<5|noSplit|extended || int(binary.LittleEndian.Uint32(c[8:])) != a.BlockSize() {
		t.Fatalf("chunk with unexpected header % x", c[:headLen])
	}
	for i := range streams {
		at := binary.LittleEndian.Uint32(c[headLen+4*i:])
		size := int32(binary.LittleEndian.Uint32(c[at:]))
		if size > 0 && int(size) < a.BlockSize() {
			streams[i] = c[at+4:][:size]
		}
	}
	return streams
}
