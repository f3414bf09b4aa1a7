package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// settable holds the flags that the settings file may set. None of them is
// destructive.
var settable = []string{"codec", "level", "filters", "typesize", "chunk", "block", "split", "auto", "jobs", "no-check"}

// cVariables holds the variables of C-Blosc2 that set flags.
var cVariables = []struct {
	name, flag string
	value      func(string) (string, error)
}{
	{"BLOSC_COMPRESSOR", "codec", asIs},
	{"BLOSC_CLEVEL", "level", asIs},
	{"BLOSC_SHUFFLE", "filters", shuffleValue},
	{"BLOSC_DELTA", "filters", deltaValue},
	{"BLOSC_TYPESIZE", "typesize", asIs},
	{"BLOSC_BLOCKSIZE", "block", asIs},
	{"BLOSC_SPLITMODE", "split", splitValue},
	{"BLOSC_NTHREADS", "jobs", asIs},
}

func asIs(s string) (string, error) { return s, nil }

// shuffleValue returns the filters for BLOSC_SHUFFLE and BLOSC_DELTA.
func shuffleValue(s string) (string, error) {
	names := map[string]string{"NOSHUFFLE": "none", "SHUFFLE": "shuffle", "BITSHUFFLE": "bitshuffle"}
	name, ok := names[s]
	if !ok {
		return "", errors.New("must be NOSHUFFLE, SHUFFLE or BITSHUFFLE")
	}
	if os.Getenv("BLOSC_DELTA") == "1" {
		name = strings.TrimSuffix("delta,"+name, ",none")
	}
	return name, nil
}

// deltaValue returns the filters for BLOSC_DELTA without BLOSC_SHUFFLE. As in C-Blosc2,
// delta then precedes the filter that is otherwise the default. It returns "" if the
// variables leave the filters as they are, or BLOSC_SHUFFLE sets them.
func deltaValue(s string) (string, error) {
	if s != "1" || os.Getenv("BLOSC_SHUFFLE") != "" {
		return "", nil
	}
	return "delta,shuffle", nil
}

func splitValue(s string) (string, error) {
	names := map[string]string{"ALWAYS": "always", "NEVER": "never", "AUTO": "auto", "FORWARD_COMPAT": "forward"}
	name, ok := names[s]
	if !ok {
		return "", errors.New("must be ALWAYS, NEVER, AUTO or FORWARD_COMPAT")
	}
	return name, nil
}

// settingsFile returns the name of the user's settings file.
func settingsFile() string {
	if name, ok := os.LookupEnv("BLOSC2_CONFIG"); ok {
		return name
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "blosc2", "config")
}

// presets sets flags from the settings file and the environment. The command line
// overrides them. Flags that the verb does not have are ignored.
func (g *grammar) presets() error {
	if err := g.presetsFile(settingsFile()); err != nil {
		return err
	}
	for _, v := range cVariables {
		text := os.Getenv(v.name)
		if text == "" || g.Lookup(v.flag) == nil {
			continue
		}
		value, err := v.value(text)
		if err == nil && value != "" {
			err = g.set(v.flag, value)
		}
		if err != nil {
			return fmt.Errorf("environment: %s=%s: %w", v.name, printable(text), err)
		}
	}
	return nil
}

func (g *grammar) presetsFile(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if _, named := os.LookupEnv("BLOSC2_CONFIG"); errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings: %s: %s", name, plain(err))
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if err := g.preset(lines.Text()); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, n, err)
		}
	}
	return lines.Err()
}

// preset parses a line: FLAG = VALUE, or empty, with an optional comment after #.
func (g *grammar) preset(line string) error {
	line, _, _ = strings.Cut(line, "#")
	if line = strings.TrimSpace(line); line == "" {
		return nil
	}
	flag, value, ok := strings.Cut(line, "=")
	flag, value = strings.TrimSpace(flag), strings.TrimSpace(value)
	if !ok {
		return fmt.Errorf("%s: must be FLAG = VALUE", printable(line))
	}
	if !slices.Contains(settable, flag) {
		return fmt.Errorf("%s: must be one of %s", printable(flag), join(settable))
	}
	if g.Lookup(flag) == nil {
		return nil
	}
	if err := g.set(flag, value); err != nil {
		return fmt.Errorf("%s = %s: %w", flag, printable(value), err)
	}
	return nil
}

// set sets a flag. An invalid level or codec is reported here, where the name of
// the variable or the file is known, rather than when the flags are used.
func (g *grammar) set(flag, value string) error {
	if err := g.Lookup(flag).Value.Set(value); err != nil {
		return err
	}
	switch flag {
	case "level":
		if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 9 {
			return errors.New("must be 0 to 9")
		}
	case "codec":
		if _, _, err := parseCodec(value); err != nil {
			return err
		}
	}
	return nil
}
