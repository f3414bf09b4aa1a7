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
)

// A Place is what an argument of the command names: a folder, a file, or a remote
// object. Paths of requests begin with its Name, unless it is "".
type Place struct {
	Name   string
	Check  bool // windows are compared with the digests of their chunks, which are read whole
	root   *os.Root
	only   string // the file or folder in root that is served; "": all
	object Object
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
	if info.IsDir() && !isStored(os.DirFS(full)) {
		p.root, err = os.OpenRoot(full)
		return p, err
	}
	p.only = p.Name
	p.root, err = os.OpenRoot(filepath.Dir(full))
	return p, err
}

// ObjectPlace returns the Place of a remote object.
func ObjectPlace(name string, o Object) *Place { return &Place{Name: name, object: o} }

// Folder reports whether the Place is a folder of files.
func (p *Place) Folder() bool { return p.root != nil && p.only == "" }

// Close closes what OpenPlace opened, or the object.
func (p *Place) Close() error {
	if p.object != nil {
		return p.object.Close()
	}
	return p.root.Close()
}

// isStored reports whether a folder is a sparse frame or a store.
func isStored(dir fs.FS) bool {
	for _, name := range []string{"chunks.b2frame", "embed.b2e"} {
		if info, err := fs.Stat(dir, name); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// A spot is what a path of a request leads to.
type spot struct {
	path  string // of the request
	place *Place // nil: the list of places
	name  string // in the place
	info  fs.FileInfo
	key   string // within the store that the file or folder is, or ""
	whole bool   // a folder that is a sparse frame or a store
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
	if at.place.object != nil {
		at.info, at.key = objectInfo{at.place}, rest
		return nil
	}
	at.name = at.place.only
	if at.name == "" {
		at.name = "."
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
		if dir, err := fs.Sub(at.place.root.FS(), at.name); err == nil && isStored(dir) {
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

// plainFile returns the file of a spot for its bytes: also a part of a sparse
// frame or of a store in a folder.
func (at *spot) plainFile() (io.ReadSeekCloser, fs.FileInfo, error) {
	switch {
	case at.place == nil:
		return nil, nil, errMissing
	case at.place.object != nil:
		if at.key != "" {
			return nil, nil, errMissing
		}
		o := at.place.object
		return struct {
			io.ReadSeeker
			io.Closer
		}{io.NewSectionReader(o, 0, o.Size()), io.NopCloser(nil)}, at.info, nil
	}
	name := at.name
	if at.whole {
		name = path.Join(name, at.key)
	} else if at.key != "" {
		return nil, nil, errMissing
	}
	return at.open(name)
}

// open opens a regular file of the place. It looks at the file first, because
// opening a pipe would wait for its other end.
func (at *spot) open(name string) (*os.File, fs.FileInfo, error) {
	info, err := at.place.root.Stat(name)
	if err != nil {
		return nil, nil, err
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

// objectInfo is the fs.FileInfo of a remote object.
type objectInfo struct{ *Place }

func (o objectInfo) Name() string       { return o.Place.Name }
func (o objectInfo) Size() int64        { return o.object.Size() }
func (o objectInfo) Mode() fs.FileMode  { return 0o444 }
func (o objectInfo) ModTime() time.Time { return time.Time{} }
func (o objectInfo) IsDir() bool        { return false }
func (o objectInfo) Sys() any           { return nil }
