package main

import (
	"errors"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
)

// sealCmd is "blosc2 seal".
type sealCmd struct {
	Renew   bool
	Uniform bool
	recutFlags
	Files []string
}

func (c *sealCmd) define(g *grammar) {
	g.BoolVar(&c.Renew, "renew", false, "Accept the changes that C-Blosc2 made to a frame, and recompute its digests. Of several frames in a file, C-Blosc2 changes only the first, and so does this.")
	g.BoolVar(&c.Uniform, "uniform", false, "Rewrite frames whose chunks differ in size with chunks of one size, as compact does.")
	c.recutFlags.define(g)
	g.rest(&c.Files, "FILE", "Frames to seal in place.")
}

// Run seals each file and continues after failures.
func (c *sealCmd) Run(e *env) error {
	options := c.options()
	if c.Uniform && c.Chunk == 0 {
		options = append(options, frame.Uniform())
	}
	if c.Renew && (c.Uniform || c.Chunk > 0) {
		return misusef("--renew cannot be combined with --uniform or --chunk")
	}
	return e.each(c.Files, func(name string) error {
		did, change := "sealed", frame.SealFile
		if c.Renew {
			did, change = "digests recomputed", frame.RenewFile
		}
		_, err := c.rewrite(e, name, change, options)
		if err == nil && c.Renew && e.holdsSeveral(name) {
			did += "; only those of the first of its frames"
		}
		if err == nil {
			e.note("%s: %s", name, did)
		}
		return err
	})
}

// holdsSeveral reports whether another frame follows the first one of a file.
func (e *env) holdsSeveral(name string) bool {
	t, err := e.openTarget(name)
	if err != nil {
		return false
	}
	defer t.Close()
	return errors.Is(t.trailing(), blosc2.ErrTrailing)
}
