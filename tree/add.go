package tree

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Append adds items to the store in a zip of size bytes, without writing its other
// members again: the items and a new directory go after the old one. If it fails,
// the file is cut to what it was. If the machine dies before Append returns, the
// store is there once the file is cut to size, which zip tools do for an addition
// of less than 64 KiB themselves.
//
// A key that is there already, or would be a group and a leaf, is fs.ErrExist.
func Append(file frame.File, size int64, items ...Item) (err error) {
	if err := framing.Need(file != nil, "file", "a frame.File, such as an *os.File"); err != nil {
		return err
	}
	s, err := Open(file, size)
	if err != nil {
		return err
	}
	if s.data.layout != Zip {
		return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "adding to a store that is not a zip")
	}
	members, err := newMembers(s, items)
	if err != nil || len(members) == 0 {
		return err
	}
	dir, count, err := readDirectory(file, size)
	if err != nil {
		return err
	}
	z := &zipWriter{w: io.NewOffsetWriter(file, size), pos: size, dir: dir, count: count}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Truncate(size))
		}
	}()
	for _, m := range members {
		if err := z.add(m); err != nil {
			return err
		}
	}
	// The members are safe before the directory names them.
	if err := file.Sync(); err != nil {
		return err
	}
	if err := z.finish(); err != nil {
		return err
	}
	return file.Sync()
}

// newMembers checks that items have keys that a store does not have yet.
func newMembers(s *Store, items []Item) ([]member, error) {
	c := Contents{Items: items}
	sorted, err := c.frames()
	if err != nil {
		return nil, err
	}
	var out []member
	for _, it := range sorted {
		taken := len(s.data.below(it.Key)) > 0
		for i := 1; i <= len(it.Key) && !taken; i++ {
			if i == len(it.Key) || it.Key[i] == '/' {
				_, taken = s.data.find(it.Key[:i])
			}
		}
		if taken {
			return nil, &fs.PathError{Op: "add", Path: it.Key, Err: fs.ErrExist}
		}
		m, err := memberOf(it)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// Copy returns the frames of a store, or of a group or table that is one, as
// items of another: see Node.Store. Remote arrays are left out, since nothing of
// them is here.
func (s *Store) Copy() ([]Item, error) {
	var out []Item
	for _, l := range s.data.below(s.prefix) {
		if l.ref != nil {
			continue
		}
		r, size, err := s.data.bytesOf(l)
		if err != nil {
			return nil, err
		}
		if l.member == "" { // decoded on every read
			b := make([]byte, size)
			if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
				return nil, err
			}
			r = bytes.NewReader(b)
		}
		out = append(out, Item{s.relative(l.key), r, size})
	}
	return out, nil
}
