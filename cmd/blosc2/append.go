package main

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/stream"
)

// append adds data behind those of the frame name, with its parameters and in
// one commit: until that has happened the frame is as it was.
func (j *compression) append(e *env, in *input, name string) error {
	array, err := holdsArray(name)
	switch {
	case err != nil:
		return about(name, err)
	case array && j.array != nil:
		return j.appendRows(e, in, name)
	case array:
		return about(name, errors.New("is an array; what is appended must be one too: a .npy file, or bytes with --shape"))
	case j.array != nil:
		return about(name, errors.New("is no array; an array is appended to arrays alone"))
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w, err := stream.AppendFile(name,
		stream.Context(ctx),
		stream.Workers(j.cmd.workers()),
		stream.Progress(func(s stream.Stats) { bar.at(s.Bytes) }))
	if err != nil {
		return about(name, err)
	}
	n, err := w.ReadFrom(j.data)
	if err != nil {
		cancel(err) // then Close commits nothing
		w.Close()
		return about(in.name, err)
	}
	if err := w.Close(); err != nil {
		return about(name, err)
	}
	bar.end()
	e.note("%s: %s bytes behind those of %s", in.name, commas(n), name)
	return nil
}

// holdsArray tells whether a frame is an array, whose chunks raw bytes would
// garble.
func holdsArray(name string) (bool, error) {
	f, err := frame.OpenFrame(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return isArray(f.Metalayers()), nil
}

// appends tells whether the output exists and is to be appended to.
func (c *compressCmd) appends(name string) (bool, error) {
	if !c.Append {
		return false, nil
	}
	if c.ChunkOnly || c.Layout != layoutCurrent {
		return false, misusef("--append is for frames of the current layout")
	}
	if name == "-" {
		return false, misusef("--append: say with -o to which frame")
	}
	_, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, err
}
