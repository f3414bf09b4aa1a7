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
	if err := refuseArray(name); err != nil {
		return about(name, err)
	}
	bar := e.newBar(in.name, in.size)
	defer bar.end()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	w, err := stream.AppendFile(name,
		stream.Context(ctx),
		stream.Workers(j.cmd.Jobs),
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

// refuseArray keeps raw bytes out of arrays, whose chunks they would garble.
func refuseArray(name string) error {
	f, err := frame.OpenFrame(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if isArray(f.Metalayers()) {
		return errors.New("is an array; raw bytes are appended to frames alone")
	}
	return nil
}

// appends tells whether the output exists and is to be appended to.
func (c *compressCmd) appends(name string) (bool, error) {
	if !c.Append {
		return false, nil
	}
	if c.ChunkOnly || c.Shape != nil || c.Layout != layoutCurrent {
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
