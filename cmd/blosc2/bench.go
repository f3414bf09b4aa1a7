package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/filters"
)

// benchCmd is "blosc2 bench".
type benchCmd struct {
	By       string
	TypeSize *int
	Sample   size
	All      bool
	File     string
}

// What is tried: settings that C-Blosc2 reads, and that lose nothing.
var (
	benchCodecs  = []blosc2.CodecID{blosc2.CodecBloscLZ, blosc2.CodecLZ4, blosc2.CodecLZ4HC, blosc2.CodecZlib, blosc2.CodecZstd}
	benchLevels  = []int{1, 5, 9}
	benchFilters = []string{"none", "shuffle", "bitshuffle", "delta,shuffle", "shuffle,bytedelta"}
)

const (
	benchChunk = 1 << 20
	benchTime  = 30 * time.Millisecond // at least so long, or so often:
	benchRuns  = 3
	benchShown = 20
)

func (c *benchCmd) define(g *grammar) {
	c.By, c.Sample = "balanced", 4<<20
	g.choice(&c.By, "by", "Sort by `WHAT`: balanced (unless given), ratio, compress or decompress.", "balanced", "ratio", "compress", "decompress")
	g.number(&c.TypeSize, "typesize", "t", typeSizeHelp)
	g.bytes(&c.Sample, "sample", "How much of the file is tried: `SIZE` bytes, 4M unless given.")
	g.BoolVar(&c.All, "all", false, "Print every candidate, not only the best twenty and the Pareto front.")
	g.argument(&c.File, "FILE", "Raw data.")
}

// A trial is one setting and how it did.
type trial struct {
	params                      chunk.Params
	ratio, compress, decompress float64 // MB/s of uncompressed bytes
	pareto                      bool    // no other one is better in everything
}

// Run tries settings on a sample of the file.
func (c *benchCmd) Run(e *env) error {
	sample, err := readSample(c.File, int64(c.Sample))
	if err != nil {
		return about(c.File, err)
	}
	typeSize := 0
	if c.TypeSize != nil {
		typeSize = *c.TypeSize
	} else if typeSize, err = typeSizeOf(c.File, sample); err != nil {
		return err
	}
	candidates, err := benchCandidates(typeSize)
	if err != nil {
		return err
	}
	bar := e.newBar(c.File, int64(len(candidates)*len(sample)))
	trials := make([]trial, len(candidates))
	for i, p := range candidates {
		if trials[i], err = try(p, sample); err != nil {
			bar.end()
			return about(c.File, err)
		}
		bar.add(int64(i * len(sample)))
	}
	bar.end()
	markPareto(trials)
	slices.SortStableFunc(trials, func(a, b trial) int { return cmp.Compare(b.score(c.By), a.score(c.By)) })
	return c.print(e.stdout, trials, len(sample))
}

// readSample reads pieces of a chunk's size, evenly spread over the file.
func readSample(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, errIsDir
	}
	size := info.Size()
	if size == 0 {
		return nil, errors.New("is empty")
	}
	if size <= most {
		return io.ReadAll(f)
	}
	pieces := max(1, most/benchChunk)
	length := min(most, benchChunk)
	var sample []byte
	for i := range pieces {
		at := (size - length) / max(1, pieces-1) * i
		piece := make([]byte, length)
		if _, err := f.ReadAt(piece, at-at%256); err != nil { // whole items, if they are no odd size
			return nil, err
		}
		sample = append(sample, piece...)
	}
	return sample, nil
}

func benchCandidates(typeSize int) ([]chunk.Params, error) {
	var all []chunk.Params
	for _, spelled := range benchFilters {
		pipeline, err := filters.Parse(spelled)
		if err != nil {
			return nil, err
		}
		if typeSize == 1 && pipeline.Has(blosc2.FilterShuffle) {
			continue // there is nothing to shuffle
		}
		for _, codec := range benchCodecs {
			for _, level := range benchLevels {
				p := chunk.Params{Codec: codec, Level: level, TypeSize: typeSize, Filters: pipeline}
				if err := p.Validate(); err != nil {
					return nil, err
				}
				all = append(all, p)
				if pipeline.Empty() && seesValues(codec, typeSize) {
					p.BlockSize = benchChunk
					all = append(all, p)
				}
			}
		}
	}
	return all, nil
}

