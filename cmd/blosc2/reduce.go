package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/reduce"
	"github.com/seed03b80dae/blosc2/shard"
)

// reduceCmd is "blosc2 reduce".
type reduceCmd struct {
	outFlags
	shardFlag
	op   *reduce.Op
	Axes []int
	File string
}

func (c *reduceCmd) define(g *grammar) {
	c.outFlags.define(g)
	c.shardFlag.define(g)
	for op, help := range []string{
		"Compute the sum.", "Compute the mean.", "Find the minimum.", "Find the maximum.", "Compute the standard deviation of the population.", "Count the items that are not NaN.",
	} {
		g.BoolFunc(reduce.Op(op).String(), help, func(string) error {
			if c.op != nil {
				return errors.New("only one operation at a time")
			}
			c.op = new(reduce.Op)
			*c.op = reduce.Op(op)
			return nil
		})
	}
	g.Func("axis", "Reduce along the dimensions `N,...`, counted from 0; -1 is the last. Without it all items are reduced to one number, which is printed, or with -o written as an array.", func(text string) error {
		for _, word := range strings.Split(text, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return errNumber
			}
			c.Axes = append(c.Axes, n)
		}
		return nil
	})
	g.argument(&c.File, "FILE", "Array of numbers.")
}

// check returns an error for flags that cannot be combined.
func (c *reduceCmd) check(*grammar) error {
	switch {
	case c.op == nil:
		return errors.New("requires one of --sum, --mean, --min, --max, --std and --count")
	case c.shardFlag.given() && len(c.Axes) == 0:
		return errors.New("--shard requires --axis")
	case c.shardFlag.given():
		return c.shardFlag.checkFolder(c.Out)
	}
	return nil
}

// Run writes or prints the result.
func (c *reduceCmd) Run(e *env) error {
	in, a, err := e.openArray(c.File)
	if err != nil {
		return err
	}
	defer in.Close()
	// The result may have a single chunk, so the bar shows how much is read.
	bar := e.newBar(c.File, in.was.Size())
	defer bar.end()
	// A remote object can read several ranges at once, but not through bar.reading.
	if !isURL(c.File) {
		if a, err = b2nd.Open(bar.reading(in.File), in.was.Size(), b2nd.FrameOptions(usualCheck.options(c.File)...)); err != nil {
			return withName(c.File, err)
		}
	}
	if len(c.Axes) == 0 && c.Out == "" {
		v, err := reduce.Number(a, *c.op)
		if err != nil {
			return withName(c.File, err)
		}
		bar.end()
		return e.print(fmt.Sprintln(v))
	}
	return withName(c.File, c.array(e, in, a))
}

func (c *reduceCmd) array(e *env, in steady, a *b2nd.Array) error {
	r, err := reduce.New(a, *c.op, c.Axes...)
	if err != nil {
		return err
	}
	plan, err := shard.NewArrayPlan(r.Spec(), c.shards())
	if err != nil {
		return err
	}
	plan = plan.WithSource(fmt.Sprintf("%v along %v of %s", *c.op, c.Axes, in.source()))
	return c.shardFlag.make(e, c.outFlags, plan, in.guard(r.Fill))
}
