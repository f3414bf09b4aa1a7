package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/internal/cost"
	"github.com/seed03b80dae/blosc2/tune"
)

// gridPerFile is the number of chunks of a file in the grid, and gridReps how often
// each is measured.
const gridPerFile, gridReps = 2, 3

// regretAims lists the aims whose picks are compared with the best setting in
// hindsight.
var regretAims = []tune.Aim{tune.Balanced, tune.Memory, tune.Disk, tune.Network, tune.WAN, tune.Archive}

// A regret is how much worse a pick is than the best setting of the grid.
type regret struct {
	data       string
	aim        tune.Aim
	pick, best *cell
	value      float64 // ratio of the times, or of the sizes for Archive
}

// A picker picks a setting for a file that has chunks in the grid.
type picker func(s tune.Search, d dataset, chunks [][]byte) (tune.Pick, error)

// byChunk picks by the first chunk of the grid, as a Writer does for a stream of unknown length.
func byChunk(s tune.Search, _ dataset, chunks [][]byte) (tune.Pick, error) {
	t := tune.NewStream(s)
	_, err := t.Next(chunks[0])
	return t.Pick(), err
}

// byPlaces picks by samples from eight places of a file of known length and then by the
// first chunk, as the command blosc2 does.
func byPlaces(s tune.Search, d dataset, chunks [][]byte) (tune.Pick, error) {
	const places = 8
	piece := 32 << 10
	if s.Aim == tune.Archive {
		piece = 128 << 10
	}
	if len(d.bytes) < max(chunkSize, 2*piece*places) { // a short file is not sampled
		return byChunk(s, d, chunks)
	}
	var sample []byte
	var offsets []int64
	for i := range places {
		at := (len(d.bytes) - piece) / (places - 1) * i
		at -= at % tune.MaxWidth
		sample = append(sample, d.bytes[at:at+piece]...)
		offsets = append(offsets, int64(at))
	}
	t := tune.NewStream(s)
	err := t.Begin(sample, offsets, int64(len(d.bytes)))
	if err == nil {
		_, err = t.Next(chunks[0])
	}
	return t.Pick(), err
}

// regrets picks a setting for each file, measures it on the chunks of the grid, and
// compares it with the best setting in hindsight, which is measured again next to
// it.
func regrets(data []dataset, grid []*cell, pick picker, progress func(string)) (all []regret, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, d := range data {
		chunks := gridChunks(d, gridPerFile)
		for _, aim := range regretAims {
			progress(fmt.Sprintf("regret: %s, %v", d.name, aim))
			p := chunk.Default()
			p.TypeSize, p.PlainZeros = d.typesize, true
			s := tune.Search{Aim: aim, Params: p, Item: d.typesize, Records: true}
			if len(gridWidths(d.typesize)) > 1 {
				s.Item = 0
			}
			found, err := pick(s, d, chunks)
			if err != nil {
				return nil, err
			}
			r := regret{data: d.name, aim: aim}
			for range 3 { // measure them in turn
				if err := again(&r.pick, d.name, found.Params, chunks); err != nil {
					return nil, err
				}
				if err := again(&r.best, d.name, hindsight(grid, d.name, aim).params, chunks); err != nil {
					return nil, err
				}
			}
			r.value = worth(r.pick, aim) / worth(r.best, aim)
			all = append(all, r)
		}
	}
	return all, nil
}

// again measures a setting once more, and keeps the lower times.
func again(c **cell, name string, p chunk.Params, chunks [][]byte) error {
	m, err := measure(name, p, chunks, gridReps)
	if err != nil {
		return err
	}
	if *c != nil {
		for i, t := range (*c).seconds {
			m.seconds[i] = min(m.seconds[i], t)
		}
	}
	*c = m
	return nil
}

// archiveSpeed is the least MB/s of compressing for Archive.
const archiveSpeed = 5

// worth returns the quantity of a cell that an aim minimizes.
func worth(c *cell, aim tune.Aim) float64 {
	switch aim {
	case tune.Archive:
		return float64(c.stored) / float64(c.bytes)
	case tune.Balanced:
		aim = tune.Network
	}
	return c.cost(float64(aim))
}

// largest returns the size that Balanced must not exceed for a file: that of zstd
// at level 1 without filters.
func largest(grid []*cell, name string) int {
	size := math.MaxInt
	for _, c := range grid {
		if c.data == name && c.params.Codec == blosc2.CodecZstd && c.params.Level == 1 && c.params.Filters.Empty() {
			size = min(size, c.stored)
		}
	}
	return size
}

// hindsight returns the best setting of the grid for a file, except storing.
func hindsight(grid []*cell, name string, aim tune.Aim) (best *cell) {
	limit := math.MaxInt
	if aim == tune.Balanced {
		limit = largest(grid, name)
	}
	for _, c := range grid {
		if c.data != name || c.params.Level == 0 || c.stored > limit || aim == tune.Archive && c.speed() < archiveSpeed {
			continue
		}
		if best == nil || worth(c, aim) < worth(best, aim) {
			best = c
		}
	}
	return best
}

