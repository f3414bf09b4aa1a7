package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// checkShard returns an error for flags that cannot be combined with --shard.
func (c *compressCmd) checkShard(g *grammar) error {
	if !c.shardFlag.given() {
		return nil
	}
	for _, name := range []string{"auto", "append", "spool", "chunk-only", "csv", "stdout", "recursive", "rm"} {
		if g.Changed(name) {
			return fmt.Errorf("--shard and --%s cannot be combined", name)
		}
	}
	switch {
	case c.Layout != layoutCurrent:
		return errors.New("--shard and --layout cannot be combined")
	case len(c.Files) != 1:
		return errors.New("--shard takes one FILE")
	}
	return c.shardFlag.checkFolder(c.Out)
}

// makeShard compresses one shard of the input.
func (c *compressCmd) makeShard(e *env) error {
	name := c.Files[0]
	if c.Auto != "" && c.Auto != autoOff { // the settings file may set it
		return misusef("--shard and --auto cannot be combined")
	}
	c.Auto = autoOff // the worker of a shard does not see the data of the others
	enc, err := c.parse()
	if err != nil {
		return err
	}
	in, err := e.openSteady(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if c.isArchive(name) {
		return misusef("--shard: %s is an archive", name)
	}
	enc.fit(in.was, c.Out)
	job := &compression{cmd: c, enc: enc, data: in.File}
	plan, fill, err := job.plan(e, in, c.N)
	if err != nil {
		return withName(name, err)
	}
	return c.shardFlag.make(e, c.outFlags, plan.WithSource(in.source()), in.guard(fill), stream.Workers(c.workers()))
}

// plan returns the plan of the shards of a file, as a frame or an array, and the
// function that fills them.
func (j *compression) plan(e *env, in steady, shards int) (*shard.Plan, shard.Fill, error) {
	c := &j.cmd.arrayFlags
	ofNumPy, err := c.isNPY(in.name, in.File)
	if err != nil {
		return nil, nil, err
	}
	if ofNumPy {
		spec, items, err := c.npyItems(in)
		if err == nil {
			err = j.cmd.order(in.name, spec)
		}
		if err != nil {
			return nil, nil, err
		}
		j.array = spec
		return j.planArray(items, shards)
	}
	if isWAV(localName(in.name)) {
		return nil, nil, misusef("--shard does not support sound; convert the file to raw items")
	}
	if err := j.prepare(e, in.input); err != nil {
		return nil, nil, err
	}
	items := io.NewSectionReader(in.File, 0, in.was.Size())
	if j.array != nil {
		return j.planArray(items, shards)
	}
	plan, err := shard.NewPlan(items.Size(), shards, j.shardOptions()...)
	if err != nil {
		return nil, nil, err
	}
	return plan, plan.FromReaderAt(items), nil
}

// planArray returns the plan of the shards of an array from items in C order, and the
// function that fills them.
func (j *compression) planArray(items *io.SectionReader, shards int) (*shard.Plan, shard.Fill, error) {
	spec := *j.array
	if len(spec.Shape) > 0 && spec.Shape[0] == b2nd.Unknown {
		spec.Shape[0] = items.Size() / rowBytes(&spec)
	}
	want := rowBytes(&spec)
	if len(spec.Shape) > 0 {
		want *= spec.Shape[0]
	}
	switch {
	case items.Size() < want:
		return nil, nil, tooFew(&spec, items.Size())
	case items.Size() > want:
		return nil, nil, tooMany(&spec)
	}
	plan, err := shard.NewArrayPlan(spec, shards, j.shardOptions()...)
	if err != nil {
		return nil, nil, err
	}
	return plan, plan.FromReaderAt(items), nil
}

// shardOptions returns the options of the Writer of a shard: those of the encoding, and
// the metalayers.
func (j *compression) shardOptions() []stream.WriterOption {
	enc := *j.enc
	enc.typeSize, enc.items = max(enc.typeSize, 1), false // all shards have the typesize of the plan
	options := append(enc.options(), stream.Checks(!j.cmd.NoCheck))
	for _, l := range j.metalayers() {
		options = append(options, stream.Metalayer(l.Name, l.Value))
	}
	return options
}
