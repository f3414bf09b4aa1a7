package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed03b80dae/blosc2/frame"
	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// OpenFile opens the named store: a zip, a folder or a frame. Close closes its
// files. Links out of a folder are not followed.
func OpenFile(path string, opts ...Option) (_ *Store, err error) {
	defer fsio.AddPath("open", path, &err)
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, err
		}
		s, err := OpenFS(root.FS(), opts...)
		if err != nil {
			return nil, errors.Join(err, root.Close())
		}
		s.data.close = append([]io.Closer{root}, s.data.close...)
		return s, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	s, err := Open(f, info.Size(), opts...)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.data.close = append(s.data.close, f)
	return s, nil
}

// WriteFile atomically writes a store to a file: a zip, or a single frame if
// the path ends in ".b2e". The new file replaces an old one when it is complete
// and synced.
func WriteFile(path string, c Contents) error {
	write := Write
	if strings.HasSuffix(path, Embed.String()) {
		write = WriteEmbed
	}
	return fsio.Replace(path, func(f *os.File) error { return write(f, c) })
}

// WriteFolder writes a store to a new folder, each file atomically and
// embed.b2e last: without it the folder is not a store. An existing folder must
// be empty; otherwise the error is fs.ErrExist.
func WriteFolder(path string, c Contents) error {
	members, err := c.members()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(path, 0o777); err != nil {
		return err
	}
	if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
		return errors.Join(err, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist})
	}
	for _, m := range members {
		if err := replaceMember(path, m); err != nil {
			return err
		}
	}
	return nil
}

// UpdateFile is like Update, for the named store, a zip or a folder. In a folder it
// replaces each file atomically, in the order of c.Items, then applies Metadata and
// Tables, and removes files last. A killed process leaves this partly done. It
// holds the store's lock.
func UpdateFile(path string, c Contents, remove ...string) (err error) {
	unlock, err := frame.LockFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return UpdateLocked(path, c, remove...)
}

// UpdateLocked is like UpdateFile, for a caller that already holds the lock: see
// frame.LockFile.
func UpdateLocked(path string, c Contents, remove ...string) (err error) {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return updateFolder(path, c, remove)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return Update(f, info.Size(), c, remove...)
}

// updateFolder is like Update, for a folder.
func updateFolder(path string, c Contents, remove []string) error {
	s, err := OpenFile(path)
	if err != nil {
		return err
	}
	defer s.Close()
	ch, err := s.change(c, remove)
	if err != nil {
		return err
	}
	first := map[string]int{} // index of a key among the items
	for i, it := range c.Items {
		first[it.Key] = i + 1
	}
	place := func(m member) int {
		key, _, _ := s.data.keyOf(m.name)
		if n := first[key]; n > 0 {
			return n
		}
		return len(c.Items) + 1
	}
	slices.SortStableFunc(ch.members, func(a, b member) int { return place(a) - place(b) })
	for _, m := range ch.members {
		if err := replaceMember(path, m); err != nil {
			return err
		}
		delete(ch.gone, m.name)
	}
	for name := range ch.gone {
		if err := os.Remove(filepath.Join(path, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// replaceMember atomically writes a file in a folder.
func replaceMember(path string, m member) error {
	name := filepath.Join(path, filepath.FromSlash(m.name))
	if !filepath.IsLocal(filepath.FromSlash(m.name)) {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return fsio.Replace(name, func(f *os.File) error {
		_, err := io.Copy(f, io.NewSectionReader(m.r, 0, m.length))
		return err
	})
}
