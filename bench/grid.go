package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
	"github.com/seed03b80dae/blosc2/internal/cost"
)

// A cell is the result of one setting for the chunks of one file, on one thread.
type cell struct {
	data    string
	params  chunk.Params
	bytes   int
	stored  int
	seconds [2]float64 // seconds to compress and to decompress
	work    cost.Work
}

// cost returns the nanoseconds that a byte takes to be compressed, moved twice
// through a link of the given bytes per second, and decompressed.
func (c *cell) cost(link float64) float64 {
	n := float64(c.bytes)
	return 1e9 * (c.seconds[0]/n + c.seconds[1]/n + 2*float64(c.stored)/n/link)
}

// speed returns the speed of compression in MB/s.
func (c *cell) speed() float64 { return float64(c.bytes) / 1e6 / c.seconds[0] }

// gridCodecs lists the codecs and levels of the grid. blocks is false for levels
// that are too slow to try with every block size.
var gridCodecs = []struct {
	id     blosc2.CodecID
	level  int
	blocks bool
}{
	{blosc2.CodecLZ4, 0, false},
	{blosc2.CodecLZ4, 1, true}, {blosc2.CodecLZ4, 5, true}, {blosc2.CodecLZ4, 9, true},
	{blosc2.CodecBloscLZ, 5, false},
	{blosc2.CodecLZ4HC, 1, true}, {blosc2.CodecLZ4HC, 5, true}, {blosc2.CodecLZ4HC, 9, false},
	{blosc2.CodecZlib, 1, true}, {blosc2.CodecZlib, 5, true},
	{blosc2.CodecZstd, 1, true}, {blosc2.CodecZstd, 2, true}, {blosc2.CodecZstd, 3, true}, {blosc2.CodecZstd, 4, true},
	{blosc2.CodecZstd, 5, true}, {blosc2.CodecZstd, 6, true}, {blosc2.CodecZstd, 7, false},
	{blosc2.CodecZstd, 8, false}, {blosc2.CodecZstd, 9, false},
}

// gridFilters lists the pipelines of the grid.
var gridFilters = []string{"none", "shuffle", "bitshuffle", "bytedelta:1", "shuffle,bytedelta"}

// gridBlocks lists the block sizes; 0 means C-Blosc2's choice.
var gridBlocks = []int{0, 256 << 10, 1 << 20}

// gridWidths returns the item widths to try for a file with items of the given
// width: fields of a record may be narrower.
func gridWidths(typesize int) []int {
	if typesize > 8 {
		return []int{typesize, 8, 4}
	}
	return []int{typesize}
}

// gridParams lists the settings of the grid for a width.
func gridParams(width int) (all []chunk.Params, err error) {
	for _, name := range gridFilters {
		f, err := filters.Parse(name)
		if err != nil {
			return nil, err
		}
		if width == 1 && f.Has(blosc2.FilterShuffle) {
			continue
		}
		f = f.Explicit(width)
		splits := []blosc2.SplitMode{blosc2.SplitNever}
		if width > 1 && width <= 16 && (f.Has(blosc2.FilterShuffle) || f.Has(blosc2.FilterBitShuffle)) {
			splits = append(splits, blosc2.SplitAlways)
		}
		for _, c := range gridCodecs {
			for i, block := range gridBlocks {
				for j, split := range splits {
					if i == 1 && !c.blocks || i == 2 && !c.blocks && !f.Empty() || c.level == 0 && (!f.Empty() || i+j > 0) {
						continue
					}
					all = append(all, chunk.Params{Codec: c.id, Level: c.level, TypeSize: width, BlockSize: block, Filters: f, Split: split, PlainZeros: true})
				}
			}
		}
	}
	return all, nil
}

// gridChunks returns at most n chunks, spread over d.
func gridChunks(d dataset, n int) (chunks [][]byte) {
	size := chunkSize - chunkSize%d.typesize
	whole := len(d.bytes) / size
	if whole == 0 {
		return [][]byte{d.bytes}
	}
	n = min(n, whole)
	for i := range n {
		at := (2*i + 1) * whole / (2 * n) * size
		chunks = append(chunks, d.bytes[at:at+size])
	}
	return chunks
}

