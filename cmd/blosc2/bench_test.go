package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/stream"
	"github.com/seed03b80dae/blosc2/tune"
)

// benchRows returns rows with the given ratios, in the order of measurement.
func benchRows(memory, disk, balanced, archive float64) []benchRow {
	rows := []benchRow{{what: "-", ratio: 9}}
	for i, ratio := range []float64{memory, disk, balanced, archive} {
		aim := []tune.Aim{tune.Memory, tune.Disk, tune.Balanced, tune.Archive}[i]
		rows = append(rows, benchRow{setting: aim.String(), aim: aim, ratio: ratio, compress: 1e9 / float64(i+1), expand: 1e9})
	}
	return rows
}

// bench does not recommend a setting that stores uncompressed what another setting
// compresses.
func TestBenchAdvice(t *testing.T) {
	for _, c := range []struct {
		rows []benchRow
		aim  tune.Aim
		want []string // settings of the three recommendations
	}{
		{benchRows(1.5, 2, 3, 4), tune.Balanced, []string{"memory", "balanced", "archive"}},
		{benchRows(1, 2, 3, 4), tune.Balanced, []string{"disk", "balanced", "archive"}},
		{benchRows(1, 1, 3, 4), tune.Disk, []string{"balanced", "balanced", "archive"}},
		{benchRows(1, 1, 1, 1.2), tune.Balanced, []string{"archive", "archive", "archive"}},
		{benchRows(1.5, 2, 3, 4), tune.Archive, []string{"memory", "balanced", "archive"}},
		{benchRows(1, 1, 1, 1.01), tune.Disk, nil},
		{benchRows(0.1, 0.1, 0.1, 0.1), tune.Disk, nil},
	} {
		var out strings.Builder
		cmd := &benchCmd{File: "a.f4"}
		cmd.advise(&out, c.rows, c.aim, 1e6)
		var got []string
		for line := range strings.Lines(out.String()) {
			if _, note, ok := strings.Cut(line, "# "); ok {
				setting, _, _ := strings.Cut(note, ",")
				got = append(got, setting)
				auto := strings.Contains(line, "--auto "+setting)
				if setting == "balanced" == auto {
					t.Errorf("%v: %q", c.aim, line)
				}
			}
		}
		if strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%v: recommends %v, want %v", c.aim, got, c.want)
		}
		if c.want == nil && !strings.Contains(out.String(), "does not compress: blosc2 compress -0 a.f4") {
			t.Errorf("%v: %q", c.aim, out.String())
		}
	}
}

// For any aim, the rows are ordered by the speed of their links, with archive last.
func TestBenchWays(t *testing.T) {
	for _, aim := range []tune.Aim{tune.Balanced, tune.Memory, tune.Archive, tune.Link(2e6), tune.Link(1e9)} {
		b := &bench{aim: aim}
		known, last := false, 0.0
		for _, w := range b.ways() {
			if w.aim == 0 {
				continue
			}
			if link := linkOf(w.aim); last > 0 && link > last {
				t.Errorf("%v: %v comes after a slower link", aim, w.aim)
			} else {
				last = link
			}
			known = known || w.aim == aim
		}
		if !known {
			t.Errorf("%v is not measured", aim)
		}
	}
	r := benchRow{ratio: 2, compress: 1e9, expand: 2e9}
	if got := r.total(tune.Balanced); got != 1+0.5+10 {
		t.Errorf("%v s/GB", got)
	}
}

// Ways with the same output are measured once.
func TestBenchMeasuresOnce(t *testing.T) {
	data := []byte(strings.Repeat("the same output ", 1000))
	b := &bench{data: io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), sample: data, aim: tune.Balanced, measured: map[[sha256.Size]byte]benchRow{}}
	var rows []benchRow
	for _, w := range []benchWay{
		{what: "once", options: []stream.WriterOption{stream.Codec(blosc2.CodecZstd), stream.Level(1)}},
		{what: "again", options: []stream.WriterOption{stream.Level(1), stream.Codec(blosc2.CodecZstd)}},
		{what: "other", options: []stream.WriterOption{stream.Codec(blosc2.CodecZlib), stream.Level(1)}},
	} {
		r, err := b.row(w)
		if err != nil || r.what != w.what || r.compress <= 0 || r.expand <= 0 {
			t.Fatalf("%s: %+v, %v", w.what, r, err)
		}
		rows = append(rows, r)
	}
	if rows[0].compress != rows[1].compress || rows[0].expand != rows[1].expand {
		t.Errorf("equal settings have different speeds: %+v, %+v", rows[0], rows[1])
	}
	if rows[2].setting == rows[0].setting || len(b.measured) != 2 {
		t.Errorf("%d outputs were measured, want 2: %+v", len(b.measured), rows)
	}
}

// The rows of other formats have the size of the whole output.
func TestBenchOthers(t *testing.T) {
	src := bytes.Repeat([]byte("0123456789abcdef"), 4000)
	stored, _, err := gzip6(src)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := io.ReadAll(r); err != nil || !bytes.Equal(back, src) {
		t.Errorf("gzip: %d bytes, want %d: %v", len(back), len(src), err)
	}
	if stored, _, err = zstd3(src); err != nil {
		t.Fatal(err)
	}
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if back, err := d.DecodeAll(stored, nil); err != nil || !bytes.Equal(back, src) {
		t.Errorf("zstd: %d bytes, want %d: %v", len(back), len(src), err)
	}
}

// Times are in seconds with two digits, sizes have three, and slow speeds a decimal.
func TestBenchFigures(t *testing.T) {
	for seconds, want := range map[float64]string{0.0039: "0.0039", 0.9301: "0.93", 0.999: "1", 1.94: "1.9", 123: "120", 0: "0"} {
		if got := brief(seconds); got != want {
			t.Errorf("%v s: %s, want %s", seconds, got, want)
		}
	}
	for speed, want := range map[float64]string{0.42e6: "0.4", 1e6: "1.0", 9.94e6: "9.9", 9.96e6: "10", 15.6e6: "16", 1234e6: "1,234", 1e15: "99,999"} {
		if got := megabytes(speed); got != want {
			t.Errorf("%v bytes/s: %s MB/s, want %s", speed, got, want)
		}
	}
	var out strings.Builder
	(&benchCmd{File: "a.f4"}).advise(&out, benchRows(1.5, 2, 3, 4), tune.Balanced, 1893703)
	if !strings.Contains(out.String(), "# memory, about 1,260,000 bytes in 0.0019 s\n") {
		t.Errorf("%q", out.String())
	}
}

// Names are words of a command line, as a shell reads them.
func TestShellWord(t *testing.T) {
	for name, want := range map[string]string{
		"prices.f8": "prices.f8", "/data/2026-11/a,b+c.u4": "/data/2026-11/a,b+c.u4", "-x.u4": "./-x.u4",
		"my data.u4": "'my data.u4'", "a'b.u4": `'a'\''b.u4'`, "$HOME": "'$HOME'", "": "''", "s3://bucket/key": "s3://bucket/key",
	} {
		if got := shellWord(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
