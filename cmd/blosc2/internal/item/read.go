package item

import (
	"io"

	"github.com/seed03b80dae/blosc2/b2nd"
)

// maxRead is the largest number of bytes to read at once, including those between items.
const maxRead = 1 << 20

// Read reads the items of a span, of size bytes each, into dst; the first item of
// src is at offset at. Items that are close together are read together.
func Read(dst []byte, src io.ReaderAt, at int64, s b2nd.Span, size int64) error {
	n, step := s.Len(), max(s.Step, 1)
	at += s.Start * size
	if n == 0 {
		return nil
	}
	if step == 1 {
		return ReadFull(src, dst[:n*size], at)
	}
	per := max(1, maxRead/size/step)
	buf := make([]byte, ((min(per, n)-1)*step+1)*size)
	for i := int64(0); i < n; i += per {
		k := min(per, n-i)
		part := buf[:((k-1)*step+1)*size]
		if err := ReadFull(src, part, at+i*step*size); err != nil {
			return err
		}
		for j := range k {
			copy(dst[(i+j)*size:(i+j+1)*size], part[j*step*size:])
		}
	}
	return nil
}

// ReadFull fills dst from an offset of src. If src ends earlier,
// the error is io.ErrUnexpectedEOF.
func ReadFull(src io.ReaderAt, dst []byte, at int64) error {
	n, err := src.ReadAt(dst, at)
	switch {
	case n == len(dst):
		return nil
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}
