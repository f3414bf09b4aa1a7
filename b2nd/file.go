package b2nd

import (
	"os"

	"github.com/seed03b80dae/blosc2/frame"
)

// OpenFile opens the array in a file or, of a sparse frame, in a directory.
// Close closes the file.
func OpenFile(path string, opts ...Option) (*Array, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		cfg := newConfig(opts)
		f, err := frame.OpenFS(os.DirFS(path), cfg.frame...)
		if err != nil {
			return nil, err
		}
		return open(f, cfg)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	a, err := Open(file, info.Size(), opts...)
	if err != nil {
		file.Close()
		return nil, err
	}
	a.close = file.Close
	return a, nil
}
