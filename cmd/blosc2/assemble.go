package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"

	"github.com/seed03b80dae/blosc2/shard"
)

// assembleCmd is "blosc2 assemble".
type assembleCmd struct {
	Out       string
	Force     bool
	Unchecked bool
	Folder    string
}

func (c *assembleCmd) define(g *grammar) {
	g.StringVarP(&c.Out, "out", "o", "", "Write to `OUT`; of an object in a store, it is FOLDER itself.")
	g.note("out", noteFile)
	g.BoolVarP(&c.Force, "force", "f", false, "Overwrite an existing file.")
	g.BoolVar(&c.Unchecked, "unchecked", false, "Do not check the digests of the shards, so that the system can copy their bytes.")
	g.argument(&c.Folder, "FOLDER", "Folder of the shards, which are kept; or the object in a store that they were written into.")
}

// Run joins the shards in a folder or a store to one file.
func (c *assembleCmd) Run(e *env) error {
	if isURL(c.Folder) || isURL(c.Out) {
		return c.inStore(e)
	}
	out := outFlags{Out: c.Out, Force: c.Force}
	if err := e.mayReplace(out); err != nil {
		return err
	}
	var opts []shard.AssembleOption
	if c.Unchecked {
		opts = append(opts, shard.Unchecked())
	}
	shards, err := shard.OpenFolder(c.Folder)
	if err != nil {
		return withName(pathIn(err, c.Folder), err)
	}
	e.watchSignals()
	total := int64(0)
	for _, s := range shards {
		total += s.Len()
	}
	bar := e.newBar(c.Out, total)
	defer bar.end()
	opts = append(opts, shard.Progress(func(done, _ int64) { bar.add(done) }))
	err = shard.AssembleFile(c.Out, shards, opts...)
	if _, ok := errors.AsType[*shard.Error](err); ok {
		return withName(c.Folder, err)
	}
	if err != nil {
		return withName(c.Out, err)
	}
	return e.noteMade(c.Out, "")
}

// pathIn returns the path in a system error, or folder if there is none. The messages
// of system errors are printed without their paths.
func pathIn(err error, folder string) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Path
	}
	return folder
}

// inStore completes an object of a store, whose parts have already been put.
func (c *assembleCmd) inStore(e *env) error {
	if c.Out == "" {
		c.Out = c.Folder
	}
	switch {
	case c.Out != c.Folder:
		return misusef("shards in a store are parts of the object that they were written into; FOLDER and -o must be the same")
	case c.Unchecked:
		return misusef("--unchecked: applies only to shards in a folder")
	}
	if err := e.mayReplace(outFlags{Out: c.Out, Force: c.Force}); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return withName(publicName(c.Out), assembleURL(ctx, e, c.Out))
}