// seesValues reports whether the codec looks for values that repeat as a whole: the
// larger the blocks, the more it finds.
func seesValues(codec blosc2.CodecID, typeSize int) bool {
	return typeSize%8 == 0 && (codec == blosc2.CodecLZ4HC || codec == blosc2.CodecZstd)
}

// blocks says what the blocks are, as --block takes it; nothing where they are
// as C-Blosc2 chooses them.
func blocks(p chunk.Params) string {
	if p.BlockSize == 0 {
		return ""
	}
	return fmt.Sprintf("%dK", p.BlockSize>>10)
}

// try measures one setting: the least time of some runs.
func try(p chunk.Params, sample []byte) (trial, error) {
	t := trial{params: p}
	enc, err := chunk.NewEncoder(p)
	if err != nil {
		return t, err
	}
	var dec chunk.Decoder
	dec.TypeSize = p.TypeSize
	var chunks [][]byte
	stored := 0
	for src := range slices.Chunk(sample, benchChunk) {
		c, err := enc.Encode(nil, src)
		if err != nil {
			return t, err
		}
		back, err := dec.Decode(nil, c)
		if err != nil {
			return t, err
		}
		if !bytes.Equal(back, src) {
			return t, fmt.Errorf("%s with %s: other bytes came back", p.Codec, p.Filters)
		}
		stored += len(c)
		chunks = append(chunks, c)
	}
	buf := make([]byte, 0, chunk.Bound(benchChunk))
	mb := float64(len(sample)) / 1e6
	t.ratio = float64(len(sample)) / float64(stored)
	t.compress = mb / least(func() {
		for src := range slices.Chunk(sample, benchChunk) {
			_, err = enc.Encode(buf, src)
		}
	})
	t.decompress = mb / least(func() {
		for _, c := range chunks {
			_, err = dec.Decode(buf, c)
		}
	})
	return t, err
}

// least returns the seconds of the fastest run.
func least(run func()) float64 {
	best, total := math.Inf(1), time.Duration(0)
	for n := 0; n < benchRuns || total < benchTime; n++ {
		begun := time.Now()
		run()
		took := time.Since(begun)
		total += took
		best = min(best, took.Seconds())
	}
	return best
}

// score is what is sorted by; more is better. Balanced is the speed of a file
// that is compressed, goes over a line of 500 MB/s and is decompressed.
func (t *trial) score(by string) float64 {
	switch by {
	case "ratio":
		return t.ratio
	case "compress":
		return t.compress
	case "decompress":
		return t.decompress
	}
	return 1 / (1/t.compress + 1/(500*t.ratio) + 1/t.decompress)
}

// markPareto marks the trials that no other one beats in everything.
func markPareto(trials []trial) {
	for i := range trials {
		a := &trials[i]
		a.pareto = !slices.ContainsFunc(trials, func(b trial) bool {
			return b.ratio >= a.ratio && b.compress >= a.compress && b.decompress >= a.decompress &&
				(b.ratio > a.ratio || b.compress > a.compress || b.decompress > a.decompress)
		})
	}
}

func (c *benchCmd) print(w io.Writer, trials []trial, sample int) error {
	fmt.Fprintf(w, "%s: %s tried, items of %d bytes, chunks of %s, one thread; sorted by %s\n\n", c.File,
		count(int64(sample), "byte"), trials[0].params.TypeSize, commas(benchChunk), c.By)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "codec\tlevel\tfilters\tblocks\tratio\tcompress\tdecompress\t\t")
	for i, t := range trials {
		if i >= benchShown && !t.pareto && !c.All {
			continue
		}
		mark := ""
		if t.pareto {
			mark = "*"
		}
		fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%.2f\t%.0f MB/s\t%.0f MB/s\t%s\t\n", t.params.Codec, t.params.Level, t.params.Filters, blocks(t.params), t.ratio, t.compress, t.decompress, mark)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	best := trials[0].params
	block := ""
	if b := blocks(best); b != "" {
		block = " --block " + b
	}
	_, err := fmt.Fprintf(w, "\n* no other is better in all three (Pareto front)\n\nblosc2 compress -c %s -l %d -t %d -f %s%s %s\n",
		best.Codec, best.Level, best.TypeSize, best.Filters, block, c.File)
	return err
}
