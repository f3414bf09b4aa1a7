package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/remote"
	"github.com/seed03b80dae/blosc2/shard"
	"github.com/seed03b80dae/blosc2/stream"
)

// shardFlag is the flag of verbs that can write one shard of their output.
type shardFlag struct {
	K, N int // the flag's value is K/N; N is 0 if the flag is not given
}

func (f *shardFlag) define(g *grammar) {
	g.Func("shard", "Write only shard `K/N`, with K from 0, to the folder OUT, or into the object OUT of a store; assemble joins the shards.", f.set)
}

func (f *shardFlag) set(text string) error {
	k, n, ok := strings.Cut(text, "/")
	var err1, err2 error
	f.K, err1 = strconv.Atoi(k)
	f.N, err2 = strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || f.N < 1 || f.K < 0 || f.K >= f.N {
		return errors.New("must be K/N, with K from 0 and less than N")
	}
	return nil
}

// given reports whether the flag is given.
func (f *shardFlag) given() bool { return f.N > 0 }

// shards returns the number of shards of a plan.
func (f *shardFlag) shards() int { return max(f.N, 1) }

// checkFolder returns an error if out cannot be a folder of shards.
func (f *shardFlag) checkFolder(out string) error {
	if out == "" || out == "-" {
		return errors.New("--shard requires -o with the folder of all shards, or the object of a store")
	}
	return nil
}

// make writes the selected shard or, without the flag, the whole file.
func (f *shardFlag) make(e *env, out outFlags, p *shard.Plan, fill shard.Fill, opts ...stream.Option) error {
	if !f.given() {
		if err := e.mayReplace(out); err != nil {
			return err
		}
	}
	if isURL(out.Out) {
		return withName(publicName(out.Out), f.upload(e, out.Out, p, fill, opts))
	}
	e.watchSignals()
	first, end := p.Chunks(f.K)
	bar := e.newBar(out.Out, min((end-first)*int64(p.Header().ChunkSize), p.Size()))
	defer bar.end()
	opts = append(opts, bar.written())
	if !f.given() {
		if err := withName(out.Out, shard.WriteFile(out.Out, p, fill, opts...)); err != nil {
			return err
		}
		return e.noteMade(out.Out, "")
	}
	if err := os.MkdirAll(out.Out, 0o777); err != nil {
		return withName(out.Out, err)
	}
	if err := withName(out.Out, shard.WriteShardFile(out.Out, p, f.K, fill, opts...)); err != nil {
		return err
	}
	return e.noteMade(out.Out+string(os.PathSeparator)+p.FileName(f.K), fmt.Sprintf("shard %d of %d", f.K, f.N))
}

// upload puts the shard, or without the flag the whole object, into a store.
func (f *shardFlag) upload(e *env, url string, p *shard.Plan, fill shard.Fill, opts []stream.Option) error {
	store, err := e.sinkOf(url)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	opts = append(opts, stream.Memory(forUpload()))
	if err := remote.WriteShard(ctx, store, url, p, f.K, fill, opts...); err != nil {
		return err
	}
	if f.given() {
		e.note("%s: shard %d of %d", publicName(url), f.K, f.N)
		return nil
	}
	return assembleURL(ctx, e, url)
}

// assembleURL completes the object at url from its shards, all of which must be in the
// store.
func assembleURL(ctx context.Context, e *env, url string) error {
	store, err := e.sinkOf(url)
	if err != nil {
		return err
	}
	if err := remote.AssembleShards(ctx, store, url); err != nil {
		return err
	}
	if err := remote.RemoveShards(ctx, store, url); err != nil {
		return err
	}
	o, err := store.Open(ctx, url)
	if err != nil {
		return err
	}
	defer o.Close()
	e.note("%s: %s", publicName(url), count(o.Size(), "byte"))
	return nil
}

// mayReplace returns an error if the output exists and --force is not given.
func (e *env) mayReplace(out outFlags) error {
	if out.Out == "" || out.Out == "-" {
		return misusef("-o must name the output file")
	}
	if isURL(out.Out) && !out.Force {
		return withName(publicName(out.Out), e.absent(out.Out))
	}
	if _, err := os.Lstat(out.Out); err == nil && !out.Force {
		return withName(out.Out, errExists)
	}
	return nil
}

// absent returns an error if the store has the object.
func (e *env) absent(url string) error {
	store, err := e.sinkOf(url)
	if err != nil {
		return err
	}
	there, err := store.Open(context.Background(), url)
	switch {
	case err == nil:
		there.Close()
		return errExists
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

func (e *env) noteMade(name, what string) error {
	info, err := os.Stat(name)
	if err != nil {
		return withName(name, err)
	}
	if what != "" {
		what = ", " + what
	}
	e.note("%s: %s%s", name, count(info.Size(), "byte"), what)
	return nil
}

// A steady is an input that must not change while its shards are written.
type steady struct {
	*input
	was fs.FileInfo
}

// Close closes the input.
func (s steady) Close() error { return s.File.Close() }

var errSteady = errors.New("changed while it was read")

// source identifies the file in the plan. Shards of another file are rejected.
func (s steady) source() string {
	if o, ok := s.File.(*remote.Object); ok {
		return fmt.Sprintf("%d bytes, version %s", o.Size(), o.Version())
	}
	return fmt.Sprintf("%d bytes of %s", s.was.Size(), s.was.ModTime().UTC().Format(time.RFC3339Nano))
}

// guard returns a Fill that fails if the file has changed since it was opened. Its
// errors name the file.
func (s steady) guard(fill shard.Fill) shard.Fill {
	return func(dst []byte, n int64) error {
		err := fill(dst, n)
		now, errStat := s.File.Stat()
		switch {
		case errStat != nil:
			err = cmp.Or(err, errStat)
		case now.Size() != s.was.Size() || !now.ModTime().Equal(s.was.ModTime()):
			err = errSteady // the change may also be the cause of err
		}
		return withName(s.name, err)
	}
}

// openSteady opens a regular file, or a remote object.
func (e *env) openSteady(name string) (steady, error) {
	if name == "-" || name == "" {
		return steady{}, misusef("shards require a file that all workers can read, not the standard input")
	}
	in, err := e.openInput(name)
	if err != nil {
		return steady{}, err
	}
	s := steady{in, in.info}
	if isURL(name) {
		s.was, err = in.File.Stat()
	} else if in.info == nil {
		err = errors.New("is not a regular file")
	}
	if err != nil {
		s.Close()
	}
	return s, withName(in.name, err)
}

// openArray opens the array in a file, a remote object or a leaf of a store.
func (e *env) openArray(name string) (s steady, a *b2nd.Array, err error) {
	if _, _, inStore := splitStore(name); inStore {
		f, err := e.openAnywhere(name)
		if err != nil {
			return s, nil, withName(name, err)
		}
		s.input = &input{name: name, File: f}
		s.was, err = f.Stat()
		if err != nil {
			s.Close()
			return s, nil, withName(name, err)
		}
	} else if s, err = e.openSteady(name); err != nil {
		return s, nil, err
	}
	a, err = b2nd.Open(s.File, s.was.Size(), b2nd.FrameOptions(usualCheck.options(name)...))
	switch {
	case err == nil:
		err = meansNothing(a.Frame())
	case errors.Is(err, blosc2.ErrUnsupported):
		if t, e := e.openTarget(name); e == nil {
			if t.kind != kindArray {
				err = errors.New("is a frame, not an array; info --stats describes its numbers, and compress --shape makes an array of raw ones")
			}
			t.Close()
		}
	}
	if err != nil {
		s.Close()
	}
	return s, a, withName(name, err)
}
