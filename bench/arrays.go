package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// An arrayCase is an array that C-Blosc2 writes and that both libraries read.
type arrayCase struct {
	shape, chunk, block []int64
	codec               string
}

var arrayCases = []arrayCase{
	{[]int64{8192, 4096}, []int64{512, 4096}, []int64{16, 4096}, "lz4"},
	{[]int64{8192, 4096}, []int64{1024, 1024}, []int64{64, 256}, "lz4"},
	{[]int64{320, 320, 320}, []int64{80, 160, 160}, []int64{16, 32, 80}, "lz4"},
	{[]int64{319, 321, 317}, []int64{80, 150, 170}, []int64{15, 31, 83}, "zstd"},
	{[]int64{75, 75, 75, 75}, []int64{25, 25, 50, 50}, []int64{5, 13, 25, 50}, "lz4"},
}

func (c arrayCase) String() string {
	return fmt.Sprintf("%s %s/%s/%s", c.codec, list(c.shape), list(c.chunk), list(c.block))
}

func list(s []int64) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(s), " ", ","), "[]") }

// wave returns an array of float32 that compresses about as well as measurements
// do.
func wave(items int64) []byte {
	b := make([]byte, 0, 4*items)
	rnd := rand.New(rand.NewPCG(2, 3))
	for i := range items {
		v := 280 + 10*math.Sin(float64(i)/3000) + float64(rnd.IntN(100))/100
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(math.Round(v*50)/50)))
	}
	return b
}

// benchArrays reads the same files of C-Blosc2 whole and in windows, with one
// thread each. C's time is that of its process minus that of a process that reads
// an array of a few bytes.
func benchArrays(program string, rounds int, progress func(string)) ([]*result, error) {
	dir, err := os.MkdirTemp("", "arrays")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	raw, tiny := filepath.Join(dir, "raw"), filepath.Join(dir, "tiny.b2nd")
	c := func(args ...string) (float64, error) {
		start := time.Now()
		out, err := exec.Command(program, args...).CombinedOutput()
		if err != nil {
			err = fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
		}
		return time.Since(start).Seconds(), err
	}
	if err := os.WriteFile(raw, make([]byte, 16), 0o644); err != nil {
		return nil, err
	}
	if _, err := c("write-b2nd", "--shape", "4", "--chunkshape", "4", "--blockshape", "4", "--dtype", "<f4", raw, tiny); err != nil {
		return nil, err
	}
	var all []*result
	for i, ac := range arrayCases {
		items := int64(1)
		for _, n := range ac.shape {
			items *= n
		}
		path := filepath.Join(dir, fmt.Sprintf("%d.b2nd", i))
		if err := os.WriteFile(raw, wave(items), 0o644); err != nil {
			return nil, err
		}
		if _, err := c("write-b2nd", "--codec", ac.codec, "--clevel", "5", "--shape", list(ac.shape), "--chunkshape", list(ac.chunk),
			"--blockshape", list(ac.block), "--dtype", "<f4", raw, path); err != nil {
			return nil, err
		}
		rs, err := arrayPair(c, ac, path, tiny, rounds, progress)
		if err != nil {
			return nil, err
		}
		all = append(all, rs...)
		os.Remove(path)
	}
	return all, nil
}

// leastWindow is the size of the smallest window that is timed: for a smaller one
// the start of C's process, which is subtracted, would take most of the time.
const leastWindow = 1 << 20

// arrayPair compares reads of one array, whole and in three windows that touch no
// edge.
func arrayPair(c func(...string) (float64, error), ac arrayCase, path, tiny string, rounds int, progress func(string)) ([]*result, error) {
	windows := []b2nd.Window{b2nd.All(ac.shape)}
	for _, part := range []int64{2, 4, 8} {
		w := b2nd.All(ac.shape)
		for d, n := range ac.shape {
			w[d].Start, w[d].Stop = n/part/2+1, n/part/2+1+n/part
		}
		windows = append(windows, w)
	}
	var all []*result
	for i, w := range windows {
		what := "whole"
		args := []string{"read-b2nd", path, os.DevNull}
		if i > 0 {
			var start, stop []int64
			for _, s := range w {
				start, stop = append(start, s.Start), append(stop, s.Stop)
			}
			what = "window of " + list(w.Shape())
			args = []string{"slice-b2nd", "--start", list(start), "--stop", list(stop), path, os.DevNull}
		}
		size := int64(4)
		for _, n := range w.Shape() {
			size *= n
		}
		if size < leastWindow {
			continue
		}
		progress(fmt.Sprintf("array: %v, %s", ac, what))
		ours := &result{Section: "array", Data: ac.String(), Name: ourName, Setting: what, Workers: 1, Bytes: int(size)}
		theirs := &result{Section: "array", Data: ac.String(), Name: "C-Blosc2", Setting: what, Workers: 1, Bytes: int(size), Reference: true}
		for range rounds {
			idle, err := c("read-b2nd", tiny, os.DevNull)
			if err != nil {
				return nil, err
			}
			t, err := c(args...)
			if err != nil {
				return nil, err
			}
			theirs.Expand = append(theirs.Expand, max(t-idle, 1e-6))
			start := time.Now()
			if err := readArray(path, w, size); err != nil {
				return nil, err
			}
			ours.Expand = append(ours.Expand, time.Since(start).Seconds())
		}
		all = append(all, ours, theirs)
	}
	return all, nil
}

// readArray opens the file and reads a window, as C's process does.
func readArray(path string, w b2nd.Window, size int64) error {
	a, err := b2nd.OpenFile(path, b2nd.Workers(1))
	if err != nil {
		return err
	}
	defer a.Close()
	buf := make([]byte, size)
	if err := a.ReadWindow(buf, w); err != nil {
		return err
	}
	_, err = io.Discard.Write(buf)
	return err
}

func writeArrayTable(w io.Writer, all []*result) {
	fmt.Fprintln(w, "| array of float32 (shape/chunks/blocks) | what | MB/s, ours / C | × C |\n|---|---|---|---|")
	for i := 0; i+1 < len(all); i++ {
		if o, c := all[i], all[i+1]; o.Section == "array" && !o.Reference && c.Reference {
			fmt.Fprintf(w, "| %s | %s | %.0f / %.0f | %.2f |\n", o.Data, o.Setting, o.mbps(o.Expand), c.mbps(c.Expand), paired(o.Expand, c.Expand))
		}
	}
}
