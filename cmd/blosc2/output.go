package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// outFlags are the flags of every verb that writes a file.
type outFlags struct {
	Out         string
	Force       bool
	KeepPartial bool
}

func (f *outFlags) define(g *grammar) {
	g.StringVarP(&f.Out, "out", "o", "", "Write to `OUT`: a file, a folder, or - for the standard output.")
	g.note("out", noteFile)
	g.BoolVarP(&f.Force, "force", "f", false, "Overwrite existing files; write binary data to a terminal.")
	g.BoolVar(&f.KeepPartial, "keep-partial", false, "After a failure keep the good beginning of the output, unless it would replace a file.")
}

// An output is the destination of a verb's result: a file that appears under its
// name once it is complete, or something that is written in place (the standard
// output, a device, a named pipe).
type output struct {
	name  string   // name for messages
	final string   // the file's final name; "" if it is written in place
	File  *os.File // the file to write to
	tmp   string   // the file's temporary name, or ""
	keep  bool
	force bool
	late  bool        // the output gets its name before it is synced
	holes *sparse     // writes zeros as holes; nil if the output has no holes
	like  fs.FileInfo // the source, whose mode, time and owner the output gets; or nil
	info  fs.FileInfo // description of the finished file, or nil
}

// stat returns the os.FileInfo of the finished file.
func (o *output) stat() (fs.FileInfo, error) {
	var err error
	if o.info == nil {
		o.info, err = o.File.Stat()
	}
	return o.info, err
}

// create opens the output. It creates a file in its final folder without a name. If the
// system does not support that, or the beginning may be kept, the file gets a temporary
// name, and an interrupt removes it.
func (e *env) create(name string, flags outFlags) (*output, error) {
	if name == "" {
		name = "-"
	}
	return e.createLike(name, flags, nil)
}

// createLike opens an output that will have the mode and the modification time of its
// source and, if the program runs as root, its owner. Until the output is complete only
// the user can read it.
func (e *env) createLike(name string, flags outFlags, like fs.FileInfo) (*output, error) {
	if name == "-" {
		if e.isTerminal(e.stdout) && !flags.Force {
			return nil, misusef("binary data is not written to a terminal; use -o to name a file, or --force")
		}
		return &output{name: name, File: e.stdout}, nil
	}
	if isURL(name) {
		return nil, misusef("%s: is remote; must be a file, as only frames and arrays are written into stores", publicName(name))
	}
	final, mode := name, fs.FileMode(0o666)
	if info, err := os.Stat(name); err == nil {
		if info.IsDir() {
			return nil, withName(name, errors.New("is a directory"))
		}
		if !info.Mode().IsRegular() {
			f, err := os.OpenFile(name, os.O_WRONLY, 0)
			return &output{name: name, File: f}, withName(name, err)
		}
		if !flags.Force {
			return nil, withName(name, errExists)
		}
		if like != nil && sameFile(info, like) {
			return nil, withName(name, errInput)
		}
		if final, err = filepath.EvalSymlinks(name); err != nil {
			return nil, withName(name, err)
		}
		mode = info.Mode().Perm()
	}
	if like != nil {
		mode = 0o600
	}
	if !e.claim(final) {
		return nil, withName(name, errTwice)
	}
	o := &output{name: name, final: final, keep: flags.KeepPartial, force: flags.Force, like: like}
	if !o.keep {
		var ok bool
		first := mode
		if like != nil { // nobody else can open the file before it has a name
			first = like.Mode().Perm()
		}
		if o.File, ok = createUnnamed(filepath.Dir(final), first, name); ok {
			return o, nil
		}
	}
	if err := e.createNamed(o, mode); err != nil {
		return nil, withName(name, err)
	}
	return o, nil
}

