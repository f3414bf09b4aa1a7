package blosc2_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/codecs"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/header"
)

var update = flag.Bool("update", false, "write the tables of docs/compatibility.md anew")

// These maps hold the versions of the genuine libraries that have each codec, filter and
// frame layout.
var (
	codecHistory = map[blosc2.CodecID]string{
		blosc2.CodecBloscLZ: "always", blosc2.CodecLZ4: "Blosc 1.3", blosc2.CodecLZ4HC: "Blosc 1.3",
		blosc2.CodecSnappy: "Blosc 1.3; C-Blosc2 until April 2021", blosc2.CodecZlib: "Blosc 1.3", blosc2.CodecZstd: "Blosc 1.10",
		blosc2.CodecLizard: "C-Blosc2 from July 2017 to February 2021", blosc2.CodecNDLZ: "plugin", blosc2.CodecZFPAcc: "plugin",
		blosc2.CodecZFPPrec: "plugin", blosc2.CodecZFPRate: "plugin", blosc2.CodecOpenHTJ2K: "in a separate library", blosc2.CodecGrok: "in a separate library",
		blosc2.CodecOpenZL: "in a separate library", blosc2.CodecJ2K: "in a separate library", blosc2.CodecHTJ2K: "in a separate library",
	}
	filterHistory = map[blosc2.FilterID]string{
		blosc2.FilterShuffle: "always; its meta since 2.23.1", blosc2.FilterBitShuffle: "Blosc 1.7; rule for the tail February 2020",
		blosc2.FilterDelta: "alpha 3; by XOR September 2017", blosc2.FilterTruncPrec: "alphas of 2018", blosc2.FilterNDCell: "2021",
		blosc2.FilterNDMean: "2021", blosc2.FilterByteDeltaOld: "2.8 to 2.9", blosc2.FilterByteDelta: "2.10", blosc2.FilterIntTrunc: "2.13",
	}
	layoutHistory = map[header.Generation]string{
		header.Current: "2.0.0 (June 2021) to today, version 3 included", header.Layout2019: "August 2019",
		header.Layout2019Trailer: "26 to 30 August 2019", header.LayoutPipeline: "30 August 2019",
		header.LayoutBeta: "betas 2 to 5, to February 2021", header.Layout2021: "February to May 2021", header.LayoutRC: "2.0.0 rc1 and rc2",
	}
)

// TestTables compares the tables of docs/compatibility.md with the registries and
// the behaviour of the packages.
func TestTables(t *testing.T) {
	text, err := os.ReadFile("docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for name, table := range map[string]string{"codecs": codecTable(t), "filters": filterTable(t), "layouts": layoutTable(t)} {
		begin, end := "<!-- table: "+name+" -->\n", "<!-- end -->"
		before, rest, found := strings.Cut(readme, begin)
		have, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("docs/compatibility.md has no table %s", name)
		}
		if have != table && !*update {
			t.Errorf("docs/compatibility.md: table %s is\n%s\nbut should be (go test . -run TestTables -update)\n%s", name, have, table)
		}
		readme = before + begin + table + end + after
	}
	if *update {
		if err := os.WriteFile("docs/compatibility.md", []byte(readme), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// table formats rows in Markdown.
func table(rows ...[]string) string {
	var b strings.Builder
	for i, row := range rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// written reports whether data can be encoded with p and decoded again, as plain data or
// as a two-dimensional array.
func written(t *testing.T, p chunk.Params) string {
	const side = 16
	src := make([]byte, side*side*4)
	for i := range src {
		src[i] = byte(i / 64)
	}
	p.Level, p.BlockSize = 5, len(src)
	for _, try := range []struct {
		typeSize int
		shape    []int32
	}{{4, nil}, {4, []int32{side, side}}, {1, []int32{4 * side, side}}} {
		p.TypeSize, p.BlockShape = try.typeSize, try.shape
		enc, err := chunk.NewEncoder(p)
		if err != nil {
			continue
		}
		c, err := enc.Encode(nil, src)
		if err != nil {
			continue
		}
		dec := chunk.Decoder{TypeSize: try.typeSize, BlockShape: try.shape}
		if _, err := dec.Decode(nil, c); err != nil {
			t.Errorf("%s with %s: what was encoded is not decoded: %v", p.Codec, p.Filters, err)
		}
		if try.shape != nil {
			return "arrays"
		}
		return "yes"
	}
	return "no"
}

func codecTable(t *testing.T) string {
	rows := [][]string{{"id", "codec", "in the genuine libraries since", "read", "written"}}
	for id := range blosc2.CodecID(160) {
		since, known := codecHistory[id]
		if !known && !codecs.Registered(id) {
			continue
		}
		can := "no"
		if codecs.Registered(id) {
			p := chunk.Params{Codec: id, Filters: filters.Default()}
			if id >= blosc2.CodecNDLZ { // these codecs require unfiltered items
				p.Filters, p.CodecMeta = filters.Pipeline{}, 4
			}
			can = written(t, p)
		}
		rows = append(rows, []string{fmt.Sprint(uint8(id)), id.String(), since, yes(codecs.Registered(id)), can})
	}
	return table(rows...)
}

func filterTable(t *testing.T) string {
	rows := [][]string{{"id", "filter", "since", "loses", "read", "written"}}
	for _, f := range filters.All() {
		p := chunk.Params{Codec: blosc2.CodecLZ4}
		p.Filters.IDs[5], p.Filters.Metas[5] = f.ID(), 4
		rows = append(rows, []string{fmt.Sprint(uint8(f.ID())), f.Name(), filterHistory[f.ID()], yes(f.Lossy()), "yes", written(t, p)})
	}
	return table(rows...)
}

func layoutTable(t *testing.T) string {
	rows := [][]string{{"frame layout", "C-Blosc2", "read", "written"}}
	for g := header.Current; g <= header.LayoutRC; g++ {
		_, err := frame.NewBuilder(&header.Header{Generation: g, TypeSize: 4, ChunkSize: 4096})
		rows = append(rows, []string{g.String(), layoutHistory[g], "yes", yes(err == nil)})
	}
	return table(rows...)
}
