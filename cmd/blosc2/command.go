package main

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A verbEntry is a verb's line in the table of verbs.
type verbEntry struct {
	name, help string
	make       func() verb
}

// verbs returns the table of verbs. It is a function because some verbs print the
// table.
func verbs() []verbEntry {
	return []verbEntry{
		{"compress", "Compress files to frames and arrays.", func() verb { return new(compressCmd) }},
		{"decompress", "Decompress frames, arrays and chunks of any version.", func() verb { return new(decompressCmd) }},
		{"info", "Describe files: their contents and how these are compressed.", func() verb { return new(infoCmd) }},
		{"tree", "Make and extend stores of arrays, frames and tables, and write what they hold as files.", func() verb { return new(treeCmd) }},
		{"ls", "List the contents of a store.", func() verb { return new(lsCmd) }},
		{"cat", "Print a window of an array or a frame, or rows of a table.", func() verb { return new(catCmd) }},
		{"slice", "Write a window of an array as a .npy file.", func() verb { return new(sliceCmd) }},
		{"plot", "Draw a window of an array as a PNG or SVG file or on the terminal: lines, an image with a colour scale, a histogram, or a map of the chunks.", func() verb { return new(plotCmd) }},
		{"view", "Look at an array, a store or a folder on the terminal: as a table, a line or an image.", func() verb { return new(viewCmd) }},
		{"bench", "Measure what each --auto aim picks on a sample of a file: ratio and speeds, next to those of zstd -3 and gzip -6. Prints three command lines to choose from.", func() verb { return new(benchCmd) }},
		{"verify", "Check frames, arrays and chunks: compare all digests and decompress all data.", func() verb { return new(verifyCmd) }},
		{"seal", "Seal frames that could not be sealed when written, such as to a pipe.", func() verb { return new(sealCmd) }},
		{"repair", "Write a sound frame from the intact parts of a damaged one.", func() verb { return new(repairCmd) }},
		{"compact", "Rewrite frames to remove the holes left by edits.", func() verb { return new(compactCmd) }},
		{"assemble", "Join the shards written with --shard into one frame or array.", func() verb { return new(assembleCmd) }},
		{"rechunk", "Change the chunks and blocks of an array of any size.", func() verb { return new(rechunkCmd) }},
		{"reduce", "Compute sums, means and other statistics along axes of an array.", func() verb { return new(reduceCmd) }},
		{"convert", "Convert arrays of any size to and from .npy files and raw items, and tables to and from Parquet files.", func() verb { return new(convertCmd) }},
		{"zarr", "Write arrays and stores as Zarr, and read Zarr.", func() verb { return new(zarrCmd) }},
		{"serve", "Serve files, windows of arrays and Zarr stores by HTTP, with a page to look at them.", func() verb { return new(serveCmd) }},
		{"uploads", "List unfinished uploads to a store, or remove them.", func() verb { return new(uploadsCmd) }},
		{"help", "Print the help of a verb or a topic.", func() verb { return new(helpCmd) }},
		{"completion", "Print the completion script for a shell.", func() verb { return new(completionCmd) }},
		{"man", "Print the manual page.", func() verb { return new(manCmd) }},
	}
}

func verbNamed(name string) (verbEntry, bool) {
	all := verbs()
	if i := slices.IndexFunc(all, func(v verbEntry) bool { return v.name == name }); i >= 0 {
		return all[i], true
	}
	return verbEntry{}, false
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// parse returns the verb of a command line. For --help it returns helpCmd.
func (e *env) parse(words []string) (verb, error) {
	if e.called == calledPlain {
		if entry, rest, ok := splitVerb(words); ok {
			return e.parseVerb(entry, rest)
		}
	}
	return e.parseTool(words)
}

// splitVerb looks for a verb at the beginning of a command line, or after flags that
// all verbs have. It returns the verb, and the words without it.
func splitVerb(words []string) (entry verbEntry, rest []string, ok bool) {
	for i, w := range words {
		switch w {
		case "-q", "--quiet", "-v", "--verbose":
			continue
		}
		entry, ok = verbNamed(w)
		return entry, slices.Concat(words[:i], words[i+1:]), ok
	}
	return verbEntry{}, nil, false
}

func (e *env) parseVerb(entry verbEntry, words []string) (verb, error) {
	v, g := entry.make(), newGrammar(e)
	v.define(g)
	if err := g.presets(); err != nil {
		return nil, misusef("%v", err)
	}
	err := g.parse(words)
	if errors.Is(err, pflag.ErrHelp) {
		return &helpCmd{Verb: entry.name}, nil
	}
	if err == nil {
		err = e.check(v, g)
	}
	if err != nil {
		return nil, misusef("%s: %v", entry.name, err)
	}
	return v, nil
}

// parseTool parses a command line without a verb, as of gzip, zstd and lz4.
func (e *env) parseTool(words []string) (verb, error) {
	v, g := newTool(e.called), newGrammar(e)
	v.define(g)
	if err := g.presets(); err != nil {
		return nil, misusef("%v", err)
	}
	err := g.parse(words)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return &helpCmd{}, nil
	case err == nil && v.Version:
		return &versionCmd{}, nil
	case err == nil:
		err = e.check(v, g)
	}
	if err != nil {
		return nil, misusef("%v", err)
	}
	v.words = words
	v.first = len(words) > 0 && len(v.Files) > 0 && words[0] == v.Files[0]
	return v, nil
}

// check returns an error for flags that cannot be combined.
func (e *env) check(v verb, g *grammar) error {
	if e.quiet && e.verbose {
		return errors.New("--quiet and --verbose cannot be combined")
	}
	if c, ok := v.(checker); ok {
		return c.check(g)
	}
	return nil
}

// These are the names by which users may call the program.
const (
	calledPlain = ""
	calledUn    = "unblosc2"
	calledCat   = "b2cat"
)

// calledAs returns the name by which the program was called. It is calledPlain unless
// argv[0] is another of these names.
func calledAs(arg0 string) string {
	switch base := strings.TrimSuffix(filepath.Base(arg0), ".exe"); base {
	case calledUn, calledCat:
		return base
	}
	return calledPlain
}
