package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A rows holds the cells of a table of bench.md.
type rows [][]string

// A measured holds the contents of bench.md.
type measured struct {
	machines map[string]string // machine and date of each section
	tables   map[string]rows
}

// readMeasured reads bench.md.
func readMeasured(file string) (*measured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &measured{machines: map[string]string{}, tables: map[string]rows{}}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "## "):
			section = line[3:]
		case m.machines[section] == "" && line != "" && line[0] != '#' && line[0] != '|':
			m.machines[section] = line
		case strings.HasPrefix(line, "|") && !strings.HasPrefix(line, "|---"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			m.tables[section] = append(m.tables[section], cells)
		}
	}
	for section, t := range m.tables {
		m.tables[section] = t[1:] // omit the head of the table
	}
	for _, s := range []string{oneThread, twoThreads, streams, arrays, processes} {
		if len(m.tables[s]) == 0 {
			return nil, fmt.Errorf("%s has no table %q", file, s)
		}
	}
	return m, nil
}

// These are the sections of bench.md.
const (
	oneThread  = "Chunks against C-Blosc2, one thread"
	twoThreads = "Chunks against C-Blosc2, two workers or threads"
	streams    = "Streams against Go peers"
	arrays     = "Arrays against C-Blosc2, one thread"
	processes  = "Whole processes"
)

// synthetics lists the datasets that are generated.
var synthetics = []string{"zeros.i8", "nan.f8", "repeated.i8", "noise.i8", "ramp.i8"}

// pair parses a cell of the form "ours / C".
func pair(cell string) (ours, theirs float64) {
	a, b, _ := strings.Cut(cell, "/")
	return number(a), number(b)
}

