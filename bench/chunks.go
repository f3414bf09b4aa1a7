package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/chunk"
)

// chunkSize is the size of the chunks into which every contestant of this section
// cuts the data.
const chunkSize = 1 << 20

// wholeChunks truncates the data, and the file that holds them, to whole chunks. A
// short chunk would make a context of C-Blosc2 keep its smaller block size for the next
// run.
func wholeChunks(data []dataset, dir string) ([]dataset, error) {
	var cut []dataset
	for _, d := range data {
		size := chunkSize - chunkSize%d.typesize
		if len(d.bytes) < size {
			continue
		}
		d.bytes = d.bytes[:len(d.bytes)/size*size]
		d.path = filepath.Join(dir, "whole-"+d.name)
		if err := os.WriteFile(d.path, d.bytes, 0o644); err != nil {
			return nil, err
		}
		cut = append(cut, d)
	}
	return cut, nil
}

// A setting is a choice of codec, level and filter, used for both this library and
// C-Blosc2.
type setting struct {
	codec  string
	level  int
	filter string
}

func (s setting) String() string { return fmt.Sprintf("%s %d %s", s.codec, s.level, s.filter) }

// chunkSettings lists the settings that are compared with C-Blosc2.
func chunkSettings(quick bool) []setting {
	if quick {
		return []setting{{"lz4", 5, "shuffle"}}
	}
	return []setting{
		{"lz4", 1, "shuffle"}, {"lz4", 5, "shuffle"}, {"lz4", 9, "shuffle"}, {"lz4", 5, "bitshuffle"}, {"lz4", 5, "none"},
		{"blosclz", 1, "shuffle"}, {"blosclz", 5, "shuffle"}, {"blosclz", 9, "shuffle"}, {"blosclz", 5, "bitshuffle"},
		{"lz4hc", 5, "shuffle"},
		{"zlib", 1, "shuffle"}, {"zlib", 5, "shuffle"},
		{"zstd", 1, "shuffle"}, {"zstd", 2, "shuffle"}, {"zstd", 3, "shuffle"}, {"zstd", 5, "shuffle"}, {"zstd", 9, "shuffle"},
		{"zstd", 1, "none"}, {"zstd", 3, "none"}, {"zstd", 5, "none"},
	}
}

// A plan says what the section of chunks measures.
type plan struct {
	settings []setting
	workers  []int
}

// chunkPlan returns the plan for the flags -settings and -workers.
func chunkPlan(settings, workers string, quick bool) (p plan, err error) {
	p.settings = chunkSettings(quick)
	if settings != "" {
		p.settings = nil
		for one := range strings.SplitSeq(settings, ",") {
			var s setting
			if _, err := fmt.Sscanf(one, "%s %d %s", &s.codec, &s.level, &s.filter); err != nil {
				return p, fmt.Errorf("-settings: %q: must be CODEC LEVEL FILTER: %w", one, err)
			}
			if _, ok := codecIDs[s.codec]; !ok || s.filter != "none" && s.filter != "shuffle" && s.filter != "bitshuffle" {
				return p, fmt.Errorf("-settings: %q: must be a codec of C-Blosc2 and none, shuffle or bitshuffle", one)
			}
			p.settings = append(p.settings, s)
		}
	}
	for one := range strings.SplitSeq(workers, ",") {
		n, err := strconv.Atoi(one)
		if err != nil || n < 1 {
			return p, fmt.Errorf("-workers: %q: must be a number from 1 on", one)
		}
		p.workers = append(p.workers, n)
	}
	return p, nil
}

// params returns the parameters of our encoder for the setting.
func (s setting) params(typesize int) chunk.Params {
	p := chunk.Default()
	p.Codec, p.Level, p.TypeSize = codecIDs[s.codec], s.level, typesize
	switch s.filter {
	case "none":
		p.Filters.IDs[5] = blosc2.FilterNone
	case "bitshuffle":
		p.Filters.IDs[5] = blosc2.FilterBitShuffle
	}
	return p
}

