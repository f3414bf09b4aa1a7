package main

import (
	"errors"
	"io"
	"os"

	"github.com/seed03b80dae/blosc2/chunk"
	"github.com/seed03b80dae/blosc2/frame"
)

// append adds data behind those of the frame name, with its parameters and in
// one commit: until that has happened the frame is as it was.
func (j *compression) append(e *env, in *input, name string) error {
	editor, err := frame.OpenFile(name)
	if err != nil {
		return about(name, err)
	}
	if isArray(editor.Reader().Metalayers()) {
		return about(name, errors.Join(errors.New("is an array, which rows are not appended to here"), editor.Close()))
	}
	bar := e.newBar(in.name, in.size)
	done, err := appendChunks(editor.Editor, j.data, int(j.cmd.Chunk), bar)
	bar.end()
	if err != nil {
		editor.Close()
		return about(in.name, err)
	}
	if err := errors.Join(editor.Commit(), editor.Close()); err != nil {
		return about(name, err)
	}
	e.note("%s: %s bytes behind those of %s", in.name, commas(done), name)
	return nil
}

// appendChunks hands over whole chunks: first what fills up the last one. In a
// frame of variable chunk size they have the size that was asked for.
func appendChunks(editor *frame.Editor, data io.Reader, size int, bar *bar) (done int64, err error) {
	next := size
	if fixed := int64(editor.Reader().Header().ChunkSize); fixed > 0 {
		size = int(fixed)
		next = size - int(editor.Size()%fixed)
	}
	buf := make([]byte, min(max(size, 1), chunk.MaxBytes))
	for {
		n, err := io.ReadFull(data, buf[:next])
		if n > 0 {
			if err := editor.Append(buf[:n]); err != nil {
				return done, err
			}
			done += int64(n)
			bar.at(done)
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		next = size
	}
}

// appends tells whether the output exists and is to be appended to.
func (c *compressCmd) appends(name string) (bool, error) {
	if !c.Append {
		return false, nil
	}
	if c.ChunkOnly || c.Shape != nil {
		return false, misusef("--append is for frames")
	}
	if name == "-" {
		return false, misusef("--append: say with -o to which frame")
	}
	_, err := os.Stat(name)
	return err == nil, nil
}
