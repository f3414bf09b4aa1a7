package remote

import (
	"context"
	"io"
	"io/fs"
	"strconv"
	"sync"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// FromFile opens a file of any io/fs, such as one backed by a store. If it has neither
// a method ReadAt nor Seek, all of it is read, and must fit the cache. The caller
// closes the file after the Object.
func FromFile(ctx context.Context, file fs.File, opts ...Option) (*Object, error) {
	if err := framing.Need(file != nil, "file", "an fs.File"); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	b := &fileBackend{size: info.Size()}
	b.version = strconv.FormatInt(info.ModTime().UnixNano(), 10)
	switch f := file.(type) {
	case io.ReaderAt:
		b.at = f
	case io.ReadSeeker:
		b.at = &seekerAt{r: f}
	default:
		limit := newConfig(opts).cache.limit
		if b.size > limit {
			return nil, &fs.PathError{Op: "open", Path: info.Name(), Err: blosc2.Errorf(blosc2.PartHeader, blosc2.ErrTooLarge,
				"a file of %d bytes that can only be read front to back; the limit is %d, that of the cache", b.size, limit)}
		}
		data, err := io.ReadAll(io.LimitReader(file, limit))
		if err != nil {
			return nil, err
		}
		b.at, b.size = memory(data), int64(len(data))
	}
	return New(ctx, b, info.Name(), opts...)
}

// A fileBackend reads a file.
type fileBackend struct {
	at      io.ReaderAt
	size    int64
	version string
}

func (b *fileBackend) Open(ctx context.Context, off, n int64, version string) (io.ReadCloser, Info, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, Info{}, err
	}
	return io.NopCloser(io.NewSectionReader(b.at, off, min(n, b.size-off))), Info{b.size, b.version}, nil
}

// A memory holds a file that was read as a whole.
type memory []byte

func (m memory) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(m)) {
		return 0, io.EOF
	}
	n := copy(p, m[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A seekerAt implements io.ReaderAt by seeking.
type seekerAt struct {
	mu sync.Mutex
	r  io.ReadSeeker
}

func (s *seekerAt) ReadAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.r.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(s.r, p)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}
