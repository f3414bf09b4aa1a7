package frame

import (
	"errors"
	"io"

	"github.com/seed03b80dae/blosc2"
)

// firstStep is the first step by which a buffer grows. Memory grows with the bytes that
// are received, whatever sizes the input states.
const firstStep = 4 << 20

// A source reads exactly the requested bytes, and counts them.
type source struct {
	r   io.Reader
	pos int64             // bytes read so far
	at  *io.SectionReader // r if it can skip bytes, otherwise nil
}

// full fills b and returns the number of bytes read. If the source ends earlier the
// error is io.ErrUnexpectedEOF.
func (s *source) full(part blosc2.Part, b []byte) (n int, err error) {
	n, err = io.ReadFull(s.r, b)
	s.pos += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = s.short(part, int64(n), int64(len(b)))
	}
	return n, err
}

// short returns the error for a source that ended after n bytes of a part that has size
// bytes.
func (s *source) short(part blosc2.Part, n, size int64) error {
	return errorAt(s.pos, part, io.ErrUnexpectedEOF, "truncated: has %d of %d bytes", n, size)
}

// grow appends n bytes to b. It allocates step by step as the bytes arrive.
func (s *source) grow(part blosc2.Part, b []byte, n int64) ([]byte, error) {
	for step := int64(firstStep); n > 0; step *= 2 {
		k := min(n, max(step, int64(cap(b)-len(b))))
		if int64(cap(b)-len(b)) < k {
			b = enlarge(b, k)
		}
		got, err := s.full(part, b[len(b):len(b)+int(k)])
		b = b[:len(b)+got]
		if err != nil {
			return b, err
		}
		n -= k
	}
	return b, nil
}

// enlarge returns b with room for n more bytes. If b was too small although it held an
// earlier chunk, it gets extra room. Otherwise each of several chunks with slightly
// different sizes would allocate.
func enlarge(b []byte, n int64) []byte {
	n += int64(len(b))
	if cap(b) >= minReuse {
		n += n / 8
	}
	return append(make([]byte, 0, n), b...)
}

// minReuse is the least length in bytes of a buffer that is assumed to have held an
// earlier chunk. A wrong guess costs an eighth more memory, or an allocation.
const minReuse = 512

// skip skips n bytes of a random-access source.
func (s *source) skip(part blosc2.Part, n int64) error {
	if left := s.at.Size() - s.pos; n > left {
		s.pos += left
		return s.short(part, left, n)
	}
	_, err := s.at.Seek(n, io.SeekCurrent)
	s.pos += n
	return err
}
