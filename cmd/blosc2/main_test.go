package main

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/b2test"
	"github.com/seed03b80dae/blosc2/internal/driver"
	"github.com/seed03b80dae/blosc2/internal/driver/drivertest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"blosc2": main, "unblosc2": main, "b2cat": main, "logger": logger, "blosc2-remote-test": testDriver})
}

// testDriver is the driver of test:// names, which are files below $STORE.
func testDriver() {
	driver.Main("test", func(endpoint string) (driver.Store, error) {
		if endpoint != "" {
			return nil, &blosc2.OptionError{Option: "endpoint", Value: endpoint, Range: "empty"}
		}
		return drivertest.Store{Dir: os.Getenv("STORE")}, nil
	})
}

// TestScripts runs the scripts of testdata/script against the whole program.
// $SAMPLE is the repository's sample of real data, a file of float32.
func TestScripts(t *testing.T) {
	sample, err := filepath.Abs("../../testdata/era5-t2m.f4")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("SAMPLE", sample)
			program, err := exec.LookPath("blosc2")
			env.Setenv("BLOSC2", program)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits,
			"cut":   cut,
			"poke":  poke,
			"zero":  zero,
			"png":   isPNG,
			"wav":   makeWAV,
			"rows":  makeRows,
			"npz": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), makeNPZ(t, false, "a", "deep/b"), 0o666))
			},
		},
	})
}

// The scripts skip programs that are not installed. In CI all must be installed.
func TestPrograms(t *testing.T) {
	for _, name := range []string{"bash", "zsh", "fish", "man", "tar"} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				b2test.Missing(t, name)
			}
		})
	}
}

// makeRows is rows FILE: writes 20,000 rows of a time, a price and a volume, float64.
func makeRows(ts *testscript.TestScript, _ bool, args []string) {
	var b []byte
	for i := range 20_000 {
		for _, v := range []float64{1.7e9 + 60*float64(i), 100 + float64(i*i%977)/100, float64(i * i % 13 * 1000)} {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// exits STATUS COMMAND…: runs a command, which must end with that exit status.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cut FILE BYTES: truncates the file to that length, or, if it is below 0, by as
// many bytes.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	file, n := fileAndPlace(ts, neg, args, 2)
	ts.Check(os.Truncate(file, n))
}

// poke FILE PLACE: flips the lowest bit of one byte.
func poke(ts *testscript.TestScript, neg bool, args []string) {
	file, at := fileAndPlace(ts, neg, args, 2)
	b, err := os.ReadFile(file)
	ts.Check(err)
	b[at] ^= 1
	ts.Check(os.WriteFile(file, b, 0o666))
}

// zero FILE PLACE: sets 64 bytes to zero.
func zero(ts *testscript.TestScript, neg bool, args []string) {
	file, at := fileAndPlace(ts, neg, args, 2)
	b, err := os.ReadFile(file)
	ts.Check(err)
	clear(b[at : at+64])
	ts.Check(os.WriteFile(file, b, 0o666))
}

// fileAndPlace parses FILE PLACE, where PLACE is an offset in bytes. One below 0 counts
// from the end of the file.
func fileAndPlace(ts *testscript.TestScript, neg bool, args []string, want int) (file string, place int64) {
	if neg || len(args) != want {
		ts.Fatalf("usage: FILE PLACE")
	}
	file = ts.MkAbs(args[0])
	place, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if place < 0 {
		info, err := os.Stat(file)
		ts.Check(err)
		place += info.Size()
	}
	return file, place
}