func number(s string) float64 {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

// A summary holds the mean results of one setting of chunks over the real data.
type summary struct {
	setting                      string
	up, down                     []float64 // how many times as fast as C-Blosc2
	upMB, upCMB, downMB, downCMB []float64
	size                         []float64 // size relative to that of C-Blosc2
}

func summarize(t rows) (all []*summary) {
	for _, r := range t {
		if slices.Contains(synthetics, r[0]) || len(r) < 8 {
			continue
		}
		i := slices.IndexFunc(all, func(s *summary) bool { return s.setting == r[1] })
		if i < 0 {
			i = len(all)
			all = append(all, &summary{setting: r[1]})
		}
		s := all[i]
		ours, theirs := pair(r[2])
		s.size = append(s.size, theirs/ours)
		ours, theirs = pair(r[3])
		s.upMB, s.upCMB = append(s.upMB, ours), append(s.upCMB, theirs)
		s.up = append(s.up, number(r[4]))
		ours, theirs = pair(r[5])
		s.downMB, s.downCMB = append(s.downMB, ours), append(s.downCMB, theirs)
		s.down = append(s.down, number(r[6]))
	}
	return all
}

// spread formats a geometric mean, followed by the least and the greatest value.
func spread(v []float64) string {
	if len(v) == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", geomean(v), slices.Min(v), slices.Max(v))
}

// speedTable returns the table of speeds in the README.
func speedTable(m *measured, settings ...string) string {
	var b strings.Builder
	b.WriteString("| one thread, chunks of 1 MiB | compress MB/s, ours / C | decompress MB/s, ours / C | size, of C's |\n|---|---|---|---|\n")
	for _, s := range summarize(m.tables[oneThread]) {
		if slices.Contains(settings, s.setting) {
			fmt.Fprintf(&b, "| %s | %.0f / %.0f | %.0f / %.0f | %.3f |\n", s.setting,
				geomean(s.upMB), geomean(s.upCMB), geomean(s.downMB), geomean(s.downCMB), geomean(s.size))
		}
	}
	return b.String()
}

// readmeSettings lists the settings in the README's table.
var readmeSettings = []string{"lz4 5 shuffle", "lz4 5 bitshuffle", "blosclz 5 shuffle", "lz4hc 5 shuffle",
	"zlib 5 shuffle", "zstd 1 shuffle", "zstd 5 shuffle", "zstd 9 shuffle"}

// document returns the text of docs/benchmarks.md.
func document(m *measured) string {
	var b strings.Builder
	b.WriteString(`# Benchmarks

` + "`go run . -document`" + ` in [bench](../bench) makes this page from
[bench/results](../bench/results/bench.md), which has every line, including losses.

The machine is shared: from run to run a single ratio varies by 10 %, sometimes by
30 %. To measure again, in bench:

    go run . -oracle "$(../../shared/oracle/setup b2oracle-3)" -command BLOSC2 -out results
    go run . -document

The data are seven files of real measurements, of 1.4 to 5.6 MB, for chunks cut to
whole ones: weather (ERA5: temperature, wind, geopotential) and series of the Numenta
Anomaly Benchmark. Means are geometric, with the least and the greatest of the files in
brackets.

![ratio against speed, streams of two workers](speed.svg)

![ratio against speed, chunks beside those of C-Blosc2](chunks.svg)

By file: [streams to compress](../bench/results/stream-compress.svg), [to decompress](../bench/results/stream-decompress.svg),
[chunks to compress](../bench/results/chunk-compress.svg), [to decompress](../bench/results/chunk-decompress.svg);
[two workers against one](../bench/results/scaling.svg).

`)
	for _, s := range []struct{ section, title string }{{oneThread, "Chunks of 1 MiB, one thread"}, {twoThreads, "The same chunks, two workers against two threads of C"}} {
		fmt.Fprintf(&b, "## %s\n\nAgainst C-Blosc2 3.3.5 with the same parameters. %s\n\n| setting | compress MB/s, ours / C | × C | decompress MB/s, ours / C | × C | size, of C's |\n|---|---|---|---|---|---|\n", s.title, m.machines[s.section])
		var all []float64
		for _, s := range summarize(m.tables[s.section]) {
			fmt.Fprintf(&b, "| %s | %.0f / %.0f | %s | %.0f / %.0f | %s | %.3f, at most %.3f |\n", s.setting, geomean(s.upMB), geomean(s.upCMB), spread(s.up),
				geomean(s.downMB), geomean(s.downCMB), spread(s.down), geomean(s.size), slices.Max(s.size))
			all = slices.Concat(all, s.up, s.down)
		}
		slower := 0
		for _, x := range all {
			if x < 1 {
				slower++
			}
		}
		fmt.Fprintf(&b, "\nThe mean of all figures is %.2f × C; below 1: %d of %d.\n\n", geomean(all), slower, len(all))
	}
	writeStreamSummary(&b, m)
	b.WriteString("## Arrays, one thread\n\nAgainst C-Blosc2: whole reads and windows of float32. " + m.machines[arrays] + "\n\n| shape / chunks / blocks | what | MB/s, ours / C | × C |\n|---|---|---|---|\n")
	for _, r := range m.tables[arrays] {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
	}
	writeProcessSummary(&b, m)
	return b.String()
}

// writeStreamSummary writes a line for each setting of a peer: the results of the
// automatic pick, and those of the setting that is best in hindsight. For each file,
// this is the setting whose smaller advantage in speed, of compression and
// decompression, is largest, among those whose output is no larger.
func writeStreamSummary(b *strings.Builder, m *measured) {
	t := m.tables[streams]
	fmt.Fprintf(b, "\n## Streams\n\nAgainst what Go programs use, through `io.Copy` with two workers: `Auto(Balanced)` and, in hindsight, the best of our lossless settings. For each file and peer that is the setting whose smaller advantage in speed, of compression and decompression, is largest, among those whose output is no larger. Means over the files, with the smallest and the largest. %s\n\n", m.machines[streams])
	b.WriteString("| peer | ratio | compress MB/s | decompress MB/s | Auto, × compress | × decompress | size, of theirs | in hindsight, × compress | × decompress | files where none of ours is no larger |\n|---|---|---|---|---|---|---|---|---|---|\n")
	var peers []string
	for _, r := range t {
		if name := r[1] + " " + r[2]; r[1] != ourName && !slices.Contains(peers, name) {
			peers = append(peers, name)
		}
	}
	slices.Sort(peers)
	automatic := func(data string) []string { // nil if the automatic pick was not measured
		i := slices.IndexFunc(t, func(r []string) bool {
			return r[0] == data && r[1] == ourName && r[2] == "Auto(balanced)" && r[3] == "2"
		})
		if i < 0 {
			return nil
		}
		return t[i]
	}
	for _, peer := range peers {
		var ratio, up, down, autoUp, autoDown, autoSize, timesUp, timesDown []float64
		none := 0
		for _, r := range t {
			if r[1]+" "+r[2] != peer || r[3] != "2" {
				continue
			}
			ratio, up, down = append(ratio, number(r[4])), append(up, number(r[5])), append(down, number(r[6]))
			if a := automatic(r[0]); a != nil {
				autoUp, autoDown, autoSize = append(autoUp, number(a[5])/number(r[5])), append(autoDown, number(a[6])/number(r[6])), append(autoSize, number(r[4])/number(a[4]))
			}
			if u := number(r[8]); !math.IsNaN(u) {
				timesUp, timesDown = append(timesUp, u), append(timesDown, number(r[9]))
			} else {
				none++
			}
		}
		fmt.Fprintf(b, "| %s | %.2f | %.0f | %.0f | %s | %s | %s |", peer, geomean(ratio), geomean(up), geomean(down), spread(autoUp), spread(autoDown), spread(autoSize))
		if len(timesUp) == 0 {
			fmt.Fprintf(b, " | | %d |\n", none)
			continue
		}
		fmt.Fprintf(b, " %s | %s | %d |\n", spread(timesUp), spread(timesDown), none)
	}
	b.WriteString("\n")
}

// writeProcessSummary lists the margins over whole processes of other programs.
func writeProcessSummary(b *strings.Builder, m *measured) {
	t := m.tables[processes]
	fmt.Fprintf(b, "\n## Whole processes\n\nThe command against others, each with two threads if it has them: how many times as fast it is without flags, and its size, of theirs; after the semicolon how many times as fast it is with the best of its aims that is no larger. On a disk ours waits until the file is safe, and the others do not. %s\n\n", m.machines[processes])
	peers := []string{"zstd -1", "zstd -3", "lz4", "pigz"}
	fmt.Fprintf(b, "| data | %s |\n|---|---|---|---|---|\n", strings.Join(peers, " | "))
	var data []string
	for _, r := range t {
		if !slices.Contains(data, r[0]) {
			data = append(data, r[0])
		}
	}
	slices.Sort(data)
	find := func(data, who string) []string {
		i := slices.IndexFunc(t, func(r []string) bool { return r[0] == data && strings.TrimSpace(r[1]) == who })
		if i < 0 {
			return nil
		}
		return t[i]
	}
	for _, d := range data {
		fmt.Fprintf(b, "| %s |", d)
		us := find(d, ourName+" []")
		for _, peer := range peers {
			if r := find(d, peer); r != nil && us != nil {
				fmt.Fprintf(b, " %.2f, %.2f; %s", number(us[3])/number(r[3]), number(r[2])/number(us[2]), cmp.Or(r[5], "none"))
			}
			b.WriteString(" |")
		}
		b.WriteString("\n")
	}
}

// These marks are around the table in the README.
const (
	speedBegin = "<!-- table: speed -->\n"
	speedEnd   = "<!-- end -->"
)

// documents returns the files made from results, by path relative to the
// repository's root.
func documents(root string) (map[string]string, error) {
	m, err := readMeasured(filepath.Join(root, "bench", "results", "bench.md"))
	if err != nil {
		return nil, err
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		return nil, err
	}
	before, rest, found := strings.Cut(string(readme), speedBegin)
	_, after, ended := strings.Cut(rest, speedEnd)
	if !found || !ended {
		return nil, fmt.Errorf("README.md has no table of speed")
	}
	files, err := charts(root, m)
	if err != nil {
		return nil, err
	}
	files["docs/benchmarks.md"] = document(m)
	files["README.md"] = before + speedBegin + speedTable(m, readmeSettings...) + speedEnd + after
	return files, nil
}

// writeDocuments writes the documents that are made from results.
func writeDocuments(root string) error {
	files, err := documents(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
