package main

import "github.com/seed03b80dae/blosc2/frame"

// checkFlag says whether windows are compared with the digests of their chunks. The
// digest is that of a chunk, so this reads all chunks of which a window takes a part
// as a whole.
type checkFlag struct{ Check string }

// The values of --check.
const (
	checkAuto   = "auto" // where the file is on this machine
	checkAlways = "always"
	checkNever  = "never"
)

// usualCheck is that of verbs without the flag.
var usualCheck = checkFlag{Check: checkAuto}

func (f *checkFlag) define(g *grammar) {
	g.choice(&f.Check, "check", "Compare the digests of the chunks of a window, which must be read whole: `WHEN` is always, never, or auto (default), which is always except for URLs.", checkAuto, checkAlways, checkNever)
}

// checks reports whether windows of a file are compared.
func (f *checkFlag) checks(name string) bool {
	return f.Check != checkNever && (f.Check == checkAlways || !isURL(name))
}

// options are those of the frame in a file.
func (f *checkFlag) options(name string) []frame.Option {
	if f.checks(name) {
		return []frame.Option{frame.CheckWhole()}
	}
	return nil
}
