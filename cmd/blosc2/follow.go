package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"time"

	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/stream"
)

// followHelp is the help of the flag --follow.
const followHelp = "Keep reading what is flushed to the frame or array FILE, until its writer closes it; wait for a FILE that does not exist yet."

// A following reads the items of a file in whole rows, as its writer flushes them,
// until the writer closes it.
type following struct {
	*view
	name string
	next int64                                     // row
	each func(first int64, b []byte) error         // first is the number of the first row in b
	from func(rows int64) (first int64, err error) // of the rows that there are at first; nil: all
}

// follow calls f.each. begin is called before, when the type and the shape are known.
func (e *env) follow(f *following, dtype string, begin func() error) error {
	if f.name == "-" || f.name == "" || isURL(f.name) {
		return misusef("--follow requires the name of a file")
	}
	if _, _, inStore := splitStore(f.name); inStore {
		return misusef("--follow: %s is in a store, where nothing grows", f.name)
	}
	t, err := e.awaitTarget(f.name)
	if err != nil {
		return about(f.name, err)
	}
	if f.view, err = viewOf(t, dtype); err != nil {
		return err
	}
	defer func() { f.Close() }()
	if t.kind == kindChunk || t.sparse || len(f.shape) == 0 || slices.Contains(f.shape[1:], 0) {
		return about(f.name, errors.New("is not a frame or an array of rows in a file, which alone can be followed"))
	}
	if f.from != nil {
		if f.next, err = f.from(f.shape[0]); err != nil {
			return err
		}
	}
	if err := begin(); err != nil {
		return err
	}
	if t.kind == kindArray {
		return about(f.name, f.rows())
	}
	return about(f.name, f.items())
}

// How often a file that is awaited is looked at, and how long what cannot be read
// may be about to be written.
const (
	lookSoon = 5 * time.Millisecond
	halfMade = time.Second
)

// awaitTarget opens a file once it is there and its header is written.
func (e *env) awaitTarget(name string) (*target, error) {
	told := false
	for wrong := time.Now(); ; time.Sleep(lookSoon) {
		t, err := e.openTarget(name)
		missing := errors.Is(err, fs.ErrNotExist)
		switch {
		case err == nil:
			return t, nil
		case missing || errors.Is(err, io.ErrUnexpectedEOF):
			wrong = time.Now()
		case time.Since(wrong) > halfMade || errors.Is(err, fs.ErrPermission):
			return nil, err
		}
		if missing && !told {
			told = true
			e.note("%s: does not exist yet; waiting for it", name)
		}
	}
}

// items follows a frame.
func (f *following) items() error {
	size := f.dtype.Size
	for _, n := range f.shape[1:] { // of a tensor
		size *= int(n)
	}
	in, err := stream.FollowFile(context.Background(), f.name, stream.StartAt(f.next*int64(size)))
	if err != nil {
		return err
	}
	defer in.Close()
	var rest []byte // the beginning of an item that was flushed in parts
	for {
		data, err := in.NextChunk()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		data = append(rest, data...)
		n := int64(len(data) / size)
		if err := f.each(f.next, data[:n*int64(size)]); err != nil {
			return err
		}
		f.next += n
		rest = slices.Clone(data[n*int64(size):])
	}
}

// rows follows an array.
func (f *following) rows() error {
	in, err := b2nd.FollowFile(context.Background(), f.name, b2nd.FrameOptions(usualCheck.options(f.name)...))
	if err != nil {
		return err
	}
	defer in.Close()
	row := int64(f.dtype.Size)
	for _, n := range f.shape[1:] {
		row *= n
	}
	for first := int64(0); ; {
		b, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		end := first + int64(len(b))/row
		if skip := max(f.next-first, 0); first+skip < end {
			if err := f.each(first+skip, b[skip*row:]); err != nil {
				return err
			}
		}
		first = end
	}
}
