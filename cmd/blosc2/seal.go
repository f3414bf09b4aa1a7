package main

import "github.com/seed03b80dae/blosc2/frame"

// sealCmd is "blosc2 seal".
type sealCmd struct {
	Renew bool
	Files []string
}

func (c *sealCmd) define(g *grammar) {
	g.BoolVar(&c.Renew, "renew", false, "Accept a frame that C-Blosc2 has changed as it is now, and make its digests anew.")
	g.rest(&c.Files, "FILE", "Frames to seal where they are.")
}

// Run seals each file and goes on after failures.
func (c *sealCmd) Run(e *env) error {
	return e.each(c.Files, func(name string) error {
		if c.Renew {
			return frame.RenewFile(name)
		}
		return frame.SealFile(name)
	})
}
