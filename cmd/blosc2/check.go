package main

import "github.com/seed03b80dae/blosc2/frame"

// checkFlag is the flag that sets whether the chunks of windows are compared with
// their digests. A digest covers a chunk, so each chunk of a window is then read
// whole.
type checkFlag struct{ Check string }

// These are the values of --check.
const (
	checkAuto   = "auto" // check windows only if the file is local
	checkAlways = "always"
	checkNever  = "never"
)

// usualCheck is the setting of verbs that do not have the flag --check.
var usualCheck = checkFlag{Check: checkAuto}

func (f *checkFlag) define(g *grammar) {
	g.choice(&f.Check, "check", "Compare the digests of the chunks of a window, which must be read whole: `WHEN` is always, never, or auto (default), which is always except for URLs.", checkAuto, checkAlways, checkNever)
}

// checks reports whether windows of a file are compared with the digests of its chunks.
func (f *checkFlag) checks(name string) bool {
	return f.Check != checkNever && (f.Check == checkAlways || !isURL(name))
}

// options returns the options for opening the frame in a file.
func (f *checkFlag) options(name string) []frame.Option {
	if f.checks(name) {
		return []frame.Option{frame.CheckWhole()}
	}
	return nil
}
