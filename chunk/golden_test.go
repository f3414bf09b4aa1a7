package chunk_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// TestGolden compares chunks with testdata/*.txt, which list every byte with its meaning.
// All files but the last are worked examples of C-Blosc2's bytes.
func TestGolden(t *testing.T) {
	var numbers []byte
	for i := range 32 {
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(0x05000000+i))
	}
	shuffled := chunk.Params{Codec: blosc2.CodecBloscLZ, Level: 5, TypeSize: 4, Filters: filters.Default()}
	one := shuffled
	one.TypeSize = 1
	zstd := shuffled
	zstd.Codec, zstd.Split = blosc2.CodecZstd, blosc2.SplitNever
	plain := shuffled
	plain.PlainZeros = true
	old := shuffled
	old.Format, old.Codec = chunk.Blosc1, blosc2.CodecLZ4

	vl, err := chunk.NewEncoder(chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 1})
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := vl.EncodeBlocks(nil, [][]byte{bytes.Repeat([]byte("abc"), 30), []byte("x"), []byte(strings.Repeat("hello ", 5) + "hello")})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][]byte{
		"shuffled":    encode(t, shuffled, numbers),
		"memcpyed":    encode(t, one, []byte("abc")),
		"empty":       encode(t, shuffled, nil),
		"zeros":       encode(t, zstd, make([]byte, 64)),
		"plain-zeros": encode(t, plain, make([]byte, 64)),
		"vlblocks":    blocks,
		"blosc1":      encode(t, old, bytes.Repeat(numbers, 3)),
	} {
		file := filepath.Join("testdata", name+".txt")
		got := describe(t, c)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s is now\n%s\nbut was\n%s", name, got, want)
		}
	}
}

// describe returns a dump of the chunk with the meanings of its bytes.
func describe(t *testing.T, c []byte) string {
	t.Helper()
	l, err := chunk.ParseLayout(c)
	if err != nil {
		t.Fatal(err)
	}
	h := &l.Header
	d := dump{c: c}
	d.line(1, "chunk format version %d", h.Version)
	d.line(1, "version of the codec's format")
	d.line(1, "flags %08b: %s", h.Flags, flagNames(h))
	d.line(1, "typesize %d", h.TypeSize)
	d.line(4, "nbytes %d", h.NBytes)
	d.line(4, "blocksize %d", h.BlockSize)
	d.line(4, "cbytes %d", h.CBytes)
	if h.Extended() {
		d.line(6, "filters %v", h.Filters.IDs)
		d.line(1, "codec %v", blosc2.CodecID(c[22]))
		d.line(1, "codec meta")
		d.line(6, "filter metas")
		d.line(1, "blosc2_flags2: VL-blocks %v", h.VLBlocks())
		d.line(1, "blosc2_flags: special value %v, dictionary %v", h.Special(), h.HasDict())
	}
	if h.Memcpyed() {
		d.line(h.NBytes, "the buffer as it is")
		return d.String()
	}
	for i := range l.NumBlocks {
		if off, n := l.Extent(i); n > 0 {
			d.line(4, "block %d starts at %d", i, off)
		}
	}
	for i := range l.NumBlocks {
		if _, n := l.Extent(i); n > 0 && h.VLBlocks() {
			size := d.number()
			d.line(4, "block %d has %d bytes", i, size)
			d.line(n-4, "%s", map[bool]string{true: "as they are", false: "codec output"}[n-4 == size])
		} else if n > 0 {
			streams := 1
			if h.Split() && l.BlockLen(i) == l.BlockSize {
				streams = h.TypeSize
			}
			for j := range streams {
				d.stream(fmt.Sprintf("block %d stream %d", i, j), l.BlockLen(i)/streams)
			}
		}
	}
	if d.pos != len(c) {
		t.Errorf("%d of %d bytes described", d.pos, len(c))
	}
	return d.String()
}

func flagNames(h *chunk.Header) string {
	kind := "header of 16 bytes"
	if h.Extended() {
		kind = "header of 32 bytes"
	}
	if h.Memcpyed() {
		return kind + ", memcpyed"
	}
	return fmt.Sprintf("%s, split %v, format %d", kind, h.Split(), h.Flags>>5)
}

type dump struct {
	strings.Builder
	c   []byte
	pos int
}

func (d *dump) number() int { return int(int32(binary.LittleEndian.Uint32(d.c[d.pos:]))) }

func (d *dump) line(n int, format string, args ...any) {
	const width = 16
	for first := true; n > 0; first = false {
		k := min(n, width)
		what := ""
		if first {
			what = "  # " + fmt.Sprintf(format, args...)
		}
		line := fmt.Sprintf("%04x  %-*s%s", d.pos, 3*width-1, fmt.Sprintf("% x", d.c[d.pos:d.pos+k]), what)
		d.WriteString(strings.TrimRight(line, " ") + "\n")
		d.pos += k
		n -= k
	}
}

func (d *dump) stream(name string, size int) {
	csize := d.number()
	switch {
	case csize == 0:
		d.line(4, "%s: %d zeros", name, size)
	case csize < 0:
		d.line(4, "%s: %d bytes %d", name, size, -csize)
		d.line(1, "token of a run")
	case csize == size:
		d.line(4, "%s: %d bytes", name, size)
		d.line(size, "as they are")
	default:
		d.line(4, "%s: %d bytes in %d", name, size, csize)
		d.line(csize, "codec output")
	}
}
