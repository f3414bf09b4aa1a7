package frame

import (
	"bytes"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// Refresh gives a reader of the frame as it is now, in a source that has size
// bytes by now: its writer may have made it longer, or changed it. It is f
// itself where nothing has changed. f can be used on, and sees what it saw.
//
// Who looks at a header at the moment that it is written may find it damaged:
// after an error it is worth another attempt.
func (f *Reader) Refresh(size int64) (*Reader, error) {
	if f.origin == nil {
		return nil, blosc2.Errorf(blosc2.PartDirectory, blosc2.ErrUnsupported, "a sparse frame is not followed")
	}
	now := &Reader{origin: f.origin, src: f.origin, size: size, cfg: f.cfg, end: io.EOF}
	if err := now.open(); err != nil {
		return nil, err
	}
	if bytes.Equal(now.raw, f.raw) && now.frameLen == f.frameLen && now.nbytes == f.nbytes {
		return f, nil
	}
	return now, nil
}
