package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed03b80dae/blosc2/stream"
)

// fileFlags are the flags of verbs that write a file for each input.
type fileFlags struct {
	outFlags
	Stdout    bool
	Keep      bool
	Remove    bool
	Recursive bool
}

// define defines the flags. letter is the short name of --stdout, or "" if it has none.
func (f *fileFlags) define(g *grammar, letter string) {
	f.outFlags.define(g)
	g.BoolVarP(&f.Stdout, "stdout", letter, f.Stdout, "Write to the standard output, same as -o -.")
	g.BoolVarP(&f.Recursive, "recursive", "r", false, "Process the files in folders and their subfolders.")
	g.BoolVarP(&f.Keep, "keep", "k", false, "Keep the input files (default).")
	g.BoolVar(&f.Remove, "rm", false, "Remove each input file once its output is complete and on disk.")
}

// check returns an error for flags that cannot be combined.
func (f *fileFlags) check() error {
	switch {
	case f.Keep && f.Remove:
		return errors.New("--keep and --rm cannot be combined")
	case f.Stdout && f.Out != "" && f.Out != "-":
		return errors.New("--stdout and --out cannot be combined")
	case (f.Stdout || f.Out == "-") && f.Remove:
		return errors.New("--rm cannot be used with the standard output, which may be lost; remove the input yourself")
	}
	if f.Stdout {
		f.Out = "-"
	}
	return nil
}

// A dest says where the output of an input is written.
type dest struct {
	out string // the output's name, if -o names a file
	dir string // otherwise the output's folder; "" is the folder of the input
}

// name returns the name of an output. beside is its name if it is written next to the
// input.
func (p dest) name(beside string) string {
	switch {
	case p.out != "":
		return p.out
	case p.dir != "":
		return filepath.Join(p.dir, filepath.Base(beside))
	}
	return beside
}

// An opener opens an input, and reports whether it is small. It returns a function,
// rest, that reads the input and writes the output; the caller must call it. Small
// inputs may be processed by several goroutines.
type opener func(name string) (small bool, rest func(to dest) (stream.Stats, error), err error)

// A batch processes the inputs of a verb.
type batch struct {
	*fileFlags
	files []string
	want  func(name string) bool // reports whether -r processes a file in a folder
	jobs  int                    // inputs processed at a time; 0: the number of processors

	worker func() opener // returns the opener of one goroutine; openers share no state

	workers []opener
	queue   []waiting
	joins   bool // the outputs of all inputs go to one file
	toDir   bool
	made    string // the last folder created
	many    bool
	n       int
	done    []string // inputs to be removed
	failed  []string
	total   stream.Stats
}

// run processes every input. If there are several inputs, it reports each failure,
// continues, and counts the failures.
func (b *batch) run(e *env) error {
	b.files = b.once(e)
	if err := b.checkOutput(); err != nil {
		return err
	}
	e.many, e.removes = b.many, b.Remove
	for _, name := range b.files {
		if b.Recursive && name != "-" {
			if info, err := os.Stat(name); err == nil && info.IsDir() && !isSparse(name) {
				b.walk(e, name)
				continue
			}
		}
		if err := b.one(e, name, ""); err != nil {
			return err
		}
	}
	b.flush(e)
	return b.end(e)
}

// once returns the files without those that are named again, whose outputs would have the
// same names. Files that are written to the standard output, or joined, may be repeated.
func (b *batch) once(e *env) []string {
	if b.Out == "-" || b.joins {
		return b.files
	}
	seen := map[string]bool{}
	var files []string
	for _, name := range b.files {
		key := name
		if !isURL(name) {
			key = filepath.Clean(name)
		}
		if seen[key] && name != "-" {
			e.note("%s: is named more than once, but processed once", publicName(name))
			continue
		}
		seen[key] = true
		files = append(files, name)
	}
	return files
}

// checkOutput determines whether the outputs go to a folder. It returns an error if
// several outputs would have the same name.
func (b *batch) checkOutput() error {
	b.many = len(b.files) > 1 || b.Recursive
	if b.Out == "" || b.Out == "-" {
		return nil
	}
	info, err := os.Stat(b.Out)
	b.toDir = err == nil && info.IsDir() || strings.HasSuffix(b.Out, "/") || strings.HasSuffix(b.Out, string(filepath.Separator))
	if b.many && !b.toDir && !b.joins {
		return misusef("-o %s: several outputs need a folder; %s/ creates it", b.Out, b.Out)
	}
	return nil
}

// one processes an input, or queues it if it may be small. below is the folder of its
// output, relative to that of -o. An error ends the batch.
func (b *batch) one(e *env, name, below string) error {
	w := waiting{name: name, below: below}
	if b.queues(e, name) {
		b.queue = append(b.queue, w)
		if len(b.queue) == queueLen {
			b.flush(e)
		}
		return nil
	}
	b.flush(e)
	b.open(e, b.opener(0), &w)
	b.finish(&w)
	return b.record(e, &w)
}