// chunkOurs prepares the compression of d chunk by chunk, with our encoder on one
// goroutine.
func chunkOurs(d dataset, s setting) (compress, expand func() error, stored func() int, err error) {
	enc, err := chunk.NewEncoder(s.params(d.typesize))
	if err != nil {
		return nil, nil, nil, err
	}
	var dec chunk.Decoder
	n := (len(d.bytes) + chunkSize - 1) / chunkSize
	chunks := make([][]byte, n)
	size := chunkSize - chunkSize%d.typesize
	for i := range chunks {
		chunks[i] = make([]byte, 0, chunk.Bound(size))
	}
	back := make([]byte, 0, len(d.bytes))
	compress = func() error {
		for i := range chunks {
			src := d.bytes[min(i*size, len(d.bytes)):min((i+1)*size, len(d.bytes))]
			var err error
			if chunks[i], err = enc.Encode(chunks[i][:0], src); err != nil {
				return err
			}
		}
		return nil
	}
	expand = func() error {
		back = back[:0]
		for _, c := range chunks {
			var err error
			if back, err = dec.Decode(back, c); err != nil {
				return err
			}
		}
		return nil
	}
	stored = func() int {
		sum := 0
		for _, c := range chunks {
			sum += len(c)
		}
		return sum
	}
	if err := compress(); err != nil {
		return nil, nil, nil, err
	}
	if err := expand(); err != nil {
		return nil, nil, nil, err
	}
	if string(back) != string(d.bytes) {
		return nil, nil, nil, fmt.Errorf("%s, %v: the data do not round-trip", d.name, s)
	}
	return compress, expand, stored, nil
}

// A cRun is the output of the verb bench of the C-Blosc2 test program.
type cRun struct {
	Library     string  `json:"library"`
	CBytes      int     `json:"cbytes"`
	CompressS   float64 `json:"compress_s"`
	DecompressS float64 `json:"decompress_s"`
}

// chunkC prepares the compression of d chunk by chunk with C-Blosc2. Its times are
// the least of reps runs, measured inside its process.
func chunkC(program string, d dataset, s setting, threads, reps int) (cRun, error) {
	size := chunkSize - chunkSize%d.typesize
	var r cRun
	out, err := exec.Command(program, "bench", "--codec", s.codec, "--clevel", strconv.Itoa(s.level),
		"--filters", s.filter, "--typesize", strconv.Itoa(d.typesize), "--chunksize", strconv.Itoa(size),
		"--threads", strconv.Itoa(threads), "--reps", strconv.Itoa(reps), d.path).Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(e.Stderr)))
		}
		return r, fmt.Errorf("%s bench on %s: %w", program, d.name, err)
	}
	return r, json.Unmarshal(out, &r)
}

// benchChunks compares both encoders and decoders with the given number of workers
// or threads each, in alternating runs.
func benchChunks(data []dataset, program string, settings []setting, workers, rounds, reps int, progress func(string)) ([]*result, error) {
	prepare := chunkOurs
	if workers > 1 {
		prepare = func(d dataset, s setting) (compress, expand func() error, stored func() int, err error) {
			return workersOurs(d, s, workers)
		}
	}
	var all []*result
	for _, d := range data {
		for _, s := range settings {
			progress(fmt.Sprintf("chunk: %s, %v, %d workers", d.name, s, workers))
			compress, expand, stored, err := prepare(d, s)
			if err != nil {
				return nil, err
			}
			ours := &result{Section: "chunk", Data: d.name, Name: "this library", Setting: s.String(), Workers: workers, Bytes: len(d.bytes), Stored: stored(), Real: d.real}
			c := &result{Section: "chunk", Data: d.name, Name: "C-Blosc2", Setting: s.String(), Workers: workers, Bytes: len(d.bytes), Real: d.real, Reference: true}
			reps, err := enough(reps, compress)
			if err != nil {
				return nil, err
			}
			for range rounds {
				if program != "" {
					r, err := chunkC(program, d, s, workers, reps)
					if err != nil {
						return nil, err
					}
					c.Name, c.Stored = "C-Blosc2 "+r.Library, r.CBytes
					c.Compress = append(c.Compress, r.CompressS)
					c.Expand = append(c.Expand, r.DecompressS)
				}
				for _, run := range []struct {
					f   func() error
					dst *[]float64
				}{{compress, &ours.Compress}, {expand, &ours.Expand}} {
					t, err := timed(reps, run.f)
					if err != nil {
						return nil, err
					}
					*run.dst = append(*run.dst, t)
				}
			}
			ours.AllocsC, ours.AllocsD = allocs(compress), allocs(expand)
			all = append(all, ours)
			if program != "" {
				all = append(all, c)
			}
		}
	}
	return all, nil
}
