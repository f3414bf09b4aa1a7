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
	g.StringVarP(&c.Out, "out", "o", "", "Write the repaired frame to `OUT`.")
	g.BoolVarP(&c.Force, "force", "f", false, "Overwrite an existing file.")
	g.BoolVar(&c.Holes, "holes", false, "Replace each lost chunk with one that cannot be read.")
	g.BoolVar(&c.Fill, "fill", false, "Fill lost chunks with zeros, or with NaN for floating-point items (default).")
	g.BoolVar(&c.Tail, "tail", false, "Include the intact chunks after the frame, which were never committed.")
	g.BoolVar(&c.Guess, "guess", false, "Search for chunks front to back even if nothing shows that they are in order.")
	g.argument(&c.File, "FILE", "The damaged frame, which is not changed.")
}

// Run writes a sound frame with the intact parts, and lists the lost ones.
func (c *repairCmd) Run(e *env) error {
	if c.Holes && c.Fill {
		return misusef("--holes and --fill cannot be combined")
	}
	if c.Out == "" {
		return misusef("repair: requires -o OUT")
	}
	in, err := e.openAnywhere(c.File)
	if err != nil {
		return withName(c.File, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || info.IsDir() {
		return withName(c.File, errors.Join(err, errIsDir))
	}
	if c.Out == "-" {
		return misusef("-o -: a repaired frame must be written to a file")
	}
	if other, err := os.Stat(c.Out); err == nil && !isURL(c.File) && os.SameFile(info, other) {
		return withName(c.Out, errors.New("is the damaged frame, which is not overwritten"))
	}
	out, err := e.create(c.Out, outFlags{Force: c.Force})
	if err != nil {
		return err
	}
	var opts []frame.Option
	for _, o := range []struct {
		given  bool
		option frame.Option
	}{{c.Holes, frame.LeaveHoles()}, {c.Tail, frame.RecoverTail()}, {c.Guess, frame.GuessOrder()}} {
		if o.given {
			opts = append(opts, o.option)
		}
	}
	bar := e.newBar(c.File, info.Size())
	defer bar.end()
	opts = append(opts, bar.rewritten())
	done, err := frame.Repair(out.File, in, info.Size(), opts...)
	rows := int64(-1)
	if err == nil && done.Saved() == 0 && !done.Complete() {
		e.reportLost(c.File, done)
		err = errors.New("nothing could be saved")
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
	e.note("%s: %s of %s saved in %s, found by %s", c.File, commas(done.Saved()), count(done.Saved()+int64(len(done.Lost)), "chunk"), c.Out, done.Found)
	if rows >= 0 {
		e.note("%s: the array was not complete; it now has %s", c.Out, count(rows, "row"))
	}
	if !done.Complete() {
		return errPartly
	}
	return nil
}

// mostLost is the largest number of lost chunks that are reported one by one.
const mostLost = 20

// reportLost reports the chunks that a repair could not save.
func (e *env) reportLost(name string, done *frame.Repaired) {
	say := func(format string, args ...any) { e.report(withName(name, fmt.Errorf(format, args...))) }
	for i, l := range done.Lost {
		if i == mostLost {
			say("and %s more are lost", count(int64(len(done.Lost)-i), "chunk"))
			break
		}
		say("chunk %d is lost, bytes %s to %s of the data: %s", l.N, commas(l.Start), commas(l.End), reason(l.Err))
	}
	if n := len(done.Lost); n > 0 {
		say("%s and %s lost in all", count(int64(n), "chunk"), count(done.LostBytes(), "byte"))
	}
	if done.Layers {
		say("metalayers are lost; its header was damaged, or there were more than 16")
	} else if done.Rebuilt {
		e.note("%s: its header was damaged and was rebuilt", name)
	}
	if done.VLMeta {
		say("vlmetalayers are lost, or cannot be shown to be intact")
	}
	for _, layer := range done.Corrupt {
		say("vlmetalayer %q cannot be decoded; it is copied as it is", layer)
	}
	for _, layer := range done.Renamed {
		say("the name of a metalayer was invalid; it is now %q", layer)
	}
	if done.Trailing > 0 {
		say("%s after its last frame are not part of a frame, and are not saved", count(done.Trailing, "byte"))
	}
	if done.Cut {
		say("it is truncated; how much is missing is unknown")
	}
}

// reason returns the text of a chunk's error, without its position.
func reason(err error) string {
	var fe *blosc2.FormatError
	if errors.As(err, &fe) && fe.Msg != "" {
		return fe.Msg
	}
	return plain(err)
}

// finishArray sets the shape of an array whose writer died to its complete rows. rows
// is their number, or -1 for any other frame. It returns an error if the array cannot
// be opened.
func finishArray(file *os.File) (rows int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return -1, err
	}
	f, err := frame.Open(file, info.Size())
	if err != nil || !isArray(f.Metalayers()) || f.FrameLen() < info.Size() { // not an array, or not a single frame
		return -1, err
	}
	if rows, err = b2nd.Finish(file, info.Size()); err != nil {
		return rows, err
	}
	if info, err = file.Stat(); err != nil {
		return rows, err
	}
	if f, err = frame.Open(file, info.Size()); err == nil {
		if _, err = b2nd.FromFrame(f); err != nil {
			err = fmt.Errorf("its chunks do not make up its array: %w", err)
		}
	}
	return rows, err
}
