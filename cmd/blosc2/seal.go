package main

import "github.com/seed03b80dae/blosc2/frame"

// sealCmd is "blosc2 seal".
type sealCmd struct {
	Files []string `arg:"" name:"file" placeholder:"FILE" help:"Frames to seal where they are."`
}

// Run seals each file and goes on after failures.
func (c *sealCmd) Run(e *env) error {
	return e.each(c.Files, func(name string) error { return frame.SealFile(name) })
}
