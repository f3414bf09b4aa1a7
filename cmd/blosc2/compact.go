package main

import (
	"os"
	"time"

	"github.com/seed03b80dae/blosc2/frame"
)

// compactCmd is "blosc2 compact".
type compactCmd struct {
	KeepSizes bool
	recutFlags
	Files []string
}

// recutFlags say how frames are cut into chunks anew.
type recutFlags struct {
	Chunk     size
	AllowLoss bool
	Wait      time.Duration
}

func (f *recutFlags) define(g *grammar) {
	g.bytes(&f.Chunk, "chunk", "Give all chunks but the last `SIZE` bytes, such as 64K.")
	g.BoolVar(&f.AllowLoss, "allow-loss", false, "Recompress with a lossy codec or filter, which loses more.")
	g.DurationVar(&f.Wait, "wait", frame.DefaultLockWait, "Wait so `LONG` for another writer; 0 not at all, -1s for ever.")
}

func (f *recutFlags) options() []frame.Option {
	options := []frame.Option{frame.LockWait(f.Wait)}
	if f.Chunk > 0 {
		options = append(options, frame.ChunkSize(int(f.Chunk)))
	}
	if f.AllowLoss {
		options = append(options, frame.AllowLoss())
	}
	return options
}

func (c *compactCmd) define(g *grammar) {
	g.BoolVar(&c.KeepSizes, "keep-sizes", false, "Leave the sizes of chunks, also where C-Blosc2 2.x and python-blosc2 do not read them.")
	c.recutFlags.define(g)
	g.rest(&c.Files, "FILE", "Frames to write anew without holes, and with chunks of one size.")
}

// Run rewrites each file and goes on after failures.
func (c *compactCmd) Run(e *env) error {
	if c.KeepSizes && c.Chunk > 0 {
		return misusef("--keep-sizes and --chunk: one of them")
	}
	options := c.options()
	if c.KeepSizes {
		options = append(options, frame.KeepChunkSizes())
	}
	return e.each(c.Files, func(name string) error {
		before, err := os.Stat(name)
		if err != nil {
			return err
		}
		if err := frame.CompactFile(name, options...); err != nil {
			return err
		}
		if after, err := os.Stat(name); err == nil {
			e.note("%s: %s, was %s", name, count(after.Size(), "byte"), commas(before.Size()))
		}
		return nil
	})
}
