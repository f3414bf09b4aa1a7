package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/internal/draw"
)

// Each kind of contestant has a colour, and each codec a mark.
var (
	kinds  = []string{"this library", "C-Blosc2", "zstd, s2 and gzip of klauspost", "pgzip", "lz4 of pierrec", "snappy of golang"}
	codecs = []string{"lz4", "lz4hc", "zstd", "zlib, gzip", "blosclz", "s2, snappy"}
)

// kindOf returns the index of a contestant's kind in kinds.
func kindOf(name string) int {
	for i, prefix := range []string{ourName, "C-Blosc2", "klauspost", "pgzip", "pierrec", "golang"} {
		if strings.HasPrefix(name, prefix) {
			return i
		}
	}
	return len(kinds) - 1
}

// codecOf returns the mark of a contestant's codec.
func codecOf(name, setting string) draw.Mark {
	if name != ourName && !strings.HasPrefix(name, "C-Blosc2") {
		setting = name
	}
	for i, words := range [][]string{{"lz4hc"}, {"lz4"}, {"zstd"}, {"zlib", "gzip"}, {"blosclz"}, {"s2", "snappy"}} {
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(setting, w) }) {
			return []draw.Mark{1, 0, 2, 3, 4, 5}[i]
		}
	}
	return draw.Bar
}

// label returns a short name of a setting.
func label(name, setting string) string {
	if name != ourName && !strings.HasPrefix(name, "C-Blosc2") {
		_, codec, ok := strings.Cut(name, " ")
		if !ok {
			codec = name
		}
		return strings.TrimSpace(codec + " " + setting)
	}
	for long, short := range map[string]string{" shuffle": "", " KiB": "K", ", blocks of": ",", " none": " plain"} {
		setting = strings.Replace(setting, long, short, 1)
	}
	setting, _, _ = strings.Cut(setting, ", ")
	return strings.ReplaceAll(setting, ",", " ")
}

// A reading is one line of a table: the compression ratio and the speed of a contestant
// for a file.
type reading struct {
	data, name, setting string
	ratio               float64
	speed               [2]float64 // MB/s to compress and to decompress
}

// streamReadings returns the readings of the streams with two workers.
func streamReadings(t rows) (all []reading) {
	for _, r := range t {
		if r[3] == "2" {
			all = append(all, reading{r[0], r[1], r[2], number(r[4]), [2]float64{number(r[5]), number(r[6])}})
		}
	}
	return all
}

// chunkReadings returns the readings of the chunks of real data.
func chunkReadings(t rows) (all []reading) {
	for _, r := range t {
		if slices.Contains(synthetics, r[0]) || len(r) < 8 {
			continue
		}
		ratio, theirs := pair(r[2])
		up, upC := pair(r[3])
		down, downC := pair(r[5])
		all = append(all, reading{r[0], ourName, r[1], ratio, [2]float64{up, down}},
			reading{r[0], "C-Blosc2", r[1], theirs, [2]float64{upC, downC}})
	}
	return all
}

// meanReadings returns, for each setting measured with every file, the geometric
// means over the files.
func meanReadings(all []reading) (means []reading) {
	files := map[string]bool{}
	var order []reading
	for _, m := range all {
		files[m.data] = true
		if !slices.ContainsFunc(order, func(o reading) bool { return o.name == m.name && o.setting == m.setting }) {
			order = append(order, m)
		}
	}
	for _, o := range order {
		var ratio, up, down []float64
		for _, m := range all {
			if m.name == o.name && m.setting == o.setting {
				ratio, up, down = append(ratio, m.ratio), append(up, m.speed[0]), append(down, m.speed[1])
			}
		}
		if len(ratio) == len(files) {
			means = append(means, reading{name: o.name, setting: o.setting, ratio: geomean(ratio), speed: [2]float64{geomean(up), geomean(down)}})
		}
	}
	return means
}

// dots returns the points for one direction.
func dots(all []reading, direction int) (points []draw.Dot) {
	for _, m := range all {
		points = append(points, draw.Dot{X: m.speed[direction], Y: m.ratio, Kind: kindOf(m.name), Shape: codecOf(m.name, m.setting),
			Hollow: m.name == "C-Blosc2", Label: label(m.name, m.setting)})
	}
	return points
}

var directions = [2]string{"compress", "decompress"}

// scatter returns a chart of ratio against speed.
func scatter(title, note string, width, height int, panels []draw.Panel) *draw.Scatter {
	return &draw.Scatter{Options: draw.Options{Title: title, Note: note, Width: width, Height: height}, XLabel: "MB/s (right is faster)",
		YLabel: "ratio (up is smaller)", Panels: panels, LogY: true, Kinds: kinds, Shapes: codecs}
}

// overview draws the means in two panels, one for each direction.
func overview(title, note string, all []reading) *draw.Scatter {
	means := meanReadings(all)
	var panels []draw.Panel
	for d, name := range directions {
		panels = append(panels, draw.Panel{Title: name, Dots: dots(means, d)})
	}
	c := scatter(title, note, 960, 480, panels)
	c.Columns = 2
	return c
}

