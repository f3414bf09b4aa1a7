// Command bench measures this library against C-Blosc2, against the streams that Go
// programs use, and against memcpy. All are measured in turn in one run, because a
// single time means nothing on a shared machine. It writes bench/results/bench.md
// and bench.csv; with -document the charts and documents are made from these.
//
//	go run . -data DIR -oracle PROGRAM -out DIR
package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	data := flag.String("data", "../../shared/corpus/real", "folders of raw data files NAME.f4, NAME.i8, …, separated by commas")
	program := flag.String("oracle", "", "the C-Blosc2 test program; without it nothing is compared with C")
	out := flag.String("out", ".", "folder for bench.md and bench.csv")
	rounds := flag.Int("rounds", 7, "number of alternations; figures are their medians")
	reps := flag.Int("reps", 3, "runs per alternation, of which the fastest counts")
	command := flag.String("command", "", "our command, to be compared as a whole process with zstd, lz4 and pigz")
	sections := flag.String("sections", "chunk,stream,array,process,memcpy", "sections to run; fit, regret, cross (a cross-validation, added to regret.md) and search need -grid")
	grid := flag.String("grid", "", "the grid for the sections fit, regret and cross; measured if the file does not exist")
	costs := flag.String("costs", "../internal/cost/table.go", "file that the section fit writes")
	only := flag.String("only", "", "only datasets whose name contains this")
	settings := flag.String("settings", "", "settings of chunks to measure instead of the usual ones: CODEC LEVEL FILTER, separated by commas")
	workers := flag.String("workers", "1,2", "numbers of workers for chunks")
	quick := flag.Bool("quick", false, "measure one setting briefly, as a test of the program")
	documentOnly := flag.Bool("document", false, "do not measure; write docs/benchmarks.md, the charts and the README's table from results")
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
		if err := runGrid(*data, *grid, *out, *costs, *sections, *only); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	chunked, err := chunkPlan(*settings, *workers, *quick)
	if err == nil {
		err = run(*data, *program, *command, *out, *sections, *only, *rounds, *reps, chunked)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// runGrid runs the sections that evaluate the automatic pick.
func runGrid(dirs, grid, out, costs, sections, only string) error {
	data, err := loadReal(dirs)
	if err != nil {
		return err
	}
	data = slices.DeleteFunc(append(data, made()...), func(d dataset) bool { return !strings.Contains(d.name, only) })
	progress := func(s string) { fmt.Fprintln(os.Stderr, s) }
	if strings.Contains(sections, "search") {
		if err := benchSearch(out, realOf(data), gridReps, progress); err != nil {
			return err
		}
	}
	if strings.Contains(sections, "fit") {
		if err := benchFit(costs, grid, data, progress); err != nil {
			return err
		}
	}
	if strings.Contains(sections, "regret") {
		if err := benchRegret(out, grid, data, progress); err != nil {
			return err
		}
	}
	if strings.Contains(sections, "cross") {
		return benchCross(out, grid, data, progress)
	}
	return nil
}

func run(dir, program, command, out, sections, only string, rounds, reps int, chunked plan) error {
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
		for _, workers := range chunked.workers {
			if workers > 1 { // a constant value does not need a second processor
				whole = slices.DeleteFunc(whole, func(d dataset) bool { return !d.real })
			}
			rs, err := benchChunks(whole, program, chunked.settings, workers, rounds, reps, progress)
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
	if strings.Contains(sections, "memcpy") {
		all = append(all, benchCopy(append(data, made...), rounds, reps)...)
	}
	return write(out, all, rounds, reps)
}

// write writes the tables and the figures to dir. Sections that were not measured
// remain as they are. It does not make the charts: -document does.
func write(dir string, all []*result, rounds, reps int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	csvName, mdName := filepath.Join(dir, "bench.csv"), filepath.Join(dir, "bench.md")
	lines, err := keepLines(csvName, all)
	if err != nil {
		return err
	}
	var figures bytes.Buffer
	if err := writeCSV(&figures, all, lines); err != nil {
		return err
	}
	if err := os.WriteFile(csvName, figures.Bytes(), 0o644); err != nil {
		return err
	}
	old, err := os.ReadFile(mdName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var md strings.Builder
	md.WriteString("# Benchmarks\n")
	for _, s := range []struct {
		title, section string
		table          func(w io.Writer, all []*result)
	}{
		{oneThread, "chunk", func(w io.Writer, all []*result) { writeChunkTable(w, all, 1) }},
		{twoThreads, "chunk", func(w io.Writer, all []*result) { writeChunkTable(w, all, 2) }},
		{streams, "stream", writeStreamTable}, {arrays, "array", writeArrayTable}, {processes, "process", writeProcessTable}, {"memcpy", "memcpy", writeCopyTable},
	} {
		fmt.Fprintf(&md, "\n## %s\n\n", s.title)
		if slices.ContainsFunc(all, func(r *result) bool { return r.Section == s.section }) {
			rounds, reps := rounds, reps
			if s.title == processes {
				rounds, reps = max(rounds, processRounds), 1
			}
			fmt.Fprintf(&md, "%s. Medians of %d alternations, each the best of %s.\n\n", machine(), rounds, runs(reps))
			s.table(&md, all)
			continue
		}
		_, text, _ := strings.Cut(string(old), "\n## "+s.title+"\n\n")
		text, _, _ = strings.Cut(text, "\n\n## ")
		md.WriteString(strings.TrimSuffix(text, "\n") + "\n")
	}
	return os.WriteFile(mdName, []byte(md.String()), 0o644)
}

// runs returns a number of runs in words.
func runs(n int) string {
	if n == 1 {
		return "one run"
	}
	return fmt.Sprintf("%d runs", n)
}

// keepLines returns the lines of a file of figures whose section was not measured.
func keepLines(name string, all []*result) ([][]string, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	return slices.DeleteFunc(lines[1:], func(l []string) bool {
		return slices.ContainsFunc(all, func(r *result) bool { return r.Section == l[0] })
	}), nil
}
