package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/frame"
)

// repairCmd is "blosc2 repair".
type repairCmd struct {
	Out   string
	Force bool
	Fill  bool
	Holes bool
	Tail  bool
	Guess bool
	File  string
}

func (c *repairCmd) define(g *grammar) {
	g.StringVarP(&c.Out, "out", "o", "", "The new frame, `OUT`.")
	g.BoolVar(&c.Force, "force", false, "Overwrite what exists.")
	g.BoolVar(&c.Holes, "holes", false, "Leave a chunk that cannot be read in place of a lost one.")
	g.BoolVar(&c.Fill, "fill", false, "Fill a lost chunk with zeros, or NaN in numbers with a fraction: the default.")
	g.BoolVar(&c.Tail, "tail", false, "Take also the whole chunks after the frame, which were never committed.")
	g.BoolVar(&c.Guess, "guess", false, "Look for chunks front to back even if nothing says that they are in order.")
	g.argument(&c.File, "FILE", "The damaged frame, which stays as it is.")
}

// Run makes a sound frame of what is whole, and lists what is lost.
func (c *repairCmd) Run(e *env) error {
	if c.Holes && c.Fill {
		return misusef("--holes and --fill contradict each other")
	}
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
	done, err := frame.Repair(out.File, in, info.Size(), frame.RepairOptions{Holes: c.Holes, Tail: c.Tail, Guess: c.Guess})
	rows := int64(-1)
	if err == nil && done.Saved() == 0 && !done.Complete() {
		e.reportLost(c.File, done)
		err = errors.New("nothing of it could be saved")
	}
	if err == nil {
		rows, err = finishArray(out.File)
	}
	if err != nil {
		return e.abandon(out, c.File, 0, err)
	}
	if err := e.commit(out); err != nil {
		return err
	}
	e.reportLost(c.File, done)
	e.note("%s: %s of %s saved in %s; they were found by %s", c.File, commas(done.Saved()), count(done.Saved()+int64(len(done.Lost)), "chunk"), c.Out, done.Found)
	if rows >= 0 {
		e.note("%s: an array that was not complete; it has %s now", c.Out, count(rows, "row"))
	}
	if !done.Complete() {
		return errPartly
	}
	return nil
}

// mostLost is how many lost chunks are named one by one.
const mostLost = 20

// reportLost says what a repair could not save.
func (e *env) reportLost(name string, done *frame.Repaired) {
	say := func(format string, args ...any) { e.report(about(name, fmt.Errorf(format, args...))) }
	for i, l := range done.Lost {
		if i == mostLost {
			say("and %s more are lost", count(int64(len(done.Lost)-i), "chunk"))
			break
		}
		say("chunk %d is lost, bytes %s to %s of the data: %s", l.N, commas(l.Start), commas(l.End), reason(l.Err))
	}
	if n := len(done.Lost); n > 0 {
		say("%s and %s are lost in all", count(int64(n), "chunk"), count(done.LostBytes(), "byte"))
	}
	if done.Layers {
		say("its header was damaged, and metalayers of it are lost")
	} else if done.Rebuilt {
		e.note("%s: its header was damaged and was made anew", name)
	}
	if done.VLMeta {
		say("vlmetalayers are lost, or nothing proves that they are whole")
	}
	if done.Cut {
		say("it breaks off, and nothing says how much followed")
	}
}

// reason returns what was wrong with a chunk, without its place.
func reason(err error) string {
	var fe *blosc2.FormatError
	if errors.As(err, &fe) && fe.Msg != "" {
		return fe.Msg
	}
	return plain(err)
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
