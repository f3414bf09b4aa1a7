package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// machine describes the machine on which the figures were measured.
func machine() string {
	model := runtime.GOARCH
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				model = strings.TrimSpace(v)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s, %s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), time.Now().Format("2006-01-02"))
}

// writeCSV writes the lines of others, and every result, a line each.
func writeCSV(w io.Writer, all []*result, others [][]string) error {
	c := csv.NewWriter(w)
	c.Write([]string{"section", "data", "name", "setting", "workers", "bytes", "stored", "ratio",
		"compress_mbps", "decompress_mbps", "compress_allocs", "decompress_allocs", "runs"})
	c.WriteAll(others)
	num := func(f float64) string {
		if math.IsNaN(f) {
			return ""
		}
		return strconv.FormatFloat(f, 'f', 2, 64)
	}
	for _, r := range all {
		c.Write([]string{r.Section, r.Data, r.Name, r.Setting, strconv.Itoa(r.Workers), strconv.Itoa(r.Bytes),
			strconv.Itoa(r.Stored), num(r.ratio()), num(r.mbps(r.Compress)), num(r.mbps(r.Expand)),
			num(r.AllocsC), num(r.AllocsD), strconv.Itoa(len(r.Compress))})
	}
	c.Flush()
	return c.Error()
}

// writeChunkTable compares this library with C-Blosc2 line by line, with the given
// number of workers and threads. It shows results in which this library is slower or
// larger, too.
func writeChunkTable(w io.Writer, all []*result, workers int) {
	fmt.Fprintln(w, "| data | setting | ratio, ours / C | compress MB/s, ours / C | × C | decompress MB/s, ours / C | × C | allocations a run |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|")
	var up, down []float64
	for _, r := range all {
		if r.Section != "chunk" || r.Workers != workers || r.Reference {
			continue
		}
		i := slices.IndexFunc(all, func(c *result) bool {
			return c.Section == "chunk" && c.Workers == workers && c.Reference && c.Data == r.Data && c.Setting == r.Setting
		})
		if i < 0 {
			fmt.Fprintf(w, "| %s | %s | %.2f | %.0f | | %.0f | | %.0f / %.0f |\n", r.Data, r.Setting, r.ratio(), r.mbps(r.Compress), r.mbps(r.Expand), r.AllocsC, r.AllocsD)
			continue
		}
		c := all[i]
		u, d := paired(r.Compress, c.Compress), paired(r.Expand, c.Expand)
		if r.Real {
			up, down = append(up, u), append(down, d)
		}
		fmt.Fprintf(w, "| %s | %s | %.2f / %.2f | %.0f / %.0f | %.2f | %.0f / %.0f | %.2f | %.0f / %.0f |\n", r.Data, r.Setting,
			r.ratio(), c.ratio(), r.mbps(r.Compress), c.mbps(c.Compress), u, r.mbps(r.Expand), c.mbps(c.Expand), d, r.AllocsC, r.AllocsD)
	}
	if len(up) > 0 {
		fmt.Fprintf(w, "\nGeometric mean over the real data: compress %.2f × C, decompress %.2f × C, both %.2f × C.\n",
			geomean(up), geomean(down), geomean(slices.Concat(up, down)))
	}
}

// writeStreamTable lists the streams of each dataset, the smallest result
// first, and for each peer whether one setting of ours beats it.
func writeStreamTable(w io.Writer, all []*result) {
	fmt.Fprintln(w, "| data | who | setting | workers | ratio | compress MB/s | decompress MB/s | a setting of ours that is no larger | × compress | × decompress |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range all {
		if r.Section != "stream" {
			continue
		}
		verdict := " | | "
		if r.Name != ourName && r.Stored < r.Bytes {
			verdict = "none | | "
			best := 0.0
			for _, o := range all {
				if o.Section != "stream" || o.Name != ourName || o.Data != r.Data || o.Workers != r.Workers || o.Stored > r.Stored {
					continue
				}
				u, d := paired(o.Compress, r.Compress), paired(o.Expand, r.Expand)
				if m := min(u, d); m > best {
					best = m
					verdict = fmt.Sprintf("%s | %.2f | %.2f", o.Setting, u, d)
				}
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %d | %.2f | %.0f | %.0f | %s |\n", r.Data, r.Name, r.Setting, r.Workers, r.ratio(), r.mbps(r.Compress), r.mbps(r.Expand), verdict)
	}
}
