package tree

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Open implements fs.FS. Every leaf is a file with the bytes of its frame; its name
// is its key without the first slash. Every group and every table is a folder. The
// parts of tables and the metadata of groups are included, remote arrays are not.
// Files implement io.ReaderAt and io.Seeker; ranges.Of accepts those of a remote
// store.
func (s *Store) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	full := s.prefix
	if name != "." {
		full += "/" + name
	}
	l, ok := s.data.find(full)
	if ok && l.ref == nil {
		r, size, err := s.data.bytesOf(l)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &file{io.NewSectionReader(r, 0, size), info{path.Base(name), size, 0o444}}, nil
	}
	if name != "." && len(s.data.below(full)) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &folder{info: info{path.Base(name), 0, fs.ModeDir | 0o555}, entries: s.entries(full)}, nil
}

// entries returns the sorted directory entries of a folder.
func (s *Store) entries(full string) []fs.DirEntry {
	var out []fs.DirEntry
	for _, l := range s.data.below(full) {
		name, more, inside := strings.Cut(l.key[len(full)+1:], "/")
		i := info{name, l.size, 0o444}
		if inside && more != "" {
			i = info{name, 0, fs.ModeDir | 0o555}
		} else if l.ref != nil {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Name() != name {
			out = append(out, fs.FileInfoToDirEntry(i))
		}
	}
	slices.SortStableFunc(out, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(out, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() })
}

// An info is the fs.FileInfo of a file of a store.
type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// A file is the fs.File of a leaf.
type file struct {
	*io.SectionReader
	info info
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }

// A folder is the fs.File of a group or table.
type folder struct {
	info    info
	entries []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.entries) {
		if n > 0 && len(f.entries) == 0 {
			return nil, io.EOF
		}
		n = len(f.entries)
	}
	out := f.entries[:n:n]
	f.entries = f.entries[n:]
	return out, nil
}
