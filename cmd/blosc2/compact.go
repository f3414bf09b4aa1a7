package main

import "github.com/seed03b80dae/blosc2/frame"

// compactCmd is "blosc2 compact".
type compactCmd struct {
	Files []string
}

func (c *compactCmd) define(g *grammar) {
	g.rest(&c.Files, "FILE", "Frames to write anew without holes.")
}

// Run rewrites each file and goes on after failures.
func (c *compactCmd) Run(e *env) error {
	return e.each(c.Files, func(name string) error { return frame.CompactFile(name) })
}
