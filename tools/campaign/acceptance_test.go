package main

import (
	"encoding/hex"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the column of the genuine libraries anew")

// varies is the verdict of a library of which some versions accept the stream and others
// refuse it: see docs/decoders.md.
const varies = "varies"

// TestAcceptance compares the genuine libraries with their column of the table in
// the codecs' test of the same name.
func TestAcceptance(t *testing.T) {
	const file = "../../codecs/testdata/acceptance.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	genuine := map[string]func(dst, src []byte) error{"zstd": zstdDecode, "lz4": lz4Decode, "zlib": zlibDecode}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines[1:] {
		cells := strings.Split(line, " | ")
		if len(cells) != 7 {
			t.Fatalf("%d cells in %q", len(cells), line)
		}
		size, err := strconv.Atoi(cells[2])
		if err != nil {
			t.Fatal(err)
		}
		stream, err := hex.DecodeString(cells[6])
		if err != nil {
			t.Fatal(err)
		}
		verdict := "accepts"
		if err = genuine[cells[0]](make([]byte, size), stream); err != nil {
			verdict = "refuses"
		}
		switch {
		case cells[5] == varies:
			t.Logf("%s, %s: %s, as some versions of the library do", cells[0], cells[1], verdict)
		case *update:
			cells[5] = verdict
		case cells[5] != verdict:
			t.Errorf("%s, %s: %s, want %s (%v)", cells[0], cells[1], verdict, cells[5], err)
		}
		lines[i+1] = strings.Join(cells, " | ")
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