// createNamed creates an output's file under a temporary name, which an interrupt
// removes.
func (e *env) createNamed(o *output, mode fs.FileMode) error {
	e.watchSignals()
	for {
		tmp := temporary(o.final)
		f, err := os.OpenFile(tmp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		o.File, o.tmp = f, tmp
		e.open.add(o)
		return nil
	}
}

// temporary returns a temporary name in the same folder.
func temporary(final string) string {
	dir, base := filepath.Split(final)
	return fmt.Sprintf("%s.%s.%08x.tmp", dir, base, rand.Uint32())
}

// finish sets the file's length and attributes, and syncs it unless the batch does so
// later.
func (o *output) finish(sync bool) error {
	if o.holes != nil {
		if err := o.holes.finish(); err != nil {
			return err
		}
	}
	o.setAttributes()
	if !sync {
		return nil
	}
	return o.File.Sync()
}

// writer returns a writer to the output from its beginning.
func (o *output) writer() io.Writer {
	if o.final == "" {
		return o.File
	}
	return &fsio.WriteBack{File: o.File}
}

var (
	errExists = errors.New("already exists; use --force to overwrite it")
	errTwice  = errors.New("is also the output of another input")
	errInput  = errors.New("is the input; use -o to name another file")
)

// commit links the finished file to its name, after syncing its bytes.
func (e *env) commit(o *output) error {
	if o.final == "" {
		if o.File == e.stdout {
			return nil
		}
		return withName(o.name, o.File.Close())
	}
	o.late = e.maySyncLate(o)
	err := o.finish(!o.late)
	if err == nil && o.tmp == "" {
		err = e.appear(o)
	}
	err = cmp.Or(err, o.File.Close())
	if o.tmp != "" {
		if err == nil {
			err = place(o.tmp, o.final, o.force)
		}
		if err != nil {
			os.Remove(o.tmp)
		}
	}
	e.open.remove(o)
	if err == nil {
		o.setModTime()
	}
	return withName(o.name, err)
}

// appear links a file without a name to its final name. If it must replace another
// file, it links the file to a temporary name first and renames it. If the system
// cannot link the file, appear makes a copy with a temporary name instead.
func (e *env) appear(o *output) error {
	err := e.link(o.File.Fd(), o.final)
	if err == nil {
		if !o.late {
			syncDir(filepath.Dir(o.final))
		}
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		if !o.force {
			return errExists
		}
		tmp := temporary(o.final)
		if e.link(o.File.Fd(), tmp) == nil {
			o.tmp = tmp
			return nil
		}
	}
	return e.copyNamed(o)
}

// copyNamed copies a file without a name to one with a temporary name.
func (e *env) copyNamed(o *output) error {
	from := o.File
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return err
	}
	if err := e.createNamed(o, info.Mode().Perm()); err != nil {
		return err
	}
	if err := copySparse(o.File, from, info.Size()); err != nil {
		return err
	}
	return o.File.Sync()
}

// place renames tmp to final, which must not exist unless force is set.
func place(tmp, final string, force bool) error {
	if !force {
		switch err := os.Link(tmp, final); {
		case err == nil:
			os.Remove(tmp)
			syncDir(filepath.Dir(final))
			return nil
		case errors.Is(err, fs.ErrExist):
			return errExists
		}
		// The file system may not support links.
		if _, err := os.Lstat(final); err == nil {
			return errExists
		}
	}
	if err := os.Rename(tmp, final); err != nil {
		return err
	}
	syncDir(filepath.Dir(final))
	return nil
}

// syncDir syncs a folder after a rename, if the system supports that.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// abandon ends an output after a failure while in was read. It removes the file, or,
// with --keep-partial, renames it to its final name. The bytes written so far must be valid;
// good is their number. It returns cause with that number and the name of the file
// concerned.
func (e *env) abandon(o *output, in string, good int64, cause error) error {
	e.open.remove(o)
	if isMisuse(cause) {
		o.keep = false
	}
	kept := o.discard()
	if o.final == "" && o.File != e.stdout {
		o.File.Close()
	}
	if isMisuse(cause) {
		return cause
	}
	switch about := isAbout(cause, o.File.Name()); {
	case about && kept:
		return &fileError{o.called(), cause, intact(good)}
	case about:
		return &fileError{name: o.called(), err: cause}
	}
	return &fileError{in, repairable(in, cause), o.saved(good, kept)}
}

// saved returns the note of an error in reading the input after good bytes were written. These
// bytes of the input are intact, even if they are not kept, unless the output has another form.
func (o *output) saved(good int64, kept bool) string {
	if o.final == "" || good == 0 || !slices.Contains([]string{npySuffix, csvSuffix, wavSuffix}, filepath.Ext(o.final)) {
		return intact(good)
	}
	switch {
	case kept:
		return fmt.Sprintf("the first %s bytes of %s are kept", commas(good), o.name)
	case o.keep || o.force: // it would replace a file
		return ""
	}
	return "--keep-partial keeps the beginning of " + o.name
}

// called returns the name of an output for messages.
func (o *output) called() string {
	if o.name == "-" {
		return stdoutName
	}
	return o.name
}

// drop implements dropper.
func (o *output) drop() error {
	o.discard()
	return nil
}

// discard removes the temporary file, or renames it to its final name if the good
// beginning is to be kept. It never replaces an existing file, even with force. It
// reports whether what was written is kept.
func (o *output) discard() (kept bool) {
	if o.final == "" {
		return true
	}
	kept = o.keep && o.finish(true) == nil
	o.File.Close()
	if o.tmp != "" && (!kept || place(o.tmp, o.final, false) != nil) {
		os.Remove(o.tmp)
		kept = false
	}
	return kept
}
