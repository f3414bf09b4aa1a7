package serve

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed03b80dae/blosc2/internal/zarr"
)

// A Place is an argument of the command: a folder, a file, or a remote object.
// Paths of requests begin with its Name, unless it is "".
type Place struct {
	Name   string
	Check  bool // compare windows with the digests of their chunks, which are then read whole
	root   *os.Root
	only   string // the only file or folder in root that is served; "": all are
	object Object
	zarr   *farZarr
}

// A File can be read at any offset.
type File interface {
	fs.File
	io.ReaderAt
	io.Seeker
}

// An Object is a remote file.
type Object interface {
	io.ReaderAt
	io.Closer
	Size() int64
	Version() string // an ETag, or ""
}

// OpenPlace returns the Place of a file or folder of this machine. Its Name is
// the last part of its path.
func OpenPlace(name string) (*Place, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(full)
	if err != nil {
		return nil, err
	}
	p := &Place{Name: filepath.Base(full)}
	if info.IsDir() {
		if p.root, err = os.OpenRoot(full); err != nil || !isWhole(folder{p.root, "."}) {
			return p, err
		}
		p.root.Close()
	}
	p.only = p.Name
	p.root, err = os.OpenRoot(filepath.Dir(full))
	return p, err
}

// ObjectPlace returns the Place of a remote object.
func ObjectPlace(name string, o Object) *Place { return &Place{Name: name, object: o} }

// Folder reports whether the Place is a folder of files.
func (p *Place) Folder() bool { return p.root != nil && p.only == "" }

// Close closes the folder or file of OpenPlace, or the object.
func (p *Place) Close() error {
	switch {
	case p.object != nil:
		return p.object.Close()
	case p.zarr != nil:
		return nil
	}
	return p.root.Close()
}

// isWhole reports whether a folder is a sparse frame, a store, or a Zarr array.
func isWhole(dir fs.FS) bool {
	for _, name := range []string{"chunks.b2frame", "embed.b2e"} {
		if info, err := fs.Stat(dir, name); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	is, err := zarr.IsArray(dir, ".")
	return is && err == nil
}

// A folder is a folder in a root. It hides everything that is neither a file nor a
// folder, because opening a pipe would wait for its other end.
type folder struct {
	root *os.Root
	name string
}

// Stat implements fs.StatFS.
func (f folder) Stat(name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrInvalid}
	}
	return f.root.Stat(path.Join(f.name, name))
}

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	info, err := f.Stat(name)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return nil, err
	}
	return f.root.Open(path.Join(f.name, name))
}

// A spot is the target of a request's path.
type spot struct {
	path  string // the path in the request
	place *Place // nil if the path is that of the list of places
	name  string // name of the file or folder in the place
	info  fs.FileInfo
	key   string // key in the store that the file or folder is, or ""
	whole bool   // it is a folder that is a sparse frame, a store or a Zarr array
}

// find returns the spot of a path. Names that begin with a dot are not found.
func (s *Server) find(p string) (*spot, error) {
	p = strings.TrimSuffix(p, "/")
	if p != "" && !fs.ValidPath(p) || strings.ContainsAny(p, "\x00\\") {
		return nil, errMissing
	}
	for part := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(part, ".") {
			return nil, errMissing
		}
	}
	at := &spot{path: p}
	rest := p
	if len(s.Places) == 1 && s.Places[0].Name == "" {
		at.place = s.Places[0]
	} else {
		if p == "" {
			return at, nil
		}
		var first string
		first, rest, _ = strings.Cut(p, "/")
		for _, place := range s.Places {
			if place.Name == first {
				at.place = place
			}
		}
		if at.place == nil {
			return nil, errMissing
		}
	}
	return at, at.walk(rest)
}

// walk follows the path within the place until it ends or leads into a store.
func (at *spot) walk(rest string) error {
	if at.place.object != nil || at.place.zarr != nil {
		at.info, at.key = objectInfo{at.place}, rest
		return nil
	}
	at.name = at.place.only
	if at.name == "" {
		at.name = "."
	}
	if at.place.Folder() && rest != "" { // Folder reports false if isWhole holds for the root
		at.name, rest, _ = strings.Cut(rest, "/")
	}
	for {
		info, err := at.place.root.Stat(at.name)
		if err != nil {
			return err
		}
		at.info = info
		switch {
		case info.Mode().IsRegular():
			at.key = rest
			return nil
		case !info.IsDir():
			return errMissing
		}
		if isWhole(folder{at.place.root, at.name}) {
			at.whole, at.key = true, rest
			return nil
		}
		if rest == "" {
			return nil
		}
		var part string
		part, rest, _ = strings.Cut(rest, "/")
		at.name = path.Join(at.name, part)
	}
}

// plainFile opens the file of a spot for its bytes, even if it is a part of a folder
// that is served as a whole.
func (at *spot) plainFile() (File, fs.FileInfo, error) {
	if at.place == nil {
		return nil, nil, errMissing
	}
	name := at.name
	if at.whole {
		name = path.Join(name, at.key)
	} else if at.key != "" {
		return nil, nil, errMissing
	}
	return at.open(name)
}

// open opens a regular file of the place. If it is not the spot's own file, open checks
// its mode first, because opening a pipe would wait for its other end.
func (at *spot) open(name string) (File, fs.FileInfo, error) {
	if o := at.place.object; o != nil {
		return objectFile{io.NewSectionReader(o, 0, o.Size()), at.info}, at.info, nil
	}
	if at.place.zarr != nil {
		return nil, nil, errMissing
	}
	info := at.info
	if name != at.name {
		var err error
		if info, err = at.place.root.Stat(name); err != nil {
			return nil, nil, err
		}
	}
	if !info.Mode().IsRegular() {
		return nil, nil, errMissing
	}
	f, err := at.place.root.Open(name)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errors.New("the file is not regular")
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// An objectFile is a remote object as a File. Close leaves the object open.
type objectFile struct {
	*io.SectionReader
	info fs.FileInfo
}

// Stat implements fs.File.
func (o objectFile) Stat() (fs.FileInfo, error) { return o.info, nil }

// Close implements fs.File.
func (o objectFile) Close() error { return nil }

// objectInfo is the fs.FileInfo of a remote object, or of a folder of Zarr.
type objectInfo struct{ *Place }

func (o objectInfo) Name() string { return o.Place.Name }
func (o objectInfo) Size() int64 {
	if o.object == nil {
		return 0
	}
	return o.object.Size()
}
func (o objectInfo) Mode() fs.FileMode  { return 0o444 }
func (o objectInfo) ModTime() time.Time { return time.Time{} }
func (o objectInfo) IsDir() bool        { return false }
func (o objectInfo) Sys() any           { return nil }
