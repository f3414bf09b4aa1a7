package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// processRounds is the minimum number of runs of each program; a run takes some
// milliseconds.
const processRounds = 15

// inMemory is a folder in memory. On a disk our command waits until its output is
// stored, but the other programs do not.
const inMemory = "/dev/shm"

// benchProcesses compares whole processes: our command with zstd, lz4 and pigz, if
// installed. Each writes a file, to the disk of temporary files and to memory.
func benchProcesses(command string, data []dataset, rounds int, progress func(string)) (all []*result, err error) {
	places := map[string]string{"": "", " (memory)": inMemory}
	if info, err := os.Stat(inMemory); err != nil || !info.IsDir() {
		delete(places, " (memory)")
	}
	for _, label := range slices.Sorted(maps.Keys(places)) {
		dir, err := os.MkdirTemp(places[label], "process")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		for _, d := range data {
			rs, err := benchProcess(command, filepath.Join(dir, "out"), d, max(rounds, processRounds), progress)
			if err != nil {
				return nil, err
			}
			for _, r := range rs {
				r.Data += label
			}
			all = append(all, rs...)
		}
	}
	return all, nil
}

// ourProcesses lists the flags with which our command is run: none, for automatic
// settings, the other aims, and the default of the library.
var ourProcesses = []string{"", "--auto memory", "--auto disk", "--auto network", "--auto wan", "--auto archive", "--auto off"}

// benchProcess compares the programs for one input and output.
func benchProcess(command, out string, d dataset, rounds int, progress func(string)) ([]*result, error) {
	var list [][]string
	for _, flags := range ourProcesses {
		args := []string{command, "compress", "-q", "--force", "-o", out}
		list = append(list, append(append(args, strings.Fields(flags)...), d.path))
	}
	list = append(list,
		[]string{"zstd", "-1", "-T2", "-q", "-f", "-o", out, d.path},
		[]string{"zstd", "-3", "-T2", "-q", "-f", "-o", out, d.path},
		[]string{"lz4", "-q", "-f", d.path, out},
		[]string{"pigz", "-c", d.path}, // pigz only writes to its standard output
	)
	rs := make([]*result, len(list))
	for round := range rounds {
		progress(fmt.Sprintf("process: %s, round %d of %d", d.name, round+1, rounds))
		for i, args := range list {
			if _, err := exec.LookPath(args[0]); err != nil {
				continue
			}
			t, size, err := timedProcess(args, out)
			if err != nil {
				return nil, err
			}
			if rs[i] == nil {
				name := args[0]
				if len(args) > 1 && name == "zstd" {
					name += " " + args[1]
				}
				rs[i] = &result{Section: "process", Data: d.name, Name: name, Workers: 2, Bytes: len(d.bytes), Stored: size, Real: d.real}
				if i < len(ourProcesses) {
					rs[i].Name, rs[i].Setting = ourName, fmt.Sprintf("[%s]", ourProcesses[i])
				}
			}
			rs[i].Compress = append(rs[i].Compress, t)
		}
	}
	return slices.DeleteFunc(rs, func(r *result) bool { return r == nil }), nil
}

// timedProcess runs a program that leaves its result in out, or writes it to
// standard output.
func timedProcess(args []string, out string) (seconds float64, size int, err error) {
	os.Remove(out)
	cmd := exec.Command(args[0], args[1:]...)
	if args[0] == "pigz" {
		f, err := os.Create(out)
		if err != nil {
			return 0, 0, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, fmt.Errorf("%v: %w", args, err)
	}
	seconds = time.Since(start).Seconds()
	info, err := os.Stat(out)
	if err != nil {
		return 0, 0, err
	}
	return seconds, int(info.Size()), nil
}

// writeProcessTable lists the processes for each dataset and, for each other
// program, the fastest of our settings that is no larger, and by how much it is
// faster.
func writeProcessTable(w io.Writer, all []*result) {
	fmt.Fprintln(w, "| data | who | ratio | MB/s | a setting of ours that is no larger | × |\n|---|---|---|---|---|---|")
	for _, r := range all {
		if r.Section != "process" {
			continue
		}
		name, verdict := r.Name+" "+r.Setting, " | "
		if r.Name != ourName {
			best := 0.0
			verdict = "none | "
			for _, o := range all {
				if o.Section == "process" && o.Name == ourName && o.Data == r.Data && o.Stored <= r.Stored {
					if x := paired(o.Compress, r.Compress); x > best {
						best, verdict = x, fmt.Sprintf("%s | %.2f", o.Setting, x)
					}
				}
			}
		}
		fmt.Fprintf(w, "| %s | %s | %.2f | %.0f | %s |\n", r.Data, name, r.ratio(), r.mbps(r.Compress), verdict)
	}
}
