package stream

import (
	"cmp"
	"io"

	"github.com/seed03b80dae/blosc2/internal/framing"
)

// Copy copies src to w until src ends, and returns the number of bytes read. w
// is a Writer, FileWriter or Conn of this package, or a Writer of package b2nd.
//
// Unlike io.Copy, Copy never calls src's WriteTo method, which would hide an error
// of src from w. So w keeps the error: its Close returns it and leaves the frame
// unfinished, and a deferred Close never makes a whole frame of a copy that failed.
//
// # A copy that fails
//
// A frame that was closed says that its data are complete, so a Writer must know
// whether a copy failed. Copy with [Copy] or [CopyN]: the Writer keeps an error of
// the source, and Close, a deferred one too, returns it and leaves the frame
// unfinished. A Reader of it returns the data that came, and then
// io.ErrUnexpectedEOF.
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
// io.Copy does the same unless the source has a WriteTo method, as a zstd.Decoder
// has: it calls that instead, and the Writer does not see the error. (It sees that
// of a Reader of this package, and of a bufio.Reader.) io.CopyN takes the end of a
// source that is too short for success until its caller looks at what it returns.
//
// After Write, call CloseWithError with the reason why more data do not come. To
// cover every way out of a function, a panic too, use defer w.Abort(nil) instead of
// defer w.Close(): it does nothing after Close.
//
// ClearError is for a caller that wants a finished frame of what came, or to go on
// with another source. CloseWithError writes what has come; Abort writes nothing
// more, and drops what is held back. A frame that was committed, by Checkpoint or
// before Append, keeps what was flushed or committed in either case, and
// FileWriter closes and unlocks its file.
//
// A panic of the sink, the source, a callback, a codec or a filter ends the Writer
// or Reader, which releases all that it holds, and goes on in the goroutine of
// the caller; one that came up in another goroutine is a *blosc2.PanicError there.
// Close returns an error afterwards, and the frame is unfinished.
func Copy(w io.ReaderFrom, src io.Reader) (int64, error) {
	if err := framing.Need(w != nil, "destination", "an io.ReaderFrom, such as a *stream.Writer"); err != nil {
		return 0, err
	}
	if err := framing.Need(src != nil, "source", "an io.Reader"); err != nil {
		return 0, err
	}
	return w.ReadFrom(src)
}

// CopyN copies n bytes from src to w, as Copy does. If src ends before, the error
// is io.ErrUnexpectedEOF, and w keeps it. io.CopyN returns io.EOF then, and w does
// not see it.
func CopyN(w io.ReaderFrom, src io.Reader, n int64) (int64, error) {
	if err := framing.Need(w != nil, "destination", "an io.ReaderFrom, such as a *stream.Writer"); err != nil {
		return 0, err
	}
	if err := framing.Need(src != nil, "source", "an io.Reader"); err != nil {
		return 0, err
	}
	return w.ReadFrom(&exactReader{src, n})
}

// An exactReader reads n bytes of r. An earlier end is io.ErrUnexpectedEOF.
type exactReader struct {
	r io.Reader
	n int64 // bytes left
}

func (e *exactReader) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	k, err := e.r.Read(p[:min(int64(len(p)), e.n)])
	e.n -= int64(k)
	switch {
	case e.n == 0:
		err = io.EOF // an error after the last byte is not about these n
	case err == io.EOF:
		err = io.ErrUnexpectedEOF
	}
	return k, err
}

// connRoom is the size of the buffer of Conn.ReadFrom.
const connRoom = 32 << 10

// ReadFrom sends what r returns, as Write does with each piece, until r ends. An
// error of r is kept: later calls that send return it, and CloseWrite and Close
// end the direction without the end of its frame, so that the other side reads
// io.ErrUnexpectedEOF. n counts the bytes that r returned. io.Copy calls ReadFrom
// unless the source has a WriteTo method; Copy always does.
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
// ReadFrom, with an error that is the Reader's.
func (c *Conn) sourceFailed(err error) { c.fail(err) }

// ClearError forgets an error of the source that ReadFrom met, and returns it, or
// nil if there was none: see Writer.ClearError.
func (c *Conn) ClearError() (err error) {
	c.sending(func() error { err = c.w.ClearError(); return nil })
	return err
}

// CloseWithError is Close where err is nil or io.EOF. With another error, which is
// the reason why no more data come, what is collected is sent but the frame is not
// ended: the other side reads io.ErrUnexpectedEOF after the data. CloseWithError
// returns err, unless the sending direction had an error before.
func (c *Conn) CloseWithError(err error) error {
	if err != nil && err != io.EOF {
		c.fail(err)
	}
	return cmp.Or(c.Close(), err)
}