// writeRegrets lists the picks and, for each aim, the mean and the greatest regret.
func writeRegrets(w io.Writer, all []regret) {
	fmt.Fprintln(w, "| aim | data | pick | ratio | compress MB/s | decompress MB/s | in hindsight | ratio | regret |\n|---|---|---|---|---|---|---|---|---|")
	for _, aim := range regretAims {
		for _, r := range all {
			if r.aim == aim {
				fmt.Fprintf(w, "| %v | %s | %s | %.2f | %.0f | %.0f | %s | %.2f | %.3f |\n", aim, r.data, spelled(&r.pick.params), float64(r.pick.bytes)/float64(r.pick.stored),
					r.pick.speed(), float64(r.pick.bytes)/1e6/r.pick.seconds[1], spelled(&r.best.params), float64(r.best.bytes)/float64(r.best.stored), r.value)
			}
		}
	}
	fmt.Fprintln(w)
	writeRegretMeans(w, "all files", all)
}

// writeRegretMeans writes a line for each aim.
func writeRegretMeans(w io.Writer, label string, all []regret) {
	for _, aim := range regretAims {
		var v []float64
		worst := regret{}
		for _, r := range all {
			if r.aim == aim {
				v = append(v, r.value)
				if r.value > worst.value {
					worst = r
				}
			}
		}
		fmt.Fprintf(w, "- %s, %v: geometric mean %.3f, worst %.3f (%s)\n", label, aim, geomean(v), worst.value, worst.data)
	}
}

// spelled returns a setting as text.
func spelled(p *chunk.Params) string {
	return fmt.Sprintf("%v %d %v, items of %d, %v, %d KiB", p.Codec, p.Level, p.Filters, p.TypeSize, p.Split, p.BlockSize>>10)
}

// halves is a cross-validation: it measures each half of the files with constants
// fitted to the other half and to the data made here. The halves are alternate files in
// the order of names.
func halves(w io.Writer, data []dataset, grid []*cell, progress func(string)) error {
	rows, kernels := cost.Rows, cost.Kernels
	defer func() { cost.Rows, cost.Kernels = rows, kernels }()
	for half := range 2 {
		var others []dataset
		for i, d := range data {
			if i%2 != half {
				others = append(others, d)
			}
		}
		cost.Rows, cost.Kernels = fit(slices.DeleteFunc(slices.Clone(grid), func(c *cell) bool {
			return slices.ContainsFunc(others, func(d dataset) bool { return d.name == c.data })
		}))
		all, err := regrets(others, grid, byChunk, progress)
		if err != nil {
			return err
		}
		writeRegretMeans(w, fmt.Sprintf("fitted on half %d, measured on the other", half+1), all)
	}
	return nil
}

// loadGrid reads the grid from its file. If there is no file it measures the grid and
// writes it.
func loadGrid(name string, data []dataset, progress func(string)) ([]*cell, error) {
	if _, err := os.Stat(name); err == nil {
		return readGrid(name)
	}
	grid, err := makeGrid(data, gridPerFile, gridReps, progress)
	if err != nil {
		return nil, err
	}
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	if err := writeGrid(f, grid); err != nil {
		return nil, err
	}
	return grid, f.Close()
}

// realOf returns the datasets that are not synthetic.
func realOf(data []dataset) []dataset {
	return slices.DeleteFunc(slices.Clone(data), func(d dataset) bool { return !d.real })
}

// realGrid returns the datasets that are not synthetic, and the grid of all datasets.
func realGrid(gridFile string, data []dataset, progress func(string)) ([]dataset, []*cell, error) {
	grid, err := loadGrid(gridFile, data, progress)
	return realOf(data), grid, err
}

// benchRegret writes regret.md.
func benchRegret(dir, gridFile string, data []dataset, progress func(string)) error {
	data, grid, err := realGrid(gridFile, data, progress)
	if err != nil {
		return err
	}
	all, err := regrets(data, grid, byChunk, progress)
	if err != nil {
		return err
	}
	whole, err := regrets(data, grid, byPlaces, progress)
	if err != nil {
		return err
	}
	f, err := openRegret(dir, os.O_TRUNC)
	if err != nil {
		return err
	}
	fmt.Fprintf(f, "# Regret of the automatic pick\n\n%s\n\n", machine())
	writeRegrets(f, all)
	writeRegretMeans(f, "by places of the whole file", whole)
	return f.Close()
}

// openRegret opens regret.md in dir for writing, and makes both if they do not exist.
func openRegret(dir string, flag int) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenFile(filepath.Join(dir, "regret.md"), os.O_WRONLY|os.O_CREATE|flag, 0o644)
}

// benchCross adds the cross-validation to regret.md.
func benchCross(dir, gridFile string, data []dataset, progress func(string)) error {
	data, grid, err := realGrid(gridFile, data, progress)
	if err != nil {
		return err
	}
	if len(data) < 2 {
		return errors.New("the section cross needs at least two files in -data: it fits the table to one half")
	}
	f, err := openRegret(dir, os.O_APPEND)
	if err != nil {
		return err
	}
	fmt.Fprintln(f)
	if err := halves(f, data, grid, progress); err != nil {
		return err
	}
	return f.Close()
}

// benchFit makes the table of the cost model.
func benchFit(file, gridFile string, data []dataset, progress func(string)) error {
	grid, err := loadGrid(gridFile, data, progress)
	if err != nil {
		return err
	}
	source, err := costTable(fit(grid))
	if err != nil {
		return err
	}
	return os.WriteFile(file, source, 0o644)
}
