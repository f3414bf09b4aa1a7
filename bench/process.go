package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// benchProcesses compares whole processes: our command against zstd, lz4 and
// pigz where they are installed, each writing a file.
func benchProcesses(command string, data []dataset, rounds int, progress func(string)) ([]*result, error) {
	dir, err := os.MkdirTemp("", "process")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "out")
	var all []*result
	for _, d := range data {
		ts := fmt.Sprint(d.typesize)
		ours := func(flags ...string) []string {
			return append([]string{command, "compress", "-q", "--force", "-t", ts, "-o", out}, append(flags, d.path)...)
		}
		list := [][]string{
			ours(), ours("--auto", "speed"), ours("--auto", "balanced"), ours("-c", "zstd", "-l", "1"), ours("-c", "zstd", "-l", "1", "-f", "shuffle,bytedelta"),
			{"zstd", "-1", "-T2", "-q", "-f", "-o", out, d.path},
			{"lz4", "-q", "-f", d.path, out},
			{"pigz", "-c", d.path}, // which writes to its standard output only
		}
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
					rs[i] = &result{Section: "process", Data: d.name, Name: args[0], Workers: 2, Bytes: len(d.bytes), Stored: size, Real: d.real}
					if args[0] == command {
						rs[i].Name = ourName
						rs[i].Setting = fmt.Sprint(args[8 : len(args)-1])
					}
				}
				rs[i].Compress = append(rs[i].Compress, t)
			}
		}
		for _, r := range rs {
			if r != nil {
				all = append(all, r)
			}
		}
	}
	return all, nil
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

// writeProcessTable lists the processes of each dataset, and for the others
// which setting of ours is no larger and how much faster.
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
