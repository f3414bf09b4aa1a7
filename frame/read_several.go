package frame

import (
	"io"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// eachFrame opens the frames in a source of size bytes, one after the other,
// and calls do with each.
func eachFrame(r io.ReaderAt, size int64, opts []Option, do func(f *Reader) error) error {
	for off := int64(0); ; {
		f, err := Open(fsio.Rest(r, off), size-off, opts...)
		if err != nil {
			return err
		}
		if err := do(f); err != nil {
			return err
		}
		if off += f.FrameLen(); !frameAt(r, off) {
			return nil
		}
	}
}

// A shifted is the part of a File that begins at an offset.
type shifted struct {
	File
	at int64
}

func (s shifted) ReadAt(p []byte, off int64) (int, error)  { return s.File.ReadAt(p, s.at+off) }
func (s shifted) WriteAt(p []byte, off int64) (int, error) { return s.File.WriteAt(p, s.at+off) }
func (s shifted) Truncate(size int64) error                { return s.File.Truncate(s.at + size) }
