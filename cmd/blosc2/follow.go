package main

import (
	"bufio"
	"context"
	"io"

	"github.com/seed03b80dae/blosc2/stream"
)

// followHelp is the help of the flag --follow.
const followHelp = "Keep reading data as it is flushed to the frame FILE, until its writer closes it."

// openFollower follows the frame in a file.
func openFollower(name string) (*stream.Follower, error) {
	if name == "-" || name == "" {
		return nil, misusef("--follow requires the name of a file")
	}
	return stream.FollowFile(context.Background(), name)
}

// follow writes the data of a frame while it is being written.
func (c *decompressCmd) follow(e *env) error {
	if len(c.Files) != 1 {
		return misusef("--follow requires the name of one file")
	}
	file, name, err := c.Files[0], c.Out, error(nil)
	if c.Stdout {
		name = "-"
	}
	if name == "" {
		if name, err = decompressedName(file, ""); err != nil {
			return err
		}
	}
	f, err := openFollower(file)
	if err != nil {
		return err
	}
	defer f.Close()
	out, err := e.create(name, c.outFlags)
	if err != nil {
		return err
	}
	good := &counter{Writer: out.writer(), limit: int64(c.Limit)}
	if _, err := io.Copy(good, f); err != nil {
		return e.abandon(out, file, good.n, err)
	}
	return e.commit(out)
}

// follow prints items, one per line, as they are flushed.
func (c *catCmd) follow(e *env) error {
	if c.Window != "" {
		return misusef("--follow cannot be combined with a window")
	}
	f, err := openFollower(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(e.stdout)
	var v *view
	var rest []byte // the beginning of an item that was flushed in parts
	for {
		data, err := f.NextChunk()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return about(c.File, err)
		}
		if v == nil { // the header is there now, with the type of the items
			if v, err = e.openView(c.File, c.DType); err != nil {
				return err
			}
			v.Close()
			if v.kind == kindArray {
				return misusef("--follow reads frames, and %s is an array", c.File)
			}
		}
		p := newPrinter(out, []int64{0}, c.CSV)
		size := v.dtype.Size
		for data = append(rest, data...); len(data) >= size; data = data[size:] {
			if c.CSV {
				p.row = csvCells(p.row, v.dtype, data[:size])
			} else {
				p.row = append(p.row, text(v.dtype, data[:size]))
			}
			if err := p.item(); err != nil {
				return about("-", err)
			}
		}
		rest = append([]byte(nil), data...)
		if err := p.flush(out); err != nil {
			return about("-", err)
		}
	}
}
