package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed03b80dae/blosc2/header"
	"github.com/seed03b80dae/blosc2/internal/fsio"
	"github.com/seed03b80dae/blosc2/meta"
)

// A source is the input of decompress. It is an array or a sparse frame, both of which
// need random access, a stream of frames, or a chunk.
type source struct {
	in     *input
	file   file
	kind   string
	Reader io.Reader // reads from the offset; it is the file itself if the file can seek
	target *target   // an array, a sparse frame or a frame whose writer has not closed it; or nil

	open     bool // the writer has not closed the frame: it is active, or has died
	proxy    bool // the frame is a proxy cache
	trailing bool // bytes that are not a frame follow the last frame
}

// openSource determines what begins at an offset of a file or a folder. With the
// error errKind it also returns a source whose Reader has all bytes.
func (e *env) openSource(name string, offset int64) (*source, error) {
	if _, _, inStore := splitStore(name); inStore || isURL(name) {
		return e.openFarSource(name, offset)
	}
	if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
		t, err := e.openTarget(name)
		if err != nil {
			return nil, err
		}
		return &source{in: &input{name: name, size: t.frame.Header().CBytes}, file: t.file, kind: t.kind, target: t}, nil
	}
	in, err := e.openInput(name)
	if err != nil {
		return nil, err
	}
	s := &source{in: in, file: in.File}
	if start, errSeek := in.File.Seek(offset, io.SeekCurrent); errSeek == nil {
		err = s.openFile(start)
	} else {
		err = s.openPipe(offset)
	}
	if errors.Is(err, errKind) { // callers may copy the bytes unchanged
		return s, withName(in.name, err)
	}
	if err != nil {
		in.File.Close()
		return nil, withName(in.name, err)
	}
	return s, nil
}

// openFile examines a file that can seek.
func (s *source) openFile(start int64) error {
	s.Reader = s.file
	array, err := s.look(io.NewSectionReader(s.file, start, 1<<62))
	if err == nil && array {
		s.kind = kindArray
		s.target, err = targetOf(s.in.name, s.file, start)
	}
	if err == nil && s.kind == kindFrame && s.open {
		// Read what the frame's writer has flushed. If that is damaged, read the file
		// as a stream instead.
		if t, err := targetOf(s.in.name, s.file, start); err == nil && t.frame.Open() {
			s.target = t
		}
	}
	return err
}

// openPipe examines an input that can be read only once. An array is copied to a
// temporary file, because its items are not stored in C order.
func (s *source) openPipe(offset int64) error {
	if _, err := io.CopyN(io.Discard, s.in.File, offset); err != nil {
		return endsEarly(err)
	}
	var seen bytes.Buffer
	array, err := s.look(io.TeeReader(s.in.File, &seen))
	s.Reader = io.MultiReader(&seen, s.in.File)
	if err != nil || !array {
		return err
	}
	file, err := spool(s.Reader)
	if err != nil {
		return err
	}
	s.kind = kindArray
	s.target, err = targetOf(s.in.name, file, 0)
	return err
}

// look determines the kind of the input from its first bytes. It reports whether the
// input is a frame that holds an array.
func (s *source) look(r io.Reader) (array bool, err error) {
	head := make([]byte, sniffLen)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return false, err
	}
	head = head[:n]
	if s.kind, err = sniff(head, s.in.size); err != nil || s.kind == kindChunk || n < header.MinPrefix {
		return false, err
	}
	size, err := header.Size(head)
	if err != nil || size > maxHeader {
		return false, nil // the reader of the frame returns the error
	}
	head = append(head, make([]byte, max(size-n, 0))...)
	if _, err := io.ReadFull(r, head[n:]); err != nil {
		return false, nil
	}
	h, err := header.Parse(head)
	if err != nil {
		return false, nil
	}
	if value, ok := meta.Find(h.Layers, meta.StreamName); ok {
		mark, err := meta.ParseStream(value)
		s.open = err == nil && mark.Open
	}
	_, s.proxy = meta.Find(h.Layers, "proxy-source")
	return isArray(h.Layers), nil
}

// maxHeader is the largest header that is read; the readers reject longer ones.
const maxHeader = 16 << 20

// endsEarly returns io.ErrUnexpectedEOF in place of io.EOF, for an input that ends too
// early.
func endsEarly(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// lockSuffix is the suffix of the file that C-Blosc2 and this program lock for a frame.
const lockSuffix = ".b2lock"

// written returns an error if a writer has the file open, because the file is about to
// be removed.
func (s *source) written() error {
	if s.open {
		return errWritten
	}
	if _, err := os.Stat(s.in.name + lockSuffix); err != nil {
		return nil
	}
	unlock, err := fsio.Lock(s.in.name, fsio.Locking{})
	if err != nil {
		return err
	}
	return unlock()
}

var errWritten = errors.New("its writer is active or has died, so --rm must not remove it; seal completes it once the writer has ended")

// unfinished adds advice to the error of a truncated frame.
func (s *source) unfinished(err error) error {
	switch {
	case s.target != nil && s.target.frame.Lost() != nil:
		return s.target.damaged(err)
	case s.open && s.in.info == nil && errors.Is(err, io.ErrUnexpectedEOF): // the input is a pipe
		return fmt.Errorf("%w; once the writer has ended, seal completes it", err)
	case s.kind == kindFrame || s.kind == kindArray:
		return cutOff(err)
	}
	return err
}

// flushed reports whether the writer of the frame has not closed it, and has flushed
// exactly n bytes, none of which are lost.
func (s *source) flushed(n int64) bool {
	if s.target == nil || !s.target.frame.Open() {
		return false
	}
	return n == s.target.frame.Size() && s.target.frame.Lost() == nil
}

// meaning returns the description of a tensor, or nil for any other frame. It returns
// an error for a proxy cache that lacks chunks. In a pipe any proxy cache is an error,
// because its chunks cannot be examined.
func (s *source) meaning() (*view, error) {
	if s.kind != kindFrame {
		return nil, nil
	}
	start, err := s.file.Seek(0, io.SeekCurrent)
	if err != nil {
		if s.proxy {
			return nil, errors.New("is a proxy cache, which may lack chunks: write it to a file first")
		}
		return nil, nil
	}
	t, err := targetOf(s.in.name, s.file, start)
	if err != nil {
		return nil, nil // the reader of streams returns the error
	}
	if err := meansNothing(t.frame); err != nil {
		return nil, err
	}
	v := &view{target: t, whole: 1}
	if ok, err := v.openTensor(); !ok || err != nil {
		return nil, err
	}
	return v, nil
}

// suffix returns the suffix that replaces the input's in the output's name.
func (s *source) suffix(raw bool) string {
	if s.kind != kindArray || raw {
		return ""
	}
	if _, ok := csvFormOf(s.target.frame.Metalayers()); ok {
		return csvSuffix
	}
	if _, _, sound := around(s.target.frame.Metalayers()); sound {
		return wavSuffix
	}
	return npySuffix
}

// Close closes the input.
func (s *source) Close() {
	s.file.Close()
	if s.target != nil {
		s.target.Close()
	}
}
