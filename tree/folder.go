package tree

import (
	"bytes"
	"io"
	"io/fs"
	"strings"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// A folderMembers holds the files of a folder.
type folderMembers struct{ fsys fs.FS }

// OpenFS opens the store in the root folder of fsys. Files are opened when
// first read, and stay open until Close. A file of fsys that is not an
// io.ReaderAt is read into memory.
//
// A folder that is not a store results in blosc2.ErrNotBlosc2.
func OpenFS(fsys fs.FS, opts ...Option) (*Store, error) {
	if err := framing.Need(fsys != nil, "directory", "an fs.FS"); err != nil {
		return nil, err
	}
	cfg := newConfig(opts)
	var names []string
	sizes := map[string]int64{}
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return nil
		case len(names) >= cfg.members:
			return blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrTooLarge, "more than %d members", cfg.members)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			names = append(names, name)
			sizes[name] = info.Size()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := &data{layout: Folder, members: folderMembers{fsys}, cfg: cfg}
	return d.openMembers(names, func(name string) int64 { return sizes[name] })
}

func (m folderMembers) open(name string) (io.ReaderAt, int64, io.Closer, error) {
	f, err := m.fsys.Open(name)
	if err != nil {
		return nil, 0, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, 0, nil, err
	}
	if r, ok := f.(io.ReaderAt); ok {
		return r, info.Size(), f, nil
	}
	defer f.Close()
	var b strings.Builder
	if _, err := io.Copy(&b, f); err != nil {
		return nil, 0, nil, err
	}
	return bytes.NewReader([]byte(b.String())), int64(b.Len()), nil, nil
}
