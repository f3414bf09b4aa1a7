package driver

import (
	"crypto/sha256"
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2/internal/fsio"
)

// errAgain is the error for a part that must be read again after it was read.
var errAgain = errors.New("the part must be sent again")

// A passing is a part that the driver forwards to the store as it arrives, so that only
// one program holds it in memory. Once bytes of it have been read, it cannot be read
// from the beginning again: the error is then errAgain.
type passing struct {
	r         io.Reader
	size      int64
	read, off int64 // read: bytes read from r; off: offset set by Seek
}

func (p *passing) Read(b []byte) (int, error) {
	if p.off != p.read {
		if p.off == p.size {
			return 0, io.EOF
		}
		return 0, errAgain
	}
	n, err := p.r.Read(b)
	p.read += int64(n)
	p.off = p.read
	return n, err
}

func (p *passing) Seek(off int64, whence int) (int64, error) {
	off = fsio.Offset(off, whence, p.off, p.size)
	if off != p.size && off != p.read {
		return p.off, errAgain
	}
	p.off = off
	return off, nil
}

// A summed is a passing that implements parts.Summed.
type summed struct {
	io.ReadSeeker
	sum [sha256.Size]byte
}

func (s summed) SHA256() [sha256.Size]byte { return s.sum }
