package main

import (
	"errors"
	"os"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// repairCmd is "blosc2 repair".
type repairCmd struct {
	Out   string
	Force bool
	Fill  bool
	Tail  bool
	Guess bool
	File  string
}

func (c *repairCmd) define(g *grammar) {
	g.StringVarP(&c.Out, "out", "o", "", "The new frame, `OUT`.")
	g.BoolVar(&c.Force, "force", false, "Overwrite what exists.")
	g.BoolVar(&c.Fill, "fill", false, "Put zeros where a chunk is lost; else it stays an error to read it.")
	g.BoolVar(&c.Tail, "tail", false, "Take also the whole chunks behind the frame, which were never committed.")
	g.BoolVar(&c.Guess, "guess", false, "Look for chunks front to back even if nothing says that they stand in order.")
	g.argument(&c.File, "FILE", "The damaged frame, which stays as it is.")
}

// Run makes a sound frame of what is whole, and lists what is lost.
func (c *repairCmd) Run(e *env) error {
	if c.Out == "" {
		return misusef("repair: say with -o where the new frame goes")
	}
	in, err := os.Open(c.File)
	if err != nil {
		return about(c.File, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || info.IsDir() {
		return about(c.File, errors.Join(err, errIsDir))
	}
	if c.Out == "-" {
		return misusef("-o -: a repaired frame is written to a file")
	}
	if other, err := os.Stat(c.Out); err == nil && os.SameFile(info, other) {
		return about(c.Out, errors.New("is the damaged frame, which is not written over"))
	}
	out, err := e.create(c.Out, outFlags{Force: c.Force})
	if err != nil {
		return err
	}
	done, err := frame.Repair(out.File, in, info.Size(), frame.RepairOptions{Fill: c.Fill, Tail: c.Tail, Guess: c.Guess})
	rows := int64(-1)
	if err == nil {
		rows, err = finishArray(out.File)
	}
	if err != nil {
		return e.abandon(out, c.File, 0, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	for _, l := range done.Lost {
		e.report(about(c.File, l.Err))
	}
	e.note("%s: %s in %s, %d lost; they were found by %s", c.File, count(done.Chunks, "chunk"), c.Out, len(done.Lost), done.Found)
	if rows >= 0 {
		e.note("%s: an array that was not complete; it has %s now", c.Out, count(rows, "row"))
	}
	return nil
}

// finishArray returns an array whose writer died the shape that it came to have;
// rows is -1 for anything else.
func finishArray(file *os.File) (rows int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return -1, err
	}
	return b2nd.Finish(file, info.Size())
}
