package tree

import (
	"errors"
	"io"
	"os"
)

// OpenFile opens the store that a path names: a zip, a folder or a frame. Close
// closes its files. Links out of a folder are not followed.
func OpenFile(path string, opts ...Option) (_ *Store, err error) {
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
