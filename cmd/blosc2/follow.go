package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/b2nd"
	"github.com/seed03b80dae/blosc2/cmd/blosc2/internal/item"
	"github.com/seed03b80dae/blosc2/stream"
)

// followHelp is the help of the flag --follow.
const followHelp = "Keep reading what is flushed to the frame or array FILE, until its writer closes it; wait for a FILE that does not exist yet."

// A following reads the items of a file in whole rows, as its writer flushes them,
// until the writer closes it.
type following struct {
	*view
	name string
	keep bool                                      // follow forever, including each new file of that name
	next int64                                     // number of the next row
	each func(first int64, b []byte) error         // called with rows; first is the number of the first row in b
	from func(rows int64) (first int64, err error) // returns the first row to read, given the number of rows at the start; nil: all
}

// follow calls f.each with rows as they are flushed. Before that it calls begin, once
// the type and the shape are known.
func (e *env) follow(f *following, dtype string, begin func() error) error {
	if f.name == "-" || f.name == "" || isURL(f.name) {
		return misusef("--follow requires the name of a file")
	}
	if _, _, inStore := splitStore(f.name); inStore {
		return misusef("--follow: %s is in a store, where files do not grow", f.name)
	}
	for {
		err := e.followFile(f, dtype, begin)
		if !f.keep || !errors.Is(err, errReplaced) && !errors.Is(err, blosc2.ErrChanged) {
			return withName(f.name, err)
		}
		e.note("%s: was replaced or truncated; following the new contents", f.name)
		f.from, f.next = nil, 0
	}
}

// errReplaced is returned for a file that was replaced or truncated.
var errReplaced = errors.New("begins anew")

// followFile follows one file.
func (e *env) followFile(f *following, dtype string, begin func() error) error {
	t, err := e.awaitTarget(f.name)
	if err != nil {
		return err
	}
	if f.view, err = viewOf(t, dtype); err != nil {
		return err
	}
	defer func() { f.Close() }()
	if t.kind == kindChunk || t.sparse || len(f.shape) == 0 || slices.Contains(f.shape[1:], 0) {
		return errors.New("is not a frame or an array of rows in a file; only those can be followed")
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
		return f.rows()
	}
	return f.items()
}

// These are the interval at which an awaited file is checked, and the time for which
// unreadable data are assumed to be incomplete.
const (
	lookSoon = 5 * time.Millisecond
	halfMade = time.Second
)

// awaitTarget opens a file once it exists and its header is written.
func (e *env) awaitTarget(name string) (*target, error) {
	told := false
	var cut time.Time // when the file was first seen to be incomplete
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
		switch {
		case told:
		case missing:
			told = true
			e.note("%s: does not exist yet; waiting for it", name)
		case errors.Is(err, io.ErrUnexpectedEOF) && cut.IsZero():
			cut = time.Now()
		case errors.Is(err, io.ErrUnexpectedEOF) && time.Since(cut) > halfMade:
			told = true
			e.note("%v; waiting for its writer", err)
		}
	}
}

// items follows a frame that does not hold an array.
func (f *following) items() error {
	size := f.dtype.Size
	for _, n := range f.shape[1:] { // other dimensions, if the frame is a tensor
		size *= int(n)
	}
	options := []stream.FollowOption{stream.StartAt(f.next * int64(size))}
	if f.keep {
		options = append(options, stream.KeepFollowing())
	}
	in, err := stream.FollowFile(context.Background(), f.name, options...)
	if err != nil {
		return err
	}
	defer in.Close()
	var rest []byte // the flushed beginning of an item that is not complete
	length := f.length()
	for at := in.Offset(); ; {
		data, err := in.NextChunk()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if at += int64(len(data)); in.Offset() != at { // the next frame of the file has begun
			if f.keep && f.replaced(length) {
				return errReplaced
			}
			at = in.Offset()
		}
		length = f.length()
		data = append(rest, data...)
		n := int64(len(data) / size)
		if err := f.each(f.next, data[:n*int64(size)]); err != nil {
			return err
		}
		f.next += n
		rest = slices.Clone(data[n*int64(size):])
	}
}

// length returns the current length of the open file.
func (f *following) length() int64 {
	info, err := f.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// replaced reports whether the name now refers to another file, or the file has become
// shorter.
func (f *following) replaced(length int64) bool {
	opened, err := f.file.Stat()
	if err != nil {
		return true
	}
	named, err := os.Stat(f.name)
	return err != nil || !sameFile(opened, named) || named.Size() < length
}

// rows follows a frame that holds an array.
func (f *following) rows() error {
	options := []b2nd.Option{b2nd.FrameOptions(usualCheck.options(f.name)...)}
	if f.keep {
		options = append(options, b2nd.KeepFollowing())
	}
	in, err := b2nd.FollowFile(context.Background(), f.name, options...)
	if err != nil {
		return err
	}
	defer in.Close()
	row := item.Count(f.shape[1:]) * int64(f.dtype.Size)
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
