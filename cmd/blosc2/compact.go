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

// recutFlags are the flags of verbs that rewrite frames with other chunks.
type recutFlags struct {
	Chunk     size
	AllowLoss bool
	Wait      time.Duration
}

func (f *recutFlags) define(g *grammar) {
	g.bytes(&f.Chunk, "chunk", "Rewrite with chunks of `SIZE` bytes, such as 64K; the last may be shorter.")
	g.BoolVar(&f.AllowLoss, "allow-loss", false, "Allow recompression with a lossy codec or filter, which loses more precision.")
	g.DurationVar(&f.Wait, "wait", frame.DefaultLockWait, "Wait up to `TIME` for another writer, such as 1m; 0 does not wait, -1s waits forever.")
}

func (f *recutFlags) options() []frame.Option {
	var options []frame.Option
	if f.Chunk > 0 {
		options = append(options, frame.ChunkSize(int(f.Chunk)))
	}
	if f.AllowLoss {
		options = append(options, frame.AllowLoss())
	}
	return options
}

// rewrite calls change for a file, after waiting for another writer of it. It returns
// the size of the file before.
func (f *recutFlags) rewrite(e *env, name string, change func(string, ...frame.Option) error, options []frame.Option) (before int64, err error) {
	if err := notInPlace(name); err != nil {
		return 0, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return 0, err
	}
	bar := e.newBar(name, info.Size())
	defer bar.end()
	err = e.awaitLock(name, f.Wait, func(wait time.Duration) error {
		return change(name, append(options, bar.rewritten(), frame.LockWait(wait))...)
	})
	return info.Size(), cutOff(advise(name, err))
}

func (c *compactCmd) define(g *grammar) {
	g.BoolVar(&c.KeepSizes, "keep-sizes", false, "Keep the sizes of the chunks, even if C-Blosc2 2.x and python-blosc2 cannot read them.")
	c.recutFlags.define(g)
	g.rest(&c.Files, "FILE", "Frames to rewrite in place, without holes and with chunks of one size.")
}

// Run rewrites each file. After a failure it continues with the next file.
func (c *compactCmd) Run(e *env) error {
	if c.KeepSizes && c.Chunk > 0 {
		return misusef("--keep-sizes and --chunk cannot be combined")
	}
	options := c.options()
	if c.KeepSizes {
		options = append(options, frame.KeepChunkSizes())
	}
	return e.each(c.Files, func(name string) error {
		e.watchSignals()
		before, err := c.rewrite(e, name, frame.CompactFile, options)
		if err != nil {
			return err
		}
		if after, err := os.Stat(name); err == nil {
			e.note("%s: %s, was %s", name, count(after.Size(), "byte"), commas(before))
		}
		return nil
	})
}