// open opens an input and creates the folder of its output. It stores an error in w.
func (b *batch) open(e *env, open opener, w *waiting) {
	w.to = dest{out: b.Out}
	if b.toDir {
		w.to = dest{dir: filepath.Join(b.Out, w.below)}
	}
	if w.err = b.makeFolder(e, w.to); w.err != nil {
		return
	}
	if b.Remove && w.name != "-" {
		if w.before, w.err = os.Stat(w.name); w.err != nil {
			return
		}
		if mode := w.before.Mode(); !mode.IsRegular() && !mode.IsDir() {
			w.err = errors.New("is not a regular file, which --rm would remove; leave out --rm")
			return
		}
		if info, err := os.Stat(w.to.out); err == nil && !info.Mode().IsRegular() {
			w.err = withName(w.to.out, errors.New("is not a regular file, so the output may be lost; leave out --rm"))
			return
		}
	}
	w.small, w.rest, w.err = open(w.name)
}

// finish processes an input, unless opening it failed. It stores the result in w.
func (b *batch) finish(w *waiting) {
	if w.rest == nil || w.err != nil {
		return
	}
	w.done, w.err = w.rest(w.to)
	w.rest = nil
	if w.err == nil && w.before != nil {
		w.err = unchanged(w.name, w.before)
	}
}

// unchanged returns an error if a file that will be removed has changed since it
// was opened.
func unchanged(name string, before fs.FileInfo) error {
	now, err := os.Stat(name)
	if err == nil && (!os.SameFile(before, now) || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime())) {
		err = errors.New("changed while it was read, so it was not removed")
	}
	return err
}

// record counts the result of an input. If the batch has only one input it returns the
// input's error, which ends the batch; otherwise it reports the error.
func (b *batch) record(e *env, w *waiting) error {
	b.n++
	if w.err == nil {
		b.total.Bytes += w.done.Bytes
		b.total.Stored += w.done.Stored
	}
	if w.err == nil && b.Remove && w.name != "-" {
		b.done = append(b.done, w.name)
		if len(b.done) >= removeEvery {
			b.remove(e)
		}
	}
	if w.err == nil || !b.many {
		return withName(w.name, w.err)
	}
	b.fail(e, w.name, w.err)
	return nil
}

// makeFolder creates the folder of an output, if necessary.
func (b *batch) makeFolder(e *env, to dest) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if to.dir == "" || to.dir == b.made {
		return nil
	}
	b.made = to.dir
	return withName(to.dir, os.MkdirAll(to.dir, 0o777))
}

func (b *batch) fail(e *env, name string, err error) {
	e.awaitEnd()
	if !errors.Is(err, errReported) {
		e.report(withName(name, err))
	}
	b.failed = append(b.failed, name)
}

// walk processes the files below a folder; the outputs have the same relative
// paths. Links are not followed.
func (b *batch) walk(e *env, root string) {
	base := filepath.Dir(filepath.Clean(root))
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			b.fail(e, name, err)
			if entry != nil && entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir() && isSparse(name) && b.want(name):
			below, _ := filepath.Rel(base, filepath.Dir(name))
			if err := b.one(e, name, below); err != nil {
				return err
			}
			return fs.SkipDir
		case !entry.Type().IsRegular() || !b.want(name):
			return nil
		}
		below, _ := filepath.Rel(base, filepath.Dir(name))
		return b.one(e, name, below)
	})
	if err != nil {
		b.fail(e, root, err)
	}
}

// removeEvery is the number of files after which outputs are synced and inputs
// removed.
const removeEvery = 1000

// remove removes the inputs whose outputs are complete, after syncing the outputs.
func (b *batch) remove(e *env) {
	err := e.syncDeferred()
	for _, name := range b.done {
		if err == nil {
			err = os.Remove(name)
		}
		if err != nil {
			b.fail(e, name, err)
		}
	}
	b.done = b.done[:0]
}

// end waits for the disk, prints the total, and names the inputs that failed.
func (b *batch) end(e *env) error {
	if err := e.syncDeferred(); err != nil {
		return err
	}
	b.remove(e)
	if b.many && b.n > len(b.failed) && b.total.Bytes > 0 {
		e.note("%s: %s, %s compressed, ratio %.2f", count(int64(b.n-len(b.failed)), "file"),
			count(b.total.Bytes, "byte"), commas(b.total.Stored), b.total.Ratio())
	}
	if len(b.failed) == 0 {
		return nil
	}
	if b.n > 1 {
		named := b.failed
		rest := ""
		if len(named) > mostNamed {
			named, rest = named[:mostNamed], ", …"
		}
		e.report(fmt.Errorf("%d of %s failed: %s%s", len(b.failed), count(int64(b.n), "file"), strings.Join(named, ", "), rest))
	}
	return errReported
}

// mostNamed is the largest number of failed files that the last line names.
const mostNamed = 10

// isSparse reports whether a folder is a sparse frame.
func isSparse(name string) bool {
	_, err := os.Stat(filepath.Join(name, "chunks"+frameSuffix))
	return err == nil
}
