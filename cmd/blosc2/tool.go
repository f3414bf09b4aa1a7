package main

import (
	"errors"
	"os"
	"strings"
)

// toolCmd is "blosc2 [flags] [FILE…]", without a verb. Its flags are those
// shared by gzip, zstd and lz4.
type toolCmd struct {
	compressCmd
	asDecompressed decompressFlags
	Compress       bool
	Decompress     bool
	Test           bool
	List           bool
	Version        bool
	words          []string
	first          bool // the first word of the command line is a file name
}

// newTool returns the tool with the defaults of the program's name.
func newTool(called string) *toolCmd {
	c := &toolCmd{Decompress: called != calledPlain}
	c.Stdout = called == calledCat
	return c
}

func (c *toolCmd) define(g *grammar) {
	g.longOnly = true
	g.BoolVarP(&c.Compress, "compress", "z", false, "Compress (default).")
	g.BoolVarP(&c.Decompress, "decompress", "d", c.Decompress, "Decompress.")
	g.BoolVarP(&c.Test, "test", "t", false, "Test the files, writing nothing.")
	g.BoolVarP(&c.List, "list", "l", false, "List the files with their sizes; -lv describes each in detail.")
	c.compressCmd.define(g)
	c.asDecompressed.define(g)
	g.BoolVarP(&c.Version, "version", "V", false, "Print the version.")
}

// check returns an error for flags that cannot be combined.
func (c *toolCmd) check(g *grammar) error {
	modes := howMany(c.Compress, c.Decompress, c.Test, c.List)
	if c.Test && c.Decompress && modes == 2 { // gzip -dt means the same as gzip -t
		c.Decompress, modes = false, 1
	}
	if modes > 1 {
		return errors.New("--compress, --decompress, --test and --list cannot be combined")
	}
	compresses := modes == 0 || c.Compress
	flags, what := encodingNames, "--compress"
	if compresses {
		flags, what = decodingNames, "--decompress"
	}
	for _, name := range flags {
		if g.Changed(name) {
			return errors.New("--" + name + " is for " + what)
		}
	}
	if compresses {
		return c.compressCmd.check(g)
	}
	if c.Test || c.List {
		for _, name := range []string{"rm", "out"} {
			if g.Changed(name) {
				return errors.New("--" + name + " cannot be combined with --test or --list, which write no files")
			}
		}
	}
	return c.fileFlags.check()
}

// encodingNames are the flags for compression only, and decodingNames those for
// decompression only.
var (
	encodingNames = []string{"codec", "level", "typesize", "filters", "chunk", "block", "auto", "split", "shape",
		"no-check", "check-output", "spool", "append", "layout", "chunk-only", "csv"}
	decodingNames = []string{"raw", "limit", "offset"}
)

// Run compresses, decompresses, tests or lists the files.
func (c *toolCmd) Run(e *env) error {
	switch {
	case c.Test:
		word := c.Files[0]
		if isNumber(word) && isMissing(word) {
			return misusef("%s: no such file; -t tests the files, and --typesize %[1]s sets the size of an item", word)
		}
		v := &verifyCmd{jobsFlag: c.jobsFlag, Files: c.Files, Recursive: c.Recursive, asNotes: true}
		return v.Run(e)
	case c.List:
		if word := c.after("l"); isNumber(word) && isMissing(word) {
			return misusef("%s: no such file; -l lists the files, and \"blosc2 compress -l %[1]s\" sets the level", word)
		}
		i := &infoCmd{Files: c.Files, table: !e.verbose, compressed: true, Recursive: c.Recursive}
		return i.Run(e)
	case c.Decompress:
		d := &decompressCmd{fileFlags: c.fileFlags, jobsFlag: c.jobsFlag, decompressFlags: c.asDecompressed, Files: c.Files}
		d.DType = c.DType
		return d.Run(e)
	}
	word := c.after("c")
	if _, _, err := parseCodec(word); err == nil && isMissing(word) {
		return misusef("%s: no such file; -c writes to the standard output, and \"blosc2 compress -c %[1]s\" sets the codec", word)
	}
	if err := c.misspelt(); err != nil {
		return err
	}
	return c.compressCmd.Run(e)
}

// after returns the word of the command line after the flag with the given letter, or "".
func (c *toolCmd) after(letter string) string {
	for i, w := range c.words {
		flags, short := strings.CutPrefix(w, "-")
		if short && strings.HasSuffix(flags, letter) && flags[0] != '-' && i+1 < len(c.words) {
			return c.words[i+1]
		}
	}
	return ""
}

// isMissing reports whether there is no file of that name.
func isMissing(name string) bool {
	_, err := os.Lstat(name)
	return err != nil
}

// otherNames maps verbs of other programs to ours.
var otherNames = map[string]string{
	"list": "info", "show": "info", "stat": "info", "test": "verify", "check": "verify",
	"extract": "decompress", "unpack": "decompress", "uncompress": "decompress", "expand": "decompress",
	"pack": "compress", "view": "cat", "print": "cat", "version": "--version",
}

// misspelt returns an error if the first word that is not a flag is not a file, but a
// verb or a misspelt one.
func (c *toolCmd) misspelt() error {
	word := c.Files[0]
	if _, err := os.Lstat(word); err == nil || strings.ContainsAny(word, `./\`) || word == "-" {
		return nil
	}
	if _, ok := verbNamed(word); ok {
		return misusef("%s: no such file; a verb must come before its flags: blosc2 %s …", word, word)
	}
	name := otherNames[word]
	if name == "" {
		name = nearest(word, verbNames())
	}
	switch {
	case name != "":
		return misusef("%s: no such file or verb; did you mean %q?", word, name)
	case c.first && len(c.Files) == 1:
		return misusef("%s: no such file or verb; \"blosc2 help\" lists the verbs", word)
	}
	return nil
}
