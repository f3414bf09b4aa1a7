package frame_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A dump is bytes with notes. Each part takes one line or more.
type dump struct {
	b    []byte
	at   int
	text strings.Builder
}

func (d *dump) title(s string) { fmt.Fprintf(&d.text, "\n# %s\n", s) }

// note describes the next n bytes.
func (d *dump) note(n int, what string) {
	for first := true; n > 0; first = false {
		k := min(n, 16)
		line := fmt.Sprintf("%04x  % x", d.at, d.b[d.at:d.at+k])
		if first {
			line = fmt.Sprintf("%-56s%s", line, what)
		}
		d.text.WriteString(strings.TrimRight(line, " ") + "\n")
		d.at += k
		n -= k
	}
}

func (d *dump) record(kind string) {
	d.note(4, "record: magic")
	d.note(2, kind+"; 1: XXH3-64")
	d.note(2, "kind 0: low 16 bits of cbytes")
	d.note(8, "kinds 0 to 2: digest; 3: decoded bytes before")
}

func (d *dump) header() {
	d.title("header")
	for _, f := range []struct {
		n    int
		what string
	}{{10, "fixarray 14, fixstr 8 \"b2frame\\0\""}, {5, "header length"}, {9, "frame length"}, {1, "fixstr 4: flags"}, {1, "frame version 2, 64-bit offsets"},
		{1, "contiguous"}, {1, "level and codec"}, {1, "split mode - 1"}, {9, "nbytes"}, {9, "cbytes"}, {5, "typesize"}, {5, "blocksize: automatic"}, {5, "chunksize"},
		{3, "threads to compress"}, {3, "threads to decompress"}, {1, "vlmetalayers: c2 none, c3 some"}, {2, "fixext 16 of 6 slots"}, {6, "filters"}, {2, "codec and its meta"}, {6, "metas of the filters"},
		{2, "more flags"}, {1, "metalayers: fixarray 3"}, {3, "size of the map"}, {3, "map of 1"}, {9, "name: b2stream"}, {5, "offset of the value"}, {3, "array of 1"}, {5, "bin 32 of 30 bytes"},
		{2, "array of 5: version"}, {1, "flags: bit 0 ordered, bit 1 checks"}, {9, "frame length again"}, {9, "nbytes again"}, {9, "cbytes again"}} {
		d.note(f.n, f.what)
	}
	d.title("record of the header")
	d.record("1: of the header")
}

func (d *dump) chunk(what string, n int) {
	d.title(what)
	d.note(4, "version, codec's version, flags (07: stored), typesize")
	d.note(12, "nbytes, blocksize, cbytes")
	d.note(8, "filters, codec and its meta")
	d.note(8, "metas of the filters, flags")
	d.note(n, "data")
}

// golden returns a frame with every kind of part: three chunks, the second of which was
// continued.
func golden(t *testing.T) (m *maker, annotate func(b []byte) string) {
	m = newMakerOf(t, chunk.Params{Codec: blosc2.CodecLZ4, Level: 5, TypeSize: 4, Filters: filters.Default(), PlainZeros: true}, 8, building{Checks: true})
	m.chunk([]byte("12345678"))
	m.chunk([]byte("abcd"))
	m.grow([]byte("abcdefgh"))
	m.chunk([]byte("ABCD"))
	if err := m.b.SetVLMeta("note", []byte("hi")); err != nil {
		t.Fatal(err)
	}
	m.tail()
	return m, func(b []byte) string {
		d := &dump{b: b}
		d.header()
		for i, n := range []int{8, 4, 8, 4} {
			if i == 2 {
				d.title("the next chunk continues the last one")
				d.record("3: before a continued chunk")
			}
			d.chunk("chunk", n)
			d.title("record of the chunk")
			d.record("0: after a chunk")
		}
		d.title("end mark: the chunk of an empty buffer")
		d.note(32, "nbytes 0")
		d.chunk("index: a stored chunk of offsets from the header's end", 24)
		d.title("record of end mark, index and trailer")
		d.record("2: between index and trailer")
		d.title("trailer")
		d.note(2, "fixarray 4, version")
		d.note(1, "vlmetalayers: fixarray 3")
		d.note(3, "size of the map")
		d.note(3, "map of 1")
		d.note(5, "name: note")
		d.note(5, "offset of the value")
		d.note(3, "array of 1")
		d.note(5, "bin 32")
		d.note(34, "a chunk that holds \"hi\"")
		d.note(5, "length of the trailer")
		d.note(18, "fingerprint: none")
		if d.at != len(b) {
			t.Errorf("%d bytes described of %d", d.at, len(b))
		}
		return d.text.String()
	}
}

// Frames have the bytes that the golden files list and explain.
func TestGolden(t *testing.T) {
	m, annotate := golden(t)
	for name, b := range map[string][]byte{"sealed.txt": m.sealed(), "unsealed.txt": m.unsealed()} {
		file := filepath.Join("testdata", name)
		got := annotate(b)
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
			t.Errorf("%s: the bytes have changed:\n%s", file, got)
		}
		if !bytes.Equal(undump(t, string(want)), b) {
			t.Errorf("%s: read back otherwise", file)
		}
		mustHold(t, name, b, []byte("12345678abcdefghABCD"))
	}
}

// undump reads the bytes of a golden file.
func undump(t *testing.T, text string) (b []byte) {
	t.Helper()
	for line := range strings.Lines(text) {
		if len(line) < 6 || line[0] == '#' {
			continue
		}
		digits, _, _ := strings.Cut(line[6:min(len(line), 56)], "   ")
		one, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(digits), " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, one...)
	}
	return b
}
