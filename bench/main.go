// Command bench measures this library against C-Blosc2, against the streams that Go
// programs use, and against memcpy. All are measured in turn in one run, because a
// single time means nothing on a shared machine. It writes bench/results/bench.md
// and bench.csv; with -document the charts and documents are made from these.
//
//	go run . -data DIR -oracle PROGRAM -out DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	data := flag.String("data", "../../shared/corpus/real", "folders of raw data files NAME.f4, NAME.i8, …, with commas between them")
	program := flag.String("oracle", "", "the C-Blosc2 test program; without it C takes no part")
	out := flag.String("out", ".", "folder for bench.md and bench.csv")
	rounds := flag.Int("rounds", 7, "alternations; the figures are medians over them")
	reps := flag.Int("reps", 3, "runs an alternation, of which the fastest counts")
	command := flag.String("command", "", "our command, to be compared as a whole process with zstd, lz4 and pigz")
	sections := flag.String("sections", "chunk,stream,array,process", "what to run; also regret and fit, which need -grid")
	grid := flag.String("grid", "", "the grid that the sections regret and fit use: made if there is no such file")
	costs := flag.String("costs", "../internal/cost/table.go", "what the section fit writes")
	cross := flag.Bool("cross", false, "in the section regret, cross-validate")
	only := flag.String("only", "", "only datasets whose name contains this")
	quick := flag.Bool("quick", false, "one setting and little time, to see that it works")
	documentOnly := flag.Bool("document", false, "measure nothing: write docs/benchmarks.md, the charts and the README's table from results")
	flag.Parse()
	if *documentOnly {
		if err := writeDocuments(".."); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if *quick {
		*rounds, *reps = 1, 1
	}
	if *grid != "" {
		if err := runGrid(*data, *grid, *out, *costs, *sections, *only, *cross); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*data, *program, *command, *out, *sections, *only, *rounds, *reps, *quick); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// runGrid runs the sections on automatic settings.
func runGrid(dirs, grid, out, costs, sections, only string, cross bool) error {
	data, err := loadReal(dirs)
	if err != nil {
		return err
	}
	data = slices.DeleteFunc(data, func(d dataset) bool { return !strings.Contains(d.name, only) })
	progress := func(s string) { fmt.Fprintln(os.Stderr, s) }
	if strings.Contains(sections, "fit") {
		if err := benchFit(costs, grid, data, progress); err != nil {
			return err
		}
	}
	if strings.Contains(sections, "regret") {
		return benchRegret(out, grid, data, cross, progress)
	}
	return nil
}

func run(dir, program, command, out, sections, only string, rounds, reps int, quick bool) error {
	data, err := loadReal(dir)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	made, err := synthetic(tmp)
	if err != nil {
		return err
	}
	keep := func(all []dataset) (some []dataset) {
		for _, d := range all {
			if strings.Contains(d.name, only) {
				some = append(some, d)
			}
		}
		return some
	}
	data, made = keep(data), keep(made)
	progress := func(s string) { fmt.Fprintln(os.Stderr, s) }

	var all []*result
	if strings.Contains(sections, "chunk") {
		whole, err := wholeChunks(append(data[:len(data):len(data)], made...), tmp)
		if err != nil {
			return err
		}
		for _, workers := range []int{1, 2} {
			if workers > 1 { // a constant value needs no second processor
				whole = slices.DeleteFunc(whole, func(d dataset) bool { return !d.real })
			}
			rs, err := benchChunks(whole, program, chunkSettings(quick), workers, rounds, reps, progress)
			if err != nil {
				return err
			}
			all = append(all, rs...)
		}
	}
	if strings.Contains(sections, "stream") {
		for _, workers := range []int{1, 2} {
			rs, err := benchStreams(data, workers, rounds, reps, progress)
			if err != nil {
				return err
			}
			all = append(all, rs...)
		}
	}
	if strings.Contains(sections, "array") && program != "" {
		rs, err := benchArrays(program, rounds, progress)
		if err != nil {
			return err
		}
		all = append(all, rs...)
	}
	if strings.Contains(sections, "process") && command != "" {
		rs, err := benchProcesses(command, data, rounds, progress)
		if err != nil {
			return err
		}
		all = append(all, rs...)
	}
	all = append(all, benchCopy(append(data, made...), rounds, reps)...)
	return write(out, all, rounds, reps)
}

// write puts the tables and the figures into dir. With -document the charts are
// made from these.
func write(dir string, all []*result, rounds, reps int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "bench.csv"))
	if err != nil {
		return err
	}
	if err := writeCSV(f, all); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	var md strings.Builder
	fmt.Fprintf(&md, "# Benchmarks\n\n%s. Medians of %d alternations, each the best of %d runs.\n\n## Chunks against C-Blosc2, one thread\n\n", machine(), rounds, reps)
	writeChunkTable(&md, all, 1)
	md.WriteString("\n## Chunks against C-Blosc2, two workers or threads\n\n")
	writeChunkTable(&md, all, 2)
	md.WriteString("\n## Streams against Go peers\n\n")
	writeStreamTable(&md, all)
	md.WriteString("\n## Arrays against C-Blosc2, one thread\n\n")
	writeArrayTable(&md, all)
	md.WriteString("\n## Whole processes\n\n")
	writeProcessTable(&md, all)
	md.WriteString("\n## memcpy\n\n")
	writeCopyTable(&md, all)
	return os.WriteFile(filepath.Join(dir, "bench.md"), []byte(md.String()), 0o644)
}
