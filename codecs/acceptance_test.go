package codecs_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/internal/kernels"
)

// TestAcceptance compares which streams at the limits of their formats the decoders
// accept, with every tier of kernels, with testdata/acceptance.txt. tools/campaign
// checks the column of the genuine libraries. docs/decoders.md has the reasons.
func TestAcceptance(t *testing.T) {
	file := filepath.Join("testdata", "acceptance.txt")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer kernels.Use(kernels.Current())
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, line := range lines[1:] {
		cells := strings.Split(line, " | ")
		if len(cells) != 7 {
			t.Fatalf("%d cells in %q", len(cells), line)
		}
		var id blosc2.CodecID
		if err := id.UnmarshalText([]byte(cells[0])); err != nil {
			t.Fatal(err)
		}
		size, err := strconv.Atoi(cells[2])
		if err != nil {
			t.Fatal(err)
		}
		stream, err := hex.DecodeString(cells[6])
		if err != nil {
			t.Fatal(err)
		}
		for _, tier := range kernels.Tiers() {
			if err := kernels.Use(tier); err != nil {
				t.Fatal(err)
			}
			c, err := codecs.New(id)
			if err != nil {
				t.Fatal(err)
			}
			column, verdict := 4, "accepts"
			if tier >= kernels.AVX2 && tier != kernels.NEON {
				column = 3
			}
			if _, err = c.Decode(make([]byte, size), stream, codecs.Params{TypeSize: 1}); err != nil {
				verdict = "refuses"
			}
			if *update {
				cells[column] = verdict
			} else if cells[column] != verdict {
				t.Errorf("%s, %s: %v %s, want %s (%v)", cells[0], cells[1], tier, verdict, cells[column], err)
			}
		}
		lines[i+1] = strings.Join(cells, " | ")
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
