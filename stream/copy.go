package stream

import (
	"cmp"
	"fmt"
	"io"

	"github.com/seed03b80dae/blosc2"
	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Copy copies src to w until src ends, and returns the number of bytes read. w
// is a Writer, FileWriter or Conn of this package, or a Writer of package b2nd. If
// src has more bytes than an array of known shape, the error is a
// [blosc2.OptionError].
//
// Unlike io.Copy, Copy never calls src's WriteTo method, which would hide an
// error of src from w. So w records the error: its Close returns it and leaves
// the frame unfinished, and a deferred Close never completes the frame of a
// failed copy.
//
// # A copy that fails
//
// A closed frame is complete, so a Writer must know whether a copy failed. With
// [Copy] or [CopyN] the Writer records an error of the source, and Close, even
// a deferred one, returns it and leaves the frame unfinished. A Reader returns
// the data before the error, and then io.ErrUnexpectedEOF.
//
//	w, err := stream.CreateFile(name)
//	if err != nil {
//		return err
//	}
//	defer w.Close() // finishes nothing after a failed Copy
//	if _, err := stream.Copy(w, src); err != nil {
//		return err
//	}
//	return w.Close()
//
// io.Copy does the same unless the source has a WriteTo method, such as a
// zstd.Decoder: it calls that instead, and the Writer does not see the error.
// (It does see the error of a Reader of this package, and of a bufio.Reader.)
// io.CopyN reports a source that is too short only to its caller, not to the
// Writer.
//
// After Write, call CloseWithError with the reason why the data are incomplete.
// To cover every return from a function, and panics, use defer w.Abort(nil)
// instead of defer w.Close(): it does nothing after Close.
//
// ClearError is for a caller that wants a finished frame of the data so far, or to
// continue with another source. CloseWithError writes the data so far; Abort writes
// nothing more, and drops data that were not written yet. In either case a frame
// that was committed, by Checkpoint or before Append, keeps what was flushed or
// committed, and a FileWriter closes and unlocks its file.
//
// A panic of the sink, the source, a callback, a codec or a filter ends the
// Writer or Reader, which releases its resources, and continues in the
// goroutine of the caller; a panic in another goroutine becomes a
// *blosc2.PanicError there. Close then returns an error, and the frame is
// unfinished.
func Copy(w io.ReaderFrom, src io.Reader) (int64, error) {
	if err := framing.Need(w != nil, "destination", "an io.ReaderFrom, such as a *stream.Writer"); err != nil {
		return 0, err
	}
	if err := framing.Need(src != nil, "source", "an io.Reader"); err != nil {
		return 0, err
	}
	n, err := w.ReadFrom(src)
	switch w.(type) {
	case *Writer, *FileWriter, *Conn: // they have read src to its end
		return n, err
	}
	if err != nil {
		return n, err
	}
	var b [1]byte
	switch k, err := fill(b[:], src); {
	case k > 0:
		return n, tooMany(n)
	case err != io.EOF:
		return n, err
	}
	return n, nil
}

// tooMany returns the error for a source with more than the n bytes that its
// destination takes.
func tooMany(n int64) error {
	return &blosc2.OptionError{Option: "source of", Value: fmt.Sprintf("more than %d bytes", n), Range: "no longer than the destination"}
}

// CopyN copies n bytes from src to w, as Copy does. If src ends earlier, CopyN returns
// io.ErrUnexpectedEOF, and w records that error. io.CopyN returns io.EOF in that case,
// and w does not see it.
func CopyN(w io.ReaderFrom, src io.Reader, n int64) (int64, error) {
	if err := framing.Need(w != nil, "destination", "an io.ReaderFrom, such as a *stream.Writer"); err != nil {
		return 0, err
	}
	if err := framing.Need(src != nil, "source", "an io.Reader"); err != nil {
		return 0, err
	}
	r := &exactReader{src, n}
	done, err := w.ReadFrom(r)
	if err == nil && r.n > 0 {
		err = tooMany(done)
	}
	return done, err
}

// An exactReader reads n bytes of r. If r ends earlier, the
// error is io.ErrUnexpectedEOF.
type exactReader struct {
	r io.Reader
	n int64 // remaining bytes
}

func (e *exactReader) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	k, err := e.r.Read(p[:min(int64(len(p)), e.n)])
	e.n -= int64(k)
	switch {
	case e.n == 0:
		err = io.EOF // an error after the last byte does not concern these n
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return k, err
}

// connRoom is the size of the buffer of Conn.ReadFrom, the same as io.Copy's.
const connRoom = 32 << 10

// ReadFrom reads r until it ends, and sends each piece as Write does. It
// records an error of r: later calls that send return it, and CloseWrite and
// Close end the direction without the end of its frame, so that the other side
// reads io.ErrUnexpectedEOF. n is the number of bytes read. io.Copy calls
// ReadFrom unless the source has a WriteTo method; Copy always does.
func (c *Conn) ReadFrom(r io.Reader) (n int64, err error) {
	b := borrow(connRoom)[:connRoom]
	defer giveBack(b)
	for {
		k, err := fill(b[:min(connRoom, c.w.cfg.chunkSize)], r)
		n += int64(k)
		if k > 0 {
			if _, err := c.Write(b[:k]); err != nil {
				return n, err
			}
		}
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, c.fail(err)
		}
	}
}

// fill calls Read until it returns bytes or an error.
func fill(b []byte, r io.Reader) (int, error) {
	for range 100 {
		if n, err := r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// fail keeps err as the error of the source, and returns it.
func (c *Conn) fail(err error) error {
	if e := c.sending(func() error { c.w.sourceFailed(err); return nil }); e != nil {
		return e
	}
	return err
}

// sourceFailed is called by Reader.WriteTo, which io.Copy calls instead of
// ReadFrom, with an error of the Reader.
func (c *Conn) sourceFailed(err error) { c.fail(err) }

// ClearError clears the error of a source in ReadFrom and returns it, or nil:
// see Writer.ClearError.
func (c *Conn) ClearError() (err error) {
	c.sending(func() error { err = c.w.ClearError(); return nil })
	return err
}

// CloseWithError is like Close if err is nil or io.EOF. With another error, the
// reason why the data are incomplete, it sends the collected data but does not end
// the frame: the other side reads io.ErrUnexpectedEOF after the data.
// CloseWithError returns err, or an earlier error of the sending direction.
func (c *Conn) CloseWithError(err error) error {
	if err != nil && err != io.EOF {
		c.fail(err)
	}
	return cmp.Or(c.Close(), err)
}
