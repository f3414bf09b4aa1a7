package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A dataset is the typed data of one file.
type dataset struct {
	name     string
	typesize int
	bytes    []byte
	path     string // path of the file, for contestants that are processes
	real     bool
}

// loadReal reads the files in a comma-separated list of folders that have a suffix
// with the number of bytes of an item, such as wind.f4 or records.16.
func loadReal(dirs string) ([]dataset, error) {
	var paths []string
	for dir := range strings.SplitSeq(dirs, ",") {
		list, err := filepath.Glob(filepath.Join(dir, "*.*"))
		if err != nil {
			return nil, err
		}
		paths = append(paths, list...)
	}
	var all []dataset
	for _, p := range paths {
		ts, err := strconv.Atoi(strings.TrimLeft(filepath.Ext(p), ".fiu"))
		if err != nil {
			continue // a README or a manifest, which holds no data
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		all = append(all, dataset{filepath.Base(p), ts, b, p, true})
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no file named NAME.f4, NAME.i8 or the like", dirs)
	}
	return all, nil
}

// synthetic makes data that are little or no work for a codec, and so show the speed of
// the machine. It writes them to dir.
func synthetic(dir string) ([]dataset, error) {
	const n = 8 << 20
	rnd := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, n)
	for i := 0; i < n; i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], rnd.Uint64())
	}
	nan, value, ramp := make([]byte, n), make([]byte, n), make([]byte, n)
	for i := 0; i < n; i += 8 {
		binary.LittleEndian.PutUint64(nan[i:], math.Float64bits(math.NaN())&^1)
		binary.LittleEndian.PutUint64(value[i:], 0x0102030405060708)
		binary.LittleEndian.PutUint64(ramp[i:], uint64(i/8))
	}
	all := []dataset{
		{name: "zeros.i8", bytes: make([]byte, n)},
		{name: "nan.f8", bytes: nan},
		{name: "repeated.i8", bytes: value},
		{name: "noise.i8", bytes: noise},
		{name: "ramp.i8", bytes: ramp},
	}
	for i := range all {
		d := &all[i]
		d.typesize, d.path = 8, filepath.Join(dir, d.name)
		if err := os.WriteFile(d.path, d.bytes, 0o644); err != nil {
			return nil, err
		}
	}
	return all, nil
}
