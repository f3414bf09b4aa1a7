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

// A part is the part of a file from an offset on.
type part struct {
	File
	base int64
}

func (p part) ReadAt(b []byte, off int64) (int, error)  { return p.File.ReadAt(b, p.base+off) }
func (p part) WriteAt(b []byte, off int64) (int, error) { return p.File.WriteAt(b, p.base+off) }
func (p part) Truncate(size int64) error                { return p.File.Truncate(p.base + size) }
