package lizard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/seed03b80dae/blosc2"
)

func TestRoundTrip(t *testing.T) {
	var e Encoder
	var d Decoder
	for name, src := range inputs() {
		for level := MinLevel; level <= MaxLevel; level++ {
			if level%10 > 5 && len(src) > 200_000 {
				continue
			}
			block := make([]byte, bound(len(src)))
			n := e.Encode(block, src, level)
			got := make([]byte, len(src))
			if k, err := d.Decode(got, block[:n]); err != nil || k != len(src) || !bytes.Equal(got, src) {
				t.Fatalf("%s, level %d: %d of %d bytes, %v", name, level, k, len(src), err)
			}
			if n > 1 {
				if k := e.Encode(block[:n-1], src, level); k != 0 {
					t.Fatalf("%s, level %d: %d bytes into %d", name, level, k, n-1)
				}
				if _, err := d.Decode(got[:len(src)-1], block[:n]); !errors.Is(err, blosc2.ErrCorrupt) {
					t.Fatalf("%s, level %d: one byte too many: %v", name, level, err)
				}
			}
		}
	}
}

// TestGenuine decodes the blocks of Lizard 1.0's own library for genuineInput at
// each of its levels.
func TestGenuine(t *testing.T) {
	file, err := os.ReadFile("testdata/genuine.bin") // 40 blocks, each after its length in 32 bits
	if err != nil {
		t.Fatal(err)
	}
	want := genuineInput()
	var d Decoder
	for level := MinLevel; level <= MaxLevel; level++ {
		n := binary.LittleEndian.Uint32(file)
		block := file[4 : 4+n]
		file = file[4+n:]
		if int(block[0]) != level {
			t.Fatalf("block of level %d in place of %d", block[0], level)
		}
		got := make([]byte, len(want)+1)
		k, err := d.Decode(got, block)
		if err != nil || !bytes.Equal(got[:k], want) {
			t.Errorf("level %d: %d of %d bytes, %v", level, k, len(want), err)
		}
	}
	if len(file) != 0 {
		t.Errorf("%d bytes left", len(file))
	}
}

// TestWorkedExamples decodes blocks that were made by hand from the format's
// description, one for each kind of codeword.
func TestWorkedExamples(t *testing.T) {
	lit := "0123456789abcdef"
	for _, c := range []struct{ name, block, want string }{
		{"raw", "\x0a\x80\x03\x00\x00abc", "abc"},
		{"two raw", "\x14\x80\x01\x00\x00a\x80\x02\x00\x00bc", "abc"},
		{"no sub-blocks", "\x0a", ""},
		{"LZ4: run and match", "\x0a\x00" + stream("") + stream("") + stream("") + stream("\x18") + stream("abcdefgh\x08\x00tail"), "abcdefghabcdetail"},
		{"LZ4: long run and match", "\x0a\x00" + stream("") + stream("") + stream("") + stream("\xff") + stream("\x01"+lit+"\x10\x00\xfe\x00\x00."), lit + lit + "012."},
		{"LIZv1: offset, last offset", "\x14\x00" + stream("") + stream("\x08\x00") + stream("") + stream("\x27\x98") + stream("\x01abcdefgh!"), "abcdefghabcdefg!"},
		{"LIZv1: far", "\x14\x00" + stream("") + stream("") + stream("\x10\x00\x00") + stream("\x87\x00") + stream("\x09"+lit+"."), lit + lit + "."},
		{"LIZv1: far and long", "\x14\x00" + stream("") + stream("") + stream("\x10\x00\x00") + stream("\x87\x1f") + stream("\x09"+lit+"\x01."), lit + lit + lit + lit + "."},
		{"overlap", "\x0a\x00" + stream("") + stream("") + stream("") + stream("\x32") + stream("ab\x02\x00c"), "ababababac"},
		{"Huffman data: one byte repeated", "\x1e\x01" + stream("") + stream("") + stream("") + stream("") + "\x05\x00\x00\x01\x00\x00z", "zzzzz"},
		{"Huffman data: raw", "\x1e\x01" + stream("") + stream("") + stream("") + stream("") + "\x02\x00\x00\x02\x00\x00yz", "yz"},
	} {
		got := make([]byte, len(c.want))
		var d Decoder
		n, err := d.Decode(got, []byte(c.block))
		if err != nil || string(got[:n]) != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, got[:n], err, c.want)
		}
	}
}

func stream(s string) string {
	return string([]byte{byte(len(s)), byte(len(s) >> 8), byte(len(s) >> 16)}) + s
}

func TestCorrupt(t *testing.T) {
	empty := stream("")
	for name, block := range map[string]string{
		"no bytes":           "",
		"level 9":            "\x09\x80\x00\x00\x00",
		"level 50":           "\x32\x80\x00\x00\x00",
		"raw, cut":           "\x0a\x80\x03\x00\x00ab",
		"raw, head cut":      "\x0a\x80\x03\x00",
		"lengths coded":      "\x0a\x10" + empty + empty + empty + empty + empty,
		"streams cut":        "\x0a\x00" + empty + empty + empty + empty,
		"stream too long":    "\x0a\x00" + empty + empty + empty + empty + "\x02\x00\x00a",
		"no offset":          "\x0a\x00" + empty + empty + empty + stream("\x00") + stream("a"),
		"offset 0":           "\x0a\x00" + empty + empty + empty + stream("\x01") + stream("a\x00\x00"),
		"offset too far":     "\x0a\x00" + empty + empty + empty + stream("\x01") + stream("a\x02\x00"),
		"run too long":       "\x0a\x00" + empty + empty + empty + stream("\x05") + stream("abc"),
		"no extension":       "\x0a\x00" + empty + empty + empty + stream("\x0f") + stream(""),
		"extension cut":      "\x0a\x00" + empty + empty + empty + stream("\x0f") + stream("\xff\x00\x00"),
		"no 16-bit offset":   "\x14\x00" + empty + empty + empty + stream("\x21") + stream("ab"),
		"no 24-bit offset":   "\x14\x00" + empty + empty + empty + stream("\x01") + stream("ab"),
		"last offset unset":  "\x14\x00" + empty + empty + empty + stream("\x89") + stream("ab"),
		"Huffman, no data":   "\x1e\x01" + empty + empty + empty + empty + "\x05\x00\x00\x00\x00\x00",
		"Huffman, longer":    "\x1e\x01" + empty + empty + empty + empty + "\x01\x00\x00\x02\x00\x00ab",
		"Huffman, bad table": "\x1e\x01" + empty + empty + empty + empty + "\x09\x00\x00\x04\x00\x00\xff\xff\xff\xff",
		"Huffman, too long":  "\x1e\x01" + empty + empty + empty + empty + "\x01\x00\x02\x01\x00\x00a",
	} {
		var d Decoder
		n, err := d.Decode(make([]byte, 1<<18), []byte(block))
		if !errors.Is(err, blosc2.ErrCorrupt) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	src := genuineInput()
	block := make([]byte, len(src))
	got := make([]byte, len(src))
	for _, level := range []int{10, 20, 41} {
		var e Encoder
		var d Decoder
		n := 0
		for name, f := range map[string]func(){
			"encode": func() { n = e.Encode(block, src, level) },
			"decode": func() { d.Decode(got, block[:n]) },
		} {
			n = e.Encode(block, src, level)
			if a := testing.AllocsPerRun(5, f); a > 0 {
				t.Errorf("level %d: %s allocates %v times", level, name, a)
			}
		}
	}
}