// measure runs one setting over chunks.
func measure(name string, p chunk.Params, chunks [][]byte, reps int) (*cell, error) {
	c := &cell{data: name, params: p}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		return nil, err
	}
	var dec chunk.Decoder
	dec.TypeSize = p.TypeSize
	var stored, back []byte
	for _, src := range chunks {
		run := []func() error{
			func() (err error) { stored, err = enc.Encode(stored[:0], src); return err },
			func() (err error) { back, err = dec.Decode(back[:0], stored); return err },
		}
		for i, f := range run {
			t, err := leastCPU(reps, f)
			if err != nil {
				return nil, err
			}
			c.seconds[i] += t
		}
		work, err := cost.Of(stored, &p)
		if err != nil {
			return nil, err
		}
		c.work.Add(&work)
		c.bytes += len(src)
		c.stored += len(stored)
		if !bytes.Equal(back, src) {
			return nil, fmt.Errorf("%s: %v: the data do not round-trip", name, p)
		}
	}
	return c, nil
}

// leastCPU returns the least time of several runs of f, or of one if it takes long.
func leastCPU(reps int, f func() error) (float64, error) {
	const long = 10 * time.Millisecond
	best, total := math.Inf(1), time.Duration(0)
	for n := 0; n < reps && total < long; n++ {
		begun := cpuTime()
		if err := f(); err != nil {
			return 0, err
		}
		t := cpuTime() - begun
		total += t
		best = min(best, t.Seconds())
	}
	return max(best, 1e-7), nil
}

// makeGrid measures every setting on every file.
func makeGrid(data []dataset, perFile, reps int, progress func(string)) ([]*cell, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all []*cell
	for _, d := range data {
		chunks := gridChunks(d, perFile)
		for _, w := range gridWidths(d.typesize) {
			list, err := gridParams(w)
			if err != nil {
				return nil, err
			}
			progress(fmt.Sprintf("grid: %s, items of %d, %d settings", d.name, w, len(list)))
			for _, p := range list {
				c, err := measure(d.name, p, chunks, reps)
				if err != nil {
					return nil, err
				}
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// writeGrid writes a grid as CSV, which readGrid reads.
func writeGrid(w io.Writer, grid []*cell) error {
	out := csv.NewWriter(w)
	for _, c := range grid {
		p := c.params
		if err := out.Write([]string{c.data, strconv.Itoa(p.TypeSize), p.Codec.String(), strconv.Itoa(p.Level), p.Filters.String(), p.Split.String(), strconv.Itoa(p.BlockSize),
			strconv.Itoa(c.bytes), strconv.Itoa(c.stored), fmt.Sprintf("%.7f", c.seconds[0]), fmt.Sprintf("%.7f", c.seconds[1]),
			strconv.Itoa(c.work.Sequences), strconv.Itoa(c.work.Literals), strconv.Itoa(c.work.Coded), strconv.Itoa(c.work.Raw), strconv.Itoa(c.work.Probes), strconv.Itoa(c.work.Far)}); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func readGrid(name string) (grid []*cell, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		c := &cell{data: r[0], params: chunk.Params{PlainZeros: true}}
		numbers := []struct {
			text string
			dst  *int
		}{{r[1], &c.params.TypeSize}, {r[3], &c.params.Level}, {r[6], &c.params.BlockSize}, {r[7], &c.bytes}, {r[8], &c.stored},
			{r[11], &c.work.Sequences}, {r[12], &c.work.Literals}, {r[13], &c.work.Coded}, {r[14], &c.work.Raw}, {r[15], &c.work.Probes}, {r[16], &c.work.Far}}
		for _, n := range numbers {
			if *n.dst, err = strconv.Atoi(n.text); err != nil {
				return nil, err
			}
		}
		c.work.Bytes, c.work.Stored = c.bytes, c.stored
		for i := range c.seconds {
			if c.seconds[i], err = strconv.ParseFloat(r[9+i], 64); err != nil {
				return nil, err
			}
		}
		if err := c.params.Split.UnmarshalText([]byte(r[5])); err != nil {
			return nil, err
		}
		if c.params.Filters, err = filters.Parse(r[4]); err != nil {
			return nil, err
		}
		if c.params.Codec, err = codecNamed(r[2]); err != nil {
			return nil, err
		}
		grid = append(grid, c)
	}
	return grid, nil
}

// codecNamed returns the codec with the given name.
func codecNamed(name string) (blosc2.CodecID, error) {
	if id, ok := codecIDs[name]; ok {
		return id, nil
	}
	return 0, fmt.Errorf("unknown codec %q", name)
}