// byData draws one direction with a panel for each file.
func byData(title, note string, all []reading, direction int) *draw.Scatter {
	var files []string
	for _, m := range all {
		if !slices.Contains(files, m.data) {
			files = append(files, m.data)
		}
	}
	var panels []draw.Panel
	for _, f := range files {
		of := slices.DeleteFunc(slices.Clone(all), func(m reading) bool { return m.data != f })
		panels = append(panels, draw.Panel{Title: f, Dots: dots(of, direction)})
	}
	c := scatter(title, note, 1280, 860, panels)
	c.Columns, c.OwnY = 4, true
	return c
}

// scaling draws how much faster two workers are than one.
func scaling(t rows) *draw.Rows {
	c := &draw.Rows{Options: draw.Options{Title: "Streams: two workers against one", Note: "geometric means over the files", Width: 900, Height: 600},
		XLabel: "times as fast as one worker", Kinds: directions[:], Values: make([][]float64, 2), Line: 1}
	type key struct{ name, setting string }
	speeds := map[key]*[2][2][]float64{} // speeds for one and for two workers, by direction
	var order []key
	for _, r := range t {
		k := key{r[1], r[2]}
		if speeds[k] == nil {
			speeds[k] = new([2][2][]float64)
			order = append(order, k)
		}
		workers := int(number(r[3])) - 1
		for d := range 2 {
			speeds[k][workers][d] = append(speeds[k][workers][d], number(r[5+d]))
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return kindOf(a.name) - kindOf(b.name) })
	for _, k := range order {
		if n := len(speeds[k][0][0]); n != len(speeds[k][1][0]) || n < 2 {
			continue // there are results for only one file
		}
		c.Names = append(c.Names, k.name+" "+k.setting)
		for d := range 2 {
			c.Values[d] = append(c.Values[d], geomean(speeds[k][1][d])/geomean(speeds[k][0][d]))
		}
	}
	return c
}

// week draws a log of one week by the hour, from the table that a test of package
// stream writes.
func week(file string) (*draw.Lines, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(table) < 2 {
		return nil, fmt.Errorf("%s: has no rows", file)
	}
	n := int64(len(table) - 1)
	c := &draw.Lines{Options: draw.Options{Title: "A week of logging", Note: "ten records of 16 bytes a second, a flush each second, a checkpoint each minute", Width: 800, Height: 450},
		X: draw.Axis{Label: "hour", Step: 1, N: n}, YLabel: "MB"}
	for i, name := range []string{"data", "size of the file", "written to the disk"} {
		line := draw.NewEnvelope(n, 800, false)
		line.Name = name
		for _, row := range table[1:] {
			line.Add(number(row[1+i]) / 1e6)
		}
		c.Lines = append(c.Lines, line)
	}
	return c, nil
}

// A chart can be drawn in several colours.
type chart interface{ Scene() *draw.Scene }

// charts returns the SVG files made from results, each in a light and a dark
// version, by path relative to the repository's root.
func charts(root string, m *measured) (map[string]string, error) {
	log, err := week(filepath.Join(root, "bench", "results", "log-week.csv"))
	if err != nil {
		return nil, err
	}
	note := "two workers, geometric means over seven files of measurements; labelled: none is both faster and smaller"
	all := map[string]func(*draw.Theme) chart{
		"docs/speed": func(t *draw.Theme) chart {
			c := overview("Ratio against speed: this library and the streams that Go programs use", note, streamReadings(m.tables[streams]))
			c.Theme = t
			return c
		},
		"docs/chunks": func(t *draw.Theme) chart {
			c := overview("Ratio against speed: this library and C-Blosc2 (hollow)", "chunks of 1 MiB, one thread, geometric means over seven files of measurements", chunkReadings(m.tables[oneThread]))
			c.Theme = t
			return c
		},
		"bench/results/log-week": func(t *draw.Theme) chart {
			c := *log
			c.Theme = t
			return &c
		},
		"bench/results/scaling": func(t *draw.Theme) chart {
			c := scaling(m.tables[streams])
			c.Theme = t
			return c
		},
	}
	for d, name := range directions {
		all["bench/results/stream-"+name] = func(t *draw.Theme) chart {
			c := byData("Streams, "+name, "two workers; labelled: none is both faster and smaller", streamReadings(m.tables[streams]), d)
			c.Theme = t
			return c
		}
		all["bench/results/chunk-"+name] = func(t *draw.Theme) chart {
			c := byData("Chunks, "+name+": this library and C-Blosc2 (hollow)", "one thread", chunkReadings(m.tables[oneThread]), d)
			c.Theme = t
			return c
		}
	}
	files := map[string]string{}
	for name, make := range all {
		for suffix, theme := range map[string]*draw.Theme{".svg": draw.Light, "-dark.svg": draw.Dark} {
			var b bytes.Buffer
			if err := make(theme).Scene().WriteSVG(&b); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			files[name+suffix] = b.String()
		}
	}
	return files, nil
}
