package main

import "github.com/seed03b80dae/blosc2/shard"

// assembleCmd is "blosc2 assemble".
type assembleCmd struct {
	Out       string
	Force     bool
	Unchecked bool
	Folder    string
}

func (c *assembleCmd) define(g *grammar) {
	g.StringVarP(&c.Out, "out", "o", "", "Write to `OUT`.")
	g.note("out", noteFile)
	g.BoolVar(&c.Force, "force", false, "Overwrite an existing file.")
	g.BoolVar(&c.Unchecked, "unchecked", false, "Do not check the digests of the shards, so that the system can copy their bytes.")
	g.argument(&c.Folder, "FOLDER", "Folder of the shards, which are kept.")
}

// Run joins the shards.
func (c *assembleCmd) Run(e *env) error {
	out := outFlags{Out: c.Out, Force: c.Force}
	if err := e.mayReplace(out); err != nil {
		return err
	}
	var opts []shard.AssembleOption
	if c.Unchecked {
		opts = append(opts, shard.Unchecked())
	}
	if err := shard.AssembleFolder(c.Out, c.Folder, opts...); err != nil {
		return about(c.Folder, err)
	}
	return e.noteMade(c.Out, "")
}
